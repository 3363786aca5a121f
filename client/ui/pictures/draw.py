"""The picture of a screen state: the page or the table, the sheet above it, the buttons below."""

from __future__ import annotations

from dataclasses import replace

from client.ui.drawing.canvas import columns_of
from client.ui.drawing.picture import Area, Picture, Piece, Span, Words
from client.ui.pictures import table
from client.ui.pictures.pages import page_parts
from client.ui.pictures.parts import HEAD, LETTER, Parts, bar_height, text_of, together
from client.ui.pictures.sheets import sheet_parts
from client.ui.screen import pages
from client.ui.screen.history import at_step
from client.ui.screen.state import Page, ScreenState

TWO_LINES = 54
"""Pixels of the heading of a table, where the score stands below it: always in a narrow window, so
that nothing jumps."""
ANNOUNCED = 12
"""Lines of the plain face that go with a picture."""


def picture_of(state: ScreenState, width: int, height: int) -> Picture:
    """Return what is to be seen in a window of so many CSS pixels."""
    window = Area(0, 0, width, height)
    title = pages.title(state)
    above = sheet_parts(state, window)
    if state.page not in (Page.PLAY, Page.REPLAY):
        found = together(state.page.value, title, window, page_parts(state, window), above)
        return replace(found, announce=tuple(line for line in (found.notice,) if line))
    shown = state
    round_it = Parts()
    if state.page is Page.REPLAY:
        shown = at_step(state)
        if width >= table.WIDE:  # there is room for all that came before
            before = [line for _model, told in state.steps[: state.step] for line in told]
            shown = replace(shown, log=(*before, *shown.log))
        round_it = page_parts(state, window)
    return _table(shown, window, title, round_it, above)


def table_alone(state: ScreenState, width: int, height: int) -> Picture:
    """Return the table without buttons, as a page shows it that has its own."""
    heading, score, head = _heading(state, width)
    below = table.SAID if width < table.WIDE and height >= table.LOW else 0
    tabled = table.table(state, Area(0, head, width, max(1, height - head - below)), below)
    drawn = tabled.drawn
    return Picture(
        width,
        height,
        state.page.value,
        pages.title(state),
        heading,
        score,
        drawn.pieces,
        drawn.texts,
        drawn.panels,
        call=tabled.call,
        origin=tabled.origin,
        head=head,
    )


def _heading(state: ScreenState, width: int) -> tuple[Words, Words, int]:
    """Return the first line of a table, the score, and the pixels that both take.

    Without a score, the deal takes its line.
    """
    heading, score = table.heading(state)
    if width >= table.WIDE and columns_of(text_of(heading) + text_of(score)) * LETTER < width - 100:
        return heading, score, HEAD
    if not score:
        heading, score = (
            heading[:1],
            tuple(Span(span.text.strip(), span.style) for span in heading[1:]),
        )
    return heading, score, TWO_LINES


def _at_rest(piece: Piece) -> Piece:
    """Return a piece that cannot be clicked now, and does not look as if it could."""
    return replace(
        piece, keys=(), state=" ".join(word for word in piece.state.split() if word != "legal")
    )


def _table(
    state: ScreenState, window: Area, title: str, round_it: Parts, above: Parts | None
) -> Picture:
    """Return the picture of a table.

    A card or a stock that is clicked has a button too, because a lesson or a hint uses the button's
    name.
    """
    heading, score, head = _heading(state, window.width)
    notice = round_it.notice or state.busy or state.notice
    buttons = round_it.controls or table.buttons(state, window)
    bar = bar_height(buttons, window, notice)
    foot = table.foot(window, lesson=state.match.lesson)
    space = max(bar_height(buttons, window), foot)
    if round_it.controls and window.height >= table.LOW and window.width < table.WIDE:
        # for the latest lines of the step
        space = max(space, bar + table.SAID + 3 * table.SAID_LINE)
    aside = None
    if above is not None:  # it covers the table, which stays where it is
        bar = above.bar
    elif bar > space:
        bar, aside = bar_height(buttons, window), table.aside(window, head, notice)
    tabled = table.table(
        state, Area(0, head, window.width, max(1, window.height - head - space)), space - bar
    )
    drawn = tabled.drawn
    below = Parts(heading, score, drawn.texts, drawn.panels, buttons, notice, bar=bar, head=head)
    # a key that a card presses would be typed, or go to the sheet
    if state.typed is not None or above is not None:
        drawn = replace(drawn, pieces=tuple(_at_rest(piece) for piece in drawn.pieces))
    found = together(state.page.value, title, window, below, above)
    return replace(
        found,
        aside=aside,
        pieces=drawn.pieces,
        call=tabled.call,
        origin=tabled.origin,
        announce=state.log[-ANNOUNCED:],
        bar=bar,
    )
