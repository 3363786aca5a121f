"""F1: the rules on the full screen, with the keys of one turn."""

from __future__ import annotations

from itertools import pairwise

import pytest

from client.i18n.translation import _, keys_in_brackets
from client.ui.games import lesson_of, words_of
from client.ui.games.options import TITLES, rules_of, title
from client.ui.screen import sheets
from client.ui.wrap import wrapped
from engine.core.moves import IllegalMove, NotAMove
from engine.games import GAMES
from tests.screens.learner import INSIDE, LINES, Learner
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


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_call_options_as_the_form_does(game, language):
    shown = " ".join(sheets.rules_sheet(game).lines)
    quoted = {name: _("“{words}”").format(words=title(game, name)) for name in TITLES[game]}
    named = [name for name, words in quoted.items() if words in shown]
    assert not [name for name in TITLES[game] if f"`{name}`" in shown], language
    assert named, language


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


@pytest.mark.parametrize("game", GAMES)
def test_the_keys_of_one_turn_are_keys_of_the_game(game):
    """Each key that F1 names at the beginning of a step or after a comma does something on the
    screen of a first turn."""
    named = {"escoba": "1", "domino": "tab", "siete-y-media": "+", "truco": "1", "kinaskak": "t"}
    learner = Learner(game)
    learner.read_on()
    learner.press("enter")
    before = learner.state
    learner.press(named[game])
    assert learner.state != before
