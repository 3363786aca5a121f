"""Betting as a game of ranges: two sides call, raise, accept and refuse.

Each side has a hand of its own that only it knows.

Solved by counterfactual regret minimisation (Zinkevich et al., NIPS 2007), in the variant CFR+ with
linear averages (Tammelin, arXiv 1407.5042): after some dozens of rounds no answer of the other side
gains much. Hands are numbered; the share of each in its side's range is given, and the chances of
each against each. A value is the worth of an end to side 0, and side 1 loses as much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import TypeAlias

Shares: TypeAlias = list[float]
"""A number for each hand of a side."""


@dataclass(frozen=True)
class Settled:
    """An end where the hands do not matter."""

    worth: float


@dataclass(frozen=True)
class Shown:
    """An end where the better hand wins: the values for side 0 of winning and of losing."""

    won: float
    lost: float


@dataclass(frozen=True)
class Choice:
    """A choice of a side, and the node after each word.

    Some players learn nothing, and say each word as often as `habit` has it for their hand. The
    others begin to learn from there too, so that even a rare word tells something of the hand.
    """

    side: int
    after: Mapping[str, Node]
    unmoved: float = 0.0
    """How likely the side is one that learns nothing."""
    habit: Mapping[str, Sequence[float]] = field(default_factory=dict)


Node: TypeAlias = Settled | Shown | Choice


class Solver:
    """A betting game, being solved."""

    def __init__(
        self, root: Node, chances: Sequence[Sequence[float]], ranges: tuple[Shares, Shares]
    ) -> None:
        """Take the chances between the hands, and the shares of the hands.

        `chances[i][j]` is the chance that hand i of side 0 wins against hand j of side 1. `ranges`
        are the shares.
        """
        other = [[1.0 - chance for chance in column] for column in zip(*chances, strict=True)]
        self._beats = ([list(row) for row in chances], other)
        self._ranges = ranges
        self._nodes: dict[tuple[str, ...], _Learning] = {}
        self.root = root
        self._round = 0

    def run(self, rounds: int) -> None:
        """Improve the strategies of both sides, in turn."""
        for _ in range(rounds):
            self._round += 1
            for side in (0, 1):
                self._values(self.root, (), side, self._ranges[side], self._ranges[1 - side])

    def share(self, path: Sequence[str], hand: int) -> dict[str, float]:
        """Return how often this hand says each word after these words."""
        node = self._nodes[tuple(path)]
        summed = [kept[hand] for kept in node.kept]
        whole = sum(summed)
        if whole <= 0.0:
            return {word: begin[hand] for word, begin in zip(node.words, node.begin, strict=True)}
        return {word: kept / whole for word, kept in zip(node.words, summed, strict=True)}

    def worths(
        self,
        path: Sequence[str],
        side: int = 0,
        hand: int = 0,
        seen: tuple[Shares, Shares] | None = None,
    ) -> dict[str, float]:
        """Return the value for a hand of each of its words after these words.

        Both sides play as learned. `seen` are its chances against each hand of the other side, and
        the shares of those, if it knows more than the game.
        """
        beats, theirs = seen or (self._beats[side][hand], self._ranges[1 - side])
        node = self.root
        for place, word in enumerate(path):
            assert isinstance(node, Choice)
            if node.side != side:
                theirs = list(map(mul, theirs, self.said(node, tuple(path[:place]))[word]))
            node = node.after[word]
        assert isinstance(node, Choice)
        reach = sum(theirs)
        return {
            word: self._worth(after, (*path, word), side, hand, (beats, theirs)) / reach
            for word, after in node.after.items()
        }

    def _worth(
        self, node: Node, path: tuple[str, ...], side: int, hand: int, seen: tuple[Shares, Shares]
    ) -> float:
        """Return the value of a hand here, times a share of the other side.

        The share is that part of the other side that comes here.
        """
        beats, theirs = seen
        if not isinstance(node, Choice):
            return _ends(node, side, [beats], theirs)[0]
        if node.side != side:
            said = self.said(node, path)
            return sum(
                self._worth(
                    after, (*path, word), side, hand, (beats, list(map(mul, theirs, said[word])))
                )
                for word, after in node.after.items()
            )
        often = self.share(path, hand)
        return sum(
            often[word] * self._worth(after, (*path, word), side, hand, seen)
            for word, after in node.after.items()
            if often[word]
        )

    def said(self, node: Choice, path: tuple[str, ...]) -> dict[str, Shares]:
        """Return how often each hand of the side says each word here.

        This includes the unmoved players on that side.
        """
        shares = [self.share(path, hand) for hand in range(len(self._ranges[node.side]))]
        return {
            word: [
                (1 - node.unmoved) * share[word]
                + node.unmoved * (node.habit[word][hand] if node.unmoved else 0.0)
                for hand, share in enumerate(shares)
            ]
            for word in node.after
        }

    def _values(
        self, node: Node, path: tuple[str, ...], side: int, ours: Shares, theirs: Shares
    ) -> Shares:
        """Learn for a side, and return the worth of each of its hands, times a share of the other.

        The share is that part of the other side that comes here.
        """
        if not isinstance(node, Choice):
            return _ends(node, side, self._beats[side], theirs)
        known = self._nodes.get(path)
        if known is None:
            known = self._nodes[path] = _Learning(node, len(self._ranges[node.side]))
        played = known.played
        values = []
        for word, part in zip(known.words, played, strict=True):
            if node.side == side:
                reach = (list(map(mul, ours, part)), theirs)
            else:
                reach = (ours, list(map(mul, theirs, part)))
            values.append(self._values(node.after[word], (*path, word), side, *reach))
        if node.side != side:
            return list(map(sum, zip(*values, strict=True)))
        mean = [
            sum(map(mul, *pair))
            for pair in zip(zip(*played, strict=True), zip(*values, strict=True), strict=True)
        ]
        known.learn(values, mean, ours, self._round)
        return mean


def _ends(node: Settled | Shown, side: int, beats: Sequence[Shares], theirs: Shares) -> Shares:
    """Return the worth of an end for hands of a side with these chances to win."""
    sign = -1.0 if side else 1.0
    if isinstance(node, Settled):
        return [sign * node.worth * sum(theirs)] * len(beats)
    won, lost = (-node.lost, -node.won) if side else (node.won, node.lost)
    base = lost * sum(theirs)
    return [base + (won - lost) * sum(map(mul, row, theirs)) for row in beats]


class _Learning:
    """The regrets at a choice, and the strategy kept so far."""

    def __init__(self, node: Choice, hands: int) -> None:
        self.node, self.words = node, tuple(node.after)
        self.regrets = [[0.0] * hands for _ in self.words]
        self.kept = [[0.0] * hands for _ in self.words]
        even = [1 / len(self.words)] * hands
        self.begin = [node.habit.get(word, even) for word in self.words]
        self._now = [list(begin) for begin in self.begin]
        self.played = self._with_unmoved()
        """How often each word is said with each hand."""

    def _with_unmoved(self) -> list[Shares]:
        unmoved = self.node.unmoved
        if not unmoved:
            return self._now
        return [
            [
                (1 - unmoved) * part + unmoved * habit
                for part, habit in zip(row, self.node.habit[word], strict=True)
            ]
            for word, row in zip(self.words, self._now, strict=True)
        ]

    def learn(self, values: Sequence[Shares], mean: Shares, reach: Shares, weight: int) -> None:
        """Keep the strategy, and take the next one in proportion to the regrets."""
        weighed = [weight * weight * share for share in reach]
        for place, row in enumerate(values):
            self.kept[place] = [
                old + share * part
                for old, share, part in zip(
                    self.kept[place], weighed, self._now[place], strict=True
                )
            ]
            self.regrets[place] = [
                regret if (regret := old + value - middle) > 0.0 else 0.0
                for old, value, middle in zip(self.regrets[place], row, mean, strict=True)
            ]
        whole = list(map(sum, zip(*self.regrets, strict=True)))
        self._now = [
            [
                regret / every if every > 0.0 else habit
                for regret, every, habit in zip(row, whole, begin, strict=True)
            ]
            for row, begin in zip(self.regrets, self.begin, strict=True)
        ]
        self.played = self._with_unmoved()
