"""Sit down at somebody's table: one found on this network, one at an address, or the one that an invite is for."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Collection, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial

import trio

from client.app import Outcome, Party
from client.commands.common import number
from client.console import Console, interactive, read_lines
from client.contacts import Contacts
from client.finding import table_of_known
from client.meeting import PACE, Doorkeeper, add_seat_arguments, discovery_or_none, refusal, seat_me, spend
from client.messages import Message, Notice
from client.status import NetworkError, UsageError
from client.store import Home, open_home
from client.version import version
from client.words import _
from p2p.net.addresses import Address, parse_address, show_address
from p2p.net.discovery import Discovery
from p2p.net.invite import looks_like_invite, parse_invite
from p2p.net.mesh import open_mesh
from p2p.net.sighting import Sighting
from p2p.table.lobby import Refused

EXAMPLE = "sobremesa join 192.168.1.23 --nick Jon"
SETTLE = 2.0
"""Seconds that we look even if a table was seen at once: there may be more.

The answers to zeroconf's first question may go astray where several programs share port 5353; it asks again after one second.
"""


UNSEEN = 3.0
"""Seconds without a table announced, after which those we know are asked."""


@dataclass(frozen=True)
class Way:
    """How to get to a table."""

    addresses: Sequence[Address]
    expect: bytes | None = None
    secret: bytes = field(default=b"", repr=False)
    found: str = "address"


def add_arguments(parser: ArgumentParser) -> None:
    """Let a parser take what `join` takes."""
    about = _("a table's name, HOST[:PORT] or an invite; otherwise the table that is found on this network")
    parser.add_argument("where", metavar="TABLE", nargs="?", help=about)
    parser.add_argument(
        "--wait", metavar="SECONDS", type=number(1, 3600), default=30, help=_("how long to look for a table; otherwise 30")
    )
    add_seat_arguments(parser)


def run(args: Namespace) -> int:
    """Play until the match is over."""
    home = open_home()
    with home.locked():
        return trio.run(_join, args, home)


async def _join(args: Namespace, home: Home) -> int:
    console = Console(brief=args.brief)
    door = Doorkeeper(home, console.tell)
    identity, blocked = home.identity(), door.contacts.blocked()
    way = _direct(args.where)
    async with open_mesh(
        identity, home.pem(), interface=args.interface, port=args.port, program=version(), blocked=blocked
    ) as mesh:
        if way is None:
            way = await _look_everywhere(args, home, door.contacts, console.tell)
        peer = await mesh.dial(list(way.addresses), way.expect)
        if way.expect is None:
            link = mesh.links().get(peer)
            try:
                door.contacts.vet_address([link.address] if link else way.addresses, peer)
            except Refused as refused:
                raise refusal(refused) from None
        found = way

        async def evening(party: Party) -> Outcome:
            return await party.join(peer, found.secret)

        party = Party(home, mesh, [seat_me(home, args)], os.urandom, door.remembering(mesh), pace=0 if args.auto else PACE)
        party.gathering.vet = door.vet_table
        console.compare = partial(door.compare, mesh)
        try:
            return await spend(party, console, evening, auto=args.auto)
        except* Refused as refused:
            raise refusal(_first(refused)) from None
    raise AssertionError("the evening has an end")


def _direct(where: str | None) -> Way | None:
    """Return the way that an invite or an address names; None if a table is to be looked for."""
    if where is None:
        return None
    if looks_like_invite(where):
        invite = parse_invite(where)
        return Way(invite.addresses, invite.id_prefix, invite.secret, found="invite")
    if any(mark in where for mark in ".:") or where == "localhost":
        return Way(parse_address(where))
    return None


async def _look_everywhere(args: Namespace, home: Home, contacts: Contacts, tell: Callable[[Message], None]) -> Way:
    """Look for announced tables and, when a while has brought none, for those of people we know, where they were before."""
    ways: list[Way] = []
    async with discovery_or_none(args, tell) as discovery, trio.open_nursery() as nursery:

        async def remember() -> None:
            await trio.sleep(UNSEEN if discovery is not None else 0)
            known = await table_of_known(home, contacts, args.interface, args.where)
            announced = discovery.seen().values() if discovery is not None else ()
            if known is not None and not any(_wanted(sighting, args.where) for sighting in announced):
                tell(Notice("table-known", {"table": known.draft.table, "nick": known.contact.nick}))
                ways.append(Way(known.addresses, known.contact.id, found="known"))
                nursery.cancel_scope.cancel()

        async def look() -> None:
            try:
                sighting = await _look(discovery, args, contacts.blocked())
            except NetworkError:
                await remembering.wait()
                raise
            tell(Notice("table-found", {"table": sighting.table, "nick": sighting.nick}))
            ways.append(Way(sighting.addresses, sighting.id, found="zeroconf"))
            nursery.cancel_scope.cancel()

        remembering = trio.Event()
        nursery.start_soon(look)
        await remember()
        remembering.set()
    return ways[0]


async def _look(discovery: Discovery | None, args: Namespace, blocked: Collection[bytes]) -> Sighting:
    """Return the one table that is meant, those of blocked players left out.

    NetworkError if none is found, UsageError if it is not clear which.
    """
    if discovery is None:
        raise NetworkError(_("tables cannot be found here by themselves: join with an address or an invite"))
    found: dict[bytes, Sighting] = {}
    began = trio.current_time()
    with trio.move_on_after(args.wait) as scope:
        async for news in discovery.sightings():
            if isinstance(news, Sighting) and news.id not in blocked and _wanted(news, args.where):
                if args.where is not None:
                    return news
                if not found:
                    scope.deadline = max(began + SETTLE, trio.current_time() + SETTLE / 4)
                found[news.id] = news
            elif news.id in found:
                del found[news.id]
    if not found:
        missing = _("no table called {name} was found in {seconds} s") if args.where else _("no table was found in {seconds} s")
        hint = _("join with an address or an invite, or open one with `sobremesa host`")
        raise NetworkError(missing.format(name=args.where, seconds=args.wait) + "; " + hint)
    return await _pick(sorted(found.values(), key=lambda sighting: sighting.table), args)


def _wanted(sighting: Sighting, name: str | None) -> bool:
    if name is not None:
        return sighting.table == name
    return sighting.state == "open" and sighting.seats_taken < sighting.seats


async def _pick(tables: list[Sighting], args: Namespace) -> Sighting:
    """Let the player choose among several tables."""
    if len(tables) == 1:
        return tables[0]
    if args.auto or not interactive():
        names = ", ".join(sighting.table for sighting in tables)
        raise UsageError(_("several tables are open; name one: {names}").format(names=names))
    for place, sighting in enumerate(tables, 1):
        seats = f"{sighting.seats_taken}/{sighting.seats}"
        where = show_address(sighting.addresses[0]) if sighting.addresses else ""
        print(f"{place}. {sighting.table}  {sighting.game}  {seats}  {sighting.nick}  {where}")
    async with aclosing(read_lines()) as typed:
        while True:
            print(_("Which table (1 to {count})?").format(count=len(tables)), end=" ", flush=True)
            text = (await anext(typed, "")).strip()
            if not text:
                raise UsageError(_("no table was chosen"))
            if text.isascii() and text.isdecimal() and len(text) <= 3 and 1 <= int(text) <= len(tables):
                return tables[int(text) - 1]


def _first(group: BaseExceptionGroup[Refused]) -> Refused:
    inner = group.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner
