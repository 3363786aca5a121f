"""The form for a new table: fields with the buttons for their values, and one field's meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from client.i18n.translation import _
from client.ui.drawing.picture import Area, Panel, Row, Words
from client.ui.games import title_of, words_of
from client.ui.pictures.page import choose, framed, row_id
from client.ui.pictures.parts import (
    GAP,
    LINE,
    PADDING,
    TWO_COLUMNS,
    Parts,
    beside,
    centred,
    heading_of,
    list_height,
    words,
)
from client.ui.screen import opening
from client.ui.screen.parts import Item
from client.ui.screen.state import ScreenState

ABOUT = 7 * LINE + PADDING
"""Pixels of the meaning of a field, below the fields: those of the longest meanings."""


def new_table(state: ScreenState, area: Area) -> Parts:
    """Return the form: its fields, the meaning of the chosen one, and the price of leaving."""
    form, wanted = state.form, state.chosen or "game"
    rows = [
        _field(item, wanted, typed="right" if item.id == "table" else "")
        for item in opening.items(form)
    ]
    why = opening.options_of(form)[1]
    said = [
        words(opening.explanation(form, wanted)),
        words(why, "bad"),
        words(_(words_of(form.game).leaving), "dim"),
    ]
    heading = heading_of(opening.heading(), title_of(form.game))
    return framed(
        state, area, heading, opening.keys(state), lambda space: _panels(rows, said, space)
    )


def _field(item: Item, wanted: str, typed: str) -> Row:
    """Return a field with buttons for the value before and the next one.

    A field that is typed has the key that begins it instead.
    """
    about, here = words(item.about, "strong"), item.id == wanted
    if typed:
        return Row(row_id(item.id), words(str(item.text)), about, here, choose(item.id, typed))
    keys, less, more = choose(item.id), choose(item.id, "left"), choose(item.id, "right")
    return Row(row_id(item.id), words(str(item.text)), about, here, keys, less, more)


def _panels(rows: Sequence[Row], said: Sequence[Words], space: Area) -> list[Panel]:
    """Lay out the fields and the text below one another, or side by side if there is room.

    The text has the same space whatever it says, so that no field moves under a finger.
    """
    lines = tuple(line for line in said if line)
    wide = space.width + 2 * GAP >= TWO_COLUMNS
    places = beside(space) if wide else [centred(space)] * 2
    about = space.height if wide else min(ABOUT, space.height // 2)
    room = space.height if wide else space.height - about - GAP
    fields = min(list_height(rows, places[0].width), max(0, room))
    below = 0 if wide else fields + GAP
    about = min(about, max(0, space.height - below))
    return [
        Panel("fields", "list", replace(places[0], height=fields), rows=tuple(rows)),
        Panel(
            "about",
            "prose",
            replace(places[1], y=space.y + below, height=about),
            lines=lines,
        ),
    ]
