"""Open a table, wait until it is full, play."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import trio

from client.app import Outcome, Party
from client.commands.common import Choice, add_game, number, read_choice
from client.console import Console
from client.gathering import Gathering
from client.meeting import PACE, Doorkeeper, add_seat_arguments, discovery_or_none, nick_of, seat_bots, seat_me, spend, table_name
from client.messages import Message, Notice
from client.status import UsageError
from client.store import Home, open_home
from client.version import version
from client.words import _, language
from engine.games import game_class
from p2p.net.discovery import Discovery
from p2p.net.errors import NoDiscovery
from p2p.net.invite import MOST_ADDRESSES, Invite
from p2p.net.mesh import Mesh, open_mesh
from p2p.net.sighting import Advert
from p2p.table.lobby import Draft
from p2p.table.terms import PROTOCOL

EXAMPLE = "sobremesa host escoba --seats 4 --bots 1 --nick Ane"
SECRET = 5
"""Bytes of an invite's secret."""
LIMIT = 60
"""Seconds that a seat may be away before the others may go on without it."""


def add_arguments(parser: ArgumentParser) -> None:
    """Let a parser take what `host` takes."""
    add_game(parser)
    parser.add_argument(
        "--bots", metavar="K", type=number(0, 9), default=0, help=_("let computer players take so many of the seats")
    )
    parser.add_argument("--private", action="store_true", help=_("only who has the invite may join; the table is not announced"))
    parser.add_argument("--table", metavar="NAME", help=_("the name by which others join it; otherwise one is made up"))
    parser.add_argument(
        "--limit",
        metavar="SECONDS",
        type=number(1, 86400),
        default=LIMIT,
        help=_("after how long the others may go on without a player for whom the table waits; otherwise {limit}").format(
            limit=LIMIT
        ),
    )
    add_seat_arguments(parser)


def run(args: Namespace) -> int:
    """Play until the match is over."""
    choice = read_choice(args)
    if args.bots >= choice.seats:
        raise UsageError(
            _("of {seats} seats at most {bots} can be computer players").format(seats=choice.seats, bots=choice.seats - 1)
        )
    name = args.table or table_name()
    if not (name.isascii() and name.replace("-", "").replace("_", "").isalnum() and len(name) <= 32):
        raise UsageError(_("a table's name is at most 32 letters, digits and dashes, not {name!r}").format(name=name))
    home = open_home()
    with home.locked():
        return trio.run(_host, args, choice, name, home)


async def _host(args: Namespace, choice: Choice, name: str, home: Home) -> int:
    console = Console(brief=args.brief)
    seatings = [seat_me(home, args), *seat_bots(home, args.bots)]
    rules = game_class(choice.game).version
    draft = Draft(
        name, choice.game, rules, dict(choice.options), limit=args.limit, spectators=False, seats=(None,) * choice.seats
    )
    secret = os.urandom(SECRET)
    identity = home.identity()
    people = choice.seats - args.bots > 1
    door = Doorkeeper(home, console.tell)
    blocked = door.contacts.blocked()
    async with open_mesh(
        identity, home.pem(), interface=args.interface, port=args.port, program=version(), blocked=blocked
    ) as mesh:
        hosts = [host for host, _port in mesh.addresses() if "%" not in host][:MOST_ADDRESSES]
        invite = Invite(tuple(hosts), mesh.port, identity.id[:10], secret)
        where = Notice("table-open", {"table": name, "invite": str(invite), "port": mesh.port})
        async with discovery_or_none(args, console.tell) as discovery, trio.open_nursery() as nursery:
            tell = door.remembering(mesh)
            party = Party(home, mesh, seatings, os.urandom, tell, pace=0 if args.auto or not people else PACE)
            party.gathering.vet = door.vet_guests
            console.compare = partial(door.compare, mesh)
            if args.private:
                party.gathering.changed = _inviter(party.gathering, invite, console.tell)
            elif discovery is not None:
                party.gathering.changed = _announcer(args, mesh, discovery, nursery, identity.id, console.tell)
            console.tell(where)

            async def evening(party: Party) -> Outcome:
                return await party.host(draft, secret if args.private else b"")

            status = await spend(party, console, evening, auto=args.auto)
            nursery.cancel_scope.cancel()
    return status


def _inviter(gathering: Gathering, invite: Invite, tell: Callable[[Message], None]) -> Callable[[Draft], None]:
    """Return what shows the next invite to a private table as soon as the one before has let somebody in."""
    shown = [invite.secret]

    def changed(draft: Draft) -> None:
        if draft.taken < len(draft.seats) and gathering.secret != shown[-1]:
            shown.append(gathering.secret)
            tell(Notice("next-invite", {"invite": str(replace(invite, secret=gathering.secret))}))

    return changed


def _announcer(
    args: Namespace, mesh: Mesh, discovery: Discovery, nursery: trio.Nursery, who: bytes, tell: Callable[[Message], None]
) -> Callable[[Draft], None]:
    """Return what tells the LAN about the table at every change, the newest state only."""
    newest: list[Advert] = []
    something = trio.Semaphore(0, max_value=1)

    async def announce() -> None:
        while True:
            await something.acquire()
            try:
                while newest:  # it may have changed again before we came here, and been told with that
                    await discovery.update(newest.pop())
            except NoDiscovery as error:
                # Those who know the address or the invite still come.
                tell(Notice("no-discovery", {"error": _(error.reason)}))

    nursery.start_soon(announce)

    def changed(draft: Draft) -> None:
        state = "open" if draft.taken < len(draft.seats) else "playing"
        advert = partial(Advert, id=who, nick=nick_of(args), game=draft.game, table=draft.table, port=mesh.port)
        newest[:] = [advert(seats_taken=draft.taken, seats=len(draft.seats), state=state, protocol=PROTOCOL, language=language())]
        if not something.value:
            something.release()

    return changed
