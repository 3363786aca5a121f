"""Children are parts of this program, whichever files lie in the current folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from client.session.python_process import ROOT, own_program

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


@pytest.mark.slow
def test_a_demonstration_in_a_folder_with_such_files(trap: Path) -> None:
    words = ["demo", "escoba", "--option", "target=1", "--json"]
    start = (
        f"import sys; sys.path[:1] = [{ROOT!r}]; from client.__main__ import main; "
        f"sys.exit(main({words!r}))"
    )
    done = run([sys.executable, "-P", "-c", start], trap, SOBREMESA_HOME=str(trap / "home"))
    assert (done.returncode, done.stderr) == (0, "")


def test_words_are_passed_on_as_they_are(tmp_path: Path) -> None:
    done = run(own_program("games", "no such game"), tmp_path)
    assert done.returncode == 2
    assert "no such game" in done.stderr


def test_the_module_of_the_name_of_the_program() -> None:
    done = run([sys.executable, "-m", "sobremesa", "--version"], Path(ROOT))
    assert (done.returncode, done.stdout.split()[0]) == (0, "sobremesa")
