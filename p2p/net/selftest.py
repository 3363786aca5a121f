"""Check that multicast leaves and reaches this machine.

It announces a service for a moment and listens for it. On each network it also sends a question
from one socket to another.
"""

from __future__ import annotations

import ipaddress
import secrets
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from p2p.net.addresses import OwnAddress, all_networks, ip_address
from p2p.net.discovery import interfaces_for
from p2p.net.mdns import in_thread, require_zeroconf

TEST = "_sobremesa-test._udp.local."
"""Not the service of tables, so that nobody sees a table where there is none."""
ALL_TYPES = "_services._dns-sd._udp.local."
PATIENCE = 3.0
"""Seconds to hear ourselves; the answer takes some milliseconds."""
GROUP, PORT = "224.0.0.251", 5353
"""Those of multicast DNS (RFC 6762)."""
LONGEST = 9000
"""The bytes of the longest mDNS datagram."""
ECHO_S = 1.0
"""Seconds for our own datagram to return; it does not leave this machine."""
MORE = 1.5
"""Seconds to listen for others after that."""


@dataclass(frozen=True, slots=True)
class Echo:
    """Whether we heard ourselves, and how many kinds of services of other machines."""

    ourselves: bool
    others: int
    silent: Sequence[OwnAddress] = ()
    """The IPv4 networks in which a datagram to the group did not return to us, if it did in others.
    """


async def listen_for_ourselves(interface: str | None) -> Echo:
    """Announce a service, and listen for it and for others, on `interface` or on all.

    Raises NoDiscovery.
    """
    require_zeroconf()
    return await in_thread(lambda: _listen(interface))


def _listen(interface: str | None) -> Echo:
    """Listen, in a worker thread, for about two seconds."""
    from zeroconf import ServiceBrowser, ServiceInfo, Zeroconf  # noqa: PLC0415 -- loaded already

    name = f"{secrets.token_hex(8)}.{TEST}"
    received, types = threading.Event(), set[str]()

    def note(found: str) -> None:
        if found == name:
            received.set()

    interfaces = interfaces_for(interface)
    speaker = Zeroconf(interfaces, use_asyncio=False)
    try:
        listener = Zeroconf(interfaces, use_asyncio=False)
        try:
            ServiceBrowser(listener, TEST, handlers=[lambda name, **_: note(name)])
            ServiceBrowser(listener, ALL_TYPES, handlers=[lambda name, **_: types.add(name)])
            speaker.register_service(
                ServiceInfo(TEST, name, port=9, server=f"{name[:16]}.local."),
                cooperating_responders=True,
            )
            ourselves = received.wait(PATIENCE)
            threading.Event().wait(MORE)
            silent = silent_networks(interface)
            return Echo(ourselves, len(types - {TEST}), silent if ourselves else ())
        finally:
            listener.close()
    finally:
        speaker.close()


def silent_networks(interface: str | None) -> list[OwnAddress]:
    """Return the IPv4 networks in which multicast reaches no other socket of this machine.

    Only that of `interface`, or all that are used. Each gets a question of its own, because a
    socket may hear a question sent elsewhere.
    """
    waiting: dict[socket.socket, tuple[OwnAddress, bytes]] = {}
    silent: list[OwnAddress] = []
    with ExitStack() as open_sockets:
        for own in _ipv4_networks(interface):
            listener = open_sockets.enter_context(
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP)
            )
            question = _question()
            try:
                _join(listener, str(own.interface.ip))
                _send(question, str(own.interface.ip))
                waiting[listener] = own, question
            except OSError:
                silent.append(own)
        until = time.monotonic() + ECHO_S
        while waiting and (left := until - time.monotonic()) > 0:
            for listener in select.select(list(waiting), [], [], left)[0]:
                with suppress(OSError):
                    if listener.recv(LONGEST) == waiting[listener][1]:
                        del waiting[listener]
    return [*silent, *(own for own, _question in waiting.values())]


def _ipv4_networks(interface: str | None) -> list[OwnAddress]:
    networks = all_networks()
    if interface is None:
        return [own for own in networks.used if own.interface.version == 4]
    own = [own for own in [*networks.used, *networks.skipped] if str(own.interface.ip) == interface]
    ip = ip_address(interface)
    if not own and ip is not None:  # loopback is no network
        own = [OwnAddress(ipaddress.ip_interface(interface), interface, 0)]
    return [one for one in own if one.interface.version == 4]


def _join(listener: socket.socket, address: str) -> None:
    """Join the group on the interface with this address, beside other programs. OSError."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "SO_REUSEPORT"):
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.bind(("" if sys.platform == "win32" else GROUP, PORT))
    membership = struct.pack("4s4s", socket.inet_aton(GROUP), socket.inet_aton(address))
    listener.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)


def _send(question: bytes, address: str) -> None:
    """Send to the group from the interface with this address. OSError."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP) as sender:
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
        sender.sendto(question, (GROUP, PORT))


def _question() -> bytes:
    """Return an mDNS question for a name that nobody has."""
    labels = [secrets.token_hex(8), *TEST.rstrip(".").split(".")]
    name = b"".join(bytes([len(label)]) + label.encode("ascii") for label in labels) + b"\0"
    pointer, internet = 12, 1
    return struct.pack(">6H", 0, 0, 1, 0, 0, 0) + name + struct.pack(">2H", pointer, internet)
