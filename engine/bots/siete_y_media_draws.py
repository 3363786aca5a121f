"""The cards that a bank of siete y media draws, from an endless deck. Totals are half points."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bots.siete_y_media_table import SHARE
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA

NEXT = [
    [(share, total + worth) for worth, share in SHARE.items() if total + worth < SIETE_Y_MEDIA]
    for total in range(SIETE_Y_MEDIA)
]
"""For each total, how likely each total below siete y media comes next."""
OVER = [
    sum(share for worth, share in SHARE.items() if total + worth > SIETE_Y_MEDIA)
    for total in range(SIETE_Y_MEDIA)
]
"""For each total, how likely the next card goes over."""


def beaten_by(stands: Sequence[float]) -> list[float]:
    """Return the chance of each total of a punto against a bank that stands with these shares."""
    coming = [0.0] * SIETE_Y_MEDIA
    for worth, share in SHARE.items():
        coming[worth] = share
    over, ends, found = 0.0, 0.0, [0.0] * SIETE_Y_MEDIA
    for total in range(1, SIETE_Y_MEDIA):
        found[total] = ends
        chance = coming[total]
        ends += chance * stands[total]
        asks = chance * (1 - stands[total])
        if asks:
            over += asks * OVER[total]
            for share, after in NEXT[total]:
                coming[after] += asks * share
    return [over + found[total] for total in range(SIETE_Y_MEDIA)]


def _reaches(total: int) -> float:
    if total >= SIETE_Y_MEDIA:
        return float(total == SIETE_Y_MEDIA)
    return sum(share * _reaches(total + worth) for worth, share in SHARE.items())


TIED = _reaches(0)
"""How likely a bank that always asks has siete y media exactly."""
