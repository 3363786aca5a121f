"""The players of a process before its table is complete, and the rules for filling that table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.core.moves import Seat
from p2p.net.events import Peer
from p2p.table.admission import Invited
from p2p.table.lobby import Draft, SeatRequest
from p2p.table.terms import PERSON, Participant, Terms

if TYPE_CHECKING:
    from client.session.context import Context


@dataclass(frozen=True)
class LocalPlayer:
    """A player of this process: a seat request, and whether a computer plays."""

    seat_request: SeatRequest
    bot: bool = False
    character: str = ""
    """The name of the character that plays; empty is the strongest of the game."""
    at_once: bool = False
    """Whether the computer player in a person's seat answers as soon as it can, even if others can
    measure the time."""


def seated_at(terms: Terms, local_players: Iterable[LocalPlayer]) -> dict[Seat, LocalPlayer]:
    """Return our players by their seats in a match."""
    by_key = {one.seat_request.identity.public: one for one in local_players}
    places = enumerate(terms.participants)
    return {seat: by_key[place.public] for seat, place in places if place.public in by_key}


def own_seat(context: Context, nick: str, kind: str = PERSON) -> SeatRequest:
    """Return the request for our own seat. Raises StoreError.

    It names the machine of another player if we play through that one.
    """
    found = SeatRequest(context.identity, nick, context.entropy, kind=kind)
    return replace(found, machine=context.machine, voucher=context.voucher)


@dataclass(frozen=True)
class SetupRules:
    """How a table is filled, besides the rules of its game."""

    check: Callable[[Sequence[Participant | None]], None] = lambda _places: None
    """Checks the players before anything is signed; TableRefused if we reject one of them."""
    changed: Callable[[Draft, bytes, bool], None] = lambda _draft, _secret, _begins: None
    """Called by a host whenever its table has changed, with the secret of its invite and whether
    its terms are proposed."""
    held: bool = False
    """Whether a full table waits for our player to begin, and a guest to take its seat: see
    `TableSetup.ready`."""
    private: bool = True
    """Whether guests need the secret, if there is one."""
    invited: Invited | None = None
    """The peers that used an invite, also to earlier tables: they may return. None: only those of
    this table."""
    welcome: Collection[Peer] = ()
    """The peers that may join our private table without an invite."""
    before: Draft | Terms | None = None
    """The last table or terms of a guest that plays again: it joins only an equal table, as its
    player has agreed to no other."""
    computers: Sequence[str] = ()
    """Words for the computer players that our player adds to a table of ours
    (`client.session.characters`)."""
    timed: bool = False
    """Whether computer players answer at times chosen beforehand (`client.session.answers`), not as
    soon as they can."""


NO_SETUP_RULES = SetupRules()
