"""The state of a deal of Truco, the actions of each seat, and reasons for a refusal.

The actions are cards, calls, numbers and cards shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from engine.core.cards import SPANISH_40
from engine.core.game import Game
from engine.core.moves import Face, Hand, Move, Seat, Slot, Why
from engine.games.truco.moves import ANSWERS, ENVIDO, TRUCO, Call, Play, Say, Show
from engine.games.truco.worth import (
    NUMBERS,
    accepted_points,
    could_have,
    falta_points,
    proves,
    raises,
)


class TrucoCalls(Game):
    """A match of Truco as it stands; engine.games.truco.rules moves it."""

    state = (
        *Game.state,
        "mano",
        "tricks",
        "results",
        "folded",
        "stake",
        "right",
        "waiting",
        "bets",
        "betting",
        "stating",
        "said",
        "best",
    )
    notes = (*Game.notes, "shown", "gained")

    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        """Set up an unplayed match."""
        super().__init__(players, options)
        self.sides = 2
        self.mano: Seat = 0
        self.clear()

    def clear(self) -> None:
        """R8. No card on the table, nobody folded, nothing sung, the deal worth 1 point."""
        self.lay_aside()
        self.tricks: list[list[tuple[Seat, Slot]]] = []  # each in the order in which it was played
        # the winner of each complete trick, None if it was tied
        self.results: list[Seat | None] = []
        self.folded: list[Seat] = []
        self.stake = 1
        self.right: int | None = None  # the side that accepted last and may raise
        # the truco call that waits for an answer, perhaps suspended
        self.waiting: tuple[Seat, str] | None = None
        self.bets: list[tuple[Seat, str]] = []  # the envido's calls
        self.betting = False  # the last of them waits for an answer
        self.stating = False  # the points are being stated
        self.said: list[tuple[Seat, int | None]] = []  # None concedes
        self.best: tuple[Seat, int] | None = None
        self.shown: list[Slot] = []
        self.gained = [0, 0]  # by each side in this deal

    # Legal actions.

    def on_turn(self, seat: Seat, hand: Hand) -> Iterator[Play | Call]:
        """R10, R16, R18, R21. Play a card, raise, open the envido, fold."""
        yield from (Play(slot) for slot in self.held(seat, hand))
        if self.may_raise(seat):
            yield Call(TRUCO[self.stake - 1])
        if self.may_open(seat):
            yield from map(Call, ENVIDO)
        yield Call("mazo")

    def may_raise(self, seat: Seat) -> bool:
        """R18.

        On one's turn: truco once for anybody, the higher calls for the side that accepted last.
        """
        return self.stake <= len(TRUCO) and self.right in (None, self.side(seat))

    def may_open(self, seat: Seat) -> bool:
        """R21.

        Before the seat's first card, in the first trick, before a truco is accepted, once, by those
        entitled.
        """
        early = not self.results and self.stake == 1 and seat not in self.played()
        return early and not self.bets and seat in self.openers()

    def openers(self) -> list[Seat]:
        """R21. The seats entitled to open the envido."""
        order = self.seats_from(self.mano)
        if self.players == 2 or self.options["envido_callers"] == "any":
            return order
        return order[-3:-1] if self.options["envido_callers"] == "left" else order[-2:]

    def answers_to_truco(self, seat: Seat, hand: Hand) -> Iterator[Call]:
        """R19, R22. Accept, refuse, raise; to a truco also an envido that comes first."""
        del hand
        assert self.waiting is not None
        word = self.waiting[1]
        yield from map(Call, ANSWERS)
        yield from map(Call, TRUCO[TRUCO.index(word) + 1 :][:1])
        if self.options["envido_first"] and self.may_open(seat):
            yield from map(Call, ENVIDO)

    def answers_to_envido(self, seat: Seat, hand: Hand) -> Iterator[Call]:
        """R23. Accept, refuse, raise."""
        del seat, hand
        yield from map(Call, ANSWERS)
        yield from map(Call, raises(self.calls()))

    def statements(self, seat: Seat, hand: Hand) -> Statements:
        """R27. The number one has, if it is the best so far; or, once there is one, concede."""
        return Statements(self, seat, hand)

    def showings(self, seat: Seat, hand: Hand) -> Iterator[Show]:
        """R29. The smallest sets that prove the number, the one with the first cards first."""
        assert self.best is not None
        number, played = self.best[1], self.played_by(seat)
        dealt = [
            slot
            for slot, holder in self.holder.items()
            if holder == seat and slot in hand and slot not in self.faces
        ]
        dealt.sort(key=lambda slot: SPANISH_40.index(hand[slot]))
        alone = [slot for slot in dealt if proves(number, [*played, hand[slot]])]
        yield from (Show((slot,)) for slot in alone)
        for pair in combinations([slot for slot in dealt if slot not in alone], 2):
            if proves(number, [hand[slot] for slot in pair]):
                yield Show(pair)

    def contradicted(self, faces: Mapping[Slot, Face]) -> Iterator[tuple[Seat, Move, Why]]:
        """R30, R35. A number cannot stand when no hand that fits what lies face up has it."""
        seen = {**self.faces, **faces}
        for seat, number in self.said:
            if number is not None and not self.could_say(seat, number, seen):
                yield seat, Say(number), ("not-your-points", number)

    def could_say(self, seat: Seat, number: int, seen: Mapping[Slot, Face]) -> bool:
        """R30. Whether a seat can have this number, as far as these faces tell."""
        own = [face for slot, face in seen.items() if self.holder.get(slot) == seat]
        return could_have(
            number, own, [face for slot, face in seen.items() if self.holder.get(slot) != seat]
        )

    def beats(self, seat: Seat, number: int) -> bool:
        """R27.

        Whether a number is higher than the best so far, or as high and nearer to the mano.
        """
        if self.best is None:
            return True
        holder, best = self.best
        return (number, -self.after_mano(seat)) > (best, -self.after_mano(holder))

    def why_not(self, seat: Seat, move: Move, hand: Hand) -> Why:
        """Say why a move is refused, R9 first: something else is to be done now."""
        word = move.word if isinstance(move, Call) else ""
        if self.stating:
            return self._why_not_said(seat, move)
        if isinstance(move, Say) or word == "son-buenas":
            return ("no-points-now",)
        waiting = self.betting or self.waiting is not None
        if isinstance(move, Play):
            if waiting:
                return ("answer-first",)
            return ("not-in-hand", hand[move.card]) if move.card in hand else ("not-in-hand",)
        if word == "mazo":
            return ("answer-first",)
        if word in ANSWERS:
            return ("nothing-waits",)
        if word in ENVIDO:
            return self._why_not_envido(seat)
        if word in TRUCO:
            return ("envido-waits",) if self.betting else self._why_not_truco(word)
        return ("not-allowed-now",)

    def _why_not_said(self, seat: Seat, move: Move) -> Why:
        if isinstance(move, Say) and move.number in NUMBERS and not self.beats(seat, move.number):
            assert self.best is not None
            return ("does-not-beat", self.best[1])
        if isinstance(move, Say):
            return ("not-your-points", move.number)
        return ("state-points",) if self.best is None else ("state-or-concede",)

    def _why_not_envido(self, seat: Seat) -> Why:
        if self.betting:
            return ("no-such-raise",)
        if self.bets:
            return ("envido-once",)
        if self.results or seat in self.played():
            return ("envido-too-late",)
        if self.stake > 1:
            return ("truco-accepted",)
        return ("not-your-envido",) if seat not in self.openers() else ("truco-first",)

    def _why_not_truco(self, word: str) -> Why:
        sung = self.stake - 1 + (self.waiting is not None)
        if TRUCO.index(word) < sung:
            return ("sung-already",)
        return ("not-your-raise",) if TRUCO.index(word) == sung else ("not-yet",)

    # Small questions.

    def bet_points(self, side: int, *more: str) -> int:
        """R25, R26. The value of an accepted envido to this side, perhaps after more calls."""
        mine, theirs = self.score[side], self.score[1 - side]
        falta = falta_points(
            self.options["target"], mine, theirs, malas=self.options["falta"] == "malas"
        )
        return accepted_points([*self.calls(), *more], falta)

    def calls(self) -> list[str]:
        """Return the words of the envido's calls."""
        return [word for _, word in self.bets]

    def awake(self, first: Seat) -> list[Seat]:
        """R12, R16.

        The seats that have not folded, in playing order from this one or the next after it.
        """
        return [seat for seat in self.seats_from(first) if seat not in self.folded]

    def awake_of(self, side: int) -> tuple[Seat, ...]:
        """R9, R19. The seats of a side that have not folded, in seat order."""
        return tuple(seat for seat in self.seats_of(side) if seat not in self.folded)

    def played(self) -> list[Seat]:
        """Return who has played to the trick in progress."""
        return [seat for seat, _ in self.tricks[-1]] if self.tricks else []

    def played_by(self, seat: Seat) -> list[Face]:
        """Return the cards that a seat has played in this deal."""
        return [self.faces[slot] for trick in self.tricks for by, slot in trick if by == seat]

    def next_speaker(self) -> Seat | None:
        """R27.

        The first from the mano on that has neither folded nor spoken nor holds the best number with
        its team.
        """
        spoken = [seat for seat, _ in self.said]
        holders = None if self.best is None else self.side(self.best[0])
        return next(
            (
                seat
                for seat in self.awake(self.mano)
                if seat not in spoken and self.side(seat) != holders
            ),
            None,
        )

    def after_mano(self, seat: Seat) -> int:
        """Return how many places a seat sits after the mano."""
        return (seat - self.mano) % self.players


class Statements:
    """R27.

    The numbers that a seat may state: iterated it lists the numbers, asked `move in` it judges one
    without listing any.
    """

    def __init__(self, game: TrucoCalls, seat: Seat, hand: Hand) -> None:
        """Speak of the state as it is when asked.

        `hand` are the faces of the seat's own cards that the caller knows.
        """
        self._game, self._seat = game, seat
        self._seen = {**game.faces, **hand}

    def __iter__(self) -> Iterator[Say | Call]:
        yield from (Say(number) for number in NUMBERS if self._may_say(number))
        if self._game.best is not None:
            yield Call("son-buenas")

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Say):
            return move.number in NUMBERS and self._may_say(move.number)
        return move == Call("son-buenas") and self._game.best is not None

    def _may_say(self, number: int) -> bool:
        """R27, R30. Whether a number beats the best so far and fits the faces."""
        return self._game.beats(self._seat, number) and self._game.could_say(
            self._seat, number, self._seen
        )
