"""Latin American dominoes.

The paragraph numbers are those of docs/rules/domino.md; C1 to C4 are its claims.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.core.cards import DOUBLE_NINE, pips
from engine.core.game import Game
from engine.core.moves import Face, Hand, IllegalMove, Move, Seat, Slot, Why
from engine.core.notation import find_slot
from engine.core.options import BadOption
from engine.core.requests import Left
from engine.games.domino import events
from engine.games.domino.count import is_double, points_for, weight
from engine.games.domino.moves import ENDS, Deny, Draw, Pass, Place, Show, split_words, write_move
from engine.games.domino.options import CHOICES, SETS, TileSet, draws, overruled, paid_passes

TOO_MANY_DOUBLES = 5
PASS_POINTS = 2


class Domino(Game):
    """A match of dominoes."""

    name = "domino"
    version = 3
    allowed_players = (2, 3, 4)
    moves = (Place, Draw, Pass, Show, Deny)
    partners_option = "partners"
    pack = DOUBLE_NINE
    state = (
        *Game.state,
        "opener",
        "passes",
        "line",
        "ends",
        "asked",
        "must_open",
        "lacks",
        "placer",
        "in_a_row",
        "capicua",
    )
    notes = (*Game.notes, "denied")
    choices = CHOICES

    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        """Set up an unplayed match."""
        super().__init__(players, options)
        self.sides = 2 if self.options["partners"] else players
        self.opener: Seat | None = None  # of this deal; None until R4 has found the first
        self.passes = 0  # in the match
        self.clear()

    def clear(self) -> None:
        """Remove all tiles: a new deal begins."""
        self.lay_aside()
        self.line: list[Slot] = []  # from left to right
        self.ends: tuple[int, int] | None = None
        self.asked: Face | None = None  # C2: the tile asked for
        # C2: the tiles that nobody was dealt, as all have proven
        self.denied: tuple[Face, ...] = ()
        self.must_open: Slot | None = None  # R4: the tile that gave the right to open
        self.lacks: dict[Slot, list[int]] = {}  # C3: the numbers that a slot is proven to lack
        self.placer: Seat | None = None  # the seat that placed the last tile
        self.in_a_row = 0  # passes since then
        # R13: whether the last tile would be one if its hand were empty
        self.capicua = False

    @classmethod
    def check_options(cls, players: int, options: Mapping[str, Any]) -> None:
        """Reject partners unless there are four players."""
        if options["partners"] and players != 4:
            raise BadOption("partners-of-4", players=players)

    @property
    def tile_set(self) -> TileSet:
        """The set of tiles of this match."""
        return SETS[self.options["set"]]

    @classmethod
    def without_effect(cls, options: Mapping[str, Any]) -> frozenset[str]:
        """Return the options without effect, including those that the set of tiles overrules."""
        return super().without_effect(options) | overruled(options)

    @property
    def deals_all(self) -> bool:
        """R2. Whether each deal uses all tiles."""
        return len(self.seats) * self.tile_set.hand == len(self.tile_set.tiles)

    async def play(self) -> None:
        """R14, R15, R17. Play deals until a side has reached the target.

        Each is opened by the winner of the one before. After a void deal, or if the winner has
        left, the right to open stays or passes on.
        """
        while not self.winners:
            if self.opener is not None:
                self.opener = self.seats_from(self.opener)[0]
            try:
                await self.one_deal()
            except Left as left:
                self.break_off(left.seats)
            self.end_if_too_few()
            self.look_for_end()

    async def one_deal(self) -> None:
        """R2, R3, R5. Play a deal, and count it unless a pass has ended the match."""
        self.round += 1
        await self.hands_dealt()
        self.opener = await self.first_opener() if self.opener is None else self.opener
        for seat in self.seats_from(self.opener) * len(self.tile_set.tiles):
            await self.turn(seat)
            if self.best_score(self.seats) >= self.options["target"]:
                await self.turned_up()  # for the audits only
                return
            if not self.hands[seat] or self.blocked():
                await self.count(seat)
                return
        raise AssertionError("every round of turns places a tile or is the last")

    async def hands_dealt(self) -> None:
        """R2, R3, C1. Deal seven or ten tiles each, until nobody has five doubles."""
        self.tell(events.Deal(self.round, self.opener))
        while True:
            self.clear()
            await self.shuffle(self.tile_set.tiles)
            hand = self.tile_set.hand
            await self.deal(self.seats, each=hand, packet=hand)
            answers = await self.ask_all(self.seats, self.five_doubles, auto=True)
            shown = {
                seat: answer.tiles for seat, answer in answers.items() if isinstance(answer, Show)
            }
            if not shown:
                return
            for seat, tiles in shown.items():
                self.tell(events.FiveDoubles(seat, self.faces_of(tiles)))

    async def first_opener(self) -> Seat:
        """R4, C2. Ask for one tile after another until its holder opens.

        All prove that they have none of the tiles asked for before. A tile that honest seats deny
        is in the graveyard. If more are denied than lie there, the proof convicts.
        """
        by_rank = self.tile_set.by_rank
        for asked, tile in enumerate(by_rank):
            self.asked = tile
            answers = await self.ask_all(self.seats, self.has_the_tile, auto=True)
            shown = [
                (seat, answer.tiles[0])
                for seat, answer in answers.items()
                if isinstance(answer, Show)
            ]
            denied = by_rank[: asked if shown else asked + 1]
            if denied and (shown or len(denied) > len(self.stock)):
                await self.prove(self.seats, [face for face in by_rank if face not in denied])
            if shown:
                opener, self.must_open = shown[0]
                self.asked, self.denied = None, denied
                self.tell(events.Opens(opener, tile))
                return opener
        raise AssertionError("nobody can prove to hold none of all tiles")

    async def turn(self, seat: Seat) -> None:
        """R5, R7, C3. Place a tile; a seat that cannot draws until it can, or passes.

        Each time it proves that nothing fits.
        """
        while not isinstance(move := await self.ask(seat, self.plays), Place):
            await self.prove_nothing_fits(seat)
            if isinstance(move, Pass):
                self.knock(seat)
                return
            await self.deal([seat], each=1)
            self.tell(events.Drawn(seat, len(self.stock)))
        self.join(seat, move)

    async def prove_nothing_fits(self, seat: Seat) -> None:
        """C3. Prove that each slot lacks both numbers, unless earlier proofs imply it."""
        assert self.ends is not None
        numbers = sorted(set(self.ends))
        unproven = [
            slot for slot in self.hands[seat] if not set(numbers).issubset(self.lacks.get(slot, ()))
        ]
        await self.prove([seat], self.tile_set.outside(numbers), slots=unproven)
        for slot in unproven:
            self.lacks[slot] = sorted({*self.lacks.get(slot, ()), *numbers})

    def join(self, seat: Seat, move: Place) -> None:
        """R6. Join a tile to the named end; the first one with its higher number to the left."""
        high, low = pips(self.faces[move.tile])
        if self.ends is None:
            self.line, self.ends, self.must_open = [move.tile], (high, low), None
        else:
            left, right = self.ends
            self.capicua = self.fits_both(high, low, left, right)
            if move.end == "left":
                self.line, self.ends = [move.tile, *self.line], (high + low - left, right)
            else:
                self.line, self.ends = [*self.line, move.tile], (left, high + low - right)
        self.hands[seat].remove(move.tile)
        self.lacks.pop(move.tile, None)
        self.placer, self.in_a_row = seat, 0

    def knock(self, seat: Seat) -> None:
        """R8, R9. Count a pass: two points for the other side if that placed the last tile."""
        assert self.placer is not None
        paid = paid_passes(self.options)
        counts = paid == "each" or (paid == "first" and not self.passes)
        points = PASS_POINTS if counts and self.side(seat) != self.side(self.placer) else 0
        self.passes += 1
        self.in_a_row += 1
        self.add_points(self.side(self.placer), points)
        self.tell(events.Knock(seat, self.placer, points))

    def blocked(self) -> bool:
        """R11. Whether no tile can follow: all that would fit are placed, or all have passed."""
        assert self.ends is not None
        closed = set(self.tile_set.with_any(self.ends)).issubset(self.table())
        return closed or self.in_a_row == len(self.dealt_to())

    async def count(self, last: Seat) -> None:
        """R10 to R13, C4. Turn up the hands and give the winner's side points and the next opening.

        The lowest hand wins a block.
        """
        refused = await self.turned_up()
        pips_left = {seat: self.pips_in(seat) for seat in self.dealt_to()}
        if not self.hands[last]:
            winner = last
            self.tell(events.Out(last))
        else:
            able = [seat for seat in self.dealt_to() if seat not in refused or self.is_open(seat)]
            winner = self.lowest(able or refused, pips_left)
        for seat, sum_of_pips in pips_left.items():
            if self.is_open(seat):
                self.tell(events.Hand(seat, self.faces_of(self.hands[seat]), sum_of_pips))
            else:
                self.tell(events.ClosedHand(seat))
        total = sum(pips_left.values())
        doubled = not self.hands[last] and self.capicua
        points = points_for(total) * (2 if doubled else 1)
        if doubled:
            self.tell(events.Capicua(winner))
        self.tell(events.Count(total, points, doubled), picture=True)
        self.tell(
            events.Score(self.side(winner), points, self.add_points(self.side(winner), points))
        )
        self.opener = winner

    async def turned_up(self) -> list[Seat]:
        """C4. Open all remaining hands; return the seats that leave instead."""
        refused: list[Seat] = []
        while True:
            try:
                await self.open(
                    *(slot for slot in self.tiles_left() if self.holder[slot] in self.seats)
                )
            except Left as left:
                refused.extend(left.seats)
            else:
                return refused

    def lowest(self, able: list[Seat], pips_left: Mapping[Seat, int]) -> Seat:
        """R11. Return the seat with the lowest sum, which wins a block.

        Of equal ones the opener's side goes first, then the opener, then the first seat after it.
        """
        assert self.opener is not None
        assert self.ends is not None
        least = min(pips_left[seat] for seat in able)
        equals = [seat for seat in able if pips_left[seat] == least]
        partners = [seat for seat in equals if self.side(seat) == self.side(self.opener)]
        order = [(seat + self.opener) % self.players for seat in range(self.players)]
        winner = min(partners or equals, key=order.index)
        if self.in_a_row < len(self.dealt_to()):
            assert self.placer is not None
            self.tell(events.Closed(self.placer, tuple(dict.fromkeys(self.ends))))
        else:
            self.tell(events.Stuck())
        self.tell(events.Lowest(winner, least, tuple(equals)))
        return winner

    def fits_both(self, high: int, low: int, left: int, right: int) -> bool:
        """R13. Whether a tile that is no double fits both ends, which with `strict` must differ."""
        fits = high != low and {left, right} <= {high, low}
        return fits and (
            self.options["capicua"] == "on"
            or (self.options["capicua"] == "strict" and left != right)
        )

    def look_for_end(self) -> None:
        """R15. End the match if a side has the target; a loser without a point is a shoemaker."""
        best = self.best_score(self.seats)
        if self.winners or best < self.options["target"]:
            return
        sides = self.sides_that_stay()
        self.winners = self.seats_of(next(side for side in sides if self.score[side] == best))
        for side in sides:
            if self.score[side] == 0:
                self.tell(events.Shoemaker(side))

    def plays(self, seat: Seat, hand: Hand) -> Iterator[Move]:
        """R4, R5. Yield every place for every tile that fits; if none does, a draw or a pass."""
        playable = [
            Place(slot, end)
            for slot in self.held(seat, hand)
            for end in self.fitting(slot, hand[slot])
        ]
        yield from playable
        if not playable and self.ends is not None:
            yield Draw() if self.may_draw() else Pass()

    def fitting(self, slot: Slot, face: Face) -> list[str]:
        """R4, R6. Return the ends that a tile fits; on an empty line "", if it may open."""
        if self.ends is None:
            return [""] if self.must_open in (None, slot) else []
        return [end for end, number in zip(ENDS, self.ends, strict=True) if number in pips(face)]

    def may_draw(self) -> bool:
        """R7. Whether the graveyard has a tile for a seat that cannot play."""
        return bool(draws(self.options) and self.stock)

    def five_doubles(self, seat: Seat, hand: Hand) -> Iterator[Move]:
        """C1. Show five or more doubles, all of them."""
        doubles = [slot for slot in self.held(seat, hand) if is_double(hand[slot])]
        yield Show(tuple(doubles)) if len(doubles) >= TOO_MANY_DOUBLES else Deny()

    def has_the_tile(self, seat: Seat, hand: Hand) -> Iterator[Move]:
        """C2. Show the tile if the seat holds it."""
        found = [slot for slot in self.held(seat, hand) if hand[slot] == self.asked]
        yield Show(tuple(found)) if found else Deny()

    def why_not(self, seat: Seat, move: Move, hand: Hand) -> Why:
        """Return why a move is refused.

        The ids are must-open, no-ends-yet, name-an-end, fits-nowhere, fits-not-there, must-play,
        no-drawing, must-draw.
        """
        playable = [hand[slot] for slot in self.held(seat, hand) if self.fitting(slot, hand[slot])]
        match move:
            case Place(tile) if tile not in self.hands[seat] or tile not in hand:
                return ("not-in-hand", hand[tile]) if tile in hand else ("not-in-hand",)
            case Place(tile, end):
                return self._why_not_there(hand[tile], end)
            case Draw() | Pass() if playable or self.ends is None:
                return ("must-play", *playable)
            case Draw():
                return ("no-drawing",)
            case Pass():
                return ("must-draw",)
        return ("not-allowed-now",)

    def _why_not_there(self, face: Face, end: str) -> Why:
        if self.must_open is not None and face != self.faces[self.must_open]:
            return ("must-open", self.faces[self.must_open])
        if self.ends is None:
            return ("no-ends-yet",)
        if not set(self.ends) & set(pips(face)):
            return ("fits-nowhere", face)
        return ("fits-not-there", face) if end else ("name-an-end", face)

    def read(self, text: str, seat: Seat, hand: Hand) -> Move:
        """R6, R7, R8. Read `play TILE`, `play TILE left`, `play TILE right`, `draw` or `pass`."""
        match split_words(text):
            case ["draw"]:
                return Draw()
            case ["pass"]:
                return Pass()
            case [_, face, *ends]:
                slot = find_slot(seat, face, self.hands[seat], hand, self.faces)
                return Place(slot, ends[0] if ends else self._only_end(seat, slot, face))
        raise AssertionError(text)

    def write(self, move: Move, faces: Mapping[Slot, Face]) -> str:
        """Return the move in the notation."""
        return write_move(move, faces)

    def _only_end(self, seat: Seat, slot: Slot, face: Face) -> str:
        """R6. Return the end that is meant if none is named; of two equal ones the right.

        IllegalMove if the tile fits two different ends.
        """
        fitting = self.fitting(slot, face)
        if self.ends and len(fitting) == 2 and self.ends[0] != self.ends[1]:
            raise IllegalMove(seat, Place(slot, ""), ("name-an-end", face))
        return fitting[-1] if fitting else ""

    def table(self) -> list[Face]:
        """R16. The tiles of the line, from left to right."""
        return [self.faces[slot] for slot in self.line]

    def row(self) -> list[tuple[int, int]]:
        """Return the left and the right number of each tile in the line."""
        found: list[tuple[int, int]] = []
        at = self.ends[0] if self.ends else 0
        for face in self.table():
            high, low = pips(face)
            found.append((at, high + low - at))
            at = high + low - at
        return found

    def tiles_left(self) -> list[Slot]:
        """Return the tiles of all hands."""
        return [slot for hand in self.hands for slot in hand]

    def dealt_to(self) -> list[Seat]:
        """Return the seats that play this deal, including those that left at its end."""
        return sorted(set(self.holder.values()))

    def is_open(self, seat: Seat) -> bool:
        """Whether all that a seat has left is turned up."""
        return all(slot in self.faces for slot in self.hands[seat])

    def pips_in(self, seat: Seat) -> int:
        """R12. The pips of a hand, without closed tiles."""
        return sum(weight(self.faces[slot]) for slot in self.hands[seat] if slot in self.faces)

    def next_pack(self) -> tuple[tuple[Face, ...], tuple[Seat, ...]] | None:
        """R2, R3. Return the whole pack for the next deal, which follows even a void one."""
        return None if self.winners else (self.tile_set.tiles, tuple(self.seats))
