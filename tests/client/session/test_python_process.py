"""Processes of our own code: those of an installation, and those of the program in one file."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import sobremesa
from client.session import python_process
from client.session.python_process import INNER, own_program, run_inner
from tests.patience import PATIENCE
from tests.starter import ROOT


def test_the_program_in_one_file_starts_itself(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/opt/sobremesa")
    assert python_process.command_for("client.session.worker", "escoba") == [
        "/opt/sobremesa",
        INNER,
        "client.session.worker",
        "escoba",
    ]
    assert own_program("play", "escoba") == ["/opt/sobremesa", "play", "escoba"]


@pytest.mark.parametrize("module", ["os", "clients.evil", "http.server", ""])
def test_an_inner_process_runs_no_module_but_ours(module):
    with pytest.raises(ValueError, match="no module of the program"):
        run_inner(module)


def as_one_file(*words: str, **around: str) -> subprocess.CompletedProcess[bytes]:
    program = (
        "import sys; sys.frozen = True; from sobremesa import begin; sys.exit(begin(sys.argv[1:]))"
    )
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", **around},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=2 * PATIENCE,
    )


def test_an_inner_process_is_the_module_that_was_named():
    """A thinker says how slow the machine is, and ends with its input."""
    done = as_one_file(INNER, "client.session.worker", "")
    assert done.returncode == 0, done.stderr
    assert int.from_bytes(done.stdout[:4], "big") == len(done.stdout) - 4


def test_without_the_first_word_it_is_the_program():
    assert as_one_file("--version").stdout.startswith(b"sobremesa ")


@pytest.mark.parametrize(
    ("around", "left"),
    [
        ({"LD_LIBRARY_PATH": "/unpacked"}, None),
        ({"LD_LIBRARY_PATH": "/unpacked", "LD_LIBRARY_PATH_ORIG": "/opt/lib"}, "/opt/lib"),
        ({}, None),
    ],
)
def test_only_our_own_processes_look_for_libraries_in_ours(monkeypatch, around, left):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr("client.__main__.main", lambda words: 0)
    monkeypatch.setattr(python_process, "own_libraries", {})
    for name in ("LD_LIBRARY_PATH", "LD_LIBRARY_PATH_ORIG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in around.items():
        monkeypatch.setenv(name, value)
    assert sobremesa.begin(["--version"]) == 0
    assert os.environ.get("LD_LIBRARY_PATH") == left
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ
    ours = python_process.own_environment(SOBREMESA_HOME="h")
    assert ours["SOBREMESA_HOME"] == "h"
    assert {name: ours.get(name) for name in around} == around
