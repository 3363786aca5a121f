"""The links to all peers of a table: listening, dialling, redialling, one link per peer at most.

Both sides of a pair dial. Of two links dialled at once, the one dialled by the smaller id stays;
otherwise the newer one, because a peer that dials again has lost the old one. The owner decides
which messages it forwards. Peers that we keep are those of our table; any other peer is a stranger
with a small allowance, and is dropped first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import trio

from crypto.identity import Identity
from p2p.net import dial as dialling
from p2p.net.addresses import (
    LOOPBACK,
    Address,
    ip_address,
    is_loopback,
    is_own,
    nearest_first,
    origin,
    own_addresses,
    reachable_hosts,
    show_address,
    worth_dialling,
)
from p2p.net.errors import NetError, Unreachable, VersionMismatch
from p2p.net.events import Event, Failed, LinkDown, LinkUp, PeerAway, Received, TurnedAway
from p2p.net.greeting import Hello
from p2p.net.keep import TOLD_BURST, TOLD_RATE, Keeper
from p2p.net.link import CLOSED, DUPLICATE, FLOOD, FULL, LOST, SILENT, Link, pack_value
from p2p.net.listen import PendingConnections, crowded_out, open_listeners, port_of, remote_address
from p2p.net.rate import Turns
from p2p.net.tasks import background, containing
from p2p.net.timeouts import LIMITS, TIMEOUTS, Limits, Timeouts
from p2p.net.tls import check_key_file
from p2p.wire import PROTOCOL

EVENTS = 1024
"""The most events that wait for the owner; then the links wait too, and so do their peers."""
CLOSING = 64
"""The most links that are closing at a time; the oldest over this limit are cut. A stranger that we
send away may return at once."""


@asynccontextmanager
async def open_mesh(
    identity: Identity,
    pem_path: Path,
    *,
    interface: str | None = None,
    port: int | None = None,
    program: str = "?",
    protocol: int = PROTOCOL,
    timeouts: Timeouts = TIMEOUTS,
    limits: Limits = LIMITS,
    blocked: Collection[bytes] = frozenset(),
    failed: Callable[[Exception], object] = lambda _error: None,
) -> AsyncIterator[Mesh]:
    """Listen, and hold links until the body ends; then flush for at most `timeouts.flush_s`.

    `pem_path` is a file (0600) with `identity.pem()`. `interface` is the one address to listen on.
    `port` is None for the first free one of 47747 to 47756, else any; 0 for any; or a number.
    `program` is our version, shown to peers of another version. `blocked` are ids of peers to
    refuse. `failed` takes each unexpected error with one connection, which is then closed; the
    owner gets Failed too.

    Raises PortInUse, NoSuchInterface or KeyFileUnreadable.
    """
    check_key_file(identity, pem_path)
    listeners = await open_listeners(interface, port)
    try:
        number = port_of(listeners[0])
        me = dialling.Me(
            identity,
            pem_path,
            Hello(program, number, protocol),
            timeouts,
            limits,
            frozenset(blocked),
            failed,
        )
        async with background() as nursery:
            mesh = Mesh(me, number, interface, nursery)
            nursery.start_soon(trio.serve_listeners, mesh.take, listeners)
            try:
                yield mesh
            finally:
                await mesh.close()
    finally:
        for listener in listeners:
            await trio.aclose_forcefully(listener)


class Mesh:
    """The links by peer id, and their events; made by `open_mesh`."""

    def __init__(
        self, me: dialling.Me, port: int, interface: str | None, nursery: trio.Nursery
    ) -> None:
        self.port = port
        self.refused: Counter[str] = Counter()
        """The number of failed incoming connections, by error."""
        self._events, self.events = trio.open_memory_channel[Event](EVENTS)
        self._failed = me.failed
        self._me = replace(me, failed=self._contain)
        self._interface = interface
        self._nursery = nursery
        self.pending = PendingConnections(me.limits)
        self._links: dict[bytes, Link] = {}
        self.running: dict[Link, trio.CancelScope] = {}
        self._keepers: dict[bytes, Keeper] = {}
        self._flooded: dict[bytes, float] = {}
        self._told = Turns(TOLD_BURST, TOLD_RATE)
        self._closing = False
        self._all_ended = trio.Event()
        if interface is None:
            nursery.start_soon(self._watch_interfaces)

    def addresses(self) -> list[Address]:
        """Return the addresses at which others can dial us now, IPv4 first."""
        if self._interface is None:
            hosts = reachable_hosts()
        else:
            hosts = [self._interface] if is_own(self._interface) else []
        return [(host, self.port) for host in hosts]

    def links(self) -> dict[bytes, Link]:
        """Return the links that are up now, by peer id."""
        return {peer: link for peer, link in self._links.items() if link.ended is None}

    async def dial(self, addresses: Sequence[Address], expect: bytes | None = None) -> bytes:
        """Make a link to the peer at these addresses and return its id.

        `expect` is a whole id or its first ten bytes; if a link to it is up, return at once. Our
        own address is not dialled.

        Raises Unreachable, WrongPeer, OwnIdentity, NotSobremesa, Unproven, VersionMismatch, TooSlow
        or LinkLost; of several addresses, the most telling error.
        """
        for peer in self.links():
            if expect is not None and peer.startswith(expect):
                return peer
        others = [address for address in addresses if not self._listens_at(address)]
        if addresses and not others:
            raise Unreachable(show_address(addresses[0]), "here")
        link = await dialling.dial(nearest_first(others), self._me, expect=expect)
        self._adopt(link)
        return link.peer

    def keep(self, peer: bytes, addresses: Sequence[Address] = ()) -> None:
        """Keep a link to this peer: dial, and redial whenever the link is lost.

        New addresses are dialled first. Announced addresses outside the LAN are ignored. Addresses
        that led to a link are remembered besides.
        """
        keeper = self._keepers.get(peer)
        if keeper is None:
            keeper = self._keepers[peer] = Keeper(
                peer, self._me, self._adopt, self._emit, self._told
            )
            if (link := self._links.get(peer)) is not None:
                self._keep_up(keeper, link)
            self._nursery.start_soon(keeper.run)
        near = set(
            worth_dialling([host for host, _port in addresses], loopback=self._among_ourselves())
        )
        keeper.learn([address for address in addresses if address[0] in near])

    def forget(self, peer: bytes) -> None:
        """Stop dialling this peer. A link that is up stays."""
        keeper = self._keepers.pop(peer, None)
        if keeper is not None:
            keeper.stop()
            if peer in self._links:
                self._links[peer].kept = False

    def send(self, peer: bytes, value: dict[str, Any] | list[Any] | bytes) -> bool:
        """Queue a value for a peer; return False if there is no link to it.

        If False, the owner has had a LinkDown, or gets one soon.
        """
        link = self._links.get(peer)
        return link is not None and link.send(value)

    def broadcast(
        self, value: dict[str, Any] | list[Any] | bytes, skip: Collection[bytes] = frozenset()
    ) -> None:
        """Queue a value for every peer with a link, except those in `skip` (the sender)."""
        frame = pack_value(value)
        for peer, link in self._links.items():
            if peer not in skip:
                link.send_frame(frame)

    def drop(self, peer: bytes, reason: str) -> None:
        """Close the link to this peer with a reason.

        The peer may dial again, and so do we if it is kept: see `forget`.
        """
        link = self._links.get(peer)
        if link is not None:
            link.close(reason)

    async def take(self, stream: trio.SocketStream) -> None:
        """Serve an incoming connection until it ends."""
        try:
            address = remote_address(stream)
        except OSError:  # gone already
            await trio.aclose_forcefully(stream)
            return
        if self._closing:
            await trio.aclose_forcefully(stream)
            return
        link: Link | None = None
        with self.pending.inside(address[0]):
            try:
                link = await dialling.greet(stream, self._me, dialled=False, address=address)
            except NetError as error:
                self.refused[type(error).__name__] += 1
                if isinstance(error, VersionMismatch):
                    self._tell_if_quiet(TurnedAway(error))
                return
        if link is None:
            self.refused["TooManyPending"] += 1
        else:
            await self._host(link, self._enrol(link))

    async def close(self) -> None:
        """End all links with a goodbye, in bounded time even if cancelled; for `open_mesh`."""
        self._closing = True
        self.events.close()
        for keeper in self._keepers.values():
            keeper.stop()
        for link in self.running:
            link.close(CLOSED)
        with trio.CancelScope(shield=True):
            with trio.move_on_after(self._me.timeouts.flush_s + 0.5):
                if self.running:
                    await self._all_ended.wait()
            for scope in self.running.values():
                scope.cancel()

    def _adopt(self, link: Link) -> None:
        """Serve a link from now on; messages sent before its task starts are queued."""
        self._nursery.start_soon(self._host, link, self._enrol(link))

    def _enrol(self, link: Link) -> bool:
        # The shield lets a goodbye out when the owner is cancelled; `close` bounds it.
        self.running[link] = trio.CancelScope(shield=True)
        admitted = self._admit(link)
        for surplus in [one for one in self.running if one.ended is not None][:-CLOSING]:
            surplus.lose()
        return admitted

    async def _host(self, link: Link, admitted: bool) -> None:
        with self.running[link]:
            try:
                await (self._live(link) if admitted else self._say_why(link))
            finally:
                del self.running[link]
                if self._closing and not self.running:
                    self._all_ended.set()

    async def _say_why(self, link: Link) -> None:
        """Send the goodbye of a link that was not admitted."""
        with containing(self._contain):
            await link.run(_ignore)

    async def _live(self, link: Link) -> None:
        peer = link.peer
        await self._emit(LinkUp(peer, link.public, link.address))
        try:
            reason = await link.run(partial(self._received, link))
        except Exception as error:  # noqa: BLE001 -- one link fails, and nothing else
            self._contain(error)
            reason = LOST
        if self._links.get(peer) is not link:
            return  # another link replaced it
        del self._links[peer]
        if reason == FLOOD:
            now = trio.current_time()
            self._flooded = {who: until for who, until in self._flooded.items() if until > now}
            self._flooded[peer] = now + self._me.timeouts.ban_s
        if reason == SILENT:
            await self._emit(PeerAway(peer, None))
        await self._emit(LinkDown(peer, reason))
        if peer in self._keepers and peer not in self._links:
            self._keepers[peer].down(reported=reason == SILENT)

    def _admit(self, link: Link) -> bool:
        """Make this the link to its peer, in place of an older one; else close it with a reason."""
        if self._closing:
            link.close(CLOSED)
            return False
        if self._flooded.get(link.peer, 0.0) > trio.current_time():
            link.close(FLOOD)
            return False
        old = self._links.get(link.peer)
        if old is not None:
            if (
                old.ended is None
                and survivor(old, link, self._me.identity.id, self._me.timeouts.settle_s) is old
            ):
                link.close(DUPLICATE)
                return False
            old.close(DUPLICATE)
            # Delete it, so that the new link becomes the last in order: see `_drop_surplus`.
            del self._links[link.peer]
        self._links[link.peer] = link
        keeper = self._keepers.get(link.peer)
        link.kept = keeper is not None
        if keeper is not None:
            self._keep_up(keeper, link)
        self._drop_surplus()
        return True

    def _drop_surplus(self) -> None:
        """Close links to strangers over the limit; the newest is not the first to go."""
        strangers = [link for link in self.links().values() if not (link.kept or link.dialled)]
        for link in crowded_out(
            {link: origin(link.address[0]) for link in strangers}, self._me.limits.links
        ):
            link.close(FULL)

    def _keep_up(self, keeper: Keeper, link: Link) -> None:
        """Tell a keeper of the link to its peer."""
        link.kept = True
        keeper.up(link.address)

    def _among_ourselves(self) -> bool:
        """Whether peers run on this machine, so that they may announce loopback addresses."""
        own = [self._interface] if self._interface is not None else reachable_hosts() or [LOOPBACK]
        linked = [link.address[0] for link in self._links.values()]
        return any(map(is_loopback, [*own, *linked]))

    def _listens_at(self, address: Address) -> bool:
        """Whether this is our own address, at our port."""
        host, port = address
        if port != self.port or ip_address(host) is None:
            return False
        if self._interface is not None:
            return ip_address(host) == ip_address(self._interface)
        return is_loopback(host) or is_own(host)

    async def _received(self, link: Link, value: Any) -> None:
        await self._emit(Received(link.peer, value, link.nonces))

    async def _emit(self, event: Event) -> None:
        with suppress(trio.BrokenResourceError):  # the owner listens no more: the mesh is closing
            await self._events.send(event)

    def _contain(self, error: Exception) -> None:
        """Report an unexpected error with one connection."""
        self._failed(error)
        self._tell_if_quiet(Failed(error))

    def _tell_if_quiet(self, event: Event) -> None:
        """Send an event about a stranger, unless half of the channel is full."""
        if not self._closing and self.events.statistics().current_buffer_used < EVENTS // 2:
            self._events.send_nowait(event)

    async def _watch_interfaces(self) -> None:
        """On a new network, dial again at once.

        Links from an address that this machine no longer has are lost.
        """
        before = own_addresses(link_local=True)
        while True:
            await trio.sleep(self._me.timeouts.interfaces_s)
            now = own_addresses(link_local=True)
            if now != before:
                for link in self._links.values():
                    if link.local is not None and not is_own(link.local):
                        link.lose()
                for keeper in self._keepers.values():
                    keeper.wake()
            before = now


def survivor(old: Link, new: Link, own: bytes, settle: float) -> Link:
    """Return which of two links to one peer stays; both sides agree on it."""
    if old.dialled != new.dialled and new.since - old.since <= settle:
        we_dial = own < old.peer
        return old if old.dialled == we_dial else new
    return new


async def _ignore(value: Any) -> None:
    """Ignore what comes over a superfluous link: after LinkUp both sides send it again."""
