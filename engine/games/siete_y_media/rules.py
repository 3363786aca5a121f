"""Siete y media, in half points. The paragraph numbers are those of docs/rules/siete-y-media.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from engine.core.cards import SPANISH_40, rank
from engine.core.events import BrokenOff
from engine.core.game import Game
from engine.core.moves import Face, Hand, IllegalMove, Move, Seat, Slot, Why
from engine.core.options import BadOption, Option
from engine.core.requests import Left
from engine.games.siete_y_media import events
from engine.games.siete_y_media.moves import (
    Below,
    Bet,
    HitDown,
    HitUp,
    Requests,
    Stand,
    TurnUp,
    read_move,
    split_raise,
    write_move,
)

SIETE_Y_MEDIA = 15
"""R1. Seven and a half, in half points."""
WORTH: Mapping[Face, int] = {
    card: 1 if int(rank(card)) >= 10 else 2 * int(rank(card)) for card in SPANISH_40
}
"""R1. The value of a card, in half points."""


class SieteYMedia(Game):
    """A match of siete y media."""

    name = "siete-y-media"
    leaving = "go-on"
    allowed_players = (2, 3, 4, 5, 6, 7, 8)
    moves = (Bet, HitUp, HitDown, Stand, Below, TurnUp)
    pack = SPANISH_40
    state = (*Game.state, "left", "bank", "stakes", "stood", "sevens")
    notes = (*Game.notes, "over", "used")
    choices: ClassVar[Mapping[str, Option]] = {
        "chips": Option(50, range(10, 1001), "Chips that each seat starts with."),
        "min_bet": Option(1, range(1, 101), "The least first bet, and the least raise."),
        "max_bet": Option(
            10,
            range(1, 1001),
            "The most that a player may have staked in one deal, raises included.",
        ),
        "raises": Option(
            default=True,
            values=(True, False),
            help="Whether a player may raise with a card or on standing.",
        ),
        "bank": Option(
            "seven",
            ("seven", "turn", "fixed"),
            "The next bank: the seat that beat it with siete y media, each in turn, or always the "
            "same.",
        ),
        "deals": Option(
            12, range(101), "Deals in a match; 0 plays on until only one seat has chips."
        ),
    }

    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        """Set up an unplayed match."""
        super().__init__(players, options)
        self.score = [self.options["chips"]] * players
        self.left: list[Seat] = []  # the seats that have left
        self.bank: Seat | None = None
        self.clear()

    def clear(self) -> None:
        """Collect the cards: a new deal begins."""
        self.lay_aside()
        self.stakes: dict[Seat, int] = {}  # of those who may still win or lose them
        self.stood: list[Seat] = []
        self.sevens: list[Seat] = []  # puntos with an announced siete y media
        self.over: list[Seat] = []
        self.used: list[Slot] = []  # R10: the cards of those who have gone over

    @classmethod
    def check_options(cls, players: int, options: Mapping[str, Any]) -> None:
        """Reject limits that contradict each other."""
        del players
        if not options["min_bet"] <= options["max_bet"] <= options["chips"]:
            raise BadOption("stakes-out-of-order")

    async def play(self) -> None:
        """R2, R15, R17. Play deals until the match is over; a leave breaks off a deal."""
        while not self.winners:
            try:
                if self.bank is None:
                    self.bank = self.with_chips(await self.toss(self.players))
                await self.one_deal(self.bank)
            except Left as left:
                self.break_off(left.seats)
            self.end_of_deal()

    async def one_deal(self, bank: Seat) -> None:
        """R4, R5, R11. Deal a card to each; the puntos play, then the bank if anybody stands.

        By R19 there are enough cards.
        """
        self.clear()
        self.round += 1
        order, before = self.order(bank), self.score[bank]
        self.tell(events.Deal(self.round, bank))
        await self.shuffle(SPANISH_40)
        await self.deal(order, each=1)
        for seat in order[:-1]:
            await self.punto(seat)
        if not self.stood:
            self.tell(events.AllOver())
            self.tell(events.Balance(bank, self.score[bank] - before))
            return
        await self.open(*self.hands[bank])
        self.tell(events.BankCard(bank, self.faces_of(self.hands[bank])[0]))
        await self.banker(bank)
        await self.settle(bank, order[:-1], before)

    async def punto(self, seat: Seat) -> None:
        """R5 to R9. Play a punto's turn: a bet, then cards until he stands or one ends the turn."""
        self.stakes[seat] = (await self.ask(seat, self.bets)).chips
        while seat in self.stakes and seat not in self.stood:
            move = await self.ask(seat, self.requests)
            self.stakes[seat] += move.raised
            if isinstance(move, Stand):
                self.stood.append(seat)
                return
            if isinstance(move, HitUp):
                self.hands[seat] += await self.turn_up()
                self.tell(events.Card(seat, self.faces[self.hands[seat][-1]], self.shown(seat)))
            else:
                self.tell(events.Shows(seat, self.faces[move.hidden], self.shown(seat)))
                await self.deal([seat], each=1)
            await self.after_card(seat)

    async def after_card(self, seat: Seat) -> None:
        """R10. Below seven and a half the seat continues; else its hidden card is turned up.

        With seven and a half it stands, with more it has lost. Its program says which (claim A1).
        Below is proven at once; if the open cards leave no doubt, nobody is asked.
        """
        hidden, shown = self.hidden(seat), self.shown(seat)
        if shown + 1 >= SIETE_Y_MEDIA:
            await self.open(hidden)
        elif await self.ask(seat, self.below_or_not, auto=True) == Below():
            await self.prove(
                [seat],
                [card for card in SPANISH_40 if shown + WORTH[card] < SIETE_Y_MEDIA],
                slots=[hidden],
            )
            return
        cards = self.faces_of(self.hands[seat])
        if self.shown(seat) == SIETE_Y_MEDIA:
            self.sevens.append(seat)
            self.stood.append(seat)
            self.tell(events.Seven(seat, cards))
            return
        assert self.bank is not None
        stake = self.stakes.pop(seat)
        self.pay(seat, self.bank, stake)
        self.over.append(seat)
        self.tell(events.Over(seat, cards, stake), picture=True)
        self.used += self.hands[seat]
        self.hands[seat] = []

    async def banker(self, bank: Seat) -> None:
        """R12. The bank takes open cards until it stands, has seven and a half, or is over."""
        while self.shown(bank) < SIETE_Y_MEDIA:
            if isinstance(await self.ask(bank, self.bank_requests), Stand):
                break
            self.hands[bank] += await self.turn_up()
            self.tell(events.BankHits(bank, self.faces[self.hands[bank][-1]], self.shown(bank)))
        total = self.shown(bank)
        ended = (
            events.BankOver
            if total > SIETE_Y_MEDIA
            else events.BankSeven
            if total == SIETE_Y_MEDIA
            else events.BankStands
        )
        self.tell(ended(bank, total))

    async def settle(self, bank: Seat, puntos: list[Seat], before: int) -> None:
        """R13, R14. Turn up all who stand: losers pay, then the bank pays as far as its chips go.

        It began the deal with the chips `before`.
        """
        gone = await self.turned_up()
        total: int | None = self.shown(bank)
        if total is not None and total > SIETE_Y_MEDIA:
            total = None
        stood = [seat for seat in puntos if seat in self.stood]
        winners = [seat for seat in stood if self.beats(seat, total)]
        for seat in stood:
            if seat not in winners and total is not None:
                stake = self.stakes.pop(seat)
                self.pay(seat, bank, stake)
                self.tell(events.Settled(seat, *self.result(seat), total, -stake, -stake))
            elif seat not in winners:
                self.tell(events.HiddenToTheEnd(seat))
        self.pay_out(bank, winners, total)
        self.stakes = {}
        self.tell(events.Balance(bank, self.score[bank] - before), picture=True)
        self.sevens = [seat for seat in self.sevens if seat in winners]
        for seat in gone:
            self.take_away(seat)

    async def turned_up(self) -> list[Seat]:
        """R13, R17. Open the hidden cards of all who stand; return the seats that leave meanwhile.

        The seats that leave are settled first, then removed.
        """
        gone: list[Seat] = []
        while True:
            try:
                await self.open(
                    *(
                        slot
                        for seat in self.stood
                        if seat in self.seats
                        for slot in self.hands[seat]
                    )
                )
            except Left as left:
                gone.extend(left.seats)
            else:
                return sorted(gone)

    def beats(self, seat: Seat, total: int | None) -> bool:
        """R13. Whether a punto who stands beats the bank's total, None if it is over.

        A closed card wins nothing.
        """
        if any(slot not in self.faces for slot in self.hands[seat]):
            return False
        return total is None or self.shown(seat) > total

    def pay_out(self, bank: Seat, winners: list[Seat], total: int | None) -> None:
        """R13, R14. Pay each stake, twice for seven and a half, in the order of the deal.

        The bank may break.
        """
        for seat in winners:
            due = self.stakes.pop(seat) * (2 if seat in self.sevens else 1)
            paid = min(due, self.score[bank])
            self.pay(bank, seat, paid)
            self.tell(events.Settled(seat, *self.result(seat), total, paid, due))
            if paid < due:
                self.tell(events.BankBroken(bank))

    def pay(self, payer: Seat, to: Seat, chips: int) -> None:
        """R3. Move chips from one seat to another."""
        self.score[payer] -= chips
        self.score[to] += chips

    def result(self, seat: Seat) -> tuple[tuple[Face, ...], int]:
        """Return a punto's open cards at settling, and their total."""
        cards = tuple(self.faces[slot] for slot in self.hands[seat] if slot in self.faces)
        return cards, sum(WORTH[card] for card in cards)

    def ends_without(self, *seats: Seat) -> bool:
        """R15, R17. A leave in the last deal breaks it off, and the match ends."""
        return super().ends_without(*seats) or self.round == self.options["deals"] > 0

    def break_off(self, leavers: tuple[Seat, ...]) -> None:
        """R17. Leaving puntos lose their stakes; a leaving bank pays the others as if over."""
        self.tell(BrokenOff(leavers))
        bank = self.bank
        if bank is not None:
            for seat in leavers:
                self.pay(seat, bank, self.stakes.get(seat, 0))
        if bank is not None and bank in leavers:
            for seat in self.order(bank):
                if seat in self.stakes:
                    due = self.stakes[seat] * (2 if seat in self.sevens else 1)
                    self.pay(bank, seat, min(due, self.score[bank]))
        self.stakes, self.sevens = {}, []
        for seat in leavers:
            self.take_away(seat)

    def take_away(self, seat: Seat) -> None:
        """R17. Remove the chips of a seat that left from the game."""
        self.tell(events.Gone(seat, self.score[seat]))
        self.score[seat] = 0
        self.left.append(seat)

    def end_of_deal(self) -> None:
        """R15. Remove ruined seats; end the match with fewer than two, or after the last deal."""
        for seat in [seat for seat in self.seats if not self.score[seat]]:
            self.seats.remove(seat)
            self.tell(events.Ruined(seat))
        if len(self.seats) < 2 or self.round == self.options["deals"] > 0:
            staying = [seat for seat in range(self.players) if seat not in self.left]
            most = max(self.score[seat] for seat in staying)
            self.winners = tuple(seat for seat in staying if self.score[seat] == most)
        elif self.bank is not None:
            before, self.bank = self.bank, self.next_bank(self.bank)
            if self.bank != before:
                self.tell(events.BankMoves(self.bank))

    def next_bank(self, bank: Seat) -> Seat:
        """R16. Return the next bank: the first paid for siete y media, the next seat, or the same.

        Only a seat with chips can be the bank.
        """
        takers = [seat for seat in self.order(bank) if seat in self.sevens]
        if self.options["bank"] == "seven" and takers:
            return takers[0]
        return self.with_chips(bank + (self.options["bank"] == "turn"))

    def cap(self, seat: Seat) -> int:
        """R6. The most that a punto may have staked now."""
        assert self.bank is not None
        return int(min(self.options["max_bet"], self.score[seat], self.score[self.bank]))

    def raises(self, seat: Seat) -> range:
        """R9. The raises open to a punto."""
        if not self.options["raises"] or seat not in self.stakes:
            return range(0)
        return range(self.options["min_bet"], self.cap(seat) - self.stakes[seat] + 1)

    def bets(self, seat: Seat, hand: Hand) -> Iterator[Bet]:
        """R6. Yield bets from the least to the cap, or only the cap if that is less."""
        del hand
        cap = self.cap(seat)
        yield from map(Bet, range(min(self.options["min_bet"], cap), cap + 1))

    def requests(self, seat: Seat, hand: Hand) -> Requests:
        """R7, R8, R9. A card face up or face down, or none; with a raise or without."""
        del hand
        return Requests(self.hidden(seat), self.raises(seat))

    def bank_requests(self, seat: Seat, hand: Hand) -> Iterator[HitUp | Stand]:
        """R12. A card face up, or none."""
        del seat, hand
        yield from (Stand(), HitUp())

    def below_or_not(self, seat: Seat, hand: Hand) -> Iterator[Below | TurnUp]:
        """R10. Below, unless the hidden card is known and makes seven and a half or more."""
        hidden = self.hidden(seat)
        yield (
            TurnUp(hidden)
            if hidden in hand and self.shown(seat) + WORTH[hand[hidden]] >= SIETE_Y_MEDIA
            else Below()
        )

    def why_not(self, seat: Seat, move: Move, hand: Hand) -> Why:
        """Return why a move is refused.

        The ids are bet-first, has-bet, bet-range, bank-no-bet, bank-no-raise, bank-is-open,
        no-raises, raise-range.
        """
        del hand
        match move:
            case Bet() if seat == self.bank:
                return ("bank-no-bet",)
            case Bet() if seat in self.stakes:
                return ("has-bet",)
            case Bet():
                cap = self.cap(seat)
                return ("bet-range", min(self.options["min_bet"], cap), cap)
            case HitDown() if seat == self.bank:
                return ("bank-is-open",)
            case HitUp(raised) | Stand(raised) | HitDown(_, raised) if raised and seat == self.bank:
                return ("bank-no-raise",)
            case HitUp() | Stand() | HitDown() if seat not in self.stakes:
                return ("bet-first",)
            case HitUp(raised) | Stand(raised) | HitDown(_, raised) if raised:
                return self._why_not_raise(seat)
        return ("not-allowed-now",)

    def _why_not_raise(self, seat: Seat) -> Why:
        allowed = self.raises(seat)
        if seat == self.bank:
            return ("bank-no-raise",)
        return ("raise-range", allowed[0], allowed[-1]) if allowed else ("no-raises",)

    def read(self, text: str, seat: Seat, hand: Hand) -> Move:
        """R6 to R9, R12. Read `bet N`, `hit up`, `hit down` or `stand`, perhaps with `raise N`."""
        del hand
        words, raised = split_raise(text)
        move = read_move(
            words, [slot for slot in self.hands[seat] if slot not in self.faces], raised
        )
        if raised == 0:
            raise IllegalMove(seat, move, self._why_not_raise(seat))
        if move is None:
            raise IllegalMove(
                seat, None, ("bank-is-open",) if seat == self.bank else ("not-allowed-now",)
            )
        return move

    def write(self, move: Move, faces: Mapping[Slot, Face]) -> str:
        """Return the move in the notation."""
        return write_move(move, faces)

    def table(self) -> list[Face]:
        """R18. All cards that lie face up before the seats."""
        return [self.faces[slot] for hand in self.hands for slot in hand if slot in self.faces]

    def order(self, bank: Seat) -> list[Seat]:
        """R2. Return the order of a deal: from the seat after the bank, which is last."""
        return self.seats_from((bank + 1) % self.players)

    def with_chips(self, seat: Seat) -> Seat:
        """R15, R16. Return this seat or the next one that is still in the game."""
        return self.seats_from(seat % self.players)[0]

    def hidden(self, seat: Seat) -> Slot:
        """R7. Return the hidden card of a punto in his turn."""
        return next(slot for slot in self.hands[seat] if slot not in self.faces)

    def shown(self, seat: Seat) -> int:
        """Return the sum of a seat's open cards, in half points."""
        return sum([WORTH[self.faces[slot]] for slot in self.hands[seat] if slot in self.faces])

    def next_pack(self) -> tuple[tuple[Face, ...], tuple[Seat, ...]] | None:
        """R2, R4. Return all cards and seats, once nobody can be ruined in this deal."""
        if self.winners or self.bank is None:
            return None
        puntos = [seat for seat in self.seats if seat != self.bank]
        at_stake = {seat: self.most_at_stake(seat) for seat in puntos}
        safe = all(self.score[seat] > chips for seat, chips in at_stake.items())
        return (
            (SPANISH_40, tuple(self.seats))
            if safe and self.score[self.bank] > 2 * sum(at_stake.values())
            else None
        )

    def most_at_stake(self, seat: Seat) -> int:
        """Return how many chips a punto may still lose in this deal, or win once."""
        if seat in self.over:
            return 0
        return (
            self.stakes[seat]
            if seat in self.stood
            else int(min(self.options["max_bet"], self.score[seat]))
        )
