"""A crash at any moment loses nothing, and no honest seat contradicts itself (protocol 4, 6)."""

import pytest

from p2p.table.journal import Journal
from p2p.table.phase import Phase
from p2p.table.table import Table
from p2p.table.tail import split_records
from p2p.wire import Malformed
from tests.adversary.membership import accused, come_together, must_end, siete
from tests.ring import Ring, first_choice
from tests.standin import seeded, standin_group

GROUP = standin_group()


def signed_by(ring, seat):
    """Return what a seat has signed and may have sent, as its journal has it."""
    return [ring.read(data) for data in Journal().read(GROUP, ring.journals[seat])]


def test_a_table_that_only_listens_does_not_seal():
    ring = Ring("tiny", 2, group=GROUP)
    ring.play()
    seals = {item for item in split_records(ring.journals[0])[0] if b"\xa4seal" in item}
    (own,) = {item for item in seals if b"\xa5entry" in item}
    journal, log = (
        b"".join(
            len(item).to_bytes(4, "big") + item
            for item in split_records(data)[0]
            if item not in seals and b"seals" not in item
        )
        for data in (ring.journals[0], ring.logs[0])
    )
    table = ring.resumed(0, journal=journal, log=log, listening=True)
    assert table.over
    assert not table.sealed
    assert table.data_to_store() == b""
    table.speak()
    assert [own] == split_records(table.data_to_store())[0]


def test_a_table_that_only_listens_may_leave_and_signs_nothing_else():
    ring = Ring("tiny", 3, group=GROUP)
    ring.settle()
    table = ring.resumed(0, listening=True)
    table.data_to_store()
    table.data_to_send()
    table.leave()
    table.proceed()
    (stored,) = split_records(table.data_to_store())[0]
    (said,) = table.data_to_send()
    assert ring.read(said).place == ("leave", 0)
    assert said in stored
    assert table.out
    assert table.phase is Phase.LISTENING


def test_a_seat_that_has_spoken_in_an_epoch_makes_no_other_change_after_a_crash():
    """Its journal has its first word in epoch 1, its log not yet the change before it; then
    another one leaves."""

    def deliver(seat: int, *entries: bytes) -> list[bytes]:
        table = ring.tables[seat]
        for data in entries:
            table.receive(data)
        table.proceed()
        ring.journals[seat] += table.data_to_store()
        return table.data_to_send()

    ring = siete()
    log = ring.logs[2]
    leave, other = (ring.signed(seat, ("leave", 0)).data for seat in (3, 1))
    flushes = [deliver(seat, leave) for seat in (0, 1, 2)]
    stands = [deliver(seat, *(data for said in flushes for data in said)) for seat in (0, 1, 2)]
    later = deliver(0, other)
    word = deliver(2, *stands[0], *stands[1])
    assert ring.read(word[-1]).place[:2] in (
        ("step", 1),
        ("deck", 1),
    )
    ring.tables[2] = ring.resumed(2, log=log)
    deliver(2, other, *later)
    deliver(0, *stands[1], *stands[2], *word)
    ring.marks[0] = ring.marks[2] = None
    for seat in (0, 2):
        ring.logs[seat] = b""
        ring.store(seat)
    come_together(ring)
    must_end(ring, (0, 2), (1, "left"), (3, "left"))


def between_journal_and_log():
    """Return a match of three, and the files of seat 0 as a crash leaves them that comes between
    journal and log.

    The journal has a word that rests on a record that the log has not.
    """
    ring = siete(3)
    while True:
        for seat in range(3):
            ring.tables[seat].proceed()
            log = ring.logs[0]
            steps = len(split_records(log)[0]) - 1
            data = ring.store(seat)
            words = [entry for entry in signed_by(ring, 0) if entry.kind == "step"]
            if seat == 0 and words[-1].place[2] > steps + 1:
                return ring, ring.journals[0], log
            for one in data:
                ring.carry(seat, one, ring.others(seat))
        for table in ring.tables:
            if table.asked:
                table.act(first_choice(table.view()))


def test_the_journal_has_the_records_that_the_log_lacks_after_a_crash_between_the_two():
    """The others may be liars who keep these records to themselves: their seat must still flush
    when one of them leaves."""
    ring, journal, log = between_journal_and_log()
    table = ring.resumed(0, journal=journal, log=log)
    assert table.steps == ring.tables[0].steps > len(split_records(log)[0]) - 1
    table.receive(ring.signed(1, ("leave", 0)).data)
    table.proceed()
    assert table.data_to_store()
    said = [ring.read(data) for data in table.data_to_send()]
    assert [entry.head for entry in said if entry.kind == "flush"] == [table.head]


@pytest.mark.parametrize("lost", [1, 6, 1000])
def test_after_a_damaged_log_all_that_the_journal_has_counts_as_sent(lost):
    """A damaged log may lack its last records, or have been moved away: the program advises
    that."""
    ring, journal, log = between_journal_and_log()
    records = split_records(log)[0][:-lost]
    older = b"".join(len(item).to_bytes(4, "big") + item for item in records)
    table = ring.resumed(0, journal=journal, log=older)
    table.receive(ring.signed(1, ("leave", 0)).data)
    table.proceed()
    table.data_to_store()
    lost_words = {
        entry.data
        for entry in signed_by(ring, 0)
        if entry.kind == "step" and entry.place[2] >= len(records)
    }
    assert lost_words
    said = table.data_to_send()
    assert lost_words <= set(table.held_since(0))
    assert not [data for data in said if b"\xa5flush" in data]


def test_a_flush_rests_on_words_of_the_step_under_way_and_all_outlive_a_crash():
    """A liar says its first word of a shuffle and is then silent. The others vote it out, one
    flushes, and all of them crash.

    The liar does not repeat its first word, without which nobody knows the point at which it was
    voted on.
    """
    liar, honest = 0, (1, 2, 3)
    ring = Ring("siete-y-media", 4, group=GROUP, deals=1)
    ring.tap = lambda sender, receiver, data: (
        () if sender == liar and ring.read(data).stage else (data,)
    )
    ring.settle()
    assert all(ring.tables[seat].waiting == (liar,) for seat in honest)
    ring.tap = lambda sender, receiver, data: (data,) if receiver == 3 and sender != liar else ()
    for seat in honest:
        ring.tables[seat].vote(liar)
    ring.settle()
    assert ring.tables[3].phase is Phase.CHANGING
    for seat in honest:
        ring.tables[seat] = ring.resumed(seat, f"again/{seat}")
    ring.tap = lambda sender, receiver, data: () if liar in (sender, receiver) else (data,)
    for seat in honest:
        for other in honest:
            for data in ring.tables[seat].held_since(0):
                ring.tables[other].receive(data)
    ring.play()
    must_end(ring, honest, (liar, "voted"))


def test_a_log_that_does_not_follow_is_refused():
    ring = Ring("tiny", 2, group=GROUP)
    ring.play(moves=1)
    foreign = Ring("tiny", 2, group=GROUP, seed="another match")
    foreign.play(moves=1)
    log = ring.logs[0] + foreign.logs[0][-200:]
    with pytest.raises(Malformed):
        ring.resumed(0, log=log)


def test_a_player_may_choose_otherwise_if_the_choice_was_never_written(monkeypatch):
    """The commitment's secret was on the disk, its entry was not: the choice that the player makes
    now is revealed."""
    ring = Ring("tiny", 2, group=GROUP)
    ring.settle()
    while (
        ring.tables[1].progress.exchange.round.__class__.__name__ != "AskRound"
        or not ring.tables[1].progress.exchange.round.commits
    ):
        ring.play(first_choice, moves=1)
    table = ring.tables[1]
    table.journal.note_committed(table.progress.here.step, b"n" * 32, b"\x92\xa3Bid\x02")
    ring.play()
    bids = [
        entry for entry in signed_by(ring, 1) if entry.body.get("value") and "shares" in entry.body
    ]
    assert bids[0].body["value"] == ["Bid", 0]


def test_the_basis_of_a_word_of_a_later_stage_outlives_the_crash():
    """A liar gives one key for a deck to us alone, we shuffle with it and crash; then it gives
    another key to everybody."""
    ring = Ring("tiny", 3, group=GROUP)
    other_story = Table(ring.terms, ring.signatures, 1, ring.who[1], seeded("other"), GROUP)
    keys = []
    for table in (*ring.tables, other_story):
        table.proceed()
        table.data_to_store()
        keys.append(table.data_to_send()[0])
    ring = Ring("tiny", 3, group=GROUP)
    first, ring.tables[1] = (
        ring.tables[0],
        Table(ring.terms, ring.signatures, 1, ring.who[1], seeded("other"), GROUP),
    )
    journal, log = b"", b""
    for heard in ((), keys[1:3]):
        for data in heard:
            first.receive(data)
        first.proceed()
        journal += first.data_to_store()
        log = first.log_update(None)[1]
        sent = first.data_to_send()
    assert [ring.read(data).stage for data in sent] == [1], "seat 0 has shuffled"
    ring.tables[0] = ring.resumed(0, journal=journal, log=log)
    ring.settle()
    come_together(ring)
    ring.play()
    assert all(accused(ring, seat) == [1] for seat in (0, 2))
    must_end(ring, (0, 2), (1, "convicted"))
