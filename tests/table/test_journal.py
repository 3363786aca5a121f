import pytest

from p2p.table.journal import Journal
from p2p.table.log import record
from p2p.wire import Malformed
from tests.ring import seeded
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


def test_a_journal_comes_back_with_its_secrets_and_gives_our_entries():
    journal, again = filled(), Journal()
    assert list(again.read(GROUP, b"".join(journal.to_store()))) == [b"entry"]
    assert [again.known_key(chain) for chain in CHAINS] == [journal.known_key(chain) for chain in CHAINS]
    assert again.sealed(5) == (b"n" * 32, b"value")
    assert again.sealed(6) is None
    assert not again.unstored


def test_a_key_is_made_once():
    journal = filled()
    assert journal.deck_key(GROUP, CHAINS[1], 1, seeded("other")) is journal.known_key(CHAINS[1])
    assert len(journal.to_store()) == 4


def test_what_is_new_is_stored_once():
    journal = filled()
    assert journal.unstored
    assert len(journal.to_store()) == 4
    assert not journal.unstored
    assert journal.to_store() == []


def test_a_torn_tail_is_left_out():
    data = b"".join(filled().to_store())
    for cut in range(1, 12):
        assert list(Journal().read(GROUP, data[:-cut])) == []
    assert list(Journal().read(GROUP, data + b"\0\0\0\x09half")) == [b"entry"]


def test_of_two_values_for_one_step_the_later_counts():
    journal, again = filled(), Journal()
    journal.seal(5, b"m" * 32, b"other")
    list(again.read(GROUP, b"".join(journal.to_store())))
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
    ],
)
def test_what_is_no_journal_is_malformed(item):
    with pytest.raises(Malformed):
        list(Journal().read(GROUP, record(item)))


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
