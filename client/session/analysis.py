"""The analysis of a finished match: each choice beside the choice of the strongest player.

The choices are those of one seat.

A choice is judged with the knowledge of its moment: the view is built from the log, with the cards
of the seat as far as they became public later, or as the shares that the seat kept open them. Where
some of them are not known, the choice is left out. The same log and shares give the same analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from random import Random

from engine.bots import Rater
from engine.bots.player import offering
from engine.bots.raters import RATERS
from engine.core.moves import Face, Seat, Slot
from engine.core.view import View, view_for
from p2p.table.events import Event, Moved
from p2p.table.replay import read_form, replay_log
from p2p.table.seen import SeenFaces
from p2p.table.table import Table

COSTLIEST = 3
"""How many moments are named."""
Progress = Callable[[int, int], None]
"""It is called with the work done so far and the whole of it; an error that it raises ends the
analysis."""
LEAST = {"win": 0.005, "points": 0.05}
"""The least loss that is a moment, by the unit: a smaller one would be shown as nothing."""


class NoAnalysisError(Exception):
    """A match that cannot be analysed: `not-over` or `no-rater`.

    With `no-rater`, no player of the program rates the game's moves.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class Judged:
    """A choice, and the strongest player's. The moves are in the notation of the game."""

    record: int
    """The number of the record after which the seat was asked, from 0, as `replay_log` gives
    them."""
    deal: int
    played: str
    best: str
    lost: float
    """By how much the best move was better, in the unit of the analysis; 0 if by no more than the
    estimate's doubt."""


@dataclass(frozen=True)
class Analysis:
    """The choices of a seat in a match."""

    game: str
    seat: Seat
    unit: str
    """As in `Ratings`: "win" or "points"."""
    judged: tuple[Judged, ...]
    hidden: int
    """How many choices are left out because cards of that hand never became public."""

    @property
    def costliest(self) -> tuple[Judged, ...]:
        """The moments that lost most, the worst first.

        There are fewer if no others lost more than the estimate can tell.

        A better move that a seat missed several times in a row in a deal is one mistake: only its
        costliest moment is named.
        """
        lost = (one for one in self.judged if one.lost >= LEAST[self.unit])
        mistakes = [
            max(same, key=lambda one: one.lost)
            for _, same in groupby(lost, key=lambda one: (one.deal, one.best))
        ]
        return tuple(sorted(mistakes, key=lambda one: (-one.lost, one.record))[:COSTLIEST])

    @property
    def average(self) -> float:
        """The loss of a choice, on average; 0 where none was judged."""
        return sum(one.lost for one in self.judged) / len(self.judged) if self.judged else 0.0


def analyse(
    data: bytes,
    seat: Seat,
    progress: Progress = lambda _done, _whole: None,
    raters: Mapping[str, Rater] = RATERS,
    shares: Mapping[Slot, bytes] | None = None,
) -> Analysis:
    """Verify a log and judge the choices of a seat. BadLog, NoAnalysisError.

    `shares` are the shares that the seat kept of its cards, as far as there are any.
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
        """Take in a record: first the answer to the last question, then the next question.

        The last question is the one before the record, and the next question is the one after it.
        """
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
        self.judged.append(
            Judged(record, view.game.round, made.text, text, lost if lost > rated.doubt else 0.0)
        )
