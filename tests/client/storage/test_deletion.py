"""A past match is deleted with all its files, and no other match loses one."""

from __future__ import annotations

import pytest

from client.storage.deletion import delete_match
from client.storage.history import HistoryReader
from client.storage.history_index import NAME
from client.storage.home import StoreError
from client.storage.match_files import MatchFiles, files_of
from tests.client.storage.homes import JON, MIREN, home, played, put
from tests.client.storage.test_home import resume_record

__all__ = ["home"]

MATCH = "ab" * 16
OWN = (
    *("{}.left", "{}.desync", "{}.p1.verdict", "{}.p2.verdict"),
    *("{}.branch1.sobremesa", "{}.branch12.sobremesa", "{}.sobremesa"),
)
SECRET = ("{}.p1.journal", "{}.p2.journal")
CARDS = ("{}.cards",)
OTHERS = (
    *("{}c.left", "{}.more.sobremesa", "{}.branch.sobremesa", "{}.branch1.left", "x{}.left"),
    *("{}.left.txt", "{}.notes", "{}1.sobremesa"),
)


def filled(home) -> tuple[set[str], set[str]]:
    """Write files of a match and of others; return the names of both."""
    folders = ((home.logs, OWN), (home.journals, SECRET), (home.cards, CARDS), (home.logs, OTHERS))
    for folder, names in folders:
        for name in names:
            (folder / name.format(MATCH)).write_bytes(b"x")
    own = {name.format(MATCH) for name in (*OWN, *SECRET, *CARDS)}
    return own, {name.format(MATCH) for name in OTHERS}


def there(home) -> set[str]:
    folders = (home.logs, home.journals, home.cards)
    return {path.name for folder in folders for path in folder.iterdir()}


def test_all_files_of_a_match_go_and_no_others(home):
    own, others = filled(home)
    assert there(home) == own | others
    delete_match(home, MATCH)
    assert there(home) == others


def test_the_log_goes_last(home):
    own, _others = filled(home)
    files = [path.name for path in files_of(home, MATCH)]
    assert files[-1] == f"{MATCH}.sobremesa"
    assert set(files) == own


def test_files_that_are_written_for_a_match_are_files_of_it(home):
    files = MatchFiles(home, bytes.fromhex(MATCH), (0,))
    files.write_journal(0, b"x")
    files.write_own_cards({0: bytes(32)})
    files.write_verdict(0, b"x")
    files.write_account(b"x")
    files.write_departure((), b"")
    files.log.write_bytes(b"x")
    files.close(finished=False)
    assert {path.name for path in files_of(home, MATCH)} == there(home)


def test_a_match_that_can_be_resumed_is_not_deleted(home):
    one = resume_record(home)
    one.save(home)
    with pytest.raises(StoreError, match="not finished"):
        delete_match(home, one.name)
    assert f"{one.name}.match" in there(home)


def test_a_match_whose_record_cannot_be_read_may_not_be_over_and_is_not_deleted(home):
    own, others = filled(home)
    one = resume_record(home)
    one.save(home)
    record = home.journals / f"{one.name}.match"
    record.write_bytes(record.read_bytes()[:-1])
    way_back = record.rename(home.journals / f"{MATCH}.match")
    with pytest.raises(StoreError, match=f"{MATCH}.match cannot be read, .* move it away first"):
        delete_match(home, MATCH)
    assert own | others <= there(home)
    way_back.unlink()
    delete_match(home, MATCH)
    assert there(home) == others


def test_a_reading_that_began_before_does_not_bring_a_deleted_match_back_into_the_index(home):
    put(home, played(JON), "one", at=1_700_000_000)
    put(home, played(MIREN, seed="two"), "two", at=1_700_100_000)
    reader = HistoryReader(home)
    assert reader.read(0) == 1, "the newest has been read"
    delete_match(home, "two")
    assert reader.read() == 0
    assert "Jon" in (home.path / NAME).read_text()
    assert "Miren" not in (home.path / NAME).read_text()
