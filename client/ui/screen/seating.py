"""The sheets on which the host of a table that fills arranges the seats, or has them drawn."""

from __future__ import annotations

from dataclasses import replace

from client.i18n.translation import _
from client.session.messages import Arrange, Command
from client.ui.model import MatchPhase, Model
from client.ui.screen.parts import ListItem
from client.ui.screen.state import Overlay, ScreenState
from client.ui.seats import changed, partners_line
from engine.core.moves import Seat

LOT = "lot"
Result = tuple[ScreenState, tuple[Command, ...]]


def may_arrange(model: Model) -> bool:
    """Whether our player arranges the seats: of our own table, while it waits for us to begin."""
    filling = model.phase is MatchPhase.LOBBY
    return filling and model.hosting and model.held and len(model.players) > 2


def sheet() -> Overlay:
    """Return the sheet with all seats."""
    return Overlay("seats", _("The seats at this table"))


def lines(model: Model, overlay: Overlay) -> tuple[str, ...]:
    """Return what stands above the seats."""
    if overlay.kind == "swap":
        return (_("Which seat changes places with this one?"),)
    partners = partners_line(model)
    lot = _("A draw by your program cannot be checked by the others.")
    return (*([partners] if partners else []), _("Choose a seat, then another."), lot)


def items(model: Model, overlay: Overlay) -> list[ListItem]:
    """Return the seats to choose from, and the lot; the key of a seat is always its number."""
    found = [
        ListItem(f"seat-{seat + 1}", f"{seat + 1}  {_called(model, seat)}")
        for seat in range(len(model.players))
    ]
    if overlay.kind == "swap":
        return found
    return [*found, ListItem(LOT, _("Draw all seats by lot"))]


def chosen(state: ScreenState, overlay: Overlay, choice: str) -> Result:
    """Ask for the second seat of two that change places; or let them change, or draw all."""
    back = replace(state, overlay=sheet())
    if choice == LOT:
        return back, (Arrange(),)
    seat = int(choice.removeprefix("seat-")) - 1
    if overlay.kind == "seats":
        title = f"{seat + 1}  {_called(state.match, seat)}"
        return replace(state, overlay=Overlay("swap", title, cursor=seat, about=seat)), ()
    if seat == overlay.about:
        return back, ()
    order = changed(len(state.match.players), overlay.about, seat)
    return back, (Arrange(order),)


def still(overlay: Overlay | None, before: Model, after: Model) -> Overlay | None:
    """Return the sheet after a change of the table: a chosen seat may have another player now."""
    if overlay is None or overlay.kind not in ("seats", "swap"):
        return overlay
    if not may_arrange(after):
        return None
    return sheet() if before.players != after.players else overlay


def _called(model: Model, seat: Seat) -> str:
    return str(model.names[seat]) if model.players[seat] else _("a free seat")
