"""The services announced on the network: a bounded sample of the names in mDNS packets.

zeroconf's own browser keeps a record of every name for an hour. Anybody on the network can invent
names, so here only a limited number waits. Beyond that, chance decides which stay: a flood can
delay other tables, but not shut them out. Names that matter are never dropped.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

import trio

from p2p.net.sighting import SERVICE, instance, player_of
from p2p.wire import Malformed

if TYPE_CHECKING:
    from zeroconf import DNSRecord, Zeroconf

STANDS_STILL = 10.0
"""Seconds after which zeroconf's thread, which should answer at once, counts as hung."""
WAITING = 1024
"""The most names of strangers that wait at a time."""
_A, _PTR, _TXT, _AAAA, _SRV, _IN = 1, 12, 16, 28, 33, 1


class NameQueue:
    """Players whose services were heard of; zeroconf's thread puts them in, trio takes them."""

    def __init__(self, first: Callable[[bytes], bool], most: int = WAITING) -> None:
        """Players for whom `first` is true are never dropped, and are taken first."""
        self._first, self._most = first, most
        self._lock = threading.Lock()
        self._urgent: dict[bytes, None] = {}
        self._others: list[bytes] = []
        self._waiting: set[bytes] = set()

    def __len__(self) -> int:
        return len(self._urgent) + len(self._others)

    @property
    def full(self) -> bool:
        """Whether the next name replaces another."""
        return len(self._others) >= self._most

    def put(self, player: bytes) -> bool:
        """Add a player; return whether the queue was empty."""
        with self._lock:
            empty = not len(self)
            if self._first(player):
                self._urgent[player] = None
            elif player not in self._waiting:
                self._waiting.add(player)
                if len(self._others) < self._most:
                    self._others.append(player)
                else:
                    place = random.randrange(self._most)  # noqa: S311 -- fair, not secret
                    self._waiting.discard(self._others[place])
                    self._others[place] = player
            return empty

    def take(self, count: int) -> tuple[list[bytes], list[bytes]]:
        """Take all players that come first, and up to `count` random others."""
        with self._lock:
            urgent = list(self._urgent)
            self._urgent.clear()
            taken = []
            for _ in range(min(count, len(self._others))):
                place = random.randrange(len(self._others))  # noqa: S311 -- the same
                self._others[place], self._others[-1] = self._others[-1], self._others[place]
                taken.append(self._others.pop())
            self._waiting.difference_update(taken)
            return urgent, taken


def listen(zeroconf: Zeroconf, on_hint: Callable[[bytes], None]) -> None:
    """Report every player whose service appears or changes in a packet.

    zeroconf's thread calls `on_hint`.
    """
    from zeroconf import RecordUpdate, RecordUpdateListener  # noqa: PLC0415 -- loaded already

    class Ears(RecordUpdateListener):
        def __init__(self) -> None:
            self._names: set[str] = set()

        def async_update_records(
            self, zc: Zeroconf, now: float, records: list[RecordUpdate]
        ) -> None:
            del zc, now
            self._names = {
                _name_of(update.new)
                for update in records
                if update.new.type == _PTR or update.old is None
            }

        def async_update_records_complete(self) -> None:
            # Not earlier: the cache may hold half of the packet until now.
            for player in map(_player, self._names):
                if player is not None:
                    on_hint(player)
            self._names = set()

    zeroconf.add_listener(Ears(), None)


def ask(zeroconf: Zeroconf) -> None:
    """Ask which services exist; `listen` receives the answers. Blocks: call it in a thread."""
    # zeroconf has these names, but does not list them as public.
    from zeroconf import DNSOutgoing, DNSQuestion  # noqa: PLC0415 -- loaded already

    question = DNSOutgoing(0)
    question.add_question(DNSQuestion(SERVICE, _PTR, _IN))
    zeroconf.send(question)


def remembered(zeroconf: Zeroconf, count: int) -> Collection[bytes]:
    """Return up to `count` random players whose services zeroconf remembers."""
    names = [_name_of(record) for record in zeroconf.cache.entries_with_name(SERVICE)]
    players = (_player(name) for name in random.sample(names, min(count, len(names))))
    return [player for player in players if player is not None]


class Service(NamedTuple):
    """A service as the network describes it.

    `texts` and `ports` have every claim, the newest text first. Of several, all but one are old or
    forged.
    """

    texts: list[dict[bytes, bytes | None]]
    hosts: list[str]
    port: int
    ports: list[int]


async def read(zeroconf: Zeroconf, players: Sequence[bytes], wait: int = 0) -> list[Service | None]:
    """Return these players' services from the cache, or else from the network within `wait` ms.

    This runs in zeroconf's own thread, because the cache holds half of a packet while that is
    processed. Cancelled, it stops the query too: asyncio would complain of one that outlives its
    loop. Raises zeroconf.NotRunningException if zeroconf is closed,
    concurrent.futures.CancelledError if it hangs.
    """
    from zeroconf import NotRunningException  # noqa: PLC0415 -- loaded already

    async def each() -> list[Service | None]:
        return [await read_one(zeroconf, player, wait) for player in players]

    assert zeroconf.loop is not None, "zeroconf has a thread from the start"
    token, done = trio.lowlevel.current_trio_token(), trio.Event()
    looking_up = each()
    try:
        reading = asyncio.run_coroutine_threadsafe(looking_up, zeroconf.loop)
    except RuntimeError as error:  # the loop is closed
        looking_up.close()
        raise NotRunningException from error
    reading.add_done_callback(lambda _reading: token.run_sync_soon(done.set))
    try:
        with trio.move_on_after(wait / 1000 + STANDS_STILL):
            await done.wait()
    finally:
        reading.cancel()
    return reading.result()


async def read_one(zeroconf: Zeroconf, player: bytes, wait: int) -> Service | None:
    """Return a player's service; in zeroconf's thread."""
    from zeroconf import ServiceInfo  # noqa: PLC0415 -- loaded already

    from p2p.net.lookup import Lookup  # noqa: PLC0415 -- it loads zeroconf

    name = f"{instance(player)}.{SERVICE}"
    claims = await Lookup(name).read(zeroconf, wait / 1000)
    if claims is None:
        return None
    texts = [ServiceInfo(SERVICE, name, properties=text).properties for text in claims.texts]
    return Service(texts, claims.hosts, claims.ports[0], sorted(claims.ports))


def _name_of(record: DNSRecord) -> str:
    """Return the name of the service that a record belongs to."""
    if record.type == _PTR:
        return getattr(record, "alias", "") if record.name.lower() == SERVICE else ""
    if record.type in (_SRV, _TXT):
        return record.name
    # A host of ours has the name of its service.
    return f"{record.name.partition('.')[0]}.{SERVICE}" if record.type in (_A, _AAAA) else ""


def _player(name: str) -> bytes | None:
    try:
        return player_of(name)
    except Malformed:
        return None  # not our program
