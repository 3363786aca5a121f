"""Escoba de quince. The paragraph numbers are those of docs/rules/escoba.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.cards import SPANISH_40
from engine.core.game import Game
from engine.core.moves import Face, Hand, Move, NotAMove, Seat, Slot, Why
from engine.core.notation import find_slot, find_slots, read_card, write_faces
from engine.core.options import LEAVING, BadOption, Option
from engine.core.requests import Left
from engine.games.escoba import events
from engine.games.escoba.sums import WORTH, count_lines, groups, takers


@dataclass(frozen=True)
class Play(Move):
    """Play a card of the hand, and take cards of the table with it, or none."""

    card: Slot
    takes: tuple[Slot, ...] = ()

    def __post_init__(self) -> None:
        if len(self.takes) > 1:
            object.__setattr__(self, "takes", tuple(sorted(self.takes)))

    @property
    def shows(self) -> tuple[Slot, ...]:
        """The card played."""
        return (self.card,)


class Escoba(Game):
    """A match of Escoba."""

    name = "escoba"
    version = 3
    allowed_players = (2, 3, 4, 6)
    moves = (Play,)
    partners_option = "teams"
    pack = SPANISH_40
    state = (*Game.state, "eldest", "on_table", "piles", "eskobas", "last_capture", "last_eskoba")
    notes = (*Game.notes, "lacks", "last_play")
    choices: ClassVar[Mapping[str, Option]] = {
        "target": Option(21, range(1, 102), "Points that end the match."),
        "capture": Option(
            "hand",
            ("hand", "card", "free"),
            "When a card may be laid without taking: if no card of the hand can take, if that card "
            "cannot, or always.",
        ),
        "leftovers": Option(
            "capture",
            ("sweep", "capture"),
            "The side that gets the cards left at the end: the last escoba, or the last capture.",
        ),
        "all_replaces": Option(
            default=False,
            values=(True, False),
            help="All golds and all sevens count instead of the majority, not on top of it.",
        ),
        "teams": Option(
            default=False,
            values=(True, False),
            help="Every second player is your partner; six always play so.",
        ),
        "leaving": LEAVING,
        "first_table": Option(
            "dealer",
            ("dealer", "first"),
            "The player who sweeps a first table of 15 or 30: the dealer, or the first to play.",
        ),
    }

    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        """Set up an unplayed match."""
        super().__init__(players, options)
        self.sides = 2 if self.options["teams"] else players
        self.eldest: Seat | None = None  # plays first in this deal; the dealer is the seat before
        self.clear()

    def clear(self) -> None:
        """Clear the table and the piles: a new deal begins."""
        self.lay_aside()
        self.on_table: list[Slot] = []  # in order of arrival
        self.piles: list[list[Slot]] = [[] for _ in range(self.sides)]
        self.eskobas = [0] * self.sides
        self.last_capture: int | None = None  # a side
        self.last_eskoba: int | None = None
        # C1: values that a seat's present hand lacks
        self.lacks: list[list[int]] = [[] for _ in range(self.players)]
        self.last_play: tuple[Seat, Face, tuple[Face, ...]] | None = None

    @classmethod
    def defaults(cls, players: int) -> dict[str, Any]:
        """Return the defaults; six must play in teams."""
        six = {"teams": True, "leaving": "end"} if players == 6 else {}
        return {**super().defaults(players), **six}

    @classmethod
    def check_options(cls, players: int, options: Mapping[str, Any]) -> None:
        """Reject teams of two or three players, and six without teams."""
        if options["teams"] and players not in (4, 6):
            raise BadOption("partners-of-4-or-6", players=players)
        if players == 6 and not options["teams"]:
            raise BadOption("six-without-teams")

    async def play(self) -> None:
        """R3, R14, R16. Play deals until a side has won; the first to play moves on by a seat."""
        while not self.winners:
            try:
                if self.eldest is None:
                    await self.one_deal(self.seats[await self.toss(len(self.seats))])
                else:
                    await self.one_deal(self.seats_from(self.eldest + 1)[0])
            except Left as left:
                self.break_off(left.seats)
                self.end_if_too_few()

    async def one_deal(self, eldest: Seat) -> None:
        """R4, R10. Deal three each and four to the table; three more until the stock is empty."""
        self.clear()
        self.round += 1
        self.eldest = eldest
        order = self.seats_from(eldest)
        self.tell(events.Deal(self.round, order[-1], eldest))
        await self.shuffle(SPANISH_40)
        await self.deal(order, each=3)
        self.on_table = await self.turn_up(4)
        self.first_table(order[-1] if self.options["first_table"] == "dealer" else order[0])
        while True:
            for seat in order * 3:
                await self.turn(seat)
            if not self.stock:
                break
            await self.deal(order, each=3)
            self.lacks = [[] for _ in range(self.players)]
            if not self.stock:
                self.tell(events.LastHand())
        self.leftovers()
        self.count()

    def first_table(self, seat: Seat) -> None:
        """R5. Give a first table of 15 or 30 to this seat, for one or two eskobas."""
        total = self.sum_of(self.on_table)
        if total in (15, 30):
            self.tell(events.FirstTable(seat, total // 15, self.faces_of(self.on_table)))
            self.take(seat, list(self.on_table), eskobas=total // 15)

    async def turn(self, seat: Seat) -> None:
        """R6, C1. Play one card.

        If a seat that can capture must, laying a card claims that the hand cannot.
        """
        takers = self.takers()
        play = await self.ask(seat, self.plays)
        self.hands[seat].remove(play.card)
        self.last_play = (seat, self.faces[play.card], self.faces_of(play.takes))
        if play.takes:
            swept = len(play.takes) == len(self.on_table)
            if swept:
                self.tell(events.Eskoba(seat, self.faces_of((play.card, *play.takes))))
            self.take(seat, [play.card, *play.takes], eskobas=int(swept))
            return
        self.on_table.append(play.card)
        if self.options["capture"] == "hand":
            self.lacks[seat] = sorted(takers.union(self.lacks[seat]))
            await self.prove([seat], [card for card, worth in WORTH.items() if worth not in takers])

    def take(self, seat: Seat, cards: list[Slot], eskobas: int) -> None:
        """R7, R9. Move cards to the pile of the seat's side, which made the last capture."""
        side = self.side(seat)
        self.on_table = [slot for slot in self.on_table if slot not in cards]
        self.piles[side].extend(cards)
        self.eskobas[side] += eskobas
        self.last_capture = side
        if eskobas:
            self.last_eskoba = side

    def leftovers(self) -> None:
        """R11. Give the rest of the table to the side of the last eskoba or the last capture."""
        side = self.gets_leftovers()
        self.tell(events.Leftovers(side, self.faces_of(self.on_table)), picture=True)
        if side is not None:
            self.piles[side].extend(self.on_table)
        self.on_table = []

    def gets_leftovers(self) -> int | None:
        """R11. The side that would get them now."""
        if self.options["leftovers"] == "sweep" and self.last_eskoba is not None:
            return self.last_eskoba
        return self.last_capture

    def count(self) -> None:
        """R12, R13, R14. Add points to the scores, and end the match if it is over."""
        piles = [self.faces_of(pile) for pile in self.piles]
        for side in self.sides_that_stay():
            lines = count_lines(
                side, piles, self.eskobas, all_replaces=self.options["all_replaces"]
            )
            for line in lines:
                self.tell(events.Count(side, *line))
            gained = sum(line.points for line in lines)
            self.tell(events.Score(side, gained, self.add_points(side, gained)))
        with_cards = [side for side in range(self.sides) if self.piles[side]]
        if len(with_cards) == 1:
            self.tell(events.MatchLost(with_cards[0]))
            self.winners = self.seats_of(with_cards[0])
            return
        best = self.best_score(self.seats)
        leaders = [side for side in self.sides_that_stay() if self.score[side] == best]
        if best >= self.options["target"] and len(leaders) == 1:
            self.winners = self.seats_of(leaders[0])

    def plays(self, seat: Seat, hand: Hand) -> Plays:
        """R7, R8. Return the legal plays, judged by these faces."""
        return Plays(self, seat, hand)

    def groups(self, total: int) -> Iterator[tuple[Slot, ...]]:
        """R7. Yield every set of table cards with this sum."""
        return groups([(slot, WORTH[self.faces[slot]]) for slot in self.on_table], total)

    def takers(self) -> frozenset[int]:
        """R2. K(T): the values that can capture."""
        return takers([WORTH[self.faces[slot]] for slot in self.on_table])

    def why_not(self, seat: Seat, move: Move, hand: Hand) -> Why:
        """Return why a play is refused.

        The ids are not-in-hand, not-on-table, named-twice, not-fifteen, must-take, card-must-take.
        """
        if not isinstance(move, Play):
            return ("not-allowed-now",)
        if move.card not in self.hands[seat] or move.card not in hand:
            return ("not-in-hand", hand[move.card]) if move.card in hand else ("not-in-hand",)
        if any(slot not in self.on_table for slot in move.takes):
            return ("not-on-table",)
        if len(set(move.takes)) < len(move.takes):
            return ("named-twice",)
        total = WORTH[hand[move.card]] + self.sum_of(move.takes)
        if move.takes and total != 15:
            return ("not-fifteen", total)
        if self.options["capture"] == "card":
            return ("card-must-take", hand[move.card])
        return (
            "must-take",
            *(hand[slot] for slot in self.held(seat, hand) if WORTH[hand[slot]] in self.takers()),
        )

    def read(self, text: str, seat: Seat, hand: Hand) -> Play:
        """R7, R8. Read `play CARD` or `play CARD take CARD...`."""
        verb, *words = text.split() or [""]
        if verb != "play" or len(words) == 2 or (len(words) > 2 and words[1] != "take"):
            raise NotAMove(f"{text!r} is neither `play CARD` nor `play CARD take CARD...`")
        if not words:
            raise NotAMove("`play` needs a card")
        card, *taken = [read_card(word, self.is_card) for word in (words[0], *words[2:])]
        played = find_slot(seat, card, self.hands[seat], hand, self.faces)
        return Play(
            played, find_slots(seat, taken, self.on_table, hand, self.faces, "not-on-table")
        )

    def write(self, move: Move, faces: Mapping[Slot, Face]) -> str:
        """Return `play CARD` or `play CARD take CARD...`."""
        assert isinstance(move, Play)
        taken = f" take {write_faces(move.takes, faces)}" if move.takes else ""
        return f"play {faces[move.card]}{taken}"

    def table(self) -> list[Face]:
        """R15. The face-up cards on the table, without the piles."""
        return [self.faces[slot] for slot in self.on_table]

    def hands_to_come(self) -> int:
        """R10. How many more times three cards will be dealt to each seat in this deal."""
        return len(self.stock) // (3 * len(self.seats))

    def sum_of(self, slots: list[Slot] | tuple[Slot, ...]) -> int:
        """R2. The sum of face-up cards."""
        return sum([WORTH[self.faces[slot]] for slot in slots])

    def next_pack(self) -> tuple[tuple[Face, ...], tuple[Seat, ...]] | None:
        """R4. Return the whole pack for the next deal, unless the match is over."""
        return None if self.winners else (SPANISH_40, tuple(self.seats))


class Plays:
    """The legal plays of a hand: iteration lists them, and `play in plays` judges one."""

    def __init__(self, game: Escoba, seat: Seat, hand: Hand) -> None:
        """Refer to the game, whose state counts when asked."""
        self._game = game
        self._hand = hand
        self._held = game.held(seat, hand)

    def __iter__(self) -> Iterator[Play]:
        takers = self._game.takers()
        for slot in self._held:
            worth = WORTH[self._hand[slot]]
            if worth in takers:
                yield from (Play(slot, group) for group in self._game.groups(15 - worth))
            if self._may_lay(slot, takers):
                yield Play(slot)

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Play) or move.card not in self._held:
            return False
        if not move.takes:
            return self._may_lay(move.card, self._game.takers())
        taken = set(move.takes)
        there = len(taken) == len(move.takes) and taken.issubset(self._game.on_table)
        return there and WORTH[self._hand[move.card]] + self._game.sum_of(move.takes) == 15

    def _may_lay(self, card: Slot, takers: frozenset[int]) -> bool:
        """R8. Whether a card may be laid without capturing."""
        match self._game.options["capture"]:
            case "hand":
                return not any(WORTH[self._hand[slot]] in takers for slot in self._held)
            case "card":
                return WORTH[self._hand[card]] not in takers
        return True
