"""The computer player of siete y media. It plays the solved game of one punto and a bank, which gives nothing away.

Where another play is clearly better for the match (the last deals), or several puntos stand, it weighs the chance to win the
match, with the totals that the stakes tell of. Totals are half points, as in the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from math import erf, sqrt

from engine.bots.player import Character, Strength
from engine.bots.siete_y_media_match import LONG, after
from engine.bots.siete_y_media_ordinary import CAUTIOUS, DARING, STEADY, ordinary
from engine.bots.siete_y_media_table import PATIENCE, RASH, SHARE, TABLES, WORTHS, Table
from engine.core.cards import SPANISH_40
from engine.core.moves import Move, Seat
from engine.core.view import View
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA, WORTH, Bet, HitDown, HitUp, SieteYMedia, Stand

LEVELS = 3
WHOLE = 35
OPEN_SUMS = 14
SOON = 3
"""So many deals before the last, the place of the punto is worth half as much as early on."""
SWING = 5.0
"""The chips that a deal moves, roughly: the standard deviation."""
NAIVE = 0.25
"""How likely a punto bets without the table: then he stands where most do, with any stake."""
STANDS_FROM, RAISES_FROM = 8, 12
"""Nobody stands on less than four, or raises on less than six, but in the last deal."""
NEARLY = 0.012
"""Of winning the match: so much less than the best is as good, where the table mixes."""


def play(view: View, choose: Callable[[int], int]) -> Move:
    """Return the bet, the request or the stand."""
    game, seat = view.game, view.seat
    assert isinstance(game, SieteYMedia)
    assert seat is not None
    assert view.options is not None, "only a seat that is asked plays"
    mind = _Mind(view, game, seat, choose)
    if seat == game.bank:
        return Stand() if mind.bank_stands() else HitUp()
    if seat not in game.stakes:
        return Bet(mind.bet())
    return mind.request()


@cache
def _often(table: Table, level: int, shown: int, hidden: int) -> tuple[float, ...]:
    """Return how often the table stands at each level, asks up and asks down."""
    word = table.punto[level * OPEN_SUMS + shown].split()[WORTHS.index(hidden)]
    return _shares(word)


def _shares(word: str) -> tuple[float, ...]:
    numbers = [int(digit, 36) for digit in word]
    return tuple([number / sum(numbers) for number in numbers])


@cache
def _told(table: Table) -> dict[tuple[int, int], dict[int, float]]:
    """Return how often a punto of the table stands at a level with this sum shown and that card hidden."""
    coming: dict[tuple[int, int, int], float] = {}
    found: dict[tuple[int, int], dict[int, float]] = {}
    for worth, word in zip(WORTHS, table.bets, strict=True):
        for level, often in enumerate(_shares(word)):
            coming[level, 0, worth] = SHARE[worth] * often
    for shown, hidden in sorted([(s, h) for s in range(OPEN_SUMS) for h in WORTHS if s + h < SIETE_Y_MEDIA], key=sum):
        for level in range(LEVELS):
            share = coming.get((level, shown, hidden), 0.0)
            *standing, up, down = _often(table, level, shown, hidden)
            for more, often in enumerate(standing):
                there = found.setdefault((level + more, shown), {})
                there[hidden] = there.get(hidden, 0.0) + share * often
            for worth in WORTHS:
                if shown + hidden + worth < SIETE_Y_MEDIA:
                    for state, often in (((level, shown + worth, hidden), up), ((level, shown + hidden, worth), down)):
                        coming[state] = coming.get(state, 0.0) + share * often * SHARE[worth]
    return found


@cache
def _beats(table: Table, level: int, shown: int) -> tuple[float, ...]:
    """Return how likely each total below siete y media wins against the bank of the table, this stake and sum being seen."""
    line = table.bank[level * OPEN_SUMS + shown]
    ends = [0.0] * (SIETE_Y_MEDIA + 2)  # the last one is over
    coming = dict(SHARE)
    for total in range(1, SIETE_Y_MEDIA):
        chance = coming.get(total, 0.0)
        stands = int(line[total - 1], 36) / WHOLE
        ends[total] += chance * stands
        for worth, share in SHARE.items():
            coming[total + worth] = coming.get(total + worth, 0.0) + chance * (1 - stands) * share
    over = sum(chance for total, chance in coming.items() if total > SIETE_Y_MEDIA)
    return tuple([over + sum(ends[:total]) for total in range(SIETE_Y_MEDIA)])


@cache
def _reaches(goal: int, total: int = 0) -> float:
    """Return how likely a bank that draws until then hits a total exactly."""
    if total >= goal:
        return float(total == goal)
    return sum(share * _reaches(goal, total + worth) for worth, share in SHARE.items())


class _Mind:
    """The knowledge and plans of a seat at its turn."""

    def __init__(self, view: View, game: SieteYMedia, seat: Seat, choose: Callable[[int], int]) -> None:
        self.game, self.seat, self.choose = game, seat, choose
        self.faces = {**game.faces, **view.faces}
        seen = set(self.faces.values())
        unseen = [WORTH[card] for card in SPANISH_40 if card not in seen]
        self.cards = {worth: unseen.count(worth) / len(unseen) for worth in sorted(set(unseen))}
        """How likely a card that nobody has shown counts so much."""
        self.total = sum(WORTH[self.faces[slot]] for slot in game.hands[seat])
        self.deals_left = game.options["deals"] - game.round if game.options["deals"] else 2
        others = [chips for other, chips in enumerate(game.score) if other != seat]
        self.ahead = game.score[seat] - max(others)
        self.seven = False  # whether the outcome that is weighed is siete y media
        self._states: dict[tuple[int, int, int], float] = {}

    @property
    def table(self) -> Table:
        """Return the table for the worth of the punto's place: it grows with the deals to come."""
        game = self.game
        moves = game.players == 2 and game.options["bank"] == "seven"
        return TABLES[0 if not moves or self.deals_left < 1 else 1 if self.deals_left <= SOON else 2]

    def worth(self, chips: float) -> float:
        """Return the chance to win the match after so many chips more; a draw is worth half."""
        game = self.game
        if game.players > 2:
            ahead = self.ahead + chips
            if self.deals_left <= 0:
                return 1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0
            return 0.5 + 0.5 * erf(ahead / (2 * SWING * sqrt(2 * self.deals_left)))
        left, most = min(self.deals_left, LONG), game.options["max_bet"]
        if self.seat != game.bank:
            return after(self.ahead, int(chips), left, most, seven=self.seven)
        return 1.0 - after(-self.ahead, -int(chips), left, most, seven=bool(game.sevens) and chips < 0)

    def drawn(self, often: Sequence[float]) -> int:
        """Return a place by lot; the likeliest for somebody who asks for a hint, whose choice is always 0."""
        places = sorted(range(len(often)), key=lambda place: -often[place])
        lot = self.choose(1000) * sum(often) / 1000
        for place in places:
            lot -= often[place]
            if lot < 0:
                return place
        return places[0]

    # A punto.

    @property
    def levels(self) -> list[int]:
        """The chips of each level of the stake, as far as the seat and the bank have them."""
        game = self.game
        cap = game.cap(self.seat)
        least: int = min(game.options["min_bet"], cap)
        return [least, least + (cap - least) // 3, cap]

    def level(self, stake: int) -> int:
        """Return the level of a stake: the nearest."""
        most: int = self.game.options["max_bet"]
        least: int = self.game.options["min_bet"]
        if stake >= (2 * most + least) // 3:
            return LEVELS - 1
        return 0 if stake <= least + (most - least) // 6 else 1

    def bet(self) -> int:
        """Bet by the table: mostly the least, as the stake can be raised with less told."""
        levels = self.levels
        often = _shares(self.table.bets[WORTHS.index(self.total)])
        if self.game.players > 2:
            return levels[self.drawn(often)] if self.deals_left or self.ahead <= 0 else levels[0]
        stakes: list[int] = sorted({*levels, *range(levels[0], min(levels[-1], levels[0] + 2))})
        values = [self._state(stake, 0, self.total) for stake in stakes]
        told = [often[levels.index(stake)] if stake in levels else 0.0 for stake in stakes]
        return stakes[self.sensible(told, values)]

    def sensible(self, often: Sequence[float], values: Sequence[float]) -> int:
        """Return a place by the lot of the table, of those that are worth nearly the most; or the one worth most."""
        best = max(values)
        kept = [part if value >= best - NEARLY else 0.0 for part, value in zip(often, values, strict=True)]
        return self.drawn(kept) if sum(kept) > 0 else values.index(best)

    def request(self) -> Move:
        """Ask or stand by the table, where that is worth nearly the most."""
        game = self.game
        slot = game.hidden(self.seat)
        hidden, shown, stake = WORTH[self.faces[slot]], game.shown(self.seat), game.stakes[self.seat]
        *standing, up, down = _often(self.table, self.level(stake), shown, hidden)
        raises = [0, *game.raises(self.seat)]
        told = [0.0] * len(raises)
        for place, often in enumerate(standing):
            more = self.levels[LEVELS - len(standing) + place] - stake
            told[raises.index(more) if place and more in raises else 0] += often
        told = [often if self._decent(more) else 0.0 for often, more in zip(told, raises, strict=True)]
        asks = [up, down] if self._may_ask(stake) else [0.0, 0.0]
        if game.players > 2:
            place = self.drawn([*told, *asks]) if sum(told) + sum(asks) > 0 else 0 if self._decent(0) else len(raises)
        else:
            values = [self._stood(stake + more, shown, hidden) if self._decent(more) else -1.0 for more in raises]
            values += self._asked(stake, shown, hidden) if self._may_ask(stake) else (-1.0, -1.0)
            place = self.sensible([*told, *asks], values)
        if place < len(raises):
            return Stand(raises[place])
        return HitUp() if place == len(raises) else HitDown(slot)

    def _decent(self, more: int) -> bool:
        """Whether it is not absurd to stand with such a raise, though the bank of the table might fall for it."""
        return self.total >= (RAISES_FROM if more and self.deals_left else STANDS_FROM)

    def _may_ask(self, stake: int) -> bool:
        """Whether it is not absurd to ask: with six or more only one chip is risked, for a raise to come."""
        return self.total < RAISES_FROM or stake <= self.game.options["min_bet"] or not self.deals_left

    def _state(self, stake: int, shown: int, hidden: int) -> float:
        """Return the chance to win the match with this stake and these cards, going on as well as can be."""
        key = stake, shown, hidden
        if key not in self._states:
            cap = self.levels[-1] if self.game.options["raises"] else stake
            standing = max(self._stood(chips, shown, hidden) for chips in {stake, *self.levels, cap} if stake <= chips <= cap)
            self._states[key] = max(standing, *self._asked(stake, shown, hidden))
        return self._states[key]

    def _stood(self, stake: int, shown: int, hidden: int) -> float:
        won = _beats(self.table, self.level(stake), shown)[shown + hidden]
        return won * self.worth(stake) + (1 - won) * self.worth(-stake)

    def _asked(self, stake: int, shown: int, hidden: int) -> tuple[float, float]:
        """Return what a card face up is worth, and one face down."""
        up = down = 0.0
        for worth, share in self.cards.items():
            total = shown + hidden + worth
            if total < SIETE_Y_MEDIA:
                up += share * self._state(stake, shown + worth, hidden)
                down += share * self._state(stake, shown + hidden, worth)
                continue
            end = self._made_it(stake) if total == SIETE_Y_MEDIA else self.worth(-stake)
            up += share * end
            down += share * end
        return up, down

    def _made_it(self, stake: int) -> float:
        self.seven = True
        value = self.worth(2 * stake)
        self.seven = False
        tied = _reaches(SIETE_Y_MEDIA)
        return (1 - tied) * value + tied * self.worth(-stake)

    # The bank.

    @cached_property
    def _worths(self) -> dict[int, float]:
        return {}

    def bank_stands(self) -> bool:
        """Whether the bank stands: by the table against one punto, by the chance to win the match else."""
        game = self.game
        puntos = self._puntos
        if self._beaten_by_all(puntos):
            return self.game.players == 2 and self._bank_standing(self.total) > self._bank_asking(self.total)
        if all(max(totals) <= self.total for _, totals, _ in puntos):
            return True
        values = [self._bank_standing(self.total), self._bank_asking(self.total)]
        if len(puntos) > 1:
            return values[0] > values[1]
        seat = game.stood[0]
        line = self.table.bank[self.level(game.stakes[seat]) * OPEN_SUMS + game.shown(seat)]
        often = int(line[self.total - 1], 36) / WHOLE
        return self.sensible([often, 1 - often], values) == 0

    def _beaten_by_all(self, puntos: Sequence[tuple[int, Mapping[int, float], int]]) -> bool:
        return all(min(totals) > self.total for _, totals, _ in puntos)

    @cached_property
    def _puntos(self) -> list[tuple[int, dict[int, float], int]]:
        """Return of each punto who stands what he wins, how likely each total is, and the least that he can have."""
        game = self.game
        found = []
        for seat in game.stood:
            shown, stake = game.shown(seat), game.stakes[seat]
            if seat in game.sevens:
                found.append((2 * stake, {shown: 1.0}, shown))
                continue
            told = _told(self.table).get((self.level(stake), shown), {})
            whole = sum(told.values())
            naive = {
                worth: share * PATIENCE.get(shown + worth, RASH)
                for worth, share in self.cards.items()
                if shown + worth < SIETE_Y_MEDIA
            }
            every = sum(naive.values())
            part = NAIVE if whole > 0 else 1.0
            totals = {
                shown + worth: part * share / every + (1 - part) * (told.get(worth, 0.0) / whole if whole else 0.0)
                for worth, share in naive.items()
            }
            found.append((stake, totals, min(totals)))
        return found

    def _bank_standing(self, mine: int) -> float:
        """Return the chance to win the match by standing."""
        outcomes = {0: 1.0}
        for stake, totals, _ in self._puntos:
            lost = sum(chance for total, chance in totals.items() if total > mine)
            kept = self._stake_of(stake, totals)
            after: dict[int, float] = {}
            for chips, chance in outcomes.items():
                after[chips - stake] = after.get(chips - stake, 0.0) + chance * lost
                after[chips + kept] = after.get(chips + kept, 0.0) + chance * (1 - lost)
            outcomes = after
        return sum(chance * self.worth(chips) for chips, chance in outcomes.items())

    @staticmethod
    def _stake_of(stake: int, totals: Mapping[int, float]) -> int:
        return stake // 2 if min(totals) == SIETE_Y_MEDIA else stake

    def _bank_asking(self, mine: int) -> float:
        """Return the chance to win the match by another card, going on sensibly."""
        everything = sum(self._stake_of(stake, totals) for stake, totals, _ in self._puntos)
        ruin = sum(stake for stake, _, _ in self._puntos)
        chances = 0.0
        for card, chance in self.cards.items():
            after = mine + card
            if after > SIETE_Y_MEDIA:
                chances += chance * self.worth(-ruin)
            elif after == SIETE_Y_MEDIA:
                chances += chance * self.worth(everything)
            else:
                if after not in self._worths:
                    self._worths[after] = max(self._bank_standing(after), self._bank_asking(after))
                chances += chance * self._worths[after]
        return chances


CHARACTERS = (
    # Mixes its stakes so that they tell nothing, and plays for the match.
    Character("Maite", Strength.STRONG, play),
    # Stakes what the first card is worth, and never reads a stake.
    Character("Eusebio", Strength.MIDDLE, ordinary(STEADY)),
    # Fears to go over: stands on four, and stakes little.
    Character("Birna", Strength.WEAK, ordinary(CAUTIOUS)),
    # Stakes high on almost any card, and asks for one card too many.
    Character("Fergus", Strength.WEAK, ordinary(DARING)),
)
"""The characters of the game, the strongest first."""
