"""Shared parts of pages: the first line, the last line, lists with a chosen item, paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from client.i18n.translation import NO_BREAK
from client.ui.drawing.canvas import Canvas, Rect, Text, columns_of
from client.ui.wrap import wrapped

SPACIOUS, SIDE = 104, 36
"""Columns from which remarks stand beside a table, not below it, and those that they take."""
PAGE = 10
"""Items of a list by which the keys of pages move."""
BETWEEN = f"{NO_BREAK}· "
"""Stands between the parts of a line of a page: no new line begins with it."""


def columns_beside(canvas: Canvas) -> int:
    """Return how many columns the remarks beside a table take; 0 if they stand below it."""
    return SIDE if canvas.width >= SPACIOUS else 0


@dataclass(frozen=True)
class ListItem:
    """An entry of a list to choose from: its id, its text, and the text beside it."""

    id: str
    text: Text
    about: str = ""


def capital(text: str) -> str:
    """Return a sentence with a capital letter, also after the sign that opens it in Spanish."""
    begins = len(text) - len(text.lstrip("¿¡"))
    return text[:begins] + text[begins : begins + 1].upper() + text[begins + 1 :]


def sentence(error: str) -> str:
    """Return an error as a sentence that stands by itself; in a terminal it ends a line."""
    if not error.lstrip("¿¡")[:1].islower():
        return error
    return capital(error) + ("" if error[-1] in ".!?…" else ".")


def apart(text: Text) -> str:
    """Return text with a sign between its parts.

    On the full screen, two spaces stand between the parts.
    """
    return BETWEEN.join(part for part in str(text).split("  ") if part)


def chosen(items: Sequence[ListItem], wanted: str) -> int:
    """Return the place of the chosen item; where it is gone, or none is chosen, the first."""
    return next((place for place, item in enumerate(items) if item.id == wanted), 0)


def after(items: Sequence[ListItem], wanted: str, step: int) -> str:
    """Return the item so many after the chosen one, round and round."""
    return items[(chosen(items, wanted) + step) % len(items)].id if items else ""


def along(items: Sequence[ListItem], wanted: str, key: str) -> str:
    """Return the item to which a key leads from the chosen one; empty for any other key.

    The arrows go round and round, and the keys of pages stop at the ends.
    """
    if key in ("up", "down"):
        return after(items, wanted, 1 if key == "down" else -1)
    at, last = chosen(items, wanted), len(items) - 1
    to = {"home": 0, "end": last, "pageup": max(0, at - PAGE), "pagedown": min(last, at + PAGE)}
    return items[to[key]].id if items and key in to else ""


def list_items(
    canvas: Canvas, rect: Rect, items: Sequence[ListItem], wanted: str, column: int = 0
) -> None:
    """Draw items, the chosen one marked, with their `about` from a column on.

    If not all items have room, the chosen one is scrolled into sight.
    """
    place = chosen(items, wanted) if any(item.id == wanted for item in items) else -1
    first = max(0, min(place - rect.height + 1, len(items) - rect.height))
    for row, item in enumerate(items[first : first + rect.height]):
        y, here = rect.y + row, first + row == place
        if here:
            canvas.fill(Rect(rect.x, y, rect.width, 1), "choice")
        canvas.write(rect.x, y, ("▶" if here else " "), "choice" if here else "")
        wide = min(column or rect.width, rect.width) - 2
        canvas.write(rect.x + 2, y, item.text, "choice" if here else "", wide)
        if item.about and column:
            canvas.write(
                rect.x + column + 1,
                y,
                item.about,
                "choice" if here else "dim",
                rect.width - column - 2,
            )
    if first + rect.height < len(items):
        canvas.write(rect.right - 1, rect.bottom - 1, "▼", "dim")
    if first > 0:
        canvas.write(rect.right - 1, rect.y, "▲", "dim")


def paragraph(canvas: Canvas, rect: Rect, text: str, style: str = "") -> int:
    """Write text over as many lines as it needs and there are; return the row below it."""
    y = rect.y
    for line in wrapped(text, rect.width):
        if y >= rect.bottom:
            break
        canvas.write(rect.x, y, line, style, rect.width)
        y += 1
    return y


def title_line(canvas: Canvas, title: str, about: str, right: str = "") -> None:
    """Draw the first line of a page."""
    canvas.fill(Rect(0, 0, canvas.width, 1), "title")
    begin = (
        canvas.flush_right(Rect(0, 0, canvas.width - 1, 1), 0, right, "title")
        if right
        else canvas.width
    )
    canvas.write(1, 0, f"{title}   {about}" if about else title, "title", max(0, begin - 3))


def foot_line(canvas: Canvas, shown: Sequence[tuple[str, str]], notice: str = "") -> None:
    """Draw the last line of a page: the keys with their effects. A notice stands above it.

    If the keys have no room in one line, they take two. The notice stays until the next key, and
    takes as many lines as it needs.
    """
    top = foot_top(canvas, shown)
    canvas.fill(Rect(0, top, canvas.width, canvas.height - top), "foot")
    if notice:
        found = wrapped(notice, canvas.width - 2)
        for row, line in enumerate(found, top - len(found)):
            canvas.fill(Rect(0, row, canvas.width, 1), "foot")
            canvas.write(1, row, line, "foot warn", canvas.width - 2)
    for y, keys in enumerate(_foot_rows(canvas, shown), top):
        x = 1
        for key, about in keys:
            said = [("foot key", key), ("foot", f" {about}" if about else "")]
            x = canvas.write(x, y, said) + 2


def clear_foot(canvas: Canvas) -> None:
    """Take away the keys of a page, and its notice, below a sheet that has its own."""
    for y, row in reversed([*enumerate(canvas.rows())]):
        if not all(style.startswith("foot") for style, _text in row):
            return
        canvas.fill(Rect(0, y, canvas.width, 1), "")


def foot_top(canvas: Canvas, shown: Sequence[tuple[str, str]]) -> int:
    """Return the row in which the keys of a page begin: the page itself has the rows above."""
    return canvas.height - len(_foot_rows(canvas, shown))


def _foot_rows(canvas: Canvas, shown: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Return keys in the rows that they need; at least one row."""
    rows: list[list[tuple[str, str]]] = [[]]
    for item in shown:
        line = "  ".join(f"{key} {about}".rstrip() for key, about in [*rows[-1], item])
        if rows[-1] and 1 + columns_of(line) > canvas.width:
            rows.append([])
        rows[-1].append(item)
    return rows
