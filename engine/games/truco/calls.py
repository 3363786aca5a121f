"""The state of a deal of Truco, the legal actions of each seat, and reasons for a refusal.

The actions are cards, calls, numbers and cards shown.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from engine.core.cards import SPANISH_40
from engine.core.game import Game
from engine.core.moves import Face, Hand, Move, Seat, Slot, Why
from engine.games.truco.moves import (
    ANSWERS,
    ENVIDO,
    FLOR,
    FLOR_ANSWERS,
    NO_FLOR,
    OF_FLOR,
    TRUCO,
    Call,
    Play,
    Say,
    Show,
)
from engine.games.truco.worth import (
    FLORS,
    NUMBERS,
    accepted_points,
    could_be_flor,
    could_have,
    falta_points,
    flor_accepted,
    flor_points,
    is_flor,
    proves,
    raises,
)


class TrucoCalls(Game):
    """The state of a match of Truco; engine.games.truco.rules changes it."""

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
        "flors",
        "flor_open",
        "flor_won",
    )
    notes = (*Game.notes, "shown", "gained")

    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        """Set up an unplayed match."""
        super().__init__(players, options)
        self.sides = 2
        self.mano: Seat = 0
        self.clear()

    def clear(self) -> None:
        """R8. Clear the table: nobody has folded or called, and the deal is worth 1 point."""
        self.lay_aside()
        self.tricks: list[list[tuple[Seat, Slot]]] = []  # each in the order of play
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
        self.flors: list[tuple[Seat, str]] = []  # the words of the flor, except `no-tengo`
        self.flor_open = False  # the last call among them waits for an answer
        self.flor_won: Seat | None = None  # the seat whose flor has won, to be shown at the end
        self.shown: list[Slot] = []
        self.gained = [0, 0]  # by each side in this deal

    def on_turn(self, seat: Seat, hand: Hand) -> Iterator[Play | Call]:
        """R10, R16, R18, R21, R38. Play, raise, open the envido, fold; a flor comes first."""
        if (yield from self._flor_first(seat, hand)):
            return
        yield from (Play(slot) for slot in self.held(seat, hand))
        if self.may_raise(seat):
            yield Call(TRUCO[self.stake - 1])
        if self.may_open(seat):
            yield from map(Call, ENVIDO)
        yield Call("mazo")

    def _flor_first(self, seat: Seat, hand: Hand) -> Generator[Call, None, bool]:
        """R38. Call the flor if the seat may; return whether it must."""
        may, must = self.flor_due(seat, hand)
        if may:
            yield Call(FLOR[0])
        return must

    def may_raise(self, seat: Seat) -> bool:
        """R18. Whether a seat may raise on its turn.

        Any seat may call truco, and the side that accepted last the higher calls.
        """
        return self.stake <= len(TRUCO) and self.right in (None, self.side(seat))

    def may_open(self, seat: Seat) -> bool:
        """R21. Whether a seat may open the envido: once, if entitled, and early enough."""
        return self._early(seat) and not (self.bets or self.flors) and seat in self.openers()

    def _early(self, seat: Seat) -> bool:
        """R21, R38. In the first trick, before the seat's card and before a truco is accepted."""
        return not self.results and self.stake == 1 and seat not in self.played()

    def openers(self) -> list[Seat]:
        """R21. The seats entitled to open the envido."""
        order = self.seats_from(self.mano)
        if self.players == 2 or self.options["envido_callers"] == "any":
            return order
        return order[-3:-1] if self.options["envido_callers"] == "left" else order[-2:]

    def answers_to_truco(self, seat: Seat, hand: Hand) -> Iterator[Call]:
        """R19, R22, R38. Accept, refuse, raise; perhaps an envido first; above all a flor."""
        assert self.waiting is not None
        word = self.waiting[1]
        if (yield from self._flor_first(seat, hand)):
            return
        yield from map(Call, ANSWERS)
        yield from map(Call, TRUCO[TRUCO.index(word) + 1 :][:1])
        if self.options["envido_first"] and self.may_open(seat):
            yield from map(Call, ENVIDO)

    def answers_to_envido(self, seat: Seat, hand: Hand) -> Iterator[Call]:
        """R23, R38. Accept, refuse, raise; a flor comes first."""
        if (yield from self._flor_first(seat, hand)):
            return
        yield from map(Call, ANSWERS)
        yield from map(Call, raises(self.calls()))

    def flor_due(self, seat: Seat, hand: Hand) -> tuple[bool, bool]:
        """R38. Whether a seat may call a flor now, and whether it must, judged by known faces."""
        if not self.options["flor"] or not self._early(seat) or self.flors or self.said:
            return False, False
        has = self.has_flor(seat, hand)
        return has is not False, has is True

    def has_flor(self, seat: Seat, hand: Hand) -> bool | None:
        """R38. Whether the cards dealt to a seat are of one suit; None if unknown."""
        dealt = [slot for slot, holder in self.holder.items() if holder == seat]
        known = [hand[slot] for slot in dealt if slot in hand]
        if known and not is_flor(known):
            return False
        return True if len(known) == len(dealt) else None

    def answers_to_flor(self, seat: Seat, hand: Hand) -> Iterator[Call]:
        """R39, R40. Deny having a flor; or accept, give in, raise."""
        has, calls = True if len(self.flors) > 1 else self.has_flor(seat, hand), self.flor_calls()
        if has is not True:
            yield Call(NO_FLOR)
        if has is not False:
            yield from map(Call, (*FLOR_ANSWERS, *FLOR[FLOR.index(calls[-1]) + 1 :]))

    def flor_calls(self) -> list[str]:
        """R40. The calls of the flor, without the answers."""
        return [word for _, word in self.flors if word in FLOR]

    def flor_rivals(self, seat: Seat) -> list[Seat]:
        """R39. The seats that must say, in this order, whether they have a flor against a seat."""
        return [
            other
            for other in self.awake(seat)
            if self.side(other) != self.side(seat) and other not in self.played()
        ]

    def flor_seats(self) -> list[Seat]:
        """R40. The seats whose flors meet: the first to call, and the one that answered."""
        return list(dict.fromkeys(seat for seat, _ in self.flors))

    def statements(self, seat: Seat, hand: Hand) -> Statements:
        """R27. State one's number if it is the best so far; or, once there is one, concede."""
        return Statements(self, seat, hand)

    def showings(self, seat: Seat, hand: Hand) -> Iterator[Show]:
        """R29. Yield the smallest sets that prove the number, in the order of the first cards.

        R42. Of a flor, all its cards.
        """
        if self.flors:
            yield from self._flor_shown(seat, hand)
            return
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

    def _flor_shown(self, seat: Seat, hand: Hand) -> Iterator[Show]:
        """R42. Yield all closed cards of the seat, if its cards are the flor that it has called."""
        dealt = [slot for slot, holder in self.holder.items() if holder == seat]
        if not all(slot in hand for slot in dealt):
            return
        cards = [hand[slot] for slot in dealt]
        stated = [number for by, number in self.said if by == seat and number is not None]
        if is_flor(cards) and stated in ([], [flor_points(cards)]):
            yield Show(tuple(slot for slot in dealt if slot not in self.faces))

    def contradicted(self, faces: Mapping[Slot, Face]) -> Iterator[tuple[Seat, Move, Why]]:
        """R30, R35. Yield statements that no hand consistent with the public faces can have."""
        seen = {**self.faces, **faces}
        for seat, number in self.said:
            if number is not None and not self.could_say(seat, number, seen):
                yield seat, Say(number), self._why_not_number(number)
        for seat in self.flor_seats():
            own = [face for slot, face in seen.items() if self.holder.get(slot) == seat]
            if not could_be_flor(own, [face for face in seen.values() if face not in own]):
                yield seat, Call(FLOR[0]), ("no-flor",)

    def could_say(self, seat: Seat, number: int, seen: Mapping[Slot, Face]) -> bool:
        """R30. Whether a seat can have this number, judged by these faces."""
        own = [face for slot, face in seen.items() if self.holder.get(slot) == seat]
        others = [face for slot, face in seen.items() if self.holder.get(slot) != seat]
        if self.flors:
            return could_be_flor(own, others, number)
        return could_have(number, own, others)

    def numbers(self) -> Sequence[int]:
        """R20, R41. The numbers that may be stated: of flors, or envido points."""
        return FLORS if self.flors else NUMBERS

    def beats(self, seat: Seat, number: int) -> bool:
        """R27. Whether a number is higher than the best so far, or equal and nearer to the mano."""
        if self.best is None:
            return True
        holder, best = self.best
        return (number, -self.after_mano(seat)) > (best, -self.after_mano(holder))

    def why_not(self, seat: Seat, move: Move, hand: Hand) -> Why:
        """Return why a move is refused; R9 comes first: something else is due now."""
        word = move.word if isinstance(move, Call) else ""
        if isinstance(move, Show) and (self.flors or self.best is not None):
            return self._why_not_shown(seat, hand)
        if self.stating:
            return self._why_not_said(seat, move)
        if isinstance(move, Say) or word == "son-buenas":
            return ("no-points-now",)
        if self.flor_open or word in OF_FLOR:
            return self._why_not_flor(seat, word, hand)
        if self.flor_due(seat, hand)[1]:
            return ("flor-first",)
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
        if (
            isinstance(move, Say)
            and move.number in self.numbers()
            and not self.beats(seat, move.number)
        ):
            assert self.best is not None
            return ("does-not-beat", self.best[1])
        if isinstance(move, Say):
            return self._why_not_number(move.number)
        if self.best is not None:
            return ("state-or-concede",)
        return ("state-flor",) if self.flors else ("state-points",)

    def _why_not_shown(self, seat: Seat, hand: Hand) -> Why:
        """R29, R42. Return why these cards do not show the winning number."""
        if not self.flors:
            return ("not-the-proof",)
        has = self.has_flor(seat, hand)
        cards = [face for slot, face in hand.items() if self.holder.get(slot) == seat]
        stated = [number for by, number in self.said if by == seat and number is not None]
        if has and stated and stated != [flor_points(cards)]:
            return ("not-your-flor", stated[-1])
        return ("no-flor",) if has is False else ("not-the-proof",)

    def _why_not_number(self, number: int) -> Why:
        return ("not-your-flor", number) if self.flors else ("not-your-points", number)

    def _why_not_flor(self, seat: Seat, word: str, hand: Hand) -> Why:
        if not self.options["flor"]:
            return ("flor-not-played",)
        if self.flor_open:
            if word not in OF_FLOR:
                return ("flor-waits",)
            if word == FLOR[0]:
                return ("flor-once",)
            if word == NO_FLOR:
                return ("have-flor",)
            raised = word in FLOR and len(self.flors) > 1
            return ("flor-no-raise",) if raised else ("no-flor",)
        if word != FLOR[0]:
            return ("no-flor-waits",)
        if self.flors:
            return ("flor-once",)
        return ("no-flor",) if self.has_flor(seat, hand) is False else ("flor-too-late",)

    def _why_not_envido(self, seat: Seat) -> Why:
        if self.flors:
            return ("flor-sung",)
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

    def bet_points(self, side: int, *more: str) -> int:
        """R25, R26. The value of an accepted envido to this side, perhaps after more calls."""
        return accepted_points([*self.calls(), *more], self.falta(side))

    def flor_worth(self, side: int, *more: str) -> int:
        """R40. The value of an accepted flor to this side, perhaps after more calls."""
        return flor_accepted([*self.flor_calls(), *more], self.falta(side))

    def falta(self, side: int) -> int:
        """R26. The value of an accepted falta envido to this side."""
        mine, theirs = self.score[side], self.score[1 - side]
        malas = self.options["falta"] == "malas"
        return falta_points(self.options["target"], mine, theirs, malas=malas)

    def calls(self) -> list[str]:
        """Return the words of the envido's calls."""
        return [word for _, word in self.bets]

    def awake(self, first: Seat) -> list[Seat]:
        """R12, R16. Return the seats that have not folded, in playing order from `first` on."""
        return [seat for seat in self.seats_from(first) if seat not in self.folded]

    def awake_of(self, side: int) -> tuple[Seat, ...]:
        """R9, R19. The seats of a side that have not folded, in seat order."""
        return tuple(seat for seat in self.seats_of(side) if seat not in self.folded)

    def played(self) -> list[Seat]:
        """Return the seats that have played to the trick in progress."""
        return [seat for seat, _ in self.tricks[-1]] if self.tricks else []

    def played_by(self, seat: Seat) -> list[Face]:
        """Return the cards that a seat has played in this deal."""
        return [self.faces[slot] for trick in self.tricks for by, slot in trick if by == seat]

    def next_speaker(self) -> Seat | None:
        """R27. Return the next seat to state points, in order from the mano.

        Seats that have folded or spoken are passed over, and those whose team holds the best
        number.
        """
        spoken = [seat for seat, _ in self.said]
        holders = None if self.best is None else self.side(self.best[0])
        return next(
            (
                seat
                for seat in self.awake(self.mano)
                if seat not in spoken and self.side(seat) != holders
                if not self.flors or seat in self.flor_seats()
            ),
            None,
        )

    def after_mano(self, seat: Seat) -> int:
        """Return how many seats after the mano a seat sits."""
        return (seat - self.mano) % self.players


class Statements:
    """R27. The numbers that a seat may state: iteration lists them, `move in` judges one."""

    def __init__(self, game: TrucoCalls, seat: Seat, hand: Hand) -> None:
        """Refer to the game, whose state counts when asked.

        `hand` are the faces of the seat's own cards that the caller knows.
        """
        self._game, self._seat = game, seat
        self._seen = {**game.faces, **hand}

    def __iter__(self) -> Iterator[Say | Call]:
        yield from (Say(number) for number in self._game.numbers() if self._may_say(number))
        if self._game.best is not None:
            yield Call("son-buenas")

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Say):
            return move.number in self._game.numbers() and self._may_say(move.number)
        return move == Call("son-buenas") and self._game.best is not None

    def _may_say(self, number: int) -> bool:
        """R27, R30. Whether a number beats the best so far and fits the faces."""
        return self._game.beats(self._seat, number) and self._game.could_say(
            self._seat, number, self._seen
        )
