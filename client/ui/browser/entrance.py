"""The way of a browser's page to its tab: by the pass."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio

from client.ui.browser.access import Admitted, passes
from client.ui.browser.asked import NotAsked, Passed, read
from client.ui.browser.page_socket import PageSocket

PASS_S = 5.0
"""Seconds within which the pass must come."""
CLOSE_S = 1.0
"""Seconds for a page to read why its socket is closed."""
OUT = 4403
"""The close code of a socket that comes without the pass."""

Stay = Callable[[], Awaitable[tuple[int, str] | None]]
"""Lets a page stay until it has gone; a code and a reason if the page must go."""


async def admit(
    socket: PageSocket, admitted: Admitted, drop: Callable[[], None], stay: Stay
) -> None:
    """Let a page in by its pass, and let it stay until it has gone, or is put out. Raises Gone.

    `drop` ends the connection at once.
    """
    # before its pass has come: a thief who is put out meanwhile stays out
    admitted.leave.append(drop)
    try:
        await socket.accept()
        ended = await stay() if await _passes(socket, admitted) else (OUT, "not let in")
        if ended is not None:
            with trio.move_on_after(CLOSE_S):
                await socket.close(*ended)
    finally:
        admitted.leave.remove(drop)


async def _passes(socket: PageSocket, admitted: Admitted) -> bool:
    with trio.move_on_after(PASS_S):
        said = await socket.receive()
        try:
            match read(said if isinstance(said, str) else ""):
                case Passed(word):
                    return passes(admitted, word)
        except NotAsked:
            return False
    return False
