"""A lesson as a new player meets it: in tmux by the keys that its pages name, and line by line;
nothing stays on disk."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.ui.games.truco.flor_lesson import SCRIPT as FLOR
from tests.end_to_end.processes import ROOT, environment
from tests.end_to_end.test_tmux import Pane
from tests.patience import PATIENCE

pytestmark = [pytest.mark.slow]

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux here")


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Pane]:
    made = Pane(tmp_path)
    try:
        made.sees("^ready>")
        yield made
    finally:
        made.close()


def written(home: Path) -> list[str]:
    """Return the files of a home that are neither its key nor its lock."""
    files = (str(path.relative_to(home)) for path in home.rglob("*") if path.is_file())
    return sorted(set(files) - {"identity.key", "lock"})


@needs_tmux
@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_a_first_turn_from_the_lobby_by_the_keys_that_the_page_names(pane, tmp_path, size):
    pane.resize(*size)
    home = shlex.quote(str(tmp_path / "home"))
    pane.type(
        f"clear; SOBREMESA_HOME={home} {sys.executable} -m client --lang en --interface 127.0.0.1; "
        f"echo status $?"
    )
    pane.sees("l Learn a game")
    pane.press("l")
    pane.sees("1?.*Escoba")
    pane.press("1")
    pane.sees("Escoba: with one card")
    pane.press("Enter")
    keys = re.findall(r"\(([^()]+)\)", pane.sees(r"Choose: (.+)\.")[1])
    assert keys == ["1", "Enter"]
    pane.press(*keys)
    pane.sees("You took 5c and 3b with 7o: 7")
    pane.press("Enter", "F3")
    pane.sees("Computer 1 holds: ")
    pane.press("F1")
    pane.sees(r"One turn \(with the keys in brackets\):")
    pane.press("Escape")
    pane.sees("F1")
    pane.press("Escape")
    pane.sees("This turn, explained once more")
    pane.press("Up", "Enter")
    pane.sees("Play against the computer")
    assert "Back to" not in pane.text()
    pane.press("q")
    pane.sees("^status 0")
    assert written(tmp_path / "home") == []


def test_a_whole_lesson_line_by_line(tmp_path):
    """Typed as the pages say; the match ends, and the program with it."""
    home = tmp_path / "home"
    words = [sys.executable, "-m", "client", "learn", "domino", "--plain", "--lang", "en"]
    moves = [
        "play 6-1 right",
        "hands",
        "play 6-2 right",
        "play 4-3 left",
        "play 6-5 right",
        "draw",
        "lesson",
        "draw",
    ]
    typed = "\n".join([*moves, "play 6-0 right", ""])
    done = subprocess.run(
        words,
        input=typed,
        env=environment(home),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    asked = re.findall(r"^Type (.+)$", done.stdout, re.MULTILINE)
    assert list(dict.fromkeys(asked)) == [
        line for line in dict.fromkeys(moves) if line not in ("hands", "lesson")
    ] + ["play 6-0 right"]
    assert "Computer 1 holds: " in done.stdout
    assert "You win!" in done.stdout
    assert "That was the lesson." in done.stdout
    assert written(home) == []


def test_the_flor_is_learned_line_by_line(tmp_path):
    """By nothing but the lines that the pages name."""
    script = [move.partition(" ")[2] for move in FLOR if move.startswith("p1 ")]
    words = [sys.executable, "-m", "client", "learn", "truco", "flor", "--plain", "--lang", "en"]
    done = subprocess.run(
        words,
        input="\n".join([*script, ""]),
        env=environment(tmp_path / "home"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout.replace("\N{NO-BREAK SPACE}", " ")
    assert re.findall(r"^Type (.+)$", shown, re.MULTILINE) == script
    for said in (
        "A flor is three cards of one suit.",
        "You have a flor: it comes before anything else.",
        "You have none: say so, and Computer 1 gets 3.",
        "The flor annuls the envido.",
        "give in: your flor is worth only 23.",
        "Refused, it brings you 6; accepted, the better one gets 10.",
        "You win!",
        "The flor is a house rule: choose “Flor: yes” where you begin a match",
    ):
        assert said in " ".join(shown.split()), said


@pytest.mark.parametrize("how", ["quit", "leave"])
def test_a_lesson_is_left_at_once(tmp_path, how):
    words = [sys.executable, "-m", "client", "learn", "truco", "--plain", "--lang", "en"]
    env = environment(tmp_path / "home")
    done = subprocess.run(
        words,
        input=f"{how}\n",
        env=env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert written(tmp_path / "home") == []


def test_a_lesson_whose_input_ends_says_so(tmp_path):
    words = [sys.executable, "-m", "client", "learn", "truco", "--plain", "--lang", "en"]
    env = environment(tmp_path / "home")
    done = subprocess.run(
        words,
        input="",
        env=env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert done.returncode != 0
    assert "the input has ended" in done.stderr
    assert "Traceback" not in done.stderr
