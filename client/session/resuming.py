"""An evening that goes on where it was broken off: the same seat, the same hand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial

from client.session.admission import Doorkeeper
from client.session.hosting import Opening, host_at, play_alone
from client.session.joining import first_refused, join_at
from client.session.match import Outcome, Party
from client.session.messages import Notice
from client.session.player import Player
from client.session.refusals import refusal
from client.session.running import PACE, discovery_or_none, once_more, spend
from client.session.seeking import Seeker
from client.session.setup import Seating
from client.session.status import NetworkError
from client.storage.home import Home
from client.storage.resume_record import Unfinished
from client.storage.version import version
from p2p.net.errors import PortInUse
from p2p.net.mesh import Mesh, open_mesh
from p2p.table.lobby import SeatRequest, TableRefused


async def resume_match(
    home: Home, player: Player, unfinished: Unfinished, *, auto: bool, interface: str | None, port: int | None
) -> int:
    """Play a match to its end, and then perhaps others like it; return the exit status of the last."""
    seatings = [Seating(seat_request, auto or computer) for seat_request, computer in unfinished.seat_requests(home, os.urandom)]
    people = len(unfinished.terms.participants) - sum(seating.bot for seating in seatings) > 0
    pace = 0 if auto or not people else PACE

    async def evening(party: Party) -> Outcome:
        return await party.resume(unfinished)

    player.tell(Notice("resumed", {"match": unfinished.name}))
    me, opening = _next(home, unfinished)
    if not unfinished.nodes:  # all who play are in this process
        status = await spend(Party(home, None, seatings, os.urandom, player.tell, pace=pace), player, evening, auto=auto)
        return await play_alone(home, player, me, replace(opening, held=False)) if await once_more(player) else status
    door = Doorkeeper(home, player.tell)
    async with AsyncExitStack() as stack:
        mesh = await _open_mesh(stack, home, unfinished, door, interface, port)
        player.door = door
        try:
            others = [node.id for node in unfinished.nodes]
            async with discovery_or_none(interface, player.tell, others) as discovery:
                seeker = Seeker(home.identity().id, interface, discovery)
                party = Party(home, mesh, seatings, os.urandom, door.remembering(mesh), pace=pace, seeker=seeker)
                status = await spend(party, player, evening, auto=auto)
                again = await once_more(player)
            if not again:
                return status
            old = _company(player, unfinished)
            while (host := _first_here(home, old, mesh)) is not None:
                with suppress(NetworkError):  # who sat first has gone: then it is the next one
                    return await join_at(mesh, door, home, player, me, host, interface=interface)
            return await host_at(mesh, door, home, player, me, opening, interface=interface, welcome=old)
        except* TableRefused as refused:
            raise refusal(first_refused(refused)) from None
    raise AssertionError("the evening has an end")


def _next(home: Home, unfinished: Unfinished) -> tuple[Seating, Opening]:
    """Return who we are in the next match, and what it is like. Whoever was not in this one needs an invite."""
    terms, own = unfinished.terms, home.identity().id
    bots = sum(bool(seed) for seed in unfinished.seeds.values())
    nick = next(place.nick for place in terms.participants if place.id == own)
    me = Seating(SeatRequest(home.identity(), nick, os.urandom))
    opening = Opening(terms.game, len(terms.participants), terms.options, bots, limit=terms.limit, held=True)
    return me, replace(opening, private=True, spectators=terms.spectators)


def _company(player: Player, unfinished: Unfinished) -> list[bytes]:
    """Return who played, in seat order, without whom the others have put out of the match."""
    assert player.party is not None
    assert player.party.sitting is not None
    table = player.party.sitting.table
    put_out = {seat for seat in table.gone if table.how(seat) != "left"}
    return [place.id for seat, place in enumerate(unfinished.terms.participants) if seat not in put_out]


def _first_here(home: Home, company: Sequence[bytes], mesh: Mesh) -> bytes | None:
    """Return who opens the next table, whoever opened the first: of those who are here, who sat first; None if we did."""
    own = home.identity().id
    first = next((peer for peer in company if peer == own or peer in mesh.links()), own)
    return None if first == own else first


async def _open_mesh(
    stack: AsyncExitStack, home: Home, unfinished: Unfinished, door: Doorkeeper, interface: str | None, port: int | None
) -> Mesh:
    """Listen where we did before, so that who dials us finds us at once; where that cannot be, anywhere."""
    identity, pem, blocked = home.identity(), home.pem(), door.contacts.blocked()
    opened = partial(open_mesh, identity, pem, interface=interface, program=version(), blocked=blocked)
    if port is not None:
        return await stack.enter_async_context(opened(port=port))
    try:
        return await stack.enter_async_context(opened(port=unfinished.port))
    except PortInUse:
        return await stack.enter_async_context(opened())
