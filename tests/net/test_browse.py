"""Names that were heard of: bounded, drawn by chance, and none lost that matters."""

from __future__ import annotations

import pytest
import trio
import zeroconf

from p2p.net.browse import NameQueue, listen, read
from p2p.net.sighting import SERVICE, instance


def player(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_names_wait_once_each_and_tell_when_the_first_comes() -> None:
    names = NameQueue(lambda _player: False)
    assert names.put(player(1))
    assert not names.put(player(1))
    assert not names.put(player(2))
    urgent, others = names.take(9)
    assert (urgent, sorted(others)) == ([], [player(1), player(2)])
    assert len(names) == 0
    assert names.put(player(1))


def test_a_flood_takes_no_more_room_than_there_is_and_shuts_nobody_out() -> None:
    kept = 0
    for _ in range(200):
        names = NameQueue(lambda _player: False, most=64)
        names.put(player(0))
        for number in range(1, 128):
            names.put(player(number))
        assert len(names) == 64
        kept += player(0) in names.take(64)[1]
    # It waits still with a chance of (1 - 1/64)^64, which is 37 %.
    assert 30 < kept < 120


def test_a_name_that_was_dropped_may_come_again() -> None:
    names = NameQueue(lambda _player: False, most=1)
    for number in (1, 2, 1):
        names.put(player(number))
    assert names.take(9) == ([], [player(1)])


def test_names_that_matter_are_never_dropped_and_come_first() -> None:
    names = NameQueue(lambda who: who in {player(5), player(6)}, most=4)
    names.put(player(5))
    for number in range(100, 200):
        names.put(player(number))
    names.put(player(6))
    names.put(player(5))
    urgent, others = names.take(2)
    assert urgent == [player(5), player(6)]
    assert len(others) == 2
    assert len(names) == 2


async def test_a_service_that_is_heard_of_is_in_the_cache_by_then() -> None:
    # With a goodbye, half of it: the port was still known, and the text was the one before.
    name = f"{instance(player(1))}.{SERVICE}"
    found = []
    server = await trio.to_thread.run_sync(lambda: zeroconf.Zeroconf(interfaces=["127.0.0.1"]))
    try:
        listen(
            server,
            # other programs of this machine may be heard of too
            lambda heard: (
                heard == player(1)
                and found.append((heard, server.cache.get_by_details(name, 33, 1) is not None))
            ),
        )

        def receive(ttl: int) -> None:
            packet = zeroconf.DNSOutgoing(0x8400)
            packet.add_answer_at_time(zeroconf.DNSPointer(SERVICE, 12, 1, ttl, name), 0)
            packet.add_answer_at_time(
                zeroconf.DNSService(name, 33, 0x8001, ttl, 0, 0, 5, "host.local."), 0
            )
            server.record_manager.async_updates_from_response(
                zeroconf.DNSIncoming(packet.packets()[0])
            )

        for ttl in (4500, 0):
            await trio.to_thread.run_sync(
                lambda ttl=ttl: server.loop.call_soon_threadsafe(receive, ttl)
            )
            with trio.fail_after(60):
                while len(found) < (1 if ttl else 2):
                    await trio.sleep(0.01)
    finally:
        await trio.to_thread.run_sync(server.close)
    assert found == [(player(1), True), (player(1), False)]


async def test_to_read_from_a_zeroconf_that_is_closed_is_its_own_error() -> None:
    closed = zeroconf.Zeroconf(interfaces=["127.0.0.1"])
    await trio.to_thread.run_sync(closed.close)
    with pytest.raises(zeroconf.Error):
        await read(closed, [player(1)])
