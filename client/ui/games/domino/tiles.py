"""The drawing of dominoes: tiles in two sizes, and the line, which turns at the edges."""

from __future__ import annotations

from collections.abc import Sequence

from client.ui.drawing.canvas import Canvas, Rect

LONG, HIGH = 5, 3
"""Columns and rows of a tile that lies along; one that lies across has three columns and five
rows."""


def draw_tile(
    canvas: Canvas,
    x: int,
    y: int,
    left: int | None,
    right: int | None,
    style: str = "",
    *,
    chip: bool = False,
) -> Rect:
    """Draw a tile that lies along, None being the back, and return its place.

    A chip is one row high.

    A picked tile has another frame too: colours may be missing.
    """
    picked = style == "picked"
    pips = [("back", "▒") if number is None else ("pips", str(number)) for number in (left, right)]
    if chip:
        place = Rect(x, y, LONG, 1)
        ends = "▐▌" if picked else "[]"
        canvas.write(x, y, [("card", ends[0]), pips[0], ("card", "|"), pips[1], ("card", ends[1])])
    else:
        place = Rect(x, y, LONG, HIGH)
        above, side, middle, below = (
            ("╔═╤═╗", "║", "│", "╚═╧═╝") if picked else ("╭─┬─╮", "│", "│", "╰─┴─╯")
        )
        canvas.write(x, y, above, "card")
        canvas.write(x, y + 1, [("card", side), pips[0], ("card", middle), pips[1], ("card", side)])
        canvas.write(x, y + 2, below, "card")
    if style:
        canvas.restyle(place, style)
    return place


def draw_across(canvas: Canvas, x: int, y: int, number: int, style: str = "") -> Rect:
    """Draw a double that lies across; `y` is the row of its middle."""
    place = Rect(x, y - 2, 3, 5)
    for row, text in enumerate(("╭─╮", f"│{number}│", "├─┤", f"│{number}│", "╰─╯")):
        canvas.write(x, y - 2 + row, text, "card")
    canvas.write(x + 1, y - 1, str(number), "pips")
    canvas.write(x + 1, y + 1, str(number), "pips")
    if style:
        canvas.restyle(place, style)
    return place


def rows_of(
    row: Sequence[tuple[int, int]], width: int, *, across: bool
) -> list[list[tuple[int, int]]]:
    """Cut the line into rows that are at most so wide; doubles that lie across take less room."""
    found: list[list[tuple[int, int]]] = [[]]
    taken = 0
    for left, right in row:
        wide = 3 if across and left == right else LONG
        if taken + wide > width and found[-1]:
            found.append([])
            taken = 0
        found[-1].append((left, right))
        taken += wide
    return found


def draw_line(
    canvas: Canvas, rect: Rect, row: Sequence[tuple[int, int]], newest: int | None = None
) -> None:
    """Draw the line as large as it fits: it reads from left to right, each row after the other.

    `newest` is the place of the tile laid last. Each end has its number and an arrow; dots join the
    rows.

    Doubles lie across if the rows leave room for that; if nothing else fits, all are chips.
    """
    wide = rect.width - 6
    for pitch, across in ((5, True), (3, False), (1, False)):
        rows = rows_of(row, wide, across=across)
        if len(rows) * pitch <= rect.height or pitch == 1:
            break
    top = rect.y + max(0, (rect.height - len(rows) * pitch) // 2)
    lengths = [sum(3 if across and left == right else LONG for left, right in one) for one in rows]
    begin = rect.x + (rect.width - max(lengths)) // 2
    place = 0
    for number, (tiles, length) in enumerate(zip(rows, lengths, strict=True)):
        middle = top + number * pitch + pitch // 2
        x, end = begin, begin + length
        first = [("key", "←"), ("turn", str(row[0][0]))] if number == 0 else [("dim", " …")]
        canvas.write(x - 3, middle, first)
        for left, right in tiles:
            style = "last" if place == newest else ""
            if across and left == right:
                draw_across(canvas, x, middle, left, style)
            else:
                draw_tile(canvas, x, middle - (pitch > 1), left, right, style, chip=pitch == 1)
            x += 3 if across and left == right else LONG
            place += 1
        last = [("turn", str(row[-1][1])), ("key", "→")]
        canvas.write(end + 1, middle, last if number == len(rows) - 1 else [("dim", "…")])
