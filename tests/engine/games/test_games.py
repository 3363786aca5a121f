import pytest

from engine.core.options import BadOption
from engine.games import UnknownGame, complete_options, game_class, new_game


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
