"""Shared parts of pages: the first line, the last line, lists with a chosen item, paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from client.ui.drawing.canvas import Canvas, Rect, Text, columns_of
from client.ui.wrap import wrapped

SPACIOUS, SIDE = 104, 36
"""Columns from which remarks stand beside a table, not below it, and those that they take."""
PAGE = 10
"""Items of a list by which the keys of pages move."""
SPARE = ("F3", "F2", "F1", "?")
"""Keys of every page, the first to give way in the last line; a menu or another page has their
effects too."""


def columns_beside(canvas: Canvas) -> int:
    """Return how many columns the remarks beside a table take; 0 where they stand below it."""
    return SIDE if canvas.width >= SPACIOUS else 0


@dataclass(frozen=True)
class Item:
    """An entry of a list to choose from: its id, its text, and the text beside it."""

    id: str
    text: Text
    about: str = ""


def apart(text: Text) -> str:
    """Return text with a sign between its parts.

    On the full screen, two spaces stand between the parts.
    """
    return " · ".join(part for part in str(text).split("  ") if part)


def chosen(items: Sequence[Item], wanted: str) -> int:
    """Return the place of the chosen item; where it is gone, or none is chosen, the first."""
    return next((place for place, item in enumerate(items) if item.id == wanted), 0)


def after(items: Sequence[Item], wanted: str, step: int) -> str:
    """Return the item so many after the chosen one, round and round."""
    return items[(chosen(items, wanted) + step) % len(items)].id if items else ""


def along(items: Sequence[Item], wanted: str, key: str) -> str:
    """Return the item to which a key leads from the chosen one; empty for any other key.

    The arrows go round and round, and the keys of pages stop at the ends.
    """
    if key in ("up", "down"):
        return after(items, wanted, 1 if key == "down" else -1)
    at, last = chosen(items, wanted), len(items) - 1
    to = {"home": 0, "end": last, "pageup": max(0, at - PAGE), "pagedown": min(last, at + PAGE)}
    return items[to[key]].id if items and key in to else ""


def list_items(
    canvas: Canvas, rect: Rect, items: Sequence[Item], wanted: str, column: int = 0
) -> None:
    """Draw items, the chosen one marked, with their `about` from a column on.

    Where not all items have room, the chosen one is scrolled into sight.
    """
    place = chosen(items, wanted) if any(item.id == wanted for item in items) else -1
    first = max(0, min(place - rect.height + 1, len(items) - rect.height))
    for row, item in enumerate(items[first : first + rect.height]):
        y, here = rect.y + row, first + row == place
        if here:
            canvas.fill(Rect(rect.x, y, rect.width, 1), "choice")
        canvas.write(rect.x, y, ("▶" if here else " "), "choice" if here else "")
        wide = (column or rect.width) - 2
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


def foot_line(canvas: Canvas, shown: list[tuple[str, str]], notice: str = "") -> None:
    """Draw the last line of a page: the keys with their effects. A notice stands above it.

    The notice stays until the next key, and takes as many lines as it needs.

    Where not all have room, first the keys of every page give way; then, from the right, others
    lose their effect, and at last their place. The last key leads to everything else, and stays.
    """
    canvas.fill(Rect(0, canvas.height - 1, canvas.width, 1), "foot")
    if notice:
        found = wrapped(notice, canvas.width - 2)
        for row, line in enumerate(found, canvas.height - 1 - len(found)):
            canvas.fill(Rect(0, row, canvas.width, 1), "foot")
            canvas.write(1, row, line, "foot warn", canvas.width - 2)
    x = 1
    for spare in SPARE:
        if not fits(canvas, shown):
            shown = [item for item in shown[:-1] if item[0] != spare] + shown[-1:]
    for place in range(len(shown) - 2, -1, -1):
        if not fits(canvas, shown):
            shown = [*shown[:place], (shown[place][0], ""), *shown[place + 1 :]]
    while len(shown) > 1 and not fits(canvas, shown):
        shown = [*shown[:-2], shown[-1]]
    for key, about in shown:
        x = (
            canvas.write(
                x, canvas.height - 1, [("foot key", key), ("foot", f" {about}" if about else "")]
            )
            + 2
        )


def fits(canvas: Canvas, shown: Sequence[tuple[str, str]]) -> bool:
    """Whether keys have room in the last line, all with their effects."""
    return 1 + columns_of(_in_a_line(shown)) <= canvas.width


def _in_a_line(shown: Sequence[tuple[str, str]]) -> str:
    return "  ".join(f"{key} {about}".rstrip() for key, about in shown)
