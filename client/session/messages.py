"""Messages to a user interface and commands from it.

A session makes messages; `client.session.player` carries out commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from crypto.identity import fingerprint
from engine.core.moves import Face, Move, Seat, Slot, Why
from engine.core.view import View
from p2p.table.events import Event
from p2p.table.house import USUAL, House
from p2p.table.terms import COMPUTER, Participant, Terms


@dataclass(frozen=True)
class Message:
    """Something that happened, for `update`."""


@dataclass(frozen=True)
class Command:
    """An action that `update` asks for."""


@dataclass(frozen=True)
class LobbySeat:
    """A taken seat: the nick as sent, the key's fingerprint, and the kind of player.

    `bot` is a computer player of this process.
    """

    nick: str
    fingerprint: str
    bot: bool = False
    trust: str = ""
    """`known`, `trusted` or `blocked`, if we know the key."""
    character: str = ""
    """The name of the character that plays, for computer players of this program."""
    computer: bool = False
    """Whether the seat claims to be a computer player."""
    broken_off: int = 0
    """How many two-player matches with us this player broke off while behind
    (`client.storage.broken_off`)."""
    machine: str = ""
    """The fingerprint of the player whose program runs this seat, if another; both vouch for it."""

    @staticmethod
    def of(seat: Participant, bots: Mapping[bytes, str] = MappingProxyType({})) -> LobbySeat:
        """Return a seat of a table or of terms.

        `bots` are the characters of this process's computer players, by key.
        """
        bot, character = seat.public in bots, bots.get(seat.public, "")
        computer, machine = bot or seat.kind == COMPUTER, fingerprint(seat.program)
        found = LobbySeat(seat.nick, fingerprint(seat.id), bot, "", character, computer)
        return replace(found, machine=machine if seat.machine else "")


@dataclass(frozen=True)
class Lobby(Message):
    """A table that is filling: its name, its seats, and the seats of this process (`mine`).

    A free seat is None.
    """

    game: str
    options: Mapping[str, Any]
    seats: tuple[LobbySeat | None, ...]
    mine: tuple[Seat, ...]
    limit: int
    """Seconds after which the others may vote out a seat that keeps the table waiting."""
    table: str = ""
    hosting: bool = False
    """Whether our player opened this table."""
    held: bool = False
    """Whether the match waits until our player presses ready."""
    spectators: bool = False
    """Whether spectators are allowed."""
    several: bool = False
    """Whether guests may bring computer players."""
    private: bool = False
    """Whether only players with the invite may join."""
    house: House = USUAL
    away: frozenset[Seat] = frozenset()
    """The absent seats, after a resume without all signatures."""


@dataclass(frozen=True)
class Seated(Message):
    """All have signed, and the match begins.

    `seat` is ours, None for a spectator; with `auto` a computer plays it. `match` is the match's id
    in hexadecimal, `bots` the seats known to be computers; `trust` is that of LobbySeat, by
    fingerprint.
    """

    terms: Terms
    seat: Seat | None
    match: str
    auto: bool = False
    bots: tuple[Seat, ...] = ()
    trust: Mapping[str, str] = field(default_factory=dict)
    characters: Mapping[Seat, str] = field(default_factory=dict)
    """The names of the characters that play seats of this process."""
    lesson: bool = False
    """Whether it is a lesson: an open table in this process, without proofs or a log."""
    apart: bool = False
    """Whether hints come from another process, because others may see how busy this one is."""


@dataclass(frozen=True)
class Advised(Message):
    """The answer to `Advise`: the move of the strongest computer player."""

    move: Move


@dataclass(frozen=True)
class Taught(Message):
    """In a lesson, before each moment's news: all hands, and advice if our player must choose."""

    hands: Mapping[Slot, Face]
    advice: Move | None


@dataclass(frozen=True)
class News(Message):
    """An event at the table. `view` and `waiting` describe the table after the whole batch of news.

    `last` marks the last of them: after it nothing moves until a seat acts. `repeated` news is from
    before our absence, or before we came to watch; `earlier` news is also from an earlier deal.
    """

    event: Event
    view: View
    waiting: tuple[Seat, ...]
    last: bool = False
    earlier: bool = False
    repeated: bool = False
    votes: Mapping[Seat, tuple[Seat, ...]] = field(default_factory=dict)
    """The voters against each seat that the table waits for."""
    at: bytes = b""
    """The point at which the table waits: at another one all time limits begin anew."""


@dataclass(frozen=True)
class MoveRefused(Message):
    """The table refused our move; `why` is the engine's reason."""

    why: Why


@dataclass(frozen=True)
class Typed(Message):
    """A person typed a line."""

    text: str


@dataclass(frozen=True)
class Away(Message):
    """This seat is away: there is no link to it, or it plays elsewhere."""

    seat: Seat
    elsewhere: bool = False
    """Whether its program is connected, but does not play this match now."""
    leaving: bool = False
    """Whether it has left for good, and absent players do not know it yet."""


@dataclass(frozen=True)
class Back(Message):
    """This seat plays with us again."""

    seat: Seat
    anew: bool = False
    """Whether its time limit starts again."""


@dataclass(frozen=True)
class Parted(Message):
    """The player of this seat ended the session after the match."""

    seat: Seat


@dataclass(frozen=True)
class Late(Message):
    """The table has waited for these seats for the time limit of the terms.

    The others may now continue without them.
    """

    seats: tuple[Seat, ...]
    limit: int
    say: tuple[tuple[Seat, tuple[Seat, ...]], ...] = ()
    """The seats that some of these claim to wait for themselves."""


@dataclass(frozen=True)
class InTime(Message):
    """These seats are no longer late.

    The table stopped waiting for them, or their time limit started again.
    """

    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class TimeLeft(Message):
    """The table waits for us; seconds until the others may vote us out."""

    seconds: int


@dataclass(frozen=True)
class Stored(Message):
    """The match's log is written, and our session adds nothing more to it.

    `sealed`: by every seat still in the match.
    """

    path: str
    sealed: bool = True


@dataclass(frozen=True)
class Talked(Message):
    """Talk of a seat, in no log: the id of a phrase, or its own words."""

    seat: Seat
    text: str
    phrase: bool


@dataclass(frozen=True)
class Words(Message):
    """Three words for each linked person at the table, by fingerprint.

    Two people compare them to detect a relay between them.
    """

    of: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Trusted(Message):
    """Our player verified that the key with this fingerprint belongs to the person at the table."""

    fingerprint: str


@dataclass(frozen=True)
class Notice(Message):
    """A line about something else: an id of client.i18n.notices.NOTICES, and its values."""

    id: str
    params: Mapping[str, Any] = field(default_factory=dict)
    about: bytes = field(default=b"", compare=False, repr=False)
    """The id of the peer that caused it, for the limit on each peer (`TellLimit`)."""


@dataclass(frozen=True)
class FoundTable:
    """A table on this network, as its host announces it; nothing is proven."""

    id: bytes
    nick: str
    game: str
    table: str
    taken: int
    seats: int
    state: str
    """`open`, `full` (about to begin) or `playing`."""
    protocol: int
    address: str
    trust: str = ""
    """`known` or `trusted`, if we know the key and its owner answered there."""


@dataclass(frozen=True)
class Tables(Message):
    """The tables on the network now; `blind` says why none can be seen."""

    tables: tuple[FoundTable, ...]
    blind: Notice | None = None


@dataclass(frozen=True)
class Act(Command):
    """Make our player's move."""

    move: Move


@dataclass(frozen=True)
class Without(Command):
    """Vote to continue without the late seats."""


@dataclass(frozen=True)
class PutAside(Command):
    """Leave the table without losing.

    The match waits for everybody, and continues when all are back.
    """


@dataclass(frozen=True)
class Leave(Command):
    """Leave the match for good."""


@dataclass(frozen=True)
class Compare(Command):
    """Show the words that detect a relay between two people."""

    more: bool = False
    """Whether only the words of people are shown whose words our player has not seen yet."""


@dataclass(frozen=True)
class Renew(Command):
    """Replace the invite to our table; the old one admits nobody from now on."""


@dataclass(frozen=True)
class Arrange(Command):
    """Put the player of seat `order[n]` in seat n of our table; without an order, draw one."""

    order: tuple[Seat, ...] = ()


@dataclass(frozen=True)
class Advise(Command):
    """Find a hint for our player with this view; `Advised` brings it."""

    view: View
    told: bool = False
    """Whether all others are told first that our player takes one."""


@dataclass(frozen=True)
class Vouch(Command):
    """Trust the key of a player at this table, by fingerprint, as the words were equal."""

    fingerprint: str


@dataclass(frozen=True)
class Quit(Command):
    """End the program with this status."""

    status: int


@dataclass(frozen=True)
class Speak(Command):
    """Say something at the table: a phrase's id, or words of our own."""

    text: str
    phrase: bool = True
