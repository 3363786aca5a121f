"""`sobremesa watch`: watch a match as a spectator, if its players allow that."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.common import number
from client.commands.join import look_for
from client.commands.showing import add_browser_arguments
from client.i18n.translation import _
from client.session.context import Context
from client.session.messages import Notice
from client.session.player import Player
from client.session.route import Route, direct
from client.session.running import discovery_or_none
from client.session.spectator.watching import watch_match
from client.ui.choose import open_context, run_session
from p2p.net.sighting import Sighting

EXAMPLE = "sobremesa watch 192.168.1.23"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `watch`."""
    about = _(
        "an invite, a table's name, or HOST[:PORT] of a player (default: the table found on this "
        "network)"
    )
    parser.add_argument("where", metavar=_("TABLE"), nargs="?", help=about)
    parser.add_argument(
        "--wait",
        metavar=_("SECONDS"),
        type=number(1, 3600),
        default=30,
        help=_("how long to look for a table (default: 30)"),
    )
    parser.add_argument("--auto", action="store_true", help=_("read nothing from the keyboard"))
    parser.add_argument(
        "--brief", action="store_true", help=_("print only the events that happen once a deal")
    )
    add_browser_arguments(parser)


def run(args: Namespace) -> int:
    """Watch until the match is over."""
    context = open_context(args)
    route = direct(args.where) if args.where is not None else None

    async def session(player: Player) -> int:
        async def find() -> Route:
            return route or await _find(args, context, player)

        return await watch_match(context, player, find, auto=args.auto)

    with context.home.locked():
        return run_session(args, context, session)


async def _find(args: Namespace, context: Context, player: Player) -> Route:
    async with discovery_or_none(context, player.tell, context.contacts.welcome()) as discovery:
        hint = _(
            "private tables and resumed matches are not announced: type the invite, or the "
            "address of a player of a match that was resumed"
        )
        named = Notice("look-for", {"table": args.where})
        player.tell(named if args.where else Notice("look-to-watch"))
        sighting = await look_for(discovery, args, context.contacts, _any, hint)
    player.tell(Notice("watch-found", {"table": sighting.table, "nick": sighting.nick}))
    return Route(sighting.addresses, sighting.id)


def _any(sighting: Sighting, name: str | None) -> bool:
    return name is None or sighting.table == name
