"""The computer player of siete y media.

It plays by lot from the solved game of one punto and a bank, so that its play gives nothing away.

A move is worth its chance to win the match against a player of the same kind, with the cards that
are still unseen. Moves that are clearly worse by this are left out. Totals are half points, as in
the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import erf, exp, prod, sqrt

from engine.bots.player import Character, Rated, Ratings, Strength, by_lot
from engine.bots.siete_y_media_draws import TIED
from engine.bots.siete_y_media_ordinary import CAUTIOUS, DARING, STEADY, ordinary
from engine.bots.siete_y_media_reading import Position, beats, scaled, standing, to_come, totals_of
from engine.bots.siete_y_media_table import FRESH, KEPT, LINES, Line, may, punto_wins
from engine.core.cards import SPANISH_40
from engine.core.moves import Choose, Move, Seat
from engine.core.view import View
from engine.games.siete_y_media.moves import Bet, HitDown, HitUp, Stand
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA, WORTH, SieteYMedia

SWING = 5.0
"""The chips that a deal moves, roughly: the standard deviation."""
SLACK = 0.08
"""In parts of the chance that the stake decides: moves that are worse by more are not made, though
the solved game mixes them."""
CLOSE = 1e-9
"""A smaller difference is none."""
MANY = 12
"""The most stakes that are weighed; the values of the others are interpolated (`_between`)."""
POINTS = [(place / 2, exp(-place * place / 8)) for place in range(-6, 7)]
"""The bell curve: standard deviations and their weights."""


def play(view: View, choose: Choose) -> Move:
    """Return the bet, the request or the stand, by the lot of the solved game."""
    return by_lot({move: part for move, (part, _) in plan(view).items()}, choose)


def rate(view: View, choose: Choose) -> Ratings:
    """Return the chance to win the match after each option; the likeliest of the best is first."""
    del choose
    found = plan(view)
    rated = [
        (-worth, -part, repr(move), Rated(move, worth)) for move, (part, worth) in found.items()
    ]
    return Ratings("win", tuple(one for *_, one in sorted(rated, key=lambda each: each[:3])))


def plan(view: View) -> dict[Move, tuple[float, float]]:
    """Return how often to make each move, and the chance to win the match with it.

    Moves that are mixed are worth alike, and no other is worth more.
    """
    game, seat = view.game, view.seat
    assert isinstance(game, SieteYMedia)
    assert seat is not None
    assert view.options is not None, "only a seat that is asked plays"
    mind = Mind(view, game, seat)
    if seat == game.bank:
        values, told = mind.bank_moves()
    elif seat not in game.stakes:
        values, told = mind.bets()
    else:
        values, told = mind.requests()
    decent = {move: value for move, value in values.items() if mind.is_decent(move)}
    best = max(decent.values())
    slack = SLACK * mind.swing + CLOSE
    often = {
        move: told.get(move, 0.0) if value >= best - slack else 0.0
        for move, value in decent.items()
    }
    whole = sum(often.values())
    if not whole:
        often = {move: float(value >= best - CLOSE) for move, value in decent.items()}
        whole = sum(often.values())
    return {
        move: (often[move] / whole, best)
        if often.get(move)
        else (0.0, min(value, max(0.0, best - slack)) if move not in decent else min(value, best))
        for move, value in values.items()
    }


def _below(deviations: float) -> float:
    return 0.5 + 0.5 * erf(deviations / sqrt(2))


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


Planned = tuple[dict[Move, float], dict[Move, float]]
"""The chance to win the match with each move, and how often the solved game makes it."""


class Mind:
    """The knowledge and plans of a seat at its turn."""

    def __init__(self, view: View, game: SieteYMedia, seat: Seat) -> None:
        """Look at the cards and the score."""
        self.view, self.game, self.seat = view, game, seat
        self.faces = {**game.faces, **view.faces}
        seen = set(self.faces.values())
        unseen = [WORTH[card] for card in SPANISH_40 if card not in seen]
        self.cards = {worth: unseen.count(worth) / len(unseen) for worth in sorted(set(unseen))}
        """How likely an unseen card has each worth."""
        self.total = sum(WORTH[self.faces[slot]] for slot in game.hands[seat])
        self.deals_left = to_come(game)
        self._states: dict[tuple[int, int, int, Line], float] = {}
        self._worths: dict[tuple[int, bool], float] = {}
        self._bank_worths: dict[int, float] = {}

    @property
    def swing(self) -> float:
        """Return how much of the match the stake decides."""
        game = self.game
        if self.seat == game.bank:
            stake = sum(stake for stake, _, _ in self._puntos)
        else:
            stake = game.cap(self.seat)
        return abs(self.worth(stake) - self.worth(-stake))

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
        if self.seat == game.bank:
            chips, seven = -chips, bool(game.sevens) and chips < 0
        punto = self.seat if self.seat != game.bank else 1 - self.seat
        lead = scaled(game, punto, chips)
        if not min(game.score[punto] + chips, game.score[1 - punto] - chips) > 0:
            won = float(lead > 0)
        elif seven if game.options["bank"] == "seven" else game.options["bank"] == "turn":
            won = 1.0 - punto_wins(-lead, self.deals_left)
        else:
            won = punto_wins(lead, self.deals_left)
        return won if punto == self.seat else 1.0 - won

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
    def position(self) -> Position:
        """The solved game that this seat plays as a punto."""
        return Position.of(self.game, self.seat)

    def _weighed(self, least: int, most: int) -> list[int]:
        """Return the stakes that are weighed."""
        step = max(1, (most - least) // MANY)
        levels = {level for level in self.position.stakes if least <= level <= most}
        return sorted({*range(least, most, step), *levels, most})

    def bets(self) -> Planned:
        """Return the plan of the first stake."""
        stakes = self.position.stakes
        first, (line, hidden) = self.position.level, (LINES[0], self.total)
        known = {
            stake: self._state(first(stake), stake, hidden, line)
            for stake in self._weighed(stakes[0], stakes[-1])
        }
        values = _between(known, range(stakes[0], stakes[-1] + 1))
        told: dict[Move, float] = {}
        parts = self.position.solution.shares("bet", (0, 0), line, hidden)
        for stake, part in zip(stakes, parts, strict=True):
            told[Bet(stake)] = told.get(Bet(stake), 0.0) + part
        return {Bet(stake): value for stake, value in values.items()}, told

    def requests(self) -> Planned:
        """Return the plan of a request."""
        game, position = self.game, self.position
        slot, stake = game.hidden(self.seat), game.stakes[self.seat]
        hidden = WORTH[self.faces[slot]]
        (first, level), line = standing(self.view, game, self.seat, position)
        raises = [0, *game.raises(self.seat)]
        weighed = {stake, *self._weighed(stake + min(raises[1:], default=0), stake + raises[-1])}
        asked = {chips: self._asked(first, chips, hidden, line) for chips in weighed}
        stood = {chips: self._stood(first, chips, hidden, line) for chips in weighed}
        wanted = [stake + more for more in raises]
        up, down = [
            _between({chips: pair[end] for chips, pair in asked.items()}, wanted) for end in (0, 1)
        ]
        stands = _between(stood, wanted)
        values: dict[Move, float] = {}
        for more in raises:
            values[Stand(more)] = stands[stake + more]
            values[HitUp(more)] = up[stake + more]
            values[HitDown(slot, more)] = down[stake + more]
        if self.worth(stake) - self.worth(-stake) < CLOSE:
            position = position.for_chips()
        *parts, asks_up, asks_down = position.solution.shares("punto", (first, first), line, hidden)
        told: dict[Move, float] = {HitUp(): asks_up, HitDown(slot): asks_down}
        for at, part in enumerate(parts, first):
            more = position.stakes[at] - stake if at > level else 0
            stand = Stand(more if more in raises else 0)
            told[stand] = told.get(stand, 0.0) + part
        return values, told

    def is_decent(self, move: Move) -> bool:
        """Whether a request is not absurd, though a bank might fall for it."""
        game = self.game
        if self.seat == game.bank or isinstance(move, Bet):
            return True
        slot = game.hidden(self.seat)
        hidden = WORTH[self.faces[slot]]
        _, up, down = may(1 + self.deals_left, 0, self.total - hidden, hidden)
        match move:
            case Stand():
                return True
            case HitUp(raised):
                return up and not raised
            case HitDown(_, raised):
                return down and not raised
        raise AssertionError(move)

    def _state(self, first: int, stake: int, hidden: int, line: Line) -> float:
        """Return the chance to win the match with this stake and these cards and the best play."""
        key = first, stake, hidden, line
        if key not in self._states:
            cap = self.position.stakes[-1] if self.game.options["raises"] else stake
            levels, up, _ = may(1 + self.deals_left, first, line[0], hidden)
            stakes = {stake, *(self.position.stakes[level] for level in levels[1:])}
            ends = [
                self._stood(first, chips, hidden, line) for chips in stakes if stake <= chips <= cap
            ]
            self._states[key] = max(
                [*ends, *(self._asked(first, stake, hidden, line) if up else ())]
            )
        return self._states[key]

    def _stood(self, first: int, stake: int, hidden: int, line: Line) -> float:
        pair = first, max(first, self.position.level(stake))
        won = self._wins(pair, line)[line[0] + hidden]
        return won * self.worth(stake) + (1 - won) * self.worth(-stake)

    def _wins(self, pair: tuple[int, int], line: Line) -> Sequence[float]:
        """Return the chance that each total wins against the bank."""
        return beats(self.position.solution, pair, line)

    def _asked(self, first: int, stake: int, hidden: int, line: Line) -> tuple[float, float]:
        """Return the worth of a card face up, and of one face down."""
        up = down = 0.0
        shown = line[0]
        for worth, share in self.cards.items():
            total = shown + hidden + worth
            if total < SIETE_Y_MEDIA:
                up += share * self._state(first, stake, hidden, (shown + worth, KEPT))
                down += share * self._state(first, stake, worth, (shown + hidden, FRESH))
                continue
            end = self._made_it(stake) if total == SIETE_Y_MEDIA else self.worth(-stake)
            up += share * end
            down += share * end
        return up, down

    def _made_it(self, stake: int) -> float:
        """Return the worth of siete y media: the bank draws, unless it would rather be punto."""
        seven = self.worth(2 * stake, seven=True)
        return min(seven, (1 - TIED) * seven + TIED * self.worth(-stake))

    # The bank.

    def bank_moves(self) -> Planned:
        """Return the plan of the bank.

        The solved game decides against one punto, unless the cards that lie open do; against
        several the chances do. Where the match is decided, chips are counted.
        """
        game = self.game
        stands, asks = self._bank_standing(self.total), self._bank_asking(self.total)
        values: dict[Move, float] = {Stand(): stands, HitUp(): asks}
        certain = [
            self.total >= max(totals) or self.total < min(totals) for _, _, totals in self._puntos
        ]
        if len(game.stood) > 1 or all(certain):
            likes = self._bank_gains() if self.is_decided else stands >= asks - CLOSE
            return values, {Stand() if likes else HitUp(): 1.0}
        (seat,) = game.stood
        position = Position.of(game, seat)
        if self.is_decided:
            position = position.for_chips()
        pair, line = standing(self.view, game, seat, position)
        parts = position.solution.shares("bank", pair, line, self.total)
        return values, dict(zip(values, parts, strict=True))

    @property
    def is_decided(self) -> bool:
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
                found.append((stake, stake, totals_of(self.view, game, seat, self.cards)))
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
