"""Kínaskák.

The paragraph numbers are those of docs/rules/kinaskak.md. Forhönd, here `forhond`, is the seat to
play.
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

HAND = 13
"""R8. Cards dealt to each seat."""
PENALTY = 200
"""R14. The cost of a purchase beyond `buys`."""
NO_BUYING = 8
"""R11. The contract without buying."""


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
        """Reject a last contract before the first."""
        del players
        if options["last_contract"] < options["first_contract"]:
            raise BadOption("contracts-out-of-order", first=options["first_contract"])

    async def play(self) -> None:
        """R6, R7, R24, R26. Play a round for each contract; the lowest score wins.

        Each round is begun by the next seat that stays, and repeated if a seat leaves in it.
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
        """R8, R22. Deal thirteen cards each, turn one up, and play turns until a seat is out."""
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
        """R10, R15, R17. Play a turn until a discard or the last card.

        It begins with taking the open card, or with letting others buy it and drawing.
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

    async def window(self, seat: Seat) -> None:
        """R11, R12. Ask all who may buy the open card at once; of several, R13 finds the buyer."""
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
        """R11. Return the seats to ask when forhönd declines, in order; none without a window."""
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
        """R13. Return the seat that draws the highest card from the stock; equal ones draw again.

        All drawn cards return into the middle of the stock.
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
        """R14. Let the buyer take the open card and draw one, for 200 points beyond `buys`."""
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
        """R18. Lay out the melds in the order written; a seat does so once in a round."""
        laid = self.plays(seat, self.faces).laid(move)
        assert not isinstance(laid, MeldRefused), "the move was judged"
        self.melds.extend(laid)
        self.down[seat] = self.just_down = True
        self.part_with(seat, move.shows)
        self.tell(events.LaidDown(seat))

    def swap(self, seat: Seat, card: Slot, number: int) -> None:
        """R20. Put the card in the joker's place, and the joker into the hand."""
        place = self.melds[number - 1].joker_for(self.faces[card])
        assert place is not None, "the move was judged"
        self.melds[number - 1], joker = exchange(self.melds[number - 1], place, card)
        self.part_with(seat, (card,))
        self.gain(seat, joker)

    async def count(self, out: Seat) -> None:
        """R22, R23. Open all hands except that of the seat that is out, and add their costs.

        A seat that leaves now cannot stop it: the others' hands are counted first (R26).
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

    def offers(self, seat: Seat, hand: Hand) -> list[Say]:
        """R9, R10. Decline, if there is a card to draw, or take the open one."""
        del seat, hand
        return [Say("decline"), Say("take")] if self.can_draw() else [Say("take")]

    def answers(self, seat: Seat, hand: Hand) -> list[Say]:
        """R12. A seat may buy with any hand."""
        del seat, hand
        return [Say("no"), Say("buy")]

    def plays(self, seat: Seat, hand: Hand) -> Plays:
        """R17. Return the actions of forhönd, judged by these faces."""
        return Plays(self, seat, hand)

    def why_not(self, seat: Seat, move: Move, hand: Hand) -> Why:
        """Return why a move is refused.

        The ids are those of engine.games.kinaskak.plays, and not-allowed-now, nothing-to-draw.
        """
        if isinstance(move, Say):
            declined = self.phase == "offer" and move.word == "decline"
            return ("nothing-to-draw",) if declined else ("not-allowed-now",)
        if self.phase != "play" or seat != self.forhond:
            return ("not-allowed-now",)
        return self.plays(seat, hand).why_not(move) or ("not-allowed-now",)

    def read(self, text: str, seat: Seat, hand: Hand) -> Move:
        """R10, R12, R18 to R21. See engine.games.kinaskak.moves."""
        return Reader(seat, self.hands[seat], hand, self.faces).read(text)

    def write(self, move: Move, faces: Mapping[Slot, Face]) -> str:
        """Return a move in the notation."""
        return write_move(move, faces)

    def next_pack(self) -> tuple[tuple[Face, ...], tuple[Seat, ...]] | None:
        """R8, R16. Return the next round's pack.

        None in the last round, or if the stock may be renewed before.
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
