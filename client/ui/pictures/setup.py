"""Table setup as a picture: the seats, the invite and the terms."""

from __future__ import annotations

from client.session.messages import LobbySeat
from client.ui.drawing.picture import Area, Panel, Row, Span, Words
from client.ui.games import title_of
from client.ui.model import Model
from client.ui.pictures.page import framed
from client.ui.pictures.parts import (
    GAP,
    PADDING,
    Parts,
    centred,
    heading_of,
    list_height,
    stacked,
    text_height,
    words,
)
from client.ui.screen import table_setup
from client.ui.screen.state import ScreenState
from engine.core.moves import Seat

WHOLE = 10_000
"""Columns into which an invite goes unbroken: the page breaks it where it must."""
NICK = 40
"""Columns of a nick."""


def parts(state: ScreenState, area: Area) -> Parts:
    """Return the seats, and below them what is waited for."""
    model = state.match
    rows = tuple(_seat(model, seat, player) for seat, player in enumerate(model.players))
    said = table_setup.said(state, WHOLE)
    lines = tuple(words(text, style) for text, style in said)

    def panels(space: Area) -> list[Panel]:
        middle = centred(space)
        title = table_setup.title()
        seats = list_height(rows, middle.width, title)
        about = (
            text_height([text for text, _style in said], middle.width)
            + len(said) * GAP
            + 2 * PADDING
        )
        above, below = stacked(middle, [seats, about])
        return [
            Panel("seats", "list", above, words(title), rows=rows),
            Panel("about", "prose", below, lines=lines),
        ]

    heading = heading_of(title_of(model.game), model.table)
    return framed(state, area, heading, table_setup.keys(state), panels)


def _seat(model: Model, seat: Seat, player: LobbySeat | None) -> Row:
    """Return a seat: its number, its player, and our knowledge of the player."""
    number = Span(f"{seat + 1} ", "dim")
    if player is None:
        return Row(f"seat:{seat}", (number, Span(table_setup.free(), "dim")))
    name = Span(model.names.short(seat, NICK), table_setup.name_style(model, seat, player))
    beside, style = table_setup.beside_name(model, seat, player)
    about: Words = (Span(beside, style),)
    if known := table_setup.known_as(player):
        mark = (Span("  ✓", "good"),) if player.trust == "trusted" else (Span(" "),)
        about = (*about, *mark, Span(f" {known}", "dim"))
    return Row(f"seat:{seat}", (number, name), about)
