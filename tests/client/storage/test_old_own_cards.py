"""Files of earlier versions have deck keys: they are turned over to shares, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from client.storage.home import Home, StoreError, match_name, write_private
from client.storage.own_cards import own_cards_file, read_own_cards
from p2p.table.log import split_records
from p2p.table.tail import joined
from p2p.wire import pack
from tests.client.storage.faulty_disk import LOSSES, FaultyDisk, PowerLost
from tests.ring import Ring


@pytest.fixture(scope="module")
def ring() -> Ring:
    ring = Ring("truco", 2, seed="old cards", target=5)
    ring.play()
    return ring


class Old:
    """A home with a match whose own-cards file has deck keys, as earlier versions wrote it."""

    def __init__(self, ring: Ring, folder: Path, keys: Sequence[bytes] | None = None) -> None:
        self.home, self.match, self.ring = Home(folder / "home"), ring.terms.match, ring
        self.file = own_cards_file(self.home.path, self.match)
        self.keys = ring.deck_keys(0) if keys is None else keys
        write_private(
            self.file, pack({"sobremesa": 1, "match": self.match, "keys": list(self.keys)})
        )
        self.log = self.home.logs / f"{match_name(self.match)}.sobremesa"
        self.log.write_bytes(ring.logs[0])

    def read(self) -> dict[int, bytes]:
        return dict(read_own_cards(self.home.path, self.match, lambda: self.ring.logs[0]))

    @property
    def has_keys(self) -> bool:
        return any(key in self.file.read_bytes() for key in self.keys)


@pytest.fixture
def old(ring: Ring, tmp_path: Path) -> Iterator[Old]:
    return Old(ring, tmp_path)


def test_keys_become_shares_at_the_first_reading_and_are_gone(old: Old) -> None:
    assert old.has_keys
    assert old.read() == old.ring.tables[0].kept_shares
    assert not old.has_keys
    assert [path.name for path in old.home.cards.iterdir()] == [old.file.name]
    old.log.unlink()
    assert read_own_cards(old.home.path, old.match) == old.ring.tables[0].kept_shares


def test_a_log_that_is_not_in_the_home_will_do_if_it_is_whole(old: Old) -> None:
    old.log.unlink()
    assert old.read() == old.ring.tables[0].kept_shares
    assert not old.has_keys


def part_of(ring: Ring) -> bytes:
    records, _torn = split_records(ring.logs[0])
    return joined(records[: len(records) * 2 // 3])


def test_a_part_of_the_log_that_somebody_shows_takes_no_key_away(old: Old, ring: Ring) -> None:
    old.log.unlink()
    found = read_own_cards(old.home.path, old.match, lambda: part_of(ring))
    assert found.items() < ring.tables[0].kept_shares.items()
    assert old.has_keys
    old.log.write_bytes(ring.logs[0])
    assert read_own_cards(old.home.path, old.match, lambda: part_of(ring)) == old.read()
    assert not old.has_keys


def test_a_match_that_goes_on_keeps_its_keys_and_one_that_was_left_does_not(
    old: Old, ring: Ring
) -> None:
    old.log.write_bytes(part_of(ring))
    record = old.home.journals / f"{match_name(old.match)}.match"
    record.write_bytes(b"x")
    found = old.read()
    assert found
    assert old.has_keys
    record.unlink()
    assert old.read() == found
    assert not old.has_keys


@pytest.mark.parametrize("log", [b"", b"\xff" * 99])
def test_a_log_that_is_none_takes_no_key_away(old: Old, log: bytes) -> None:
    old.log.write_bytes(log)
    assert old.read() == {}
    assert old.has_keys


def test_keys_that_fit_no_deck_show_nothing_and_stay(ring: Ring, tmp_path: Path) -> None:
    old = Old(ring, tmp_path, keys=[b"\x07" * 31 + b"\0", b"\xff" * 32])
    assert old.read() == {}
    assert old.has_keys


@pytest.mark.parametrize("loss", ["", *LOSSES])
def test_a_disk_that_fails_on_the_way_loses_nothing(ring: Ring, tmp_path: Path, loss: str) -> None:
    good = FaultyDisk(tmp_path / "good" / "home")
    (tmp_path / "good").mkdir()
    made = Old(ring, tmp_path / "good")
    with good.in_use():
        made.read()
    assert good.calls
    for last in range(good.calls + 1):
        folder = tmp_path / str(last)
        folder.mkdir()
        old = Old(ring, folder)
        disk = FaultyDisk(folder / "home", last, loss)
        with disk.in_use(), suppress(PowerLost, StoreError):
            assert old.read() == ring.tables[0].kept_shares
        if loss:
            disk.come_up()
        with old.home.locked():
            assert old.read() == ring.tables[0].kept_shares
        assert not old.has_keys
