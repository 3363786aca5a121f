"""Discovery on the LAN: zeroconf in its thread, our advert, and the search for other tables."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import trio

from p2p.net.addresses import LOOPBACK, is_loopback, is_own, own_addresses, own_networks
from p2p.net.browse import listen
from p2p.net.errors import NoDiscovery
from p2p.net.mdns import in_thread, require_files, require_zeroconf, tried_again
from p2p.net.probe import Prober, open_prober
from p2p.net.rate import Turns
from p2p.net.search import Search
from p2p.net.sighting import (
    SERVICE,
    Advert,
    Sighting,
    TableGone,
    as_read,
    instance,
    txt_of,
)
from p2p.net.tasks import background, raise_again

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

HOST_TTL = 20

LATE = 1.5
"""Seconds until zeroconf has sent the answers that it delays; they describe an earlier state."""

CORRECTED_BURST, CORRECTED_RATE = 4, 0.2
"""Limit on repeating our advert when others announce something else in our name: a burst, and a
rate a second."""

LOOK = 1.0
"""Seconds between two checks of this machine's addresses."""


@asynccontextmanager
async def open_discovery(
    interface: str | None = None,
    known: Collection[bytes] = (),
    failed: Callable[[Exception], object] = raise_again,
) -> AsyncIterator[Discovery]:
    """Browse until the body ends, then withdraw our advert. Raises NoDiscovery.

    `interface` is the one address to use. `known` are ids of players whose tables are shown even in
    a crowd. `failed` takes each unexpected error with an announcement; the search goes on.
    """
    require_zeroconf()
    from zeroconf import Zeroconf  # noqa: PLC0415 -- loaded already

    require_files()
    # Without use_asyncio=False it would attach to a host loop (trio as a guest), and block it.
    zeroconf = await in_thread(
        lambda: Zeroconf(interfaces_for(interface), use_asyncio=False), abandon=False
    )
    try:
        async with open_prober() as prober, background() as nursery:
            discovery = Discovery(zeroconf, interface, nursery, prober, known, failed)
            nursery.start_soon(discovery.watch)
            yield discovery
    finally:
        with trio.CancelScope(shield=True), trio.move_on_after(3):
            # This says goodbye for our advert.
            await trio.to_thread.run_sync(zeroconf.close, abandon_on_cancel=True)


class Discovery:
    """The tables seen on the LAN, and our own advert; made by `open_discovery`."""

    def __init__(
        self,
        zeroconf: Zeroconf,
        interface: str | None,
        nursery: trio.Nursery,
        prober: Prober,
        known: Collection[bytes],
        failed: Callable[[Exception], object],
    ) -> None:
        self.zeroconf = zeroconf
        self._failed = failed
        self._interface = interface
        self._nursery = nursery
        self._search = Search(
            zeroconf, nursery, prober, known, lambda: any(map(is_loopback, self._hosts())), failed
        )
        self.advert: Advert | None = None
        self._service: ServiceInfo | None = None
        self._one_at_a_time = trio.Lock()
        self._turns = Turns(CORRECTED_BURST, CORRECTED_RATE)
        listen(zeroconf, self._search.receive_hint)

    async def advertise(self, advert: Advert) -> None:
        """Announce our table, or its changed state.

        Others see it within milliseconds; the first call takes half a second. Raises NoDiscovery,
        or ValueError.
        """
        async with self._one_at_a_time:
            service = self._service_of(advert)
            self.advert = advert
            self._search.leave_out(advert.id, self._hear_own)
            if self._service is None:
                # Nobody else can have this id as a name, so probing is skipped: it takes a second.
                await in_thread(
                    lambda: self.zeroconf.register_service(service, cooperating_responders=True)
                )
            else:
                await in_thread(lambda: self.zeroconf.update_service(service))
            self._service = service
            self._nursery.start_soon(self._advertise_again, service)

    async def withdraw(self) -> None:
        """Say goodbye for our advert, if there is one."""
        async with self._one_at_a_time:
            service, self._service, self.advert = self._service, None, None
            if service is not None:
                await in_thread(lambda: self.zeroconf.unregister_service(service))
                self._nursery.start_soon(self._advertise_again, service)

    def seen(self) -> dict[bytes, Sighting]:
        """Return the tables to be seen now, by id, without our own."""
        return self._search.seen()

    def crowded(self) -> bool:
        """Whether strangers must prove their keys, as too many tables are announced."""
        return self._search.crowded()

    def sightings(self, *, seats: bool = False) -> trio.MemoryReceiveChannel[Sighting | TableGone]:
        """Return a channel with all tables seen by now, then every change.

        With `seats` it also has players who lost others of their match (`seat_advert`). A reader
        that falls far behind misses some; `seen` has all tables.
        """
        return self._search.sightings(seats=seats)

    def seek(self, players: Collection[bytes]) -> None:
        """Ask for these players from now on, often at first; with none, stop asking."""
        self._search.seek(players)

    async def watch(self) -> None:
        """Search, and follow our own addresses; `open_discovery` runs this."""
        self._nursery.start_soon(self._search.run)
        if self._interface is None:
            await self._follow_interfaces()

    async def _follow_interfaces(self) -> None:
        """On a new network, browse it and announce our new addresses."""
        before = own_addresses(link_local=True)
        while True:
            await trio.sleep(LOOK)
            now = own_addresses(link_local=True)
            if now == before:
                continue
            with tried_again(self._failed):
                # Not abandoned: it opens sockets, which nobody would close if zeroconf closed
                # meanwhile.
                await in_thread(
                    lambda: self.zeroconf.update_interfaces(interfaces_for(None)), abandon=False
                )
                if self.advert is not None:
                    await self.advertise(self.advert)
                await self._search.look_anew()
                before = now

    def _hear_own(self, heard: Sighting | None) -> None:
        """Repeat our advert, within limits, if the network says otherwise."""
        if self._service is None or self.advert is None:
            return
        advert, ours = self.advert, {host.split("%")[0] for host in self._hosts()}
        same = (
            heard is not None
            and not heard.contested
            and heard.facts == as_read(advert).facts
            and {(host.split("%")[0], port) for host, port in heard.addresses}
            <= {(host, advert.port) for host in ours}
        )
        if not same and self._turns.take("", trio.current_time()):
            self._nursery.start_soon(self._broadcast, self._service)

    async def _broadcast(self, service: ServiceInfo, ttl: int | None = None) -> None:
        with tried_again(self._failed):
            packet = self.zeroconf.generate_service_broadcast(service, ttl)
            await in_thread(lambda: self.zeroconf.send(packet))

    async def _advertise_again(self, service: ServiceInfo) -> None:
        """Contradict late answers about our table: repeat the advert, or the goodbye."""
        await trio.sleep(LATE)
        withdrawn = self._service is None
        if withdrawn or self._service is service:
            await self._broadcast(service, 0 if withdrawn else None)

    def _service_of(self, advert: Advert) -> ServiceInfo:
        from zeroconf import ServiceInfo  # noqa: PLC0415 -- loaded already

        name = instance(advert.id)
        return ServiceInfo(
            SERVICE,
            f"{name}.{SERVICE}",
            port=advert.port,
            properties=txt_of(advert),
            server=f"{name}.local.",
            parsed_addresses=[host.split("%")[0] for host in self._hosts()],
            host_ttl=HOST_TTL,
        )

    def _hosts(self) -> list[str]:
        if self._interface is not None:
            return [self._interface]
        return own_addresses(link_local=True) or [LOOPBACK]


def interfaces_for(interface: str | None) -> list[str | int]:
    """Return the interfaces for zeroconf: IPv4 addresses, and indexes for IPv6.

    Raises NoDiscovery.
    """
    if interface is None:
        each = (
            (str(own.interface.ip) if own.interface.version == 4 else own.number)
            for own in own_networks()
        )
        # Without a network, programs on this machine still find each other.
        chosen: list[str | int] = list(dict.fromkeys(each)) or [LOOPBACK]
    else:
        chosen = [interface]
    if not all(is_own(host) for host in chosen if isinstance(host, str)):
        raise NoDiscovery("no network")
    return chosen
