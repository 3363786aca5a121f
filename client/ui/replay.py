"""A match from its log: the table after each step, and the lines that tell of the step.

The table is as one seat saw it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from client.i18n.translation import _
from client.session.analysis import Analysis, Progress, analyse
from client.session.messages import Message, News, Seated
from client.session.status import UsageError
from client.storage.departure import BadDeparture, left_after
from client.storage.home import StoreError
from client.storage.match_log import read_terms
from client.storage.own_cards import read_own_cards
from client.storage.regular import LOG_BYTES, read_regular
from client.ui.model import MatchPhase, Model
from client.ui.plain.lines import lines
from client.ui.plain.verdicts import bad_log
from client.ui.update import update
from engine.bots import RATERS
from engine.bots.player import Rater
from engine.core.game import Game
from engine.core.moves import Face, Seat, Slot
from engine.core.view import View, view_for
from p2p.table.events import Dealt, Event, Gone, Told
from p2p.table.replay import BadLog, read_form, replay_log
from p2p.table.seen import SeenFaces
from p2p.table.table import Table
from p2p.wire import Malformed

Shares = Mapping[Slot, bytes]
"""The shares that a seat kept of its cards, by slot."""
NONE: Shares = {}

Step = tuple[Model, tuple[str, ...]]
"""The table after a step, and the lines of the plain face for that step."""


def own_shares(match: bytes, home: Path) -> tuple[Shares, str]:
    """Return the shares that the home at this path has of our cards in a match.

    With them return a sentence if their file cannot be used.
    """
    try:
        return read_own_cards(home, match), ""
    except StoreError as error:
        return {}, str(error)


def shares_beside(path: str, home: Path) -> tuple[Shares, str]:
    """Do what `own_shares` does, for the match of a log; without a log there are none."""
    try:
        match = read_terms(Path(path)).match
    except (OSError, Malformed):
        return {}, ""
    return own_shares(match, home)


def steps_of(path: str, own: bytes, shares: Shares = NONE) -> tuple[tuple[int, Step], ...]:
    """Return the steps of one of our matches, each with the number of its record.

    The steps are seen from our own seat; `own` is our id, and `shares` are our kept shares.

    Raises Stop.
    """
    with log_in(path) as data:
        places = enumerate(read_form(data).terms.participants)
        seat = next((seat for seat, place in places if place.id == own), None)
        return tuple(numbered_steps(data, seat, log=Path(path), shares=shares))


def analysis_of(
    path: str,
    seat: Seat,
    progress: Progress,
    shares: Shares = NONE,
    raters: Mapping[str, Rater] = RATERS,
) -> Analysis:
    """Return the analysis of a seat in the match of a log; `shares` are the seat's kept shares.

    `raters` may compute elsewhere.

    Raises Stop or NoAnalysisError.
    """
    with log_in(path) as data:
        return analyse(data, seat, progress, raters, shares)


@contextmanager
def log_in(path: str) -> Iterator[bytes]:
    """Give the bytes of a file; a BadLog that they lead to becomes its sentence.

    Raises Stop.
    """
    try:
        yield read_regular(Path(path), LOG_BYTES)
    except OSError as error:
        raise UsageError(
            _("{file} cannot be read: {why}").format(file=path, why=error.strerror or error)
        ) from error
    except BadLog as error:
        raise bad_log(path, error) from error


@dataclass(frozen=True)
class Played:
    """A step of a match: the table after it, and the messages that tell of it.

    Each message stands with the model before and after it.
    """

    model: Model
    told: tuple[tuple[Model, Message, Model], ...] = ()
    unsealed: bool = False
    """Whether it only says that the log ends too early."""

    def lines(self, width: int | None = None) -> tuple[str, ...]:
        """Return the lines of the plain face, in the reader's language, so many columns wide.

        They name the seat in turn only if the step has nothing else to tell: nobody waits for it.
        """
        if self.unsealed:
            return (
                _(
                    "The log ends here: not all have signed the end. `sobremesa verify` says what "
                    "is missing."
                ),
            )
        found = [
            line
            for before, message, after in self.told
            for line in lines(replace(before, called=after.called), message, after, width)
        ]
        return tuple(
            found
            or (
                line
                for before, message, after in self.told
                for line in lines(before, message, after, width)
            )
        )


class Follower:
    """A follower of a match, record by record, as a seat saw it.

    `faces` are the seat's cards, as far as they are known. To a `stranger` nobody is `you`.
    """

    def __init__(
        self, seat: Seat | None, faces: Mapping[Slot, Face], *, stranger: bool = False
    ) -> None:
        self._seat, self._faces = seat, faces
        self._model, self._begun = Model(stranger=stranger), False

    def follow(self, table: Table, events: Sequence[Event]) -> Iterator[Played]:
        """Return the next steps.

        There are several if the rules go on to clear the table: it is shown as it stood before.
        """
        messages: list[Message] = []
        if not self._begun:
            self._begun = True
            messages.append(Seated(table.terms, self._seat, table.match.hex(), auto=True))
        view = view_for(table.run, self._seat, self._faces)
        for place, event in enumerate(events, 1):
            messages.append(
                News(
                    _seen(event, self._seat, self._faces), view, table.waiting, place == len(events)
                )
            )
        told: list[tuple[Model, Message, Model]] = []
        for message in messages:
            before, (self._model, _commands) = self._model, update(self._model, message)
            told.append((before, message, self._model))
            if (cleared := _cleared(message)) is not None:
                yield Played(self._still(cleared), tuple(told))
                told = []
        if told or not messages:
            yield Played(self._model, tuple(told))

    def _still(self, game: Game) -> Model:
        """Return the model with the table of an event, before the rules went on."""
        mine = {
            slot: face
            for slot, face in self._faces.items()
            if self._seat is not None and game.holder.get(slot) == self._seat
        }
        return replace(
            self._model,
            phase=MatchPhase.PLAYING,
            view=View(self._seat, game, mine, None, over=False, turn=()),
            asked=False,
            turn=(),
            mixing=(),
            score=tuple(game.score),
        )

    def end(self, table: Table) -> Iterator[Played]:
        """Return a last step for a log that ends too early."""
        if not table.sealed:
            yield Played(self._model, unsealed=True)


def steps(
    data: bytes,
    seat: Seat | None,
    width: int | None = None,
    log: Path | None = None,
    shares: Shares = NONE,
) -> Iterator[Step]:
    """Verify and play a log, and give back each step that shows anything; raise BadLog.

    The steps are as a seat saw them, with lines `width` columns wide.

    The cards of the seat are shown as far as they became public later, or as `shares` open them. A
    last step shows the seats that have left by the file beside `log`, if the data are those of a
    file.
    """
    return (step for _record, step in numbered_steps(data, seat, width, log, shares))


def numbered_steps(
    data: bytes,
    seat: Seat | None,
    width: int | None = None,
    log: Path | None = None,
    shares: Shares = NONE,
) -> Iterator[tuple[int, Step]]:
    """Do what `steps` does, each step with the number of its record from 0. Raises BadLog."""
    follower = Follower(seat, faces_in(data, seat, shares) if seat is not None else {})
    for record, (table, events) in enumerate(replay_log(data)):
        for played in follower.follow(table, events):
            if shown := played.lines(width):
                yield record, (played.model, shown)
    if left := _left_after(log, table):
        for played in follower.follow(table, [Gone(seat, "left") for seat in left]):
            yield record, (played.model, played.lines(width))
    for played in follower.end(table):
        yield record, (played.model, played.lines(width))


def _left_after(log: Path | None, table: Table) -> tuple[Seat, ...]:
    """Return who has left by the file beside a log. Of a bad file only `verify` says that."""
    try:
        return left_after(log, table) if log is not None else ()
    except BadDeparture:
        return ()


def _cleared(message: Message) -> Game | None:
    """Return the table that the rules go on to clear after an event."""
    event = message.event if isinstance(message, News) else None
    return event.table if isinstance(event, Told) else None


def _seen(event: Event, seat: Seat | None, faces: Mapping[Slot, Face]) -> Event:
    """Return an event as a seat saw it: with its own cards, if they are known."""
    if isinstance(event, Dealt) and seat is not None:
        return Dealt(
            event.to, {slot: faces[slot] for slot in event.to.get(seat, ()) if slot in faces}
        )
    return event


def faces_in(data: bytes, seat: Seat, shares: Shares) -> Mapping[Slot, Face]:
    """Return every face of a match that became public, or that the kept shares of a seat open."""
    seen = SeenFaces(seat, shares)
    for table, events in replay_log(data):
        seen.take(table, events)
    return seen.faces
