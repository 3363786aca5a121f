"""A session that resumes an interrupted match: the same seat, the same hand."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial

from client.session.admission import Admission, online
from client.session.context import Context
from client.session.hosting import Opening, host_at, play_alone
from client.session.joining import Guest
from client.session.match import MatchSession
from client.session.player import Player
from client.session.refusals import refusals_as_stops
from client.session.running import discovery_or_none, once_more, play_match
from client.session.seeking import Seeker
from client.session.setup_rules import LocalPlayer, SetupRules, own_seat
from client.session.status import NetworkError
from client.storage.resume_record import ResumeRecord
from p2p.net.errors import PortInUse
from p2p.net.mesh import Mesh


async def resume_match(
    context: Context,
    player: Player,
    resume_record: ResumeRecord,
    *,
    auto: bool,
    at_once: bool = False,
) -> int:
    """Play a match to its end, and then perhaps others like it.

    Return the exit status of the last match.
    """
    seeds, characters = resume_record.seeds, resume_record.characters
    requests = resume_record.seat_requests(context.home, context.entropy)
    local_players = [
        LocalPlayer(seat_request, auto or bool(seeds[seat]), characters.get(seat, ""))
        for seat, seat_request in requests.items()
    ]
    bots = sum(local_player.bot for local_player in local_players)
    people = len(resume_record.terms.participants) > bots
    rules = SetupRules(timed=people and not at_once)
    me, opening = _next(context, resume_record)
    if resume_record.alone:
        match_session = MatchSession(context, None, local_players, player.tell, rules)
        status = await play_match(
            match_session, player, partial(match_session.resume, resume_record)
        )
        return (
            await play_alone(context, player, me, replace(opening, held=False))
            if await once_more(player)
            else status
        )
    async with AsyncExitStack() as stack:
        admission = await _go_online(stack, context, player, resume_record)
        with refusals_as_stops():
            others = [node.id for node in resume_record.nodes]
            async with discovery_or_none(context, player.tell, others) as discovery:
                seeker = Seeker(context.identity.id, context, discovery)
                match_session = MatchSession(
                    context, admission.mesh, local_players, admission.remembering(), rules
                )
                enter = partial(match_session.resume, resume_record)
                status = await play_match(match_session, player, enter, admission, seeker)
                again = await once_more(player)
            if not again:
                return status
            old = company_of(player, resume_record)
            while (host := first_here(context.identity.id, old, admission.mesh)) is not None:
                with suppress(NetworkError):  # the first player has gone: try the next one
                    guest = Guest(admission, player, me, host)
                    return await guest.stay(await guest.sit_when_open())
            return await host_at(admission, player, me, opening, old)


def _next(context: Context, resume_record: ResumeRecord) -> tuple[LocalPlayer, Opening]:
    """Return our player and our table for the next match, if new players need an invite."""
    terms = resume_record.terms
    computers = tuple(
        resume_record.characters.get(seat, "")
        for seat, seed in sorted(resume_record.seeds.items())
        if seed
    )
    nick = next(place.nick for place in terms.participants if place.id == context.identity.id)
    me = LocalPlayer(own_seat(context, nick))
    opening = Opening(
        terms.game,
        len(terms.participants),
        terms.options,
        len(computers),
        computers,
        limit=terms.limit,
        house=terms.house,
        held=True,
    )
    return me, replace(opening, private=True, spectators=terms.spectators)


def company_of(player: Player, resume_record: ResumeRecord) -> list[bytes]:
    """Return the players in seat order, without the expelled ones."""
    assert player.match_session is not None
    assert player.match_session.local_seats is not None
    table = player.match_session.local_seats.table
    put_out = {seat for seat in table.gone if table.how(seat) != "left"}
    return [
        place.id
        for seat, place in enumerate(resume_record.terms.participants)
        if seat not in put_out
    ]


def first_here(own: bytes, company: Sequence[bytes], mesh: Mesh) -> bytes | None:
    """Return the first player of the match that is here; None if it is our own."""
    first = next((peer for peer in company if peer == own or peer in mesh.links()), own)
    return None if first == own else first


async def _go_online(
    stack: AsyncExitStack, context: Context, player: Player, resume_record: ResumeRecord
) -> Admission:
    """Listen on the same port as before, so that peers reach us at once; if taken, on any."""
    if context.port is None:
        with suppress(PortInUse):
            return await stack.enter_async_context(
                online(replace(context, port=resume_record.port), player.tell)
            )
    return await stack.enter_async_context(online(context, player.tell))
