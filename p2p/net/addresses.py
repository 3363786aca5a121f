"""Addresses: those of this machine, the order to try others' addresses, and those people type.

This machine's are those that others may dial.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import struct
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from p2p.net.errors import BadAddress

if TYPE_CHECKING:
    import ifaddr

Address: TypeAlias = tuple[str, int]
"""Host (name, IPv4, or IPv6, link-local ones with their scope: fe80::1%2) and port."""

IPAddress: TypeAlias = "ipaddress.IPv4Address | ipaddress.IPv6Address"

LOOPBACK = "127.0.0.1"

PORTS = range(47747, 47757)
"""The first is preferred; an address without a port is tried at all of them."""

# Bridges to the containers and virtual machines of this machine: nobody else can reach us there.
_INSIDE = re.compile(
    r"(docker|podman|cni|cali|flannel|br-[0-9a-f]{12}$"  # containers
    r"|lxcbr|lxdbr|incusbr|virbr|vboxnet|virtualbox host-only"  # virtual machines
    r"|vmnet|vmware virtual ethernet|vmware network adapter)",
    re.IGNORECASE,
)
# Tunnels and other bridges: they seldom lead to the players on the LAN. A switch of Hyper-V
# (`vEthernet`) may: an external one has the address of the machine itself.
_ASIDE = re.compile(r"(tun|utun|wg|tailscale|br-|veth|hyper-v|zt)", re.IGNORECASE)
_SIOCGIFFLAGS, _IFF_RUNNING = 0x8913, 0x40
"""Of Linux: the question for the flags of an interface, and the one that says that it works."""
_LABEL = r"[A-Za-z0-9_][A-Za-z0-9_-]{0,62}"
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*\.?")
# an interface's name or number; `ipaddress` would take anything
_SCOPE = re.compile(r"[A-Za-z0-9_.-]{1,16}")


_LAN = [
    ipaddress.ip_network(text)
    for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
]
# Tailscale gives a machine one of these addresses, without the network that it is in.
_TAILNET = ipaddress.ip_network("100.64.0.0/10")


TOLD = 8
"""Addresses that a machine tells of itself."""


class OwnAddress(NamedTuple):
    """An address of this machine, with its network, and the interface's name and index."""

    interface: ipaddress.IPv4Interface | ipaddress.IPv6Interface
    name: str
    number: int


def is_own(host: str) -> bool:
    """Whether this machine has this address now, loopback included."""
    if host == LOOPBACK:
        return True
    ips = [
        ip.ip if isinstance(ip.ip, str) else ip.ip[0]
        for adapter in _adapters()
        for ip in adapter.ips
    ]
    wanted = ip_address(host.partition("%")[0])
    return any(ip_address(ip) == wanted for ip in ips)


class Networks(NamedTuple):
    """The addresses of this machine, without those of loopback."""

    used: list[OwnAddress]
    aside: list[OwnAddress]
    """Those of interfaces with the names of tunnels and bridges, where they are not used."""
    inside: list[OwnAddress]
    """Those of bridges to containers and virtual machines, which are never used."""
    broken: list[OwnAddress]
    """Those of interfaces that are down or not connected."""

    @property
    def skipped(self) -> list[OwnAddress]:
        """Those that work, and are not used."""
        return [*self.aside, *self.inside]


def own_networks() -> list[OwnAddress]:
    """Return the addresses at which this machine plays, with their networks."""
    return all_networks().used


def all_networks() -> Networks:
    """Return the addresses of this machine.

    Those of tunnels and bridges are used only where all others are link-local.
    """
    usual, aside, inside, broken = (list[OwnAddress]() for _sort in range(4))
    for adapter in _adapters():
        # Windows names an interface by a number, a description, and the name that people see.
        names = (adapter.name, adapter.nice_name, *(ip.nice_name for ip in adapter.ips))
        found = aside if any(map(_ASIDE.match, names)) else usual
        if any(map(_INSIDE.match, names)):
            found = inside
        if not _works(adapter.name):
            found = broken
        for ip in adapter.ips:
            text = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            interface = ipaddress.ip_interface(f"{text}/{ip.network_prefix}")
            if interface.ip in _TAILNET:
                interface = ipaddress.ip_interface(f"{text}/{_TAILNET.prefixlen}")
            if not (interface.is_loopback or interface.is_multicast or interface.is_unspecified):
                found.append(OwnAddress(interface, adapter.nice_name, adapter.index or 0))
    aside, inside = (
        [own for own in found if not own.interface.ip.is_link_local] for found in (aside, inside)
    )
    if all(own.interface.ip.is_link_local for own in usual):
        return Networks([*usual, *aside], [], inside, broken)
    return Networks(usual, aside, inside, broken)


def is_aside(own: OwnAddress) -> bool:
    """Whether this is, by its name, a tunnel or a bridge: they are the last choice."""
    return _ASIDE.match(own.name) is not None


def own_addresses(*, link_local: bool = False) -> list[str]:
    """Return the addresses at which LAN machines can reach this one, IPv4 first, at most eight.

    Public ones only if there are no others. Link-local IPv6 only if asked for: it means nothing
    without a scope, and the scope is the receiver's.
    """
    all_ips = [own.interface.ip for own in own_networks()]
    ips = [ip for ip in all_ips if link_local or not (ip.version == 6 and ip.is_link_local)]
    lan = [ip for ip in ips if any(ip in network for network in _LAN)]
    if lan:
        ips = [ip for ip in ips if ip in lan or ip.is_link_local]
    ips.sort(key=lambda ip: (ip.version, ip.is_link_local))
    return [str(ip) for ip in ips][:TOLD]


def reachable_hosts() -> list[str]:
    """Return the addresses to dial this machine at from another one; none if it is on no network.

    Where there is nothing but link-local IPv6, that, without a scope: `nearest_first` finds it.
    """
    return own_addresses() or own_addresses(link_local=True)


def on_no_network(interface: str | None) -> bool:
    """Whether this machine has no interface but loopback. If one is named, we do not look."""
    return interface is None and not reachable_hosts()


def nearest_first(addresses: Iterable[Address]) -> list[Address]:
    """Put addresses in the order to try them, none twice.

    Those in a network of ours come first, then the others as they came. A link-local IPv6 address
    without a scope is tried on every network of ours.
    """
    own = own_networks()
    networks = [one.interface.network for one in own]
    scopes = list(dict.fromkeys(one.number for one in own if one.interface.version == 6))
    unique = dict.fromkeys(scoped for address in addresses for scoped in _on_each(address, scopes))

    def distance(address: Address) -> int:
        ip = ip_address(address[0])
        return 0 if ip is not None and any(ip in network for network in networks) else 1

    return sorted(unique, key=distance)


def worth_dialling(hosts: Iterable[str], *, loopback: bool, most: int = TOLD) -> list[str]:
    """Keep the LAN addresses among those that somebody tells us, at most so many.

    We do not go wherever a stranger likes to send us.

    No names; `loopback` says whether we are among peers on this machine, for whom its own addresses
    mean something.
    """
    networks = [own.interface.network for own in own_networks()]
    good = []
    for host in hosts:
        ip = ip_address(host)
        if ip is None or _is_mapped(ip):
            continue
        if ip.is_loopback:
            near = loopback
        elif ip.is_link_local:
            # Of IPv6 without its scope (heard over IPv4, or from afar) nobody can say on which
            # interface that is.
            near = ip.version == 4 or _SCOPE.fullmatch(host.partition("%")[2]) is not None
        else:
            near = any(ip in network for network in (*_LAN, *networks)) and not ip.is_multicast
        if near:
            good.append(host)
    return good[:most]


def is_loopback(host: str) -> bool:
    """Whether this is an address of the loopback interface."""
    ip = ip_address(host)
    return ip is not None and ip.is_loopback and not _is_mapped(ip)


def _is_mapped(ip: IPAddress) -> bool:
    """Whether this is IPv4 written as IPv6, which we write plainly, and a peer too.

    From Python 3.13 on, such an address has the properties of the IPv4 address.
    """
    return ip.version == 6 and ip.ipv4_mapped is not None


def is_link_local(host: str) -> bool:
    """Whether this is an address that a machine has chosen itself, good on one network only."""
    ip = ip_address(host)
    return ip is not None and ip.is_link_local


def ip_address(host: str) -> IPAddress | None:
    """Return the IP address that this host is, or None if it is a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def origin(host: str) -> str:
    """Return the origin of a host: an IPv4 address, or 64 bits of an IPv6 address.

    Strangers are counted by origin.

    The first 64 bits count, with their scope. A machine chooses the other 64 as it likes.
    """
    ip = ip_address(host)
    return host if ip is None or ip.version == 4 else f"{int(ip) >> 64:x}%{ip.scope_id}"


def parse_address(text: str) -> tuple[Address, ...]:
    """Read HOST, HOST:PORT, IPv6 or [IPv6]:PORT.

    Without a port: one address for each of `PORTS`. BadAddress otherwise.
    """
    host, port = _split(text.strip())
    if ip_address(host) is None and (
        len(host) > 253 or not _HOST.fullmatch(host) or re.fullmatch(r"[0-9.]+", host)
    ):
        raise BadAddress(text)
    if "%" in host and not _SCOPE.fullmatch(host.partition("%")[2]):
        raise BadAddress(text)
    ports: Sequence[int] = PORTS
    if port is not None:
        if not re.fullmatch(r"[0-9]{1,5}", port) or not 0 < int(port) < 65536:
            raise BadAddress(text)
        ports = (int(port),)
    return tuple((host, number) for number in ports)


def show_address(address: Address) -> str:
    """Write an address as `parse_address` reads it."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _adapters() -> Iterable[ifaddr.Adapter]:
    import ifaddr  # noqa: PLC0415 - only where addresses are asked for: start-up time

    return ifaddr.get_adapters()


def _works(name: str) -> bool:
    """Return whether an interface is up and connected; true where that is not known.

    On Linux the addresses of one that is down, or whose cable is unplugged, may stay.
    """
    if sys.platform != "linux":
        return True
    import fcntl  # noqa: PLC0415 - not on every system

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as question:
        try:
            answer = fcntl.ioctl(question, _SIOCGIFFLAGS, struct.pack("40s", name.encode()))
        except OSError:
            return True
    return bool(struct.unpack_from("H", answer, 16)[0] & _IFF_RUNNING)


def _on_each(address: Address, scopes: Iterable[int]) -> list[Address]:
    """Return an address, or a link-local one without a scope on each of these interfaces."""
    host, port = address
    ip = ip_address(host)
    if not isinstance(ip, ipaddress.IPv6Address) or not ip.is_link_local or ip.scope_id:
        return [address]
    return [(f"{host}%{scope}", port) for scope in scopes] or [address]


def _split(text: str) -> tuple[str, str | None]:
    bracketed = re.fullmatch(r"\[([^\[\]]+)\](?::(.*))?", text)
    if bracketed:
        return bracketed[1], bracketed[2]
    if text.count(":") == 1:
        host, port = text.split(":")
        return host, port
    return text, None
