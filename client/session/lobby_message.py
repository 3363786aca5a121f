"""The message that shows a table that is filling, or that waits for signatures."""

from __future__ import annotations

from collections.abc import Sequence

from client.session.messages import Lobby, LobbySeat
from client.session.setup_rules import LocalPlayer
from engine.core.moves import Seat
from p2p.table.lobby import Draft
from p2p.table.terms import Terms


def lobby_message(
    of: Draft | Terms,
    local_players: Sequence[LocalPlayer],
    away: frozenset[Seat] = frozenset(),
    *,
    hosting: bool,
    held: bool,
) -> Lobby:
    """Return the message about a table, or about terms that not all have signed.

    `local_players` are ours; the seats `away` have no link.
    """
    places = of.seats if isinstance(of, Draft) else of.participants
    ours = {one.seat_request.identity.public: one for one in local_players}
    bots = {key: one.character for key, one in ours.items() if one.bot}
    return Lobby(
        of.game,
        dict(of.options),
        tuple(LobbySeat.of(place, bots) if place else None for place in places),
        tuple(seat for seat, place in enumerate(places) if place and place.public in ours),
        of.limit,
        of.table if isinstance(of, Draft) else "",
        hosting=hosting,
        held=held,
        spectators=of.spectators,
        several=isinstance(of, Draft) and of.several,
        private=isinstance(of, Draft) and of.private,
        house=of.house,
        away=away,
    )
