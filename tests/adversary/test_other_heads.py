"""A liar flushes on one head, and for a later round on another one, which those who have made the
change of the first round cannot come to any more."""

from __future__ import annotations

from p2p.table.epoch_entries import LATE_ROW, ChangeRound
from p2p.table.log import STAND, STEP, Entry
from p2p.table.member_entries import flush_place
from p2p.table.table import Table
from tests.adversary.membership import (
    GROUP,
    catch_up,
    flush,
    must_end,
    own_stand,
    point,
    read_records,
    siete,
    silence,
    spread,
    stand,
    tell,
    vote_on,
)
from tests.ring import Ring
from tests.standin import seeded

LEAVER, TELLS, FLUSHES, HONEST = 0, 1, 2, (3, 4, 5)


def two_stories(seats: int = 6, liar: int = TELLS, first: int = 1) -> tuple[Ring, Entry, bytes]:
    """Return a match, another story of a liar for its shares in the last record, and its head."""
    for moves in range(first, 40):
        ring = siete(seats, moves)
        *before, last = ring.tables[0].progress.records
        words = {entry.seat: entry for entry in last.entries}
        told = words.get(liar)
        if told is None or told.kind != STEP or "shares" not in told.body:
            continue
        table = Table(ring.terms, ring.signatures, liar, ring.who[liar], seeded("b"), GROUP)
        table.journal.read(GROUP, ring.journals[liar])
        table.take_up(b"", read_records(ring, len(before)))
        table.proceed()
        second = table.inbox.signed(told.stage_key, liar)
        for seat, word in words.items():
            if seat != liar:
                table.receive(word.data)
        table.proceed()
        if second is not None and table.steps > len(before):
            return ring, second, table.trail[len(before) + 1]
    raise AssertionError("nobody shares")


def test_a_flush_on_another_head_than_an_earlier_one_removes_nobody():
    """Seat 0 leaves, and one of the honest makes the change; the others hear of two stories."""
    ring, second, head = two_stories()
    first, later = ChangeRound((LEAVER,)), ChangeRound((LEAVER, TELLS))
    liars = (LEAVER, TELLS, FLUSHES)
    silence(ring, *liars)
    said = [flush(ring, seat, first) for seat in (TELLS, FLUSHES)]
    spread(ring, [ring.signed(LEAVER, ("leave", 0)), *said], but=liars)
    ring.settle()
    on, ring.tap = own_stand(ring, 3), lambda *_: ()
    for seat in HONEST:
        tell(ring, seat, stand(ring, FLUSHES, first, on))
    tell(ring, 3, stand(ring, TELLS, first, on))
    assert [ring.tables[seat].mark[0] for seat in HONEST] == [1, 0, 0]
    silence(ring, *liars)
    spread(ring, [second], but=liars)
    ring.settle()
    for _ in range(LATE_ROW):
        number = ring.tables[4].steps
        spread(ring, [flush(ring, FLUSHES, later, head, records=number)], but=liars)
        for _ in range(2):
            catch_up(ring, *HONEST)
        stood = ring.tables[4].epochs.known(flush_place(0, later, STAND), 4)
        if stood is not None:
            spread(ring, [stand(ring, FLUSHES, later, stood.head)], but=liars)
        catch_up(ring, *HONEST)
        for seat in HONEST:
            table = ring.tables[seat]
            for late in set(table.waiting) & {*HONEST}:
                if table.may_vote(late):
                    table.vote(late)
        calls = [call for call in ring.tables[4].epochs.now.missing() if call[0] == 3]
        votes = [ring.signed(FLUSHES, ("vote", 0, point, seat)) for seat, point in calls]
        spread(ring, votes, but=liars)
        for _ in range(2):
            catch_up(ring, *HONEST)
        later = ring.tables[4].epochs.now.round
    vote_on(ring, HONEST, 6)
    assert not set(ring.tables[4].gone) & {*HONEST}
    how = [(seat, ring.tables[3].how(seat)) for seat in (TELLS, FLUSHES)]
    must_end(ring, HONEST, (LEAVER, "left"), *how)


def test_a_flush_on_another_head_by_votes_alone_removes_nobody():
    """One of the honest has made the change of a round in which nobody is gone. From such a round a
    seat may have gone on, so its second head is no fault by itself."""
    silent, tells, flushes, honest = 1, 3, 2, (0, 4, 5, 6)
    liars = (silent, tells, flushes)
    ring, second, head = two_stories(7, tells, 0)
    first = ChangeRound((), ((silent, point(ring)),))
    assert ring.tables[0].waiting == (silent,)
    silence(ring, *liars)
    for seat in honest:
        ring.tables[seat].vote(silent)
    spread(ring, [flush(ring, seat, first) for seat in (tells, flushes)], but=liars)
    ring.settle()
    on, ring.tap = own_stand(ring, 0), lambda *_: ()
    spread(ring, [stand(ring, flushes, first, on)], but=liars)
    silence(ring, *liars)
    ring.settle()
    tell(ring, 0, stand(ring, tells, first, on))
    assert [ring.tables[seat].mark[0] for seat in honest] == [1, 0, 0, 0]
    spread(ring, [second], but=liars)
    ring.settle()
    later, number = ChangeRound((tells,)), ring.tables[4].steps
    spread(ring, [flush(ring, flushes, later, head, records=number)], but=liars)
    for _ in range(3):
        catch_up(ring, *honest)
    assert not {*ring.tables[4].waiting} & {*honest}
    spread(ring, [stand(ring, flushes, later, own_stand(ring, 4))], but=liars)
    vote_on(ring, honest, 6)
    must_end(ring, honest, (silent, "voted"), (flushes, "voted"), (tells, "convicted"))
