"""The past of a match of Truco as questions and answers: seat asked, state of the deal, word.

It is read from the choices that everybody has seen (`View.past`), deal by deal; nothing else is
kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engine.core.moves import Face, Seat
from engine.core.run import Answered
from engine.games.truco.moves import ENVIDO, FLOR, TRUCO, Call, Play, Say
from engine.games.truco.rules import Truco
from engine.games.truco.worth import STRENGTH


@dataclass(frozen=True)
class Heard:
    """An answer of a seat. `question` is "open", "envido", "sing", "truco", "say" or "card"."""

    deal: int
    seat: Seat
    question: str
    answer: str
    """The word, the number or the card; "" if the seat might have opened or sung and did not."""
    call: str
    """The last call of the envido."""
    opened: bool
    """Whether the seat has opened the envido of this deal."""
    stake: int
    results: tuple[int | None, ...]
    """The side that has won each trick of the deal so far, None if it was tied."""
    on: tuple[int, int]
    """The strength of each side's best card in the present trick, 0 if it has none."""
    gone: tuple[Face, ...]
    """The cards that the seat has played in this deal."""


@dataclass
class _Deal:
    """A deal, replayed."""

    game: Truco
    number: int
    mano: Seat
    stake: int = 1
    right: int | None = None
    waiting: bool = False
    opener: Seat | None = None
    bets: list[str] = field(default_factory=list)
    flor: bool = False
    folded: set[Seat] = field(default_factory=set)
    trick: list[tuple[Seat, int]] = field(default_factory=list)
    results: list[int | None] = field(default_factory=list)
    gone: dict[Seat, list[Face]] = field(default_factory=dict)

    def heard(self, at: Answered) -> Iterator[Heard]:
        """Yield the answers in this choice, and make it."""
        seat, move = at.seat, at.move
        word = move.word if isinstance(move, Call) else ""
        if word == FLOR[0]:
            self.flor, self.opener = True, None
            self.bets.clear()  # if an envido waited, the flor has annulled it
        elif self.flor and isinstance(move, Say):
            return  # the value of a flor
        elif isinstance(move, Say):
            yield self._answer(seat, "say", str(move.number))
        elif at.question == "answers_to_envido":
            yield self._answer(seat, "envido", word)
            self.bets.append(word)
        elif at.question == "answers_to_truco":
            yield from self._to_truco(seat, word)
        elif at.question == "on_turn":
            yield from self._turn(at, word)

    def _answer(self, seat: Seat, question: str, answer: str) -> Heard:
        best = [
            max((strength for by, strength in self.trick if by % 2 == side), default=0)
            for side in (0, 1)
        ]
        call = self.bets[-1] if self.bets else ""
        return Heard(
            self.number,
            seat,
            question,
            answer,
            call,
            self.opener == seat,
            self.stake,
            tuple(self.results),
            (best[0], best[1]),
            tuple(self.gone.get(seat, ())),
        )

    def _may_open(self, seat: Seat) -> bool:
        game = self.game
        if self.flor or self.bets or self.results or self.stake > 1 or seat in self.gone:
            return False
        order = [(self.mano + place) % game.players for place in range(game.players)]
        who = game.options["envido_callers"]
        if game.players == 2 or who == "any":
            return True
        return seat in (order[-3:-1] if who == "left" else order[-2:])

    def _to_truco(self, seat: Seat, word: str) -> Iterator[Heard]:
        if self._may_open(seat) and self.game.options["envido_first"]:
            yield self._answer(seat, "open", word if word in ENVIDO else "")
        if word in ENVIDO:
            self.opener = seat
            self.bets.append(word)
            return
        yield self._answer(seat, "truco", word)
        if word != "no-quiero":
            self.stake += 1
            self.right = seat % 2
            self.waiting = word != "quiero"

    def _turn(self, at: Answered, word: str) -> Iterator[Heard]:
        seat, move = at.seat, at.move
        if self._may_open(seat):
            yield self._answer(seat, "open", word if word in ENVIDO else "")
        if word in ENVIDO:
            self.opener = seat
            self.bets.append(word)
            return
        if self.stake <= len(TRUCO) and self.right in (None, seat % 2):
            yield self._answer(seat, "sing", word if word in TRUCO else "")
        if word == "mazo":
            self.folded.add(seat)
        elif isinstance(move, Play):
            yield self._answer(seat, "card", at.faces[0])
            self.gone.setdefault(seat, []).append(at.faces[0])
            self.trick.append((seat, STRENGTH[at.faces[0]]))
        self._complete()

    def _complete(self) -> None:
        """Count the trick when each seat has played or folded."""
        done = {seat for seat, _ in self.trick} | self.folded
        if len(done) < self.game.players or not self.trick:
            return
        best = max(strength for _, strength in self.trick)
        sides = {seat % 2 for seat, strength in self.trick if strength == best}
        self.results.append(sides.pop() if len(sides) == 1 else None)
        self.trick = []


def heard(game: Truco, past: Iterable[Answered]) -> list[Heard]:
    """Return all answers of the match so far, in their order."""
    found: list[Heard] = []
    deal: _Deal | None = None
    for at in past:
        if deal is None or deal.number != at.deal:
            deal = _Deal(game, at.deal, at.seat)  # the mano is asked first
        found += deal.heard(at)
    return found
