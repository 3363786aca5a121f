"""Events that rules send to screens, and their text form.

They are not part of the state (decision 0012).
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class GameEvent:
    """An event of the rules.

    Subclasses are frozen dataclasses of seats, sides, faces, numbers and words.
    """


@dataclass(frozen=True)
class BrokenOff(GameEvent):
    """These seats left in mid-deal, and the others continue with the next one."""

    seats: tuple[int, ...]


def spell_event(event: GameEvent) -> list[str]:
    """Return an event as text: the name of its class, then its fields.

    The name of MatchLost is `match-lost`.
    """
    what = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(event).__name__).lower()
    return [what, *map(str, vars(event).values())]
