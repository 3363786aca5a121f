"""The parts of a picture that a page or a sheet gives, their shared sizes, and their assembly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from client.ui.drawing.canvas import columns_of
from client.ui.drawing.picture import Area, Control, Entry, Panel, Picture, Row, Span, Text, Words
from client.ui.wrap import wrapped
from engine.core.dataclass import dataclass

HEAD = 48
"""Pixels from the top that the heading has."""
GAP = 8
"""Pixels between two things, and between them and the edge of the window."""
WIDEST = 760
"""Pixels that a panel is wide at most, so that its lines can be read."""
TWO_COLUMNS = 960
"""Pixels from which on two panels stand beside each other."""
LINE = 23
"""Pixels of a line of text of 16 pixels."""
LETTER = 9
"""Pixels of a column of that text, generously: nothing measures it before the page does."""
PER_EM = 0.56
"""The width of a column of text, in shares of its size, about."""
ROW = 44
"""Pixels of an item of a list, at least: a finger needs them."""
IN_ROW, STEPS = 20, 100
"""Pixels beside the text of an item, and of the two buttons of one that has values."""
BUTTON, BUTTON_GAP, BUTTON_LETTER = 44, 6, 9
"""Pixels of a button's height, of the space between two, and of a column of its text."""
PHONE = 480
"""Pixels of a window up to which a button shows its key only where that is a sign: such windows are
touched."""
PADDING = 16
"""Pixels between a panel's edge and its text, on either side."""
NOTICE, BOLD = 12, 0.9
"""Pixels that a notice has less than a panel's text, and the share of text in its bold letters."""
INSIDE, IN_KEY, IN_PHONE = 15, 14, 18
"""The same for a button; for both sides of the frame of its key; and for both sides of a button on
a phone."""
TITLE = 32
"""Pixels of a panel's title."""


@dataclass(frozen=True)
class Parts:
    """A page or a sheet, as far as it goes into a picture; the fields are those of `Picture`."""

    heading: Words = ()
    score: Words = ()
    texts: tuple[Text, ...] = ()
    panels: tuple[Panel, ...] = ()
    controls: tuple[Control, ...] = ()
    notice: str = ""
    entry: Entry | None = None
    bar: int = 0
    head: int = HEAD


def words(text: str, style: str = "") -> Words:
    """Return text of one style; nothing for no text."""
    return (Span(text, style),) if text else ()


def heading_of(title: str, about: str = "") -> Words:
    """Return the first line of a page: its title, and its subject."""
    return (Span(title, "strong"), *words(f"  {about}" if about else "", "dim"))


def text_of(line: Words) -> str:
    """Return a line without its styles."""
    return "".join(span.text for span in line)


def bar_height(
    controls: Iterable[Control], area: Area, notice: str = "", entry: Entry | None = None
) -> int:
    """Return the pixels that buttons, a notice and a line being typed need at the bottom.

    They are at most half of the window.
    """
    said = [line for line in ((entry.label, entry.hint) if entry else ()) if line]
    bold = [notice] if notice else []
    typed = ROW + 2 * GAP if entry else 0
    return min(
        area.height // 2,
        rows_of(controls, area) * (BUTTON + BUTTON_GAP)
        + GAP
        + text_height(said, area.width - NOTICE)
        + text_height(bold, int((area.width - NOTICE) * BOLD))
        + typed,
    )


def rows_of(controls: Iterable[Control], area: Area) -> int:
    """Return the rows that buttons need, about."""
    rows, x = 1, GAP
    for control in controls:
        wide = _button_width(control, area.width) + BUTTON_GAP
        if x > GAP and x + wide > area.width - GAP:
            rows, x = rows + 1, GAP
        x += wide
    return rows


def _button_width(control: Control, window: int) -> int:
    """Return about how many pixels a button is wide."""
    phone = window <= PHONE
    text = columns_of(control.label) * BUTTON_LETTER
    if not phone or not control.label or control.sign:
        text += columns_of(control.key) * BUTTON_LETTER + IN_KEY
    return max(BUTTON, int(text) + (IN_PHONE if phone else 2 * INSIDE))


def text_height(lines: Iterable[str], width: int) -> int:
    """Return about how many pixels lines of text need, in a box of this width."""
    columns = max(1, (width - 2 * PADDING) // LETTER)
    return LINE * sum(len(wrapped(line, columns)) for line in lines)


def list_height(
    rows: Iterable[Row], width: int, title: str = "", lines: Iterable[Words] = ()
) -> int:
    """Return about how many pixels a panel with a list needs."""
    above = text_height(map(text_of, lines), width) + (TITLE if title else 0)
    return above + sum(_row_height(row, width) for row in rows) + PADDING


def _row_height(row: Row, width: int) -> int:
    """Return about how many pixels an item needs.

    Its two texts stand in one line, or below each other.
    """
    space = width - IN_ROW - (STEPS if row.less or row.more else 0)
    texts = [text_of(row.words), *([text_of(row.about)] if row.about else [])]
    if text_height(["  ".join(texts)], space) <= LINE:
        return ROW
    return max(ROW, text_height(texts, space) + 8)


def body(area: Area, head: int, bar: int) -> Area:
    """Return the part of a window between its heading and its buttons, without the margins."""
    return Area(
        area.x + GAP,
        area.y + head + GAP,
        max(0, area.width - 2 * GAP),
        max(0, area.height - head - bar - 2 * GAP),
    )


def centred(area: Area, width: int = WIDEST) -> Area:
    """Return the middle of an area, at most so wide."""
    wide = min(width, area.width)
    return Area(area.x + (area.width - wide) // 2, area.y, wide, area.height)


def stacked(area: Area, heights: Iterable[int]) -> list[Area]:
    """Return areas below one another, each as high as it needs.

    Where that is too much, the highest gets less and scrolls.
    """
    wanted = list(heights)
    space = max(0, area.height - GAP * (len(wanted) - 1))
    given = _shared(wanted, space)
    found, y = [], area.y
    for height in given:
        found.append(
            Area(area.x, min(y, area.bottom), area.width, min(height, max(0, area.bottom - y)))
        )
        y += height + GAP
    return found


def beside(area: Area, count: int = 2) -> list[Area]:
    """Return areas of one width beside each other, in the middle."""
    wide = min(WIDEST, (area.width - GAP * (count - 1)) // count)
    x = area.x + (area.width - wide * count - GAP * (count - 1)) // 2
    return [Area(x + place * (wide + GAP), area.y, wide, area.height) for place in range(count)]


def _shared(wanted: list[int], space: int) -> list[int]:
    """Share space: small wishes are met, the others get the same of the rest."""
    given, left = [0] * len(wanted), space
    for done, place in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        given[place] = min(wanted[place], left // (len(wanted) - done))
        left -= given[place]
    return given


def together(page: str, title: str, window: Area, below: Parts, above: Parts | None) -> Picture:
    """Return the picture of a page with the sheet above it, if there is one.

    With a sheet, the buttons and the notice are the sheet's.
    """
    top = above or below
    return Picture(
        window.width,
        window.height,
        page,
        title,
        heading=below.heading,
        score=below.score,
        texts=below.texts + (above.texts if above else ()),
        panels=below.panels + (above.panels if above else ()),
        controls=top.controls,
        notice=top.notice,
        entry=top.entry,
        bar=top.bar,
        head=below.head,
    )


def inert(panel: Panel) -> Panel:
    """Return a panel that is only to be read.

    Its keys mean nothing while a line is being typed, or while something is waited for.
    """
    return replace(panel, rows=tuple(replace(row, keys=(), less=(), more=()) for row in panel.rows))
