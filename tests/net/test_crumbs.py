"""Links whose other end sends as little as it can at a time: that is work too."""

from __future__ import annotations

from contextlib import suppress

import pytest
import trio
import trio.testing

from p2p.net.errors import LinkLost
from p2p.net.framing import pack_frame
from p2p.net.greeting import Hello
from p2p.net.link import FLOOD, MALFORMED
from p2p.net.timeouts import Limits
from tests.net.links import Running, greet_both


async def test_a_greeting_in_crumbs_is_none(wire):
    wire = wire()
    results = []

    async def greet():
        with pytest.raises(LinkLost) as caught:
            await wire.links[1].greet(Hello("0.2", 2))
        results.append(caught.value.reason)
        nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(greet)
        for byte in pack_frame({"program": 60_000 * "x"}):
            await wire.streams[0].send_all(bytes([byte]))
            await trio.testing.wait_all_tasks_blocked()
    assert results == [MALFORMED]


async def test_a_message_in_crumbs_is_a_flood(wire, autojump_clock):
    wire = wire(limits=Limits(stranger_rate=10, stranger_burst=20, patience_s=5))
    await greet_both(wire)
    wire.links[0].kept = False
    async with trio.open_nursery() as nursery:
        a = Running(nursery, wire.links[0])
        for number in range(1000):
            with suppress(trio.BrokenResourceError):
                await wire.streams[1].send_all(pack_frame([bytes(2000)])[number : number + 1])
            await trio.testing.wait_all_tasks_blocked()
            await trio.sleep(0.01)
            if a.done.is_set():
                break
    assert a.reason == FLOOD
    assert number < 800


async def test_bytes_of_tls_count_though_they_carry_nothing(wire, autojump_clock):
    wire = wire(limits=Limits(stranger_rate=10, stranger_burst=20, patience_s=5))
    await greet_both(wire)
    wire.links[0].kept = False
    wire.links[0].carried = lambda: 100 * 1024
    async with trio.open_nursery() as nursery:
        a = Running(nursery, wire.links[0])
        await wire.streams[1].send_all(pack_frame([1]))
        await a.done.wait()
    assert (a.reason, a.got) == (FLOOD, [])
