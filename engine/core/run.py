"""A game paused at a request: judge the answer, publish the faces it shows, audit, continue.

One driver serves the open deck, the masked table and the replay. It gets only public faces, except
that `judge` gets those of a caller's hand. A move is judged in the state in which it was asked for;
then its faces become public. A refused move changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core.canonical import fingerprint
from engine.core.game import Game, copy_of
from engine.core.moves import Face, IllegalMove, Move, Seat, Slot
from engine.core.requests import Ask, Left, Request


class ProvenLie(IllegalMove):
    """A face that became public shows that an earlier move of this seat was illegal."""


@dataclass(frozen=True)
class Answered:
    """A public choice: its question, seat and move, and the faces shown."""

    deal: int
    """`Game.round` when it was made."""
    question: str
    """The name of the method that lists the options of this question."""
    seat: Seat
    move: Move
    faces: tuple[Face, ...]
    """Those of the slots in `move.shows`, in order."""


@dataclass
class _Choice:
    """A move made while cards of its seat were hidden, and the state when it was asked for."""

    seat: Seat
    move: Move
    game: Game
    options: str
    known: dict[Slot, Face]
    hidden: set[Slot] = field(default_factory=set)


class Run:
    """A game in progress; `request` is what it waits for, None when the match is over."""

    def __init__(self, game: Game, *, audit: bool = True) -> None:
        """Start the rules.

        Without `audit` no earlier choices are kept, because every move is judged with its whole
        hand.
        """
        self.game = game
        self.request: Request[Any] | None = None
        self.chosen: dict[Seat, Move] = {}
        self.past: list[Answered] = []
        """All choices of players so far, in the order in which they took effect, without automatic
        answers."""
        self._shown: dict[Slot, Face] = {}
        self._audit = audit
        self._choices: list[_Choice] = []
        self._rules = game.play()
        self._advance(None)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.request is None

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats that may choose now, in seat order.

        Empty if the match is over or asks no player.
        """
        request = self.request
        if not isinstance(request, Ask) or request.auto:
            return ()
        return tuple(sorted(seat for seat in request.seats if seat not in self.chosen))

    def fingerprint(self) -> bytes:
        """Return the fingerprint of the public state: 32 bytes."""
        return fingerprint(self.game, self.request)

    def hand(self, seat: Seat, known: Mapping[Slot, Face]) -> dict[Slot, Face]:
        """Return the faces of the slots dealt to this seat that are public or in `known`."""
        faces = self.game.faces
        dealt = (slot for slot, holder in self.game.holder.items() if holder == seat)
        return {
            slot: known[slot] if slot in known else faces[slot]
            for slot in dealt
            if slot in known or slot in faces
        }

    def options(self, seat: Seat, known: Mapping[Slot, Face]) -> Iterator[Move]:
        """Return the legal moves of a seat that is asked, for a caller that knows these faces."""
        assert isinstance(self.request, Ask)
        return iter(self.request.options(seat, self.hand(seat, known)))

    def judge(self, seat: Seat, move: Move, known: Mapping[Slot, Face]) -> None:
        """Raise IllegalMove unless this seat may make this move now, judged by these faces."""
        request = self.request
        if not isinstance(request, Ask) or seat not in request.seats or seat in self.chosen:
            raise IllegalMove(seat, move, ("not-your-turn",))
        hand = self.hand(seat, known)
        if move not in request.options(seat, hand):
            raise IllegalMove(seat, move, self.game.why_not(seat, move, hand))

    def choose(self, seat: Seat, move: Move, known: Mapping[Slot, Face]) -> None:
        """Judge a move and keep it until `conclude`; `known` has all faces that it shows."""
        self.judge(seat, move, known)
        assert not (isinstance(self.request, Ask) and self.request.kind == "any" and move.shows), (
            "ask_any shows no card"
        )
        self.chosen[seat] = move
        self._shown.update(
            {slot: known[slot] for slot in move.shows if slot not in self.game.faces}
        )

    def conclude(self) -> None:
        """Answer the question with the chosen moves: publish, audit, continue.

        Of several answers to an `any`, that of the first seat in `request.seats` counts.
        """
        request = self.request
        assert isinstance(request, Ask)
        moves = {seat: self.chosen[seat] for seat in request.seats if seat in self.chosen}
        if request.kind == "any":
            moves = dict([next(iter(moves.items()))])
        else:
            assert len(moves) == len(request.seats), "every seat that is asked has chosen"
        self._look_back(self._shown)
        made = self._made(request, moves)
        self._publish(self._shown, made)
        if not request.auto:
            self.past.extend(self._answered(request, moves))
        self._advance(moves)

    def opened(self, faces: Mapping[Slot, Face]) -> None:
        """Answer an `Open` with the faces of its slots.

        ProvenLie if they convict a seat; then nothing has changed.
        """
        self._look_back(faces)
        self._publish(faces, [])
        self._advance(None)

    def answer(self, value: Any = None) -> None:
        """Answer a request that brings no faces.

        The value is None for a shuffle, a deal or a proof, and the number for a toss.
        """
        self._advance(value)

    def leave(self, seats: Sequence[Seat]) -> None:
        """Remove seats, in seat order, from the match at once.

        The answers to the pending request are dropped.
        """
        leaving = tuple(seats)
        assert leaving == tuple(sorted(leaving)) != (), "in seat order, and somebody"
        if self.over or not self.game.may_leave(*leaving):
            raise IllegalMove(leaving[0], None, ("may-not-leave",))
        self.game.seats = [seat for seat in self.game.seats if seat not in leaving]
        self._advance(None, Left(leaving))

    def _answered(self, request: Ask[Any], moves: Mapping[Seat, Move]) -> Iterator[Answered]:
        for seat, move in moves.items():
            faces = self.game.faces_of(move.shows)
            yield Answered(self.game.round, request.options.__name__, seat, move, faces)

    def _made(self, request: Ask[Any], moves: Mapping[Seat, Move]) -> list[_Choice]:
        """Return these choices for the audit, if cards of their seats are hidden."""
        if not self._audit:
            return []
        made: list[_Choice] = []
        for seat, move in moves.items():
            hand = self.hand(seat, self._shown)
            hidden = {
                slot
                for slot, holder in self.game.holder.items()
                if holder == seat and slot not in hand
            }
            if hidden:
                state = made[0].game if made else copy_of(self.game)
                made.append(_Choice(seat, move, state, request.options.__name__, hand, hidden))
        return made

    def _look_back(self, faces: Mapping[Slot, Face]) -> None:
        """Audit earlier choices with the newly shown faces.

        Knowing fewer faces never makes a move illegal, so a refusal proves a lie.
        """
        if not self._audit:
            return
        for choice in self._choices:
            shown = {slot: face for slot, face in faces.items() if slot in choice.hidden}
            if shown:
                hand = {**choice.known, **shown}
                if choice.move not in getattr(choice.game, choice.options)(choice.seat, hand):
                    raise ProvenLie(
                        choice.seat,
                        choice.move,
                        choice.game.why_not(choice.seat, choice.move, hand),
                    )
        for seat, move, why in self.game.contradicted(faces):
            raise ProvenLie(seat, move, why)

    def _publish(self, faces: Mapping[Slot, Face], made: list[_Choice]) -> None:
        for choice in self._choices:
            shown = choice.hidden.intersection(faces)
            choice.known.update({slot: faces[slot] for slot in shown})
            choice.hidden -= shown
        self._choices = [choice for choice in self._choices if choice.hidden] + made
        self.game.faces.update(faces)

    def _advance(self, value: Any, left: Left | None = None) -> None:
        self.chosen, self._shown = {}, {}
        self.game.told, self.game.pictures = [], {}
        try:
            request = self._rules.throw(left) if left else self._rules.send(value)
        except StopIteration:
            self.request = None
            return
        assert isinstance(request, Request), "rules may only await the table"
        self.request = request
        if not self.game.holder:
            self._choices = []  # a new deal: cards that stayed hidden are never audited
