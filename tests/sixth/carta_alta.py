"""Carta alta, the sixth game: the recipe of docs/adding-a-game.md carried out. For 2 to 4 seats,
one Spanish pack.

A1. The toss gives the first player of the first deal; then it is the next seat's turn. A2. Each
deal has a fresh pack and three cards for every seat. A3. Three times round, everybody lays one card
face up. A4. A rank higher than all others of its round brings a point. A5. After `deals` deals the
highest score wins, equals together. A6. A player that leaves has lost, and the others win.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.cards import SPANISH_40, rank
from engine.core.events import GameEvent
from engine.core.game import Game
from engine.core.moves import Face, Hand, Move, NotAMove, Seat, Slot
from engine.core.notation import find_slot, read_card
from engine.core.options import Option
from engine.core.requests import Left


@dataclass(frozen=True)
class High(GameEvent):
    """A4. The seat has won a round with this card."""

    seat: Seat
    card: Face


@dataclass(frozen=True)
class Lay(Move):
    """Lay a card face up."""

    card: Slot

    @property
    def shows(self) -> tuple[Slot, ...]:
        """The card."""
        return (self.card,)


class CartaAlta(Game):
    """A match of Carta alta."""

    name = "carta-alta"
    allowed_players = (2, 3, 4)
    pack = SPANISH_40
    moves = (Lay,)
    state = (*Game.state, "laid")
    choices: ClassVar[Mapping[str, Option]] = {
        "deals": Option(1, range(1, 6), "How many deals a match has.")
    }

    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        super().__init__(players, options)
        self.laid: dict[Seat, Slot] = {}

    async def play(self) -> None:
        """A1, A5, A6. Deals, then the highest score; a player that leaves has lost."""
        try:
            first = await self.toss(self.players)
            while self.round < self.options["deals"]:
                await self.one_deal(self.seats_from(first + self.round))
            best = max(self.score)
        except Left:
            best = max(self.score[seat] for seat in self.seats)
        self.winners = tuple(seat for seat in self.seats if self.score[seat] == best)

    async def one_deal(self, order: list[Seat]) -> None:
        """A2, A3. Three cards each, laid one at a time."""
        self.round += 1
        self.lay_aside()
        await self.shuffle(self.pack)
        await self.deal(order, each=3)
        for _ in range(3):
            self.laid = {}
            for seat in order:
                move = await self.ask(seat, self.cards)
                self.hands[seat].remove(move.card)
                self.laid[seat] = move.card
            self.count()

    def count(self) -> None:
        """A4. The highest rank of a round, if it stands alone, brings a point."""
        ranks = {seat: int(rank(self.faces[slot])) for seat, slot in self.laid.items()}
        high = max(ranks.values())
        best = [seat for seat in ranks if ranks[seat] == high]
        if len(best) == 1:
            self.score[best[0]] += 1
            self.tell(High(best[0], self.faces[self.laid[best[0]]]))

    def cards(self, seat: Seat, hand: Hand) -> Iterator[Lay]:
        """A3. Any card of the hand may be laid."""
        return (Lay(slot) for slot in self.held(seat, hand))

    def table(self) -> list[Face]:
        """The cards laid in this round."""
        return [self.faces[slot] for slot in self.laid.values()]

    def read(self, text: str, seat: Seat, hand: Hand) -> Move:
        """`lay CARD`."""
        verb, *words = text.split()
        if verb != "lay" or len(words) != 1:
            raise NotAMove("`lay CARD`")
        return Lay(
            find_slot(
                seat, read_card(words[0], self.is_card), self.held(seat, hand), hand, self.faces
            )
        )

    def write(self, move: Move, faces: Mapping[Slot, Face]) -> str:
        """`lay CARD`."""
        assert isinstance(move, Lay)
        return f"lay {faces[move.card]}"
