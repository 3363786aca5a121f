"""Play with open decks: this module answers every request except the players' choices.

It serves tests, scenarios, lessons and replays. The caller gives the order of the cards and the
results of tosses. Every move is judged with the whole hand, so no audit is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from engine.core.game import Game
from engine.core.moves import Choose, Face, Hand, Move, Seat, Slot
from engine.core.requests import Ask, Deal, Deck, Open, Prove, Shuffle, Toss
from engine.core.run import Run
from engine.core.view import View, view_for

Arrange: TypeAlias = Callable[[Deck], Sequence[Face]]
"""A function that orders the cards of a deck, the first one dealt first; a short list is completed.
"""

Answer: TypeAlias = tuple[Seat, Move | None]
"""An action of a seat: a move, or None for leaving."""


class BadDeck(Exception):
    """An arrangement has a card twice, or one that is not among those shuffled."""


class OpenDeck:
    """A match with open cards, stopped at the next choice of a player, or over."""

    def __init__(
        self, game: Game, decks: Sequence[Sequence[Face]] | Arrange = (), first: int = 0
    ) -> None:
        """Start a match.

        `decks` has one list per shuffle, or makes them; `first` is the result of the toss.
        """
        self.run = Run(game, audit=False)
        self.game = game
        self.faces: dict[Slot, Face] = {}  # of every slot so far
        self.laid: list[tuple[Face, ...]] = []  # the decks in the order of their shuffles
        self.answers: list[Answer] = []  # all choices of players
        self.attested: list[tuple[Seat, Move]] = []  # the automatic answers
        self._arrange = decks if callable(decks) else _from_lists(decks)
        self.first = first
        self.go_on()

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats that may choose now, in seat order."""
        return self.run.turn

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.run.over

    def options(self, seat: Seat) -> Iterator[Move]:
        """Return the legal moves of a seat that may choose."""
        return self.run.options(seat, self.faces)

    def known(self, seat: Seat) -> Hand:
        """Return the faces of all slots dealt to a seat in this deal."""
        return self.run.hand(seat, self.faces)

    def hand(self, seat: Seat) -> list[Face]:
        """Return the cards still in a seat's hand, in the order in which they came."""
        return [self.faces[slot] for slot in self.game.hands[seat]]

    def view(self, seat: Seat | None) -> View:
        """Return what a seat may see."""
        return view_for(self.run, seat, self.faces)

    def judge(self, seat: Seat, move: Move) -> None:
        """Raise IllegalMove if this move may not be made now."""
        self.run.judge(seat, move, self.faces)

    def act(self, seat: Seat, move: Move) -> None:
        """Make a move, or raise IllegalMove and change nothing.

        Sealed answers take effect once the last is in.
        """
        self.run.choose(seat, move, self.faces)
        self.answers.append((seat, move))
        request = self.run.request
        assert isinstance(request, Ask)
        if request.kind != "all" or len(self.run.chosen) == len(request.seats):
            self.run.conclude()
            self.go_on()

    def leave(self, seat: Seat) -> None:
        """Remove a seat from the match, or raise IllegalMove."""
        self.run.leave((seat,))
        self.answers.append((seat, None))
        self.go_on()

    def replay(self, answers: Iterable[Answer]) -> None:
        """Make all these moves."""
        for seat, move in answers:
            if move is None:
                self.leave(seat)
            else:
                self.act(seat, move)

    def go_on(self) -> None:
        """Answer requests until a player must choose."""
        run = self.run
        while (request := run.request) is not None:
            if isinstance(request, Ask):
                if not request.auto:
                    return
                self.attest(request)
            else:
                self.answer(request)

    def answer(self, request: Any) -> None:
        """Answer a request that is no question to players."""
        match request:
            case Shuffle(deck):
                order = complete(deck, self._arrange(deck))
                self.laid.append(order)
                self.faces.update(zip(deck.slots, order, strict=True))
                self.run.answer()
            case Deal():
                self.run.answer()
            case Open(slots):
                self.run.opened({slot: self.faces[slot] for slot in slots})
            case Prove(claims, among):
                proven = all(
                    self.faces[slot] in among for slots in claims.values() for slot in slots
                )
                assert proven, "rules ask for proofs only of claims made by moves"
                self.run.answer()
            case Toss(_, sides):
                self.run.answer(self.first % sides)

    def attest(self, request: Ask[Any]) -> None:
        """Answer an automatic question: it has one answer for each seat."""
        for seat in request.seats:
            move = next(self.run.options(seat, self.faces))
            self.run.choose(seat, move, self.faces)
            self.attested.append((seat, move))
        self.run.conclude()


def complete(deck: Deck, given: Sequence[Face]) -> tuple[Face, ...]:
    """Return a whole deck that begins with the given cards.

    The others follow in the order of the pack. Raises BadDeck.
    """
    rest = list(deck.cards)
    for card in given:
        if card not in rest:
            twice = (
                "twice or more often than there are"
                if card in deck.cards
                else "though it is not among those shuffled"
            )
            raise BadDeck(f"deck {deck.number} has {card} {twice}")
        rest.remove(card)
    return (*given, *rest)


def shuffled(choose: Choose) -> Arrange:
    """Return an arrangement that shuffles every deck with these choices (Fisher and Yates)."""

    def arrange(deck: Deck) -> list[Face]:
        cards = list(deck.cards)
        for last in range(len(cards) - 1, 0, -1):
            other = choose(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return cards

    return arrange


def _from_lists(decks: Sequence[Sequence[Face]]) -> Arrange:
    def arrange(deck: Deck) -> Sequence[Face]:
        return decks[deck.number - 1] if deck.number <= len(decks) else ()

    return arrange
