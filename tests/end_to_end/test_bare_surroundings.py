"""The program where something is missing that nearly everybody has: standard streams, a home
folder."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from client.session.status import Status
from tests.end_to_end.namespaces import empty_network
from tests.end_to_end.processes import LOOPBACK, SHORT, environment
from tests.patience import PATIENCE
from tests.sample import sample
from tests.starter import ROOT

WORDS = {
    "rules": ("rules", "escoba"),
    "play": ("play", "escoba", "--auto", *SHORT),
    "host": ("host", "escoba", "--auto", "--at-once", "--bots", "1", *SHORT),
    "join": ("join", f"{LOOPBACK}:9"),
    "verify": ("verify", "docs/example.sobremesa"),
    "history": ("history",),
    "doctor": ("doctor", "--interface", LOOPBACK),
    "": (),
    "--help": ("--help",),
}


def run(
    home: Path, *words: str, closed: tuple[int, ...] = (), before: tuple[str, ...] = (), **around
) -> subprocess.CompletedProcess[str]:
    def close() -> None:
        for number in closed:
            os.close(number)

    env = {**environment(home, warnings=False), "LANGUAGE": "en", **around}
    return subprocess.run(
        [*before, sys.executable, "-m", "client", *words],
        env={name: value for name, value in env.items() if value is not None},
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=close,
        timeout=2 * PATIENCE,
    )


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """Return the status of a command that has all its streams."""
    return cache(lambda verb: run(tmp_path_factory.mktemp("usual"), *WORDS[verb]).returncode)


@pytest.mark.parametrize("closed", sample([(0, 1, 2), (1,), (2,), (0,)], 1))
@pytest.mark.parametrize("verb", ["play", "join", "verify", "doctor", "", "--help"])
def test_closed_streams_change_no_status(tmp_path, usual, verb, closed):
    bare = run(tmp_path, *WORDS[verb], closed=closed)
    assert "Traceback" not in bare.stderr
    assert bare.returncode == usual(verb)


def test_a_file_that_is_opened_never_becomes_a_closed_stream(tmp_path):
    """Else what is printed would be in it, and it would be damaged."""
    done = run(tmp_path, *WORDS["play"], closed=(0, 1, 2))
    assert done.returncode == Status.OK
    (log,) = (tmp_path / "logs").glob("*.sobremesa")
    assert run(tmp_path, "verify", str(log)).returncode == Status.OK


def test_a_reader_that_has_gone_hears_nothing_more(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    words = [sys.executable, "-m", "client", "games", "--json"]
    around = environment(tmp_path, warnings=False)
    done = subprocess.run(
        words, env=around, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (Status.FAILED, b"")


def test_letters_that_a_terminal_does_not_know_are_no_error(tmp_path):
    done = run(tmp_path, "rules", "escoba", LANGUAGE="es", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (Status.OK, "")


# Packages that have no wheel for some machines.


def without(folder: Path, package: str) -> str:
    """Return a folder to be looked through first, in which a package cannot be imported."""
    (folder / f"{package}.py").write_text(f"raise ImportError('there is no {package}')\n")
    return str(folder)


def test_without_zeroconf_players_join_by_address(tmp_path):
    around = {"PYTHONPATH": without(tmp_path, "zeroconf")}
    done = run(tmp_path, "demo", "domino", **around)
    assert (done.returncode, done.stderr) == (Status.OK, "")
    assert "joined by address" in done.stdout


def test_without_zeroconf_doctor_says_why_it_finds_no_tables(tmp_path):
    done = run(tmp_path, *WORDS["doctor"], PYTHONPATH=without(tmp_path, "zeroconf"))
    said = " ".join((done.stdout + done.stderr).split())
    assert "the package zeroconf is not installed, or does not load" in said


@pytest.mark.parametrize(
    ("loopback", "status", "sentence"),
    [
        (True, 0, "This machine is on no network, and no table is open on it.\n"),
        (False, 4, "sobremesa: this machine is on no network\n"),
    ],
)
def test_without_a_network_tables_says_so(tmp_path, loopback, status, sentence):
    before = tuple(empty_network(loopback=loopback))
    done = run(tmp_path, "tables", "--wait", "1", before=before)
    assert (done.returncode, done.stdout + done.stderr) == (status, sentence)


def test_without_rbcl_another_library_computes_or_python_alone(tmp_path):
    around = {"PYTHONPATH": without(tmp_path, "rbcl"), "COLUMNS": "300"}
    version = run(tmp_path, "--version", "-v", **around).stdout
    assert "arithmetic: " in version
    assert "rbcl" not in version
    doctor = run(tmp_path, *WORDS["doctor"], **around)
    assert "Traceback" not in doctor.stderr
    if "plain Python" in version:
        assert "no libsodium: shuffles take a hundred times as long" in doctor.stdout


# Somebody whom the system does not know, without HOME: in a container, for instance.

UNKNOWN = ("unshare", "--user", "--map-user=12345", "--map-group=12345")
NO_HOME = "this user has no home folder: name a folder in SOBREMESA_HOME"


@pytest.fixture
def unknown(tmp_path):
    """Return what runs the program for a user whom the system does not know."""
    if subprocess.run([*UNKNOWN, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody make a user namespace (unshare --user)")
    gone = dict.fromkeys(("HOME", "XDG_DATA_HOME", "SOBREMESA_HOME", "LOGNAME", "USER"))
    return lambda *words, **around: run(tmp_path, *words, before=UNKNOWN, **gone | around)


@pytest.mark.parametrize("verb", ["verify", "--help"])
def test_without_a_home_a_command_works_that_needs_none(unknown, verb):
    done = unknown(*WORDS[verb])
    assert (done.returncode, done.stderr) == (Status.OK, "")


@pytest.mark.parametrize("verb", ["play", "host", "history"])
def test_without_a_home_a_command_says_so_that_needs_one(unknown, verb):
    done = unknown(*WORDS[verb])
    assert (done.returncode, done.stdout) == (Status.FAILED, "")
    assert done.stderr == f"sobremesa: {NO_HOME}\n"


def test_without_a_home_doctor_says_so(unknown):
    done = unknown(*WORDS["doctor"])
    assert NO_HOME in done.stdout
    assert done.stderr == ""


def test_an_unknown_user_plays_in_a_folder_that_is_named(unknown, tmp_path):
    done = unknown(*WORDS["play"], SOBREMESA_HOME=str(tmp_path / "named"))
    assert (done.returncode, done.stderr) == (Status.OK, "")
    assert list((tmp_path / "named" / "logs").glob("*.sobremesa"))
