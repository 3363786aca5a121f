"""The program, killed at a chosen moment: `python -m tests.end_to_end.fragile MOMENT join …`.

The moments lie between signing the terms and sitting down: `signing` (signed, and nobody has heard of it), `unheard` (the others
play already or have gone, and nothing was heard of their signatures), `seating` (somebody else plays already, and nothing but the
signatures is on disk), `at-once` (the same as soon as all have signed, whoever has heard of it).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any

from client.__main__ import main
from client.app import Party
from client.gathering import Gathering
from client.links import Links

PLAYING = threading.Event()
"""Set when somebody else has said how far the match has come there: so our signature was heard."""


def die(*_: Any) -> None:
    """Be killed."""
    os.kill(os.getpid(), signal.SIGKILL)


def unheard(gathering: Gathering, peer: bytes, message: dict[str, Any], nonces: Any, hear: Any = Gathering.message) -> None:
    """Hear of nobody's signature."""
    if message.get("t") != "sign":
        hear(gathering, peer, message, nonces)


async def until_they_play(links: Links, peer: bytes, message: dict[str, Any], nonces: Any, hear: Any = Links._message) -> None:
    """Be killed when somebody else plays."""
    if message.get("t") == "have":
        die()
    await hear(links, peer, message, nonces)


async def note_that_they_play(
    links: Links, peer: bytes, message: dict[str, Any], nonces: Any, hear: Any = Links._message
) -> None:
    """Note when somebody else plays."""
    if message.get("t") == "have":
        PLAYING.set()
    await hear(links, peer, message, nonces)


def die_when_they_play(*_: Any) -> None:
    """Be killed while we sit down, when somebody else plays: called in a worker thread."""
    PLAYING.wait()
    die()


if __name__ == "__main__":
    moment = sys.argv.pop(1)
    match moment:
        case "signing":
            Gathering._propose = die  # type: ignore[method-assign, assignment] # this program is to break
        case "unheard":
            Gathering.message = unheard  # type: ignore[method-assign] # the same
            Gathering.link_down = die  # type: ignore[method-assign, assignment] # the same
            Links._message = until_they_play  # type: ignore[method-assign] # the same
        case "seating":
            Links._message = note_that_they_play  # type: ignore[method-assign] # the same
            Party._sit_down = die_when_they_play  # type: ignore[method-assign, assignment] # the same
        case "at-once":
            Party._sit_down = die  # type: ignore[method-assign, assignment] # the same
    sys.exit(main())
