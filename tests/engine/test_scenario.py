"""One test per clause of the paragraphs on scenario files in docs/rules/README.md."""

import json
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.scenario import (
    FALLS_SHORT,
    HOLDS,
    NO_SCENARIO,
    NotAScenario,
    play_scenario,
    read_scenario,
    report,
)

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.toml"))
CATALOGUED = [path for path in SCENARIOS if any(path.stem.startswith(f"{game}-") for game in GAMES)]

# p1 holds 7o 5c 12e, p2 10b 2c 3o; on the table lie 5e 3b 4c 6o.
DECK = '"7o", "10b", "5c", "2c", "12e", "3o", "5e", "3b", "4c", "6o"'
HEAD = 'game = "escoba"\nplayers = 2\n'
PLAYED = f'{HEAD}decks = [[{DECK}]]\nactions = ["p1 play 7o take 5e 3b", "p2 play 2c"]\n'


def status(text: str) -> int:
    return report("x.toml", text.encode())[0]


def error(text: str) -> str:
    return str(report("x.toml", text.encode())[1]["error"])


def expecting(line: str) -> str:
    return f"{PLAYED}[[expect]]\n{line}\n"


@pytest.mark.parametrize("path", CATALOGUED, ids=lambda path: path.stem)
def test_the_scenarios_of_the_catalogue_hold(path):
    code, result = report(path.name, path.read_bytes())
    assert (code, result.get("error")) == (HOLDS, None)


# Given facts, and omitted ones.


def test_only_game_and_players_must_be_there():
    state = play_scenario(HEAD)["state"]
    assert state["turn"] == ["p1"]  # first is p1
    # a missing list is canonical
    assert state["hands"] == {"p1": ["1o", "3o", "5o"], "p2": ["2o", "4o", "6o"]}
    assert state["table"] == ["7o", "10o", "11o", "12o"]


@pytest.mark.parametrize("text", ['game = "escoba"', "players = 2", ""])
def test_without_them_it_is_no_scenario(text):
    assert status(text) == NO_SCENARIO
    assert "is missing" in error(text)


def test_a_short_list_is_completed_in_canonical_order():
    state = play_scenario(f'{HEAD}decks = [["12b", "1o"]]')["state"]
    assert state["hands"] == {"p1": ["12b", "2o", "4o"], "p2": ["1o", "3o", "5o"]}


# Output.


def test_the_state_after_the_last_action():
    code, result = report("a/b.toml", PLAYED.encode())
    assert code == HOLDS
    assert json.loads(json.dumps(result)) == {
        "file": "a/b.toml",
        "ok": True,
        "state": {
            "turn": ["p1"],
            "score": [0, 0],
            "over": False,
            "winners": [],
            "round": 1,
            "hands": {"p1": ["5c", "12e"], "p2": ["10b", "3o"]},
            "table": ["4c", "6o", "2c"],
        },
    }


def test_a_missed_expectation_is_named_with_the_found_value_and_the_last_state():
    code, result = report("x", f"{PLAYED}[[expect]]\n[[expect]]\nafter = 1\nround = 2\n".encode())
    assert code == FALLS_SHORT
    assert result["ok"] is False
    assert result["state"]["table"] == ["4c", "6o", "2c"]
    assert result["error"] == "expect, number 2 (after 1 actions): round should be 2, and is 1"


def test_an_illegal_action_is_named_and_nothing_after_it_is_played():
    text = f'{HEAD}decks = [[{DECK}]]\nactions = ["p1 play 7o", "p1 play 7o take 5e 3b"]'
    code, result = report("x", text.encode())
    assert code == FALLS_SHORT
    assert result["state"]["hands"]["p1"] == ["7o", "5c", "12e"]
    assert "action 1, 'p1 play 7o', is illegal: must-take" in result["error"]


# Each expectation, held and broken.


@pytest.mark.parametrize(
    ("holds", "broken"),
    [
        ('turn = ["p1"]', 'turn = ["p2"]'),
        ('turn = ["p1"]', "turn = []"),
        ("score = [0, 0]", "score = [0, 1]"),
        ("score = [0, 0]", "score = [0]"),
        ("over = false", "over = true"),
        ("winners = []", 'winners = ["p1"]'),
        ("round = 1", "round = 2"),
        ('hands = { p1 = ["12e", "5c"] }', 'hands = { p1 = ["12e"] }'),
        ('hands = { p1 = ["12e", "5c"] }', 'hands = { p1 = ["12e", "5c"], p2 = [] }'),
        ('table = ["6o", "2c", "4c"]', 'table = ["6o", "2c", "4c", "4c"]'),
        ('legal = ["p1 play 5c take 4c 6o", "p2 leave"]', 'legal = ["p1 play 5c"]'),
        ('illegal = ["p1 play 5c", "p2 play 3o"]', 'illegal = ["p1 leave"]'),
        (
            'after = 0\nturn = ["p1"]\nhands = { p1 = ["7o", "5c", "12e"] }',
            'after = 0\nturn = ["p2"]',
        ),
        ('after = 1\nturn = ["p2"]', 'after = 1\nturn = ["p1"]'),
    ],
)
def test_expectations(holds, broken):
    assert status(expecting(holds)) == HOLDS
    assert status(expecting(broken)) == FALLS_SHORT


# Well formed and illegal: exit status 1 among the actions, refused under `illegal`.


@pytest.mark.parametrize(
    "action",
    [
        "p1 play 5c",  # could take
        "p1 play 7o take 5e 3b",  # no longer held
        "p1 play 11b",  # not held
        "p1 play 5c take 4c 4c 6o",  # named twice
        "p1 play 5c take 12b",  # not on the table
        "p2 play 3o",  # not its turn
    ],
)
def test_illegal_actions(action):
    assert status(expecting(f'illegal = ["{action}"]')) == HOLDS
    assert status(expecting(f'legal = ["{action}"]')) == FALLS_SHORT
    assert status(PLAYED.replace('"p2 play 2c"', f'"p2 play 2c", "{action}"')) == FALLS_SHORT


# No scenario: exit status 2.


@pytest.mark.parametrize(
    "action",
    [
        "p3 play 7o",
        "p0 play 7o",
        "play 7o",
        "p1",
        "",
        "p1 pass",
        "p1 play",
        "p1 play 7o 5e",
        "p1 play 7o take",
        "p1 play 7o with 5e",
        "p1 play 8o",
        "p1 play Td",
        "p1 play 7o take 15",
        "p1 leave now",
    ],
)
def test_malformed_actions(action):
    assert status(f'{HEAD}actions = ["{action}"]') == NO_SCENARIO
    assert status(expecting(f'legal = ["{action}"]')) == NO_SCENARIO
    assert status(expecting(f'illegal = ["{action}"]')) == NO_SCENARIO
    late = PLAYED.replace('"p2 play 2c"', f'"p2 play 7o", "{action}"')  # after an illegal one
    assert status(late) == NO_SCENARIO


@pytest.mark.parametrize(
    "text",
    [
        "game = ",
        'game = "bridge"\nplayers = 2',
        "game = 3\nplayers = 2",
        'game = "escoba"\nplayers = 5',
        'game = "escoba"\nplayers = "2"',
        'game = "escoba"\nplayers = true',
        f'{HEAD}first = "p3"',
        f"{HEAD}first = 1",
        f'{HEAD}title = "x"',
        f"{HEAD}[options]\nspeed = 1",
        f"{HEAD}[options]\ntarget = 0",
        f'{HEAD}[options]\ntarget = "21"',
        f"{HEAD}[options]\nteams = true",
        f"{HEAD}options = 3",
        f"{HEAD}decks = 3",
        f'{HEAD}decks = ["7o"]',
        f"{HEAD}decks = [[7]]",
        f'{HEAD}decks = [["7o", "7o"]]',
        f'{HEAD}decks = [["8o"]]',
        f'{HEAD}decks = [["Td"]]',
        f'{HEAD}decks = [[], ["Td"]]',
        f'{HEAD}actions = "p1 leave"',
        f"{HEAD}actions = [1]",
        f"{HEAD}expect = 1",
        f"{HEAD}expect = [1]",
        expecting("after = 3"),
        expecting("after = -1"),
        expecting("after = true"),
        expecting('after = "1"'),
        expecting("turns = []"),
        expecting('turn = "p1"'),
        expecting('turn = ["p3"]'),
        expecting("winners = [1]"),
        expecting('score = ["0", "0"]'),
        expecting("score = [0.0, 0.0]"),
        expecting("over = 0"),
        expecting("round = 1.0"),
        expecting("round = true"),
        expecting('hands = ["7o"]'),
        expecting('hands = { p3 = ["7o"] }'),
        expecting('hands = { p1 = "7o" }'),
        expecting('hands = { p1 = ["8o"] }'),
        expecting('table = ["7"]'),
        expecting('legal = "p1 leave"'),
        expecting("illegal = [1]"),
    ],
)
def test_text_that_is_no_scenario(text):
    with pytest.raises(NotAScenario):
        play_scenario(text)
    assert status(text) == NO_SCENARIO


def test_the_place_is_named():
    assert "actions, number 1, 'p1 jump'" in error(f'{HEAD}actions = ["p1 jump"]')
    assert "decks, list 1: '8o' is not a card of escoba" in error(f'{HEAD}decks = [["8o"]]')
    assert "expect, number 1, hands" in error(expecting("hands = 3"))


@pytest.mark.parametrize(
    "text", ["decks = " + "[" * 5000, "players = " + "1" * 5000, "\x00", b"\xff"]
)
def test_text_that_the_toml_reader_does_not_take_is_no_scenario(text):
    with pytest.raises(NotAScenario, match="not TOML"):
        read_scenario(text)
