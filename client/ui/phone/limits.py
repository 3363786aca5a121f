"""The limits of a visitor: where it dials, and how much of the disk it fills.

Other limits need no code: nothing in the full screen opens a browser without a function for that,
or writes outside of the home.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from client.i18n.translation import _
from client.session.route import Route, direct
from client.session.status import UsageError
from client.storage.home import StoreError
from p2p.net.addresses import worth_dialling
from p2p.net.rate import Turns

MOST_BYTES = 100_000_000
"""Bytes of a visitor's home from which on it begins nothing new."""
INVITES, INVITES_PER_S = 6, 0.1
"""Invites that are followed at once, and then each second."""


class VisitorLimits:
    """The limits of one visitor (`client.session.context.Limits`)."""

    def __init__(self, home: Path, clock: Callable[[], float]) -> None:
        """Set up the limits of the visitor with this home; `clock` gives seconds that only grow."""
        self._home = home
        self._invites, self._clock = Turns(INVITES, INVITES_PER_S), clock

    def route(self, where: str) -> Route | None:
        """Return the route of an invite, with its addresses in this network.

        None if it is neither an invite nor an address. Raises UsageError or NotAnInvite.
        """
        route = direct(where)
        if route is None:
            return None
        if route.found != "invite":
            raise UsageError(_("on a phone only invites are followed, not typed addresses"))
        hosts = worth_dialling([host for host, _port in route.addresses], loopback=False)
        if not hosts:
            raise UsageError(_("that invite leads out of this network"))
        if not self._invites.take("", self._clock()):
            raise UsageError(_("too many invites at once: wait ten seconds"))
        near = [address for address in route.addresses if address[0] in hosts]
        return Route(near, route.expect, route.secret, route.found)

    def begin(self) -> None:
        """Raise StoreError if there is no room for something new; a match that began goes on."""
        used = 0
        for folder, _folders, names in os.walk(self._home):
            for name in names:
                with suppress(OSError):  # one that was renamed meanwhile
                    used += Path(folder, name).lstat().st_size
        if used >= MOST_BYTES:
            raise StoreError(_("there is no more room for this phone: delete matches first"))
