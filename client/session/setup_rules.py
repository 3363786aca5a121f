"""The players of a process before its table is complete, and the rules for filling that table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

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
    """Whether the computer player in a person's seat answers as soon as it can, also where others
    may look at a clock."""


def own_seat(context: Context, nick: str, kind: str = PERSON) -> SeatRequest:
    """Return the request for our own seat. StoreError.

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
    """Called by a host whenever its table has changed, with the secret of its invite, and
    whether the match begins: its terms are proposed."""
    held: bool = False
    """Whether a full table waits for our player to begin, and a guest to sit down: see
    `TableSetup.ready`."""
    private: bool = True
    """Whether only a guest with the secret may sit down, if there is one."""
    invited: Invited | None = None
    """The peers that have come with an invite, also to earlier tables: they may come again. None:
    only those that come to this table."""
    welcome: Collection[Peer] = ()
    """The peers that may sit at our private table without an invite."""
    before: Draft | Terms | None = None
    """The table or the terms of our match before, of a guest that plays again: it sits down only
    where these are the same, because it has agreed to no others."""
    computers: Sequence[str] = ()
    """Words for the computer players that our player calls to a table of ours: see
    `client.session.characters`."""
    timed: bool = False
    """Whether computer players answer at times chosen beforehand (`client.session.answers`), not as
    soon as they can."""


NO_SETUP_RULES = SetupRules()
