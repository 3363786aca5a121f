"""Back into a match whose files are torn, older, doubled or those of another: it goes on, or one
sentence says why not."""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from client.__main__ import main
from client.storage.home import Home
from client.storage.resume_record import look_through
from crypto.identity import Identity
from p2p.table.replay import verify_log
from p2p.table.tail import RECORD_LIMIT, joined, split_records
from p2p.wire import unpack
from tests.end_to_end.processes import Machine, eventually
from tests.sample import sample

pytestmark = pytest.mark.slow

VECTORS = Path(__file__).parents[2] / "vectors"


class Disk:
    """The files of a player that was killed in mid-match; `other` has those of another player in
    another match."""

    def __init__(self, home: Path, other: Disk | None = None) -> None:
        self.home = home
        (self.match,) = (home / "journals").glob("*.match")
        name = self.match.stem
        self.ours, self.computers = (
            home / "journals" / f"{name}.p{seat}.journal" for seat in (1, 2)
        )
        self.log = home / "logs" / f"{name}.sobremesa"
        self.other = other


def beyond_its_keys(home: Path, keys: int) -> bool:
    """Return whether our journal holds so many keys, and two records after the last of them."""
    (path,) = (home / "journals").glob("*.p1.journal")
    found = [unpack(item, RECORD_LIMIT) for item in split_records(path.read_bytes())[0]]
    return sum("key" in record for record in found) == keys and not any(
        "key" in record for record in found[-2:]
    )


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """Return the homes of two players who were killed in mid-match, each against a computer
    player."""
    machine = Machine(tmp_path_factory.mktemp("killed"))
    try:
        for name in ("one", "two"):
            player = machine.person(name, "play", "escoba", "--option", "target=1", "--plain")
            player.reads("Your move")
            player.type("hint")
            player.type(player.reads(r"\sType\s+(play [^\r\n]+)")[1])
            player.reads("Your move")
            # A tie needs a second deal, so neither the key of its deck nor the entry behind it may
            # be the last record.
            eventually(partial(beyond_its_keys, machine.folder / name, 2), "the next deck")
            player.signal(signal.SIGKILL)
            player.process.wait()
        yield machine.folder / "one", machine.folder / "two"
    finally:
        machine.end()


@pytest.fixture
def disk(killed: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    home = tmp_path / "home"
    shutil.copytree(killed[0], home)
    monkeypatch.setenv("SOBREMESA_HOME", str(home))
    return Disk(home, Disk(killed[1]))


def changed(name: str, change: Callable[[bytes], bytes]) -> Callable[[Disk], None]:
    """Return what changes the content of a file."""

    def spoil(disk: Disk) -> None:
        path: Path = getattr(disk, name)
        path.write_bytes(change(path.read_bytes()))

    return spoil


def foreign(name: str) -> Callable[[Disk], None]:
    """Return what puts the file of another match in the place of ours."""
    return lambda disk: getattr(disk, name).write_bytes(getattr(disk.other, name).read_bytes())


def first(part: int) -> Callable[[bytes], bytes]:
    """Return what leaves the first of so many equal parts of the records, at least one of them."""

    def cut(data: bytes) -> bytes:
        found = split_records(data)[0]
        return b"".join(
            len(item).to_bytes(4, "big") + item for item in found[: max(1, len(found) // part)]
        )

    return cut


def to_the_last_secret(data: bytes) -> bytes:
    """Cut a journal after its last secret: others make up for the words after that, but not for a
    secret."""
    found = split_records(data)[0]
    last = max(
        at for at, item in enumerate(found) if {"key", "nonce"} & set(unpack(item, RECORD_LIMIT))
    )
    assert last + 1 < len(found)
    return joined(found[: last + 1])


def zeros_from(part: float) -> Callable[[bytes], bytes]:
    """Return what leaves a file as long as it was, but its last record zero from this part on."""

    def cut(data: bytes) -> bytes:
        size = len(split_records(data)[0][-1])
        gone = max(1, int(size * (1 - part)))
        return data[:-gone] + bytes(gone)

    return cut


def zeros_inside(data: bytes) -> bytes:
    """Let the second record be zeros."""
    found = split_records(data)[0]
    begin = 8 + len(found[0])
    return data[:begin] + bytes(len(found[1])) + data[begin + len(found[1]) :]


def swap(disk: Disk) -> None:
    ours, computers = disk.ours.read_bytes(), disk.computers.read_bytes()
    disk.ours.write_bytes(computers)
    disk.computers.write_bytes(ours)


def set_back(disk: Disk) -> None:
    for name in ("ours", "computers", "log"):
        changed(name, first(2))(disk)


def of_protocol_1(disk: Disk) -> None:
    home = Home(disk.home)
    (found,), _damaged = look_through(home)
    terms = replace(found.terms, protocol=1)
    keys = [Identity.from_seed(seed) if seed else home.identity for seed in found.seeds.values()]
    old = replace(found, terms=terms, signatures=tuple(terms.sign(key) for key in keys))
    old.save(home)
    disk.match.unlink()
    for path in (disk.ours, disk.computers, disk.log):
        path.rename(path.with_name(path.name.replace(found.name, old.name)))


GOES_ON = {
    "as it was": lambda _disk: None,
    "torn journal": changed("ours", lambda data: data[:-3]),
    "torn journal of the computer player": changed("computers", lambda data: data[:-3]),
    "zeros at the end of the journal": changed("ours", lambda data: data + bytes(4096)),
    "something at the end of the journal": changed("ours", lambda data: data + b"\0\0\0\x05hello"),
    "something at the end of the log": changed("log", lambda data: data + b"\xff" * 40),
    **{
        f"last record of the {name} zero from 0.5": changed(name, zeros_from(0.5))
        for name in ("ours", "log")
    },
    "older journal": changed("ours", to_the_last_secret),
    "doubled journal": changed("ours", lambda data: data * 2),
    "older log": changed("log", first(2)),
    "no log": lambda disk: disk.log.unlink(),
    "older disk": set_back,
}
SAMPLE = len(GOES_ON)
GOES_ON |= {
    f"last record of the {name} zero from {part}": changed(name, zeros_from(part))
    for name in ("ours", "log")
    for part in (0.0, 0.1, 0.9, 1.0)
}
GOES_ON["torn log"] = changed("log", lambda data: data[:-5])


@pytest.mark.parametrize("spoil", sample(GOES_ON.values(), SAMPLE), ids=GOES_ON)
def test_damage_that_other_files_make_up_for_costs_nothing(disk, spoil, capsys):
    spoil(disk)
    assert main(["resume", "--auto", "--at-once", "--plain"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "The match is over" in out
    assert verify_log(disk.log.read_bytes()).complete
    assert list((disk.home / "journals").iterdir()) == []


FROM_DISK = "the match cannot go on from the files on disk: "
TOO_OLD = f"{FROM_DISK}they are an older copy, without the keys of the cards dealt since."
STOPS = {
    "journal without keys": (changed("ours", first(10**9)), TOO_OLD),
    "empty journal": (changed("ours", lambda _data: b""), TOO_OLD),
    "no journal": (lambda disk: disk.ours.unlink(), TOO_OLD),
    "no journal of the computer player": (lambda disk: disk.computers.unlink(), TOO_OLD),
    "journal of another match": (foreign("ours"), f"{FROM_DISK}an entry of another match"),
    "journal of another seat": (swap, TOO_OLD),
    "zeros inside the journal": (changed("ours", zeros_inside), "p1.journal is damaged at byte "),
    "zeros inside the log": (changed("log", zeros_inside), ".sobremesa is damaged at byte "),
    "a wrong size inside the log": (
        changed("log", lambda data: b"\xff" + data[1:]),
        ".sobremesa is damaged at byte 0",
    ),
    "no journal at all": (
        changed("ours", lambda _data: b"\xff" * 999),
        "p1.journal is damaged at byte 0",
    ),
    "log of another match": (foreign("log"), f"{FROM_DISK}an entry of another match"),
    "doubled log": (changed("log", lambda data: data * 2), f"{FROM_DISK}record "),
    "log of protocol 1": (
        changed("log", lambda _data: (VECTORS / "protocol-1.sobremesa").read_bytes()),
        f"{FROM_DISK}a log of protocol 1; this program speaks 3",
    ),
    "match of another player": (foreign("match"), "does not belong to this folder's player"),
    "match of protocol 1": (of_protocol_1, "is of another version of Sobremesa"),
    "torn match": (
        changed("match", lambda data: data[:-3]),
        "is damaged: that match cannot be resumed",
    ),
    "doubled match": (
        changed("match", lambda data: data * 2),
        "is damaged: that match cannot be resumed",
    ),
    "empty match": (
        changed("match", lambda _data: b""),
        "is damaged: that match cannot be resumed",
    ),
}


@pytest.mark.parametrize(("spoil", "sentence"), STOPS.values(), ids=STOPS)
def test_damage_that_nothing_makes_up_for_is_a_sentence_and_destroys_nothing(
    disk, spoil, sentence, capsys
):
    spoil(disk)
    kept = {path: path.read_bytes() for path in disk.home.rglob("*") if path.is_file()}
    assert main(["resume", "--auto", "--at-once", "--plain"]) == 1
    out, err = capsys.readouterr()
    assert not re.search("Back in match|come back with", out)
    assert err.startswith("sobremesa: ")
    assert err.count("\n") == 1
    assert sentence in err
    assert {path: path.read_bytes() for path in disk.home.rglob("*") if path.is_file()} == kept
