"""A match against computer players: each a real seat with its own keys, behind the real protocol, in this one process."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

import trio

from client.app import Outcome, Party
from client.commands.common import add_game, read_choice
from client.console import Console
from client.meeting import PACE, add_seat_arguments, seat_bots, seat_me, spend, table_name
from client.store import open_home
from engine.games import game_class
from p2p.table.lobby import Draft

EXAMPLE = "sobremesa play escoba --seats 3 --option target=11"


def add_arguments(parser: ArgumentParser) -> None:
    """Let a parser take what `play` takes."""
    add_game(parser)
    add_seat_arguments(parser, listen=False)


def run(args: Namespace) -> int:
    """Play until the match is over."""
    choice = read_choice(args)
    home = open_home()
    with home.locked():
        seatings = [seat_me(home, args), *seat_bots(home, choice.seats - 1)]
        console = Console(brief=args.brief)
        rules = game_class(choice.game).version
        draft = Draft(
            table_name(), choice.game, rules, dict(choice.options), limit=60, spectators=False, seats=(None,) * choice.seats
        )

        async def evening(party: Party) -> Outcome:
            return await party.host(draft)

        async def main() -> int:
            party = Party(home, None, seatings, os.urandom, console.tell, pace=0 if args.auto else PACE)
            return await spend(party, console, evening, auto=args.auto)

        return trio.run(main)
