"""`sobremesa rules`: explain a game, briefly enough to read before the first deal."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser, Namespace

from client.commands.common import read_game
from client.i18n.translation import _
from client.ui.games.options import rules_of
from client.ui.plain.printing import say
from client.ui.wrap import wrapped
from engine.games import GAMES

EXAMPLE = "sobremesa rules escoba"
WIDEST = 100
"""The most columns; longer lines are hard to read."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `rules`."""
    parser.add_argument("game", metavar=_("GAME"), help=", ".join(GAMES))


def run(args: Namespace) -> int:
    """Print the rules."""
    game = read_game(args.game).name
    width = min(shutil.get_terminal_size().columns, WIDEST)
    before = ""
    for paragraph in rules_of(game):
        if before and not (before.startswith(" ") and paragraph.startswith(" ")):
            say()
        say(*_paragraph(paragraph, width))
        before = paragraph
    more = _(
        "Learn it by playing: sobremesa learn {game}. Options: sobremesa games. Against the "
        "computer: sobremesa play {game}"
    ).format(game=game)
    say("", *_paragraph(more, width))
    return 0


def _paragraph(text: str, width: int) -> list[str]:
    return [line if text.startswith(" ") else line.strip() for line in wrapped(text, width)]
