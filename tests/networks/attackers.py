"""Machines that mislead the programs of others, each in a network namespace of its own.

    python -m tests.networks.attackers host      a host that tells its guest addresses of others
    python -m tests.networks.attackers invent    announcements of invented players
    python -m tests.networks.attackers rename    other words about each table that is announced
    python -m tests.networks.attackers accept    somebody else's machine, where they lead

They go on until their input ends. `accept` takes connections to `OPEN` and says nothing. It prints
how many it took, how many of them said anything, and how many looked for somebody without a seat.
"""

from __future__ import annotations

import os
import random
import socket
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import trio
import zeroconf

from crypto.identity import Identity
from engine.games import complete_options, game_class
from p2p.net.discovery import open_discovery
from p2p.net.events import Received
from p2p.net.mesh import Mesh, open_mesh
from p2p.net.sighting import SERVICE, Advert, instance, txt_of
from p2p.table.lobby import Draft, Endpoint, SeatRequest, encode_endpoints
from p2p.table.terms import read_participant
from p2p.wire import PROTOCOL
from tests.end_to_end.stranger import draft
from tests.networks.switch import address

GAME = "siete-y-media"
LIAR = 0
VICTIM = 2
"""The machine to which the lies lead, of somebody who has nothing to do with them."""
PORT = 47747
PORTS = range(2000, 2064)
"""Where the false addresses lead, one after another."""
OPEN = range(2000, 2064, 2)
"""The ports of them at which somebody listens."""
PLACES = [f"10.99.0.{number}" for number in range(101, 109)]
"""The addresses of that machine."""
OTHERS = 3
"""Seats of players whom the liar has invented."""
NO_SEAT = 1999
"""The port of somebody without a seat."""


@asynccontextmanager
async def mesh_of(identity: Identity, port: int) -> AsyncIterator[Mesh]:
    with tempfile.TemporaryDirectory() as folder:
        pem = Path(folder) / "key.pem"
        pem.touch(0o600)
        pem.write_bytes(identity.pem())
        async with open_mesh(identity, pem, interface=address(LIAR), port=port) as mesh:
            yield mesh


def keys(number: int) -> list[Identity]:
    return [Identity.from_seed(os.urandom(32)) for _key in range(number)]


class FalseHost:
    """It proposes terms again and again; each time the invented players are somewhere else."""

    def __init__(self, mesh: Mesh, identity: Identity) -> None:
        self._mesh = mesh
        self._seats = [
            SeatRequest(one, f"nick{number}", os.urandom)
            for number, one in enumerate((identity, *keys(OTHERS)))
        ]
        self._nobody = keys(1)[0].id
        self._turns = count()

    def _draft(self, guest: Any = None) -> Draft:
        for seat in self._seats:
            seat.nonce = b""  # fresh: the guest signs with a nonce once
        seats = [seat.participant() for seat in self._seats]
        options = complete_options(GAME, OTHERS + 2, {})
        facts = {"game": GAME, "rules": game_class(GAME).version, "options": options}
        return draft(**facts, seats=(*seats, guest))

    def answer(self, peer: bytes, message: Any) -> None:
        """Show the table to a guest, and propose terms to it, again and again."""
        if message.get("t") == "look":
            self._mesh.send(peer, self._draft().message())
        elif message.get("t") == "sit":
            guest = read_participant(message["seats"][0][:-1])
            full = self._draft(guest)
            self._mesh.send(peer, full.message())
            nodes = [Endpoint(self._nobody, NO_SEAT, tuple(PLACES))]
            nodes += [self._somewhere(seat.identity.id) for seat in self._seats[1:]]
            terms = {"t": "terms", "terms": full.terms().encode(), "nodes": encode_endpoints(nodes)}
            self._mesh.send(peer, terms)
        elif message.get("t") == "sign":  # others sit there now: the guest sits down anew
            self._mesh.send(peer, self._draft().message())

    def _somewhere(self, player: bytes) -> Endpoint:
        turn = next(self._turns)
        return Endpoint(player, PORTS[turn % len(PORTS)], tuple(PLACES))


async def false_host() -> None:
    identity = keys(1)[0]
    async with mesh_of(identity, PORT) as mesh:
        host = FalseHost(mesh, identity)
        async for event in mesh.events:
            if isinstance(event, Received):
                host.answer(event.peer, event.value)


async def invent() -> None:
    chance, line = random.Random(1), voice()
    for number in count():
        player = chance.randbytes(32)
        advert = Advert(player, "!", "escoba", f"table{number}", 1, 2, "open", PORT, PROTOCOL)
        out = text_of(advert)
        name, server = f"{instance(player)}.{SERVICE}", f"{instance(player)}.local."
        port = PORTS[number % len(PORTS)]
        pointer = zeroconf.DNSPointer(SERVICE, 12, 1, 4500, name)
        service = zeroconf.DNSService(name, 33, 0x8001, 4500, 0, 0, port, server)
        where = zeroconf.DNSAddress(server, 1, 0x8001, 4500, socket.inet_aton(PLACES[0]))
        for record in (pointer, service, where):
            out.add_answer_at_time(record, 0)
        await say(line, out)
        await trio.sleep(0.003)


async def rename() -> None:
    """Say of each announced table that it is another one, of a newer version."""
    line = voice()
    async with open_discovery() as discovery:
        while True:
            for player, seen in discovery.seen().items():
                advert = Advert(
                    player, "Eve", seen.game, "elsewhere", 2, 2, "playing", PORT, PROTOCOL + 6
                )
                await say(line, text_of(advert))
            await trio.sleep(0.02)


def text_of(advert: Advert) -> zeroconf.DNSOutgoing:
    """Return a packet with the text of an announcement."""
    text = b"".join(
        bytes([len(item)]) + item
        for key, value in txt_of(advert).items()
        for item in [f"{key}={value}".encode()]
    )
    out = zeroconf.DNSOutgoing(0x8400)
    name = f"{instance(advert.id)}.{SERVICE}"
    out.add_answer_at_time(zeroconf.DNSText(name, 16, 0x8001, 4500, text), 0)
    return out


def voice() -> trio.socket.SocketType:
    line = trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM)
    local = socket.inet_aton(address(LIAR))
    line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, local)
    return line


async def say(line: trio.socket.SocketType, out: zeroconf.DNSOutgoing) -> None:
    for packet in out.packets():
        await line.sendto(packet, ("224.0.0.251", 5353))


async def accept() -> None:
    taken: list[int] = []
    strangers: list[trio.SocketStream] = []

    async def note(stream: trio.SocketStream) -> None:
        taken.append(0)
        number = len(taken) - 1
        async for data in stream:
            taken[number] += len(data)

    async def note_stranger(stream: trio.SocketStream) -> None:
        strangers.append(stream)

    async with trio.open_nursery() as nursery:
        for port in OPEN:
            nursery.start_soon(trio.serve_tcp, note, port)
        nursery.start_soon(trio.serve_tcp, note_stranger, NO_SEAT)
        await until_told()
        nursery.cancel_scope.cancel()
    said_anything = sum(said > 0 for said in taken)
    sys.stdout.write(f"{len(taken)} {said_anything} {len(strangers)}\n")


async def until_told() -> None:
    await trio.to_thread.run_sync(sys.stdin.read, abandon_on_cancel=True)


async def attack(kind: str) -> None:
    async with trio.open_nursery() as nursery:
        if kind == "accept":
            await accept()
        else:
            nursery.start_soon({"host": false_host, "invent": invent, "rename": rename}[kind])
            await until_told()
        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    trio.run(attack, sys.argv[1])
