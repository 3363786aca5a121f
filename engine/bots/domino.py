"""The computer player of dominoes: it plays deals out for the chance to win the match.

Hidden tiles are laid as they may lie.

The plays that do well are looked into most: a tree of the plays of all seats grows over all layings
(information set Monte Carlo tree search: Cowling, Powley and Whitehouse, IEEE TCIAIG 2012). Against
one other seat, once the graveyard is empty, its hand is known, and the rest is searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from statistics import stdev

from engine.bots.domino_deal import EAGER, FITS, LEFT, NUMBER, OTHER, RIGHT, Deal, Play, tiles_of
from engine.bots.domino_ordinary import HEAVY_FIRST, STUBBORN, WATCHFUL, ordinary
from engine.bots.domino_worlds import Worlds
from engine.bots.player import Character, Rated, Ratings, Strength
from engine.bots.small_change import Dice
from engine.core.moves import Choose, Move, Seat
from engine.core.view import View
from engine.games.domino.moves import ENDS, Place
from engine.games.domino.rules import Domino

PLAYED_OUT = 1000
"""Deals played out for a decision."""
LARGE = 7
"""With more tiles in a hand more deals are played out, as the square of their number."""
HUGE, HALVED = 10, 2
"""With HUGE tiles in a hand, HALVED times as many deals are played out. They are shared evenly
among the plays, of which the worse half falls out again and again (sequential halving): the plan
that makes a play good is found so late there that the play tried most would win by having been
tried."""
LAYINGS = 200
"""Ways to lay the hidden tiles, shared by the deals."""
CURIOUS = 0.5
"""The weight of trying a play that has been tried little, in parts of the stake of the deal."""
TRIED = 0.1
"""The share of the deals of the play tried most from which a play is judged by its own deals."""
BUDGET = 4000
"""Positions looked at in a search; beyond it deals are played out instead."""
NEAR = 1e-9
ESTIMATES = 4
"""Independent estimates for a rating."""
SURE = 3.2
"""The 95 % interval in standard errors of their mean (Student's t, three degrees of freedom)."""


def play(view: View, choose: Choose) -> Move:
    """Return the play after which the side of this seat wins the match most often.

    Of equal plays, return any.
    """
    assert view.options is not None, "only a seat that is asked plays"
    options = list(view.options)
    if len(options) == 1:
        return options[0]
    rated = estimated(view, choose)
    best = [each.move for each in rated if each.value > rated[0].value - NEAR]
    return best[choose(len(best))]


def rate(view: View, choose: Choose) -> Ratings:
    """Return the chance to win the match after each option.

    It is the average of several estimates, whose spread is the doubt.
    """
    found: dict[Move, list[float]] = {}
    for _ in range(ESTIMATES):
        for each in estimated(view, choose):
            found.setdefault(each.move, []).append(each.value)
    values = {move: sum(several) / ESTIMATES for move, several in found.items()}
    best = found[max(values, key=lambda move: values[move])]
    rated = []
    for move, several in found.items():
        lost = [one - other for one, other in zip(best, several, strict=True)]
        rated.append(Rated(move, values[move], SURE * stdev(lost) / sqrt(ESTIMATES)))
    return Ratings("win", tuple(sorted(rated, key=lambda each: -each.value)))


def estimated(view: View, choose: Choose) -> list[Rated]:
    """Estimate the chance to win the match after each option once; the best one first."""
    game = view.game
    assert isinstance(game, Domino)
    assert view.seat is not None
    assert view.options is not None, "only a seat that is asked plays"
    options = list(view.options)
    places = [move for move in options if isinstance(move, Place)]
    mind = _Mind(view, game, view.seat, Dice(choose))
    same = game.ends is not None and game.ends[0] == game.ends[1]  # an end is as good as the other
    keys = {
        place: mind.key(place, RIGHT if same or not place.end else ENDS.index(place.end))
        for place in places
    }
    if not places:
        return [Rated(move, mind.as_it_is()) for move in options]
    distinct = sorted(set(keys.values()))
    values = mind.searched(distinct) or mind.played_out(distinct)
    return sorted(
        [Rated(place, values[key]) for place, key in keys.items()], key=lambda each: -each.value
    )


@dataclass
class _Node:
    """A play in the tree, for all layings in which it is possible."""

    visits: int = 0
    possible: int = 0
    total: float = 0.0
    """The sum of the chances of the side that plays."""
    after: dict[int, _Node] = field(default_factory=dict)

    def come_out(self, chance: float) -> None:
        """Count a deal that was played out from here."""
        self.visits += 1
        self.total += chance

    def met(self) -> None:
        """Count a deal in which this play was possible."""
        self.possible += 1


class _Mind:
    """The knowledge of a seat at its turn, and its findings.

    A play is a key: twice the tile, plus its end.
    """

    def __init__(self, view: View, game: Domino, seat: Seat, dice: Dice) -> None:
        self.game, self.seat, self.me, self.dice = game, seat, game.side(seat), dice
        self.worlds = Worlds(view, game, seat, dice)
        self.rules = Play(game, dice)
        self.low, self.high = 1.0, 0.0  # the least and the greatest chance so far, for my side

    def key(self, place: Place, end: int) -> int:
        """Return the key of a play."""
        return 2 * NUMBER[self.worlds.faces[place.tile]] + end

    def as_it_is(self, opening: int | None = None) -> float:
        """Return the chance to win where nothing can be chosen; `opening` is the first play."""
        layings = self.worlds.several(LAYINGS)
        if opening is not None:
            for deal in layings:
                self.rules.placed(deal, opening >> 1, opening & 1)
        values = [self.rules.to_the_end(deal)[self.me] for deal in layings]
        return sum(values) / len(values)

    # Playing out.

    def played_out(self, keys: Sequence[int]) -> dict[int, float]:
        """Return the chance to win after each play."""
        if len(keys) == 1:
            return {keys[0]: self.as_it_is(keys[0] if self.game.ends is None else None)}
        root = _Node()
        layings = self.worlds.several(LAYINGS)
        largest = max(len(hand) for hand in self.game.hands)
        deals = PLAYED_OUT * max(LARGE, largest) ** 2 // LARGE**2
        if largest >= HUGE:
            return self._halved(keys, layings, HALVED * deals)
        for count in range(deals):
            self._try(root, layings[count % LAYINGS].copy())
        tried = {key: root.after[key] for key in keys}
        enough = TRIED * max(node.visits for node in tried.values())
        values = {key: node.total / node.visits for key, node in tried.items()}
        best = max(values[key] for key, node in tried.items() if node.visits >= enough)
        return {
            key: value if tried[key].visits >= enough else min(value, best - 2 * NEAR)
            for key, value in values.items()
        }

    def _halved(self, keys: Sequence[int], layings: Sequence[Deal], deals: int) -> dict[int, float]:
        """Return the chance after each play, trying all that are left equally often."""
        root = _Node(after={key: _Node() for key in keys})
        left, rounds = list(keys), (len(keys) - 1).bit_length()

        def value(key: int) -> float:
            return root.after[key].total / root.after[key].visits

        for _ in range(rounds):
            for count in range(max(1, deals // (rounds * len(left)))):
                for key in left:
                    self._try(root, layings[count % LAYINGS].copy(), key)
            left = sorted(left, key=value, reverse=True)[: (len(left) + 1) // 2]
        best = value(left[0])
        return {key: best if key == left[0] else min(value(key), best - 2 * NEAR) for key in keys}

    def _try(self, node: _Node, deal: Deal, first: int | None = None) -> None:
        """Play a deal out: down the tree, one play beyond it, and to the end by whim.

        `first` is the first play if it is not to be chosen.
        """
        rules = self.rules
        path: list[tuple[_Node, int]] = []
        while True:
            keys = possible(deal)
            if not keys:
                if rules.draws and deal.stock:
                    deal.hands[deal.seat] |= 1 << deal.stock.pop()
                elif rules.passed(deal):
                    worth = rules.worth(deal)
                    break
                continue
            if first is None:
                key, node = self._chosen(node, keys)
            else:
                key, node, first = first, node.after[first], None
            path.append((node, deal.seat % rules.sides))
            if rules.placed(deal, key >> 1, key & 1):
                worth = rules.worth(deal)
                break
            if not node.visits:
                worth = rules.to_the_end(deal)
                break
        mine = worth[self.me]
        self.low, self.high = min(self.low, mine), max(self.high, mine)
        for node, side in path:
            node.come_out(worth[side])

    def _chosen(self, node: _Node, keys: Sequence[int]) -> tuple[int, _Node]:
        """Return a play never tried, or the one that promises most (upper confidence bounds)."""
        after = node.after
        fresh = [key for key in keys if key not in after]
        if fresh:
            key = fresh[self.dice.below(len(fresh))] if len(fresh) > 1 else fresh[0]
            after[key] = _Node()
        elif len(keys) == 1:
            key = keys[0]
        else:
            curious = CURIOUS * max(self.high - self.low, 1e-6)
            key, best = keys[0], -1.0
            for this in keys:
                child = after[this]
                promise = child.total / child.visits + curious * sqrt(
                    log(child.possible + 1) / child.visits
                )
                if promise > best:
                    key, best = this, promise
        for this in keys:
            if this in after:
                after[this].met()
        return key, after[key]

    # Searching.

    def searched(self, keys: Sequence[int]) -> dict[int, float] | None:
        """Return the chance after each play when the other's hand is known, else None.

        Return None also if there is too much to see.
        """
        if self.game.players != 2 or self.game.stock or self.game.ends is None:
            return None
        self.looked_at = 0
        root = self.worlds.one()
        try:
            return {key: self._after(root, key, 0.0, 1.0) for key in keys}
        except _TooMuch:
            return None

    def _after(self, deal: Deal, key: int, low: float, high: float) -> float:
        following = deal.copy()
        if self.rules.placed(following, key >> 1, key & 1):
            return self.rules.worth(following)[self.me]
        return self._best(following, low, high)

    def _best(self, deal: Deal, low: float, high: float) -> float:
        """Minimax between these bounds; values are mine."""
        self.looked_at += 1
        if self.looked_at > BUDGET:
            raise _TooMuch
        keys = possible(deal)
        if not keys:
            following = deal.copy()
            return (
                self.rules.worth(following)[self.me]
                if self.rules.passed(following)
                else self._best(following, low, high)
            )
        mine = deal.seat == self.seat
        for key in sorted(keys, key=lambda key: -EAGER[key >> 1]):
            value = self._after(deal, key, low, high)
            low, high = (max(low, value), high) if mine else (low, min(high, value))
            if low >= high:
                break
        return low if mine else high


class _TooMuch(Exception):
    """The search has used up its budget."""


def possible(deal: Deal) -> list[int]:
    """Return the keys of the plays of the seat whose turn it is.

    Where both ends are the same, return those at the right one.
    """
    left, right = deal.left, deal.right
    if left < 0:
        return [2 * tile + RIGHT for tile in tiles_of(deal.hands[deal.seat])]
    found = []
    playable = deal.hands[deal.seat] & FITS[left][right]
    while playable:
        bit = playable & -playable
        playable ^= bit
        tile = bit.bit_length() - 1
        if OTHER[tile][right] >= 0:
            found.append(2 * tile + RIGHT)
        if left != right and OTHER[tile][left] >= 0:
            found.append(2 * tile + LEFT)
    return found


CHARACTERS = (
    # Plays each deal out in mind many times, for the match.
    Character("Lorenzo", Strength.STRONG, play),
    # Keeps what still fits, and remembers who could not go on.
    Character("Nekane", Strength.MIDDLE, ordinary(WATCHFUL)),
    # Gets rid of the heaviest tile first, and cares for nothing else.
    Character("Wilbur", Strength.WEAK, ordinary(HEAVY_FIRST)),
    # Plays the number she has most of, and watches nobody else.
    Character("Álfrún", Strength.WEAK, ordinary(STUBBORN)),
)
"""The characters of the game, the strongest first."""
