"""A lesson as a new player meets it: in tmux by the keys that its pages name, and line by line;
nothing stays on disk."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.processes import ROOT, environment
from tests.patience import PATIENCE

pytestmark = [pytest.mark.slow]


def written(home: Path) -> list[str]:
    """Return the files of a home that are neither its key nor its lock."""
    files = (str(path.relative_to(home)) for path in home.rglob("*") if path.is_file())
    return sorted(set(files) - {"identity.key", "lock"})


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
