"""A hint of the full screen: the keys of the move, and the move in a sentence of the reader's
language."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from client.i18n.translation import _, languages, set_language
from client.session.messages import Act
from client.ui.screen.messages import Key
from client.ui.screen.react import react
from engine.games import GAMES
from tests.hints import keys_of
from tests.properties import anyhow
from tests.sample import pairs, sample
from tests.screens.stage import Stage

VERBS = re.compile(r"\b(play|take|draw|pass|bet|hit|stand|lay|meld|swap|discard|decline|buy|say)\b")
"""The notation's verbs."""


@pytest.fixture(params=languages())
def language(request):
    set_language(request.param)
    yield request.param
    set_language("en")


@pytest.mark.parametrize(
    ("game", "language"), sample(pairs(GAMES, languages()), 5, rows=True), indirect=["language"]
)
@pytest.mark.slow
def test_the_keys_of_a_hint_make_its_move_which_it_says_in_the_readers_language(game, language):
    stage = Stage(game, 3 if game == "kinaskak" else 2, seed=5)
    sentence = (
        re.escape(_("Hint: {reason} Choose: {steps}"))
        .replace(r"\{steps\}", "(?P<steps>.+)")
        .replace(r"\{reason\}", "(?P<said>.+)")
    )
    hints = 0
    while not stage.over and hints < 12:
        stage.state = replace(stage.state, held=(), count=(), moment=None)
        if stage.state.match.asked:
            hints += 1
            hinted, commands = react(stage.state, Key("?", "?"))
            assert not commands
            found = re.fullmatch(sentence, hinted.notice)
            assert found is not None, hinted.notice
            assert found["said"].split()[0] != "Computer"
            if language != "en":
                assert not VERBS.search(found["said"]), hinted.notice
            state, acts = hinted, ()
            for key in keys_of(found["steps"]):
                assert not acts, hinted.notice
                state, acts = react(state, Key(key, key if len(key) == 1 else ""))
            assert [type(act) for act in acts] == [Act], hinted.notice
        stage.step(by_chance=hints % 3 == 0)
    assert hints > 5


OPTIONS = {
    "kinaskak": ({"first_contract": 1}, {"first_contract": 5, "lay_off": "next-turn"}),
    "escoba": ({"capture": "free"},),
    "truco": ({"target": 9},),
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(6), 1))
@pytest.mark.parametrize("game", GAMES)
def test_there_are_keys_for_a_hint_whatever_anybody_played_before(game, seed):
    """A person may make any legal move, and may have picked something already."""
    random, hints = Random(seed), 0
    each = OPTIONS.get(game, ({},))
    stage = Stage(game, GAMES[game].allowed_players[0], seed=seed, **each[seed % len(each)])
    while not stage.over and hints < 40:
        stage.state = replace(stage.state, held=(), count=(), moment=None)
        if stage.state.match.asked:
            hints += 1
            keys = [key for key in "12" if stage.game.name in ("domino", "escoba")]
            state, acts = stage.state, ()
            for key in (*random.sample([*keys, "right", " "], random.randrange(2)), "?"):
                assert not acts
                state, acts = react(state, Key(key, key if len(key) == 1 else ""))
            assert "Choose: " in state.notice, state.notice
            for key in keys_of(state.notice.split("Choose: ")[1]):
                assert not acts, state.notice
                state, acts = react(state, Key(key, key if len(key) == 1 else ""))
            assert [type(act) for act in acts] == [Act], state.notice
        stage.step(player=lambda view, _choose: anyhow.play(view, random))
    assert hints
