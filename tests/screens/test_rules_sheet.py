"""F1: the rules on the full screen, with the keys of one turn."""

from __future__ import annotations

from itertools import pairwise

import pytest

from client.i18n.translation import keys_in_brackets
from client.ui.games import lesson_of, words_of
from client.ui.games.options import rules_of
from client.ui.screen import sheets
from client.ui.wrap import wrapped
from engine.core.moves import IllegalMove, NotAMove
from engine.games import GAMES
from tests.screens.learner import INSIDE, LINES
from tests.screens.stage import Stage


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_begin_with_one_turn_key_by_key(game, language):
    overlay = sheets.rules_sheet(game)
    steps = [keys_in_brackets(step) for step in lesson_of(game).one_turn()]
    assert [line.strip() for line in overlay.lines[1 : len(steps) + 1]] == steps
    assert overlay.lines[len(steps) + 1] == ""
    shown = "\n".join(
        part for line in overlay.lines[: len(steps) + 1] for part in wrapped(line, INSIDE)
    )
    assert shown.count("\n") < LINES, language
    stage = Stage(game, 3 if game == "kinaskak" else 2).press("f1")
    assert stage.state.overlay.lines[: len(steps) + 2] == overlay.lines[: len(steps) + 2]


def is_typed(game, line):
    """Whether a line is typed in the plain interface: moves of the game, separated by points."""
    players = min(GAMES[game].allowed_players)
    match = GAMES[game](players, GAMES[game].defaults(players))
    try:
        for move in line.split(" · "):
            match.read(words_of(game).in_notation(move), 0, {})
    except NotAMove:
        return False
    except IllegalMove:  # well formed: a card is not there
        return True
    return True


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_show_what_is_typed_only_where_moves_are_typed(game, language):
    assert [line for line in rules_of(game) if is_typed(game, line)]
    shown = [line for line in sheets.rules_sheet(game).lines if line]
    assert not [line for line in shown if is_typed(game, line)]
    assert all(
        following.startswith("  ") for line, following in pairwise(shown) if line.endswith(":")
    )
