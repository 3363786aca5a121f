"""`sobremesa play`: a match against computer players in this process, with the real protocol.

Each computer player is a real seat with its own keys.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.common import add_computers, add_game, add_partner, read_choice, read_computers
from client.commands.seat import add_seat_arguments, seat_me
from client.session.hosting import Opening, play_alone
from client.ui.choose import open_context, run_session
from p2p.table.house import House

EXAMPLE = "sobremesa play escoba --seats 3 --option target=11"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `play`."""
    add_game(parser)
    add_computers(parser)
    add_partner(parser)
    add_seat_arguments(parser, listen=False)


def run(args: Namespace) -> int:
    """Play until the match is over."""
    choice = read_choice(args)
    computers = read_computers(choice.game, args.computers, choice.seats - 1)
    context = open_context(args)
    with context.home.locked():
        me = seat_me(context, args)
        opening = Opening(
            choice.game,
            choice.seats,
            choice.options,
            computers=computers,
            house=House(partner=args.partner),
        )
        return run_session(args, context, lambda player: play_alone(context, player, me, opening))
