"""Arguments of the commands that play: a person or a computer in our seat, and the nick."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.common import number
from client.commands.showing import add_browser_arguments
from client.i18n.translation import _
from client.session.context import Context
from client.session.setup_rules import LocalPlayer, own_seat
from client.storage.nicks import nick_of
from client.storage.settings import with_nick
from p2p.table.terms import COMPUTER, PERSON


def add_seat_arguments(parser: ArgumentParser, *, nick: bool = True, listen: bool = True) -> None:
    """Add the arguments about our seat to a parser."""
    if nick:
        parser.add_argument(
            "--nick",
            metavar=_("NICK"),
            help=_("your nick (default: the name in the settings, or your login name)"),
        )
    parser.add_argument(
        "--auto",
        action="store_true",
        help=_("let a computer player take your seat; read nothing from the keyboard"),
    )
    if listen:
        about = _(
            "with --auto: answer as soon as possible; the others may then guess its cards from the "
            "time that it takes"
        )
        parser.add_argument("--at-once", action="store_true", help=about)
    parser.add_argument(
        "--brief", action="store_true", help=_("print only the events that happen once a deal")
    )
    add_browser_arguments(parser)
    if listen:
        about = _("listen on this port (default: 47747 or one near it)")
        parser.add_argument("--port", metavar=_("PORT"), type=number(1, 65535), help=about)


def seat_me(context: Context, args: Namespace) -> LocalPlayer:
    """Return our own seat, with a computer player in it if `--auto` asks for one."""
    given = "" if args.auto else getattr(args, "nick", None) or ""
    nick = nick_of(args, with_nick(context.home.path, given).nick)
    kind = COMPUTER if args.auto else PERSON
    return LocalPlayer(
        own_seat(context, nick, kind),
        bot=args.auto,
        at_once=getattr(args, "at_once", False),
    )
