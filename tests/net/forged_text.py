"""A forger that says other things of a table than its host does, in a network namespace.

    unshare --net sh -c 'ip link set lo up && exec python -m tests.net.forged_text KIND'

A host opens a table and answers for it; a program looks for tables. Then a third machine sends,
five times a second, a text in the host's name that takes the place of the true one. After a while
somebody sits down at the table. It prints one line of JSON: all that was shown, how many
connections the host was asked over, and how often the host has announced its table.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import trio
import zeroconf

from crypto.identity import Identity
from p2p.net.discovery import open_discovery
from p2p.net.events import LinkUp, Received
from p2p.net.mesh import Mesh, open_mesh
from p2p.net.sighting import SEAT, SERVICE, Advert, instance, txt_of
from p2p.wire import PROTOCOL

HOME = "127.0.0.1"
HOST, GUEST = (Identity.from_seed(bytes([number]) * 32) for number in (81, 82))
SECONDS = 4.0
FORGED: dict[str, dict[str, Any]] = {
    "renamed": {"nick": "Jon", "table": "other"},
    "full": {"seats_taken": 2, "state": "playing"},
    "version": {"protocol": PROTOCOL + 6},
    "no-table": {"state": SEAT, "nick": "", "game": "none", "table": "-"},
    "unreadable": {},
}


def packets(kind: str, advert: Advert) -> list[bytes]:
    """Return a text in the host's name that takes the place of its own."""
    txt = txt_of(replace(advert, **FORGED[kind])) if FORGED[kind] else {"v": "x"}
    text = b"".join(
        bytes([len(item)]) + item
        for key, value in txt.items()
        for item in [f"{key}={value}".encode()]
    )
    name = f"{instance(advert.id)}.{SERVICE}"
    out = zeroconf.DNSOutgoing(0x8400)
    out.add_answer_at_time(zeroconf.DNSText(name, 16, 0x8001, 4500, text), 0)
    return out.packets()


async def answer(mesh: Mesh, table: dict[str, Any], asked: list[bytes]) -> None:
    """Show the table to each program that looks."""
    async for event in mesh.events:
        if isinstance(event, LinkUp):
            asked.append(event.peer)
        elif isinstance(event, Received):
            mesh.send(event.peer, table)


async def forge(kind: str, advert: Advert) -> None:
    line = trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM)
    local = trio.socket.inet_aton(HOME)
    line.setsockopt(trio.socket.IPPROTO_IP, trio.socket.IP_MULTICAST_IF, local)
    await line.bind(("127.0.0.77", 0))
    while True:
        for packet in packets(kind, advert):
            await line.sendto(packet, ("224.0.0.251", 5353))
        await trio.sleep(0.2)


async def look(kind: str) -> dict[str, Any]:
    shown: list[list[object]] = []
    asked: list[bytes] = []
    table = {
        "t": "table",
        "game": "escoba",
        "table": "goiz",
        "seats": [[HOST.public, "Zoe", bytes(16)], []],
    }
    with tempfile.TemporaryDirectory() as folder:
        pem = Path(folder) / "host.pem"
        pem.write_bytes(HOST.pem())
        async with (
            open_mesh(HOST, pem, interface=HOME, port=0) as mesh,
            open_discovery(HOME) as theirs,
            open_discovery(HOME) as ours,
            trio.open_nursery() as nursery,
        ):
            advert = Advert(
                HOST.id, "Zoe", "escoba", "goiz", 1, 2, "open", mesh.port, PROTOCOL, "eu"
            )
            announced: list[object] = []
            send = theirs.zeroconf.send
            theirs.zeroconf.send = lambda packet, *more: (
                announced.append(packet) or send(packet, *more)
            )
            nursery.start_soon(answer, mesh, table, asked)

            async def note() -> None:
                async for news in ours.sightings():
                    if news.id == HOST.id:
                        facts = [news.nick, news.table, news.seats_taken, news.state, news.protocol]
                        shown.append([*facts, news.proven] if hasattr(news, "nick") else [])

            nursery.start_soon(note)
            await theirs.advertise(advert)
            with trio.fail_after(60):
                while not shown:
                    await trio.sleep(0.05)
            await trio.sleep(2.5)
            announced.clear()
            nursery.start_soon(forge, kind, advert)
            await trio.sleep(SECONDS)
            before = len(shown)
            table["seats"] = [[HOST.public, "Zoe", bytes(16)], [GUEST.public, "Ane", bytes(16)]]
            await theirs.advertise(replace(advert, seats_taken=2, state="full"))
            with trio.move_on_after(25):
                while not shown[-1] or shown[-1][2:4] != [2, "full"]:
                    await trio.sleep(0.05)
            found = {
                "kind": kind,
                "while forged": shown[:before],
                "at last": shown[-1],
                "asked": len(asked),
                "announced": len(announced),
                "listed": HOST.id in ours.seen(),
            }
            nursery.cancel_scope.cancel()
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(trio.run(look, sys.argv[1])) + "\n")
