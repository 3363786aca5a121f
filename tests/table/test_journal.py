import pytest

from p2p.table.journal import Batch, Journal, Reach, sound_journal
from p2p.table.log import record
from p2p.wire import Malformed, pack
from tests.ring import seeded, terms_for
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


def stored(journal: Journal, reach: Reach = (0, 4)) -> bytes:
    return b"".join(journal.to_store(reach))


def test_a_journal_comes_back_with_its_secrets_and_gives_our_entries():
    journal, again = filled(), Journal()
    assert again.read(GROUP, stored(journal)) == [Batch(), Batch((0, 4), (0, 0), [b"entry"])]
    assert [again.known_key(chain) for chain in CHAINS] == [journal.known_key(chain) for chain in CHAINS]
    assert again.sealed(5) == (b"n" * 32, b"value")
    assert again.sealed(6) is None
    assert not again.unstored


def test_a_key_is_made_once():
    journal = filled()
    assert journal.deck_key(GROUP, CHAINS[1], 1, seeded("other")) is journal.known_key(CHAINS[1])
    assert len(journal.to_store((0, 4))) == 5


def test_what_is_new_is_stored_once():
    journal = filled()
    assert journal.unstored
    assert len(journal.to_store((0, 4))) == 5
    assert not journal.unstored
    assert journal.to_store((0, 5)) == []


def test_a_torn_tail_is_left_out():
    data = stored(filled())
    for cut in range(1, 12):
        assert Journal().read(GROUP, data[:-cut])[-1].entries == []
    assert Journal().read(GROUP, data + b"\0\0\0\x09half")[-1].entries == [b"entry"]


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
        {"view": 0},
        {"view": "0", "records": 0, "before": [0, 0]},
        {"view": 0, "records": 0, "before": [0]},
        {"unsent": 0},
        {"unsent": "1"},
    ],
)
def test_what_is_no_journal_is_malformed(item):
    with pytest.raises(Malformed):
        Journal().read(GROUP, record(item))


def in_batches(*reaches: Reach) -> bytes:
    journal, data = Journal(), b""
    for number, reach in enumerate(reaches):
        journal.note_entry(b"entry %d" % number)
        data += stored(journal, reach)
    return data


def test_entries_that_need_no_more_of_the_log_join_their_batch():
    batches = Journal().read(GROUP, in_batches((0, 0), (0, 0), (0, 1), (0, 1), (1, 1)))
    assert [(batch.reach, len(batch.entries)) for batch in batches] == [((0, 0), 2), ((0, 1), 2), ((1, 1), 1)]


@pytest.mark.parametrize(("reach", "kept"), [((0, 1), 3), ((0, 2), 2), ((0, 3), 2), ((0, 4), 3), ((1, 0), 3)])
def test_the_last_batch_is_dropped_if_the_log_lacks_what_it_needs_and_nothing_else(reach, kept):
    data = in_batches((0, 0), (0, 2), (0, 4))
    journal = Journal()
    batches = journal.read(GROUP, data)
    journal.drop_unsent(batches, reach)
    assert len(batches) == kept
    assert journal.unstored is (kept == 2)


def test_what_was_dropped_never_counts_again():
    data = in_batches((0, 0), (0, 2), (0, 4))
    journal = Journal()
    batches = journal.read(GROUP, data)
    journal.drop_unsent(batches, (0, 3))
    journal.note_entry(b"another entry")
    data += stored(journal, (0, 4))
    assert [entry for batch in Journal().read(GROUP, data) for entry in batch.entries] == [
        b"entry 0",
        b"entry 1",
        b"another entry",
    ]


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


def test_what_was_dropped_stays_dropped_when_the_next_addition_is_torn():
    journal, data = Journal(), b""
    for number, reach in enumerate([(0, 0), (0, 2)]):
        journal.note_entry(pack(number))
        data += stored(journal, reach)
    journal.drop_unsent(journal.read(GROUP, data), (0, 1))
    data += stored(journal, (0, 1))
    journal.note_entry(pack(2))
    torn = stored(journal, (0, 2))
    kept = sound_journal(data + torn[:-1], terms_for("tiny", 3))
    assert [entry for batch in Journal().read(GROUP, kept) for entry in batch.entries] == [pack(0)]
