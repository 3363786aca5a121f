"""How soon the others play on when a seat leaves: a change between processes over loopback."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Any

from benchmarks.match import Played, Seen, play
from benchmarks.peer import LEAVE
from benchmarks.settings import BenchSettings, Row, ms

AIM_MS = 1000.0
"""Milliseconds from the leave until all others play on."""
GAME, PEERS, LEAVER = "siete-y-media", 4, 3
OPTIONS = {"chips": 20}
MATCHES = 5
GOES_ON = frozenset({"Asked", "Shuffling", "Mixed", "Dealt", "Opened", "Tossed", "Moved"})
"""The events that show that the rules go on. They do so when all remaining seats have signed the
new head."""


def leaving(settings: BenchSettings) -> dict[str, Any]:
    """Measure matches in which one seat of four leaves at its first question."""
    waits = []
    for number in range(1, settings.times(MATCHES) + 1):
        settings.say(f"match {number}")
        waits.append(wait(play(PEERS, OPTIONS, game=GAME, decks=1, leaver=LEAVER)))
    return {"game": GAME, "peers": PEERS, "waits_ms": waits, "aim_ms": AIM_MS}


def wait(played: Played) -> float:
    """Return the milliseconds from the leave until the last of the others plays on."""
    left = min(
        stamp.at for player in played.players for stamp in player.stamps if stamp.name == LEAVE
    )
    others = [player for player in played.players if player.first(LEAVE) is None]
    return (max(_on(player) for player in others) - left) / 1e6


def _on(player: Seen) -> int:
    """Return when a player saw the rules go on, in nanoseconds."""
    names = [stamp.name for stamp in player.stamps]
    after = player.stamps[names.index("Gone") :]
    return next(stamp.at for stamp in after if stamp.name in GOES_ON)


def leaving_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return the row of these waits."""
    name = f"{found['game']}, {found['peers']} processes, one leaves: until the others play on"
    took = median(found["waits_ms"])
    yield Row(
        name, ms(took), aim=ms(found["aim_ms"]), missed=max(found["waits_ms"]) > found["aim_ms"]
    )
