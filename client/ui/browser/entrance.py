"""The way of a browser's page to its tab: by the pass, while there is room."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import trio

from client.ui.browser.access import Admitted, passes
from client.ui.browser.asked import NotAsked, Passed, read
from client.ui.browser.page_socket import PageSocket
from client.ui.browser.tab import Tab

PASS_S = 5.0
"""Seconds within which the pass must come."""
CLOSE_S = 1.0
"""Seconds in which a socket must take in why it is closed."""
OUT, MANY = 4403, 1013
"""The codes with which a socket is closed: without the pass, and without room."""


async def admit(
    tab: Tab,
    socket: PageSocket,
    admitted: Admitted,
    drop: Callable[[], None],
    place: Callable[[], AbstractContextManager[bool]],
) -> None:
    """Let a page in by its pass, and let it stay until it has gone, or is put out. Raises Gone.

    `drop` ends the connection at once. `place` says whether there is room for a page, and counts
    the page while it stays.
    """
    # before its pass has come: a thief who is put out meanwhile stays out
    admitted.leave.append(drop)
    try:
        await socket.accept()
        ended = await _enter(tab, place) if await _passes(socket, admitted) else (OUT, "not let in")
        if ended is not None:
            with trio.move_on_after(CLOSE_S):
                await socket.close(*ended)
    finally:
        admitted.leave.remove(drop)


async def _enter(
    tab: Tab, place: Callable[[], AbstractContextManager[bool]]
) -> tuple[int, str] | None:
    with place() as free:
        return await tab.stay() if free else (MANY, "too many windows")


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
