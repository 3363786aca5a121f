"""IP addresses: those of this machine, those that people type, and the order to dial them in."""

from __future__ import annotations

import ipaddress
import re
import socket
import struct
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from p2p.net.errors import BadAddress
from p2p.wire import MOST_ANNOUNCED

if TYPE_CHECKING:
    import ifaddr

Address: TypeAlias = tuple[str, int]
"""A host (a name, IPv4, or IPv6; link-local with its scope: fe80::1%2) and a port."""

IPAddress: TypeAlias = "ipaddress.IPv4Address | ipaddress.IPv6Address"

LOOPBACK = "127.0.0.1"

PORTS = range(47747, 47757)
"""The ports to listen on, the preferred one first. Addresses without a port are tried at all of
them."""

# Bridges to containers and virtual machines on this machine. No other machine can reach us there.
_INSIDE = re.compile(
    r"(docker|podman|cni|cali|flannel|br-[0-9a-f]{12}$"  # containers
    r"|lxcbr|lxdbr|incusbr|virbr|vboxnet|virtualbox host-only"  # virtual machines
    r"|vmnet|vmware virtual ethernet|vmware network adapter)",
    re.IGNORECASE,
)
# Tunnels and other bridges, which seldom lead to players on the LAN. A Hyper-V switch (`vEthernet`)
# may: an external switch carries the machine's own address.
_ASIDE = re.compile(r"(tun|utun|wg|tailscale|br-|veth|hyper-v|zt)", re.IGNORECASE)
_SIOCGIFFLAGS, _IFF_RUNNING = 0x8913, 0x40
"""On Linux: the ioctl for an interface's flags, and the flag of a working interface."""
_LABEL = r"[A-Za-z0-9_][A-Za-z0-9_-]{0,62}"
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*\.?")
# The name or number of an interface; `ipaddress` would accept anything.
_SCOPE = re.compile(r"[A-Za-z0-9_.-]{1,16}")
_last_adapters: list[tuple[ifaddr.Adapter, bool]] = []
_LAN = [
    ipaddress.ip_network(text)
    for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
]
# Tailscale assigns addresses from this network, but with a prefix of 32 bits.
_TAILNET = ipaddress.ip_network("100.64.0.0/10")


class OwnAddress(NamedTuple):
    """An address of this machine with its network, and its interface's name and index.

    `aside`: by its names, the interface is a tunnel or a bridge, the last choice.
    """

    interface: ipaddress.IPv4Interface | ipaddress.IPv6Interface
    name: str
    number: int
    aside: bool = False


def is_own(host: str) -> bool:
    """Whether this machine has this address now, including loopback."""
    if host == LOOPBACK:
        return True
    ips = [
        ip.ip if isinstance(ip.ip, str) else ip.ip[0]
        for adapter, _working in _adapters()
        for ip in adapter.ips
    ]
    wanted = ip_address(host.partition("%")[0])
    return any(ip_address(ip) == wanted for ip in ips)


class Networks(NamedTuple):
    """The addresses of this machine, except loopback."""

    used: list[OwnAddress]
    aside: list[OwnAddress]
    """On tunnels and bridges, by the interface's name; skipped."""
    inside: list[OwnAddress]
    """On bridges to containers and virtual machines; never used."""
    broken: list[OwnAddress]
    """On interfaces that are down or not connected."""

    @property
    def skipped(self) -> list[OwnAddress]:
        """Working addresses that are not used."""
        return [*self.aside, *self.inside]


def own_networks() -> list[OwnAddress]:
    """Return the addresses to play at, with their networks."""
    return all_networks().used


def all_networks() -> Networks:
    """Return the addresses of this machine, sorted by use.

    Tunnels and bridges are used only if all other addresses are link-local.
    """
    usual, aside, inside, broken = (list[OwnAddress]() for _sort in range(4))
    for adapter, working in _adapters():
        # Windows gives an interface a number, a description, and the name that people see.
        names = (adapter.name, adapter.nice_name, *(ip.nice_name for ip in adapter.ips))
        last_choice = any(map(_ASIDE.match, names))
        found = aside if last_choice else usual
        if any(map(_INSIDE.match, names)):
            found = inside
        if not working:
            found = broken
        for ip in adapter.ips:
            text = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            interface = ipaddress.ip_interface(f"{text}/{ip.network_prefix}")
            if interface.ip in _TAILNET:
                interface = ipaddress.ip_interface(f"{text}/{_TAILNET.prefixlen}")
            if not (interface.is_loopback or interface.is_multicast or interface.is_unspecified):
                found.append(
                    OwnAddress(interface, adapter.nice_name, adapter.index or 0, last_choice)
                )
    aside, inside = (
        [own for own in found if not own.interface.ip.is_link_local] for found in (aside, inside)
    )
    if all(own.interface.ip.is_link_local for own in usual):
        return Networks([*usual, *aside], [], inside, broken)
    return Networks(usual, aside, inside, broken)


def own_addresses(*, link_local: bool = False) -> list[str]:
    """Return at most eight addresses at which the LAN can reach this machine, IPv4 first.

    Public addresses count only if there are no others. Link-local IPv6 is left out unless asked
    for: it needs a scope, which only the receiver knows.
    """
    all_ips = [own.interface.ip for own in own_networks()]
    ips = [ip for ip in all_ips if link_local or not (ip.version == 6 and ip.is_link_local)]
    lan = [ip for ip in ips if any(ip in network for network in _LAN)]
    if lan:
        ips = [ip for ip in ips if ip in lan or ip.is_link_local]
    ips.sort(key=lambda ip: (ip.version, ip.is_link_local))
    return [str(ip) for ip in ips][:MOST_ANNOUNCED]


def reachable_hosts() -> list[str]:
    """Return the addresses at which others can dial this machine, or none without a network.

    If only link-local IPv6 is left, it comes without a scope, which `nearest_first` adds.
    """
    return own_addresses() or own_addresses(link_local=True)


def on_no_network(interface: str | None) -> bool:
    """Whether only loopback is left. Always false if an interface is named."""
    return interface is None and not reachable_hosts()


def nearest_first(addresses: Iterable[Address]) -> list[Address]:
    """Return addresses in the order to dial them, without duplicates.

    Those in one of our networks come first. A link-local IPv6 address without a scope is tried on
    each of our networks.
    """
    own = own_networks()
    networks = [one.interface.network for one in own]
    scopes = list(dict.fromkeys(one.number for one in own if one.interface.version == 6))
    unique = dict.fromkeys(scoped for address in addresses for scoped in _on_each(address, scopes))

    def distance(address: Address) -> int:
        ip = ip_address(address[0])
        return 0 if ip is not None and any(ip in network for network in networks) else 1

    return sorted(unique, key=distance)


def worth_dialling(
    hosts: Iterable[str], *, loopback: bool, most: int = MOST_ANNOUNCED
) -> list[str]:
    """Return at most `most` LAN addresses among those that a peer announced.

    Addresses elsewhere are dropped: a stranger could make us dial any machine. So are names.
    `loopback` says whether peers run on this machine; otherwise loopback addresses are dropped too.
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
            # Link-local IPv6 without a scope: the interface is unknown.
            near = ip.version == 4 or _SCOPE.fullmatch(host.partition("%")[2]) is not None
        else:
            near = any(ip in network for network in (*_LAN, *networks)) and not ip.is_multicast
        if near:
            good.append(host)
    return good[:most]


def is_loopback(host: str) -> bool:
    """Whether this is a loopback address."""
    ip = ip_address(host)
    return ip is not None and ip.is_loopback and not _is_mapped(ip)


def _is_mapped(ip: IPAddress) -> bool:
    """Whether this is IPv4 written as IPv6; we and our peers write it as IPv4.

    From Python 3.13 on, such an address has the properties of the IPv4 address.
    """
    return ip.version == 6 and ip.ipv4_mapped is not None


def is_link_local(host: str) -> bool:
    """Whether this is a link-local address, valid on one network only."""
    ip = ip_address(host)
    return ip is not None and ip.is_link_local


def ip_address(host: str) -> IPAddress | None:
    """Return the IP address in `host`, or None if it is a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def origin(host: str) -> str:
    """Return the key by which strangers are counted: an IPv4 address, or 64 bits of IPv6.

    These are the first 64 bits, with their scope. A machine chooses the other 64 freely.
    """
    ip = ip_address(host)
    return host if ip is None or ip.version == 4 else f"{int(ip) >> 64:x}%{ip.scope_id}"


def parse_address(text: str) -> tuple[Address, ...]:
    """Read HOST, HOST:PORT, IPv6 or [IPv6]:PORT; raise BadAddress for anything else.

    Without a port, return one address for each of `PORTS`.
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


def show_addresses(addresses: Sequence[Address]) -> str:
    """Write addresses for a person: ports in a row of one host as 192.168.1.23:47747-47756."""
    rows: list[tuple[Address, int]] = []
    for host, port in addresses:
        if rows and rows[-1][0][0] == host and rows[-1][1] == port - 1:
            rows[-1] = rows[-1][0], port
        else:
            rows.append(((host, port), port))
    return ", ".join(
        show_address(first) + (f"-{last}" if last != first[1] else "") for first, last in rows
    )


def _adapters() -> list[tuple[ifaddr.Adapter, bool]]:
    """Return the interfaces, and whether each works.

    Return the last answer if the system gives none, as when too many files are open.
    """
    import ifaddr  # noqa: PLC0415 - only where addresses are asked for: start-up time

    with suppress(OSError):
        _last_adapters[:] = [(adapter, works(adapter.name)) for adapter in ifaddr.get_adapters()]
    return list(_last_adapters)


def works(name: str) -> bool:
    """Whether an interface is up and connected; true if unknown. Raises OSError without files.

    Linux keeps the addresses of an interface that is down or unplugged.
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
    """Return the address; if it is link-local without a scope, once for each of these scopes."""
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
