"""The match history as a picture, and the buttons of a match that is stepped through."""

from __future__ import annotations

from dataclasses import replace

from client.ui.drawing.picture import Area, Control, Panel, Row, Words
from client.ui.pictures.controls import controls
from client.ui.pictures.page import apart, choose, framed, row_id
from client.ui.pictures.parts import (
    GAP,
    PADDING,
    TWO_COLUMNS,
    Parts,
    bar_height,
    beside,
    centred,
    heading_of,
    list_height,
    stacked,
    text_height,
    words,
)
from client.ui.pictures.plots import HEIGHT, low_height, plot_height, score_plot
from client.ui.screen import history
from client.ui.screen.parts import Item
from client.ui.screen.parts import chosen as place_of
from client.ui.screen.state import ScreenState

PLOT_SPACE = 460
"""Pixels of the height below which a plot has no room under the list and the facts of a match."""


def parts(state: ScreenState, area: Area) -> Parts:
    """Return the past matches, the newest first."""
    items = history.items(state)
    rows = [
        _match(item, here=place == place_of(items, state.chosen))
        for place, item in enumerate(items)
    ]
    none: tuple[Words, ...] = () if items else (words(history.none(), "dim"),)
    chosen = history.chosen_match(state)
    facts, about = chosen.facts if chosen is not None else None, history.about(state)

    def panels(space: Area) -> list[Panel]:
        """Lay out the list, and the facts of the chosen match beside or below it.

        The plot of the match is lower in a narrow window, and is left out of a low one.
        """
        wide = bool(about) and space.width + 2 * GAP >= TWO_COLUMNS
        left, right = beside(space) if wide else [centred(space)] * 2
        heights = [list_height(rows, left.width, lines=none)]
        known = [text_height(about, right.width) + 2 * PADDING] if about else []
        seen = facts is not None and (wide or space.height >= PLOT_SPACE)
        high = HEIGHT if wide or facts is None else low_height(facts)
        plot = score_plot(facts, right.width, high) if seen else ""
        known += [plot_height(right.width, high) + 2 * PADDING] if plot else []
        areas = (
            [*stacked(left, heights), *stacked(right, known)]
            if wide
            else stacked(left, [*heights, *known])
        )
        found = [Panel("matches", "list", areas[0], lines=none, rows=tuple(rows))]
        found += [
            Panel("about", "prose", area, lines=tuple(words(line) for line in about))
            for area in areas[1:2]
        ]
        return found + [Panel("score", "prose", area, svg=plot) for area in areas[2:]]

    return framed(
        state,
        area,
        heading_of(history.title()),
        history.keys(state),
        panels,
        words(history.reading(state), "dim"),
    )


def replay(state: ScreenState, area: Area) -> Parts:
    """Return the parts round the table of a match that is stepped through.

    The table is drawn as in a match.
    """
    buttons = replay_controls(state)
    step = state.busy or f"{history.title()} · {history.step_of(state)}"
    return Parts(controls=buttons, notice=state.notice or step, bar=bar_height(buttons, area, step))


def replay_controls(state: ScreenState) -> tuple[Control, ...]:
    """Return the buttons that go to another step, and back to the list.

    Those that lead nowhere are off.

    They are the keys of the last line; how far each goes stands on it in figures, which a narrow
    window has room for.
    """
    last = len(state.steps)
    figures = {
        "home": "1",
        "pageup": "−10",
        "left": "−1",
        "right": "+1",
        "pagedown": "+10",
        "end": str(last),
    }
    off = (
        {"home", "pageup", "left"}
        if state.step <= 0
        else {"right", "pagedown", "end"}
        if state.step + 1 >= last
        else set()
    )
    found = {
        control.keys[0]: control for control in controls(history.step_keys(state), cursor=False)
    }
    steps = [
        replace(found[key], label=label, enabled=key not in off)
        for key, label in figures.items()
        if key in found
    ]
    return (*steps, *(control for key, control in found.items() if key not in figures))


def _match(item: Item, *, here: bool) -> Row:
    """Return a past match: a click only chooses it, because it can be deleted too."""
    about = words(item.about, "dim")
    return Row(row_id(item.id), words(apart(item.text)), about, here, choose(item.id))
