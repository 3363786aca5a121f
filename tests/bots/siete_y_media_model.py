"""Siete y media between one punto and a bank, as a game to be solved: `python -m
tests.bots.siete_y_media_model PLACE` prints it.

The deck is endless, and the stake has three levels. Both learn by CFR+ (Tammelin, arXiv 1407.5042),
against opponents of whom some are ordinary people: puntos who stake by their card, and banks that
do not read stakes. A punto with siete y media loses his place, which is worth so many chips. Totals
are half points.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence

from engine.bots.siete_y_media_reading import beaten_by, drawn, plain_bank
from engine.bots.siete_y_media_table import OPEN_SUMS, PATIENCE, SHARE, WHOLE, WORTHS, Table
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA

STAKES = (1, 4, 10)
LEVELS = range(len(STAKES))
PUNTOS, BANKS = 0.6, 0.5
"""The share of ordinary puntos, and of ordinary banks."""
ORDINARY_BETS = {14: (0.1, 0.2, 0.7), 12: (0.35, 0.45, 0.2), 1: (0.35, 0.5, 0.15)}
DROPPED = 0.04
STATES = sorted(
    ((s, h) for s in range(OPEN_SUMS) for h in WORTHS if s + h < SIETE_Y_MEDIA), key=sum
)
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def reaches(total: int) -> float:
    """Return how likely a bank that draws on has siete y media exactly."""
    if total >= SIETE_Y_MEDIA:
        return float(total == SIETE_Y_MEDIA)
    return sum(share * reaches(total + worth) for worth, share in SHARE.items())


TIED = reaches(0)


class Mixed:
    """A choice: regrets, and the strategy kept."""

    def __init__(self, options: int) -> None:
        self.regrets, self.kept = [0.0] * options, [0.0] * options

    def now(self) -> list[float]:
        return shares(self.regrets)

    def mean(self) -> list[float]:
        return shares(self.kept)

    def learn(self, values: Sequence[float], weight: float) -> None:
        played = self.now()
        mean = sum(map(float.__mul__, played, map(float, values)))
        for place, value in enumerate(values):
            self.regrets[place] = max(0.0, self.regrets[place] + value - mean)
            self.kept[place] += weight * played[place]


def shares(weights: Sequence[float]) -> list[float]:
    whole = sum(weights)
    return (
        [weight / whole for weight in weights] if whole > 0 else [1 / len(weights)] * len(weights)
    )


def ordinary_punto(level: int, shown: int, hidden: int) -> list[float]:
    total = shown + hidden
    stays = PATIENCE.get(total, 0.02)
    standing = [0.0] * (len(STAKES) - level)
    standing[0] = stays
    if total >= 13:
        standing[0] = stays * 0.2
        standing[-1] += stays * 0.8
    up = 0.8 if hidden >= 8 else 0.2
    return [*standing, (1 - stays) * up, (1 - stays) * (1 - up)]


Told = dict[tuple[int, int], dict[int, float]]


def standing_of(
    bets: dict[int, Sequence[float]], plays: dict[tuple[int, int, int], Sequence[float]]
) -> Told:
    """Return how often a punto comes to stand at a level with this sum shown and that card
    hidden."""
    coming: dict[tuple[int, int, int], float] = defaultdict(float)
    found: Told = defaultdict(lambda: defaultdict(float))
    for worth, often in bets.items():
        for level in LEVELS:
            coming[level, 0, worth] = SHARE[worth] * often[level]
    for shown, hidden in STATES:
        for level in LEVELS:
            share = coming[level, shown, hidden]
            if share <= 0:
                continue
            *standing, up, down = plays[level, shown, hidden]
            for more, often in enumerate(standing):
                found[level + more, shown][hidden] += share * often
            for worth in WORTHS:
                if shown + hidden + worth < SIETE_Y_MEDIA:
                    coming[level, shown + worth, hidden] += share * up * SHARE[worth]
                    coming[level, shown + hidden, worth] += share * down * SHARE[worth]
    return found


def bank_values(
    told: dict[int, float], shown: int, stake: float, stands: Sequence[float] | None
) -> list[tuple[float, float]]:
    """Return of each total what standing and asking are worth to the bank; it goes on by `stands`,
    or as well as can be."""
    whole = sum(told.values())
    values, found = [0.0] * SIETE_Y_MEDIA, [(0.0, 0.0)] * SIETE_Y_MEDIA
    for mine in range(SIETE_Y_MEDIA - 1, 0, -1):
        beaten = sum(share for hidden, share in told.items() if shown + hidden > mine)
        pair = stake * (whole - 2 * beaten), drawn(values, mine, stake * whole)
        often = (1.0 if pair[0] >= pair[1] else 0.0) if stands is None else stands[mine]
        values[mine] = often * pair[0] + (1 - often) * pair[1]
        found[mine] = pair
    return found


def punto_options(
    level: int,
    shown: int,
    hidden: int,
    wins: dict[tuple[int, int], list[float]],
    after: dict[tuple[int, int, int], float],
    place: float,
) -> list[float]:
    """Return what standing at each level and asking up and down are worth to a punto."""
    found = [
        STAKES[more] * (2 * wins[more, shown][shown + hidden] - 1)
        for more in range(level, len(STAKES))
    ]
    up = down = 0.0
    stake = STAKES[level]
    for worth, share in SHARE.items():
        total = shown + hidden + worth
        if total < SIETE_Y_MEDIA:
            up += share * after[level, shown + worth, hidden]
            down += share * after[level, shown + hidden, worth]
        else:
            end = (
                (2 * stake - place) * (1 - TIED) - TIED * stake
                if total == SIETE_Y_MEDIA
                else -stake
            )
            up += share * end
            down += share * end
    return [*found, up, down]


class Model:
    """Both players, learning."""

    def __init__(self, place: float, puntos: float, banks: float) -> None:
        """Take the worth of the punto's place, and the shares of ordinary puntos and banks."""
        self.place, self.puntos, self.banks_share = place, puntos, banks
        self.bets = {worth: Mixed(len(STAKES)) for worth in WORTHS}
        self.plays = {
            (level, s, h): Mixed(len(STAKES) - level + 2) for level in LEVELS for s, h in STATES
        }
        self.bank = {
            (level, s, mine): Mixed(2)
            for level in LEVELS
            for s in range(OPEN_SUMS)
            for mine in range(1, SIETE_Y_MEDIA)
        }
        bets = {worth: ORDINARY_BETS.get(worth, (0.8, 0.15, 0.05)) for worth in WORTHS}
        self.people = standing_of(
            bets,
            {(level, s, h): ordinary_punto(level, s, h) for level in LEVELS for s, h in STATES},
        )
        self.banks = [plain_bank(shown) for shown in range(OPEN_SUMS)]

    def learn(self, weight: int) -> None:
        """Let both look at the present play of the other."""
        told = standing_of(
            {w: node.now() for w, node in self.bets.items()},
            {at: node.now() for at, node in self.plays.items()},
        )
        wins = {}
        for level in LEVELS:
            for shown in range(OPEN_SUMS):
                hands = {
                    h: (1 - self.puntos) * told[level, shown][h]
                    + self.puntos * self.people[level, shown][h]
                    for h in WORTHS
                }
                hands = {h: share for h, share in hands.items() if shown + h < SIETE_Y_MEDIA}
                stands = [0.0] + [
                    self.bank[level, shown, mine].now()[0] for mine in range(1, SIETE_Y_MEDIA)
                ]
                for mine, pair in enumerate(bank_values(hands, shown, STAKES[level], stands)):
                    if mine:
                        self.bank[level, shown, mine].learn(pair, weight)
                part = self.banks_share
                mixed = [
                    (1 - part) * mine + part * people
                    for mine, people in zip(stands, self.banks[shown], strict=True)
                ]
                wins[level, shown] = beaten_by(mixed)
        after: dict[tuple[int, int, int], float] = {}
        for shown, hidden in reversed(STATES):
            for level in LEVELS:
                node = self.plays[level, shown, hidden]
                options = punto_options(level, shown, hidden, wins, after, self.place)
                after[level, shown, hidden] = sum(map(float.__mul__, node.now(), options))
                node.learn(options, weight)
        for worth, node in self.bets.items():
            node.learn([after[level, 0, worth] for level in LEVELS], weight)

    def table(self) -> Table:
        """Return what they have learned."""
        punto = [
            " ".join(word(self.plays[level, s, h].mean()) for h in WORTHS if s + h < SIETE_Y_MEDIA)
            for level in LEVELS
            for s in range(OPEN_SUMS)
        ]
        bank = [
            "".join(word(self.bank[level, s, mine].mean())[0] for mine in range(1, SIETE_Y_MEDIA))
            for level in LEVELS
            for s in range(OPEN_SUMS)
        ]
        return Table(
            self.place,
            tuple(word(node.mean()) for node in self.bets.values()),
            tuple(punto),
            tuple(bank),
        )


def word(often: Sequence[float]) -> str:
    kept = shares([part if part >= DROPPED else 0.0 for part in often])
    return "".join(DIGITS[round(WHOLE * part)] for part in kept)


def _read(digits: str) -> list[float]:
    return shares([float(DIGITS.index(digit)) for digit in digits])


def best_bank(table: Table) -> float:
    """Return what the punto of a table wins against the bank that knows it, the worth of the place
    left out."""
    bets = {worth: _read(digits) for worth, digits in zip(WORTHS, table.bets, strict=True)}
    lines = [[_read(digits) for digits in line.split()] for line in table.punto]
    plays = {
        (level, s, h): lines[level * OPEN_SUMS + s][WORTHS.index(h)]
        for level in LEVELS
        for s, h in STATES
    }
    told = standing_of(bets, plays)
    wins = {}
    for level in LEVELS:
        for shown in range(OPEN_SUMS):
            pairs = bank_values(told[level, shown], shown, STAKES[level], None)
            wins[level, shown] = beaten_by(
                [float(standing >= asking) for standing, asking in pairs]
            )
    return _worth(bets, plays, wins)


def best_punto(table: Table) -> float:
    """Return what the punto wins who knows the bank of a table."""
    wins = {}
    for level in LEVELS:
        for shown in range(OPEN_SUMS):
            line = table.bank[level * OPEN_SUMS + shown]
            wins[level, shown] = beaten_by([0.0] + [DIGITS.index(digit) / WHOLE for digit in line])
    return _worth(None, None, wins)


def _worth(
    bets: dict[int, list[float]] | None,
    plays: dict[tuple[int, int, int], list[float]] | None,
    wins: dict[tuple[int, int], list[float]],
) -> float:
    after: dict[tuple[int, int, int], float] = {}
    for shown, hidden in reversed(STATES):
        for level in LEVELS:
            options = punto_options(level, shown, hidden, wins, after, 0.0)
            at = level, shown, hidden
            after[at] = (
                max(options) if plays is None else sum(map(float.__mul__, plays[at], options))
            )
    total = 0.0
    for worth, share in SHARE.items():
        options = [after[level, 0, worth] for level in LEVELS]
        total += share * (
            max(options) if bets is None else sum(map(float.__mul__, bets[worth], options))
        )
    return total


def main(place: float, rounds: int = 700) -> Table:
    """Solve, for a worth of the punto's place: the punto against ordinary banks too, the bank
    against ordinary puntos."""
    models = Model(place, 0.0, BANKS), Model(place, PUNTOS, 0.0)
    for weight in range(1, rounds + 1):
        for model in models:
            model.learn(weight)
    punto, bank = (model.table() for model in models)
    return punto._replace(bank=bank.bank)


if __name__ == "__main__":
    print(main(float(sys.argv[1])))
