"""Back into a match after a crash or a closed window: the same seat, the same hand."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from contextlib import AsyncExitStack
from functools import partial

import trio

from client.app import Outcome, Party
from client.console import Console
from client.meeting import PACE, Doorkeeper, add_seat_arguments, discovery_or_none, spend
from client.messages import Notice
from client.status import UsageError
from client.store import Home, open_home
from client.unfinished import Unfinished, all_unfinished
from client.version import version
from client.words import _, language
from p2p.net.discovery import Discovery
from p2p.net.errors import NoDiscovery, PortInUse
from p2p.net.mesh import Mesh, open_mesh
from p2p.net.sighting import Advert, Sighting
from p2p.table.terms import PROTOCOL

EXAMPLE = "sobremesa resume"


def add_arguments(parser: ArgumentParser) -> None:
    """Let a parser take what `resume` takes."""
    about = _("the beginning of a match's id, as its log is called; otherwise the newest match that is not finished")
    parser.add_argument("match", metavar="MATCH", nargs="?", help=about)
    add_seat_arguments(parser, nick=False)


def run(args: Namespace) -> int:
    """Play until the match is over."""
    home = open_home()
    with home.locked():
        unfinished = _pick(all_unfinished(home), args.match)
        return trio.run(_resume, args, home, unfinished)


def _pick(waiting: list[Unfinished], name: str | None) -> Unfinished:
    """Return the match that is meant. UsageError if there is none, or more than one."""
    if not waiting:
        raise UsageError(_("there is no unfinished match to go back into"))
    if name is None:
        return waiting[0]
    meant = [unfinished for unfinished in waiting if unfinished.name.startswith(name)]
    if len(meant) != 1:
        names = ", ".join(unfinished.name for unfinished in waiting)
        raise UsageError(
            _("{match!r} is not the beginning of one unfinished match; there is {known}").format(match=name, known=names)
        )
    return meant[0]


async def _resume(args: Namespace, home: Home, unfinished: Unfinished) -> int:
    console = Console(brief=args.brief)
    seatings = unfinished.seatings(home, os.urandom, auto=args.auto)
    people = len(unfinished.terms.places) - sum(seating.bot for seating in seatings) > 0
    pace = 0 if args.auto or not people else PACE

    async def evening(party: Party) -> Outcome:
        return await party.resume(unfinished)

    console.tell(Notice("resumed", {"match": unfinished.name}))
    if not unfinished.nodes:  # all who play are in this process
        return await spend(Party(home, None, seatings, os.urandom, console.tell, pace=pace), console, evening, auto=args.auto)
    door = Doorkeeper(home, console.tell)
    async with AsyncExitStack() as stack:
        mesh = await _open_mesh(stack, args, home, unfinished, door)
        discovery = await stack.enter_async_context(discovery_or_none(args, console.tell))
        party = Party(home, mesh, seatings, os.urandom, door.remembering(mesh), pace=pace)
        console.compare = partial(door.compare, mesh)
        async with trio.open_nursery() as nursery:
            if discovery is not None:
                nursery.start_soon(_be_found, discovery, _advert(home, unfinished, mesh))
                nursery.start_soon(_find, discovery, mesh, unfinished)
            status = await spend(party, console, evening, auto=args.auto)
            nursery.cancel_scope.cancel()
    return status


async def _open_mesh(stack: AsyncExitStack, args: Namespace, home: Home, unfinished: Unfinished, door: Doorkeeper) -> Mesh:
    """Listen where we did before, so that who dials us finds us at once; where that cannot be, anywhere."""
    identity, pem, blocked = home.identity(), home.pem(), door.contacts.blocked()
    opened = partial(open_mesh, identity, pem, interface=args.interface, program=version(), blocked=blocked)
    if args.port is not None:
        return await stack.enter_async_context(opened(port=args.port))
    try:
        return await stack.enter_async_context(opened(port=unfinished.port))
    except PortInUse:
        return await stack.enter_async_context(opened())


def _advert(home: Home, unfinished: Unfinished, mesh: Mesh) -> Advert:
    """Return what we say of ourselves: a match that is being played, under its own name."""
    places, own = unfinished.terms.places, home.identity().id
    nick = next((place.nick for place in places if place.id == own), "")
    seats = len(places)
    return Advert(
        own,
        nick,
        unfinished.terms.game,
        unfinished.name,
        seats,
        seats,
        "playing",
        mesh.port,
        protocol=PROTOCOL,
        language=language(),
    )


async def _be_found(discovery: Discovery, advert: Advert) -> None:
    """Let peers that have moved find us by zeroconf. Without it we dial them, and they us, where we were."""
    try:
        await discovery.update(advert)
    except NoDiscovery:
        return  # that nobody can be found by name has been told already, or is no loss to who dials


async def _find(discovery: Discovery, mesh: Mesh, unfinished: Unfinished) -> None:
    """Dial peers of this match where zeroconf says that they are now."""
    peers = {node.id for node in unfinished.nodes}
    async for news in discovery.sightings():
        if isinstance(news, Sighting) and news.id in peers:
            mesh.keep(news.id, news.addresses)
