"""The address and port at which phones find us: of one network that is ours, and of no other."""

from __future__ import annotations

import socket
import sys
from ipaddress import IPv4Address, ip_address, ip_network

from client.i18n.translation import _
from p2p.net.addresses import own_networks

PORTS = range(47757, 47767)
"""The first that is free is taken. A phone keeps its secret for an address with its port."""
_PRIVATE = tuple(
    map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"))
)
"""Those of RFC 1918, and those that a machine gives itself where nobody gives it any."""
_ELSEWHERE = "192.0.2.1", 9
"""An address to which nothing is ever sent: asked for the way there, the system names the address
that it would send from."""


class NoListenerError(Exception):
    """Nothing can listen there."""


def private_addresses() -> list[str]:
    """Return our private IPv4 addresses, the one of the default route first; none without any.

    Phones come to one of them: a public one would let the world knock.
    """
    own = [str(one.interface.ip) for one in own_networks() if _is_private(one.interface.ip)]
    first = address_to_elsewhere()
    return sorted(dict.fromkeys(own), key=lambda address: address != first)


def listen(address: str, before: int | None = None) -> socket.socket:
    """Listen on one private address, or on this machine alone, at the first free port of `PORTS`.

    `before` is the port at which we listened last. Raises NoListenerError.
    """
    ip = ip_address(address)
    if not (_is_private(ip) or ip == IPv4Address("127.0.0.1")):
        raise NoListenerError(_("it is no IPv4 address of a private network"))
    last = OSError()
    for port in sorted(PORTS, key=lambda port: port != before):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if sys.platform == "win32":  # else another program could take over the port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            else:  # else the port rests for a minute after we have closed a connection
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((address, port))
            listener.listen()
        except OSError as error:
            listener.close()
            last = error
        else:
            return listener
    raise NoListenerError(last.strerror or str(last)) from last


def _is_private(ip: object) -> bool:
    return isinstance(ip, IPv4Address) and any(ip in network for network in _PRIVATE)


def address_to_elsewhere() -> str:
    """Return our address on the default route; nothing without such a route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as question:
        try:
            question.connect(_ELSEWHERE)
        except OSError:  # there is none
            return ""
        return str(question.getsockname()[0])
