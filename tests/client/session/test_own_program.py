"""Children are parts of this program, whichever files lie in the current folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from client.session.python_process import own_program

TRAP = "raise SystemExit('this is not Sobremesa')\n"


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    for name in ("client", "crypto", "engine", "p2p", "trio", "json"):
        (tmp_path / f"{name}.py").write_text(TRAP)
    return tmp_path


def run(words: list[str], folder: Path, **around: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, env={**os.environ, **around}, check=False
    )


def test_nothing_is_imported_from_the_current_folder(trap: Path) -> None:
    # the trap holds
    assert (
        run([sys.executable, "-m", "client", "--version"], trap).stderr == "this is not Sobremesa\n"
    )
    done = run(own_program("--version"), trap)
    assert (done.returncode, done.stdout.split()[0], done.stderr) == (0, "sobremesa", "")
