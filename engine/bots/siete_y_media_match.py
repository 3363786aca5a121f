"""The chance to win a two-player siete y media match, by the lead, deals to come and place.

The place is punto or bank.

The punto chooses how much is risked: behind he plays for high stakes, ahead for single chips, while
the bank must follow. So the same chips are worth more to the punto. How deals come out was counted
in matches of the solved table against itself.
"""

from __future__ import annotations

from functools import lru_cache

RAISING = ((-1.0, 0, 0.205), (0.0, -1, 0.456), (0.0, 2, 0.045), (1.0, 0, 0.276), (2.0, 0, 0.018))
"""How deals come out that begin with one chip and are raised with a good hand: parts of the raise,
chips besides, how often."""
FIXED = ((-1.0, 0, 0.57), (1.0, 0, 0.37), (2.0, 0, 0.06))
"""The same with a stake that is fixed."""
DOUBLE = 2
"""Siete y media is paid double, and the bank changes hands."""
PARTS = (0.1, 0.2, 0.4, 0.7, 1.0)
"""The stakes that are tried, in parts of the highest."""
LONG = 12
"""No more deals than these are looked ahead."""


@lru_cache(maxsize=1 << 16)
def punto_wins(lead: int, left: int, most: int) -> float:
    """Return the chance to win of the seat that will be punto; a draw counts half.

    The seat is `lead` chips ahead, with `left` deals to come.
    """
    if left <= 0 or abs(lead) > 2 * DOUBLE * most * left:
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    best = 0.0
    for part in PARTS:
        stake = max(1, round(part * most))
        for outcomes in (FIXED, RAISING) if stake > 1 else (FIXED,):
            value = 0.0
            for times, chips, often in outcomes:
                won = round(times * stake) + chips
                value += often * after(lead, won, left - 1, most, seven=DOUBLE in (times, chips))
            best = max(best, value)
    return best


def after(lead: int, won: int, left: int, most: int, *, seven: bool) -> float:
    """Return the chance of the punto after he has won so many chips, from the bank."""
    lead += 2 * won
    return 1.0 - punto_wins(-lead, left, most) if seven else punto_wins(lead, left, most)
