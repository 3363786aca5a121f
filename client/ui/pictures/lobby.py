"""The lobby as a picture: the tables of this network, and the games with everything else."""

from __future__ import annotations

from client.ui.drawing.picture import Area, Panel, Row, Span
from client.ui.pictures.page import apart, choose, framed, row_id
from client.ui.pictures.parts import (
    GAP,
    TWO_COLUMNS,
    Parts,
    beside,
    centred,
    heading_of,
    list_height,
    stacked,
    words,
)
from client.ui.screen import lobby
from client.ui.screen.parts import Item
from client.ui.screen.state import ScreenState

NARROW = 600
"""Pixels of a window from which on everything in it is explained, not only the chosen item. In a
narrower one a table or a match is explained only if it is the only one."""


def parts(state: ScreenState, area: Area) -> Parts:
    """Return the two lists: one below the other, or beside each other where there is room."""
    wanted = lobby.cursor(state)
    narrow = area.width < NARROW
    here = lobby.people(state)
    near = [_person(state, item, wanted, short=narrow and len(here) > 1) for item in here]
    alone = [_action(state, item, wanted, short=narrow) for item in lobby.here(short=narrow)]
    score = lobby.nick(state) if narrow else lobby.ourselves(state)

    def panels(space: Area) -> list[Panel]:
        return _panels(state, near, alone, space)

    return framed(
        state, area, heading_of("Sobremesa"), lobby.keys(state), panels, words(score, "dim")
    )


def _panels(state: ScreenState, near: list[Row], alone: list[Row], space: Area) -> list[Panel]:
    titles, why = lobby.titles(), lobby.nobody(state)
    lines = (words(why, "dim"),) if why else ()
    wide = space.width + 2 * GAP >= TWO_COLUMNS
    places = beside(space) if wide else [centred(space)] * 2
    heights = [
        list_height(near, places[0].width, titles[0], lines),
        list_height(alone, places[1].width, titles[1]),
    ]
    if not wide:  # the games are to be seen too
        heights[0] = min(heights[0], max(space.height // 2, space.height - heights[1] - GAP))
    columns = [stacked(place, [height])[0] for place, height in zip(places, heights, strict=True)]
    areas = columns if wide else stacked(places[0], heights)
    return [
        Panel("tables", "list", areas[0], words(titles[0]), lines=lines, rows=tuple(near)),
        Panel("games", "list", areas[1], words(titles[1]), rows=tuple(alone)),
    ]


def _person(state: ScreenState, item: Item, wanted: str, *, short: bool) -> Row:
    """Return a match that waits for us, or a table; unless `short`, the chosen one is explained."""
    here = item.id == wanted
    about = [item.about, *(lobby.meaning(state, item.id) if here and not short else ())]
    return Row(
        row_id(item.id),
        words(apart(item.text)),
        words(apart("  ".join(about)), "dim"),
        here,
        choose(item.id, "enter"),
    )


def _action(state: ScreenState, item: Item, wanted: str, *, short: bool) -> Row:
    """Return a game or another action: its key, its name, its meaning.

    With `short`, a game that is not chosen shows its players instead of its meaning.
    """
    key, _space, name = str(item.text).partition(" ")
    here = item.id == wanted
    about = item.about if short and not here else " ".join(lobby.meaning(state, item.id))
    return Row(
        row_id(item.id),
        (Span(key, "key"), Span(f" {name}")),
        words(about, "dim"),
        here,
        choose(item.id, "enter"),
    )
