"""Kínaskák.

The paragraph numbers are those of docs/rules/kinaskak.md. Forhönd, spelled `forhond` here, is the
seat to play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from engine.core.cards import rank
from engine.core.moves import Face, Hand, Move, Seat, Slot, Why
from engine.core.options import LEAVING, BadOption, Option
from engine.core.requests import Left
from engine.games.kinaskak import events
from engine.games.kinaskak.melds import (
    CONTRACTS,
    PACK,
    RANKS,
    WORTH,
    Laid,
    MeldRefused,
    exchange,
    lay_off,
)
from engine.games.kinaskak.moves import Discard, Lay, Meld, Reader, Say, Swap, write_move
from engine.games.kinaskak.plays import Plays
from engine.games.kinaskak.table import Spread

__all__ = [
    "CONTRACTS",
    "PACK",
    "WORTH",
    "Discard",
    "Kinaskak",
    "Laid",
    "Lay",
    "Meld",
    "Say",
    "Swap",
]

HAND = 13
"""R8. Cards dealt to each seat."""
PENALTY = 200
"""R14. The cost of a purchase beyond `buys`."""
NO_BUYING = 8
"""R11. The contract in which nothing is bought."""


class Kinaskak(Spread):
    """A match of Kínaskák."""

    name = "kinaskak"
    version = 2
    allowed_players = (3, 4, 5, 6)
    moves = (Say, Meld, Lay, Swap, Discard)
    pack = PACK
    choices: ClassVar[Mapping[str, Option]] = {
        "first_contract": Option(1, range(1, 9), "The contract of the first round."),
        "last_contract": Option(
            8, range(1, 9), "The match ends after the round with this contract."
        ),
        "buys": Option(3, range(6), "Purchases that a seat may make in a round without penalty."),
        "overbuy": Option(
            "penalty",
            ("penalty", "forbidden"),
            "A purchase beyond that: it costs 200 points, or cannot be made.",
        ),
        "dispute": Option(
            "draw",
            ("draw", "seat"),
            "When several want to buy: they draw cards for it, or the nearest after the player.",
        ),
        "lay_off": Option(
            "at-once",
            ("at-once", "next-turn"),
            "When a player that lays down may begin to lay off and to take jokers.",
        ),
        "max_jokers": Option(9, range(1, 10), "Jokers in one meld at most; 9 is no limit."),
        "leaving": LEAVING,
    }

    @classmethod
    def check_options(cls, players: int, options: Mapping[str, Any]) -> None:
        """Refuse to end before the beginning."""
        del players
        if options["last_contract"] < options["first_contract"]:
            raise BadOption("contracts-out-of-order", first=options["first_contract"])

    # The match.

    async def play(self) -> None:
        """R6, R7, R24, R26.

        A round for each contract, each begun by the next seat that stays, and played again if
        somebody leaves in it; the lowest score wins.
        """
        contract = self.options["first_contract"]
        while contract <= self.options["last_contract"]:
            try:
                if self.starter is None:
                    starter = self.seats[await self.toss(len(self.seats))]
                else:
                    starter = self.seats_from(self.starter + 1)[0]
                await self.one_round(contract, starter)
                contract += 1
            except Left as left:
                self.break_off(left.seats)
            if self.too_few:
                self.phase = "over"
                break
        lowest = min(self.score[seat] for seat in self.seats)
        self.winners = tuple(seat for seat in self.seats if self.score[seat] == lowest)

    def break_off(self, leavers: tuple[Seat, ...]) -> None:
        """R26. Nobody pays for the cards of a void round, but penalties stand."""
        super().break_off(leavers)
        if self.round and not self.too_few:
            self.sheet.append([0] * self.players)

    async def one_round(self, contract: int, starter: Seat) -> None:
        """R8, R22. Thirteen cards each, one turned up, and turns until somebody is out."""
        self.clear()
        self.contract, self.starter = contract, starter
        self.round += 1
        self.penalties.append([0] * self.players)
        self.tell(events.Round(self.round, contract, starter))
        await self.shuffle(PACK)
        await self.deal(self.seats_from(starter), each=HAND)
        self.pile = await self.turn_up()
        self.tell(events.OpenCard(self.faces[self.pile[-1]]))
        seat = starter
        while True:
            await self.turn(seat)
            if not self.hands[seat]:
                break
            seat = self.seats_from(seat + 1)[0]
        await self.count(seat)

    async def turn(self, seat: Seat) -> None:
        """R10, R15, R17.

        Take the open card, or let others buy it and draw; then play until a discard or the last
        card.
        """
        self.forhond, self.just_down, self.phase = seat, False, "offer"
        if (await self.ask(seat, self.offers)).word == "take":
            self.gain(seat, self.pile.pop())
        else:
            await self.window(seat)
            await self.draw(seat)
        self.phase = "play"
        thrown = False
        while self.hands[seat] and not thrown:
            move = await self.ask(seat, self.plays)
            thrown = isinstance(move, Discard)
            self.make(seat, move)
        if len(self.hands[seat]) == 1:
            self.tell(events.OneCard(seat))

    # The open card.

    async def window(self, seat: Seat) -> None:
        """R11, R12.

        All who may buy the open card say at once whether they do; of several, R13 finds who does.
        """
        eligible = self.eligible(seat)
        if not eligible:
            return
        self.phase = "window"
        answers = await self.ask_all(eligible, self.answers)
        callers = [other for other in eligible if answers[other].word == "buy"]
        if not callers:
            self.tell(events.NobodyBuys())
            return
        self.tell(events.Buys(tuple(callers)))
        buyer = callers[0] if len(callers) == 1 else await self.dispute(callers)
        await self.purchase(buyer)

    def eligible(self, seat: Seat) -> list[Seat]:
        """R11.

        The seats that are asked when forhönd declines, in playing order; none if no window opens.
        """
        if self.contract == NO_BUYING or len(self.stock) + max(0, len(self.pile) - 2) < 2:
            return []
        spent = [
            self.options["overbuy"] == "forbidden" and made >= self.options["buys"]
            for made in self.purchases
        ]
        return [
            other
            for other in self.seats_from(seat + 1)
            if other not in (seat, self.thrower) and not spent[other]
        ]

    async def dispute(self, callers: Sequence[Seat]) -> Seat:
        """R13.

        The highest card drawn from the stock wins, equals draw again; then all go back into its
        middle.
        """
        self.disputing, how = list(callers), "nearest"
        while self.options["dispute"] == "draw" and len(self.stock) >= len(self.disputing):
            slots = await self.turn_up(len(self.disputing))
            self.drawn += slots
            self.tell(events.Dispute(tuple(self.disputing), self.faces_of(slots)))
            heights = [dispute_height(face) for face in self.faces_of(slots)]
            high = [height == max(heights) for height in heights]
            self.disputing = [
                seat for seat, highest in zip(self.disputing, high, strict=True) if highest
            ]
            if len(self.disputing) == 1:
                how = "drawn"
                break
        winner, middle = self.disputing[0], (len(self.stock) + 1) // 2
        self.stock[middle:middle] = self.drawn
        self.tell(events.DisputeWon(winner, how, len(self.drawn)))
        self.disputing, self.drawn = [], []
        return winner

    async def purchase(self, buyer: Seat) -> None:
        """R14.

        The buyer takes the open card and draws one; beyond `buys` that costs 200 points, at once.
        """
        slot = self.pile.pop()
        self.buyer = buyer
        self.gain(buyer, slot)
        self.purchases[buyer] += 1
        self.tell(events.Bought(buyer, self.faces[slot], self.purchases[buyer]))
        if self.purchases[buyer] > self.options["buys"]:
            self.score[buyer] += PENALTY
            self.penalties[-1][buyer] += PENALTY
            self.tell(events.Penalty(buyer, PENALTY))
        await self.draw(buyer)
        self.buyer = None

    # Forhönd's play.

    def make(self, seat: Seat, move: Move) -> None:
        """R17. Make a legal move."""
        match move:
            case Meld():
                self.lay_down(seat, move)
            case Lay(cards, number):
                longer = lay_off(
                    self.melds[number - 1],
                    cards,
                    self.faces,
                    self.options["max_jokers"],
                    f"m{number}",
                )
                assert isinstance(longer, Laid), "the move was judged"
                self.melds[number - 1] = longer
                self.part_with(seat, move.shows)
            case Swap(card, number):
                self.swap(seat, card, number)
            case Discard(card):
                self.part_with(seat, (card,))
                self.pile.append(card)
                self.thrower = seat

    def lay_down(self, seat: Seat, move: Meld) -> None:
        """R18. The melds are laid out in the order written; a seat does so once in a round."""
        laid = self.plays(seat, self.faces).laid(move)
        assert not isinstance(laid, MeldRefused), "the move was judged"
        self.melds.extend(laid)
        self.down[seat] = self.just_down = True
        self.part_with(seat, move.shows)
        self.tell(events.LaidDown(seat))

    def swap(self, seat: Seat, card: Slot, number: int) -> None:
        """R20. The card goes into the joker's place, the joker into the hand."""
        place = self.melds[number - 1].joker_for(self.faces[card])
        assert place is not None, "the move was judged"
        self.melds[number - 1], joker = exchange(self.melds[number - 1], place, card)
        self.part_with(seat, (card,))
        self.gain(seat, joker)

    # The end of a round.

    async def count(self, out: Seat) -> None:
        """R22, R23. All hands but that of the seat that is out are opened, and cost what they hold.

        A seat that leaves now cannot stop it: the others' hands are counted, then it has left
        (R26).
        """
        self.phase = "count"
        if self.contract == NO_BUYING:
            self.tell(events.Sweep(out))
        else:
            self.tell(events.Out(out))
        others = [seat for seat in self.seats_from(out) if seat != out]
        while True:
            try:
                await self.open(
                    *(slot for seat in others if seat in self.seats for slot in self.hands[seat])
                )
                break
            except Left as left:
                for seat in left.seats:
                    self.tell(events.Gone(seat))
        points = [0] * self.players
        for seat in others:
            if seat in self.seats:
                faces = self.faces_of(self.hands[seat])
                points[seat] = sum([WORTH[face] for face in faces])
                self.score[seat] += points[seat]
                self.tell(events.Left(seat, faces, points[seat]))
        self.sheet.append(points)
        self.tell(
            events.Count(tuple(points), tuple(self.penalties[-1]), tuple(self.score)), picture=True
        )

    # Legal moves.

    def offers(self, seat: Seat, hand: Hand) -> list[Say]:
        """R9, R10. Decline, if there is a card to draw, or take the open one."""
        del seat, hand
        return [Say("decline"), Say("take")] if self.can_draw() else [Say("take")]

    def answers(self, seat: Seat, hand: Hand) -> list[Say]:
        """R12. A seat may buy whatever it holds."""
        del seat, hand
        return [Say("no"), Say("buy")]

    def plays(self, seat: Seat, hand: Hand) -> Plays:
        """R17. The actions of forhönd, as far as these faces tell."""
        return Plays(self, seat, hand)

    def why_not(self, seat: Seat, move: Move, hand: Hand) -> Why:
        """Say why a move is refused.

        The ids are those of engine.games.kinaskak.plays, and not-allowed-now, nothing-to-draw.
        """
        if isinstance(move, Say):
            declined = self.phase == "offer" and move.word == "decline"
            return ("nothing-to-draw",) if declined else ("not-allowed-now",)
        if self.phase != "play" or seat != self.forhond:
            return ("not-allowed-now",)
        return self.plays(seat, hand).why_not(move) or ("not-allowed-now",)

    # Notation and small questions.

    def read(self, text: str, seat: Seat, hand: Hand) -> Move:
        """R10, R12, R18 to R21. See engine.games.kinaskak.moves."""
        return Reader(seat, self.hands[seat], hand, self.faces).read(text)

    def write(self, move: Move, faces: Mapping[Slot, Face]) -> str:
        """Return a move in the notation."""
        return write_move(move, faces)

    def next_pack(self) -> tuple[tuple[Face, ...], tuple[Seat, ...]] | None:
        """R8, R16.

        The next round's pack; nothing in the last round, or when a renewal of the stock may come
        before it.
        """
        if (
            self.phase not in ("offer", "window", "play", "count")
            or self.contract == self.options["last_contract"]
        ):
            return None
        return (PACK, tuple(self.seats)) if len(self.stock) > 2 * self.players else None


def dispute_height(face: Face) -> int:
    """R13. Joker highest, then ace, king and so on down to the 2; suits do not matter."""
    return len(RANKS) + 1 if face == "*" else RANKS.index(rank(face)) or len(RANKS)
