"""The hidden card of a punto who stands, read from his play; and banks that do not read.

It is read from his stake, his requests and his raise.

A punto may play by the solved table, or as people do who stake by their cards, or stake anything.
His moves make each of these likelier or less likely, and with each of them each card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from engine.bots.siete_y_media_table import LEVELS, OPEN_SUMS, PATIENCE, RASH, SHARE, WORTHS, Table
from engine.core.moves import Seat
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

BY_TABLE, BY_CARD, ANYHOW = 0.45, 0.4, 0.15
"""How likely a punto plays by the table, stakes by his card, or stakes anything."""
SLIP = 0.02
"""How likely somebody does what he would not."""
BETS: Mapping[int, tuple[float, float, float]] = {
    14: (0.1, 0.2, 0.7),
    12: (0.3, 0.5, 0.2),
    1: (0.3, 0.5, 0.2),
}
"""By the first card: how often people stake the least, a middling sum and the most."""
OTHER_BETS = (0.8, 0.15, 0.05)
SURE = 13
"""People raise on standing from this total."""
STEADY = 0.9
"""How likely a bank does what is best against a punto of whom it has read nothing."""


@cache
def shares(word: str) -> tuple[float, ...]:
    """Return the parts that a word of the table says."""
    numbers = [int(digit, 36) for digit in word]
    return tuple([number / sum(numbers) for number in numbers])


@cache
def often(table: Table, level: int, shown: int, hidden: int) -> tuple[float, ...]:
    """Return how often the table stands at each level from this one up, asks up and asks down."""
    return shares(table.punto[level * OPEN_SUMS + shown].split()[WORTHS.index(hidden)])


def level_of(game: SieteYMedia, stake: int) -> int:
    """Return the level of a stake: the nearest."""
    most: int = game.options["max_bet"]
    least: int = game.options["min_bet"]
    if stake >= (2 * most + least) // 3:
        return LEVELS - 1
    return 0 if stake <= least + (most - least) // 6 else 1


def totals_of(
    view: View, game: SieteYMedia, seat: Seat, table: Table, cards: Mapping[int, float]
) -> dict[int, float]:
    """Return how likely each total of a punto who stands is.

    `cards` are the parts of the worths among the cards not seen.
    """
    shown = game.shown(seat)
    found = {}
    for worth, share in cards.items():
        if shown + worth < SIETE_Y_MEDIA:
            found[shown + worth] = share * _likelihood(view, game, seat, table, worth)
    whole = sum(found.values())
    return {total: share / whole for total, share in found.items()}


def _likelihood(view: View, game: SieteYMedia, seat: Seat, table: Table, worth: int) -> float:
    """Return how likely a punto does what this one did, if his hidden card has this worth."""
    worths = [WORTH[face] if (face := game.faces.get(slot)) else worth for slot in game.hands[seat]]
    hidden = shown = stake = 0
    by_table = by_card = anyhow = 1.0
    following = iter(worths)
    for answered in view.past:
        if answered.deal != game.round or answered.seat != seat:
            continue
        level, total = level_of(game, stake), shown + hidden
        match answered.move:
            case Bet(chips):
                hidden, stake = next(following), chips
                level = level_of(game, stake)
                by_table *= SLIP + shares(table.bets[WORTHS.index(hidden)])[level]
                by_card *= SLIP + BETS.get(hidden, OTHER_BETS)[level]
                anyhow /= LEVELS
            case Stand(raised):
                stake += raised
                by_table *= SLIP + often(table, level, shown, hidden)[level_of(game, stake) - level]
                stays = PATIENCE.get(total, RASH)
                raises = 0.8 if total >= SURE else 0.04
                by_card *= stays * (
                    1.0 if level == LEVELS - 1 else raises if raised else 1 - raises
                )
                anyhow *= stays / 2
            case HitUp(raised) | HitDown(_, raised):
                down = isinstance(answered.move, HitDown)
                asks = (1 - PATIENCE.get(total, RASH)) * (
                    0.8 if down == (hidden < 8) else 0.2
                ) + SLIP / 2
                by_table *= SLIP + often(table, level, shown, hidden)[-1 if down else -2]
                by_card *= asks * (SLIP if raised else 1.0)
                anyhow *= asks / 2
                stake += raised
                shown += hidden if down else 0
                if down:
                    hidden = next(following)
                else:
                    shown += next(following)
    return BY_TABLE * by_table + BY_CARD * by_card + ANYHOW * anyhow


@cache
def plain_bank(shown: int) -> tuple[float, ...]:
    """Return how often a bank that reads no stakes stands at each total.

    The punto's open cards make the sum `shown`.
    """
    totals = {
        shown + worth: share * PATIENCE.get(shown + worth, RASH) for worth, share in SHARE.items()
    }
    totals = {total: share for total, share in totals.items() if total < SIETE_Y_MEDIA}
    whole = sum(totals.values())
    values, stands = [0.0] * SIETE_Y_MEDIA, [0.0] * SIETE_Y_MEDIA
    for mine in range(SIETE_Y_MEDIA - 1, 0, -1):
        standing = (
            sum(share * (1 if mine >= total else -1) for total, share in totals.items()) / whole
        )
        asking = drawn(values, mine, 1.0)
        values[mine] = max(standing, asking)
        stands[mine] = STEADY if standing >= asking else 1 - STEADY
    return tuple(stands)


def drawn(values: Sequence[float], mine: int, stake: float) -> float:
    """Return the worth of another card to the bank, given that of each total."""
    found = 0.0
    for worth, share in SHARE.items():
        after = mine + worth
        found += share * (
            values[after] if after < SIETE_Y_MEDIA else stake if after == SIETE_Y_MEDIA else -stake
        )
    return found


def beaten_by(stands: Sequence[float]) -> list[float]:
    """Return how likely each total of a punto wins against a bank.

    `stands` is how often the bank stands at each of its own totals.
    """
    coming = dict(SHARE)
    ends = [0.0] * SIETE_Y_MEDIA
    for total in range(1, SIETE_Y_MEDIA):
        chance = coming.get(total, 0.0)
        ends[total] = chance * stands[total]
        for worth, share in SHARE.items():
            coming[total + worth] = (
                coming.get(total + worth, 0.0) + chance * (1 - stands[total]) * share
            )
    over = sum(share for total, share in coming.items() if total > SIETE_Y_MEDIA)
    return [over + sum(ends[:total]) for total in range(SIETE_Y_MEDIA)]
