"""`sobremesa host`: open a table, wait until it is full, play."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.common import (
    add_computers,
    add_game,
    add_partner,
    number,
    read_choice,
    read_computers,
)
from client.commands.seat import add_seat_arguments, seat_me
from client.i18n.translation import _
from client.session.hosting import Opening, open_table
from client.session.status import UsageError
from client.session.table_choices import LIMIT_S, LONGEST_LIMIT_S, name_fault
from client.ui.choose import full_screen, open_context, run_session
from client.ui.games import words_of
from p2p.table.house import HINTS, USUAL, House

EXAMPLE = "sobremesa host escoba --seats 4 --bots 1 --nick Ane"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `host`."""
    add_game(parser)
    parser.add_argument(
        "--bots",
        metavar="N",
        type=number(0, 9),
        help=_("number of computer players (default: as many as --computers names, else none)"),
    )
    add_computers(parser)
    parser.add_argument(
        "--private",
        action="store_true",
        help=_("only players with the invite may join; the table is not announced"),
    )
    parser.add_argument(
        "--spectators", action="store_true", help=_("allow spectators; they see no hidden cards")
    )
    parser.add_argument(
        "--guest-computers",
        action="store_true",
        help=_("let guests bring computer players of their own"),
    )
    parser.add_argument(
        "--table",
        metavar=_("NAME"),
        help=_("the name of the table, by which others can join it (default: a random name)"),
    )
    parser.add_argument(
        "--limit",
        metavar=_("SECONDS"),
        type=number(1, LONGEST_LIMIT_S),
        default=LIMIT_S,
        help=_("seconds before an absent player can be voted out (default: {limit})").format(
            limit=LIMIT_S
        ),
    )
    parser.add_argument(
        "--hints",
        choices=HINTS,
        default=USUAL.hints,
        help=_(
            "hints in a match between people: none, told (all learn of each) or free (default: "
            "none)"
        ),
    )
    add_partner(parser)
    add_seat_arguments(parser)


def run(args: Namespace) -> int:
    """Play until the match is over."""
    choice = read_choice(args)
    computers = read_computers(choice.game, args.computers, choice.seats - 1)
    bots = len(computers) if args.bots is None else args.bots
    if bots >= choice.seats:
        raise UsageError(
            _("of {seats} seats at most {bots} can be computer players").format(
                seats=choice.seats, bots=choice.seats - 1
            )
        )
    name = args.table or ""
    if why := name_fault(name):
        raise UsageError(why)
    opening = Opening(
        choice.game,
        choice.seats,
        choice.options,
        bots,
        computers,
        name,
        args.limit,
        private=args.private,
        spectators=args.spectators,
        several=args.guest_computers,
        house=House(args.hints, args.partner),
        held=full_screen(args),
    )
    # loaded before the table opens: a waiting user may press Ctrl-C at any time
    words_of(choice.game)
    context = open_context(args)
    me = seat_me(context, args)
    with context.home.locked():
        return run_session(args, context, lambda player: open_table(context, player, me, opening))
