"""The network as table setup uses it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from p2p.net.addresses import Address
from p2p.net.events import Peer
from p2p.table.lobby import Agreement

Nonces = tuple[bytes, bytes]


class Network(Protocol):
    """How a process reaches its peers."""

    def post(
        self, value: dict[str, Any] | bytes, *, to: Peer | None = None, skip: Peer | None = None
    ) -> None:
        """Send to one peer, or to all peers of this table but one."""

    def keep(self, peer: Peer, addresses: Sequence[Address]) -> None:
        """Hold a link to a peer from now on."""

    def forget(self, peer: Peer) -> None:
        """Stop holding a link to a peer."""

    def address_of(self, peer: Peer) -> Address | None:
        """Return the address of a linked peer."""

    def nonces_to(self, peer: Peer) -> Nonces | None:
        """Return the nonces of our present link to a peer, ours first."""

    def signed(self, agreement: Agreement) -> None:
        """Save what our players signed, then let `TableSetup.saved` send the signatures."""
