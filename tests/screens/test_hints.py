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
from client.ui.screen.play import keys as play_keys
from client.ui.screen.react import react
from client.ui.screen.table_words import scene_of
from engine.games import GAMES
from tests.hints import keys_of
from tests.properties import anyhow
from tests.sample import pairs, sample
from tests.screens.stage import Stage
from tests.screens.test_offered_keys import meant

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


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(6), 2))
@pytest.mark.parametrize("game", GAMES)
def test_a_hint_calls_each_key_as_its_button_is_called_then(game, seed):
    random, steps = Random(seed), 0
    stage = Stage(game, GAMES[game].allowed_players[0], seed=seed)
    for _move in range(150):
        if stage.over:
            break
        stage.state = replace(stage.state, held=(), count=(), moment=None)
        if stage.state.match.asked:
            state, _acts = react(stage.state, Key("?", "?"))
            said = state.notice.split("Choose: ")[1].replace("\u00a0", " ")
            for label, keys in re.findall(r"(?:^|, then )([^()]+) \(([^()]+)\)", said):
                named = False
                for key in keys_of(f"({keys})"):
                    named = named or called_so(state, key, label)
                    assert named or key.isdecimal(), (said, play_keys(state))  # digits are typed
                    state, _acts = react(state, Key(key, key if len(key) == 1 else ""))
                assert named, (said, play_keys(state))
                steps += 1
        stage.step(player=lambda view, _choose, random=random: anyhow.play(view, random))
    assert steps


def called_so(state, key, label):
    """Whether a key is called so in the last line, perhaps with its card, or a card of ours is."""
    scene = scene_of(state)
    faces = {scene.words.shown(face) for _slot, face in scene.hand}
    if label in faces:
        return True
    offered = {part: about for names, about in play_keys(state) for part in meant(names)}
    about = offered.get(key)
    return about is not None and label in (about, *(f"{about} {face}" for face in faces))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("words", [8, 24, 48])
def test_a_long_hint_hides_nothing_of_our_hand_on_the_smallest_screen(game, words):
    stage = Stage(game, 3 if game == "kinaskak" else 2).until(lambda one: one.state.match.asked)
    before = stage.text(60, 20).splitlines()
    stage.state = replace(stage.state, notice="hint " * words)
    after = stage.text(60, 20).splitlines()
    (turn,) = (row for row, line in enumerate(before) if "▶ Your turn" in line)
    place = slice(turn, -3)  # the latest two lines and the keys stand below it
    assert after[place] == before[place]
    assert sum(line.count("hint ") + line.endswith("hint") for line in after) >= words
