"""A stranger that floods peers, as a process: `python -m tests.net.flooder WHAT [HOST:]PORT …`,
until it is ended.

messages: links, each bringing ten thousand messages a second, made anew with another key as soon as
one is closed. idle: 300 connections to each port on which nothing is said, from up to eight
addresses, opened again when they are closed. links: 80 links to each port with a key each and from
up to eight addresses, made again when they are closed. garbage: connections on which noise is said,
a hundred a second to each port at most.

At the end of its input it prints how much it has done: messages sent, connections or links opened.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from collections import Counter
from itertools import cycle, islice
from pathlib import Path

import trio

from crypto.identity import Identity
from p2p.net.addresses import Address, own_addresses
from p2p.net.dial import Me, dial, greet
from p2p.net.errors import NetError
from p2p.net.framing import pack_frame
from tests.net.peer import LOOPBACK

RATE = 10_000
PIECE = 100
IDLE = 300
LINKS = 80
ELSEWHERE = [f"127.0.0.{number}" for number in range(2, 10)]
"""Where connections on loopback come from: other machines than that of the honest, to a peer that
counts by address."""

done: Counter[str] = Counter()


async def fresh(folder: Path) -> Me:
    stranger = Identity.from_seed(os.urandom(32))
    pem = folder / f"{stranger.id.hex()}.pem"
    pem.write_bytes(stranger.pem())
    return Me(stranger, pem)


async def messages(folder: Path, at: Address) -> None:
    piece = pack_frame({"t": "look", "secret": b""}) * PIECE
    while True:
        try:
            link = await dial([at], await fresh(folder))
        except NetError:
            await trio.sleep(0.05)
            continue
        done["links"] += 1
        begun, sent = trio.current_time(), 0
        try:
            with trio.move_on_after(1.5):  # a flooder that is not read from begins anew
                while True:
                    await link.stream.send_all(piece)
                    sent += PIECE
                    done["messages"] += PIECE
                    await trio.sleep_until(begun + sent / RATE)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            continue
        finally:
            with trio.CancelScope(shield=True):
                await link.abort()


async def idle(folder: Path, at: Address) -> None:
    async def one(own: str) -> None:
        while True:
            try:
                stream = await trio.open_tcp_stream(*at, local_address=own)
            except OSError:
                await trio.sleep(0.1)
                continue
            done["connections"] += 1
            async with stream:
                try:
                    while await stream.receive_some():
                        pass
                except trio.BrokenResourceError:
                    pass
            await trio.sleep(0.1)

    async with trio.open_nursery() as nursery:
        for own in islice(cycle(owns(at)), IDLE):
            nursery.start_soon(one, own)


async def links(folder: Path, at: Address) -> None:
    async def one(own: str) -> None:
        while True:
            try:
                stream = await trio.open_tcp_stream(*at, local_address=own)
                link = await greet(stream, await fresh(folder), dialled=True, address=at)
            except (OSError, NetError):
                await trio.sleep(0.1)
                continue
            done["links"] += 1
            await link.run(ignore)
            await trio.sleep(0.1)

    async with trio.open_nursery() as nursery:
        for own in islice(cycle(owns(at)), LINKS):
            nursery.start_soon(one, own)


def owns(at: Address) -> list[str]:
    """Return the addresses of this machine from which to come to another."""
    return (
        ELSEWHERE
        if at[0] == LOOPBACK
        else [own for own in own_addresses() if (":" in own) == (":" in at[0])]
    )


async def ignore(value: object) -> None:
    """The words do not matter here."""


async def garbage(folder: Path, at: Address) -> None:
    while True:
        try:
            stream = await trio.open_tcp_stream(*at)
        except OSError:
            await trio.sleep(0.1)
            continue
        done["connections"] += 1
        async with stream:
            try:
                with trio.move_on_after(1.5):
                    while True:
                        await stream.send_all(os.urandom(PIECE * 10))
                        done["pieces"] += 1
            except trio.BrokenResourceError:
                await trio.sleep(0.01)


FLOODS = {"messages": messages, "idle": idle, "links": links, "garbage": garbage}


def address(text: str) -> Address:
    host, _colon, port = text.rpartition(":")
    return host or LOOPBACK, int(port)


async def main(what: str, targets: list[str]) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192) if hard > 0 else 8192, hard))
    with tempfile.TemporaryDirectory() as folder:
        async with trio.open_nursery() as nursery:
            for target in targets:
                nursery.start_soon(FLOODS[what], Path(folder), address(target))
            await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
            nursery.cancel_scope.cancel()
    print(" ".join(f"{count} {name}" for name, count in sorted(done.items())), flush=True)


if __name__ == "__main__":
    trio.run(main, sys.argv[1], sys.argv[2:])
