"""A session that resumes an interrupted match: the same seat, the same hand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial

from client.session.admission import Admission
from client.session.hosting import Opening, host_at, play_alone
from client.session.joining import first_refused, join_at
from client.session.match import MatchSession, Outcome
from client.session.messages import Notice
from client.session.player import Player
from client.session.refusals import refusal
from client.session.running import THINKING_TIME_S, discovery_or_none, once_more, play_match
from client.session.seeking import Seeker
from client.session.setup import LocalPlayer
from client.session.status import NetworkError
from client.storage.home import Home
from client.storage.resume_record import ResumeRecord
from client.storage.version import version
from p2p.net.errors import PortInUse
from p2p.net.mesh import Mesh, open_mesh
from p2p.table.lobby import SeatRequest, TableRefused


async def resume_match(
    home: Home, player: Player, resume_record: ResumeRecord, *, auto: bool, interface: str | None, port: int | None
) -> int:
    """Play a match to its end, and then perhaps others like it; return the exit status of the last."""
    local_players = [
        LocalPlayer(seat_request, auto or computer) for seat_request, computer in resume_record.seat_requests(home, os.urandom)
    ]
    people = len(resume_record.terms.participants) - sum(local_player.bot for local_player in local_players) > 0
    thinking_s = 0 if auto or not people else THINKING_TIME_S

    async def enter(match_session: MatchSession) -> Outcome:
        return await match_session.resume(resume_record)

    player.tell(Notice("resumed", {"match": resume_record.name}))
    me, opening = _next(home, resume_record)
    if not resume_record.nodes:  # all players are in this process
        status = await play_match(
            MatchSession(home, None, local_players, os.urandom, player.tell, thinking_s=thinking_s), player, enter, auto=auto
        )
        return await play_alone(home, player, me, replace(opening, held=False)) if await once_more(player) else status
    admission = Admission(home, player.tell)
    async with AsyncExitStack() as stack:
        mesh = await _open_mesh(stack, home, resume_record, admission, interface, port)
        player.admission = admission
        try:
            others = [node.id for node in resume_record.nodes]
            async with discovery_or_none(interface, player.tell, others) as discovery:
                seeker = Seeker(home.identity().id, interface, discovery)
                match_session = MatchSession(
                    home, mesh, local_players, os.urandom, admission.remembering(mesh), thinking_s=thinking_s, seeker=seeker
                )
                status = await play_match(match_session, player, enter, auto=auto)
                again = await once_more(player)
            if not again:
                return status
            old = _company(player, resume_record)
            while (host := _first_here(home, old, mesh)) is not None:
                with suppress(NetworkError):  # the first player has gone: try the next one
                    return await join_at(mesh, admission, home, player, me, host, interface=interface)
            return await host_at(mesh, admission, home, player, me, opening, interface=interface, welcome=old)
        except* TableRefused as refused:
            raise refusal(first_refused(refused)) from None
    raise AssertionError("the session has an end")


def _next(home: Home, resume_record: ResumeRecord) -> tuple[LocalPlayer, Opening]:
    """Return our player and our table for the next match. New players need an invite to it."""
    terms, own = resume_record.terms, home.identity().id
    bots = sum(bool(seed) for seed in resume_record.seeds.values())
    nick = next(place.nick for place in terms.participants if place.id == own)
    me = LocalPlayer(SeatRequest(home.identity(), nick, os.urandom))
    opening = Opening(terms.game, len(terms.participants), terms.options, bots, limit=terms.limit, held=True)
    return me, replace(opening, private=True, spectators=terms.spectators)


def _company(player: Player, resume_record: ResumeRecord) -> list[bytes]:
    """Return the players in seat order, without the expelled ones."""
    assert player.match_session is not None
    assert player.match_session.local_seats is not None
    table = player.match_session.local_seats.table
    put_out = {seat for seat in table.gone if table.how(seat) != "left"}
    return [place.id for seat, place in enumerate(resume_record.terms.participants) if seat not in put_out]


def _first_here(home: Home, company: Sequence[bytes], mesh: Mesh) -> bytes | None:
    """Return the peer that opens the next table: the first player of the match who is here; None if it is our own player."""
    own = home.identity().id
    first = next((peer for peer in company if peer == own or peer in mesh.links()), own)
    return None if first == own else first


async def _open_mesh(
    stack: AsyncExitStack, home: Home, resume_record: ResumeRecord, admission: Admission, interface: str | None, port: int | None
) -> Mesh:
    """Listen on the port of before, so that peers reach us at once; on any other if it is taken."""
    identity, pem, blocked = home.identity(), home.pem(), admission.contacts.blocked()
    opened = partial(open_mesh, identity, pem, interface=interface, program=version(), blocked=blocked)
    if port is not None:
        return await stack.enter_async_context(opened(port=port))
    try:
        return await stack.enter_async_context(opened(port=resume_record.port))
    except PortInUse:
        return await stack.enter_async_context(opened())
