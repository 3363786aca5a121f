"""The documents are enough: a program that knows nothing else comes to the same F at every step of
whole matches."""

import json
import re

import pytest

from engine.core.canonical import stated
from engine.core.moves import spell_move
from engine.core.open_deck import OpenDeck
from engine.core.requests import Ask, Open, Toss
from engine.games import GAMES, new_game
from tests.engine import reader
from tests.engine.pages import page
from tests.engine.steps import Steps

TABLES = [
    (2, {"target": 5}),
    (2, {"target": 5, "leftovers": "sweep", "capture": "free"}),
    (3, {"target": 8, "capture": "card", "all_replaces": True}),
    (4, {"target": 5, "teams": True}),
    (6, {"target": 5, "first_table": "first"}),
    (3, {"target": 5, "leaving": "end"}),
]


def test_the_tables_have_every_option():
    """Each value in a table; of a range, one that is not the default."""
    set_here = {(name, value) for _, options in TABLES for name, value in options.items()}
    usual = {pair for players, _ in TABLES for pair in GAMES["escoba"].defaults(players).items()}
    for name, option in GAMES["escoba"].choices.items():
        if isinstance(option.values, range):
            assert any(named == name for named, _ in set_here - usual), name
        else:
            assert {(name, value) for value in option.values} <= set_here | usual, name


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("players", "options"), TABLES)
@pytest.mark.slow
def test_whole_matches_of_escoba(players, options, seed):
    play = Steps(new_game("escoba", players, options), seed)
    match = reader.Escoba(players, play.game.options).match()
    seen, answer = 0, None
    while True:
        value = match.send(answer)
        assert value == as_json(stated(play.game, play.run.request))
        assert reader.fingerprint(value) == play.run.fingerprint()
        if play.over:
            break
        answer = entries(play)
        seen += 1
    assert seen > 36 * play.game.round


def entries(play):
    """Answer the request; return what a second program learns from the entries of the step."""
    request = play.run.request
    moves = play.step()
    match request:
        case Toss(_, sides):
            return play.first % sides
        case Open(slots):
            return {slot: play.faces[slot] for slot in slots}
        case Ask():
            return spell_move(moves[0]), {slot: play.faces[slot] for slot in moves[0].shows}
    return None


def as_json(value):
    return json.loads(json.dumps(value))


def test_the_example_of_the_page():
    example = (
        page("README").split("<!-- the example begins -->")[1].split("<!-- the example ends -->")[0]
    )
    value = json.loads(re.search(r"```json\n(.*?)```", example, re.DOTALL)[1])
    written = re.search(r"F = ((?:[0-9a-f]{2} ?)+)", " ".join(example.split()))[1]
    deck = ["1o", "1c", "3e", "2c", "3c", "2e", "12o", "12e", "12c", "12b"]
    play = OpenDeck(new_game("escoba", 2), [deck])
    assert value == as_json(stated(play.game, play.run.request))
    assert reader.fingerprint(value).hex(" ") == written.strip() == play.run.fingerprint().hex(" ")
