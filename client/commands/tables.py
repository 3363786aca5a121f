"""`sobremesa tables`: list the tables on this network.

Each announcement is checked over a link before the table is shown as real.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass

import trio

from client.commands.common import number
from client.commands.join import ANOTHER_WAY, BLIND
from client.i18n.notices import NOTICES
from client.i18n.translation import _
from client.session.context import Context
from client.session.messages import Message
from client.session.running import discovery_or_none
from client.session.signals import run_trio
from client.session.status import NetworkError, Status
from client.ui.choose import open_context
from client.ui.plain.printing import say
from crypto.identity import fingerprint
from p2p.net.addresses import on_no_network, show_address
from p2p.net.probe import Prober, open_prober
from p2p.net.sighting import Sighting
from p2p.table.lobby import Draft, TableRefused
from p2p.wire import PROTOCOL, Malformed

EXAMPLE = "sobremesa tables --wait 5 --json"
LOOK_S = 3
"""Seconds to look. The network is asked at once and a second later, and mDNS may delay an answer
for a second and a half: so every table is found even if one question is lost."""
ANSWER_TIMEOUT_S = 3.0
"""Seconds in which a host must confirm its table."""


@dataclass(frozen=True)
class Found:
    """A table: its announcement, and whether its host confirmed it."""

    sighting: Sighting
    real: bool

    def json(self) -> dict[str, object]:
        """Return the object that `--json` prints."""
        seen = self.sighting
        addresses = [show_address(address) for address in seen.addresses]
        facts = {
            "table": seen.table,
            "game": seen.game,
            "nick": seen.nick,
            "taken": seen.seats_taken,
            "seats": seen.seats,
        }
        return {
            **facts,
            "state": seen.state,
            "fingerprint": fingerprint(seen.id),
            "addresses": addresses,
            "protocol": seen.protocol,
            "real": self.real,
        }


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `tables`."""
    parser.add_argument(
        "--wait",
        metavar=_("SECONDS"),
        type=number(1, 600),
        default=LOOK_S,
        help=_("how long to look (default: 3)"),
    )
    parser.add_argument(
        "--json", action="store_true", help=_("print one JSON object for each table")
    )


def run(args: Namespace) -> int:
    """Look, ask, and print."""
    found = run_trio(look, args, open_context(args))
    wide = max([20, *(len(table.sighting.table) for table in found)])  # a table's name is ASCII
    if found and not args.json:
        say(_row(wide, _("TABLE"), _("GAME"), _("SEATS"), _("STATE"), _("OPENED BY")))
    for table in found:
        say(json.dumps(table.json()) if args.json else _line(table, wide))
    if not found and not args.json:
        if on_no_network(args.interface):
            alone = NOTICES["no-network"]
            say(_(alone))
        else:
            say(_("No table was found. Open one with `sobremesa host`."))
    return Status.OK


async def look(args: Namespace, context: Context) -> list[Found]:
    """Return the tables on this network, those of known players and confirmed ones first."""
    excuses: list[Message] = []
    known = context.contacts.welcome()
    async with discovery_or_none(context, excuses.append, known) as discovery:
        if discovery is None:
            if on_no_network(args.interface):
                raise NetworkError(_("this machine is on no network"))
            raise NetworkError(_(BLIND).format(hint=_(ANOTHER_WAY)))
        await trio.sleep(args.wait)
        sightings = list(discovery.seen().values())
    if not sightings:
        return []
    async with open_prober() as prober:
        real = await confirmed(prober, sightings)
    sightings.sort(
        key=lambda sighting: (sighting.id not in known, sighting.id not in real, sighting.table)
    )
    return [Found(sighting, sighting.id in real) for sighting in sightings]


async def confirmed(prober: Prober, sightings: list[Sighting]) -> set[bytes]:
    """Ask all hosts at once, and return the ids of those that confirm their tables.

    Such a host proves its identity and shows the table that it announced. Nobody learns who asks.
    """
    real: set[bytes] = set()

    async def ask(sighting: Sighting) -> None:
        answer = await prober.ask(sighting.id, sighting.addresses)
        if _stands_by(sighting, answer.value):
            real.add(sighting.id)

    with trio.move_on_after(ANSWER_TIMEOUT_S):
        async with trio.open_nursery() as nursery:
            for sighting in sightings:
                nursery.start_soon(ask, sighting)
    return real


def _stands_by(sighting: Sighting, answer: object) -> bool:
    """Whether a host's answer to a `look` agrees with its announcement."""
    if answer == {"t": "refuse", "why": "playing"}:
        return sighting.state == "playing"
    try:
        draft = Draft.read(answer) if isinstance(answer, dict) else None
    except (Malformed, TableRefused):
        return False
    claim = (sighting.table, sighting.game, sighting.seats)
    return draft is not None and (draft.table, draft.game, len(draft.seats)) == claim


def _line(table: Found, wide: int) -> str:
    seen = table.sighting
    states = {"open": _("open"), "full": _("full"), "playing": _("playing")}
    state = states.get(seen.state, "?") if table.real else _("does not answer for itself")
    if seen.protocol != PROTOCOL:  # this version cannot join it
        state = _("newer version") if seen.protocol > PROTOCOL else _("older version")
    who = f"{seen.nick} ({fingerprint(seen.id)[:9]})"
    return _row(wide, seen.table, seen.game, f"{seen.seats_taken}/{seen.seats}", state, who)


def _row(wide: int, table: str, game: str, seats: str, state: str, who: str) -> str:
    return f"{table:{wide}} {game:14} {seats:5}  {state:10} {who}"
