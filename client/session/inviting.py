"""The invite to a table of ours: always the current one, or the news that there is none."""

from __future__ import annotations

from collections.abc import Callable

import trio

from client.session.messages import Message, Notice
from p2p.net.addresses import is_loopback
from p2p.net.invite import ID, MOST_ADDRESSES, Invite
from p2p.net.mesh import Mesh
from p2p.table.lobby import Draft

LOOK_S = 1.0
"""Seconds between two checks of this machine's addresses."""


class Inviter:
    """Tells our player the invite to a table, and every later one while a seat is free.

    Each table has a `secret` of its own. The addresses are those of the mesh.
    """

    def __init__(self, mesh: Mesh, own: bytes, tell: Callable[[Message], None]) -> None:
        self._mesh, self._own, self._tell = mesh, own, tell
        self._secret = b""
        self._free = False
        """Whether a seat is free, as far as our player knows."""
        self._watched = False
        """Whether spectators need an invite too."""
        self._told: dict[str, Invite | None] = {}
        """The invites to join and to watch, as our player knows them; None if our player knows that
        there is none."""
        self._only_here = False
        """Whether our player knows that only programs on this machine can reach the table."""
        self._last: Invite | None = None
        """The last invite that our player was told, and may have passed on."""

    def open(self, table: str, secret: bytes) -> None:
        """Tell our player that the table is open, and the invite."""
        self._tell(Notice("table-open", {"table": table, "port": self._mesh.port}))
        self._free, self._secret, self._only_here = True, secret, False
        self._show("invite")

    def changed(self, draft: Draft, secret: bytes) -> None:
        """Follow a change of the table or its secret."""
        if secret != self._secret:
            self._tell(Notice("renewed"))
        self._secret = secret
        self._free = draft.taken < len(draft.seats)
        self._watched = draft.private and draft.spectators
        self._look()

    async def run(self) -> None:
        """Follow this machine's addresses, until cancelled."""
        while True:
            await trio.sleep(LOOK_S)
            self._look()

    def _look(self) -> None:
        """Tell our player the invite if it has changed."""
        notice = "invite" if self._free else "watch-invite"
        if not (self._free or self._watched):
            return
        if notice not in self._told or self._told[notice] != self._invite():
            self._show(notice)

    def _show(self, notice: str) -> None:
        """Tell our player the invite with this notice, or that there is none."""
        invite = self._told[notice] = self._invite()
        if invite is None:
            self._tell(Notice("no-invite"))
            return
        if self._last is not None and not set(self._last.hosts) & set(invite.hosts):
            self._tell(Notice("moved"))
        if all(map(is_loopback, invite.hosts)) and not self._only_here:
            self._only_here = True
            self._tell(Notice("only-here", {"address": invite.hosts[0]}))
        self._last = invite
        self._tell(Notice(notice, {"invite": str(invite)}))

    def _invite(self) -> Invite | None:
        """Return the invite now; None if no other machine can reach this one."""
        hosts = dict.fromkeys(host.partition("%")[0] for host, _port in self._mesh.addresses())
        some = tuple(hosts)[:MOST_ADDRESSES]
        return Invite(some, self._mesh.port, self._own[:ID], self._secret) if some else None
