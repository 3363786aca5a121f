"""The host's choices for a table besides the rules of the game: its name, and its time limit."""

from __future__ import annotations

from collections.abc import Iterable

from client.i18n.translation import _

LIMIT_S = 120
"""The default time limit for an absent player, in seconds."""
LONGEST_LIMIT_S = 86_400
LIMITS_S = (30, 60, 120, 300, 600, 1800, 3600)
"""The limits that the arrow keys offer; others are typed."""
LONGEST_NAME = 32


def name_fault(name: str) -> str:
    """Return why this cannot be the name of a table, or an empty string.

    For an empty name, the program makes one up.
    """
    if not name or (
        name.isascii()
        and name.replace("-", "").replace("_", "").isalnum()
        and len(name) <= LONGEST_NAME
    ):
        return ""
    return _("a table's name is at most 32 letters, digits and dashes, not {name!r}").format(
        name=name
    )


def seats_for(people: int, allowed: Iterable[int]) -> int:
    """Return the least allowed number of seats for so many people; otherwise the largest."""
    numbers = sorted(allowed)
    return next((one for one in numbers if one >= people), numbers[-1])


def next_limit(limit: int, step: int) -> int:
    """Return the offered limit above this one (step 1) or below it (step -1).

    At the ends, return the same limit.
    """
    beyond = [each for each in LIMITS_S if (each - limit) * step > 0]
    return (min if step > 0 else max)(beyond, default=limit)
