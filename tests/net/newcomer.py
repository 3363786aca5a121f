"""Somebody honest who comes while there is a flood."""

from __future__ import annotations

from pathlib import Path

import trio

from p2p.net.addresses import Address
from p2p.net.dial import dial
from p2p.net.errors import NetError
from tests.net.flooder import fresh, ignore
from tests.patience import PATIENCE

STAYS = 0.3
"""Seconds after which a link is believed: a peer that is let in and sent away at once is not in."""


async def comes(folder: Path, at: Address) -> float:
    """Come until we are let in; return how many seconds that took."""
    began = trio.current_time()
    with trio.fail_after(PATIENCE):
        while True:
            try:
                link = await dial([at], await fresh(folder))
            except NetError:
                await trio.sleep(0.1)
                continue
            took = trio.current_time() - began
            with trio.move_on_after(STAYS) as stays:
                await link.run(ignore)
            if stays.cancelled_caught:
                return took
            await trio.sleep(0.1)


async def slowest(folder: Path, targets: list[Address]) -> float:
    """Come to each of them; return how many seconds the slowest took."""
    return max([await comes(folder, at) for at in targets])
