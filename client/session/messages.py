"""Messages to a user interface and commands from it.

`client.session.match` makes messages and carries out commands.
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
    """Something that has happened, for `update`."""


@dataclass(frozen=True)
class Command:
    """An action that `update` asks for."""


@dataclass(frozen=True)
class LobbySeat:
    """A taken seat: the nick as sent, the key's fingerprint, and whether a computer plays.

    `bot` is a computer player of this process.
    """

    nick: str
    fingerprint: str
    bot: bool = False
    trust: str = ""
    """`known`, `trusted` or `blocked`, if we know the key."""
    character: str = ""
    """The name of the character that plays, if it is a computer player of this program."""
    computer: bool = False
    """Whether the seat says that a computer plays it."""
    broken_off: int = 0
    """How many matches of two with us this player broke off while behind
    (`client.storage.broken_off`)."""
    machine: str = ""
    """The fingerprint of another player whose program runs this seat, as both of them say."""

    @staticmethod
    def of(seat: Participant, bots: Mapping[bytes, str] = MappingProxyType({})) -> LobbySeat:
        """Return a seat of a table or of terms.

        `bots` are the characters of the computer players of this process, by their keys.
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
    """Seconds after which the others may vote to go on without a seat that keeps the table
    waiting."""
    table: str = ""
    hosting: bool = False
    """Whether we have opened it."""
    held: bool = False
    """Whether it waits for our player to be ready."""
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
    """All have signed, the match begins.

    `seat` is ours, None for a spectator; with `auto` a computer plays it.

    `match` is the match's id in hexadecimal, `bots` the seats that are known to be computers;
    `trust` is that of LobbySeat, by fingerprint.
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
    """Whether it is a lesson: an open table in this process, with neither proofs nor a log."""
    apart: bool = False
    """Whether hints are made in another process: others may see how busy this one is."""


@dataclass(frozen=True)
class Advised(Message):
    """The answer to `Advise`: the move of the strongest computer player."""

    move: Move


@dataclass(frozen=True)
class Taught(Message):
    """Before the news of a moment in a lesson: all hands, and a move if ours must choose."""

    hands: Mapping[Slot, Face]
    advice: Move | None


@dataclass(frozen=True)
class News(Message):
    """An event at the table. `view` and `waiting` are the state after all news of that moment.

    `last` marks the last of them: after it nothing moves until a seat acts. `repeated` news was
    told before we were away, or before we came to watch; `earlier` news is from a deal before the
    present one too.
    """

    event: Event
    view: View
    waiting: tuple[Seat, ...]
    last: bool = False
    earlier: bool = False
    repeated: bool = False
    votes: Mapping[Seat, tuple[Seat, ...]] = field(default_factory=dict)
    """For each seat that the table waits for, the seats that have voted to go on without it."""


@dataclass(frozen=True)
class MoveRefused(Message):
    """The table has refused our move; `why` is what the engine says."""

    why: Why


@dataclass(frozen=True)
class Typed(Message):
    """A person has typed a line."""

    text: str


@dataclass(frozen=True)
class Away(Message):
    """This seat is away: there is no link to it, or it plays elsewhere."""

    seat: Seat
    elsewhere: bool = False
    """Whether its program is connected, and says that it does not play this match now."""
    leaving: bool = False
    """Whether it has left for good: the others who are away do not know it yet."""


@dataclass(frozen=True)
class Back(Message):
    """This seat plays with us again."""

    seat: Seat
    anew: bool = False
    """Whether the time after which the others may vote begins anew for it."""


@dataclass(frozen=True)
class Parted(Message):
    """The player of this seat has ended the session, after the match."""

    seat: Seat


@dataclass(frozen=True)
class Late(Message):
    """A message that the table has waited for these seats as long as its terms allow.

    The terms give a number of seconds. The others may now go on without these seats.
    """

    seats: tuple[Seat, ...]
    limit: int
    say: tuple[tuple[Seat, tuple[Seat, ...]], ...] = ()
    """Which seats some of these say that they wait for themselves: that is their word only."""


@dataclass(frozen=True)
class InTime(Message):
    """A message that these seats are late no more.

    The table waits no longer for them, or has begun to wait anew.
    """

    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class TimeLeft(Message):
    """A message that the table waits for us, with the seconds until the others may vote.

    They may vote to go on without us.
    """

    seconds: int


@dataclass(frozen=True)
class Stored(Message):
    """The match's log is written; nothing more will stand in it.

    `sealed` by every seat still in the match, or not.
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

    Two people compare the words to detect a relay between them.
    """

    of: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Trusted(Message):
    """The key with this fingerprint is the person's who sits there: our player has made sure."""

    fingerprint: str


@dataclass(frozen=True)
class Notice(Message):
    """A line about something else: an id of client.i18n.notices.NOTICES, and its values."""

    id: str
    params: Mapping[str, Any] = field(default_factory=dict)
    about: bytes = field(default=b"", compare=False, repr=False)
    """The id of the peer that has brought it about: there is a limit for each (`TellLimit`)."""


@dataclass(frozen=True)
class FoundTable:
    """A table on this network, as its host tells of it; nothing of it is proven."""

    id: bytes
    nick: str
    game: str
    table: str
    taken: int
    seats: int
    state: str
    """`open`, `full` (it is about to begin) or `playing`."""
    protocol: int
    address: str
    trust: str = ""
    """`known` or `trusted`, if we know the key and its owner has answered there."""


@dataclass(frozen=True)
class Tables(Message):
    """The tables on the network now; `blind` says why none can be seen, if none can."""

    tables: tuple[FoundTable, ...]
    blind: Notice | None = None


@dataclass(frozen=True)
class Act(Command):
    """Make our player's move."""

    move: Move


@dataclass(frozen=True)
class Without(Command):
    """Vote to go on without the seats that are late."""


@dataclass(frozen=True)
class PutAside(Command):
    """A command to leave the table without losing.

    The match waits for everybody, and goes on when all are back.
    """


@dataclass(frozen=True)
class Leave(Command):
    """Give up our seat for good."""


@dataclass(frozen=True)
class Compare(Command):
    """Show the words that detect a relay between two people."""


@dataclass(frozen=True)
class Renew(Command):
    """Make another invite to our table: the one so far admits nobody else."""


@dataclass(frozen=True)
class Arrange(Command):
    """Let the player of seat `order[n]` of our table sit in seat n; without an order, draw one."""

    order: tuple[Seat, ...] = ()


@dataclass(frozen=True)
class Advise(Command):
    """Find a hint for our player, with this view; `Advised` brings it."""

    view: View
    told: bool = False
    """Whether all others are told first that our player takes one."""


@dataclass(frozen=True)
class Vouch(Command):
    """Trust the key of a player at this table, by its fingerprint: the words were the same."""

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
