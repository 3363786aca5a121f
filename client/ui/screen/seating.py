"""The sheets on which the host of a table that fills arranges the seats, or has them drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from client.i18n.translation import _
from client.session.messages import Arrange
from client.ui.model import MatchPhase, Model
from client.ui.screen.parts import ListItem
from client.ui.screen.state import Overlay, Result, ScreenState
from client.ui.seats import changed, partners_line
from engine.core.moves import Seat

LOT = "lot"


def may_arrange(model: Model) -> bool:
    """Whether our player arranges the seats: of our own table, while it waits for us to begin."""
    filling = model.phase is MatchPhase.LOBBY
    return filling and model.lobby.hosting and model.lobby.held and len(model.players) > 2


class SeatsSheet(Overlay):
    """All seats: one is chosen, and then the seat with which it changes places; or all are drawn.

    The key of a seat is always its number.
    """

    NAME = "seats"

    def items(self, state: ScreenState) -> list[ListItem]:
        return [*_seats(state.match), ListItem(LOT, _("Draw all seats by lot"))]

    def now(self, state: ScreenState) -> Overlay:
        """Return the sheet with the partners of now."""
        partners = partners_line(state.match)
        lot = _("If you draw lots here, the others cannot check the draw.")
        lines = (
            *([partners] if partners else []),
            _("Choose a seat, then another: they swap."),
            lot,
        )
        return replace(self, lines=lines)

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        """Return the sheet; a chosen seat may have another player now."""
        if not may_arrange(state.match):
            return None
        return sheet() if before.match.players != state.match.players else self

    def chosen(self, state: ScreenState, choice: str) -> Result:
        """Ask for the second seat of two that change places, or draw all."""
        if choice == LOT:
            return replace(state, overlay=sheet()), (Arrange(),)
        seat = _seat(choice)
        title = _("Move {name}").format(name=_called(state.match, seat))
        lines = (_("Swap with which seat?"),)
        return replace(state, overlay=SwapSheet(title, lines, cursor=seat, seat=seat)), ()


@dataclass(frozen=True)
class SwapSheet(SeatsSheet):
    """The seats of which one changes places with another."""

    NAME = "swap"
    seat: Seat = 0
    """The seat that was chosen first."""

    def items(self, state: ScreenState) -> list[ListItem]:
        return _seats(state.match)

    def now(self, state: ScreenState) -> Overlay:
        return self

    def chosen(self, state: ScreenState, choice: str) -> Result:
        """Let both change places; the first one again is a change of mind."""
        other, back = _seat(choice), replace(state, overlay=sheet())
        if other == self.seat:
            return back, ()
        return back, (Arrange(changed(len(state.match.players), self.seat, other)),)


def sheet() -> Overlay:
    """Return the sheet with all seats."""
    return SeatsSheet(_("The seats at this table"))


def _seats(model: Model) -> list[ListItem]:
    return [
        ListItem(f"seat-{seat + 1}", f"{seat + 1}  {_called(model, seat)}")
        for seat in range(len(model.players))
    ]


def _seat(choice: str) -> Seat:
    return int(choice.removeprefix("seat-")) - 1


def _called(model: Model, seat: Seat) -> str:
    return str(model.names[seat]) if model.players[seat] else _("a free seat")
