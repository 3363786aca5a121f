"""The tables announced on the LAN: zeroconf's hints, examined and, if necessary, proven.

They are examined within bounds.

Law: the names that zeroconf receives are hints that something changed, never news: reported tables
come from resolving, again every ten seconds, because a peer that was killed never says goodbye and
a goodbye can be forged.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import trio

from p2p.net.addresses import worth_dialling
from p2p.net.browse import WAITING, NameQueue, Service, ask, read, remembered
from p2p.net.crowd import Crowd
from p2p.net.errors import NoDiscovery
from p2p.net.mdns import in_thread
from p2p.net.probe import TRIED, Prober
from p2p.net.sighting import SEAT, Sighting, TableGone, sighting_of
from p2p.wire import Malformed

if TYPE_CHECKING:
    from zeroconf import Zeroconf

AGAIN = 10.0
"""Seconds until everything shown is resolved again."""
FIRST = (0.05, 1.0, 2.0)
"""Seconds before each of the first questions to the network."""
EVERY, PRESSING = 60.0, 1.0
"""Seconds between two later questions; and where records are forged, more names are heard of than
can wait, or we seek somebody.

Chance decides which of them are looked at, so a true answer must have its chance often.
"""

HASTE = 30.0
"""Seconds in which somebody who is sought is asked for so often; later as often as shown tables are
checked again."""

CHANGES = 1024
"""Changes that a reader may be behind; at the beginning, all that is shown: some strangers, and all
whom we know."""

RESOLVE = 1500
"""Milliseconds to wait for an answer about one service."""
RESOLVING = 8
"""Services that are resolved at a time."""

TICK, BATCH = 0.1, 32
"""So often so many names of strangers are looked at: the cost of a flood is bounded by this."""
ASKING = 16
"""Of strangers so many are asked for at a time whose adverts are not whole."""
PROBES = 32
"""Strangers that are asked for a proof at a time."""


class Bell:
    """Wakes a task of trio from any thread."""

    def __init__(self, token: trio.lowlevel.TrioToken) -> None:
        self._token = token
        self._rung = trio.Event()

    def ring(self) -> None:
        """Wake who waits, or who will wait next."""
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._ring)

    def _ring(self) -> None:
        self._rung.set()

    async def wait(self) -> None:
        """Wait until it rings."""
        await self._rung.wait()
        self._rung = trio.Event()


class Search:
    """The visible tables.

    `known` players are shown even in a crowd; `loopback` tells whether this machine counts.
    """

    def __init__(
        self,
        zeroconf: Zeroconf,
        nursery: trio.Nursery,
        prober: Prober,
        known: Collection[bytes],
        loopback: Callable[[], bool],
    ) -> None:
        self._zeroconf, self._nursery, self._prober, self._loopback = (
            zeroconf,
            nursery,
            prober,
            loopback,
        )
        self._sought_since = float("-inf")
        self._known, self._sought = frozenset(known), frozenset[bytes]()
        self._crowd = Crowd(lambda player: player in self._known or player in self._sought)
        self._names = NameQueue(self._crowd.matters)
        self._something = Bell(trio.lowlevel.current_trio_token())
        self._asking: dict[bytes, bool] = {}
        """The players for whom a query is under way, and whether more hints came for them since."""
        self._probing: set[bytes] = set()
        self._limit = trio.CapacityLimiter(RESOLVING)
        self._listeners: list[trio.MemorySendChannel[Sighting | TableGone]] = []
        self._seekers: list[trio.MemorySendChannel[Sighting | TableGone]] = []
        self._tables: set[bytes] = set()
        """The players whose tables the listeners have been told of."""
        self._own: bytes | None = None
        self._contested_at = float("-inf")

    def receive_hint(self, player: bytes) -> None:
        """Look at this player's service soon.

        May be called in any thread; it neither waits nor raises.
        """
        if self._names.put(player):
            self._something.ring()

    def leave_out(self, own: bytes) -> None:
        """Do not show our own table."""
        self._own = own
        self._crowd.gone(own)

    def seen(self) -> dict[bytes, Sighting]:
        """Return what is to be seen now, by id, ourselves left out."""
        return {
            player: sighting
            for player, sighting in self._crowd.shown.items()
            if sighting.state != SEAT
        }

    def seek(self, players: Collection[bytes]) -> None:
        """From now on ask for these players: often at first, then less so.

        For none any more if there are none.
        """
        self._sought, self._sought_since = frozenset(players), trio.current_time()

    async def look_anew(self) -> None:
        """We have come to another network: ask at once, and often again for the players we seek."""
        self._sought_since = trio.current_time()
        await self._ask_all()

    def crowded(self) -> bool:
        """Tell whether so many tables are announced that strangers must prove their keys."""
        return self._crowd.crowded(trio.current_time())

    def sightings(self, *, seats: bool = False) -> trio.MemoryReceiveChannel[Sighting | TableGone]:
        """Return a channel of the tables to be seen: every one seen by now, then every change.

        `async for` works on it.

        With `seats` also of players who have lost others of their match. A reader who falls so far
        behind misses some; `seen` has all tables.
        """
        tell, listener = trio.open_memory_channel[Sighting | TableGone](CHANGES)
        for sighting in (self._crowd.shown if seats else self.seen()).values():
            tell.send_nowait(sighting)
        (self._seekers if seats else self._listeners).append(tell)
        return listener

    async def run(self) -> None:
        """Search until cancelled."""
        self._nursery.start_soon(self._ask_again)
        while True:
            await self._something.wait()
            while len(self._names):
                await self._work()
                await trio.sleep(TICK)

    async def _work(self) -> None:
        """Look at all players heard of that matter, and at as many others as possible now."""
        crowded = self._crowd.crowded(trio.current_time())
        urgent, others = self._names.take(
            min(BATCH, PROBES - len(self._probing)) if crowded else BATCH
        )
        for player in urgent:
            self._ask(player)
        if not others:
            return
        for player, sighting in zip(others, await self._look_up(others), strict=True):
            if sighting is not None:
                self._take(sighting)
            elif len(self._asking) < ASKING:
                self._ask(player)

    def _ask(self, player: bytes) -> None:
        if player in self._asking:
            self._asking[player] = True
        else:
            self._asking[player] = False
            self._nursery.start_soon(self._resolve, player)

    async def _resolve(self, player: bytes) -> None:
        """Learn what the network says of a player's service now."""
        try:
            async with self._limit:
                self._asking[player] = False
                (sighting,) = await self._look_up([player], RESOLVE)
        finally:
            more_hints = self._asking.pop(player)
        if sighting is not None:
            self._take(sighting)
        elif self._crowd.gone(player):
            self._announce(TableGone(player))
        if more_hints:
            self.receive_hint(player)

    def _take(self, sighting: Sighting) -> None:
        """Show an advert, or have it proven first."""
        if sighting.id == self._own:
            return
        before = self._crowd.shown.get(sighting.id)
        if not self._crowd.welcomes(sighting, trio.current_time()):
            # Shown tables are asked first; and no stranger is asked again and again.
            for claim in (*self._crowd.claims(), sighting):
                self._probe(replace(claim, contested=False))
            return
        now = self._crowd.shown[sighting.id]
        if now != before:
            self._announce(now)
        if sighting.contested and not now.proven:
            self._probe(sighting)
            self._contested_at = trio.current_time()

    def _probe(self, sighting: Sighting) -> None:
        worth = sighting.contested or self._crowd.wants_proof(sighting, trio.current_time())
        if worth and sighting.id not in self._probing and len(self._probing) < PROBES:
            self._probing.add(sighting.id)
            self._nursery.start_soon(self._proven, sighting)

    async def _proven(self, sighting: Sighting) -> None:
        try:
            address, silent = await self._prober.prove(sighting.id, sighting.addresses)
        finally:
            self._probing.discard(sighting.id)
        if address is None:
            if not sighting.contested and self._crowd.failed(
                sighting, trio.current_time(), silent=silent
            ):
                self._announce(TableGone(sighting.id))
            return
        gone = self._crowd.proven(sighting, address)
        if sighting.id not in gone:
            self._announce(self._crowd.shown[sighting.id])
        for player in gone:
            self._announce(TableGone(player))

    async def _look_up(self, players: list[bytes], wait: int = 0) -> list[Sighting | None]:
        """Look services up in the cache, or else on the network; None if there is no news.

        The network has `wait` milliseconds.
        """
        from zeroconf import Error  # noqa: PLC0415 -- loaded already

        try:
            found = await read(self._zeroconf, players, wait)
        except (CancelledError, Error, OSError, RuntimeError):
            # zeroconf is closed, or stands still
            return [None] * len(players)
        return [
            service and self._sighting(player, service)
            for player, service in zip(players, found, strict=True)
        ]

    def _sighting(self, player: bytes, service: Service) -> Sighting | None:
        hosts = worth_dialling(service.hosts, loopback=self._loopback())
        try:
            sighting = sighting_of(player, service.text, service.port, tuple(hosts))
        except Malformed:
            return None
        if len(service.ports) > 1:
            # Somebody forges records in another's name. Chance decides which are tried: the true
            # one has its turn.
            pairs = [(host, port) for host in hosts for port in service.ports]
            sighting = replace(
                sighting,
                addresses=tuple(random.sample(pairs, min(len(pairs), TRIED))),
                contested=True,
            )
        return sighting if sighting.addresses else None

    def _announce(self, news: Sighting | TableGone) -> None:
        _send_to(self._seekers, news)
        if isinstance(news, Sighting) and news.state != SEAT:
            self._tables.add(news.id)
            _send_to(self._listeners, news)
        elif news.id in self._tables:
            self._tables.discard(news.id)
            _send_to(self._listeners, TableGone(news.id))

    async def _ask_again(self) -> None:
        """Look again at all that is shown, and ask the network who is there.

        The more is forged, the oftener it asks.
        """
        for pause in FIRST:
            await trio.sleep(pause)
            await self._ask_all()
        asked = looked = trio.current_time()
        while True:
            await trio.sleep(min(PRESSING, AGAIN))
            now = trio.current_time()
            crowded = self._crowd.crowded(now)
            sought = bool(self._sought) and now < self._sought_since + HASTE
            pressing = crowded or sought or self._names.full or now < self._contested_at + AGAIN
            if now >= looked + AGAIN:
                looked = now
                for player in list(self._crowd.shown):
                    self._ask(player)
                for player in remembered(self._zeroconf, WAITING // 4) if crowded else ():
                    self._names.put(player)
                self._something.ring()
            if now >= asked + (PRESSING if pressing else AGAIN if self._sought else EVERY):
                asked = now
                await self._ask_all()

    async def _ask_all(self) -> None:
        with suppress(NoDiscovery):  # between two networks; it is asked again
            await in_thread(partial(ask, self._zeroconf))


def _send_to(
    listeners: list[trio.MemorySendChannel[Sighting | TableGone]], news: Sighting | TableGone
) -> None:
    for listener in list(listeners):
        try:
            listener.send_nowait(news)
        except trio.WouldBlock:
            continue  # a reader that sleeps; `seen` has it
        except trio.BrokenResourceError:
            listeners.remove(listener)
