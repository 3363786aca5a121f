"""A game of a few lines that awaits everything there is to await, so that nothing of the interface
is guesswork.

Tiny, for 2 to 4 seats, with the ranks 1 to 7 of oros and copas; a match is `deals` deals.

T1. A toss gives the eldest of the first deal. T2. Two cards each, two turned up. T3. Programs say
whether their seat holds a seven, and show it; those who deny it prove it. T4. All bid 0 to 2 under
seal. T5. Any seat but the eldest may double for all. T6. Each seat plays a card higher than the one
before, or passes, proving that it has none, and draws a card; its program shows that card if it is
a 6 or a 7, or else proves that it is not. T7. The cards played and turned up are shuffled again,
under the keys of the two eldest only, and these get one each. T8. All hands are opened and their
ranks counted; the last to play gets the stake. T9. A seat that leaves breaks off the deal; while
two are left a new one begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from unittest.mock import patch

from engine.core.cards import SPANISH_40, rank
from engine.core.events import BrokenOff, GameEvent
from engine.core.game import Game
from engine.core.moves import Face, Hand, Move, NotAMove, Seat, Slot
from engine.core.notation import find_slot, read_card, read_number
from engine.core.options import Option
from engine.core.requests import Left
from engine.games import GAMES

PACK = tuple(card for card in SPANISH_40 if card[-1] in "oc" and int(rank(card)) <= 7)


@dataclass(frozen=True)
class Play(Move):
    """Play a card, or show it: its face becomes public."""

    card: Slot

    @property
    def shows(self) -> tuple[Slot, ...]:
        return (self.card,)


@dataclass(frozen=True)
class Say(Move):
    """Double, pass, or deny."""

    word: str


@dataclass(frozen=True)
class Bid(Move):
    """Bid a number."""

    number: int


@dataclass(frozen=True)
class Doubled(GameEvent):
    """T5. The seat doubles for all."""

    seat: Seat


@dataclass(frozen=True)
class Counted(GameEvent):
    """T8. The hands of all seats."""

    score: tuple[int, ...]


class Tiny(Game):
    """A match of Tiny."""

    name = "tiny"
    leaving = "go-on"
    allowed_players = (2, 3, 4)
    moves = (Play, Say, Bid)
    pack = PACK
    state = (*Game.state, "stake", "bids", "on_table", "drawn")
    choices: ClassVar[Mapping[str, Option]] = {
        "deals": Option(2, range(1, 10), "Deals in a match.")
    }

    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        super().__init__(players, options)
        self.stake = 1
        self.bids: dict[Seat, int] = {}
        self.on_table: list[Slot] = []
        self.drawn: Slot | None = None

    def ends_without(self, *seats: Seat) -> bool:
        return super().ends_without(*seats) or self.round == self.options["deals"]

    async def play(self) -> None:
        first: Seat | None = None
        while len(self.seats) > 1 and self.round < self.options["deals"]:
            try:
                if first is None:
                    first = await self.toss(self.players)
                await self.one_deal(self.seats_from(first))
            except Left as left:
                self.tell(BrokenOff(left.seats))
        best = max(self.score[seat] for seat in self.seats)
        self.winners = tuple(seat for seat in self.seats if self.score[seat] == best)

    async def one_deal(self, order: list[Seat]) -> None:
        self.lay_aside()
        self.round += 1
        self.stake, self.bids, self.on_table, self.drawn = 1, {}, [], None
        await self.shuffle(PACK)
        await self.deal(order, each=2)
        self.on_table = await self.turn_up(2)
        said = await self.ask_all(order, self.sevens, auto=True)
        await self.prove(
            [seat for seat, move in said.items() if isinstance(move, Say)],
            [card for card in PACK if value(card) < 7],
        )
        bids = await self.ask_all(order, self.may_bid)
        self.bids = {seat: bid.number for seat, bid in bids.items()}
        by, answer = await self.ask_any(order[1:], self.may_double)
        if answer == Say("double"):
            self.stake = 2
            self.tell(Doubled(by))
        for seat in order:
            await self.turn(seat)
        await self.again(order[:2])
        for seat in order:
            cards = await self.open(*self.hands[seat])
            self.score[seat] += sum(map(value, cards)) + self.bids[seat]
        self.tell(Counted(tuple(self.score)))

    async def turn(self, seat: Seat) -> None:
        low = [card for card in PACK if value(card) <= self.highest()]
        move = await self.ask(seat, self.plays)
        if isinstance(move, Play):
            self.hands[seat].remove(move.card)
            self.on_table.append(move.card)
            self.score[seat] += self.stake
            return
        await self.prove([seat], low)
        await self.deal([seat], each=1)
        self.drawn = self.hands[seat][-1]
        if await self.ask(seat, self.is_high, auto=True) == Say("deny"):
            await self.prove([seat], [card for card in PACK if value(card) < 6], slots=[self.drawn])

    async def again(self, order: list[Seat]) -> None:
        """T7. The rest of the stock stays below, unused."""
        left, self.stock = self.stock, []
        used = sorted(self.faces[slot] for slot in self.on_table)
        self.on_table = []
        await self.shuffle(used, seats=order)
        await self.deal(order, each=1)
        self.stock += left

    def highest(self) -> int:
        return value(self.faces[self.on_table[-1]])

    def sevens(self, seat: Seat, hand: Hand) -> Iterator[Move]:
        """T3. A seven is shown; denying is for a seat that has none."""
        held = [slot for slot in self.held(seat, hand) if value(hand[slot]) == 7]
        yield from map(Play, held)
        if not held:
            yield Say("deny")

    def may_bid(self, seat: Seat, hand: Hand) -> Iterator[Move]:
        """T4. 0 to 2."""
        del seat, hand
        yield from map(Bid, range(3))

    def may_double(self, seat: Seat, hand: Hand) -> Iterator[Move]:
        """T5. Double or pass."""
        del seat, hand
        yield from (Say("double"), Say("pass"))

    def plays(self, seat: Seat, hand: Hand) -> Iterator[Move]:
        """T6. A higher card, or pass if there is none."""
        higher = [slot for slot in self.held(seat, hand) if value(hand[slot]) > self.highest()]
        yield from map(Play, higher)
        if not higher:
            yield Say("pass")

    def is_high(self, seat: Seat, hand: Hand) -> Iterator[Move]:
        """T6. A drawn 6 or 7 is shown; denying is for a seat that drew less."""
        del seat
        if self.drawn in hand and value(hand[self.drawn]) >= 6:
            yield Play(self.drawn)
        else:
            yield Say("deny")

    def table(self) -> list[Face]:
        return [self.faces[slot] for slot in self.on_table]

    def read(self, text: str, seat: Seat, hand: Hand) -> Move:
        match text.split():
            case ["play", card]:
                return Play(
                    find_slot(
                        seat, read_card(card, self.is_card), self.hands[seat], hand, self.faces
                    )
                )
            case ["bid", number]:
                return Bid(read_number(number))
            case [("double" | "pass" | "deny") as word]:
                return Say(word)
        raise NotAMove(f"Tiny has no {text!r}")

    def write(self, move: Move, faces: Mapping[Slot, Face]) -> str:
        match move:
            case Play(card):
                return f"play {faces[card]}"
            case Bid(number):
                return f"bid {number}"
            case Say(word):
                return word
        raise AssertionError(move)


def value(card: Face) -> int:
    return int(rank(card))


def listing(*games: type[Game]) -> Any:
    """Return a context in which these games, or Tiny alone, are in the catalogue."""
    return patch.dict(GAMES.classes, {game.name: game for game in games or (Tiny,)})
