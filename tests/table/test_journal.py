import pytest

from p2p.table.journal import Journal, sound_journal
from p2p.table.log import record
from p2p.table.tail import split_records
from p2p.wire import Malformed, pack
from tests.ring import Ring, terms_for
from tests.standin import seeded, standin_group

GROUP = standin_group()
CHAINS = [bytes([number]) * 32 for number in range(4)]


def filled() -> Journal:
    journal = Journal()
    journal.deck_key(GROUP, CHAINS[1], 1, seeded("a"))
    journal.deck_key(GROUP, CHAINS[2], 2, seeded("b"))
    journal.note_committed(5, b"n" * 32, b"value")
    journal.note_entry(b"entry")
    return journal


def stored(journal: Journal) -> bytes:
    return b"".join(journal.to_store())


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


def test_opened_commitments_are_forgotten_and_deck_keys_are_kept_until_the_end():
    journal = filled()
    journal.forget(5)
    assert journal.committed(5)
    journal.forget(6)
    assert journal.committed(5) is None
    assert journal.known_key(CHAINS[1])
    assert journal.known_key(CHAINS[2])
    journal.wipe()
    assert journal.known_key(CHAINS[2]) is None


def test_of_a_torn_addition_nothing_is_left_that_no_entry_of_ours_rests_on():
    journal = Journal()
    journal.note_entry(pack(0))
    whole = stored(journal)
    journal.note_held(pack(1))
    journal.note_committed(1, b"n" * 32, b"value")
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
    table = ring.resumed(0, log=log, listening=True)
    assert table.sealed
    assert table.log_update(None)[1] == ring.logs[0]
