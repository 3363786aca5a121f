"""`sobremesa scenario`: one test per clause of docs/rules/README.md about the command and its exit
statuses."""

import json
import subprocess
import sys

import pytest

from client.__main__ import main

# p1 holds 7o 5c 12e, p2 10b 2c 3o; on the table lie 5e 3b 4c 6o.
DECK = '"7o", "10b", "5c", "2c", "12e", "3o", "5e", "3b", "4c", "6o"'
HEAD = f'game = "escoba"\nplayers = 2\ndecks = [[{DECK}]]\n'
TAKE = 'actions = ["p1 play 7o take 5e 3b"]\n'


@pytest.fixture
def play(tmp_path, capsys):
    """Play scenarios given as texts; return the status, and the object of each."""

    def run(*texts):
        names = []
        for number, text in enumerate(texts):
            path = tmp_path / f"{number}.toml"
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            names.append(str(path))
        status = main(["scenario", *names])
        out, err = capsys.readouterr()
        assert err == ""
        lines = out.splitlines()
        assert len(lines) == len(texts)
        objects = [json.loads(line) for line in lines]
        assert [item["file"] for item in objects] == names
        return status, *objects

    return run


def test_one_line_and_the_state_after_the_last_action(play):
    status, found = play(HEAD + TAKE)
    assert (status, set(found)) == (0, {"file", "ok", "state"})
    assert found["ok"] is True
    assert found["state"] == {
        "turn": ["p2"],
        "score": [0, 0],
        "over": False,
        "winners": [],
        "round": 1,
        "hands": {"p1": ["5c", "12e"], "p2": ["10b", "2c", "3o"]},
        "table": ["4c", "6o"],
    }


def test_an_unmet_expectation_is_1_and_names_place_and_finding(play):
    status, found = play(HEAD + TAKE + '[[expect]]\nafter = 1\nturn = ["p1"]\n')
    assert (status, found["ok"], "state" in found) == (1, False, True)
    assert "expect, number 1 (after 1 actions)" in found["error"]
    assert "turn should be ['p1'], and is ['p2']" in found["error"]


def test_an_illegal_action_is_1_and_later_ones_are_not_played(play):
    status, found = play(HEAD + 'actions = ["p1 play 2c", "p1 play 7o take 5e 3b"]\n')
    assert (status, found["ok"]) == (1, False)
    assert "action 1" in found["error"]
    assert found["state"]["turn"] == ["p1"]


@pytest.mark.parametrize(
    "action",
    ["p1 play 10b", "p1 play 7o take 4c", "p2 play 10b", "p1 play 5c"],
)
def test_a_well_formed_action_that_the_rules_do_not_allow_is_1(play, action):
    status, found = play(HEAD + f'actions = ["{action}"]\n')
    assert (status, found["ok"]) == (1, False)


NO_SCENARIO = {
    "no TOML": "game = ",
    "no text": b"\xff\xfe",
    "deep": "decks = " + "[" * 5000 + "]" * 5000,
    "no game": "players = 2\n",
    "unknown game": 'game = "poker"\nplayers = 2\n',
    "unknown key": HEAD + "wishes = 3\n",
    "unknown seat": HEAD + 'actions = ["p3 play 7o"]\n',
    "unknown card": HEAD + 'actions = ["p1 play 8o"]\n',
    "words missing": HEAD + 'actions = ["p1 play"]\n',
    "malformed under illegal": HEAD + '[[expect]]\nillegal = ["p1 play 8o"]\n',
    "wrong kind": 'game = "escoba"\nplayers = "2"\n',
    "after beyond the last action": HEAD + "[[expect]]\nafter = 1\n",
    "option out of range": HEAD + "[options]\ntarget = 102\n",
    "card dealt twice": 'game = "escoba"\nplayers = 2\ndecks = [["7o", "7o"]]\n',
}


@pytest.mark.parametrize("text", NO_SCENARIO.values(), ids=NO_SCENARIO)
def test_a_file_that_is_no_scenario_is_2_with_a_place_and_no_state(play, text):
    status, found = play(text)
    assert (status, set(found), found["ok"]) == (2, {"file", "ok", "error"}, False)
    assert found["error"]
    assert "\n" not in found["error"]


def test_a_file_that_cannot_be_read_is_2(tmp_path, capsys):
    assert main(["scenario", str(tmp_path / "none.toml"), str(tmp_path)]) == 2
    assert [json.loads(line)["ok"] for line in capsys.readouterr().out.splitlines()] == [
        False,
        False,
    ]


def test_the_other_files_are_played_all_the_same_and_the_highest_status_counts(play):
    good, short, none = HEAD + TAKE, HEAD + "[[expect]]\nround = 2\n", "x"
    assert play(good, short)[0] == 1
    status, *found = play(none, short, good)
    assert (status, [item["ok"] for item in found]) == (2, [False, False, True])


def test_as_a_process_without_any_file_it_is_a_usage_error():
    done = subprocess.run(
        [sys.executable, "-m", "client", "scenario"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
