import pytest

from engine.core.options import BadOption
from engine.games import GAMES, UnknownGame, complete_options, game_class, new_game


def test_a_new_game_has_all_its_options():
    game = new_game("escoba", 4, {"target": 5})
    assert game.options == {
        "target": 5,
        "capture": "hand",
        "leftovers": "capture",
        "all_replaces": False,
        "teams": False,
        "leaving": "go-on",
        "first_table": "dealer",
    }
    assert (game.players, game.score, game.round, game.winners) == (4, [0, 0, 0, 0], 0, ())


def test_options_stand_in_the_order_of_the_rules():
    assert list(complete_options("escoba", 2, {"teams": False, "target": 3})) == [
        "target",
        "capture",
        "leftovers",
        "all_replaces",
        "teams",
        "leaving",
        "first_table",
    ]


def test_six_play_in_teams():
    assert complete_options("escoba", 6, {})["teams"] is True
    assert complete_options("escoba", 4, {"teams": True})["teams"] is True


@pytest.mark.parametrize("name", ["bridge", "", None, 3, "Escoba", ["escoba"]])
def test_unknown_games(name):
    with pytest.raises(UnknownGame):
        game_class(name)
    with pytest.raises(UnknownGame):
        complete_options(name, 2, {})


@pytest.mark.parametrize("players", [0, 1, 5, 7, -2, True, "2", 2.0, None])
def test_numbers_of_players(players):
    with pytest.raises(BadOption, match=r"2 / 3 / 4 / 6"):
        complete_options("escoba", players, {})


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"targets": 3}),
        (2, {"target": 0}),
        (2, {"target": 102}),
        (2, {"target": "21"}),
        (2, {"capture": "must"}),
        (2, {"leftovers": True}),
        (2, {"all_replaces": 1}),
        (2, {"teams": True}),
        (3, {"teams": True}),
        (6, {"teams": False}),
    ],
)
def test_bad_options(players, options):
    with pytest.raises(BadOption):
        new_game("escoba", players, options)


def test_every_game_states_its_facts():
    for name, game in GAMES.items():
        assert game.name == name
        assert game.version >= 1
        assert game.allowed_players
        assert game.moves
        assert game.pack
        for key, option in game.choices.items():
            option.check(key, option.default)
            assert option.help.endswith("."), key
        for players in game.allowed_players:
            assert set(complete_options(name, players, {})) == set(game.choices)
