"""A torn end of a journal or log, left by a crash, is cut off; damage before the end is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p.table.journal import sound_journal
from p2p.table.log import read_log, record, sound_log
from p2p.table.tail import RECORD_LIMIT, SEARCHED, Damaged, joined, split_records, whole_records
from p2p.wire import unpack
from tests.ring import Ring
from tests.standin import standin_group

GROUP = standin_group()


@pytest.fixture(scope="module")
def ring():
    made = Ring("escoba", 2, group=GROUP, target=1)
    made.play(moves=4)
    return made


def partly_zero(data):
    """Give the file as it is when its last two records are zero from some byte on, and how many
    records are whole then."""
    found = split_records(data)[0]
    *_others, before, last = found
    for gone in (*range(1, 80), *range(80, len(before) + len(last) + 8, 7)):
        whole = len(found) - 1 - (gone > len(last) + 4)
        yield data[:-gone] + bytes(gone), whole


def test_whole_files_are_sound(ring):
    assert sound_log(ring.logs[0]) == ring.logs[0]
    assert sound_journal(ring.journals[0], ring.terms) == ring.journals[0]
    assert sound_log(b"") == sound_journal(b"", ring.terms) == b""


@pytest.mark.slow
def test_a_log_whose_last_records_are_partly_zero_keeps_those_before(ring):
    found = split_records(ring.logs[0])[0]
    for data, whole in partly_zero(ring.logs[0]):
        kept = sound_log(data)
        # a signature may end in zeros; then nothing is lost
        assert kept in (joined(found[:whole]), data)
        read_log(kept)


def test_a_journal_whose_last_records_are_partly_zero_keeps_no_secret_that_may_be_cut_short(ring):
    journal = ring.journals[0]
    found = split_records(journal)[0]
    secrets = [place for place, item in enumerate(found) if "entry" not in unpack(item, 1 << 20)]
    assert secrets
    for place in secrets:
        for gone in range(1, 40):
            data = joined(found[: place + 1])
            kept = split_records(sound_journal(data[:-gone] + bytes(gone + 500), ring.terms))[0]
            assert kept == found[: len(kept)]
            assert not kept or "entry" in unpack(kept[-1], 1 << 20)
    for data, whole in partly_zero(journal):
        kept = split_records(sound_journal(data, ring.terms))[0]
        assert kept == found[: len(kept)]
        assert len(kept) <= whole or data == journal


@pytest.mark.parametrize("place", [0, 1, 2])
def test_damage_before_the_end_is_told(ring, place):
    for data, sound in (
        (ring.logs[0], sound_log),
        (ring.journals[0], lambda data: sound_journal(data, ring.terms)),
    ):
        found = split_records(data)[0]
        begin = len(joined(found[:place]))
        for spoiled in (bytes(4), b"\xff" * 4, b"\0\0\0\x01"):
            with pytest.raises(Damaged) as damaged:
                sound(data[:begin] + spoiled + data[begin + 4 :])
            assert damaged.value.at == begin


def test_a_journal_or_log_of_another_match_is_left_as_it_is(ring):
    other = replace(ring.terms, participants=ring.terms.participants[::-1])
    assert sound_journal(ring.journals[0], other) == ring.journals[0]
    foreign = record({"held": b"\xc0"})
    assert sound_journal(foreign, other) == foreign


def test_a_file_without_records_from_the_first_byte_on_is_none_of_ours(ring):
    with pytest.raises(Damaged):
        sound_log(b"\xff" * 999)
    assert sound_log(bytes(999)) == b""


def test_a_file_that_is_full_of_sizes_is_not_searched_for_ever():
    sizes = (RECORD_LIMIT.to_bytes(4, "big") + b"\x81\xa4") * (2 * RECORD_LIMIT // 6)
    tried = []
    with pytest.raises(Damaged) as damaged:
        whole_records(bytes(4) + sizes, lambda item: tried.append(len(item)) or False)
    assert damaged.value.at == 0
    assert sum(tried) <= SEARCHED
