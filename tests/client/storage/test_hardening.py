"""Files with secrets are readable by their owner alone, and a crash leaves no copy of our
memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.__main__ import main
from client.storage import error_log
from client.storage.broken_off import NAME as BROKEN_OFF
from client.storage.contacts import Contacts
from client.storage.history import HistoryReader
from client.storage.home import OTHER_FILES, Home, StoreError
from client.storage.match_files import MatchFiles
from client.storage.settings import Settings, write_settings
from tests.client.storage.test_home import resume_record
from tests.ring import Ring
from tests.standin import standin_group

MATCH = b"m" * 32
ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")


def modes(home: Path) -> dict[str, int]:
    """The mode of the home, and of all that has secrets in it."""
    secret = [
        home,
        home / "journals",
        home / "cards",
        *home.glob("identity.*"),
        *home.glob("peers.json"),
        *(home / "journals").iterdir(),
        *(home / "cards").iterdir(),
    ]
    return {str(path.relative_to(home)): path.stat().st_mode & 0o7777 for path in secret}


def fill(home: Home) -> None:
    """Write everything that a match writes."""
    home.pem()
    resume_record(home).save(home)
    files = MatchFiles(home, MATCH, (0,))
    files.write_journal(0, b"secret")
    files.write_own_cards({0: b"k" * 96})
    files.log_file.write(Ring("escoba", 2, group=standin_group(), target=1).tables[0])
    files.close(finished=False)
    Contacts(home.path).meet(bytes(32), "Ane", None, 1)


@pytest.fixture
def no_mask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("no_mask")
def test_without_a_mask_nobody_else_may_read_what_is_secret(tmp_path) -> None:
    home = Home(tmp_path / "home")
    fill(home)
    found = modes(home.path)
    assert len(found) == 9
    assert {
        name: mode
        for name, mode in found.items()
        if mode != (0o700 if name in (".", "journals", "cards") else 0o600)
    } == {}


@pytest.mark.usefixtures("no_mask")
@pytest.mark.parametrize(
    ("folder", "file"), [(0o777, 0o666), (0o755, 0o644), (0o750, 0o640), (0o711, 0o604)]
)
def test_a_home_that_others_may_read_is_tightened_and_used(
    tmp_path, folder, file, monkeypatch, capsys
) -> None:
    home = Home(tmp_path / "home")
    fill(home)
    before = {path: path.read_bytes() for path in home.path.rglob("*") if path.is_file()}
    for path in (home.path, *home.path.rglob("*")):
        path.chmod(folder if path.is_dir() else file)
    monkeypatch.setenv("SOBREMESA_HOME", str(home.path))
    assert main(["id"]) == 0
    found = modes(home.path)
    assert {
        name: mode
        for name, mode in found.items()
        if mode != (0o700 if name in (".", "journals", "cards") else 0o600)
    } == {}
    assert {path: path.read_bytes() for path in before} == before
    assert capsys.readouterr().err == ""


def test_a_folder_that_all_share_stays_shared(tmp_path) -> None:
    shared = tmp_path / "tmp"
    shared.mkdir()
    shared.chmod(0o1777)
    home = Home(shared)
    assert home.identity
    Home(shared)
    assert modes(shared) == {
        ".": 0o1777,
        "journals": 0o700,
        "cards": 0o700,
        "identity.key": 0o600,
    }


def test_a_link_in_the_journals_is_not_followed(tmp_path) -> None:
    home = Home(tmp_path / "home")
    other = tmp_path / "other"
    other.touch(0o644)
    other.chmod(0o644)
    (home.journals / "x.journal").symlink_to(other)
    (home.journals / "folder").symlink_to(tmp_path)
    tmp_path.chmod(0o755)
    Home(home.path)
    assert other.stat().st_mode & 0o777 == 0o644
    assert tmp_path.stat().st_mode & 0o777 == 0o755


# Homes that somebody else made.


@pytest.fixture
def full(tmp_path: Path, contained: list[BaseException]) -> Home:
    """A home with every file that one ever has."""
    fill(home := Home(tmp_path / "home"))
    with home.locked():
        write_settings(home.path, Settings(nick="Ane"))
    HistoryReader(home).read()
    (home.path / BROKEN_OFF).write_bytes(b"{}")
    error_log.note(home.path, ValueError("a bug"))
    contained.clear()
    return home


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to another user")
def test_no_file_of_another_user_in_a_home_is_written_or_waited_for(full) -> None:
    names = {path.name for path in full.path.iterdir()}
    assert names >= {"identity.pem", "peers.json", *OTHER_FILES}
    for name in sorted(names):
        os.chown(full.path / name, 65534, 65534)
        with pytest.raises(StoreError, match=f"{name} belongs to another user"):
            Home(full.path)
        os.chown(full.path / name, 0, 0)
    Home(full.path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives links to another user")
@pytest.mark.parametrize("name", ["", "journals", "identity.key", "errors.log"])
def test_a_link_of_another_user_to_a_file_of_ours_is_refused(name, full, tmp_path) -> None:
    """He may let it lead elsewhere as soon as we have looked."""
    place = full.path / name
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    Home(full.path)
    os.chown(place, 65534, 65534, follow_symlinks=False)
    with pytest.raises(StoreError, match="belongs to another user"):
        Home(full.path)


# Core dumps.

CRASH = """
import os, resource, signal
resource.setrlimit(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE)[1:] * 2)
{first}
os.kill(os.getpid(), signal.SIGABRT)
"""


def dumped(folder: Path, first: str) -> bool:
    """Whether a process that is aborted after this leaves a core dump, as its parent is told."""
    environment = {**os.environ, "SOBREMESA_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-c", CRASH.format(first=first)], cwd=folder, env=environment
    )
    _pid, status = os.waitpid(process.pid, 0)
    process.returncode = -1
    assert os.WIFSIGNALED(status)
    return os.WCOREDUMP(status)


@pytest.mark.skipif(
    resource.getrlimit(resource.RLIMIT_CORE)[1] == 0, reason="nothing can be dumped here"
)
def test_a_program_that_holds_secrets_leaves_no_core_dump(tmp_path) -> None:
    if not dumped(tmp_path, "pass"):
        pytest.skip("this system dumps nothing anyway")
    assert not dumped(tmp_path, "from client.storage.home import open_home; open_home()")


def test_every_command_that_holds_secrets_opens_its_home_in_the_one_way_that_forbids_dumps() -> (
    None
):
    makers = [
        path
        for path in (ROOT / "client").rglob("*.py")
        if " Home(" in path.read_text(encoding="utf-8")
    ]
    assert {path.relative_to(ROOT).as_posix() for path in makers} == {
        "client/storage/home.py",
    }
