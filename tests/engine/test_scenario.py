"""One test per clause of the paragraphs on scenario files in docs/rules/README.md."""

import json
import sys
from pathlib import Path

import pytest

import engine.scenario
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


def test_there_are_scenarios_for_every_game():
    for game in GAMES:
        assert any(path.stem.startswith(f"{game}-") for path in SCENARIOS), game


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


def test_first_is_what_the_toss_gives():
    assert play_scenario(f'{HEAD}first = "p2"')["state"]["turn"] == ["p2"]


def test_lists_beyond_the_last_shuffle_are_not_used():
    assert status(f'{HEAD}decks = [[], ["7o", "7o"]]') == HOLDS


def test_options_change_the_game():
    assert status(f'{HEAD}decks = [[{DECK}]]\nactions = ["p1 play 7o"]') == FALLS_SHORT
    assert (
        status(f'{HEAD}decks = [[{DECK}]]\nactions = ["p1 play 7o"]\n[options]\ncapture = "free"')
        == HOLDS
    )


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


def test_no_scenario_has_no_state():
    code, result = report("x", b"game = 3")
    assert code == NO_SCENARIO
    assert set(result) == {"file", "ok", "error"}
    assert result["ok"] is False


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


def test_trying_what_is_legal_changes_nothing():
    assert (
        play_scenario(expecting('legal = ["p1 play 5c take 4c 6o", "p1 leave"]'))["state"]
        == play_scenario(PLAYED)["state"]
    )


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


def test_leaving_twice_is_illegal():
    assert status(f'{HEAD}actions = ["p1 leave"]') == HOLDS
    assert status(f'{HEAD}actions = ["p1 leave", "p1 leave"]') == FALLS_SHORT
    assert (
        status(f'{HEAD}actions = ["p1 leave"]\n[[expect]]\nillegal = ["p1 leave", "p2 leave"]')
        == HOLDS
    )


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


def test_bytes_that_are_no_text():
    assert report("x", b"\xff\xfe\x00")[0] == NO_SCENARIO


def test_a_bad_deck_counts_more_than_an_expectation_that_fell_short():
    full = next(path for path in SCENARIOS if path.stem == "escoba-full-deal").read_text()
    bad = (
        full.replace("],\n]\nactions", '],\n["7o", "7o"],\n]\nactions')
        + "\n[[expect]]\nafter = 0\nround = 7\n"
    )
    assert status(bad) == NO_SCENARIO
    assert "deck 2 has 7o twice" in error(bad)


def test_the_place_is_named():
    assert "actions, number 1, 'p1 jump'" in error(f'{HEAD}actions = ["p1 jump"]')
    assert "decks, list 1: '8o' is not a card of escoba" in error(f'{HEAD}decks = [["8o"]]')
    assert "expect, number 1, hands" in error(expecting("hands = 3"))


def test_reading_plays_nothing():
    assert read_scenario(f'{HEAD}decks = [["7o", "7o"]]').decks == [["7o", "7o"]]


@pytest.mark.parametrize(
    "text", ["decks = " + "[" * 5000, "players = " + "1" * 5000, "\x00", b"\xff"]
)
def test_text_that_the_toml_reader_does_not_take_is_no_scenario(text):
    with pytest.raises(NotAScenario, match="not TOML"):
        read_scenario(text)


def test_an_error_of_ours_is_not_taken_for_bad_toml(monkeypatch):
    monkeypatch.setattr("engine.scenario.game_class", int)
    with pytest.raises(ValueError, match="invalid literal"):
        report("x.toml", HEAD.encode())


def lines_run(text: str) -> int:
    """Play a scenario that holds, and return how many lines of the module that takes."""
    lines = 0

    def count(frame, event, _value):
        nonlocal lines
        if frame.f_code.co_filename != engine.scenario.__file__:
            return None
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        assert play_scenario(text)["ok"]
    finally:
        sys.settrace(before)
    return lines


def test_each_expectation_is_looked_at_once():
    """A file of 4 MB with as many actions as expectations would take minutes."""
    path = next(path for path in SCENARIOS if path.stem == "kinaskak-lay-and-swap")
    long, more = path.read_text(encoding="utf-8"), "\n[[expect]]\nafter = 0\n" * 1000
    after_actions = lines_run(long + more) - lines_run(long)
    assert after_actions - (lines_run(HEAD + more) - lines_run(HEAD)) < 1000
