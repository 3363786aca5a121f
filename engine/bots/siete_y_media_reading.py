"""The solved position of a deal of siete y media, and the hidden card of a punto read by it.

The stake, the requests and the raise of a punto make each card likelier or less likely.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.bots.siete_y_media_draws import beaten_by
from engine.bots.siete_y_media_ordinary import PATIENCE, RASH
from engine.bots.siete_y_media_table import (
    CHIPS,
    FIRST_CARD,
    FRESH,
    KEPT,
    LEVELS,
    LINES,
    MOST,
    Line,
    Solution,
    middle,
    punto_wins,
    solution,
)
from engine.core.moves import Seat
from engine.core.view import View
from engine.games.siete_y_media.moves import Bet, HitDown, HitUp, Stand
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA, WORTH, SieteYMedia

STRAY = 0.002
"""How likely a punto does what the solved game never does, and stands as people do."""
UNTIL_RUIN = 3
"""The deals looked ahead where the match ends with the chips."""
DECIDED = 1e-9
"""A smaller difference in the chance to win is none."""


@dataclass(frozen=True)
class Position:
    """The solved game that a punto plays in this deal."""

    deals: int
    """The deals to come, with this one; `CHIPS` where several play, where the match is decided, and
    where siete y media does not move the bank."""
    solution: Solution
    stakes: tuple[int, int, int]
    """The chips of each level."""

    @classmethod
    def of(cls, game: SieteYMedia, punto: Seat) -> Position:
        """Return that of a punto."""
        most, cap = game.options["max_bet"], game.cap(punto)
        least: int = min(game.options["min_bet"], cap)
        deals, lead = CHIPS, 0.0
        if game.players == 2 and (game.options["bank"] == "seven" or not to_come(game)):
            won, lost = [
                punto_wins(scaled(game, punto, chips), to_come(game)) for chips in (cap, -cap)
            ]
            if won - lost > DECIDED:
                deals, lead = to_come(game) + 1, scaled(game, punto)
        middling = round(middle(deals, lead) * most / MOST)
        return cls(deals, solution(deals, lead), (least, max(least, min(middling, cap)), cap))

    def for_chips(self) -> Position:
        """Return this position for a stake that decides nothing in the match."""
        return replace(self, deals=CHIPS, solution=solution(CHIPS, 0.0))

    def level(self, stake: int) -> int:
        """Return the level of a stake: the nearest."""
        return min(LEVELS, key=lambda level: (abs(self.stakes[level] - stake), -self.stakes[level]))


def to_come(game: SieteYMedia) -> int:
    """Return the deals that come after this one."""
    deals: int = game.options["deals"]
    return deals - game.round if deals else UNTIL_RUIN - 1


def scaled(game: SieteYMedia, punto: Seat, won: int = 0) -> float:
    """Return the lead of a punto over the other seat after winning `won` chips more.

    It is scaled to the highest stake of the solved game.
    """
    lead = game.score[punto] - game.score[1 - punto] + 2 * won
    return float(lead * MOST / game.options["max_bet"])


@lru_cache(maxsize=1024)
def beats(solved: Solution, pair: tuple[int, int], line: Line) -> list[float]:
    """Return the chance that each total below siete y media wins with this stake and line."""
    stands = [solved.shares("bank", pair, line, mine)[0] for mine in range(1, SIETE_Y_MEDIA)]
    return beaten_by([0.0, *stands])


def standing(
    view: View, game: SieteYMedia, seat: Seat, position: Position
) -> tuple[tuple[int, int], Line]:
    """Return the first level and the present one of a punto, and the line of his cards."""
    first, kind = 0, FIRST_CARD
    for answered in view.past:
        if answered.deal == game.round and answered.seat == seat:
            match answered.move:
                case Bet(chips):
                    first = position.level(chips)
                case HitUp():
                    kind = KEPT
                case HitDown():
                    kind = FRESH
    stake = game.stakes.get(seat, 0)
    return (first, max(first, position.level(stake))), (game.shown(seat), kind)


def totals_of(
    view: View, game: SieteYMedia, seat: Seat, cards: Mapping[int, float]
) -> dict[int, float]:
    """Return how likely each total of a punto who stands is.

    `cards` are the parts of the worths among the cards not seen.
    """
    shown, position = game.shown(seat), Position.of(game, seat)
    found = {}
    for worth, share in cards.items():
        if shown + worth < SIETE_Y_MEDIA:
            found[shown + worth] = share * _likelihood(view, game, seat, position, worth)
    whole = sum(found.values())
    return {total: share / whole for total, share in found.items()}


def _likelihood(view: View, game: SieteYMedia, seat: Seat, position: Position, worth: int) -> float:
    """Return how likely a punto does what this one did, if his hidden card has this worth."""
    worths = [WORTH[face] if (face := game.faces.get(slot)) else worth for slot in game.hands[seat]]
    hidden = shown = stake = first = 0
    kind, likely = FIRST_CARD, 1.0
    following = iter(worths)
    for answered in view.past:
        if answered.deal != game.round or answered.seat != seat:
            continue
        move = answered.move
        if isinstance(move, Bet):
            hidden, stake = next(following), move.chips
            first = position.level(stake)
            likely *= position.solution.shares("bet", (0, 0), LINES[0], hidden)[first]
            continue
        if not isinstance(move, (Stand, HitUp, HitDown)):
            continue
        *stands, up, down = position.solution.shares("punto", (first, first), (shown, kind), hidden)
        stake += move.raised
        match move:
            case Stand():
                likely *= stands[max(first, position.level(stake)) - first]
            case HitUp():
                likely *= up
                shown, kind = shown + next(following), KEPT
            case HitDown():
                likely *= down
                shown, kind = shown + hidden, FRESH
                hidden = next(following)
    return likely + STRAY * PATIENCE.get(shown + hidden, RASH)
