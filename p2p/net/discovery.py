"""Finding tables on the LAN: zeroconf in its own thread, as trio channels of sightings.

Law: zeroconf's events are hints that something changed, never news: what is told comes from resolving, again every ten
seconds, because a peer that was killed never says goodbye and a goodbye can be forged.
"""

from __future__ import annotations

import errno
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import trio

from p2p.net.addresses import LOOPBACK, is_loopback, is_own, own_addresses, own_networks, worth_dialling
from p2p.net.errors import Malformed, NoDiscovery
from p2p.net.listen import number_of
from p2p.net.sighting import SERVICE, Advert, Gone, Sighting, instance, player_of, sighting_of, txt_of
from p2p.net.tasks import background

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

T = TypeVar("T")

MOST = 64
"""Tables known at a time; a LAN with more of them is an attack."""

AGAIN = 10.0
"""Seconds until everything known is resolved again."""

HOST_TTL = 20
RESOLVE = 1500
"""Milliseconds to wait for an answer about one service."""

LOOK = 5.0
"""Seconds between two looks at this machine's own addresses."""

REASONS = {
    "no network": "this machine is on no network",
    "port": "another program keeps port 5353 for itself",
    "forbidden": "the system does not allow it",
    "failed": "zeroconf does not work here",
}


@asynccontextmanager
async def open_discovery(interface: str | None = None) -> AsyncIterator[Discovery]:
    """Browse until the body ends; our advert is then withdrawn. `interface`: use only the one with this address. NoDiscovery."""
    from zeroconf import ServiceBrowser, Zeroconf  # noqa: PLC0415 -- 70 ms that only this needs

    def start(news: Callable[[str], None]) -> Zeroconf:
        # use_asyncio=False: under a host loop (trio as a guest) it would attach itself to that loop and block it.
        zeroconf = Zeroconf(interfaces_for(interface), use_asyncio=False)
        try:
            ServiceBrowser(zeroconf, SERVICE, handlers=[lambda name, **_: news(name)])
        except BaseException:
            zeroconf.close()
            raise
        return zeroconf

    tell, heard = trio.open_memory_channel[str](256)  # bounded: a flooding neighbour cannot fill memory
    token = trio.lowlevel.current_trio_token()

    def deliver(name: str) -> None:
        # When it is full the name comes up again: zeroconf repeats itself, and so do living services.
        with suppress(trio.WouldBlock, trio.BrokenResourceError, trio.ClosedResourceError):
            tell.send_nowait(name)

    def news(name: str) -> None:  # called in zeroconf's thread: must neither wait nor raise
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(deliver, name)

    zeroconf = await in_thread(partial(start, news), abandon=False)
    try:
        async with background() as nursery:
            discovery = Discovery(zeroconf, interface, nursery)
            nursery.start_soon(discovery.watch, heard)
            yield discovery
    finally:
        with trio.CancelScope(shield=True), trio.move_on_after(3):
            await trio.to_thread.run_sync(zeroconf.close, abandon_on_cancel=True)  # says goodbye for our advert
        tell.close()
        heard.close()


class Discovery:
    """Tables seen on the LAN, and our own advert; made by `open_discovery`."""

    def __init__(self, zeroconf: Zeroconf, interface: str | None, nursery: trio.Nursery) -> None:
        self._zeroconf = zeroconf
        self._interface = interface
        self._nursery = nursery
        self._seen: dict[bytes, Sighting] = {}
        self._asking: set[str] = set()
        self._limit = trio.CapacityLimiter(8)
        self._listeners: list[trio.MemorySendChannel[Sighting | Gone]] = []
        self._advert: Advert | None = None
        self._service: ServiceInfo | None = None
        self._one_at_a_time = trio.Lock()

    async def advertise(self, advert: Advert) -> None:
        """Tell the LAN of our table; others see it within milliseconds, the call takes half a second. NoDiscovery, ValueError."""
        await self._publish(advert)

    async def update(self, advert: Advert) -> None:
        """Tell the LAN what has changed (or what is new, if nothing was advertised)."""
        await self._publish(advert)

    async def withdraw(self) -> None:
        """Say goodbye; nothing if nothing is advertised."""
        async with self._one_at_a_time:
            service, self._service, self._advert = self._service, None, None
            if service is not None:
                await in_thread(lambda: self._zeroconf.unregister_service(service))

    def seen(self) -> dict[bytes, Sighting]:
        """Return what is to be seen now, by id, ourselves left out."""
        return dict(self._seen)

    def sightings(self) -> trio.MemoryReceiveChannel[Sighting | Gone]:
        """Return a channel of what is to be seen: everything seen by now, then every change. `async for` works on it.

        A reader who falls 256 changes behind misses some; `seen` has them all.
        """
        tell, listener = trio.open_memory_channel[Sighting | Gone](256)
        for sighting in self._seen.values():
            tell.send_nowait(sighting)
        self._listeners.append(tell)
        return listener

    async def watch(self, heard: trio.MemoryReceiveChannel[str]) -> None:
        """Resolve what zeroconf has heard of, and all that is known every ten seconds; `open_discovery` runs it."""
        self._nursery.start_soon(self._ask_again)
        if self._interface is None:
            self._nursery.start_soon(self._follow_interfaces)
        async for name in heard:
            self._ask(name)

    # Inside.

    def _ask(self, name: str) -> None:
        try:
            player = player_of(name)
        except Malformed:
            return  # not one of us
        own = self._advert is not None and self._advert.id == player
        if own or name in self._asking or (player not in self._seen and len(self._seen) + len(self._asking) >= MOST):
            return
        self._asking.add(name)
        self._nursery.start_soon(self._resolve, name, player)

    async def _resolve(self, name: str, player: bytes) -> None:
        try:
            async with self._limit:
                sighting = await trio.to_thread.run_sync(self._look_up, name, player, abandon_on_cancel=True)
        finally:
            self._asking.discard(name)
        before = self._seen.get(player)
        if sighting == before:
            return
        if sighting is not None:
            self._seen[player] = sighting
            self._announce(sighting)
        else:
            del self._seen[player]
            self._announce(Gone(player))

    def _look_up(self, name: str, player: bytes) -> Sighting | None:
        """Ask the network (or the cache, within its 20 s) what a service says; None if nothing that is worth telling."""
        from zeroconf import Error  # noqa: PLC0415 -- loaded already

        try:
            service = self._zeroconf.get_service_info(SERVICE, name, timeout=RESOLVE)
            if service is None:
                return None
            hosts = worth_dialling(service.parsed_scoped_addresses(), loopback=any(map(is_loopback, self._hosts())))
            sighting = sighting_of(player, service.properties, service.port, tuple(hosts))
        except (Error, Malformed, OSError, TimeoutError):
            return None
        return sighting if sighting.addresses else None

    def _announce(self, news: Sighting | Gone) -> None:
        for listener in list(self._listeners):
            try:
                listener.send_nowait(news)
            except trio.WouldBlock:
                continue  # a reader that sleeps; `seen` has it
            except trio.BrokenResourceError:
                self._listeners.remove(listener)

    async def _ask_again(self) -> None:
        while True:
            await trio.sleep(AGAIN)
            for player in list(self._seen):
                self._ask(f"{instance(player)}.{SERVICE}")

    async def _follow_interfaces(self) -> None:
        """When this machine has come to another network, browse there and tell our new addresses."""
        before = own_addresses(link_local=True)
        while True:
            await trio.sleep(LOOK)
            now = own_addresses(link_local=True)
            if now == before:
                continue
            before = now
            with suppress(NoDiscovery):  # between two networks; the next change is looked at again
                await in_thread(lambda: self._zeroconf.update_interfaces(interfaces_for(None)))
                if self._advert is not None:
                    await self._publish(self._advert)

    async def _publish(self, advert: Advert) -> None:
        async with self._one_at_a_time:
            service = self._service_of(advert)
            self._advert = advert
            self._seen.pop(advert.id, None)
            if self._service is None:
                # The name is an id that is ours alone, so there is nobody to probe for: a second less.
                await in_thread(lambda: self._zeroconf.register_service(service, cooperating_responders=True))
            else:
                await in_thread(lambda: self._zeroconf.update_service(service))
            self._service = service

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
    """Return where to send and listen, as zeroconf takes it: IPv4 addresses, and indexes for IPv6. NoDiscovery."""
    if interface is None:
        each = ((str(own.interface.ip) if own.interface.version == 4 else own.number) for own in own_networks())
        # On no network at all, those on this machine still find each other.
        chosen: list[str | int] = list(dict.fromkeys(each)) or [LOOPBACK]
    else:
        chosen = [interface]
    if not all(is_own(host) for host in chosen if isinstance(host, str)):
        raise NoDiscovery(REASONS["no network"])
    return chosen


async def in_thread(call: Callable[[], T], *, abandon: bool = True) -> T:
    """Call zeroconf in a thread; what it raises becomes NoDiscovery."""
    from zeroconf import Error  # noqa: PLC0415 -- loaded already

    try:
        return await trio.to_thread.run_sync(call, abandon_on_cancel=abandon)
    except (Error, OSError, RuntimeError, TimeoutError, ValueError) as error:
        raise NoDiscovery(REASONS[_why(error)]) from error


def _why(error: Exception) -> str:
    number = number_of(error)
    if number == errno.EADDRINUSE:
        return "port"
    if number in (errno.EACCES, errno.EPERM):
        return "forbidden"
    if number in (errno.ENETDOWN, errno.ENETUNREACH, errno.EADDRNOTAVAIL, errno.ENODEV):
        return "no network"
    return "no network" if isinstance(error, RuntimeError) and "interfaces" in str(error) else "failed"
