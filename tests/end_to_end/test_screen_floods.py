"""Others try to fill the screen of a whole program; each cause is cut off, and that is said."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
import trio

from crypto.identity import Identity
from p2p.net.errors import NetError
from p2p.table.lobby import SeatRequest
from p2p.wire import PROTOCOL
from tests.end_to_end.processes import LOOPBACK, Machine, Player, port_of
from tests.end_to_end.stranger import Stranger, draft, stranger, waited
from tests.patience import PATIENCE

SECONDS, TIMES = 5.0, 31
"""For so long at least, and so many times."""
MOST = 80 / SECONDS
"""Lines a second; each of these floods gave hundreds once."""
CUT_OFF = "not all"

pytestmark = pytest.mark.slow


async def flooded(player: Player, flood: Callable[[], Awaitable[object]], figure, name: str) -> str:
    """Flood a player for a while; return what it has printed since."""
    before, times, began = len(player.out), 0, time.monotonic()
    with trio.fail_after(PATIENCE):
        while times < TIMES or time.monotonic() - began < SECONDS:
            with suppress(NetError):
                await flood()
            times += 1
            await trio.lowlevel.checkpoint()
    took = time.monotonic() - began
    await trio.sleep(1)
    said = player.out[before:]
    figure(f"{name}: {times} times in {took:.0f} s, {len(said.splitlines())} lines")
    assert player.process.poll() is None
    assert len(said.splitlines()) <= MOST * took, said
    return said


async def test_greetings_of_another_version(machine: Machine, tmp_path: Path, figure) -> None:
    host = await waited(lambda: machine.host("ane", "greeted", "escoba"))
    async with stranger(tmp_path, protocol=PROTOCOL + 1) as other:
        said = await flooded(host, lambda: other.dial(port_of(host)), figure, "greetings")
    assert "was rejected" in said
    assert CUT_OFF in said


async def test_a_guest_that_sits_down_under_ever_new_names(
    machine: Machine, tmp_path: Path, figure
) -> None:
    host = await waited(lambda: machine.host("ane", "renamed", "escoba", "--seats", "3"))
    async with stranger(tmp_path) as other:
        peer, turns = await other.dial(port_of(host)), count()

        async def sit() -> None:
            request = SeatRequest(other.identity, f"name{next(turns)}", os.urandom)
            other.heard.clear()
            await other.sit(peer, request)

        said = await flooded(host, sit, figure, "new names")
    assert "name0" in said
    assert CUT_OFF in said


async def test_a_guest_that_comes_and_goes(machine: Machine, tmp_path: Path, figure) -> None:
    host = await waited(lambda: machine.host("ane", "flapping", "escoba", "--seats", "3"))
    async with stranger(tmp_path) as other:

        async def come_and_go() -> None:
            other.heard.clear()
            peer = await other.dial(port_of(host))
            await other.sit(peer)
            await trio.sleep(0.01)
            other.mesh.drop(peer, "")

        said = await flooded(host, come_and_go, figure, "coming and going")
    assert CUT_OFF in said


async def test_a_host_that_shows_its_table_again_and_again(
    machine: Machine, tmp_path: Path, figure
) -> None:
    seats = [SeatRequest(key, f"nick{number}", os.urandom) for number, key in enumerate(keys(2))]
    shown = draft(seats=(seats[0].participant(), None, None))

    def answer(host: Stranger, peer: bytes, value: object) -> None:
        if isinstance(value, dict) and value.get("t") == "look":
            host.mesh.send(peer, shown.message())

    async with stranger(tmp_path, answer) as other:
        guest = machine.join("jon", f"{LOOPBACK}:{other.mesh.port}", auto=False)
        await waited(lambda: guest.says("nick0"))
        (peer,) = other.mesh.links()
        turns = count()

        async def show() -> None:
            named = replace(seats[1], nick=f"name{next(turns)}")
            seated = (*shown.seats[:1], named.participant(), None)
            other.mesh.send(peer, replace(shown, seats=seated).message())
            await trio.sleep(0.01)

        said = await flooded(guest, show, figure, "a table that changes")
    assert "name" in said
    assert CUT_OFF in said


def keys(number: int) -> list[Identity]:
    return [Identity.from_seed(os.urandom(32)) for _key in range(number)]
