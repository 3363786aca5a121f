"""Solve siete y media between a punto and a bank: `python -m tests.bots.solve_siete_y_media`.

It writes the table of engine.bots.siete_y_media_table, in about a quarter of an hour of one
processor, from the last deal back. Each position is one deal, whose end is worth what the positions
after it are. Both sides learn in turn by CFR+ (Tammelin, arXiv 1407.5042). The bank knows the first
bet, the raise, the sum that is open and the kind of the hidden card.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from engine.bots import siete_y_media_table
from engine.bots.siete_y_media_draws import NEXT, OVER, TIED, beaten_by
from engine.bots.siete_y_media_table import (
    CHIPS,
    FINE,
    FRESH,
    KEPT,
    LEVELS,
    LINES,
    LONG,
    MOST,
    PAIRS,
    PLAYED,
    SHARE,
    STATES,
    WHOLE,
    WORTHS,
    Field,
    Solution,
    between,
    fields,
    grid,
    hidden_cards,
    may,
    middle,
)
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA

PATH = Path(siete_y_media_table.__file__).with_name("siete_y_media.table")
ROUNDS, FEW_ROUNDS = 200, 60
"""How long both learn; where only the chance is kept, fewer rounds do."""
SELDOM = 0.02
"""Options that are less frequent are left out of the table."""
STRAY = 0.002
"""How often a punto comes to stand as he never would: so a bank knows what to do then."""
HAPPENS = 1e-6
PER_CHIP = 1 / 64
"""The worth of a chip where only the chips of a deal count."""
RARE = 0.003
"""Choices to which a punto comes less often are written as one option: the most frequent."""
Values = dict[int, list[float]]
NODES = sorted(
    ((line, hidden) for line in LINES for hidden in hidden_cards(line)),
    key=lambda node: node[0][0] + node[1],
)
"""The cards of a punto, those of less total first."""
NUMBER = {node: at for at, node in enumerate(NODES)}


@dataclass(frozen=True)
class Cards:
    """The cards of a punto after another one."""

    up: list[tuple[float, int]]
    down: list[tuple[float, int]]
    seven: float
    over: float


def _cards(node: tuple[tuple[int, int], int]) -> Cards:
    (shown, _), hidden = node
    total = shown + hidden
    below = [worth for worth in WORTHS if total + worth < SIETE_Y_MEDIA]
    return Cards(
        [(SHARE[worth], NUMBER[(shown + worth, KEPT), hidden]) for worth in below],
        [(SHARE[worth], NUMBER[(total, FRESH), worth]) for worth in below],
        SHARE.get(SIETE_Y_MEDIA - total, 0.0),
        sum(share for worth, share in SHARE.items() if total + worth > SIETE_Y_MEDIA),
    )


AFTER = [_cards(node) for node in NODES]
FIRSTS = [NUMBER[LINES[0], worth] for worth in WORTHS]
HELD = [
    [(line[0] + hidden, NUMBER[line, hidden]) for hidden in hidden_cards(line)] for line in LINES
]
LINE_OF = [LINES.index(line) for line, _ in NODES]
TOTALS = [line[0] + hidden for line, hidden in NODES]
STRAYS = [
    STRAY * SHARE[hidden] * (1.0 if TOTALS[at] > 9 else 0.1) for at, (_, hidden) in enumerate(NODES)
]


def shares(weights: Sequence[float]) -> list[float]:
    """Return weights in proportion; all alike if there are none."""
    whole = sum(weights)
    if whole > 0:
        return [weight / whole for weight in weights]
    return [1 / len(weights)] * len(weights)


class Choice:
    """A choice that learns: regrets, the average of its play, and its play now."""

    def __init__(self, options: int) -> None:
        """Begin with all options alike."""
        self.regrets, self.kept = [0.0] * options, [0.0] * options
        self.now = shares(self.regrets)

    def learn(self, values: Sequence[float], weight: float) -> float:
        """Take the worth of each option in, and return that of the choice before."""
        mean = 0.0
        for often, value in zip(self.now, values, strict=True):
            mean += often * value
        self.regrets = [
            regret if (regret := old + value - mean) > 0 else 0.0
            for old, value in zip(self.regrets, values, strict=True)
        ]
        self.now = shares(self.regrets)
        if weight:
            self.kept = [
                old + weight * often for old, often in zip(self.kept, self.now, strict=True)
            ]
        return mean


class Bank:
    """The bank against one stake and line: at each total it stands or asks."""

    def __init__(self) -> None:
        """Begin with both alike."""
        self.regrets = [[0.0, 0.0] for _ in range(SIETE_Y_MEDIA)]
        self.kept = [[0.0, 0.0] for _ in range(SIETE_Y_MEDIA)]
        self.stands = [0.5] * SIETE_Y_MEDIA

    def learn(self, told: Sequence[tuple[int, float]], weight: float) -> None:
        """Learn against the totals of puntos, each with its part."""
        above, left = [0.0] * (SIETE_Y_MEDIA + 1), 0.0
        for total, part in told:
            above[total] += part
            left += part
        whole, loses = left, [0.0] * SIETE_Y_MEDIA
        beaten = 0.0
        for mine in range(SIETE_Y_MEDIA - 1, 0, -1):
            asking = OVER[mine] * whole
            for share, total in NEXT[mine]:
                asking += share * loses[total]
            often = self.stands[mine]
            mean = often * beaten + (1 - often) * asking
            loses[mine] = mean
            regrets = self.regrets[mine]
            one, other = regrets[0] + mean - beaten, regrets[1] + mean - asking
            regrets[0] = one = one if one > 0 else 0.0
            regrets[1] = other = other if other > 0 else 0.0
            self.stands[mine] = one / (one + other) if one + other > 0 else 0.5
            kept = self.kept[mine]
            kept[0] += weight * self.stands[mine]
            kept[1] += weight * (1 - self.stands[mine])
            beaten += above[mine]


def best_bank(told: Sequence[tuple[int, float]]) -> list[float]:
    """Return where the bank stands that knows how often a punto stands with each total."""
    whole = sum(part for _, part in told)
    loses, stands = [0.0] * SIETE_Y_MEDIA, [0.0] * SIETE_Y_MEDIA
    for mine in range(SIETE_Y_MEDIA - 1, 0, -1):
        beaten = sum(part for total, part in told if total > mine)
        asking = OVER[mine] * whole + sum(share * loses[total] for share, total in NEXT[mine])
        loses[mine], stands[mine] = min(beaten, asking), float(beaten <= asking)
    return stands


def mean(choice: Choice, values: Sequence[float]) -> float:
    """Return the worth of a choice as it is made now."""
    return sum(map(float.__mul__, choice.now, values))


class Deal:
    """One deal, learned by both sides."""

    def __init__(self, deals: int, lead: int, known: Values) -> None:
        """Take the chances with fewer deals to come."""
        stakes = (1, middle(deals, lead), MOST)

        def worth(chips: int, *, seven: bool = False) -> float:
            if deals == CHIPS:
                return 0.5 + chips * PER_CHIP
            if seven:
                return 1.0 - between(known, -lead - 2 * chips, deals - 1)
            return between(known, lead + 2 * chips, deals - 1)

        self.won = [worth(stake) for stake in stakes]
        self.lost = [worth(-stake) for stake in stakes]
        self.sevens = []
        for at, stake in enumerate(stakes):
            seven = worth(2 * stake, seven=True)
            tied = (1 - TIED) * seven + TIED * self.lost[at]
            self.sevens.append(min(seven, tied))
        self.bets = [Choice(len(LEVELS)) for _ in WORTHS]
        self.options = [
            [may(deals, first, line[0], hidden) for line, hidden in NODES] for first in LEVELS
        ]
        self.plays = [
            [Choice(len(levels) + up + down) for levels, up, down in self.options[first]]
            for first in LEVELS
        ]
        self.banks = {(pair, line): Bank() for pair in PAIRS for line in range(len(LINES))}

    def reached(self) -> list[list[float]]:
        """Return how often a punto comes to each of his choices, by his first bet."""
        found = []
        for first in LEVELS:
            coming = [0.0] * len(NODES)
            for at, node in enumerate(FIRSTS):
                coming[node] = SHARE[WORTHS[at]] * self.bets[at].now[first]
            for node, after in enumerate(AFTER):
                chance = coming[node]
                if not chance:
                    continue
                levels, up, down = self.options[first][node]
                now = self.plays[first][node].now
                if up and (asks := chance * now[len(levels)]):
                    for share, other in after.up:
                        coming[other] += asks * share
                if down and (asks := chance * now[-1]):
                    for share, other in after.down:
                        coming[other] += asks * share
            found.append(coming)
        return found

    def told(
        self, reached: Sequence[Sequence[float]]
    ) -> Iterator[tuple[tuple[int, int], int, list[tuple[int, float]]]]:
        """Yield every stake and line with the totals of those who stand, each with its part."""
        for (first, last), line in self.banks:
            found = []
            for total, node in HELD[line]:
                part = STRAYS[node]
                if last in self.options[first][node][0]:
                    part += reached[first][node] * self.plays[first][node].now[last - first]
                found.append((total, part))
            yield (first, last), line, found

    def learn(self, weight: float) -> float:
        """Let both look at the present play of the other; return the worth to the punto."""
        reached = self.reached()
        wins = {}
        for pair, line, told in self.told(reached):
            bank = self.banks[pair, line]
            bank.learn(told, weight)
            wins[pair, line] = beaten_by(bank.stands)

        def plays(choice: Choice, values: Sequence[float], first: int, node: int) -> float:
            return choice.learn(values, weight * (reached[first][node] + HAPPENS))

        return self.worth(wins, plays, lambda choice, values: choice.learn(values, weight))

    def worth(
        self,
        wins: Mapping[tuple[tuple[int, int], int], Sequence[float]],
        plays: Callable[[Choice, Sequence[float], int, int], float],
        bets: Callable[[Choice, Sequence[float]], float],
    ) -> float:
        """Return the worth to the punto; both functions make the worth of a choice from those of
        its options."""
        firsts = []
        for first in LEVELS:
            worths = [0.0] * len(NODES)
            seven, lost = self.sevens[first], self.lost[first]
            for node in range(len(NODES) - 1, -1, -1):
                levels, up, down = self.options[first][node]
                after, line, total = AFTER[node], LINE_OF[node], TOTALS[node]
                values = []
                for last in levels:
                    win = wins[(first, last), line][total]
                    values.append(win * self.won[last] + (1 - win) * self.lost[last])
                ends = after.seven * seven + after.over * lost
                for asks, cards in ((up, after.up), (down, after.down)):
                    if asks:
                        value = ends
                        for share, other in cards:
                            value += share * worths[other]
                        values.append(value)
                worths[node] = plays(self.plays[first][node], values, first, node)
            firsts.append(worths)
        return sum(
            SHARE[worth] * bets(choice, [firsts[first][node] for first in LEVELS])
            for worth, node, choice in zip(WORTHS, FIRSTS, self.bets, strict=True)
        )

    def best_replies(self, solution: Solution) -> tuple[float, float]:
        """Return the worth to the punto of a solution where the bank knows it, and where he knows
        that of the bank and may do all that the rules allow."""
        for choice, worth in zip(self.bets, WORTHS, strict=True):
            choice.now = list(solution.shares("bet", (0, 0), LINES[0], worth))
        for first in LEVELS:
            for node, (line, hidden) in enumerate(NODES):
                levels, up, down = self.options[first][node]
                parts = solution.shares("punto", (first, first), line, hidden)
                now = [*parts[: len(levels)], *parts[-2:][:up], *parts[-1:][:down]]
                self.plays[first][node].now = shares(now)
        best, known = {}, {}
        for pair, line, told in self.told(self.reached()):
            best[pair, line] = beaten_by(best_bank(told))
            stands = [solution.shares("bank", pair, LINES[line], at)[0] for at in range(1, 15)]
            known[pair, line] = beaten_by([0.0, *stands])
        low = self.worth(best, lambda choice, values, *_: mean(choice, values), mean)
        self.options = [[(levels, True, True) for levels, *_ in row] for row in self.options]
        return low, self.worth(
            known, lambda _choice, values, *_: max(values), lambda _, values: max(values)
        )

    def coming(self) -> list[list[float]]:
        """Return how often a punto comes to each of his choices in the mean play."""
        for choice in (*self.bets, *(choice for plays in self.plays for choice in plays)):
            choice.now = shares(choice.kept)
        return self.reached()

    def often(self, field: Field, coming: Sequence[Sequence[float]]) -> list[float]:
        """Return the mean share of each option of a choice, as the table has them."""
        if field.side == "bet":
            return shares(self.bets[WORTHS.index(field.card)].kept)
        line = LINES.index(field.line)
        if field.side == "bank":
            return shares(self.banks[field.pair, line].kept[field.card])
        first, node = field.pair[0], NUMBER[field.line, field.card]
        levels, up, down = self.options[first][node]
        kept = shares(self.plays[first][node].kept)
        if coming[first][node] < RARE:
            most = kept.index(max(kept))
            kept = [float(at == most) for at in range(len(kept))]
        stands = kept[: len(levels)] + [0.0] * (len(LEVELS) - first - len(levels))
        rest = kept[len(levels) :]
        return [*stands, rest[0] if up else 0.0, rest[-1] if down else 0.0]


def written_parts(often: Sequence[float]) -> list[int]:
    """Return shares in whole parts, the seldom ones left out."""
    kept = [part if part >= SELDOM else 0.0 for part in often]
    upto = [round(WHOLE * part / sum(kept)) for part in accumulate(kept)]
    return [one - less for one, less in zip(upto, (0, *upto[:-1]), strict=True)]


def solved(deals: int, lead: int, known: Values) -> tuple[int, list[int]]:
    """Return the chance of the punto as the table has it, and the shares of all choices."""
    deal = Deal(deals, lead, known)
    value = whole = 0.0
    for number in range(1, (ROUNDS if (deals, lead) in PLAYED else FEW_ROUNDS) + 1):
        value += number * deal.learn(float(number))
        whole += number
    coming, written = deal.coming(), list[int]()
    for field, _ in fields():
        written += written_parts(deal.often(field, coming))[:-1]
    return round(FINE * value / whole), written


def main() -> None:
    """Write the table."""
    known: Values = {}
    numbers, plays = [], [solved(CHIPS, 0, known)[1]]
    for deals in range(1, LONG + 1):
        chances = []
        for lead in grid(deals):
            number, written = solved(deals, lead, known)
            numbers.append(number)
            chances.append(number / FINE)
            if (deals, lead) in PLAYED:
                plays.append(written)
        known[deals] = chances
        print(deals, [round(chance, 3) for chance in chances], flush=True)
    assert len(numbers) == len(STATES)
    table = bytes(
        [
            *(number // 256 for number in numbers),
            *(number % 256 for number in numbers),
            *(shares[at] for at in range(len(plays[0])) for shares in plays),
        ]
    )
    PATH.write_bytes(zlib.compress(table, 9))


if __name__ == "__main__":
    main()
