"""A pipe, a folder or a device where a file of the home should be keeps nobody waiting."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client.__main__ import main
from client.session.status import Status
from client.storage.contacts import Contacts
from client.storage.history_index import NAME as INDEX
from client.storage.history_index import read_index
from client.storage.home import Home, StoreError, take_up_file
from client.storage.regular import read_regular
from client.storage.resume_record import look_through
from client.storage.settings import NAME as SETTINGS
from client.storage.settings import Settings, read_settings

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems have no such files")


@pytest.fixture(autouse=True)
def impatient() -> Iterator[None]:
    """Let whoever waits for a pipe fail."""

    def give_up(*_signal: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(5)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


KINDS: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.fixture(params=KINDS)
def put(request: pytest.FixtureRequest) -> Callable[[Path], None]:
    return KINDS[request.param]


def test_no_file_stays_open(tmp_path, put):
    put(path := tmp_path / "file")
    one = os.open(tmp_path, os.O_RDONLY)
    os.close(one)
    with pytest.raises(OSError, match=r"not a regular file|Is a directory"):
        read_regular(path)
    another = os.open(tmp_path, os.O_RDONLY)
    os.close(another)
    assert one == another, "a descriptor is still in use"


def test_settings(home, put):
    put(home.path / SETTINGS)
    assert read_settings(home.path) == Settings()


def test_contacts(home, put):
    put(home.path / "peers.json")
    with pytest.raises(StoreError, match="cannot be read"):
        Contacts(home.path).all()


def test_the_key(home, put):
    put(home.path / "identity.key")
    with pytest.raises(StoreError, match="cannot be read"):
        assert home.identity


def test_the_certificate(home, put):
    put(home.path / "identity.pem")
    with pytest.raises(StoreError, match="cannot be read"):
        home.pem()


def test_a_resume_record(home, put):
    put(home.journals / "x.match")
    found, damaged = look_through(home)
    assert (found, len(damaged)) == ([], 1)


def test_a_journal(home, put):
    put(path := home.journals / "x.journal")
    with pytest.raises(StoreError, match="cannot be read"):
        take_up_file(path, lambda data: data)


def test_the_index_of_the_history(home, put):
    put(home.path / INDEX)
    assert read_index(home.path, "x") == {}


def test_a_log(home, put, monkeypatch, capsys):
    put(home.logs / f"{'a' * 32}.sobremesa")
    monkeypatch.setenv("SOBREMESA_HOME", str(home.path))
    assert main(["verify"]) == Status.USAGE
    assert "no match has been played here yet" in capsys.readouterr().err
    assert main(["verify", "aaaaaa"]) == Status.USAGE
