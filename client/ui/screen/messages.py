"""Messages to the full screen, and commands from it.

`client.session.messages` has the others, which both interfaces share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from client.session.messages import Command, Message
from client.storage.settings import Settings
from client.ui.model import Model
from client.ui.screen.kept import Form, PhonesShown
from engine.core.moves import Seat

if TYPE_CHECKING:  # it loads the table, and the lobby is drawn before
    from client.session.analysis import Analysis
    from client.storage.history import MatchSummary

NAMED = (
    "enter", "escape", "tab", "s-tab", "backspace", "delete", "up", "down", "left", "right", "home",
    "end", "pageup", "pagedown", "c-c", "c-d", "c-l", "c-u", "c-w",
    *(f"f{number}" for number in range(1, 13)),
)  # fmt: skip
"""The keys that type nothing, by the names that `Key` has for them."""
REDRAW_S = 0.03
"""Seconds between two redraws at least."""


@dataclass(frozen=True)
class Key(Message):
    """A key that was pressed: its name, and the text that it types or pastes."""

    key: str
    text: str = ""


@dataclass(frozen=True)
class LineWritten(Message):
    """The line being typed is now this text, as a whole."""

    text: str


@dataclass(frozen=True)
class FieldSet(Message):
    """A field of a form was given this value in a browser; it may be one of no field."""

    field: str
    value: str | bool | int


@dataclass(frozen=True)
class Tick(Message):
    """Some seconds have passed while something moves or somebody is away."""

    seconds: float


@dataclass(frozen=True)
class MatchHistory(Message):
    """The matches on our disk; so many of their logs are still to be read."""

    history: tuple[MatchSummary, ...]
    unread: int = 0


@dataclass(frozen=True)
class Steps(Message):
    """A match from our disk: the table after each step, and the lines of the step."""

    models: tuple[tuple[Model, tuple[str, ...]], ...]
    records: tuple[int, ...] = ()
    """The number of each step's record in the log, from 0."""
    path: str = ""
    notice: str = ""
    """Why cards of ours are not shown that the home should know; empty if they are."""


@dataclass(frozen=True)
class Analysing(Message):
    """The progress of an analysis: `done` of `whole`."""

    done: int
    whole: int


@dataclass(frozen=True)
class Analysed(Message):
    """The analysis of the match that is stepped through."""

    analysis: Analysis


@dataclass(frozen=True)
class Shared(Message):
    """The page of a match is made, for a browser that asked for it and keeps it under a name."""

    name: str
    page: str


@dataclass(frozen=True)
class NotShown(Message):
    """A log cannot be read or analysed; `why` is a sentence."""

    why: str


@dataclass(frozen=True)
class Wrong(Message):
    """An error does not end the session; `why` is a sentence."""

    why: str


@dataclass(frozen=True)
class Ended(Message):
    """A session is over; `why` is a sentence if it did not end as it should."""

    why: str = ""


@dataclass(frozen=True)
class PhonesChanged(Message):
    """The present state of the phones of this program.

    `said` is a sentence about it, if it needs one.
    """

    phones: PhonesShown
    said: str = ""


@dataclass(frozen=True)
class Called(Message):
    """Our player has this name from now on, because the owner of the laptop says so."""

    nick: str


@dataclass(frozen=True)
class Open(Command):
    """Open a table, on the network or alone, and play."""

    form: Form


@dataclass(frozen=True)
class Join(Command):
    """Sit down at a table: a table's id, or an address or an invite as it was typed."""

    where: str | bytes


@dataclass(frozen=True)
class Watch(Command):
    """Watch the match at a table: its id."""

    where: bytes


@dataclass(frozen=True)
class Abandon(Command):
    """Leave an unfinished match for good."""

    match: str


@dataclass(frozen=True)
class Delete(Command):
    """Delete a past match for good."""

    match: str


@dataclass(frozen=True)
class Resume(Command):
    """Go back into an unfinished match."""

    match: str


@dataclass(frozen=True)
class Learn(Command):
    """Begin a lesson."""

    name: str


@dataclass(frozen=True)
class OpenLog(Command):
    """Open a log from the match history, to step through it; with `analysis` analyse it too."""

    path: str
    analysis: bool = False


@dataclass(frozen=True)
class Analyse(Command):
    """Analyse the choices of a seat in the match of a log."""

    path: str
    seat: Seat


@dataclass(frozen=True)
class Share(Command):
    """Make the page of the match of a log, as a file of this name."""

    path: str
    name: str


@dataclass(frozen=True)
class StopReading(Command):
    """Stop reading or analysing a log."""


@dataclass(frozen=True)
class Save(Command):
    """Keep these settings."""

    settings: Settings


@dataclass(frozen=True)
class Ready(Command):
    """We are ready: sit down, or let the match begin."""


@dataclass(frozen=True)
class SeatComputers(Command):
    """Let so many computer players sit at our table."""

    count: int


@dataclass(frozen=True)
class Again(Command):
    """Play again with the same table."""


@dataclass(frozen=True)
class Rise(Command):
    """Get up from a table: back to the lobby. A match that is on can be resumed."""


@dataclass(frozen=True)
class InBrowser(Command):
    """Show everything in a browser, until our player wants it back here."""


@dataclass(frozen=True)
class OfPhones(Command):
    """A command about phones."""


@dataclass(frozen=True)
class ShowCode(OfPhones):
    """Make a code for the phone of a visitor, or for a new one with this nick."""

    visitor: str = ""
    nick: str = ""


@dataclass(frozen=True)
class UseAddress(OfPhones):
    """Let phones come in at another address of ours."""

    address: str


@dataclass(frozen=True)
class HideCode(OfPhones):
    """Let nobody come by the code any more."""


@dataclass(frozen=True)
class LetIn(OfPhones):
    """Let the phone in that waits, if it shows these digits."""

    digits: str


@dataclass(frozen=True)
class EndVisitor(OfPhones):
    """End a visitor's program until it gets another code."""

    visitor: str


@dataclass(frozen=True)
class RenameVisitor(OfPhones):
    """Rename a visitor."""

    visitor: str
    nick: str


@dataclass(frozen=True)
class DeleteVisitor(OfPhones):
    """Delete a visitor with all of its matches."""

    visitor: str


@dataclass(frozen=True)
class Ring(Command):
    """Ring the bell."""
