from dataclasses import dataclass

import pytest

from engine.core.canonical import canonical, fingerprint, stated
from engine.core.game import copy_of
from engine.core.open_deck import OpenDeck
from engine.core.requests import Deck
from engine.games import GAMES, new_game
from tests.engine.steps import Steps


@dataclass(frozen=True)
class Pair:
    left: int
    right: tuple[int, ...]


VALUES = [
    None,
    True,
    0,
    -1,
    2**64 - 1,
    "",
    "ñ",
    (),
    (1, "a"),
    [[1], [2]],
    {1: 2},
    {"a": [1]},
    Pair(1, (2,)),
]


def test_different_values_have_different_spellings():
    spelled = [
        canonical(value)
        for value in (*VALUES, False, 1, "1", (1,), {2: 1}, Pair(2, (2,)), Pair(1, ()))
    ]
    assert len(set(spelled)) == len(spelled)


def test_order_of_insertion_does_not_count():
    assert canonical({"a": 1, "b": 2}) == canonical({"b": 2, "a": 1})
    assert canonical({2: {"x": 1, "w": 2}, 1: {}}) == canonical({1: {}, 2: {"w": 2, "x": 1}})


def test_no_name_of_the_code_is_spelled():
    assert canonical(Pair(1, (2,))) == canonical([1, [2]])
    assert canonical(Deck(2, 40, ("7o",), (0, 1))) == canonical([2, 40, ["7o"], [0, 1]])


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        [1.5],
        {1: 0.5},
        {0.5: 1},
        {(1, 2): 3},
        {1: 2, "a": 3},
        {True: 1},
        {1, 2},
        b"",
        object(),
        print,
        2**64,
        "\ud800",
        range(3),
        Pair(1.0, ()),
    ],
)
def test_values_without_a_spelling(value):
    with pytest.raises(TypeError):
        canonical(value)


def test_the_state_and_nothing_else_counts():
    play = OpenDeck(new_game("escoba", 2))
    before = fingerprint(play.game, play.run.request)
    assert len(before) == 32
    for name, value in vars(play.game).items():
        twin = copy_of(play.game)
        setattr(twin, name, [value, "else"])
        assert (fingerprint(twin, play.run.request) != before) == (name in play.game.state), name


def test_the_question_counts():
    play = OpenDeck(new_game("escoba", 2))
    assert fingerprint(play.game, None) != fingerprint(play.game, play.run.request)


@pytest.mark.parametrize("game", GAMES)
def test_an_undeclared_attribute_is_an_error(game):
    play = OpenDeck(new_game(game, 3 if game == "kinaskak" else 2))
    for seen in (play.run.fingerprint, lambda: copy_of(play.game)):
        play.game.oddity = 1
        with pytest.raises(TypeError, match="oddity"):
            seen()
        del play.game.oddity
        del play.game.told
        with pytest.raises(TypeError, match="told"):
            seen()
        play.game.told = []
        seen()


TABLES = [
    ("escoba", 2, {"target": 5}),
    ("domino", 2, {"target": 9}),
    ("domino", 4, {"partners": True, "target": 9}),
    ("truco", 4, {"target": 5, "envido_callers": "any"}),
    ("kinaskak", 3, {"last_contract": 1}),
    ("siete-y-media", 4, {"deals": 4, "bank": "turn"}),
]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_notes_that_are_only_shown_change_nothing(game, players, options, seed):
    """Two matches with the same cards and answers, one of which forgets its notes at every step,
    never differ."""
    play, twin = (Steps(new_game(game, players, options), seed) for _ in range(2))
    settled = ("players", "options", "sides")
    for _ in range(3000):
        assert stated(play.game, play.run.request) == stated(twin.game, twin.run.request)
        if play.over:
            break
        fresh = vars(new_game(game, players, options))
        for name in twin.game.notes:
            if name not in settled:
                setattr(twin.game, name, [[0] * players] if name == "penalties" else fresh[name])
        play.step()
        twin.step()
    assert play.game.round > 0
