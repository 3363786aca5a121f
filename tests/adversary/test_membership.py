"""Attacks on membership (A1 to A11): liars sign everything that the format allows; honest tables go
on, and nobody honest is named.

A lying seat has a table of its own that plays by the rules; entries that the test signs with its
key come beside that.
"""

from __future__ import annotations

import pytest

from p2p.table.epoch_entries import Change, ChangeRound, Flush
from p2p.table.events import Accused, Gone, WentBack
from p2p.table.log import (
    FLUSH,
    Entry,
    entries_record,
    is_about_members,
    opening_record,
    read_log,
    record,
)
from p2p.table.member_entries import in_order
from p2p.table.replay import BadLog, verify_log
from p2p.table.table import Table
from p2p.wire import Malformed
from tests.adversary import changes
from tests.adversary.membership import (
    flush,
    must_end,
    point,
    read_records,
    siete,
    silence,
    spread,
    stand,
)
from tests.ring import Ring
from tests.standin import seeded, standin_group

GROUP = standin_group()
HUGE = 2**31 - 1


@pytest.mark.parametrize("lie", changes.lies(), ids=str)
def test_a_seat_that_lies_about_membership_is_named_and_the_others_go_on(lie):
    changes.must_name(changes.tell(lie), lie)


# A1, A2: one seat alone.


@pytest.mark.parametrize("flushes", [False, True])
def test_A1_one_seat_that_votes_against_all_others_removes_nobody(flushes):
    ring = Ring("siete-y-media", 4, group=GROUP, deals=2)
    head = ring.terms.first_head()  # all owe a word for the toss
    calls = tuple((seat, head) for seat in (0, 2, 3))
    said = [ring.signed(1, ("vote", 0, head, seat), head=head) for seat, _ in calls]
    said += [flush(ring, 1, ChangeRound((), calls), head)] if flushes else []
    spread(ring, said, but=[1])
    ring.play()
    must_end(ring, range(4))


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_A1_half_of_the_electorate_removes_nobody(seats):
    ring = Ring("siete-y-media", seats, group=GROUP, deals=2)
    ring.settle()
    named = ring.tables[0].waiting[0]
    voters = [seat for seat in range(seats) if seat != named][: seats // 2]
    spread(ring, [ring.signed(voter, ("vote", 0, point(ring), named)) for voter in voters])
    ring.play()
    must_end(ring, range(seats))


def test_A1_with_two_players_no_vote_counts():
    ring = Ring("escoba", 2, group=GROUP, target=1)
    ring.settle()
    named = ring.tables[0].waiting[0]
    liar = 1 - named
    head = point(ring)
    said = [
        ring.signed(liar, ("vote", 0, head, named)),
        flush(ring, liar, ChangeRound((), ((named, head),))),
    ]
    spread(ring, said, but=[liar])
    assert not ring.tables[named].gone
    assert ring.tables[named].votes_needed == 0
    ring.play()
    assert ring.tables[named].sealed


@pytest.mark.parametrize("head_at", [0, 1, 3])
def test_A2_a_flush_that_names_an_old_head_convicts_and_takes_nothing_back(head_at):
    """It is from before its seat's own words."""
    ring = siete()
    trail = ring.tables[0].trail
    said = [ring.signed(2, ("leave", 0)), flush(ring, 1, ChangeRound((2,)), trail[head_at])]
    silence(ring, 1, 2)
    spread(ring, said, but=[1, 2])
    ring.settle()
    ring.play()
    for seat in (0, 3):
        assert ring.tables[seat].trail[: len(trail)] == trail
    must_end(ring, (0, 3), (1, "convicted"), (2, "left"))


def test_A2_a_finished_match_is_not_undone_by_a_flush():
    ring = siete(deals=1, moves=1000)
    logs = list(ring.logs)
    spread(
        ring,
        [
            ring.signed(2, ("leave", 0)),
            flush(ring, 1, ChangeRound((2,)), ring.terms.first_head()),
        ],
    )
    ring.settle()
    assert ring.logs == logs
    assert all(table.sealed for table in ring.tables)


# A3: two accomplices undo settled records.


def test_A3_two_accomplices_cannot_undo_settled_records():
    """One tells a second story for an old word; the other flushes on the head that follows from
    it."""
    ring, second, head = second_branch()
    trail = ring.tables[0].trail
    silence(ring, 1, 2)
    spread(ring, [second, flush(ring, 2, ChangeRound((1,)), head)], but=[1, 2])
    ring.settle()
    for voter in (0, 3):
        if ring.tables[voter].may_vote(2):
            ring.tables[voter].vote(2)
            ring.settle()
    ring.play()
    for seat in (0, 3):
        ring.store(seat)
        assert ring.tables[seat].trail[: len(trail)] == trail, "settled is settled"
        assert not [event for event in ring.events[seat] if isinstance(event, WentBack)]
    must_end(ring, (0, 3), (1, "convicted"), (2, "voted"))


def second_branch() -> tuple[Ring, Entry, bytes]:
    """Return a match, a second story of seat 1 for a word long ago, and the head that follows.

    Of shares there are many stories: their proofs hold fresh randomness.
    """
    ring = siete(moves=8)
    for at, step in enumerate(ring.tables[0].progress.records):
        words = {entry.seat: entry for entry in step.entries}
        if len(words) < 4 or "shares" not in words[1].body or step.entries[0].kind != "step":
            continue
        other = resumed_at(ring, at)
        second = other.inbox.signed(words[1].stage_key, 1)
        assert second is not None
        for seat in (0, 2, 3):
            other.receive(words[seat].data)
        other.proceed()
        assert other.steps == at + 1
        assert other.head != ring.tables[0].trail[at + 1]
        return ring, second, other.head
    raise AssertionError("nobody shares in a match")


def resumed_at(ring: Ring, count: int) -> Table:
    """Return the table of seat 1 as it was after so many records; it has said nothing beyond."""
    table = Table(ring.terms, ring.signatures, 1, ring.who[1], seeded("branch"), GROUP)
    table.journal.read(GROUP, ring.journals[1])
    table.take_up(b"", read_records(ring, count))
    table.proceed()
    return table


def test_a_contradiction_in_a_later_epoch_protects_from_no_conviction_in_this_one():
    ring = siete()
    spread(
        ring,
        [
            ring.signed(1, ("seal", epoch, 7), head=head * 32)
            for epoch in (1, 0)
            for head in (b"y", b"z")
        ],
        but=[1],
    )
    ring.settle()
    ring.play()
    must_end(ring, (0, 2, 3), (1, "convicted"))


# A4: huge numbers.


def test_A4_huge_numbers_of_one_seat_become_nobody_elses():
    ring = siete()
    last = len(ring.tables) - 1
    said = [
        ring.signed(1, ("leave", last)),
        ring.signed(1, ("stand", last, (2,), (), ())),
        ring.signed(1, ("step", last, HUGE)),
        ring.signed(1, ("step", 0, HUGE)),
        ring.signed(1, ("seal", 0, HUGE)),
        ring.signed(1, ("vote", last, bytes(32), 2)),
        ring.signed(1, (FLUSH, last, (2,), (), ()), {"done": b"", "reasons": []}),
    ]
    spread(ring, said)
    for epoch in (last + 1, HUGE):
        with pytest.raises(Malformed):
            ring.tables[0].receive(ring.signed(1, ("leave", epoch)).data)
    ring.tables[2].leave()
    ring.settle()
    ring.play()
    must_end(ring, (0, 3), *[(one, ring.tables[0].how(one)) for one in ring.tables[0].gone])
    for seat in (0, 3):
        again = ring.resumed(seat)
        assert again.sealed


def test_A4_a_flush_on_a_head_that_never_was_is_silence():
    ring = siete()
    silence(ring, 1, 2)
    spread(
        ring,
        [ring.signed(2, ("leave", 0)), flush(ring, 1, ChangeRound((2,)), bytes(32))],
        but=[1, 2],
    )
    ring.settle()
    for voter in (0, 3):
        ring.tables[voter].vote(1)
        ring.settle()
    ring.play()
    must_end(ring, (0, 3), (1, "voted"), (2, "left"))


# A5: a log that is forged alone.


def forged(ring: Ring, records: int, *more: tuple[str, list[Entry]]) -> bytes:
    """Return a log of the first records of a match, with others after them."""
    log = opening_record(ring.terms, ring.signatures)
    log += b"".join(
        record({name: list(entries)}) for name, entries in read_log(ring.logs[0]).records[:records]
    )
    return log + b"".join(entries_record(name, entries) for name, entries in more)


def alone(ring: Ring, of: ChangeRound, reasons: list[Entry]) -> tuple[str, list[Entry]]:
    """Return the record of a change to which seat 1 alone has consented."""
    only = flush(ring, 1, of, reasons=reasons)
    k = Change(of, (Flush(1, of, only.head, data=only.data),), only.head, ()).k
    return "epoch", [*sorted(reasons, key=in_order), only, stand(ring, 1, of, k)]


def test_A5_no_log_that_one_seat_made_alone_is_complete():
    ring = siete(3)
    head, steps = ring.tables[0].head, ring.tables[0].steps
    at = point(ring)
    for called in (((0, at), (2, at)), ((0, head), (2, head))):
        votes = [ring.signed(1, ("vote", 0, stage_key, seat)) for seat, stage_key in called]
        of = ChangeRound((), called)
        with pytest.raises(BadLog):
            verify_log(forged(ring, steps, alone(ring, of, votes)), GROUP)
    for gone in ((0, 2), (0,), (2,)):
        with pytest.raises(BadLog):
            verify_log(forged(ring, steps, alone(ring, ChangeRound(gone), [])), GROUP)
    with pytest.raises(BadLog):
        verify_log(forged(ring, steps, ("seals", [ring.signed(1, ("seal", 0, steps + 1))])), GROUP)
    assert verify_log(forged(ring, steps), GROUP).missing == "end"


def test_A5_a_record_of_a_change_on_another_head_than_its_flushes_is_no_good():
    """The flushes are genuine, and signed on a later record: their holder cannot set the change
    back to an earlier one."""
    ring = siete(2)
    ring.tables[1].leave()
    ring.settle()
    ring.play()
    records = read_log(ring.logs[0]).records
    at = next(at for at, (name, _) in enumerate(records) if name == "epoch")
    change = [ring.read(data) for data in records[at][1]]
    assert verify_log(forged(ring, at, ("epoch", change)), GROUP).gone
    for earlier in (1, at - 3, at - 1):
        with pytest.raises(BadLog):
            verify_log(forged(ring, earlier, ("epoch", change)), GROUP)


# A6: the loser does not seal.


def test_A6_a_log_that_the_loser_has_not_sealed_says_so_and_has_the_other_seals():
    ring = Ring("escoba", 3, group=GROUP, target=1)
    ring.tap = lambda sender, receiver, data: () if sender == 1 and is_seal(ring, data) else (data,)
    ring.play()
    for seat in (0, 2):
        verdict = verify_log(ring.logs[seat], GROUP)
        assert not verdict.complete
        assert verdict.waiting == (1,)
        assert verdict.missing == "seals"
        assert verdict.table.run.game.winners == ring.tables[0].run.game.winners
        (name, seals) = read_log(ring.logs[seat]).records[-1]
        assert (name, len(seals)) == ("seals", 2)


def is_seal(ring: Ring, data: bytes) -> bool:
    return ring.read(data).kind == "seal"


# A11: two accomplices go at once.


@pytest.mark.parametrize("game", ["siete-y-media", "escoba", "domino"])
@pytest.mark.parametrize("seats", [3, 4])
def test_A11_of_two_who_go_at_once_neither_wins(game, seats):
    options = {"siete-y-media": {"deals": 3}, "escoba": {"target": 11}, "domino": {"target": 60}}[
        game
    ]
    ring = Ring(game, seats, group=GROUP, **options)
    ring.play(moves=4)
    leaves = [ring.signed(seat, ("leave", 0)) for seat in (0, 1)]
    silence(ring, 0, 1)
    spread(ring, leaves, but=[0, 1])
    ring.settle()
    ring.play()
    honest = range(2, seats)
    must_end(ring, honest, (0, "left"), (1, "left"))
    assert set(ring.tables[2].run.game.winners) <= set(honest)
    assert len([event for event in ring.events[2] if isinstance(event, Gone)]) == 2


def test_a_seat_has_gone_as_the_log_says_whatever_else_is_known_of_it():
    """The liar has left, and then contradicts itself before somebody who is out of the match."""
    out, liar = 1, 2
    ring = siete()
    ring.tables[out].leave()
    ring.deliver()
    left = ring.signed(liar, ("leave", 0))
    spread(ring, [left], but=[liar])
    silence(ring, liar)
    place = ("step", 0, ring.tables[out].steps + 1)
    for story in ({"move": ["one"]}, {"move": ["other"]}):
        ring.tables[out].receive(ring.signed(liar, place, story).data)
    ring.tap = lambda sender, receiver, data: () if {out, liar} & {sender} else (data,)
    ring.play()
    for seat in (0, out, 3):
        ring.store(seat)
        table, verdict = ring.tables[seat], verify_log(ring.logs[seat], GROUP)
        assert [one.how for one in verdict.gone] == [table.how(gone) for gone in table.gone]
    assert any(isinstance(event, Accused) for event in ring.events[out])


def test_evidence_on_a_record_that_a_change_drops_convinces_a_stranger():
    """A step becomes whole when the others have flushed already: the change drops it, and the liar
    has spoken out of turn after it."""
    liar, leaver = 1, 2
    ring = siete()
    lost = []

    def tap(sender, receiver, data):
        if sender == liar:
            lost.append((receiver, data))
        return () if sender == liar else (data,)

    ring.tap = tap
    ring.play()
    table = ring.tables[0]
    before = table.steps
    assert table.waiting == (liar,)
    ring.tables[leaver].leave()
    ring.settle()
    ring.tap = lambda sender, receiver, data: () if sender == liar else (data,)
    for receiver, data in lost:
        if not is_about_members(ring.read(data).place):
            ring.tables[receiver].receive(data)
    ring.settle()
    assert len(table.progress.records) == before + 1
    place, head = ("step", 0, before + 2), table.progress.head
    spread(ring, [ring.signed(liar, place, head=head, stage=63)], but=[liar, leaver])
    ring.play()
    must_end(ring, (0, 3), (liar, "convicted"), (leaver, "left"))
    (fault,) = (event.fault for event in ring.events[0] if isinstance(event, Accused))
    verdict = verify_log(ring.tables[0].verdict(fault), GROUP)
    assert verdict.convicts
    assert [one.seat for one in verdict.faults] == [liar]


def test_a_flush_that_cannot_be_and_denies_a_word_of_its_seat_convicts_in_a_file():
    """By the word and the flush alone: nothing may stand beside two entries that contradict each
    other."""
    liar, leaver, silent = 1, 2, 3
    ring = siete()
    silence(ring, silent)
    ring.play()
    assert liar in [word.seat for word in ring.tables[0].progress.context()]
    ring.tables[leaver].leave()
    lie = flush(ring, liar, ChangeRound(gone=(leaver,)), records=-1)
    ring.tables[0].receive(lie.data)
    ring.settle()
    (fault,) = (event.fault for event in ring.events[0] if isinstance(event, Accused))
    verdict = verify_log(ring.tables[0].verdict(fault), GROUP)
    assert verdict.convicts
    assert {one.seat for one in verdict.faults} == {fault.seat} == {liar}
