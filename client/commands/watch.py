"""Look on at a match, where its players have agreed to that."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import trio

from client.commands.common import number
from client.commands.join import look_for
from client.console import Console
from client.contacts import Contacts
from client.joining import Way, direct
from client.meeting import discovery_or_none, heed_signals, refusal
from client.messages import Notice
from client.player import Player
from client.status import Status
from client.store import Home, open_home
from client.version import version
from client.watching import Watch
from client.words import _
from p2p.net.mesh import open_mesh
from p2p.net.sighting import Sighting
from p2p.table.lobby import Refused

EXAMPLE = "sobremesa watch 192.168.1.23"


def add_arguments(parser: ArgumentParser) -> None:
    """Let a parser take what `watch` takes."""
    about = _("a table's name, or HOST[:PORT] of one who plays; otherwise the table that is found on this network")
    parser.add_argument("where", metavar="TABLE", nargs="?", help=about)
    parser.add_argument(
        "--wait", metavar="SECONDS", type=number(1, 3600), default=30, help=_("how long to look for a table; otherwise 30")
    )
    parser.add_argument("--auto", action="store_true", help=_("read nothing from the keyboard"))
    parser.add_argument("--brief", action="store_true", help=_("tell only what happens once a deal"))


def run(args: Namespace) -> int:
    """Look on until the match is over."""
    home = open_home()
    way = direct(args.where) if args.where is not None else None
    with home.locked():
        return trio.run(_watch, args, home, Console(brief=args.brief), way)


async def _watch(args: Namespace, home: Home, player: Player, way: Way | None) -> int:
    contacts = Contacts(home.path)
    async with open_mesh(
        home.identity(), home.pem(), interface=args.interface, port=0, program=version(), blocked=contacts.blocked()
    ) as mesh:
        way = way or await _find(args, contacts, player)
        peer = await mesh.dial(list(way.addresses), way.expect)
        sealed: bool | None = None
        try:
            async with trio.open_nursery() as nursery:
                player.stop = nursery.cancel_scope.cancel
                nursery.start_soon(heed_signals, player)
                if not args.auto:
                    nursery.start_soon(player.read)
                sealed = await Watch(home, mesh, player.tell).run(peer)
                nursery.cancel_scope.cancel()
        except* Refused as group:
            raise refusal(_first(group)) from None
    if sealed is None:
        return Status.OK if player.quit is None else player.quit
    return Status.OK if sealed else Status.FAILED


async def _find(args: Namespace, contacts: Contacts, player: Player) -> Way:
    async with discovery_or_none(args.interface, player.tell) as discovery:
        sighting = await look_for(discovery, args, contacts.blocked(), _any)
    player.tell(Notice("watch-found", {"table": sighting.table, "nick": sighting.nick}))
    return Way(sighting.addresses, sighting.id)


def _any(sighting: Sighting, name: str | None) -> bool:
    return name is None or sighting.table == name


def _first(group: BaseExceptionGroup[Refused]) -> Refused:
    inner = group.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner
