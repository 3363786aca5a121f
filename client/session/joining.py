"""A session as a guest: reach the host, sit down, play, and play again."""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import trio

from client.i18n.translation import _
from client.session.admission import Admission
from client.session.match import MatchSession, Outcome
from client.session.player import Player
from client.session.refusals import refusal
from client.session.running import THINKING_TIME_S, once_more, play_match
from client.session.seeking import Seeker
from client.session.setup import LocalPlayer
from client.session.status import NetworkError, leaves
from client.storage.contacts import Contacts
from client.storage.home import Home
from client.storage.version import version
from p2p.net.addresses import Address, parse_address
from p2p.net.errors import LinkLost, TooSlow
from p2p.net.invite import PREFIX, looks_like_invite, parse_invite
from p2p.net.mesh import Mesh, open_mesh
from p2p.table.lobby import TableRefused

TRIES = 3
"""How often a host that has answered, and then was lost, is dialled."""
RETRY_S = 0.5
"""Seconds between two checks for a reopened table."""


@dataclass(frozen=True)
class Route:
    """How to get to a table."""

    addresses: Sequence[Address]
    expect: bytes | None = None
    secret: bytes = field(default=b"", repr=False)
    found: str = "address"


def direct(where: str) -> Route | None:
    """Return the route that an invite or an address names; None if it is a table's name. BadAddress, NotAnInvite.

    A player who copies an invite may copy the words before it too.
    """
    if copied := re.search(rf"\s({PREFIX}-.*)", where, re.IGNORECASE | re.DOTALL):
        where = copied[1]
    if looks_like_invite(where):
        invite = parse_invite(where)
        return Route(invite.addresses, invite.id_prefix, invite.secret, found="invite")
    if any(mark in where for mark in ".:") or where == "localhost":
        return Route(parse_address(where))
    return None


async def join_table(
    home: Home,
    player: Player,
    me: LocalPlayer,
    find: Callable[[Contacts], Awaitable[Route]],
    *,
    interface: str | None,
    port: int | None,
    held: bool,
) -> int:
    """Sit down at the table that is found, and play until our player stops; return the exit status of the last match.

    With `held` our player sees the table first, and sits down when it is ready. RefusedError, NetError.
    """
    admission = Admission(home, player.tell)
    async with open_mesh(
        home.identity(), home.pem(), interface=interface, port=port, program=version(), blocked=admission.contacts.blocked()
    ) as mesh:
        route = await find(admission.contacts)
        peer = await reach(mesh, route)
        if route.expect is None:
            link = mesh.links().get(peer)
            try:
                admission.contacts.check_address([link.address] if link else route.addresses, peer)
            except TableRefused as refused:
                raise refusal(refused) from None
        try:
            return await _stay(mesh, admission, home, player, me, peer, route.secret, interface=interface, held=held)
        except* TableRefused as refused:
            raise refusal(first_refused(refused)) from None
    raise AssertionError("the session has an end")


async def join_at(
    mesh: Mesh, admission: Admission, home: Home, player: Player, me: LocalPlayer, peer: bytes, *, interface: str | None
) -> int:
    """Sit down at the next table of a linked peer, and play until our player stops."""
    return await _stay(mesh, admission, home, player, me, peer, b"", interface=interface, held=None)


async def _stay(
    mesh: Mesh,
    admission: Admission,
    home: Home,
    player: Player,
    me: LocalPlayer,
    peer: bytes,
    secret: bytes,
    *,
    interface: str | None,
    held: bool | None,
) -> int:
    """Play at the table of a peer, or with `held` None at its next one, and then at those that follow."""
    player.admission = admission
    seeker = Seeker(home.identity().id, interface)
    sit = partial(_sit_down, home, player, me, mesh, admission, seeker, peer, secret)
    status = await _when_it_opens_again(mesh, peer, sit, player) if held is None else await sit(held=held, again=False)
    while await once_more(player):
        status = await _when_it_opens_again(mesh, peer, sit, player)
    return status


async def reach(mesh: Mesh, route: Route) -> bytes:
    """Make a link to the host; return its id. On a bad Wi-Fi one greeting may come too late and the next in time. NetError."""
    for _try in range(TRIES - 1):
        with suppress(TooSlow, LinkLost):
            return await mesh.dial(list(route.addresses), route.expect)
    return await mesh.dial(list(route.addresses), route.expect)


async def _sit_down(
    home: Home,
    player: Player,
    me: LocalPlayer,
    mesh: Mesh,
    admission: Admission,
    seeker: Seeker,
    peer: bytes,
    secret: bytes,
    *,
    held: bool,
    again: bool,
) -> int:
    match_session = MatchSession(
        home, mesh, [me], os.urandom, admission.remembering(mesh), thinking_s=0 if me.bot else THINKING_TIME_S, seeker=seeker
    )
    match_session.setup.check = admission.check_table
    match_session.setup.held = held
    if again and player.match_session is not None:
        match_session.links.follow_on(player.match_session.links)

    async def enter(match_session: MatchSession) -> Outcome:
        return await match_session.join(peer, secret, again=again)

    return await play_match(match_session, player, enter, auto=me.bot)


async def _when_it_opens_again(mesh: Mesh, peer: bytes, sit: Callable[..., Awaitable[int]], player: Player) -> int:
    """Sit down at the next table of the same host, as soon as there is one. NetworkError if the host ends its session.

    Wait for a lost link, as in a match. Between two tries follow the links of the last match, to notice that the host quits.
    """
    last = player.match_session
    assert last is not None
    while peer not in last.links.parted:
        if peer in mesh.links():
            try:
                return await sit(held=False, again=True)
            except BaseExceptionGroup as group:
                refused, others = group.split(TableRefused)
                if (
                    refused is None
                    or others is not None
                    or first_refused(refused).why not in ("no-table", "playing", "no-answer", "host-gone")
                ):
                    raise
        with trio.move_on_after(RETRY_S):
            await last.linger()
    raise NetworkError(_("the host has gone"))


def first_refused(group: BaseExceptionGroup[TableRefused]) -> TableRefused:
    """Return the first refusal in a group of errors."""
    return next(leaf for leaf in leaves(group) if isinstance(leaf, TableRefused))
