"""The search for tables on the LAN: zeroconf's hints are resolved and, if necessary, proven.

The names from zeroconf are hints that something changed, never news. Tables are reported after
resolving, which is repeated every ten seconds: a peer that was killed says no goodbye, and a
goodbye can be forged.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import trio

from p2p.net.addresses import Address, worth_dialling
from p2p.net.browse import WAITING, NameQueue, Service, ask, read, remembered
from p2p.net.crowd import Crowd
from p2p.net.mdns import in_thread, obstacles, tried_again
from p2p.net.probe import TRIED, Prober
from p2p.net.rate import Turns
from p2p.net.sighting import (
    SEAT,
    Sighting,
    TableGone,
    instance,
    sighting_of,
    told_by_host,
)
from p2p.net.tasks import containing, raise_again
from p2p.wire import MOST_ANNOUNCED, Malformed

if TYPE_CHECKING:
    from zeroconf import Zeroconf

T = TypeVar("T")

AGAIN = 10.0
"""Seconds until everything shown is resolved again."""
FIRST = (0.05, 1.0, 2.0)
"""Seconds before each of the first questions to the network."""
EVERY, PRESSING = 60.0, 1.0
"""Seconds between later questions; the second applies while records are forged, the queue of names
is full, or we seek players.

Chance decides which names and records are looked at, so the true answer must come often."""

HASTE = 30.0
"""Seconds for which sought players are asked for often; later every `AGAIN` seconds."""

CHANGES = 1024
"""The most changes that a reader may be behind. At the start they hold all that is shown."""

RESOLVE = 1500
"""Milliseconds to wait for an answer about one service."""
RESOLVING = 8
"""The most services resolved at a time."""

TICK, BATCH = 0.1, 32
"""Seconds between two looks at strangers' names, and the most names per look: this bounds the cost
of a flood."""
INCOMPLETE = 16
"""The most strangers with incomplete adverts that are resolved at a time."""
ASK_BURST, ASK_RATE = 8, 0.5
"""Limit on asking a host whose address is proven: a burst, and a rate a second."""
PROBES = 32
"""The most strangers probed at a time."""


class Bell:
    """Wakes a trio task from any thread."""

    def __init__(self, token: trio.lowlevel.TrioToken) -> None:
        self._token = token
        self._rung = trio.Event()

    def ring(self) -> None:
        """Wake the task that waits, or that will wait next."""
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._ring)

    def _ring(self) -> None:
        self._rung.set()

    async def wait(self) -> None:
        """Wait until it rings."""
        await self._rung.wait()
        self._rung = trio.Event()


class Search:
    """The tables to be seen on the LAN.

    `known` players are shown even in a crowd. `loopback` says whether loopback addresses count.
    `failed` takes an unexpected error with an announcement, and the search goes on.
    """

    def __init__(
        self,
        zeroconf: Zeroconf,
        nursery: trio.Nursery,
        prober: Prober,
        known: Collection[bytes],
        loopback: Callable[[], bool],
        failed: Callable[[Exception], object] = raise_again,
    ) -> None:
        self._failed = failed
        self._zeroconf, self._nursery, self._prober, self._loopback = (
            zeroconf,
            nursery,
            prober,
            loopback,
        )
        self._sought_since = float("-inf")
        self._known, self._sought = frozenset(known), frozenset[bytes]()
        self.crowd = Crowd(lambda player: player in self._known or player in self._sought)
        self._names = NameQueue(lambda who: who == self._own or self.crowd.matters(who))
        self._something = Bell(trio.lowlevel.current_trio_token())
        self._resolving: dict[bytes, bool] = {}
        """The players with a query under way, and whether more hints came since."""
        self._probing: dict[bytes, Sighting] = {}
        """The players being probed, with the newest claim about each."""
        self._limit = trio.CapacityLimiter(RESOLVING)
        self._listeners: list[trio.MemorySendChannel[Sighting | TableGone]] = []
        self._seekers: list[trio.MemorySendChannel[Sighting | TableGone]] = []
        self._tables: set[bytes] = set()
        """The players whose tables were reported to the listeners."""
        self._own: bytes | None = None
        self._heard_own: Callable[[Sighting | None], None] = lambda _sighting: None
        self._again: set[bytes] = set()
        """Players that were heard of while they were probed."""
        self._heard: dict[bytes, Counter[int]] = {}
        """How often each port was claimed for a player, if claims differ."""
        self._host_turns = Turns(ASK_BURST, ASK_RATE)
        self._contested_at = float("-inf")

    def receive_hint(self, player: bytes) -> None:
        """Resolve this player's service soon.

        May be called in any thread; it neither waits nor raises.
        """
        if self._names.put(player):
            self._something.ring()

    def leave_out(self, own: bytes, heard: Callable[[Sighting | None], None]) -> None:
        """Do not show our own table. `heard` takes what the network says of it, or None."""
        self._own, self._heard_own = own, heard
        self.crowd.remove(own)

    def seen(self) -> dict[bytes, Sighting]:
        """Return the tables to be seen now, by id, without our own."""
        return {
            player: sighting
            for player, sighting in self.crowd.shown.items()
            if sighting.state != SEAT
        }

    def seek(self, players: Collection[bytes]) -> None:
        """Ask for these players from now on, often at first; with none, stop asking."""
        self._sought, self._sought_since = frozenset(players), trio.current_time()

    async def look_anew(self) -> None:
        """On a new network, ask at once, and often again for sought players."""
        self._sought_since = trio.current_time()
        await self._broadcast()

    def crowded(self) -> bool:
        """Whether strangers must prove their keys, as too many tables are announced."""
        return self.crowd.crowded(trio.current_time())

    def sightings(self, *, seats: bool = False) -> trio.MemoryReceiveChannel[Sighting | TableGone]:
        """Return a channel with all tables seen by now, then every change.

        With `seats` it also has players who lost others of their match. A reader that falls far
        behind misses some; `seen` has all tables.
        """
        tell, listener = trio.open_memory_channel[Sighting | TableGone](CHANGES)
        for sighting in (self.crowd.shown if seats else self.seen()).values():
            tell.send_nowait(sighting)
        (self._seekers if seats else self._listeners).append(tell)
        return listener

    async def run(self) -> None:
        """Search until cancelled."""
        self._nursery.start_soon(self._repeat)  # this reads nothing from the network
        while True:
            await self._something.wait()
            while len(self._names):
                with containing(self._failed):
                    await self._work()
                await trio.sleep(TICK)

    async def _work(self) -> None:
        """Resolve all players that matter, and as many others as the limits allow."""
        crowded = self.crowd.crowded(trio.current_time())
        urgent, others = self._names.take(
            min(BATCH, PROBES - len(self._probing)) if crowded else BATCH
        )
        for player in urgent:
            self._resolve_soon(player)
        if not others:
            return
        found = await self._look_up(others)
        for player, sighting in zip(others, found or [None] * len(others), strict=True):
            if sighting is not None:
                self.take(sighting)
            elif len(self._resolving) < INCOMPLETE:
                self._resolve_soon(player)

    def _resolve_soon(self, player: bytes) -> None:
        if player in self._resolving:
            self._resolving[player] = True
        else:
            self._resolving[player] = False
            self._nursery.start_soon(self._contained, self._resolve, player)

    async def _resolve(self, player: bytes) -> None:
        """Ask the network for a player's service."""
        try:
            async with self._limit:
                self._resolving[player] = False
                found = await self._look_up([player], RESOLVE)
            if found == [None] and player == self._own:
                self._heard_own(None)
        finally:
            more_hints = self._resolving.pop(player)
        if found is not None and found[0] is not None:
            self.take(found[0])
        elif found is not None and self.crowd.remove(player):
            self._announce(TableGone(player))
        if more_hints:
            self.receive_hint(player)

    def take(self, sighting: Sighting) -> None:
        """Show an advert, or have it proven first; if it is contested, ask its host."""
        if sighting.id == self._own:
            self._heard_own(sighting)
            return
        if sighting.id in self._probing:
            self._probing[sighting.id] = sighting
        before = self.crowd.shown.get(sighting.id)
        if before is not None and not before.proven:
            # Others may have added addresses, which would displace the true ones.
            moved = not set(sighting.addresses) <= set(before.addresses)
            sighting = replace(sighting, contested=sighting.contested or moved)
        if before is not None and (
            sighting.facts != before.facts or (sighting.contested and not before.proven)
        ):
            # Anybody can contradict an advert; the host decides.
            self.crowd.show(sighting.with_facts_of(before), trio.current_time())
            if self.crowd.shown[sighting.id] != before:
                self._announce(self.crowd.shown[sighting.id])
            self._contested_at = trio.current_time()
            self._probe(replace(sighting, contested=True))
            return
        if not self.crowd.show(sighting, trio.current_time()):
            # Unproven tables that are shown are probed first.
            for claim in (*self.crowd.claims(), sighting):
                self._probe(replace(claim, contested=False))
            return
        now = self.crowd.shown[sighting.id]
        if now != before:
            self._announce(now)
        if sighting.contested and not now.proven:
            self._probe(sighting)
            self._contested_at = trio.current_time()
        elif sighting.id in self._known and not now.proven:
            self._probe(replace(now, contested=False))

    def _probe(self, sighting: Sighting) -> None:
        now = trio.current_time()
        if sighting.id in self._probing:
            if sighting.contested:
                self._again.add(sighting.id)
            return
        shown = self.crowd.shown.get(sighting.id)
        if not sighting.contested:
            worth = self.crowd.wants_proof(sighting, now)
        else:  # only a host with a proven address is asked within a limit
            found = shown is not None and shown.proven
            worth = not found or self._host_turns.take(instance(sighting.id), now)
        if worth and sighting.id not in self._probing and len(self._probing) < PROBES:
            self._probing[sighting.id] = sighting
            self._nursery.start_soon(self._contained, self._examine, sighting)

    async def _contained(self, work: Callable[[T], Awaitable[None]], argument: T) -> None:
        with containing(self._failed):
            await work(argument)

    async def _examine(self, sighting: Sighting) -> None:
        try:
            await (self._ask_host if sighting.contested else self._prove)(sighting)
        finally:
            del self._probing[sighting.id]
            if sighting.id in self._again:
                self._again.discard(sighting.id)
                self.receive_hint(sighting.id)

    async def _prove(self, sighting: Sighting) -> None:
        address, silent, tried = await self._prober.prove(sighting.id, sighting.addresses)
        if not tried:
            return  # claims of others used up the limit for its machine; it will be heard of again
        if address is None:
            if self.crowd.note_failure(sighting, trio.current_time(), silent=silent):
                self._announce(TableGone(sighting.id))
            return
        self._show_proven(sighting, address)

    async def _ask_host(self, sighting: Sighting) -> None:
        """Show a contested table as its host describes it.

        If no host answers and none ever proved this key, show the newest readable claim.
        """
        before = self.crowd.shown.get(sighting.id, sighting)
        known = before.addresses if before.proven else ()
        addresses = tuple(dict.fromkeys((*known[:1], *sighting.addresses, *before.addresses)))
        address, value, version = await self._prober.ask(sighting.id, addresses)
        sighting = self._probing[sighting.id]
        before = self.crowd.shown.get(sighting.id, sighting)
        if address is None:
            if not before.proven and before.facts != sighting.facts:
                self.crowd.show(sighting, trio.current_time())
                self._announce(self.crowd.shown.get(sighting.id, sighting))
        elif version is not None:
            self._show_proven(replace(before, protocol=version), address)
        else:
            with suppress(Malformed):  # the owner of the key, but no answer about a table
                before = told_by_host(before, value)
            self._show_proven(before, address)

    def _show_proven(self, sighting: Sighting, address: Address) -> None:
        """Show a table whose host proved its key at this address."""
        gone = self.crowd.note_proof(replace(sighting, contested=False), address)
        if sighting.id not in gone:
            self._announce(self.crowd.shown[sighting.id])
        for player in gone:
            self._announce(TableGone(player))

    async def _look_up(self, players: list[bytes], wait: int = 0) -> list[Sighting | None] | None:
        """Look services up in the cache, else on the network for `wait` ms.

        Return None for each player without news. Return None alone if we could not look: then
        nothing is known of anybody.
        """
        from zeroconf import NotRunningException  # noqa: PLC0415 -- loaded already

        found = None
        hung_or_closed = suppress(CancelledError, NotRunningException)
        with tried_again(self._failed), obstacles(), hung_or_closed:
            found = await read(self._zeroconf, players, wait)
        if found is None:
            return None
        return [
            service and self.sighting_in(player, service)
            for player, service in zip(players, found, strict=True)
        ]

    def sighting_in(self, player: bytes, service: Service) -> Sighting | None:
        """Return what a service says of a player's table, or None if nothing can be read."""
        hosts = worth_dialling(service.hosts, loopback=self._loopback(), most=TRIED)
        found: list[Sighting] = []
        for text in service.texts:
            with suppress(Malformed):
                found.append(sighting_of(player, text, service.port, tuple(hosts)))
        shown = self.crowd.shown.get(player)
        if found:
            unreadable = len(found) < len(service.texts)
            sighting = replace(
                found[0], contested=unreadable or len({one.facts for one in found}) > 1
            )
        elif shown is not None and hosts:
            # Somebody hides it behind an unreadable text.
            addresses = tuple((host, service.port) for host in hosts)
            sighting = replace(shown, addresses=addresses, contested=True)
        else:
            return None
        if len(service.ports) > 1 or len(hosts) > MOST_ANNOUNCED:
            # Somebody forges records in another's name. The ports heard most often are tried first,
            # each once; chance orders the others, so that the true one gets its turn.
            heard = self._heard.setdefault(player, Counter())
            heard.update(service.ports)
            every = [(host, port) for host in hosts for port in service.ports]
            random.shuffle(every)
            pairs = self._prober.untried(player, every) or every
            pairs.sort(key=lambda pair: -heard[pair[1]])
            sighting = replace(sighting, addresses=tuple(pairs[:TRIED]), contested=True)
            if len(heard) > WAITING or len(self._heard) > WAITING:
                self._heard.clear()
        return sighting if sighting.addresses else None

    def _announce(self, news: Sighting | TableGone) -> None:
        _send_to(self._seekers, news)
        if isinstance(news, Sighting) and news.state != SEAT:
            self._tables.add(news.id)
            _send_to(self._listeners, news)
        elif news.id in self._tables:
            self._tables.discard(news.id)
            _send_to(self._listeners, TableGone(news.id))

    async def _repeat(self) -> None:
        """Resolve again all that is shown, and ask the network for tables.

        It asks more often while records are forged.
        """
        for pause in FIRST:
            await trio.sleep(pause)
            await self._broadcast()
        asked = looked = trio.current_time()
        while True:
            await trio.sleep(min(PRESSING, AGAIN))
            now = trio.current_time()
            crowded = self.crowd.crowded(now)
            sought = bool(self._sought) and now < self._sought_since + HASTE
            pressing = crowded or sought or self._names.full or now < self._contested_at + AGAIN
            if now >= looked + AGAIN:
                looked = now
                for player in list(self.crowd.shown):
                    self._resolve_soon(player)
                for player in remembered(self._zeroconf, WAITING // 4) if crowded else ():
                    self._names.put(player)
                self._something.ring()
            if now >= asked + (PRESSING if pressing else AGAIN if self._sought else EVERY):
                asked = now
                await self._broadcast()

    async def _broadcast(self) -> None:
        with tried_again(self._failed):
            await in_thread(partial(ask, self._zeroconf))


def _send_to(
    listeners: list[trio.MemorySendChannel[Sighting | TableGone]], news: Sighting | TableGone
) -> None:
    for listener in list(listeners):
        try:
            listener.send_nowait(news)
        except trio.WouldBlock:
            continue  # a reader that is behind; `seen` has all tables
        except trio.BrokenResourceError:
            listeners.remove(listener)
