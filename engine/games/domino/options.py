"""The options of dominoes, and the sets of tiles for one of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.cards import DOMINOES, DOUBLE_NINE, pips
from engine.core.moves import Face
from engine.core.options import LEAVING, Option
from engine.games.domino.count import is_double, weight


def _rank(face: Face) -> tuple[bool, int, int]:
    return is_double(face), weight(face), pips(face)[0]


@dataclass(frozen=True)
class TileSet:
    """A set of dominoes, and how it is dealt."""

    tiles: tuple[Face, ...]
    """In canonical order."""
    hand: int
    """R2. The tiles that each seat is dealt."""
    without_effect: frozenset[str]
    """R7, R9. The options without effect for this set: nobody draws, and no pass scores."""

    @property
    def by_rank(self) -> tuple[Face, ...]:
        """R4. The holder of the first of these tiles that is held opens.

        Doubles from the highest down, then by pips, then by the larger number.
        """
        return tuple(sorted(self.tiles, key=_rank, reverse=True))

    def outside(self, numbers: Collection[int]) -> list[Face]:
        """C3. The tiles with none of these numbers."""
        return [face for face in self.tiles if not set(pips(face)).intersection(numbers)]

    def with_any(self, numbers: Collection[int]) -> list[Face]:
        """R11. The tiles with at least one of these numbers."""
        return [face for face in self.tiles if set(pips(face)).intersection(numbers)]


SETS: Mapping[str, TileSet] = {
    "double-six": TileSet(DOMINOES, hand=7, without_effect=frozenset()),
    "double-nine": TileSet(DOUBLE_NINE, hand=10, without_effect=frozenset(("draw", "passes"))),
}
"""R18. By the value of the option `set`."""

CHOICES: Mapping[str, Option] = {
    "target": Option(20, range(1, 501), "Points that end the match."),
    "capicua": Option(
        "off",
        ("off", "on", "strict"),
        "Whether a last tile that fits both ends doubles the count: never, always, or only at "
        "ends that differ.",
    ),
    "passes": Option(
        "each",
        ("each", "first", "none"),
        "Which passes bring 2 points: every one, the first of the match, or none.",
    ),
    "draw": Option(
        default=True,
        values=(True, False),
        help="Two or three players draw from the graveyard when they cannot play.",
    ),
    "partners": Option(
        default=False,
        values=(True, False),
        help="The player across from you is your partner; for four players.",
    ),
    "leaving": LEAVING,
    "set": Option(
        "double-six",
        tuple(SETS),
        "The tiles: the double-six set, seven for each; or the double-nine set, ten for each: "
        "nobody draws, and no pass scores.",
    ),
}


def overruled(options: Mapping[str, Any]) -> frozenset[str]:
    """R7, R9. Return the options that the chosen set of tiles leaves without effect."""
    tiles = SETS.get(options.get("set", ""))
    return frozenset() if tiles is None else tiles.without_effect


def draws(options: Mapping[str, Any]) -> bool:
    """R7. Whether the tiles that are not dealt are a graveyard; otherwise they are not used."""
    return bool(options["draw"]) and "draw" not in overruled(options)


def paid_passes(options: Mapping[str, Any]) -> str:
    """R9. Return which passes score, as a value of `passes`."""
    return "none" if "passes" in overruled(options) else str(options["passes"])
