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

    `habit` says how often some say each word with each hand, unmoved.

    The others begin to learn from there too: a word that is hardly ever said should not seem to be
    said with any hand.
    """

    side: int
    after: Mapping[str, Node]
    unmoved: float = 0.0
    """How likely the side is one of those."""
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
        self._rows = [list(row) for row in chances]
        self._columns = [list(column) for column in zip(*chances, strict=True)]
        self._ranges = ranges
        self._nodes: dict[tuple[str, ...], _Learning] = {}
        self._root = root
        self._round = 0

    def run(self, rounds: int) -> None:
        """Improve the strategies of both sides."""
        for _ in range(rounds):
            self._round += 1
            self._values(self._root, (), *self._ranges)

    def share(self, path: Sequence[str], hand: int) -> dict[str, float]:
        """Return how often this hand says each word after these words."""
        node = self._nodes[tuple(path)]
        summed = [kept[hand] for kept in node.kept]
        whole = sum(summed)
        if whole <= 0.0:
            return {word: begin[hand] for word, begin in zip(node.words, node.begin, strict=True)}
        return {word: kept / whole for word, kept in zip(node.words, summed, strict=True)}

    def worths(self, path: Sequence[str]) -> dict[str, float]:
        """Return the value for hand 0 of side 0 of each of its words after these words.

        Both sides play as learned.
        """
        node, theirs = self._root, list(self._ranges[1])
        for place, word in enumerate(path):
            assert isinstance(node, Choice)
            if node.side:
                theirs = list(map(mul, theirs, self._said(node, tuple(path[:place]))[word]))
            node = node.after[word]
        assert isinstance(node, Choice)
        reach = sum(theirs)
        return {
            word: self._worth(after, (*path, word), theirs) / reach
            for word, after in node.after.items()
        }

    def _worth(self, node: Node, path: tuple[str, ...], theirs: Shares) -> float:
        """Return the value of hand 0 of side 0 here, times a share of the other side.

        The share is that part of the other side that comes here.
        """
        if isinstance(node, Settled):
            return node.worth * sum(theirs)
        if isinstance(node, Shown):
            won: float = sum(map(mul, self._rows[0], theirs))
            return node.lost * sum(theirs) + (node.won - node.lost) * won
        if node.side:
            said = self._said(node, path)
            return sum(
                self._worth(after, (*path, word), list(map(mul, theirs, said[word])))
                for word, after in node.after.items()
            )
        often = self.share(path, 0)
        return sum(
            often[word] * self._worth(after, (*path, word), theirs)
            for word, after in node.after.items()
            if often[word]
        )

    def _said(self, node: Choice, path: tuple[str, ...]) -> dict[str, Shares]:
        """Return how often each hand of side 1 says each word here.

        This includes the unmoved players on that side.
        """
        shares = [self.share(path, hand) for hand in range(len(self._ranges[1]))]
        return {
            word: [
                (1 - node.unmoved) * share[word]
                + node.unmoved * (node.habit[word][hand] if node.unmoved else 0.0)
                for hand, share in enumerate(shares)
            ]
            for word in node.after
        }

    def _values(
        self, node: Node, path: tuple[str, ...], ours: Shares, theirs: Shares
    ) -> tuple[Shares, Shares]:
        """Return the worth of each hand of either side here, times a share of the other side.

        The share is that part of the other side that comes here.
        """
        if isinstance(node, Settled):
            mine, other = node.worth * sum(theirs), -node.worth * sum(ours)
            return [mine] * len(ours), [other] * len(theirs)
        if isinstance(node, Shown):
            gap = node.won - node.lost
            base, there = node.lost * sum(theirs), node.lost * sum(ours)
            first = [base + gap * sum(map(mul, row, theirs)) for row in self._rows]
            return first, [-there - gap * sum(map(mul, column, ours)) for column in self._columns]
        known = self._nodes.get(path)
        if known is None:
            known = self._nodes[path] = _Learning(node, len(self._ranges[node.side]))
        return self._chosen(node, known, path, ours, theirs)

    def _chosen(
        self, node: Choice, known: _Learning, path: tuple[str, ...], ours: Shares, theirs: Shares
    ) -> tuple[Shares, Shares]:
        reach = theirs if node.side else ours
        played = known.played()
        values: list[Shares] = []
        there: Shares = [0.0] * (len(ours) if node.side else len(theirs))
        for word, part in zip(known.words, played, strict=True):
            coming = list(map(mul, reach, part))
            if node.side:
                other, own = self._values(node.after[word], (*path, word), ours, coming)
            else:
                own, other = self._values(node.after[word], (*path, word), coming, theirs)
            values.append(own)
            there = [one + more for one, more in zip(there, other, strict=True)]
        mean = [
            sum(map(mul, *pair))
            for pair in zip(zip(*played, strict=True), zip(*values, strict=True), strict=True)
        ]
        known.learn(values, mean, reach, self._round)
        return (there, mean) if node.side else (mean, there)


class _Learning:
    """The regrets at a choice, and the strategy kept so far."""

    def __init__(self, node: Choice, hands: int) -> None:
        self.node, self.words = node, tuple(node.after)
        self.regrets = [[0.0] * hands for _ in self.words]
        self.kept = [[0.0] * hands for _ in self.words]
        self._now: list[Shares] = []
        even = [1 / len(self.words)] * hands
        self.begin = [node.habit.get(word, even) for word in self.words]

    def played(self) -> list[Shares]:
        """Return how often each word is said with each hand.

        The regrets decide this, except for the players that are unmoved.
        """
        whole = list(map(sum, zip(*self.regrets, strict=True)))
        self._now = [
            [
                regret / every if every > 0.0 else habit
                for regret, every, habit in zip(row, whole, begin, strict=True)
            ]
            for row, begin in zip(self.regrets, self.begin, strict=True)
        ]
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
        for place, row in enumerate(values):
            regrets = self.regrets[place]
            self.regrets[place] = [
                max(0.0, old + value - middle)
                for old, value, middle in zip(regrets, row, mean, strict=True)
            ]
            kept = self.kept[place]
            self.kept[place] = [
                old + weight * share * part
                for old, share, part in zip(kept, reach, self._now[place], strict=True)
            ]
