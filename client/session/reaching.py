"""Make the first link to the peer that a route leads to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

from client.session.context import Context
from client.session.messages import Message, Notice
from client.session.route import Route
from p2p.net.addresses import Address
from p2p.net.discovery import open_discovery
from p2p.net.errors import LinkLost, NetError, NoDiscovery, TooSlow, Unreachable
from p2p.net.mesh import Mesh
from p2p.net.sighting import Sighting
from p2p.net.tasks import background

TRIES = 3
"""How often to dial a host that may have missed a packet, or may have moved."""
PASSING = ("silent", "no route")
"""The hints of `Unreachable` that lost packets cause too: no answer to TCP's first packet, or to
ARP."""
LOOK_S = 3.0
"""Seconds to look for the host of an invite that leads nowhere."""
FOUND = 8
"""The most addresses dialled besides those of the invite, the newest ones: anybody can announce
some."""


async def reach(
    context: Context, mesh: Mesh, route: Route, tell: Callable[[Message], None]
) -> bytes:
    """Make a link to the host; return its id.

    On bad Wi-Fi one attempt may fail and the next succeed. A host that moved after making an invite
    is found by its key. Raises NetError.
    """
    places = _Places(route)
    async with background() as nursery:
        if route.found == "invite":
            nursery.start_soon(places.follow, context)
        return await _dial(mesh, route, places, tell)


class _Places:
    """The addresses of a route, and those announced for its host."""

    def __init__(self, route: Route) -> None:
        self._own, self._found = tuple(route.addresses), tuple[Address, ...]()
        self._prefix = route.expect or b""
        self._follows = route.found == "invite"
        """Whether more addresses may come."""
        self._more = trio.Event()

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The addresses to dial, without duplicates."""
        return tuple(dict.fromkeys((*self._own, *self._found)))

    async def follow(self, context: Context) -> None:
        """Look for the host until cancelled; without discovery there are no other addresses."""
        try:
            async with open_discovery(context.interface, failed=context.note_error) as discovery:
                async for news in discovery.sightings(seats=True):
                    if isinstance(news, Sighting) and news.id.startswith(self._prefix):
                        self._add(news.addresses)
        except* (NoDiscovery, OSError):
            pass  # the addresses of the invite may be enough
        self._follows = False
        self._add(())

    async def more_than(self, tried: Sequence[Address]) -> bool:
        """Whether there are addresses besides `tried`, or will be soon."""
        with trio.move_on_after(LOOK_S):
            while self._follows and self.addresses == tried:
                await self._more.wait()
        return self.addresses != tried

    def _add(self, addresses: Sequence[Address]) -> None:
        self._found = (*self._found, *addresses)[-FOUND:]
        self._more.set()
        self._more = trio.Event()


async def _dial(
    mesh: Mesh, route: Route, places: _Places, tell: Callable[[Message], None]
) -> bytes:
    for left in reversed(range(TRIES)):
        tried = places.addresses
        try:
            return await mesh.dial(tried, route.expect)
        except NetError as error:
            if not left or not (_may_pass(error) or await places.more_than(tried)):
                raise
        tell(Notice("try-again", {}))
    raise AssertionError("the last try has an outcome")


def _may_pass(error: NetError) -> bool:
    """Whether another attempt may succeed a moment later."""
    if isinstance(error, Unreachable):
        return error.hint in PASSING
    return isinstance(error, TooSlow | LinkLost)
