"""`sobremesa phone`: show a code with which a phone plays through this program."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.showing import add_browser_arguments
from client.i18n.translation import _
from client.session.status import UsageError
from client.storage.nicks import fit_nick
from client.ui.choose import full_screen, open_context, show_lobby

EXAMPLE = "sobremesa phone --name Jon"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `phone`."""
    parser.add_argument(
        "--name",
        metavar=_("NAME"),
        help=_("the name of the player on the phone; without it the phone asks"),
    )
    add_browser_arguments(parser)


def run(args: Namespace) -> int:
    """Show the code, and let phones play until our player quits."""
    if args.name is not None and not fit_nick(args.name):
        raise UsageError(_("--name must not be empty"))
    from client.ui.screen.messages import ShowCode  # noqa: PLC0415 - the screens

    wanted = ShowCode(nick=fit_nick(args.name or ""))
    if full_screen(args):
        return show_lobby(Namespace(**vars(args), phone=wanted))
    from client.ui.phone.printed import print_phones  # noqa: PLC0415 - only without a screen

    context = open_context(args)
    with context.home.locked():
        return print_phones(context, wanted)
