"""The program, killed at a chosen moment: `python -m tests.end_to_end.fragile MOMENT join …`.

The moments lie between signing the terms and sitting down: `signing` (signed, and nobody has heard of it), `unheard` (all have
heard of it, and nothing was heard of the others), `seating` (all have signed, and nothing but that is on disk).
"""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

from client.__main__ import main
from client.app import Party
from client.gathering import Gathering

WHILE = 0.5
"""Seconds in which what was said still goes out."""


def die(*_: Any) -> None:
    """Be killed, a while later: called in a worker thread."""
    time.sleep(WHILE)
    os.kill(os.getpid(), signal.SIGKILL)


def unheard(gathering: Gathering, peer: bytes, message: dict[str, Any], nonces: Any, hear: Any = Gathering.message) -> None:
    """Hear of nobody's signature."""
    if message.get("t") != "sign":
        hear(gathering, peer, message, nonces)


def signing(gathering: Gathering, peer: bytes | None) -> None:
    """Die before our signature goes out."""
    del gathering, peer
    os.kill(os.getpid(), signal.SIGKILL)


def unheard_then_dead(gathering: Gathering, peer: bytes | None, propose: Any = Gathering._propose) -> None:
    """Say what we sign, and die when it has gone out."""
    propose(gathering, peer)
    signal.setitimer(signal.ITIMER_REAL, WHILE)


if __name__ == "__main__":
    moment = sys.argv.pop(1)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    if moment == "signing":
        Gathering._propose = signing  # type: ignore[method-assign] # this program is to break
    elif moment == "unheard":
        Gathering.message = unheard  # type: ignore[method-assign] # the same
        Gathering._propose = unheard_then_dead  # type: ignore[method-assign] # the same
    else:
        Party._sit_down = die  # type: ignore[method-assign, assignment] # the same
    sys.exit(main())
