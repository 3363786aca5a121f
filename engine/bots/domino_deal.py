"""A deal of dominoes with every tile known, played to its end.

It is fast, because it is played hundreds of times for a decision: a set of tiles is the bits of an
int.
"""

from __future__ import annotations

from engine.bots.domino_match import Race
from engine.bots.small_change import Dice
from engine.core.cards import DOUBLE_NINE, pips
from engine.core.moves import Seat
from engine.games.domino.count import is_double, points_for, weight
from engine.games.domino.options import draws, paid_passes
from engine.games.domino.rules import PASS_POINTS, Domino

TILES = DOUBLE_NINE
"""Tiles by their number; those of the double-six set come first."""
PIPS = [pips(face) for face in TILES]
WEIGHT = [weight(face) for face in TILES]
EAGER = [weight(face) + 4 * is_double(face) for face in TILES]
"""How gladly a player parts with a tile: doubles and heavy ones first."""
WHIM = 8
"""The range of the number by chance that is added to it."""
SERVES = 4
"""The amount added for each tile of the hand that fits an end that the play makes."""
NUMBER = {face: tile for tile, face in enumerate(TILES)}
WITH = [
    sum(1 << tile for tile, numbers in enumerate(PIPS) if number in numbers)
    for number in range(PIPS[-1][0] + 1)
]
"""The tiles that bear a number."""
FITS = [[left | right for right in WITH] for left in WITH]
"""The tiles that fit these ends."""
OTHER = [
    [high + low - number if number in (high, low) else -1 for number in range(len(WITH))]
    for high, low in PIPS
]
"""The other number of a tile, for each number that it bears."""
LEFT, RIGHT = 0, 1
"""The ends of the line."""


class Deal:
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
        "winner",
    )

    def __init__(
        self, hands: list[int], stock: list[int], line: int, ends: tuple[int, int], seat: Seat
    ) -> None:
        """Take the hands, the graveyard, the line, its ends and the seat.

        The graveyard is in the order from its end. The ends are -1 while nothing lies.
        """
        self.hands, self.stock, self.line, self.seat = hands, stock, line, seat
        self.left, self.right = ends
        self.placer, self.in_a_row, self.passes = seat, 0, 0
        self.gained: list[int] = []  # per side, in this deal from here on
        self.winner = -1  # the seat that has won the deal

    def go_on(self, placer: Seat, in_a_row: int, passes: int, sides: int) -> Deal:
        """Return this deal, given the last placer, the passes and the number of sides.

        `placer` is the seat that placed last, `in_a_row` the passes since then, and `passes` those
        in the match.
        """
        self.placer, self.in_a_row, self.passes, self.gained = placer, in_a_row, passes, [0] * sides
        return self

    def copy(self) -> Deal:
        """Return a deal that goes on by itself."""
        twin = Deal.__new__(Deal)
        twin.hands, twin.stock, twin.line, twin.seat = (
            self.hands.copy(),
            self.stock.copy(),
            self.line,
            self.seat,
        )
        twin.left, twin.right, twin.winner = self.left, self.right, self.winner
        twin.placer, twin.in_a_row, twin.passes, twin.gained = (
            self.placer,
            self.in_a_row,
            self.passes,
            self.gained.copy(),
        )
        return twin


class Play:
    """The rules of a deal, and the worth of its ends: the chance of each side to win the match."""

    def __init__(self, game: Domino, dice: Dice) -> None:
        """Take the match, as a seat sees it, and the source of whims."""
        self.dice = dice
        self.seats, self.sides = list(game.seats), game.sides
        self.next = [game.seats_from(seat + 1)[0] for seat in range(game.players)]
        self.draws, self.capicua, self.pays = (
            draws(game.options),
            game.options["capicua"],
            paid_passes(game.options),
        )
        self.needs = [game.options["target"] - game.score[side] for side in range(self.sides)]
        self.opener = game.opener or 0
        self.whole = whole_set(game)
        self._contenders = game.sides_that_stay()
        self._race = Race(len(self.seats), len(self._contenders), game.options)
        self._worths: dict[tuple[int, ...], tuple[float, ...]] = {}

    def worth(self, deal: Deal) -> tuple[float, ...]:
        """Return the chance of each side to win the match after this deal, which is over."""
        key = (deal.winner, *deal.gained)
        found = self._worths.get(key)
        if found is None:
            needs = [self.needs[side] - deal.gained[side] for side in self._contenders]
            opener = self._contenders.index(deal.winner % self.sides)
            chances = dict(zip(self._contenders, self._race.chances(needs, opener), strict=True))
            found = tuple([chances.get(side, 0.0) for side in range(self.sides)])
            self._worths[key] = found
        return found

    def to_the_end(self, deal: Deal) -> tuple[float, ...]:
        """Play a deal to its end.

        Everybody is eager to get rid of doubles and heavy tiles, and to be able to go on.
        """
        hands, below = deal.hands, self.dice.below
        while True:
            left, right, seat = deal.left, deal.right, deal.seat
            hand = hands[seat]
            playable = hand & FITS[left][right]
            if playable:
                chosen, at, best = 0, RIGHT, -1
                several = playable & (playable - 1)
                while playable:
                    bit = playable & -playable
                    playable ^= bit
                    tile = bit.bit_length() - 1
                    fitted = OTHER[tile]
                    for end, here, there in ((RIGHT, right, left), (LEFT, left, right)):
                        other = fitted[here]
                        if other < 0:
                            continue
                        if not several and here == there:
                            chosen, at = tile, end
                            break
                        keen = (
                            EAGER[tile]
                            + below(WHIM)
                            + SERVES * ((hand ^ bit) & FITS[other][there]).bit_count()
                        )
                        if keen > best:
                            chosen, at, best = tile, end, keen
                if self.placed(deal, chosen, at):
                    return self.worth(deal)
            elif deal.stock and self.draws:
                hands[seat] |= 1 << deal.stock.pop()
            elif self.passed(deal):
                return self.worth(deal)

    def placed(self, deal: Deal, tile: int, end: int) -> bool:
        """Place a tile; return whether the deal is over, and counted."""
        seat = deal.seat
        left, right = deal.left, deal.right
        if left < 0:
            deal.left, deal.right = PIPS[tile]
        elif end == LEFT:
            deal.left = OTHER[tile][left]
        else:
            deal.right = OTHER[tile][right]
        bit = 1 << tile
        deal.hands[seat] ^= bit
        deal.line |= bit
        deal.placer, deal.in_a_row = seat, 0
        if not deal.hands[seat]:
            high, low = PIPS[tile]
            self._count(deal, seat, doubled=left >= 0 and self._is_capicua(high, low, left, right))
            return True
        if not FITS[deal.left][deal.right] & self.whole & ~deal.line:
            self._count(deal, self.lowest(deal), doubled=False)
            return True
        deal.seat = self.next[seat]
        return False

    def passed(self, deal: Deal) -> bool:
        """Pass; return whether that ends the deal, or the match."""
        pays = self.pays == "each" or (self.pays == "first" and not deal.passes)
        side = deal.placer % self.sides
        if pays and side != deal.seat % self.sides:
            deal.gained[side] += PASS_POINTS
        deal.passes += 1
        deal.in_a_row += 1
        if deal.gained[side] >= self.needs[side]:
            deal.winner = deal.placer
            return True
        if deal.in_a_row == len(self.seats):
            self._count(deal, self.lowest(deal), doubled=False)
            return True
        deal.seat = self.next[deal.seat]
        return False

    def _is_capicua(self, high: int, low: int, left: int, right: int) -> bool:
        if self.capicua == "off" or high == low or not {left, right} <= {high, low}:
            return False
        return self.capicua == "on" or left != right

    def lowest(self, deal: Deal) -> Seat:
        """R11. The winner of a block: the opener first among equals, then its partner."""
        order = sorted(self.seats, key=lambda seat: (seat - self.opener) % len(self.next))
        if self.sides < len(self.next):
            order.sort(key=lambda seat: (seat - self.opener) % self.sides)
        return min(order, key=lambda seat: pips_of(deal.hands[seat]))

    def _count(self, deal: Deal, winner: Seat, *, doubled: bool) -> None:
        points = points_for(sum(map(pips_of, deal.hands)))
        deal.winner = winner
        deal.gained[winner % self.sides] += 2 * points if doubled else points


def whole_set(game: Domino) -> int:
    """Return all tiles of the match."""
    return (1 << len(game.tile_set.tiles)) - 1


def tiles_of(mask: int) -> list[int]:
    """Return the tiles of a set, from the least number."""
    found = []
    while mask:
        bit = mask & -mask
        found.append(bit.bit_length() - 1)
        mask ^= bit
    return found


def pips_of(mask: int) -> int:
    """Return the pips of a set of tiles."""
    return sum([WEIGHT[tile] for tile in tiles_of(mask)])
