"""Ordinary players of siete y media, who stake what their first card is worth to them.

They read nothing in others' stakes.

Each has habits of its own. In the last deal all stake the chips that they lack. None of them does
what is wrong for certain. Totals are half points, as in the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.bots.player import Bot
from engine.bots.siete_y_media_table import SHARE
from engine.core.moves import Choose, Move, Seat
from engine.core.view import View
from engine.games.siete_y_media.moves import Bet, HitDown, HitUp, Stand
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA, WORTH, SieteYMedia

PATIENCE: Mapping[int, float] = {8: 0.15, 9: 0.4, 10: 1.0, 11: 1.0, 12: 1.0, 13: 1.0, 14: 1.0}
"""How likely a punto who goes by his cards stands at a total."""
RASH = 0.03
"""How likely he stands at any lower total."""


@dataclass(frozen=True)
class Habits:
    """The habits of an ordinary player."""

    stands_at: int
    """The total at which a punto stands."""
    bank_stands_at: int
    """The total at which the bank stands."""
    bets: Mapping[int, float]
    """The stake for a first card of this worth, in parts of the way from the least to the most; the
    least for all others."""
    raises_from: int
    """The total from which a punto raises to the most on standing."""
    hides_from: int = 8
    """The worth from which a hidden card stays hidden."""
    weighs: bool = False
    """Whether the bank weighs what the puntos may have against its risk, instead of standing at a
    total of its own."""


STEADY = Habits(
    stands_at=10, bank_stands_at=10, bets={1: 0.4, 12: 0.4, 14: 1.0}, raises_from=13, weighs=True
)
CAUTIOUS = Habits(stands_at=8, bank_stands_at=8, bets={14: 0.3}, raises_from=SIETE_Y_MEDIA)
DARING = Habits(
    stands_at=13,
    bank_stands_at=12,
    bets={1: 0.7, 2: 0.4, 8: 0.7, 10: 0.7, 12: 0.8, 14: 1.0},
    raises_from=12,
)


def ordinary(habits: Habits) -> Bot:
    """Return the player who has these habits."""

    def play(view: View, choose: Choose) -> Move:
        game, seat = view.game, view.seat
        assert isinstance(game, SieteYMedia)
        assert seat is not None
        assert view.options is not None, "only a seat that is asked plays"
        total = sum(WORTH[face] for slot in game.hands[seat] if (face := view.face(slot)))
        if seat == game.bank:
            return Stand() if bank_stands(game, total, habits) else HitUp()
        if seat not in game.stakes:
            cap = game.cap(seat)
            least: int = min(game.options["min_bet"], cap)
            usual = least + round((cap - least) * habits.bets.get(total, 0.0))
            return Bet(
                usual if game.options["raises"] else min(cap, max(usual, lacking(game, seat)))
            )
        if total >= habits.stands_at:
            raises = [0, *game.raises(seat)]
            lacks = lacking(game, seat) - game.stakes[seat]
            enough = next((more for more in raises if more >= lacks), raises[-1])
            return Stand(raises[-1] if total >= habits.raises_from else enough)
        hidden = game.hidden(seat)
        worth = WORTH[view.faces[hidden]]
        hides = worth > habits.hides_from or (worth == habits.hides_from and choose(2))
        return HitUp() if hides else HitDown(hidden)

    return play


def lacking(game: SieteYMedia, seat: Seat) -> int:
    """Return the stake with which a punto behind in the last deal would take the lead; else 0."""
    first = max(range(game.players), key=lambda other: game.score[other])
    behind: int = game.score[first] - game.score[seat]
    if game.round != game.options["deals"] or behind <= 0:
        return 0
    return behind // 2 + 1 if first == game.bank else behind + 1


def bank_stands(game: SieteYMedia, total: int, habits: Habits) -> bool:
    """Whether a bank with these habits stands on this total."""
    most = {
        seat: SIETE_Y_MEDIA if seat in game.sevens else SIETE_Y_MEDIA - 1 for seat in game.stood
    }
    least = {seat: game.shown(seat) + (seat not in game.sevens) for seat in game.stood}
    if all(total >= most[seat] for seat in game.stood):
        return True
    if all(total < least[seat] for seat in game.stood):
        return False
    if not habits.weighs:
        return total >= habits.bank_stands_at
    values: dict[int, float] = {}

    def standing(mine: int) -> float:
        return sum(game.stakes[seat] * (1 - 2 * _beaten(game, seat, mine)) for seat in game.stood)

    def asking(mine: int) -> float:
        stakes = sum(game.stakes[seat] for seat in game.stood)
        return sum(
            share
            * (
                -stakes
                if (after := mine + worth) > SIETE_Y_MEDIA
                else stakes
                if after == SIETE_Y_MEDIA
                else values[after]
            )
            for worth, share in SHARE.items()
        )

    for mine in range(SIETE_Y_MEDIA - 1, total, -1):
        values[mine] = max(standing(mine), asking(mine))
    return standing(total) >= asking(total)


def _beaten(game: SieteYMedia, seat: Seat, mine: int) -> float:
    """Return how likely a punto has more than the bank, if he stands where most do."""
    shown = game.shown(seat)
    if seat in game.sevens:
        return 1.0
    likely = {
        shown + worth: share * PATIENCE.get(shown + worth, RASH) for worth, share in SHARE.items()
    }
    likely = {total: share for total, share in likely.items() if total < SIETE_Y_MEDIA}
    return sum(share for total, share in likely.items() if total > mine) / sum(likely.values())
