"""Truco. The paragraph numbers are those of docs/rules/truco.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NoReturn

from engine.core.cards import SPANISH_40
from engine.core.moves import Face, Hand, Move, NotAMove, Seat, Slot
from engine.core.notation import find_slot, read_card, read_number
from engine.core.options import Option
from engine.core.requests import Left
from engine.games.truco import events
from engine.games.truco.calls import TrucoCalls
from engine.games.truco.moves import (
    ENVIDO,
    FLOR,
    FLOR_ANSWERS,
    NO_FLOR,
    TRUCO,
    WORDS,
    Call,
    Play,
    Say,
    Show,
)
from engine.games.truco.worth import (
    FLOR_ALONE,
    STRENGTH,
    deal_winner,
    flor_points,
    flor_refused,
    proves,
    refused_points,
)


class DealOver(Exception):
    """The deal ended during any call; its points are counted."""


class Truco(TrucoCalls):
    """R1, R4. A match of Truco.

    Sides are the teams: 0 the odd seats p1, p3, p5, and 1 the even ones.
    """

    name = "truco"
    version = 2
    allowed_players = (2, 4, 6)
    moves = (Play, Call, Say, Show)
    pack = SPANISH_40
    partners_answer = True
    choices: ClassVar[Mapping[str, Option]] = {
        "target": Option(15, range(5, 41), "Points that win the match."),
        "falta": Option(
            "leader",
            ("leader", "malas"),
            "The value of falta envido: the points that the leader lacks, or the match while both "
            "are in the malas (lower half).",
        ),
        "third_tie": Option(
            "mano",
            ("mano", "first"),
            "The winner when the third trick is tied: the mano, who led the deal, or the winner of "
            "the first trick.",
        ),
        "envido_callers": Option(
            "left",
            ("left", "pies", "any"),
            "Seats that may open the envido with 4 or 6 players: the two just before the dealer, "
            "the last of each team, or all.",
        ),
        "envido_first": Option(
            default=True,
            values=(True, False),
            help="A truco that waits for an answer may be answered with envido first.",
        ),
        "early_mazo": Option(
            2,
            range(1, 3),
            "Points against a team that gives up in the first trick before any call.",
        ),
        "flor": Option(
            default=False,
            values=(True, False),
            help="Three cards of one suit are a flor: it must be called, and annuls the envido.",
        ),
    }

    async def play(self) -> None:
        """R5, R6, R33, R34. Play deals until a team has the points, or a seat leaves.

        The mano moves on by a seat each time.
        """
        try:
            first = await self.toss(self.players)
            while not self.winners:
                await self.one_deal((first + self.round) % self.players)
        except Left as left:
            self.break_off(left.seats)
            self.end_if_too_few()

    async def one_deal(self, mano: Seat) -> None:
        """R7, R32. Deal three cards each from the mano on; play tricks; show the envido's cards."""
        self.clear()
        self.round += 1
        self.mano = mano
        order = self.seats_from(mano)
        self.tell(events.Deal(self.round, order[-1], mano))
        await self.shuffle(SPANISH_40)
        await self.deal(order, each=3)
        try:
            while True:
                await self.trick()
        except DealOver:
            self.waiting = None
        await self.show()
        for side in (0, 1):
            self.tell(events.Score(side, self.gained[side], self.score[side]), picture=side == 0)
            if self.score[side] >= self.options["target"]:
                self.winners = self.seats_of(side)

    async def trick(self) -> None:
        """R10, R12, R13. Play a trick: the winner of the last one leads, or the mano.

        Seats that have not folded play in turn.
        """
        leader = self.results[-1] if self.results else None
        order = self.awake(self.mano if leader is None else leader)
        self.tricks.append([])
        for seat in order:
            await self.turn(seat)
        winner, card = self.trick_winner(self.tricks[-1])
        self.results.append(winner)
        self.tell(events.Trick(len(self.results), winner, card))
        side = self.decided()
        if side is not None:
            self.deal_won(side, "tricks", self.stake)

    async def turn(self, seat: Seat) -> None:
        """R9, R10. Let the seat call, and play a card or fold."""
        while True:
            move = await self.ask(seat, self.on_turn)
            if isinstance(move, Play):
                self.hands[seat].remove(move.card)
                self.tricks[-1].append((seat, move.card))
                return
            if move.word == "mazo":
                self.fold(seat)
                return
            if move.word in TRUCO:
                await self.truco(seat, move.word)
            elif move.word in FLOR:
                await self.flor(seat)
            else:
                await self.envido(seat, move.word, "call")

    def fold(self, seat: Seat) -> None:
        """R16, R17. Fold a seat; once its whole team has folded, the other team wins the deal."""
        self.folded.append(seat)
        self.hands[seat] = []
        if not self.awake_of(self.side(seat)):
            points = self.given_up_points()
            self.deal_won(
                1 - self.side(seat), "early-mazo" if points > self.stake else "mazo", points
            )

    def given_up_points(self) -> int:
        """R17. The points of the other team if a team gives up now."""
        return self.stake + (
            self.options["early_mazo"] == 2
            and not self.results
            and self.stake == 1
            and not self.bets
            and not self.flors
        )

    def trick_winner(self, trick: list[tuple[Seat, Slot]]) -> tuple[Seat | None, Face]:
        """R11. Return the winner of a trick, None if it is tied, and its card.

        Of partners with equal cards, the first to play wins.
        """
        strengths = [(STRENGTH[self.faces[slot]], seat, slot) for seat, slot in trick]
        best = max(strength for strength, _, _ in strengths)
        tops = [(seat, slot) for strength, seat, slot in strengths if strength == best]
        seat, slot = tops[0]
        tied = any(self.side(other) != self.side(seat) for other, _ in tops)
        return None if tied else seat, self.faces[slot]

    def decided(self) -> int | None:
        """R13, R14. The side that has won the deal by its tricks, None while it is open."""
        won = [None if seat is None else self.side(seat) for seat in self.results]
        return deal_winner(
            won, self.side(self.mano), first_decides=self.options["third_tie"] == "first"
        )

    async def truco(self, seat: Seat, word: str) -> None:
        """R18, R19, R22. Play a truco call and its answers, up to vale cuatro.

        An envido may come first; then the truco waits again.
        """
        self.waiting = (seat, word)
        self.tell(events.Sung(seat, word, "call"))
        while self.waiting:
            caller = self.waiting[0]
            by, answer = await self.ask_any(
                self.awake_of(1 - self.side(caller)), self.answers_to_truco
            )
            if answer.word in ENVIDO:
                await self.envido(by, answer.word, "first")
            elif answer.word in FLOR:
                await self.flor(by)
            elif answer.word == "no-quiero":
                self.deal_won(self.side(caller), "refused", self.stake)
            else:
                self.stake += 1  # R15
                self.right = self.side(by)
                self.waiting = None if answer.word == "quiero" else (by, answer.word)
                if self.waiting:
                    self.tell(events.Sung(by, answer.word, "answer"))
                else:
                    self.tell(events.Stake(self.stake, self.right))

    async def envido(self, seat: Seat, word: str, how: str) -> None:
        """R23, R24. Play the calls until one is accepted or refused, or a flor annuls them."""
        self.betting = True
        while word in ENVIDO:
            self.bets.append((seat, word))
            self.tell(events.Sung(seat, word, how))
            caller, how = self.side(seat), "answer"
            seat, answer = await self.ask_any(self.awake_of(1 - caller), self.answers_to_envido)
            word = answer.word
        self.betting = False
        if word in FLOR:
            self.bets = []
            self.tell(events.EnvidoAnnulled())
            await self.flor(seat)
        elif word == "no-quiero":
            self.envido_won(caller, "refused", refused_points(self.calls()))
        else:
            await self.state_points()

    async def flor(self, seat: Seat) -> None:
        """R39. Ask the others in turn whether one of them has a flor too."""
        self.flors.append((seat, FLOR[0]))
        self.flor_open = True
        self.tell(events.Sung(seat, FLOR[0], "call"))
        for rival in self.flor_rivals(seat):
            answer = await self.ask(rival, self.answers_to_flor)
            if answer.word != NO_FLOR:
                await self.flors_meet(rival, answer.word)
                return
        self.flor_is(seat, "alone", FLOR_ALONE)

    async def flors_meet(self, seat: Seat, word: str) -> None:
        """R40. Two flors: play the calls until one is accepted, or its side gives in."""
        while word not in FLOR_ANSWERS:
            self.flors.append((seat, word))
            self.tell(events.Sung(seat, word, "answer"))
            one, other = self.flor_seats()
            seat = other if seat == one else one
            word = (await self.ask(seat, self.answers_to_flor)).word
        caller = self.flors[-1][0]
        self.flors.append((seat, word))
        if word == FLOR_ANSWERS[0]:
            self.flor_open = False
            await self.state_points()
        else:
            self.flor_is(caller, "refused", flor_refused(self.flor_calls()))

    async def state_points(self) -> None:
        """R27, R28, R41. Ask each seat that can beat the best number so far; the last best wins."""
        self.stating = True
        while (seat := self.next_speaker()) is not None:
            move = await self.ask(seat, self.statements)
            number = move.number if isinstance(move, Say) else None
            self.said.append((seat, number))
            if number is not None:
                self.tell(events.Said(seat, number, self.best is not None))
                self.best = (seat, number)
        self.stating = False
        assert self.best is not None, "the first to speak has stated a number"
        seat = self.best[0]
        side = self.side(seat)
        if self.flors:
            self.flor_is(seat, "said", self.flor_worth(side))
        else:
            self.envido_won(side, "said", self.bet_points(side))

    async def show(self) -> None:
        """R29. Prove the best number of the envido by the cards played and the fewest others."""
        if self.flor_won is not None:
            await self.show_flor(self.flor_won)
            return
        if self.best is None:
            return
        seat, number = self.best
        if not proves(number, self.played_by(seat)):
            move = await self.ask(seat, self.showings, auto=True)
            self.hands[seat] = [slot for slot in self.hands[seat] if slot not in move.cards]
            self.shown.extend(move.cards)
        self.tell(events.Shown(seat, number, self.faces_of(self.shown)))

    async def show_flor(self, seat: Seat) -> None:
        """R42. Prove the winning flor by its three cards."""
        dealt = [slot for slot, holder in self.holder.items() if holder == seat]
        if any(slot not in self.faces for slot in dealt):
            move = await self.ask(seat, self.showings, auto=True)
            self.hands[seat] = [slot for slot in self.hands[seat] if slot not in move.cards]
            self.shown.extend(move.cards)
        number = flor_points(self.faces_of(dealt))
        self.tell(events.FlorShown(seat, number, self.faces_of(self.shown)))

    def flor_is(self, seat: Seat, how: str, points: int) -> None:
        """R39 to R41, R31. A flor has won: count its points at once."""
        self.flor_open = False
        self.flor_won = seat
        self.tell(events.FlorWon(self.side(seat), points, how))
        self.award(self.side(seat), points)

    def envido_won(self, side: int, how: str, points: int) -> None:
        """R24, R28, R31. Count the points of the envido at once."""
        self.tell(events.EnvidoWon(side, points, how))
        self.award(side, points)

    def deal_won(self, side: int, how: str, points: int) -> NoReturn:
        """R15, R32. Count the points of the deal, and end it."""
        self.tell(events.DealWon(side, points, how))
        self.award(side, points)
        raise DealOver

    def award(self, side: int, points: int) -> None:
        """R31, R33. Add points in full; the target ends deal and match."""
        target, before = self.options["target"], self.score[side]
        self.gained[side] += points
        now = self.add_points(side, points)
        if 2 * before < target <= 2 * now and now < target:
            self.tell(events.Buenas(side))
        if now >= target:
            raise DealOver

    def read(self, text: str, seat: Seat, hand: Hand) -> Move:
        """R37. Read `play CARD`, `say N`, or one of WORDS."""
        match text.split():
            case ["play", card]:
                return Play(
                    find_slot(
                        seat, read_card(card, self.is_card), self.hands[seat], hand, self.faces
                    )
                )
            case ["say", number]:
                return Say(read_number(number))
            case [word] if word in WORDS:
                return Call(word)
        raise NotAMove(f"{text!r} is neither `play CARD`, `say N` nor a call")

    def write(self, move: Move, faces: Mapping[Slot, Face]) -> str:
        """Return a move as `read` takes it.

        Automatic answers are written with `show`.
        """
        match move:
            case Play(card):
                return f"play {faces[card]}"
            case Say(number):
                return f"say {number}"
            case Show(cards):
                return " ".join(["show", *(faces[slot] for slot in cards)])
            case Call(word):
                return word
        raise TypeError(f"{move!r} is no move of Truco")

    def table(self) -> list[Face]:
        """R36. All cards played in this deal, and those shown at its end."""
        return [
            self.faces[slot]
            for slot in (*(slot for trick in self.tricks for _, slot in trick), *self.shown)
        ]

    def next_pack(self) -> tuple[tuple[Face, ...], tuple[Seat, ...]] | None:
        """R2. Return the whole pack for the next deal, unless the match is over."""
        return None if self.winners else (SPANISH_40, tuple(self.seats))
