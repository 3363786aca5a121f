"""Solve the tricks and the truco of a deal for two: `python -m tests.bots.solve_truco`.

It writes the table of engine.bots.truco_table, in some fifteen minutes of one processor.
Counterfactual regret minimisation with sampled deals and sampled acts of the other side (Lanctot et
al., NIPS 2009), later deals weighing more (Brown and Sandholm, arXiv 1809.04040). The usual
situation, in which both sides need many points, is solved first; the others begin from its
strategies as they lie in the table, each with luck of its own, so that each can be solved alone.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from random import Random

from engine.bots import truco_table
from engine.bots.truco_odds import standing
from engine.bots.truco_table import BETS, CLASSES, CODES, Rest, place
from engine.games.truco.worth import STRENGTH

PATH = Path(truco_table.__file__).with_name("truco.table")
DECK = sorted(STRENGTH.values())
NEEDS = (1, 2, 4, 8)
"""Stand-ins for the classes of points that a side needs."""
USUAL = 15
"""The situation in which both sides need many points."""
SITUATIONS = {0: 4000, 5: 120000, 10: 60000, 3: 300000, 7: 240000, 11: 240000} | dict.fromkeys(
    (1, 2, 6), 80000
)
"""How many deals are played at the others. Where the sides need different points, the situation
with the sides exchanged is solved with it: one of them is the mano's."""
FIRST = 120000
BEGIN = 4000
"""So many deals the strategies are worth with which a situation begins."""
SELDOM = 0.05
"""Acts that are less frequent are left out of the table."""

Node = list[float]
"""The regrets of all acts, then how often each was chosen, by weight."""


def swapped(situation: int) -> int:
    """Return the situation as the other side sees it."""
    return situation % 4 * 4 + situation // 4


def _worths(situation: int) -> list[tuple[Sequence[float], Sequence[float]]]:
    """Return what a deal is worth to either side, in points or about, by its winner and stake."""
    mine, theirs = NEEDS[situation // 4], NEEDS[situation % 4]
    even = standing(mine, theirs)
    scale = 2 / (standing(mine - 1, theirs) - standing(mine, theirs - 1))
    won = [scale * (standing(mine - stake, theirs) - even) for stake in range(5)]
    lost = [scale * (standing(mine, theirs - stake) - even) for stake in range(5)]
    return [(won, lost), ([-worth for worth in won], [-worth for worth in lost])]


WORTHS = [_worths(situation) for situation in range(16)]


class Learner(Rest):
    """Learns strategies, for one side at a time."""

    def __init__(self, seed: int) -> None:
        self.nodes: dict[int, Node] = {}
        self.random = Random(seed)
        self.weight = 1.0
        self.side = 0
        self.first_decides = False
        self.places = (place, place)

    def deal(self, situation: int, sides: Sequence[int] = (0, 1)) -> float:
        """Learn from a deal, and return its worth to the side that has learned last."""
        six = self.random.sample(DECK, 6)
        one, other = sorted(six[:3], reverse=True), sorted(six[3:], reverse=True)
        self.codes = (situation * BETS, swapped(situation) * BETS)
        for self.side in sides:
            self.worths = WORTHS[situation][self.side]
            value = self.at((), (tuple(one), tuple(other)), 1, None)
        return value

    def meet(self, side, key, acts):
        count = len(acts)
        if side == self.side:
            node = self.nodes.get(key)
            if node is None:
                node = self.nodes[key] = self.begun(key, count)
            now = mixed(node, count)
            values = [act[0](*act[1:]) for act in acts]
            mean = 0.0
            for at in range(count):
                mean += now[at] * values[at]
            for at in range(count):
                node[at] += self.weight * (values[at] - mean)
            return mean
        now = self.met(key, count)
        lot = self.random.random()
        for at in range(count - 1):
            lot -= now[at]
            if lot < 0:
                break
        else:
            at = count - 1
        act = acts[at]
        return act[0](*act[1:])

    def met(self, key: int, count: int) -> Sequence[float]:
        """Return how often the other side does each act, and keep it for the average."""
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = self.begun(key, count)
        now = mixed(node, count)
        for at in range(count):
            node[count + at] += self.weight * now[at]
        return now

    def begun(self, key: int, count: int) -> Node:
        """Return the regrets with which a choice begins."""
        return [0.0] * (2 * count)

    def averages(self) -> dict[int, list[float]]:
        """Return how often each act was chosen on average at each choice."""
        kept = {key: node[len(node) // 2 :] for key, node in self.nodes.items()}
        return {
            key: [one / sum(node) for one in node] for key, node in kept.items() if sum(node) > 0
        }


class Begun(Learner):
    """Begins with the strategies of the usual situation, as they lie in a table."""

    def __init__(self, seed: int, usual: bytes) -> None:
        super().__init__(seed)
        self.usual = usual

    def begun(self, key: int, count: int) -> Node:
        often = truco_table.read(
            self.usual, key // CODES * CODES + USUAL * BETS + key % BETS, count
        )
        return [*(BEGIN**2 / 2 * part for part in often), *([0.0] * count)]


def mixed(node: Node, count: int) -> Sequence[float]:
    """Return how often each act is chosen, in proportion to its regret."""
    if count == 2:
        one, two = node[0], node[1]
        if one > 0:
            return (one / (one + two), two / (one + two)) if two > 0 else (1.0, 0.0)
        return (0.0, 1.0) if two > 0 else (0.5, 0.5)
    good = [regret if regret > 0 else 0.0 for regret in node[:count]]
    whole = sum(good)
    return [one / whole for one in good] if whole > 0 else [1 / count] * count


def fifteenths(often: Sequence[float]) -> list[int]:
    """Return shares in whole fifteenths, the seldom ones left out."""
    kept = [part if part >= SELDOM else 0.0 for part in often]
    upto = [round(15 * part / sum(kept)) for part in accumulate(kept)]
    return [one - less for one, less in zip(upto, (0, *upto[:-1]), strict=True)]


def written(table: bytearray, found: dict[int, list[float]]) -> None:
    """Write strategies into a table."""
    for key, often in found.items():
        parts = fifteenths(often)
        at = key % CODES * CLASSES + key // CODES
        table[at] = parts[0] + (parts[1] << 4 if len(parts) > 2 else 0)
        table[at + CODES * CLASSES] = parts[2] if len(parts) > 3 else 0


def first(told=print) -> bytearray:
    """Return a table that has the strategies of the usual situation, in the place of all others
    too: some of their choices are never met again."""
    learner = Learner(1)
    for number in range(FIRST):
        learner.weight = 1.0 + number
        learner.deal(USUAL)
        if number % 25000 == 0:
            told(f"{number} deals, {len(learner.nodes)} choices")
    table = bytearray(2 * CODES * CLASSES)
    found = learner.averages()
    for situation in range(16):
        written(table, {key + (situation - USUAL) * BETS: often for key, often in found.items()})
    return table


def begins(table: bytes) -> bytes:
    """Return what the situations of a whole table began from, as far as it is still there."""
    size = BETS * CLASSES
    halves = (table[: CODES * CLASSES], table[CODES * CLASSES :])
    return b"".join(half[USUAL * size : (USUAL + 1) * size] * 16 for half in halves)


def another(situation: int, table: bytes) -> dict[int, list[float]]:
    """Return the strategies of another situation, and of the same with the sides exchanged."""
    learner = Begun(situation, table)
    pair = sorted({situation, swapped(situation)})
    for number in range(SITUATIONS[situation]):
        learner.weight = float(BEGIN + number)
        learner.deal(pair[number % len(pair)])
    return learner.averages()


def main() -> None:
    """Write the table."""
    table = first()
    usual = bytes(table)
    for situation in SITUATIONS:
        written(table, another(situation, usual))
        print(f"situation {situation}", flush=True)
    PATH.write_bytes(zlib.compress(bytes(table), 9))


if __name__ == "__main__":
    main()
