"""Packets of mDNS: all that they say of a table is read, shown as text, or passed over.

A packet goes the way of each packet from the network: zeroconf reads it into its cache, our ear
hears the names in it, and the search looks them up there. Each packet has records of one or a few
services, some of them damaged, then its bytes may be damaged too. The program makes no unexpected
error, shows few tables, and dials few addresses, none of them outside of the network.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import trio
import zeroconf
from trio.testing import MockClock, wait_all_tasks_blocked

from crypto.identity import Identity
from p2p.net import browse
from p2p.net.addresses import worth_dialling
from p2p.net.crowd import CLAIMS, MOST
from p2p.net.names import NICK_COLUMNS
from p2p.net.probe import TRIED, Answer, Proof
from p2p.net.search import Search
from p2p.net.sighting import SEAT, SERVICE, Advert, instance, txt_of
from p2p.net.text import columns
from p2p.wire import MOST_ANNOUNCED, PROTOCOL
from tests.fuzz.draw import Draw

PLAYERS = [Identity.from_seed(bytes([number]) * 32) for number in range(1, 5)]
PACKETS = 8
"""Packets of one input, at most."""

maxima: Counter[str] = Counter()
"""The most that an input has brought about."""


def one_input(data: bytes) -> None:
    """Receive packets, and look at all that they tell of."""
    trio.run(receive, Draw(data), clock=MockClock())


async def receive(draw: Draw) -> None:
    cache = zeroconf.DNSCache()
    network: Any = SimpleNamespace(cache=cache, started=True)
    ears: list[Any] = []
    network.add_listener = lambda ear, _question: ears.append(ear)
    asked = Asked(draw)
    async with trio.open_nursery() as nursery:
        looked = Search(network, nursery, asked, [PLAYERS[0].id], lambda: True)  # type: ignore[arg-type] # it stands for a prober
        looked.leave_out(PLAYERS[3].id, lambda _sighting: None)
        heard = set[bytes]()
        browse.listen(network, heard.add)
        for number in range(PACKETS):
            if not draw.more:
                break
            into(cache, ears[0], damaged(draw, packet(draw)), 1000.0 * number)
            for player in sorted(heard):
                service = await browse.read_one(network, player, 0)
                sighting = service and looked.sighting_in(player, service)
                if sighting:
                    looked.take(sighting)
                await wait_all_tasks_blocked()
        judge(looked, asked)
        nursery.cancel_scope.cancel()


class Asked:
    """Stands for a prober: it notes whom it was to connect with."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self.addresses: set[Any] = set()

    def untried(self, _player: bytes, addresses: list[Any]) -> list[Any]:
        return addresses

    async def prove(self, _player: bytes, addresses: Any) -> Proof:
        self.addresses |= set(addresses)
        return Proof(addresses[0] if self._draw.byte() % 2 else None, silent=True)

    async def ask(self, _player: bytes, addresses: Any) -> Answer:
        """Answer as a host might: with a table, with something like one, or not at all."""
        self.addresses |= set(addresses)
        seats = [[PLAYERS[0].public, "Ane", bytes(16)], []]
        table = {"t": "table", "game": "escoba", "table": "goiz", "seats": seats}
        match self._draw.below(4):
            case 0:
                return Answer(None)
            case 1:
                return Answer(addresses[0], version=self._draw.byte())
            case 2:
                return Answer(addresses[0], {"t": "refuse", "why": "playing"})
        return Answer(addresses[0], self._draw.value(table))


def judge(looked: Search, asked: Asked) -> None:
    """Require that few tables are shown, as text."""
    shown = looked.crowd.shown
    assert len(shown) <= 1 + MOST + CLAIMS
    assert PLAYERS[3].id not in shown
    for sighting in shown.values():
        assert sighting.nick.strip("\u2068\u2069").isprintable()
        assert columns(sighting.nick) <= NICK_COLUMNS
        assert len(sighting.addresses) <= max(MOST_ANNOUNCED, TRIED)
        hosts = [host for host, _port in sighting.addresses]
        assert set(worth_dialling(hosts, loopback=True, most=TRIED)) == set(hosts)
    assert len(asked.addresses) <= PACKETS * TRIED
    for name, count in (("tables", len(shown)), ("dials", len(asked.addresses))):
        maxima[name] = max(maxima[name], count)


def into(cache: Any, ear: Any, data: bytes, now: float) -> None:
    """Take a packet in as zeroconf does."""
    message = zeroconf.DNSIncoming(data, now=now)
    if not message.valid or message.is_query():
        return
    records = message.answers()
    updates = [zeroconf.RecordUpdate(record, cache.async_get_unique(record)) for record in records]
    ear.async_update_records(None, now, updates)
    cache.async_add_records(records)
    ear.async_update_records_complete()


def packet(draw: Draw) -> bytes:
    """Records of services, almost as an honest program sends them."""
    out = zeroconf.DNSOutgoing(0x8400)
    for _ in range(1 + draw.below(3)):
        who = draw.one(PLAYERS)
        name = f"{instance(who.id)}.{SERVICE}" if draw.byte() % 8 else name_of(draw)
        server = f"{instance(who.id)}.local." if draw.byte() % 8 else "elsewhere.local."
        ttl = draw.one((4500, 4500, 120, 1, 0))
        flags = draw.one((0x8001, 1))
        add = out.add_answer_at_time
        add(zeroconf.DNSPointer(SERVICE, 12, 1, ttl, name), 0)
        if draw.byte() % 8:
            port = draw.one((47747, 47747, 1, 0, 65535, 631))
            add(zeroconf.DNSService(name, 33, flags, ttl, 0, 0, port, server), 0)
        if draw.byte() % 8:
            add(zeroconf.DNSText(name, 16, flags, ttl, text(draw, who.id)), 0)
        for _each in range(draw.below(3)):
            kind, size = draw.one(((1, 4), (28, 16), (1, 16), (28, 3)))
            address = draw.one(
                (b"\xc0\xa8\1\7", bytes(15) + b"\1", b"\x7f\0\0\1", b"")
            ) or draw.some(size)
            add(zeroconf.DNSAddress(server, kind, flags, ttl, address), 0)
    try:
        return out.packets()[0]
    except (zeroconf.Error, ValueError, OSError, IndexError):
        return b""  # the honest encoder refuses it


def name_of(draw: Draw) -> str:
    """A name that is perhaps a player's service."""
    base = instance(PLAYERS[0].id)
    return draw.one(
        (f"{base.upper()}.{SERVICE}", f"x{base}.{SERVICE}", f"{base}.{SERVICE.upper()}", SERVICE)
    )


def text(draw: Draw, player: bytes) -> bytes:
    """A text record, most often damaged."""
    advert = Advert(player, "Ane", "escoba", "goiz", 1, 2, "open", 47747, PROTOCOL, "eu")
    match draw.below(6):
        case 0:
            return draw.some(draw.byte())
        case 1:
            advert = replace(advert, nick=str(draw.value("Ane"))[:40])
        case 2:
            advert = replace(advert, state=draw.one(("playing", "full", SEAT)), seats_taken=2)
    items = [f"{key}={value}".encode() for key, value in txt_of(advert).items()]
    if draw.byte() % 2:
        at = draw.below(len(items))
        value = draw.value(items[at])
        items[at] = value if type(value) is bytes else str(value).encode()
    return b"".join(bytes([len(item[:255])]) + item[:255] for item in items)[:1200]


def damaged(draw: Draw, data: bytes) -> bytes:
    """The bytes of a packet, sometimes not as they were."""
    for _ in range(draw.one((0, 0, 0, 1, 3))):
        at = draw.below(max(1, len(data)))
        data = data[:at] + draw.some(draw.below(4)) + data[at + draw.below(4) :]
    return data
