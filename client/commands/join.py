"""`sobremesa join`: join a table on this network, at an address, or of an invite."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import aclosing

import trio

from client.commands.common import number
from client.commands.seat import add_seat_arguments, seat_me
from client.i18n.translation import _, later
from client.session.context import Context
from client.session.finding import table_of_known
from client.session.joining import join_table
from client.session.messages import Message, Notice
from client.session.player import Player
from client.session.route import Route, direct
from client.session.running import discovery_or_none
from client.session.status import NetworkError, UsageError
from client.storage.contacts import Contacts
from client.ui.choose import full_screen, open_context, run_session, show_lobby
from client.ui.interactive import interactive
from client.ui.plain.console import read_lines
from client.ui.plain.printing import say
from p2p.net.addresses import reachable_hosts, show_address
from p2p.net.discovery import Discovery
from p2p.net.sighting import Sighting, TableGone

EXAMPLE = "sobremesa join 192.168.1.23 --nick Jon"
SETTLE = 2.0
"""Seconds to look even after a table was seen: there may be more. If several programs share port
5353, answers to zeroconf's first question may get lost; it asks again after a second."""


ANOTHER_WAY = later("join with an address or an invite, or open one with `sobremesa host`")
"""The hint for a player who finds no table."""
BLIND = later("the program cannot find tables on this network: {hint}")
"""The error without discovery."""
UNSEEN = 3.0
"""Seconds without an announced table after which contacts are asked."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `join`."""
    about = _(
        "a table's name, HOST[:PORT] or an invite (default: on a terminal the lobby; with --plain "
        "the table found on this network, chosen by you if there are several)"
    )
    parser.add_argument("where", metavar=_("TABLE"), nargs="?", help=about)
    parser.add_argument(
        "--wait",
        metavar=_("SECONDS"),
        type=number(1, 3600),
        default=30,
        help=_("how long to look for a table (default: 30)"),
    )
    about = _("number of computer players that you bring, if the host allows that")
    parser.add_argument("--bots", metavar="N", type=number(0, 9), default=0, help=about)
    add_seat_arguments(parser)


def run(args: Namespace) -> int:
    """Play until the match is over.

    On the full screen, without TABLE, show the lobby.
    """
    if full_screen(args) and args.where is None:
        return show_lobby(args)
    context = open_context(args)
    route = direct(args.where) if args.where is not None else None
    me = seat_me(context, args)

    async def session(player: Player) -> int:
        async def find() -> Route:
            return route or await _look_everywhere(args, context, player.tell)

        return await join_table(context, player, me, find, held=full_screen(args), bots=args.bots)

    with context.home.locked():
        return run_session(args, context, session)


async def _look_everywhere(
    args: Namespace, context: Context, tell: Callable[[Message], None]
) -> Route:
    """Look for announced tables, and after a while without any, for tables of contacts.

    Contacts are asked at their last known addresses.
    """
    contacts = context.contacts
    ways: list[Route] = []
    async with (
        discovery_or_none(context, tell, contacts.welcome()) as discovery,
        trio.open_nursery() as nursery,
    ):
        tell(
            Notice("look-for", {"table": args.where}) if args.where else Notice("look-for-any", {})
        )

        async def remember() -> None:
            await trio.sleep(UNSEEN if discovery is not None else 0)
            known = await table_of_known(context, args.where)
            announced = discovery.seen().values() if discovery is not None else ()
            if known is not None and not any(
                is_wanted(sighting, args.where) for sighting in announced
            ):
                tell(
                    Notice("table-known", {"table": known.draft.table, "nick": known.contact.nick})
                )
                ways.append(Route(known.addresses, known.contact.id, found="known"))
                nursery.cancel_scope.cancel()

        async def look() -> None:
            try:
                sighting = await look_for(discovery, args, contacts, is_wanted, _(ANOTHER_WAY))
            except NetworkError:
                await remembering.wait()
                raise
            tell(Notice("table-found", {"table": sighting.table, "nick": sighting.nick}))
            ways.append(Route(sighting.addresses, sighting.id, found="zeroconf"))
            nursery.cancel_scope.cancel()

        remembering = trio.Event()
        nursery.start_soon(look)
        await remember()
        remembering.set()
    return ways[0]


async def look_for(
    discovery: Discovery | None,
    args: Namespace,
    contacts: Contacts,
    wanted: Callable[[Sighting, str | None], bool],
    hint: str,
) -> Sighting:
    """Return the one table that is `wanted`, with the typed name if there is one.

    Anybody can use a name: so a contact's table comes first, and among several others our player
    chooses. Tables of blocked players are left out. In a crowd, strangers must have proven their
    keys. NetworkError with `hint` if none is found, UsageError if the choice is unclear.
    """
    if discovery is None:
        raise NetworkError(_(BLIND).format(hint=hint))
    blocked, known = contacts.blocked(), contacts.welcome()
    found: dict[bytes, Sighting] = {}
    began = trio.current_time()
    with trio.move_on_after(args.wait) as scope:
        async for news in discovery.sightings():
            believed = (
                isinstance(news, TableGone)
                or news.proven
                or news.id in known
                or not discovery.crowded()
            )
            if (
                isinstance(news, Sighting)
                and believed
                and news.id not in blocked
                and wanted(news, args.where)
            ):
                if args.where is not None and news.id in known:
                    return news
                if not found:
                    scope.deadline = max(began + SETTLE, trio.current_time() + SETTLE / 4)
                found[news.id] = news
            elif news.id in found:
                del found[news.id]
                if not found:
                    scope.deadline = began + args.wait
    if discovery.crowded():
        found = {player: seen for player, seen in found.items() if seen.proven or player in known}
    if not found:
        missing = (
            _("no table called {name} was found in {seconds} s on the network of {addresses}")
            if args.where
            else _("no table was found in {seconds} s on the network of {addresses}")
        )
        addresses = args.interface or ", ".join(reachable_hosts())
        sentence = missing.format(name=args.where, seconds=args.wait, addresses=addresses)
        raise NetworkError(f"{sentence} (UDP 5353); {hint}")
    return await pick(sorted(found.values(), key=lambda sighting: sighting.table), args)


def is_wanted(sighting: Sighting, name: str | None) -> bool:
    """Whether a table has this name; without one, whether it has a free seat."""
    if name is not None:
        return sighting.table == name
    return sighting.state == "open" and sighting.seats_taken < sighting.seats


async def pick(tables: list[Sighting], args: Namespace) -> Sighting:
    """Let the player choose among several tables."""
    if len(tables) == 1:
        return tables[0]
    if args.auto or not interactive():
        if args.where is not None:
            said = _("several tables are called {name}; use an address or an invite")
            raise UsageError(said.format(name=args.where))
        names = ", ".join(sighting.table for sighting in tables)
        raise UsageError(_("several tables are open; name one: {names}").format(names=names))
    for place, sighting in enumerate(tables, 1):
        seats = f"{sighting.seats_taken}/{sighting.seats}"
        where = show_address(sighting.addresses[0]) if sighting.addresses else ""
        say(f"{place}. {sighting.table}  {sighting.game}  {seats}  {sighting.nick}  {where}")
    async with aclosing(read_lines()) as typed:
        while True:
            say(_("Which table (1 to {count})?").format(count=len(tables)), end=" ", flush=True)
            text = (await anext(typed, "")).strip()
            if not text:
                raise UsageError(_("no table was chosen"))
            if (
                text.isascii()
                and text.isdecimal()
                and len(text) <= 3
                and 1 <= int(text) <= len(tables)
            ):
                return tables[int(text) - 1]
