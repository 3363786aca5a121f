"""The computer player of siete y media.

It plays the solved game of one punto and a bank, which gives nothing away.

Where another play is clearly better for the match (the last deals), or several puntos stand, it
weighs the chance to win the match, with the totals that stakes and requests tell of. Totals are
half points, as in the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from math import erf, exp, prod, sqrt

from engine.bots.player import Character, Rated, Ratings, Strength
from engine.bots.siete_y_media_match import LONG, after
from engine.bots.siete_y_media_ordinary import CAUTIOUS, DARING, STEADY, ordinary
from engine.bots.siete_y_media_reading import (
    beaten_by,
    level_of,
    often,
    plain_bank,
    shares,
    totals_of,
)
from engine.bots.siete_y_media_table import LEVELS, OPEN_SUMS, SHARE, TABLES, WHOLE, WORTHS, Table
from engine.core.cards import SPANISH_40
from engine.core.moves import Move, Seat
from engine.core.view import View
from engine.games.siete_y_media.rules import (
    SIETE_Y_MEDIA,
    WORTH,
    Bet,
    HitDown,
    HitUp,
    SieteYMedia,
    Stand,
)

SOON = 3
"""So many deals before the last, the place of the punto is worth half as much as early on."""
SWING = 5.0
"""The chips that a deal moves, roughly: the standard deviation."""
UNTIL_RUIN = 2
"""The deals looked ahead where the match ends with the chips."""
PLAIN = 0.5
"""How likely a bank reads no stakes."""
STANDS_FROM, RAISES_FROM = 8, 12
"""Nobody stands on less than four, or raises on less than six, but in the last deal."""
NEARLY = 0.012
"""Of winning the match: so much less than the best is as good, where the table mixes."""
CLOSE = 1e-9
"""A smaller difference is none."""
MANY = 12
"""No more stakes than these are weighed; those between them are taken for between."""
POINTS = [(place / 2, exp(-place * place / 8)) for place in range(-6, 7)]
"""The bell curve: standard deviations and their weights."""


def play(view: View, choose: Callable[[int], int]) -> Move:
    """Return the bet, the request or the stand."""
    mind = _mind(view)
    game, seat = mind.game, mind.seat
    if seat == game.bank:
        return Stand() if mind.bank_stands(choose) else HitUp()
    if seat not in game.stakes:
        return Bet(mind.bet(choose))
    return mind.request(choose)


def rate(view: View, choose: Callable[[int], int]) -> Ratings:
    """Return the chance to win the match after each option, as far as one deal goes."""
    del choose
    mind = _mind(view)
    game, seat = mind.game, mind.seat
    assert view.options is not None
    if seat == game.bank:
        values: dict[Move, float] = dict(zip((Stand(), HitUp()), mind.bank_values(), strict=True))
    elif seat not in game.stakes:
        values = {Bet(chips): value for chips, value in mind.bet_values().items()}
    else:
        values = mind.request_values()
    rated = [Rated(move, values[move]) for move in view.options]
    return Ratings(
        "win",
        tuple(sorted(rated, key=lambda each: (-each.value, not isinstance(each.move, Stand)))),
    )


def _mind(view: View) -> _Mind:
    game, seat = view.game, view.seat
    assert isinstance(game, SieteYMedia)
    assert seat is not None
    assert view.options is not None, "only a seat that is asked plays"
    return _Mind(view, game, seat)


@cache
def _beats(table: Table, level: int, shown: int) -> tuple[float, ...]:
    """Return the chance that each total below siete y media wins, given this stake and sum.

    The opponent is the table's bank, or another bank.
    """
    line = table.bank[level * OPEN_SUMS + shown]
    reading = beaten_by([0.0] + [int(digit, 36) / WHOLE for digit in line])
    plain = beaten_by(plain_bank(shown))
    return tuple(
        [(1 - PLAIN) * one + PLAIN * other for one, other in zip(reading, plain, strict=True)]
    )


@cache
def _reaches(goal: int, total: int = 0) -> float:
    """Return how likely a bank that draws until then hits a total exactly."""
    if total >= goal:
        return float(total == goal)
    return sum(share * _reaches(goal, total + worth) for worth, share in SHARE.items())


def _below(deviations: float) -> float:
    return 0.5 + 0.5 * erf(deviations / sqrt(2))


def _drawn(parts: Sequence[float], choose: Callable[[int], int]) -> int:
    """Return a place by lot.

    For somebody that asks for a hint, return the likeliest: the choice is always 0 then.
    """
    places = sorted(range(len(parts)), key=lambda place: -parts[place])
    lot = choose(1000) * sum(parts) / 1000
    for place in places:
        lot -= parts[place]
        if lot < 0:
            return place
    return places[0]


def _sensible(told: Sequence[float], values: Sequence[float], choose: Callable[[int], int]) -> int:
    """Return a place by the lot of the table, of those that are worth nearly the most.

    Otherwise, return the one worth most.
    """
    best = max(values)
    kept = [
        part if value >= best - NEARLY else 0.0 for part, value in zip(told, values, strict=True)
    ]
    return _drawn(kept, choose) if sum(kept) > 0 else values.index(best)


def _between(known: Mapping[int, float], wanted: Iterable[int]) -> dict[int, float]:
    """Return the values of these numbers, those between known ones in proportion."""
    numbers = sorted(known)
    found, place = {}, 0
    for number in sorted(wanted):
        while numbers[place] < number:
            place += 1
        if numbers[place] == number:
            found[number] = known[number]
            continue
        low, high = numbers[place - 1], numbers[place]
        found[number] = known[low] + (known[high] - known[low]) * (number - low) / (high - low)
    return found


class _Mind:
    """The knowledge and plans of a seat at its turn."""

    def __init__(self, view: View, game: SieteYMedia, seat: Seat) -> None:
        self.view, self.game, self.seat = view, game, seat
        self.faces = {**game.faces, **view.faces}
        seen = set(self.faces.values())
        unseen = [WORTH[card] for card in SPANISH_40 if card not in seen]
        self.cards = {worth: unseen.count(worth) / len(unseen) for worth in sorted(set(unseen))}
        """How likely a card that nobody has shown counts so much."""
        self.total = sum(WORTH[self.faces[slot]] for slot in game.hands[seat])
        self.deals_left = (
            game.options["deals"] - game.round if game.options["deals"] else UNTIL_RUIN
        )
        self._states: dict[tuple[int, int, int], float] = {}
        self._worths: dict[tuple[int, bool], float] = {}
        self._bank_worths: dict[int, float] = {}

    @property
    def table(self) -> Table:
        """Return the table for the worth of the punto's place: it grows with the deals to come."""
        game = self.game
        moves = game.players == 2 and game.options["bank"] == "seven"
        return TABLES[
            0 if not moves or self.deals_left < 1 else 1 if self.deals_left <= SOON else 2
        ]

    def worth(self, chips: int, *, seven: bool = False) -> float:
        """Return the chance to win the match after `chips` more; a draw is worth half.

        With `seven`, the chips are for siete y media.
        """
        key = chips, seven
        if key not in self._worths:
            self._worths[key] = (
                self._duel(chips, seven=seven)
                if self.game.players == 2
                else self._among_many(chips)
            )
        return self._worths[key]

    def _duel(self, chips: int, *, seven: bool) -> float:
        game = self.game
        left, most = min(self.deals_left, LONG), game.options["max_bet"]
        ahead = game.score[self.seat] - game.score[1 - self.seat]
        if self.seat != game.bank:
            return after(ahead, chips, left, most, seven=seven)
        return 1.0 - after(-ahead, -chips, left, most, seven=bool(game.sevens) and chips < 0)

    def _among_many(self, chips: int) -> float:
        """Return the chance to be the first of several, whose chips come out by the bell curve."""
        game = self.game
        payers = [game.bank] if self.seat != game.bank else game.stood
        leads = [
            game.score[self.seat] + chips - (score - (chips / len(payers) if seat in payers else 0))
            for seat, score in enumerate(game.score)
            if seat != self.seat and score
        ]
        if self.deals_left <= 0:
            return 1.0 if min(leads) > 0 else 0.5 if min(leads) == 0 else 0.0
        swing = SWING * sqrt(self.deals_left)
        whole = sum(weight for _, weight in POINTS)
        return (
            sum(
                weight * prod(_below(lead / swing + mine) for lead in leads)
                for mine, weight in POINTS
            )
            / whole
        )

    # A punto.

    @cached_property
    def levels(self) -> list[int]:
        """The chips of each level of the stake, as far as the seat and the bank have them."""
        game = self.game
        cap = game.cap(self.seat)
        least: int = min(game.options["min_bet"], cap)
        return [least, least + (cap - least) // 3, cap]

    def _weighed(self, least: int, most: int) -> list[int]:
        """Return the stakes that are weighed."""
        step = max(1, (most - least) // MANY)
        return sorted(
            {*range(least, most, step), *(level for level in self.levels if level >= least), most}
        )

    def bet_values(self) -> dict[int, float]:
        """Return the chance to win the match with each first stake."""
        least, _, cap = self.levels
        known = {stake: self._state(stake, 0, self.total) for stake in self._weighed(least, cap)}
        return _between(known, range(least, cap + 1))

    def bet(self, choose: Callable[[int], int]) -> int:
        """Bet by the table: mostly the least, as the stake can be raised with less told."""
        values = self.bet_values()
        stakes = list(values)
        told = [0.0] * len(stakes)
        for stake, part in zip(
            self.levels, shares(self.table.bets[WORTHS.index(self.total)]), strict=True
        ):
            told[stakes.index(stake)] += part
        return stakes[_sensible(told, list(values.values()), choose)]

    def request_values(self) -> dict[Move, float]:
        """Return the chance to win the match after each request.

        No absurd one is worth as much as the best of the others. With six or more standing is as
        good as a card that is worth nearly the same.
        """
        game = self.game
        slot, stake = game.hidden(self.seat), game.stakes[self.seat]
        hidden, shown = WORTH[self.faces[slot]], game.shown(self.seat)
        raises = [0, *game.raises(self.seat)]
        weighed = self._weighed(stake + min(raises[1:], default=0), stake + raises[-1])
        asked = {chips: self._asked(chips, shown, hidden) for chips in {stake, *weighed}}
        stood = {chips: self._stood(chips, shown, hidden) for chips in asked}
        wanted = [stake + more for more in raises]
        up, down = [
            _between({chips: pair[end] for chips, pair in asked.items()}, wanted) for end in (0, 1)
        ]
        standing = _between(stood, wanted)
        values: dict[Move, float] = {}
        for more in raises:
            values[Stand(more)] = standing[stake + more]
            values[HitUp(more)] = up[stake + more]
            values[HitDown(slot, more)] = down[stake + more]
        if self.total >= RAISES_FROM:
            most_stood = max(standing.values())
            near = {
                move: most_stood
                for move, value in values.items()
                if most_stood < value <= most_stood + NEARLY
            }
            values.update(near)
        best = max(value for move, value in values.items() if self._decent(move))
        most = max(0.0, best - NEARLY)
        return {
            move: value if self._decent(move) else min(value, most)
            for move, value in values.items()
        }

    def _decent(self, move: Move) -> bool:
        """Whether a request is not absurd, though the bank of the table might fall for it.

        With six or more only one chip is risked for another card. A raise comes with standing, not
        with asking.
        """
        match move:
            case Stand(raised):
                return self.total >= (RAISES_FROM if raised and self.deals_left else STANDS_FROM)
            case HitUp(raised) | HitDown(_, raised):
                least = self.game.stakes[self.seat] <= self.game.options["min_bet"]
                return not raised and (self.total < RAISES_FROM or least or not self.deals_left)
        raise AssertionError(move)

    def request(self, choose: Callable[[int], int]) -> Move:
        """Ask or stand by the table, where that is worth nearly the most.

        With six or more only a better card is asked for.
        """
        game = self.game
        slot, stake = game.hidden(self.seat), game.stakes[self.seat]
        values = {
            move: value for move, value in self.request_values().items() if self._decent(move)
        }
        if self.total >= RAISES_FROM:
            stood = max(value for move, value in values.items() if isinstance(move, Stand))
            values = {
                move: value
                for move, value in values.items()
                if isinstance(move, Stand) or value > stood
            }
        level = level_of(game, stake)
        *standing, up, down = often(
            self.table, level, game.shown(self.seat), WORTH[self.faces[slot]]
        )
        told = dict.fromkeys(values, 0.0)
        for place, part in enumerate(standing):
            more = self.levels[LEVELS - len(standing) + place] - stake
            move: Move = Stand(more if place and Stand(more) in told else 0)
            if move in told:
                told[move] += part
        for move, part in ((HitUp(), up), (HitDown(slot), down)):
            if move in told:
                told[move] = part
        return list(values)[_sensible(list(told.values()), list(values.values()), choose)]

    def _state(self, stake: int, shown: int, hidden: int) -> float:
        """Return the chance to win the match with this stake and these cards and the best play."""
        key = stake, shown, hidden
        if key not in self._states:
            cap = self.levels[-1] if self.game.options["raises"] else stake
            standing = max(
                self._stood(chips, shown, hidden)
                for chips in {stake, *self.levels, cap}
                if stake <= chips <= cap
            )
            self._states[key] = max(standing, *self._asked(stake, shown, hidden))
        return self._states[key]

    def _stood(self, stake: int, shown: int, hidden: int) -> float:
        won = _beats(self.table, level_of(self.game, stake), shown)[shown + hidden]
        return won * self.worth(stake) + (1 - won) * self.worth(-stake)

    def _asked(self, stake: int, shown: int, hidden: int) -> tuple[float, float]:
        """Return the worth of a card face up, and of one face down."""
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
        tied = _reaches(SIETE_Y_MEDIA)
        return (1 - tied) * self.worth(2 * stake, seven=True) + tied * self.worth(-stake)

    # The bank.

    def bank_values(self) -> tuple[float, float]:
        """Return the chance to win the match by standing, and by another card."""
        return self._bank_standing(self.total), self._bank_asking(self.total)

    def bank_stands(self, choose: Callable[[int], int]) -> bool:
        """Whether the bank stands, judged by the chance to win the match.

        Where that chance is nearly the same, the table decides.
        """
        game = self.game
        standing, asking = self.bank_values()
        certain = [
            self.total >= max(totals) or self.total < min(totals) for _, _, totals in self._puntos
        ]
        if len(game.stood) > 1 or all(certain):
            return self._bank_gains() if self._decided else standing > asking
        seat = game.stood[0]
        line = self.table.bank[level_of(game, game.stakes[seat]) * OPEN_SUMS + game.shown(seat)]
        stands = int(line[self.total - 1], 36) / WHOLE
        return _sensible([stands, 1 - stands], [standing, asking], choose) == 0

    @property
    def _decided(self) -> bool:
        """Whether the chips of the deal change nothing: the match is won or lost."""
        gained = sum(stake for stake, _, _ in self._puntos)
        return (
            abs(self.worth(gained) - self.worth(-sum(paid for _, paid, _ in self._puntos))) < CLOSE
        )

    def _bank_gains(self) -> bool:
        """Whether the bank may expect to gain chips by standing."""
        likely = [
            sum(
                chance * (stake if total <= self.total else -paid)
                for total, chance in totals.items()
            )
            for stake, paid, totals in self._puntos
        ]
        return sum(likely) >= 0

    @cached_property
    def _puntos(self) -> list[tuple[int, int, dict[int, float]]]:
        """Return each standing punto's stake, payment in chips, and the chance of each total.

        The payment is what the punto would be paid.
        """
        game = self.game
        found = []
        for seat in game.stood:
            stake = game.stakes[seat]
            if seat in game.sevens:
                found.append((stake, 2 * stake, {SIETE_Y_MEDIA: 1.0}))
            else:
                found.append(
                    (stake, stake, totals_of(self.view, game, seat, self.table, self.cards))
                )
        return found

    def _bank_standing(self, mine: int) -> float:
        outcomes = {0: 1.0}
        for stake, paid, totals in self._puntos:
            lost = sum(chance for total, chance in totals.items() if total > mine)
            following: dict[int, float] = {}
            for chips, chance in outcomes.items():
                following[chips - paid] = following.get(chips - paid, 0.0) + chance * lost
                following[chips + stake] = following.get(chips + stake, 0.0) + chance * (1 - lost)
            outcomes = following
        return sum(chance * self.worth(chips) for chips, chance in outcomes.items() if chance)

    def _bank_asking(self, mine: int) -> float:
        everything = sum(stake for stake, _, _ in self._puntos)
        ruin = sum(paid for _, paid, _ in self._puntos)
        chances = 0.0
        for card, chance in self.cards.items():
            total = mine + card
            if total > SIETE_Y_MEDIA:
                chances += chance * self.worth(-ruin)
            elif total == SIETE_Y_MEDIA:
                chances += chance * self.worth(everything)
            else:
                if total not in self._bank_worths:
                    self._bank_worths[total] = max(
                        self._bank_standing(total), self._bank_asking(total)
                    )
                chances += chance * self._bank_worths[total]
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
