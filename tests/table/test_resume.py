"""A crash at any moment loses nothing, and no honest seat contradicts itself (protocol 4, 6)."""

import pytest

from p2p.table.events import Accused
from p2p.table.journal import Journal
from p2p.table.log import read_entry, split_records
from p2p.table.phase import Phase
from p2p.table.replay import verify_log
from p2p.table.table import Table
from p2p.wire import Malformed
from tests.adversary.membership import accused, catch_up, must_end, send_signed, siete
from tests.ring import Ring, first_choice, seeded
from tests.sample import sample
from tests.standin import standin_group

GROUP = standin_group()


class Crash(Exception):
    """The process is gone."""


class CrashRing(Ring):
    """One seat dies at its n-th store that has something of its own, before or after sending it,
    and sits down again."""

    def __init__(self, game, players, *, seat, at, sent, torn=0, **options):
        super().__init__(game, players, group=GROUP, **options)
        self.dies, self.left, self.sends, self.torn = seat, at, sent, torn
        self.stored = []
        self.fresh = False

    def deliver(self):
        busy = super().deliver()
        busy, self.fresh = busy or self.fresh, False
        return busy

    def store(self, seat):
        before = (self.journals[seat], self.logs[seat], self.marks[seat])
        data = super().store(seat)
        if seat == self.dies and self.journals[seat] != before[0]:
            self.stored.append(self.kinds_since(len(before[0])))
            if len(self.stored) == self.left:
                return self.crash(seat, data if self.sends else [], before)
        return data

    def kinds_since(self, length):
        """Return the kinds of the entries that the dying seat's journal has beyond this length:
        places and stages."""
        entries = Journal().read(GROUP, self.journals[self.dies][length:])
        return frozenset(
            (entry.place[0], entry.stage) for entry in (read(self, data) for data in entries)
        )

    def crash(self, seat, data, before):
        if self.torn:
            # The last record was not yet whole on the disk, so nothing that came after it was.
            whole, _ = split_records(self.journals[seat][: -self.torn])
            self.journals[seat] = b"".join(len(item).to_bytes(4, "big") + item for item in whole)
            self.logs[seat], self.marks[seat] = before[1:]
        table = Table.resumed(
            self.terms, self.signatures, seat, self.who[seat], seeded("another "
                "life"), self.journals[seat] + b"torn"[: self.torn],
            self.logs[seat], GROUP,
        )  # fmt: skip
        self.tables[seat] = table
        self.events[seat] = []
        self.fresh = True
        for other in self.others(seat):  # both say how far they are, and are sent what they lack
            for lacked in self.tables[other].held_since(table.steps):
                table.receive(lacked)
            for lacked in table.held_since(self.tables[other].steps):
                self.tables[other].receive(lacked)
        return data


def read(ring, data):
    return read_entry(ring.terms, ring.tables[0].match, data)


def signed_by(ring, seat):
    """Return what a seat has signed and may have sent, as its journal has it."""
    return [read(ring, data) for data in Journal().read(GROUP, ring.journals[seat])]


def stores(game, players, seat, **options):
    """Return what a seat stores in a match, in order: of each store, the kinds of its entries."""
    ring = CrashRing(game, players, seat=seat, at=0, sent=True, **options)
    ring.play()
    return ring.stored


def all_points(kinds):
    return list(range(1, len(kinds) + 1))


def one_of_each_kind(kinds):
    """The first store of each kind of entries, and the last of all."""
    return sorted({*(kinds.index(kind) + 1 for kind in set(kinds)), len(kinds)})


CASES = [("tiny", 3, 0), ("tiny", 3, 2), ("tiny", 2, 1), ("escoba", 2, 0), ("escoba", 3, 1)]
SAMPLE = pytest.mark.parametrize("points", sample([one_of_each_kind, all_points], 1))
SENT = pytest.mark.parametrize("sent", [True, False], ids=["after sending", "before sending"])
ONE_DEAL = {"tiny": {"deals": 1}, "escoba": {"target": 1}}


def must_survive(game, players, seat, at, sent):
    """Play a match in which a seat dies at its n-th store, and look at all that it has signed."""
    ring = CrashRing(game, players, seat=seat, at=at, sent=sent, **ONE_DEAL[game])
    ring.play()
    assert len(ring.stored) >= at
    assert all(table.sealed for table in ring.tables), f"crash at store {at}"
    assert len(set(ring.logs)) == 1
    assert not any(isinstance(event, Accused) for events in ring.events for event in events)
    said = signed_by(ring, seat)
    assert len({entry.key for entry in said}) == len(said), "something was signed twice"
    heard = {data for sender, data in ring.sent if sender == seat}
    keys = {}
    for data in heard:
        assert keys.setdefault(read(ring, data).key, data) == data
    assert {entry.data for entry in said} <= heard | {data for _, data in ring.sent} | set(
        ring.tables[seat].held_since(0)
    )


@pytest.mark.slow
@SAMPLE
@SENT
@pytest.mark.parametrize(("game", "players", "seat"), CASES)
def test_a_crash_at_any_store_is_survived_with_the_same_words(game, players, seat, sent, points):
    kinds = stores(game, players, seat, **ONE_DEAL[game])
    assert len(kinds) > 10
    for at in points(kinds):
        must_survive(game, players, seat, at, sent)


def send_before_sync(monkeypatch):
    """Plant a bug: data to store is given out a call too late, when it has been sent already."""
    data_to_store, late = Table.data_to_store, {}

    def stored_late(table):
        now = late.get(table, b"")
        late[table] = data_to_store(table)
        return now

    monkeypatch.setattr(Table, "data_to_store", stored_late)


@pytest.mark.parametrize(("game", "players", "seat"), CASES[2:4])
def test_the_sample_finds_a_send_before_the_sync(game, players, seat, monkeypatch):
    points = one_of_each_kind(stores(game, players, seat, **ONE_DEAL[game]))
    send_before_sync(monkeypatch)
    found = 0
    for at in points:
        try:
            must_survive(game, players, seat, at, sent=True)
        except AssertionError:
            found += 1
    assert found >= len(points) // 2


@pytest.mark.parametrize("torn", [1, 3])
def test_a_torn_journal_is_as_if_its_last_record_had_never_been(torn):
    for at in all_points(stores("tiny", 2, 1, deals=1)):
        ring = CrashRing("tiny", 2, seat=1, at=at, sent=False, torn=torn, deals=1)
        ring.play()
        assert all(table.sealed for table in ring.tables)
        assert len(set(ring.logs)) == 1
        said = signed_by(ring, 1)
        assert len({entry.key for entry in said}) == len(said)
        sent = [read(ring, data) for data in {data for sender, data in ring.sent if sender == 1}]
        assert len({entry.key for entry in sent}) == len(sent)


def test_the_secret_behind_a_commitment_outlives_the_crash():
    ring = CrashRing("escoba", 2, seat=1, at=1, sent=True, target=1)
    ring.play()
    reveals = [entry for entry in signed_by(ring, 1) if entry.key == (("step", 0, 1), 1, 1)]
    assert len(reveals) == 1
    assert verify_log(ring.logs[0], GROUP).complete


def test_a_seat_that_resumes_after_the_end_says_its_seal_again():
    ring = Ring("tiny", 2, group=GROUP)
    ring.play()
    table = Table.resumed(
        ring.terms,
        ring.signatures,
        0,
        ring.who[0],
        seeded("x"),
        ring.journals[0],
        ring.logs[0],
        GROUP,
    )
    assert table.sealed
    assert table.data_to_store() == b""
    seals = [entry.data for entry in signed_by(ring, 0) if entry.place[0] == "seal"]
    assert set(seals) <= set(table.data_to_send())


def test_a_match_that_all_have_sealed_is_over_for_a_table_that_only_listens():
    ring = Ring("tiny", 2, group=GROUP)
    ring.play()
    disk = (ring.journals[0], ring.logs[0])
    table = Table.resumed(
        ring.terms, ring.signatures, 0, ring.who[0], seeded("x"), *disk, GROUP, listening=True
    )
    assert table.sealed
    assert table.data_to_store() == b""


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
    table = Table.resumed(
        ring.terms,
        ring.signatures,
        0,
        ring.who[0],
        seeded("x"),
        journal,
        log,
        GROUP,
        listening=True,
    )
    assert table.over
    assert not table.sealed
    assert table.data_to_store() == b""
    table.speak()
    assert [own] == split_records(table.data_to_store())[0]


def test_a_table_that_only_listens_may_leave_and_signs_nothing_else():
    ring = Ring("tiny", 3, group=GROUP)
    ring.settle()
    table = Table.resumed(
        *(ring.terms, ring.signatures, 0, ring.who[0], seeded("x")),
        *(ring.journals[0], ring.logs[0], GROUP),
        listening=True,
    )
    table.data_to_store()
    table.data_to_send()
    table.leave()
    table.proceed()
    (stored,) = split_records(table.data_to_store())[0]
    (said,) = table.data_to_send()
    assert read_entry(ring.terms, table.match, said).place == ("leave", 0)
    assert said in stored
    assert table.out
    assert table.phase is Phase.LISTENING


def test_a_seat_that_resumes_after_a_verdict_comes_to_the_same_one():
    ring = Ring("tiny", 3, group=GROUP)
    ring.settle()
    table = ring.tables[1]
    first = next(entry for entry in table.inbox._signed.values() if entry.seat == 1)
    other = table.sign(first.stage_key, first.head, {"more": 1})
    ring.store(1)
    ring.tables[0].receive(other.data)
    ring.tables[0].proceed()
    ring.store(0)
    again = Table.resumed(
        ring.terms,
        ring.signatures,
        0,
        ring.who[0],
        seeded("x"),
        ring.journals[0],
        ring.logs[0],
        GROUP,
    )
    assert again.fault is not None
    assert again.fault.seat == 1
    assert again.data_to_store() == b""


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
    leave, other = (send_signed(ring, seat, ("leave", 0)).data for seat in (3, 1))
    flushes = [deliver(seat, leave) for seat in (0, 1, 2)]
    stands = [deliver(seat, *(data for said in flushes for data in said)) for seat in (0, 1, 2)]
    later = deliver(0, other)
    word = deliver(2, *stands[0], *stands[1])
    assert read_entry(ring.terms, ring.terms.match, word[-1]).place[:2] in (
        ("step", 1),
        ("deck", 1),
    )
    ring.tables[2] = Table.resumed(
        ring.terms, ring.signatures, 2, ring.who[2], seeded("again"), ring.journals[2], log, GROUP
    )
    deliver(2, other, *later)
    deliver(0, *stands[1], *stands[2], *word)
    ring.marks[0] = ring.marks[2] = None
    for seat in (0, 2):
        ring.logs[seat] = b""
        ring.store(seat)
    catch_up(ring)
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
            words = [entry for entry in signed_by(ring, 0) if entry.place[0] == "step"]
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
    table = Table.resumed(
        ring.terms, ring.signatures, 0, ring.who[0], seeded("another life"), journal, log, GROUP
    )
    assert table.steps == ring.tables[0].steps > len(split_records(log)[0]) - 1
    table.receive(send_signed(ring, 1, ("leave", 0)).data)
    table.proceed()
    assert table.data_to_store()
    said = [read_entry(ring.terms, table.match, data) for data in table.data_to_send()]
    assert [entry.head for entry in said if entry.place[0] == "flush"] == [table.head]


@pytest.mark.parametrize("lost", [1, 6, 1000])
def test_after_a_damaged_log_all_that_the_journal_has_counts_as_sent(lost):
    """A damaged log may lack its last records, or have been moved away: the program advises
    that."""
    ring, journal, log = between_journal_and_log()
    records = split_records(log)[0][:-lost]
    older = b"".join(len(item).to_bytes(4, "big") + item for item in records)
    table = Table.resumed(
        ring.terms, ring.signatures, 0, ring.who[0], seeded("another life"), journal, older, GROUP
    )
    table.receive(send_signed(ring, 1, ("leave", 0)).data)
    table.proceed()
    table.data_to_store()
    lost_words = {
        entry.data
        for entry in signed_by(ring, 0)
        if entry.place[0] == "step" and entry.place[2] >= len(records)
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
        () if sender == liar and read_entry(ring.terms, ring.terms.match, data).stage else (data,)
    )
    ring.settle()
    assert all(ring.tables[seat].waiting == (liar,) for seat in honest)
    ring.tap = lambda sender, receiver, data: (data,) if receiver == 3 and sender != liar else ()
    for seat in honest:
        ring.tables[seat].vote(liar)
    ring.settle()
    assert ring.tables[3].phase is Phase.CHANGING
    for seat in honest:
        ring.tables[seat] = Table.resumed(
            ring.terms,
            ring.signatures,
            seat,
            ring.who[seat],
            seeded(f"again/{seat}"),
            ring.journals[seat],
            ring.logs[seat],
            GROUP,
        )
    ring.tap = lambda sender, receiver, data: () if liar in (sender, receiver) else (data,)
    for seat in honest:
        for other in honest:
            for data in ring.tables[seat].held_since(0):
                ring.tables[other].receive(data)
    ring.play()
    must_end(ring, honest, (liar, "voted"))


def test_nothing_stored_is_a_new_beginning():
    ring = Ring("tiny", 2, group=GROUP)
    table = Table.resumed(ring.terms, ring.signatures, 0, ring.who[0], seeded("x"), b"", b"", GROUP)
    assert table.steps == 0
    assert table.data_to_store()
    assert table.log_update(None) == (0, ring.logs[0] or table.log_update(None)[1])


def test_a_log_that_does_not_follow_is_refused():
    ring = Ring("tiny", 2, group=GROUP)
    ring.play(moves=1)
    foreign = Ring("tiny", 2, group=GROUP, seed="another match")
    foreign.play(moves=1)
    log = ring.logs[0] + foreign.logs[0][-200:]
    with pytest.raises(Malformed):
        Table.resumed(
            ring.terms, ring.signatures, 0, ring.who[0], seeded("x"), ring.journals[0], log, GROUP
        )


def test_a_player_may_choose_otherwise_if_the_choice_was_never_written(monkeypatch):
    """The commitment's secret was on the disk, its entry was not: the choice that the player makes
    now is revealed."""
    ring = Ring("tiny", 2, group=GROUP)
    ring.settle()
    while (
        ring.tables[1].progress.exchange.round.__class__.__name__ != "AskRound"
        or not ring.tables[1].progress.exchange.round.sealed
    ):
        ring.play(first_choice, moves=1)
    table = ring.tables[1]
    table.journal.seal(table.progress.here.step, b"n" * 32, b"\x92\xa3Bid\x02")
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
    assert [read_entry(ring.terms, first.match, data).stage for data in sent] == [1], (
        "seat 0 has shuffled"
    )
    ring.tables[0] = Table.resumed(
        ring.terms, ring.signatures, 0, ring.who[0], seeded("another life"), journal, log, GROUP
    )
    ring.settle()
    catch_up(ring)
    ring.play()
    assert all(accused(ring, seat) == [1] for seat in (0, 2))
    must_end(ring, (0, 2), (1, "convicted"))
