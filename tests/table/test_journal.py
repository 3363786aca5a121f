import pytest

from p2p.table.journal import Journal, sound_journal
from p2p.table.log import record, split_records
from p2p.table.table import Table
from p2p.wire import Malformed, pack
from tests.ring import Ring, seeded, terms_for
from tests.standin import standin_group

GROUP = standin_group()
CHAINS = [bytes([number]) * 32 for number in range(4)]


def filled() -> Journal:
    journal = Journal()
    journal.deck_key(GROUP, CHAINS[1], 1, seeded("a"))
    journal.deck_key(GROUP, CHAINS[2], 2, seeded("b"))
    journal.seal(5, b"n" * 32, b"value")
    journal.note_entry(b"entry")
    return journal


def stored(journal: Journal) -> bytes:
    return b"".join(journal.to_store())


def test_a_journal_comes_back_with_its_secrets_and_gives_our_entries():
    journal, again = filled(), Journal()
    assert again.read(GROUP, stored(journal)) == [b"entry"]
    assert [again.known_key(chain) for chain in CHAINS] == [
        journal.known_key(chain) for chain in CHAINS
    ]
    assert again.sealed(5) == (b"n" * 32, b"value")
    assert again.sealed(6) is None
    assert not again.unstored


def test_a_key_is_made_once():
    journal = filled()
    assert journal.deck_key(GROUP, CHAINS[1], 1, seeded("other")) is journal.known_key(CHAINS[1])
    assert len(journal.to_store()) == 4


def test_a_new_entry_is_stored_once():
    journal = filled()
    assert journal.unstored
    assert len(journal.to_store()) == 4
    assert not journal.unstored
    assert journal.to_store() == []


def test_a_torn_tail_is_left_out():
    data = stored(filled())
    for cut in range(1, 12):
        assert Journal().read(GROUP, data[:-cut]) == []
    assert Journal().read(GROUP, data + b"\0\0\0\x09half") == [b"entry"]


def test_of_two_values_for_one_step_the_later_counts():
    journal, again = filled(), Journal()
    journal.seal(5, b"m" * 32, b"other")
    again.read(GROUP, stored(journal))
    assert again.sealed(5) == (b"m" * 32, b"other")


@pytest.mark.parametrize(
    "item",
    [
        {"entry": 1},
        {"deck": 1, "key": b"short"},
        {"deck": 1, "key": bytes(32)},
        {"deck": 1, "key": b"\xff" * 32},
        {"deck": "1", "key": bytes(32)},
        {"sealed": 1, "nonce": b""},
        {"step": [b"x"]},
        {},
        [],
        None,
        {"entry": b"x", "more": 1},
        {"view": 0, "records": 0, "before": [0, 0]},
        {"unsent": 0},
    ],
)
def test_bytes_that_are_no_journal_are_malformed(item):
    with pytest.raises(Malformed):
        Journal().read(GROUP, record(item))


def test_entries_of_others_are_noted_once_and_come_back_in_order():
    journal, again = Journal(), Journal()
    for data in (b"two", b"one", b"two"):
        journal.note_held(data)
    data = stored(journal)
    assert again.read(GROUP, data) == []
    assert list(again.held) == [b"two", b"one"]
    again.note_held(b"one")
    assert not again.unstored


def test_opened_commitments_are_forgotten_and_deck_keys_are_kept_until_the_end():
    journal = filled()
    journal.forget(5)
    assert journal.sealed(5)
    journal.forget(6)
    assert journal.sealed(5) is None
    assert journal.known_key(CHAINS[1])
    assert journal.known_key(CHAINS[2])
    journal.wipe()
    assert journal.known_key(CHAINS[2]) is None


def test_it_shows_how_many_and_no_more():
    assert repr(filled()) == "<Journal: 2 deck keys, 1 commitments>"


def test_of_a_torn_addition_nothing_is_left_that_no_entry_of_ours_rests_on():
    journal = Journal()
    journal.note_entry(pack(0))
    whole = stored(journal)
    journal.note_held(pack(1))
    journal.seal(1, b"n" * 32, b"value")
    journal.note_entry(pack(2))
    torn = stored(journal)
    assert sound_journal(whole + torn, terms_for("tiny", 3)) == whole + torn
    for cut in range(1, 12):
        assert sound_journal(whole + torn[:-cut], terms_for("tiny", 3)) == whole


def test_the_journal_has_every_seal_until_the_log_has_them():
    ring = Ring("tiny", 3, group=GROUP)
    ring.play()
    records, _torn = split_records(ring.logs[0])
    log = ring.logs[0][: -len(records[-1]) - 4]
    table = Table.resumed(
        *(ring.terms, ring.signatures, 0, ring.who[0], seeded("x"), ring.journals[0], log, GROUP),
        listening=True,
    )
    assert table.sealed
    assert table.log_update(None)[1] == ring.logs[0]
