"""The context of a session: our home and key, the network, and randomness."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from client.session.status import ends, names_no_file
from client.storage.home import Home
from client.storage.version import version
from crypto.identity import Identity

if TYPE_CHECKING:
    from client.session.route import Route
    from client.storage.contacts import Contacts
    from crypto.chance import Entropy
    from p2p.net.mesh import Mesh


class Limits(Protocol):
    """The limits of a visitor, who has only a page."""

    def route(self, where: str) -> Route | None:
        """Return the route for a typed address or invite; None for other words.

        Raises Stop or NetError.
        """

    def begin(self) -> None:
        """Raise StoreError if nothing new may begin."""


@dataclass(frozen=True)
class Context:
    """The context of all sessions of a command."""

    home: Home
    interface: str | None = None
    """The one address to listen on and to look for tables; None is every address."""
    port: int | None = None
    """The port to listen on; None is the first free one of 47747 to 47756, 0 is any."""
    entropy: Entropy = os.urandom
    limits: Limits | None = None
    """The limits of our player, if it is a visitor on a phone."""
    machine: bytes = b""
    """The key of the player on whose machine this program runs for a visitor; else empty."""
    voucher: bytes = b""
    """That player's signature for our seats (`p2p.table.terms.vouch`)."""

    @property
    def identity(self) -> Identity:
        """Our identity. Raises StoreError."""
        return self.home.identity

    @property
    def contacts(self) -> Contacts:
        """The players we have met."""
        from client.storage.contacts import Contacts  # noqa: PLC0415 - only a session needs the lobby: start-up time

        return Contacts(self.home.path)

    def open_mesh(self, blocked: Collection[bytes] = ()) -> AbstractAsyncContextManager[Mesh]:
        """Listen, and hold links to all peers except the `blocked` ones.

        Raises NetError or StoreError.
        """
        from p2p.net.mesh import open_mesh  # noqa: PLC0415 - only a session needs links: start-up time

        return open_mesh(
            self.identity,
            self.home.pem(),
            interface=self.interface,
            port=self.port,
            program=version(),
            blocked=blocked,
            failed=self.note_error,
        )

    def note_error(self, error: Exception) -> None:
        """Write down an unexpected error that this program survives."""
        from client.storage import error_log  # noqa: PLC0415 - only for bugs: start-up time

        error_log.note(self.home.path, error)

    def sentence(self, error: Exception) -> str | None:
        """Return the sentence about the error that ends a session; None if it is a bug."""
        stop = ends(error)
        if stop is not None and names_no_file(error):
            self.note_error(error)
        return None if stop is None else str(stop)
