"""Links over memory streams, without TLS: the messages inside, and how a link ends."""

from __future__ import annotations

import struct
from functools import partial

import pytest
import trio
import trio.testing

from p2p.net.errors import FrameTooLong, LinkLost, UpdateHere, UpdateThere
from p2p.net.framing import pack_frame
from p2p.net.greeting import Hello
from p2p.net.link import FLOOD, LOST, MALFORMED, SILENT, SLOW
from p2p.net.timeouts import Limits
from p2p.wire import PROTOCOL
from tests.net.links import Running, greet_both


async def ignore(value):
    pass


async def test_welcome_tells_who_is_there(wire):
    wire = wire()
    assert await greet_both(wire) == [None, None]
    a, b = wire.links
    assert (a.program, b.program) == ("0.2", "0.1")
    assert a.nonces == b.nonces[::-1]
    assert len(set(a.nonces)) == 2
    assert a.address == ("b", 1)  # as it was dialled
    assert b.address == ("a", 1)  # the port it told, not that of its connection
    assert a.words == b.words
    assert len(a.words.split()) == 3


COMMITTED = {"commit": bytes(32), "port": 0, "program": "0", "protocol": PROTOCOL}


@pytest.mark.parametrize(
    ("welcome", "then"),
    [
        (COMMITTED, {"nonce": bytes(16)}),  # not the committed nonce
        (COMMITTED, {"nonce": bytes(15)}),
        (COMMITTED, [1]),
        ({**COMMITTED, "commit": bytes(31)}, None),
        # a nonce before it is its turn
        ({"nonce": bytes(16), "port": 0, "program": "0", "protocol": PROTOCOL}, None),
    ],
)
async def test_the_dialling_side_is_bound_to_its_nonce(wire, welcome, then):
    wire = wire()
    await wire.streams[0].send_all(
        pack_frame(welcome) + (pack_frame(then) if then is not None else b"")
    )
    with pytest.raises(LinkLost) as caught:
        await wire.links[1].greet(Hello())
    assert caught.value.reason == MALFORMED


async def test_the_dialled_side_shows_nothing_before_the_other_is_bound(wire, autojump_clock):
    wire = wire()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(wire.links[1].greet, Hello()))
        with trio.move_on_after(1) as waited:
            await wire.streams[0].receive_some()
        nursery.cancel_scope.cancel()
    assert waited.cancelled_caught


async def test_a_message_in_one_piece_with_welcome_is_not_lost(wire, autojump_clock):
    wire = wire()
    welcome = {"nonce": bytes(16), "port": 0, "program": "0", "protocol": PROTOCOL}
    await wire.streams[1].send_all(
        pack_frame(welcome) + pack_frame([1]) + pack_frame([2]) + pack_frame([3])[:3]
    )
    await wire.links[0].greet(Hello())
    async with trio.open_nursery() as nursery:
        a = Running(nursery, wire.links[0])
        await wire.streams[1].send_all(pack_frame([3])[3:])
        await trio.sleep(0.1)
        assert a.got == [[1], [2], [3]]
        nursery.cancel_scope.cancel()


async def test_the_side_with_the_older_protocol_is_told_to_update(wire, autojump_clock):
    wire = wire()
    old, new = await greet_both(wire, Hello("0.1", 0, 1), Hello("0.9", 0, 2))
    assert isinstance(old, UpdateHere)
    assert isinstance(new, UpdateThere)
    for error in (old, new):
        assert [error.ours, error.theirs] in ([1, 2], [2, 1])
        assert {error.our_program, error.their_program} == {"0.1", "0.9"}


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("0.2", "0.2"),
        ("1.0.0rc1.dev5", "1.0.0rc1.dev5"),
        ("0 (not installed)", "0"),
        ("0.2+g1234", "0.2"),
        ("see evil.example", "?"),
        ("1.evil.example", "?"),
        ("1-evil", "?"),
        ("", "?"),
    ],
)
async def test_a_version_is_shown_and_nothing_else(wire, said, shown):
    """A stranger could tell our player where to get an update."""
    wire = wire()
    await wire.streams[1].send_all(pack_frame({"protocol": PROTOCOL + 1, "program": said}))
    with pytest.raises(UpdateHere) as caught:
        await wire.links[0].greet(Hello())
    assert caught.value.their_program == shown


WELCOME = {"nonce": bytes(16), "port": 0, "program": "0", "protocol": PROTOCOL}


@pytest.mark.parametrize(
    "said",
    [
        None,
        [1],
        {},
        {**WELCOME, "more": 1},
        {**WELCOME, "protocol": True},
        {**WELCOME, "protocol": "1"},
        {**WELCOME, "program": 1},
        {**WELCOME, "nonce": bytes(15)},
        {**WELCOME, "port": -1},
        {**WELCOME, "port": 65536},
        {key: WELCOME[key] for key in ("protocol", "program")},
    ],
)
async def test_bytes_that_are_no_welcome(wire, said):
    wire = wire()
    await wire.streams[1].send_all(pack_frame(said))
    with pytest.raises(LinkLost) as caught:
        await wire.links[0].greet(Hello())
    assert caught.value.reason == MALFORMED
    with pytest.raises(trio.ClosedResourceError):
        await wire.streams[0].send_all(b"x")


async def test_a_goodbye_instead_of_welcome_says_why(wire):
    wire = wire()
    await wire.streams[1].send_all(pack_frame("full\x1b[31m"))
    with pytest.raises(LinkLost, match="goodbye: full"):
        await wire.links[0].greet(Hello())


async def test_heartbeats_keep_a_quiet_link_and_are_not_delivered(greeted, autojump_clock):
    async with trio.open_nursery() as nursery:
        a, b = (Running(nursery, link) for link in greeted.links)
        await trio.sleep(300)
        assert a.reason is b.reason is None
        assert a.got == b.got == []
        nursery.cancel_scope.cancel()


async def test_silence_ends_a_link_after_six_seconds(greeted, autojump_clock):
    async with trio.open_nursery() as nursery:
        a = Running(nursery, greeted.links[0])
        await trio.sleep(1)
        await greeted.streams[1].send_all(pack_frame(None))
        await a.done.wait()
    assert a.reason == SILENT
    assert trio.current_time() == pytest.approx(7.0)


def stall(stream) -> None:
    """Let nothing more through, as if the receiver did not read."""

    async def never():
        await trio.sleep_forever()

    stream.send_stream.send_all_hook = never


async def test_a_slow_peer_never_makes_us_wait_and_is_left_when_the_queue_is_full(
    wire, autojump_clock
):
    wire = wire(limits=Limits(queue_bytes=100_000))
    await greet_both(wire)
    stall(wire.streams[0])
    async with trio.open_nursery() as nursery:
        a = Running(nursery, wire.links[0])
        sent = 0
        while a.link.send(bytes(1000)):
            sent += 1
            await trio.sleep(0.001)
        assert 95 <= sent <= 100
        assert trio.current_time() < 0.2
        await a.done.wait()
    assert a.reason == SLOW
    assert not a.link.send([1])


async def test_a_flood_slows_the_link_down_then_ends_it(wire, autojump_clock):
    limits = Limits(rate=100, burst=200, patience_s=5)
    wire = wire(limits=limits)
    await greet_both(wire)
    async with trio.open_nursery() as nursery:
        a = Running(nursery, wire.links[0])
        piece = pack_frame([bytes(1018)]) * 10  # 20 units, so 400 a second

        async def flood():
            while not a.done.is_set():
                try:
                    await wire.streams[1].send_all(piece)
                except trio.BrokenResourceError:
                    return
                await trio.sleep(0.05)

        nursery.start_soon(flood)
        await a.done.wait()
    assert a.reason == FLOOD
    assert 5 < trio.current_time() < 8
    assert len(a.got) * 2 < 200 + 100 * trio.current_time()


async def test_a_stranger_may_bring_little(wire, autojump_clock):
    wire = wire(limits=Limits(stranger_rate=10, stranger_burst=20, patience_s=5))
    await greet_both(wire)
    wire.links[0].kept = False
    async with trio.open_nursery() as nursery:
        a = Running(nursery, wire.links[0])
        await wire.streams[1].send_all(pack_frame([1]) * 40)
        await trio.sleep(1)
        assert a.reason is None  # too much, but it is only asked to wait
        await wire.streams[1].send_all(pack_frame([1]) * 80)
        await a.done.wait()
    assert a.reason == FLOOD
    assert len(a.got) == 40  # a message over all bounds was not even told


@pytest.mark.parametrize(
    "said",
    [
        struct.pack(">I", 2**31),
        struct.pack(">I", 1) + b"\xc1",
        pack_frame(5),
        b"\0\0\0\1\xc3",
        pack_frame({}),
        pack_frame({"t": []}),
        pack_frame({"t": {}}),
        pack_frame({"t": b"look"}),
    ],
    ids=str,
)
async def test_bytes_that_are_no_message_end_the_link(greeted, autojump_clock, said):
    async with trio.open_nursery() as nursery:
        a = Running(nursery, greeted.links[0])
        await greeted.streams[1].send_all(pack_frame([1]))
        await trio.sleep(0.1)
        await greeted.streams[1].send_all(said)
        await a.done.wait()
    assert (a.got, a.reason) == ([[1]], MALFORMED)


async def test_a_broken_connection_is_lost(greeted, autojump_clock):
    async with trio.open_nursery() as nursery:
        a = Running(nursery, greeted.links[0])
        await greeted.streams[1].aclose()
        await a.done.wait()
    assert a.reason == LOST
    assert trio.current_time() == 0
    assert not a.link.send([1])


async def test_a_goodbye_names_the_reason_cleaned(greeted, autojump_clock):
    async with trio.open_nursery() as nursery:
        a, b = (Running(nursery, link) for link in greeted.links)
        b.link.close("bad \x1b[31msignatures\u202e")
        await a.done.wait()
        await b.done.wait()
    assert a.reason == "goodbye: bad signatures"
    assert trio.current_time() == 0


async def test_last_words_arrive(greeted, autojump_clock):
    async with trio.open_nursery() as nursery:
        a, b = (Running(nursery, link) for link in greeted.links)
        for number in range(1000):
            a.link.send([number])
        a.link.close()
        assert not a.link.send(["too late"])
        b.link.send(["too late too"])
        await b.done.wait()
    assert len(b.got) == 1000
    assert a.got == [], "nothing is delivered to a side that has closed"


async def test_last_words_wait_two_seconds_at_most(greeted, autojump_clock):
    stall(greeted.streams[0])
    async with trio.open_nursery() as nursery:
        a = Running(nursery, greeted.links[0])
        a.link.send([1])
        a.link.close()
        await a.done.wait()
    assert trio.current_time() == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("goodbye", TypeError),
        (None, TypeError),
        (1, TypeError),
        ({"hello": 1}, TypeError),
        ({"t": b"hello"}, TypeError),
        ([1.5], TypeError),
        (bytes(70_000), FrameTooLong),
    ],
)
async def test_a_message_that_cannot_be_sent_is_refused_here(wire, value, error):
    with pytest.raises(error):
        wire().links[0].send(value)
