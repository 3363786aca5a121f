"""A decent player of dominoes: every play is tried out to the end of the deal, with hidden tiles
laid as they may lie.

Tiles that others have proven not to hold are never laid into their hands. Against one other seat,
once the graveyard is empty, its hand is known, and the rest is searched. A set of tiles is the bits
of an int, as a deal is played out hundreds of times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core.cards import DOMINOES, pips
from engine.core.moves import Move, Seat
from engine.core.view import View
from engine.games.domino.count import is_double, points_for, weight
from engine.games.domino.rules import PASS_POINTS, Domino, Place
from tests.bots.today.small_change import Dice

PLAYED_OUT = 400
"""Deals played out for a decision, shared by its options."""
BUDGET = 4000
"""Positions looked at in a search; beyond it the deal is played out instead."""
TRIES = 5
"""How often hidden tiles are laid at random before they are laid with care."""
MATCH = 10.0
"""The value of winning the match, or the cost of another's win, in points."""
NEAR = 1e-9
HAND = 7
"""Tiles that a seat is dealt."""

PIPS = [pips(face) for face in DOMINOES]
WEIGHT = [weight(face) for face in DOMINOES]
DOUBLE = [is_double(face) for face in DOMINOES]
NUMBER = {face: tile for tile, face in enumerate(DOMINOES)}
WITH = [sum(1 << tile for tile in range(28) if number in PIPS[tile]) for number in range(7)]
"""The tiles that bear a number."""
EAGER = [heavy + 4 * double for heavy, double in zip(WEIGHT, DOUBLE, strict=True)]
"""How gladly a player parts with a tile when deals are played out: doubles and heavy ones first."""


def play(view: View, choose: Callable[[int], int]) -> Move:
    """Return the play after which deals end best for this seat's side; of equal ones any."""
    game = view.game
    assert isinstance(game, Domino)
    assert view.seat is not None
    assert view.options is not None, "only a seat that is asked plays"
    options = list(view.options)
    if game.ends is not None and game.ends[0] == game.ends[1]:
        # the same at both ends
        options = [move for move in options if not isinstance(move, Place) or move.end == "right"]
    if len(options) == 1:
        return options[0]
    places = [move for move in options if isinstance(move, Place)]
    mind = _Mind(view, game, view.seat, Dice(choose))
    worth = mind.searched(places) or mind.played_out(places)
    best = [move for move, value in zip(places, worth, strict=True) if value > max(worth) - NEAR]
    return best[choose(len(best))]


class _Deal:
    """A deal as it may be, every tile known."""

    __slots__ = (
        "gained",
        "hands",
        "in_a_row",
        "left",
        "line",
        "passes",
        "placer",
        "right",
        "seat",
        "stock",
    )

    def __init__(
        self, hands: list[int], stock: list[int], line: int, ends: tuple[int, int], seat: Seat
    ) -> None:
        self.hands, self.stock, self.line, self.seat = hands, stock, line, seat
        self.left, self.right = ends  # -1 while nothing lies
        self.placer, self.in_a_row, self.passes = seat, 0, 0
        self.gained: list[int] = []  # per side, in this deal from here on

    def copy(self) -> _Deal:
        twin = _Deal(
            self.hands.copy(), self.stock.copy(), self.line, (self.left, self.right), self.seat
        )
        twin.placer, twin.in_a_row, twin.passes, twin.gained = (
            self.placer,
            self.in_a_row,
            self.passes,
            self.gained.copy(),
        )
        return twin


class _Mind:
    """The knowledge of a seat at its turn, and how a deal goes on from there."""

    def __init__(self, view: View, game: Domino, seat: Seat, dice: Dice) -> None:
        self.game, self.seat, self.dice = game, seat, dice
        self.players, self.sides, self.me = game.players, game.sides, game.side(seat)
        self.target, self.draws = game.options["target"], bool(game.options["draw"])
        self.capicua, self.pays = game.options["capicua"], game.options["passes"]
        self.score = [game.score[side] for side in range(self.sides)]
        self.faces = {**game.faces, **view.faces}
        known = sum(1 << NUMBER[face] for face in self.faces.values())
        self.line = sum(1 << NUMBER[face] for face in game.table())
        self.seen_hands = [
            sum(1 << NUMBER[self.faces[slot]] for slot in hand if slot in self.faces)
            for hand in game.hands
        ]
        self.unseen = [tile for tile in range(28) if not known >> tile & 1]
        self.slots = self._hidden_slots()

    def _hidden_slots(self) -> list[tuple[Seat, int]]:
        """Return for each hidden slot of the others its seat and the tiles that may lie in it, the
        most narrow first."""
        unseen = sum(1 << tile for tile in self.unseen)
        denied = sum(1 << NUMBER[face] for face in self.game.denied)
        found: list[tuple[Seat, int]] = []
        for seat, hand in enumerate(self.game.hands):
            for slot in hand:
                if slot not in self.faces:
                    drawn = slot >= self.game.decks[0].first + HAND * self.players
                    possible = unseen if drawn else unseen & ~denied
                    for number in self.game.lacks.get(slot, ()):
                        possible &= ~WITH[number]
                    found.append((seat, possible))
        return sorted(found, key=lambda item: item[1].bit_count())

    # Playing out.

    def played_out(self, options: Sequence[Place]) -> list[float]:
        """Return what each option brings on average, all tried on the same layings of the hidden
        tiles."""
        worlds = max(PLAYED_OUT // len(options), 12)
        total = [0.0] * len(options)
        for _ in range(worlds):
            world = self._world()
            for place, option in enumerate(options):
                deal = world.copy()
                tile = NUMBER[self.faces[option.tile]]
                total[place] += (
                    self._end(deal) if self._placed(deal, tile, option.end) else self._finish(deal)
                )
        return [value / worlds for value in total]

    def _world(self) -> _Deal:
        """Lay the hidden tiles at random, as far as they are not known to lie elsewhere."""
        for _ in range(TRIES):
            hands, left = self.seen_hands.copy(), sum(1 << tile for tile in self.unseen)
            for seat, possible in self.slots:
                tiles = _tiles(possible & left)
                if not tiles:
                    break
                bit = 1 << tiles[self.dice.below(len(tiles))]
                hands[seat] |= bit
                left &= ~bit
            else:
                return self._started(hands, left)
        return self._narrow_world()

    def _narrow_world(self) -> _Deal:
        """Lay them where luck finds no way: a tile that a slot needs makes way if its own slot has
        another (Kuhn's matching)."""
        lies: dict[int, int] = {}  # tile -> place in `slots`

        def finds(place: int, tried: set[int]) -> bool:
            for tile in self.dice.shuffled(_tiles(self.slots[place][1])):
                if tile not in tried:
                    tried.add(tile)
                    if tile not in lies or finds(lies[tile], tried):
                        lies[tile] = place
                        return True
            return False

        laid = all(finds(place, set()) for place in range(len(self.slots)))
        assert laid, "proven claims are true, so there is a way"
        hands = self.seen_hands.copy()
        for tile, place in lies.items():
            hands[self.slots[place][0]] |= 1 << tile
        return self._started(hands, sum(1 << tile for tile in self.unseen if tile not in lies))

    def _started(self, hands: list[int], left: int) -> _Deal:
        game = self.game
        deal = _Deal(
            hands, self.dice.shuffled(_tiles(left)), self.line, game.ends or (-1, -1), self.seat
        )
        deal.placer = self.seat if game.placer is None else game.placer
        deal.in_a_row, deal.passes, deal.gained = game.in_a_row, game.passes, [0] * self.sides
        return deal

    def _finish(self, deal: _Deal) -> float:
        """Play a deal to its end, everybody eager to get rid of doubles and heavy tiles, and say
        what it is worth to me."""
        dice = self.dice
        while True:
            playable = deal.hands[deal.seat] & (WITH[deal.left] | WITH[deal.right])
            if playable:
                tile, best = 0, -1
                while playable:
                    bit = playable & -playable
                    playable ^= bit
                    this = bit.bit_length() - 1
                    if (keen := EAGER[this] + dice.below(8)) > best:
                        tile, best = this, keen
                end = (
                    "left"
                    if deal.left in PIPS[tile] and (deal.right not in PIPS[tile] or dice.below(2))
                    else "right"
                )
                if self._placed(deal, tile, end):
                    return self._end(deal)
            elif deal.stock and self.draws:
                deal.hands[deal.seat] |= 1 << deal.stock.pop()
            elif self._passed(deal):
                return self._end(deal)

    def _placed(self, deal: _Deal, tile: int, end: str) -> bool:
        """Place a tile; return whether the deal is over, with its count in `gained`."""
        seat, (high, low) = deal.seat, PIPS[tile]
        left, right = deal.left, deal.right
        if left < 0:
            deal.left, deal.right = high, low
        elif end == "left":
            deal.left = high + low - left
        else:
            deal.right = high + low - right
        deal.hands[seat] &= ~(1 << tile)
        deal.line |= 1 << tile
        deal.placer, deal.in_a_row = seat, 0
        if not deal.hands[seat]:
            self._count(deal, seat, doubled=left >= 0 and self._is_capicua(high, low, left, right))
            return True
        if deal.left == deal.right and deal.line & WITH[deal.left] == WITH[deal.left]:
            self._count(deal, self._lowest(deal), doubled=False)
            return True
        deal.seat = (seat + 1) % self.players
        return False

    def _passed(self, deal: _Deal) -> bool:
        """Pass; return whether that ends the deal, or the match."""
        pays = self.pays == "each" or (self.pays == "first" and not deal.passes)
        side = deal.placer % self.sides
        if pays and side != deal.seat % self.sides:
            deal.gained[side] += PASS_POINTS
        deal.passes += 1
        deal.in_a_row += 1
        if self.score[side] + deal.gained[side] >= self.target:
            return True
        if deal.in_a_row == self.players:
            self._count(deal, self._lowest(deal), doubled=False)
            return True
        deal.seat = (deal.seat + 1) % self.players
        return False

    def _is_capicua(self, high: int, low: int, left: int, right: int) -> bool:
        if self.capicua == "off" or high == low or not {left, right} <= {high, low}:
            return False
        return self.capicua == "on" or left != right

    def _lowest(self, deal: _Deal) -> Seat:
        """R11. The winner of a block: the opener first among equals, then its partner."""
        opener = self.game.opener or 0
        order = sorted(range(self.players), key=lambda seat: (seat - opener) % self.players)
        if self.sides < self.players:
            order.sort(key=lambda seat: (seat - opener) % self.sides)
        return min(order, key=lambda seat: _pips(deal.hands[seat]))

    def _count(self, deal: _Deal, winner: Seat, *, doubled: bool) -> None:
        points = points_for(sum(map(_pips, deal.hands)))
        deal.gained[winner % self.sides] += 2 * points if doubled else points

    def _end(self, deal: _Deal) -> float:
        """Return what the end of a deal is worth to my side: its points less the others', and the
        match if that is decided."""
        mine = deal.gained[self.me]
        value = mine - (sum(deal.gained) - mine) / (self.sides - 1)
        for side, gained in enumerate(deal.gained):
            if self.score[side] + gained >= self.target:
                value += MATCH if side == self.me else -MATCH
        return value

    # Searching.

    def searched(self, options: Sequence[Place]) -> list[float] | None:
        """Return each option's worth when the other's hand is known, or None if it is not or there
        is too much to see."""
        if self.players != 2 or self.game.stock or self.game.ends is None:
            return None
        self.looked_at = 0
        root = self._world()
        try:
            return [
                self._after(root, NUMBER[self.faces[move.tile]], move.end, -1000.0, 1000.0)
                for move in options
            ]
        except _TooMuch:
            return None

    def _after(self, deal: _Deal, tile: int, end: str, low: float, high: float) -> float:
        following = deal.copy()
        return (
            self._end(following)
            if self._placed(following, tile, end)
            else self._best(following, low, high)
        )

    def _best(self, deal: _Deal, low: float, high: float) -> float:
        """Minimax between these bounds; values are mine."""
        self.looked_at += 1
        if self.looked_at > BUDGET:
            raise _TooMuch
        playable = _tiles(deal.hands[deal.seat] & (WITH[deal.left] | WITH[deal.right]))
        if not playable:
            following = deal.copy()
            return (
                self._end(following)
                if self._passed(following)
                else self._best(following, low, high)
            )
        mine = deal.seat == self.seat
        for tile in sorted(playable, key=EAGER.__getitem__, reverse=True):
            for end, number in (("right", deal.right), ("left", deal.left)):
                if number not in PIPS[tile] or (end == "left" and deal.left == deal.right):
                    continue
                value = self._after(deal, tile, end, low, high)
                low, high = (max(low, value), high) if mine else (low, min(high, value))
                if low >= high:
                    return low if mine else high
        return low if mine else high


class _TooMuch(Exception):
    """The search has used up its budget."""


def _tiles(mask: int) -> list[int]:
    found = []
    while mask:
        bit = mask & -mask
        found.append(bit.bit_length() - 1)
        mask ^= bit
    return found


def _pips(mask: int) -> int:
    return sum([WEIGHT[tile] for tile in _tiles(mask)])
