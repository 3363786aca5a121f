"""`sobremesa learn`: the lesson of a game, on an open table in this process, without a log."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.common import read_game
from client.commands.showing import add_browser_arguments
from client.i18n.translation import _
from client.session.lesson import teach
from client.storage.nicks import nick_of
from client.storage.settings import read_settings
from client.ui.choose import open_context, run_session
from client.ui.games import lesson_of
from engine.games import GAMES

EXAMPLE = "sobremesa learn escoba"


def add_arguments(parser: ArgumentParser) -> None:
    """Take the game."""
    parser.add_argument("game", metavar=_("GAME"), help=", ".join(GAMES))
    add_browser_arguments(parser)
    parser.set_defaults(brief=False)


def run(args: Namespace) -> int:
    """Teach until the match of the lesson is over."""
    course, context = lesson_of(read_game(args.game).name).course, open_context(args)
    with context.home.locked():
        nick = nick_of(args, read_settings(context.home.path).nick)
        return run_session(args, context, lambda player: teach(player, course, nick))
