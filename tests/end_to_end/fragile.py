"""The program, killed at a chosen moment:
`python -m tests.end_to_end.fragile MOMENT join …`.

The moments lie between the signature on the terms and the first entry. `signed`: no peer has
received our signature, and our disk has all of others. `unheard`: a peer has begun the match or its
link is lost, and we have received no signature of others. `seating`: a peer has begun the match,
and our disk holds the signatures only. `at-once`: the same, as soon as all have signed.

`talk` is no end: the talk of a peer meets an error of the program.

"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

from client.__main__ import main
from client.session.match import MatchSession
from client.session.router import Router
from client.session.setup import TableSetup
from p2p.table.lobby import Agreement

PLAYING = threading.Event()
"""Set when a peer has sent its position in the match: so it has received our signature."""


def die(*_: Any) -> None:
    """Die."""
    os.kill(os.getpid(), signal.SIGKILL)


def unheard(
    setup: TableSetup,
    peer: bytes,
    message: dict[str, Any],
    nonces: Any,
    hear: Any = TableSetup.message,
) -> None:
    """Hear of nobody's signature."""
    if message.get("t") != "sign":
        hear(setup, peer, message, nonces)


def after_all_others(
    setup: TableSetup, peer: bytes, message: dict[str, Any], handle: Any = TableSetup.handle_sign
) -> None:
    """Keep our agreement once all others have signed it."""
    handle(setup, peer, message)
    if setup.agreement is not None and setup.agreement.complete:
        SIGNED.pop()(setup.agreement)


SIGNED: list[Callable[[Agreement], None]] = []


def not_yet(session: MatchSession, _agreement: Agreement) -> None:
    """Keep no agreement that others have not signed."""
    SIGNED.append(session.resume_point.put)


async def until_they_play(
    router: Router,
    peer: bytes,
    message: dict[str, Any],
    nonces: Any,
    hear: Any = Router.take_message,
) -> None:
    """Die when a peer has begun the match."""
    if message.get("t") == "need":
        die()
    await hear(router, peer, message, nonces)


async def note_that_they_play(
    router: Router,
    peer: bytes,
    message: dict[str, Any],
    nonces: Any,
    hear: Any = Router.take_message,
) -> None:
    """Note when a peer has begun the match."""
    if message.get("t") == "need":
        PLAYING.set()
    await hear(router, peer, message, nonces)


def die_when_they_play(*_: Any) -> None:
    """Die before our tables are set up, when a peer has begun the match. Runs in a worker
    thread."""
    PLAYING.wait()
    die()


def stumble(*_: Any) -> None:
    """Fail as an error of ours does."""
    raise KeyError("a bug")


if __name__ == "__main__":
    moment = sys.argv.pop(1)
    match moment:
        case "signed":
            TableSetup.propose = die  # type: ignore[method-assign, assignment] # the same
            TableSetup.handle_sign = after_all_others  # type: ignore[method-assign] # the same
            MatchSession.signed = not_yet  # type: ignore[method-assign] # the same
        case "unheard":
            TableSetup.message = unheard  # type: ignore[method-assign] # the same
            TableSetup.link_down = die  # type: ignore[method-assign, assignment] # the same
            Router.take_message = until_they_play  # type: ignore[method-assign] # the same
        case "seating":
            Router.take_message = note_that_they_play  # type: ignore[method-assign] # the same
            MatchSession.sit_down = die_when_they_play  # type: ignore[method-assign, assignment] # the same
        case "at-once":
            MatchSession.sit_down = die  # type: ignore[method-assign, assignment] # the same
        case "talk":
            Router.handle_talk = stumble  # type: ignore[method-assign, assignment] # the same
    sys.exit(main())
