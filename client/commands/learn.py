"""`sobremesa learn`: the lesson of a game, on an open table in this process, without a log."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.common import UsageError, read_game
from client.commands.showing import add_browser_arguments
from client.i18n.translation import _
from client.session.lesson import teach
from client.storage.nicks import nick_of
from client.storage.settings import read_settings
from client.ui.choose import open_context, run_session
from client.ui.games import lesson_named, lessons, title_of
from engine.games import GAMES

EXAMPLE = "sobremesa learn escoba"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `learn`."""
    parser.add_argument("game", metavar=_("GAME"), help=", ".join(GAMES))
    about = _("an option of the game that has a lesson of its own: {lessons}")
    known = [name.replace(":", " ") for name in lessons() if ":" in name]
    parser.add_argument(
        "option",
        metavar=_("OPTION"),
        nargs="?",
        default="",
        help=about.format(lessons=", ".join(known)),
    )
    add_browser_arguments(parser)
    parser.set_defaults(brief=False)


def run(args: Namespace) -> int:
    """Teach until the match of the lesson is over."""
    course, context = lesson_named(_lesson(args)).course, open_context(args)
    with context.home.locked():
        nick = nick_of(args, read_settings(context.home.path).nick)
        return run_session(args, context, lambda player: teach(player, course, nick))


def _lesson(args: Namespace) -> str:
    """Return the name of the lesson in the arguments.

    If there is none, raise UsageError with the lessons of this game.
    """
    game = read_game(args.game).name
    name = f"{game}:{args.option}" if args.option else game
    if name in lessons():
        return name
    known = [found.partition(":")[2] for found in lessons() if found.startswith(f"{game}:")]
    line = (
        _("{game} has no lesson of {option!r}; it has one of: {known}")
        if known
        else _("{game} has no lesson of {option!r}, only the lesson of the game")
    )
    raise UsageError(line.format(game=title_of(game), option=args.option, known=", ".join(known)))
