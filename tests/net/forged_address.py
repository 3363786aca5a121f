"""A forger that says other things of where a table is than its host does, in a network namespace.

    unshare --net sh -c 'ip link set lo up && exec python -m tests.net.forged_address KIND'

A host opens a table and answers for it; a program looks for tables. Then a third machine sends,
every second, records in the host's name. It prints one line of JSON: the parts of the time for
which the table was shown, and shown at its true address, and how many connections the host was
asked over. Kinds:

- `addresses`: twelve more addresses, others each time;
- `denied`: that the host has left its address, and has none.
"""

from __future__ import annotations

import json
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any

import trio
import zeroconf

from crypto.identity import Identity
from p2p.net.discovery import open_discovery
from p2p.net.mesh import open_mesh
from p2p.net.sighting import Advert, instance
from p2p.wire import PROTOCOL
from tests.net.forged_text import answer

HOME = "127.0.0.1"
HOST = Identity.from_seed(bytes([81]) * 32)
SERVER = f"{instance(HOST.id)}.local."
SECONDS = 14
"""The table is looked at again every ten."""
FORGED = ("addresses", "denied")


def address(host: str, ttl: int = 4500) -> zeroconf.DNSAddress:
    return zeroconf.DNSAddress(SERVER, 1, 1, ttl, socket.inet_aton(host))


def forged(kind: str, number: int) -> list[zeroconf.DNSRecord]:
    if kind == "addresses":
        return [address(f"127.9.{number}.{last}") for last in range(1, 13)]
    return [zeroconf.DNSNsec(SERVER, 47, 0x8001, 4500, SERVER, [33]), address(HOME, 0)]


async def forge(kind: str) -> None:
    line = trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM)
    local = trio.socket.inet_aton(HOME)
    line.setsockopt(trio.socket.IPPROTO_IP, trio.socket.IP_MULTICAST_IF, local)
    await line.bind(("127.0.0.77", 0))
    for number in range(SECONDS + 1):
        out = zeroconf.DNSOutgoing(0x8400)
        for record in forged(kind, number):
            out.add_answer_at_time(record, 0)
        for packet in out.packets():
            await line.sendto(packet, ("224.0.0.251", 5353))
        await trio.sleep(1)


async def look(kind: str) -> dict[str, Any]:
    asked: list[bytes] = []
    seats = [[HOST.public, "Zoe", bytes(16)], []]
    table = {"t": "table", "game": "escoba", "table": "goiz", "seats": seats}
    with tempfile.TemporaryDirectory() as folder:
        pem = Path(folder) / "host.pem"
        pem.write_bytes(HOST.pem())
        async with (
            open_mesh(HOST, pem, interface=HOME, port=0) as mesh,
            open_discovery(HOME) as theirs,
            open_discovery(HOME) as ours,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(answer, mesh, table, asked)
            await theirs.advertise(
                Advert(HOST.id, "Zoe", "escoba", "goiz", 1, 2, "open", mesh.port, PROTOCOL)
            )
            with trio.fail_after(60):
                while HOST.id not in ours.seen():
                    await trio.sleep(0.05)
            await trio.sleep(2.5)
            nursery.start_soon(forge, kind)
            looks = 10 * SECONDS
            seen = there = 0
            for _look in range(looks):
                await trio.sleep(0.1)
                sighting = ours.seen().get(HOST.id)
                seen += sighting is not None
                there += sighting is not None and (HOME, mesh.port) in sighting.addresses
            nursery.cancel_scope.cancel()
    return {"seen": seen / looks, "at its address": there / looks, "asked": len(asked)}


if __name__ == "__main__":
    print(json.dumps(trio.run(look, sys.argv[1])))
