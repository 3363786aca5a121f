"""The analysis of a finished match: one seat's choices beside those of the strongest player.

A choice is judged by the knowledge of that moment. Cards are known if they became public later, or
if kept shares open them; otherwise the choice is left out. The same log and shares give the same
analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import groupby, islice
from random import Random

from engine.bots import RATERS, Rater
from engine.bots.player import offering
from engine.core.moves import Face, Move, Seat, Slot
from engine.core.view import View, view_for
from p2p.table.events import Event, Moved
from p2p.table.replay import read_form, replay_log
from p2p.table.seen import SeenFaces
from p2p.table.table import Table

COSTLIEST = 3
"""The most moments that are named."""
Progress = Callable[[int, int], None]
"""Called with the work done so far and the whole of it. An error that it raises ends the analysis.
"""
LEAST = {"win": 0.005, "points": 0.05}
"""The least loss that makes a moment, by unit; a smaller one would be shown as nothing."""


class NoAnalysisError(Exception):
    """A match that cannot be analysed: `not-over`, or `no-rater` if no player rates its game."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class Judged:
    """A choice, and the strongest player's, both in the notation of the game."""

    record: int
    """The number of the record after which the seat was asked, from 0, as in `replay_log`."""
    deal: int
    played: str
    best: str
    lost: float
    """How much better the best move was, in the unit of the analysis; 0 if within the estimate's
    error."""
    view: View = field(compare=False, repr=False)
    """The view of the seat when it was asked."""
    better: Move = field(compare=False, repr=False)
    """The best move."""


@dataclass(frozen=True)
class Analysis:
    """The choices of a seat in a match."""

    game: str
    seat: Seat
    unit: str
    """"win" or "points", as in `Ratings`."""
    judged: tuple[Judged, ...]
    hidden: int
    """The number of choices left out because cards of that hand never became public."""

    @property
    def costliest(self) -> tuple[Judged, ...]:
        """The most costly moments, the worst first, if they exceed the estimate's error.

        If a seat missed the same better move several times in a row, only the most costly one
        counts.
        """
        lost = (one for one in self.judged if one.lost >= LEAST[self.unit])
        mistakes = [
            max(same, key=lambda one: one.lost)
            for _, same in groupby(lost, key=lambda one: (one.deal, one.best))
        ]
        return tuple(sorted(mistakes, key=lambda one: (-one.lost, one.record))[:COSTLIEST])

    @property
    def average(self) -> float:
        """The average loss of a choice; 0 if none was judged."""
        return sum(one.lost for one in self.judged) / len(self.judged) if self.judged else 0.0


def analyse(
    data: bytes,
    seat: Seat,
    progress: Progress = lambda _done, _whole: None,
    raters: Mapping[str, Rater] = RATERS,
    shares: Mapping[Slot, bytes] | None = None,
) -> Analysis:
    """Verify a log and judge the choices of a seat.

    `shares` are the shares that the seat kept of its cards. Raises BadLog or NoAnalysisError.
    """
    log = read_form(data)
    whole = 2 * (len(log.records) + 1)
    if log.terms.game not in raters:
        raise NoAnalysisError("no-rater")
    seen = SeenFaces(seat, shares)
    over = False
    for number, (table, events) in enumerate(replay_log(data)):
        seen.take(table, events)
        over = table.over
        progress(number, whole)
    if not over:
        raise NoAnalysisError("not-over")
    judge = _Judge(seat, seen.faces, raters[log.terms.game], log.terms.match)
    for number, (table, events) in enumerate(replay_log(data)):
        judge.follow(number, table, events)
        progress(whole // 2 + number, whole)
    return Analysis(log.terms.game, seat, judge.unit, tuple(judge.judged), judge.hidden)


class _Judge:
    """Follows a match, and rates each choice of a seat when it is made."""

    def __init__(self, seat: Seat, faces: Mapping[Slot, Face], rate: Rater, match: bytes) -> None:
        self.judged: list[Judged] = []
        self.unit, self.hidden = "points", 0
        self._seat, self._faces, self._rate, self._match = seat, faces, rate, match
        self._asked: tuple[int, View] | None = None

    def follow(self, number: int, table: Table, events: list[Event]) -> None:
        """Take a record: first the answer to the last question, then the next question."""
        for event in events:
            if (
                isinstance(event, Moved)
                and event.seat == self._seat
                and not event.auto
                and self._asked is not None
            ):
                self._judge(*self._asked, event)
                self._asked = None
        self._asked = (
            (number, view_for(table.run, self._seat, self._faces))
            if self._seat in table.run.turn
            else None
        )

    def _judge(self, record: int, view: View, made: Moved) -> None:
        if any(view.face(slot) is None for slot in view.game.hands[self._seat]):
            self.hidden += 1
            return
        if len(list(islice(view.options or (), 2))) < 2:
            return
        whims = Random(f"{self._match.hex()} {record}")  # noqa: S311 - the same for the same log; nothing is secret here
        ratings = self._rate(offering(view, made.move), whims.randrange)
        rated = next(one for one in ratings.moves if one.move == made.move)
        best = ratings.moves[0]
        known = {**view.game.faces, **view.faces}
        text = view.game.write(best.move, known)
        self.unit = ratings.unit
        lost = max(0.0, best.value - rated.value)
        lost = lost if lost > rated.doubt else 0.0
        self.judged.append(Judged(record, view.game.round, made.text, text, lost, view, best.move))
