"""An epoch by itself: calls, rounds, late seats, flushes, stands, and outcomes."""

from __future__ import annotations

from itertools import combinations

import pytest

from p2p.table import epoch_entries as module
from p2p.table.epoch import Epoch
from p2p.table.epoch_entries import (
    LATE_ALL,
    LATE_ROW,
    ChangeRound,
    Flush,
    Outcome,
    Stand,
    base_of,
    stand_point,
)
from p2p.table.hashing import h
from p2p.table.owed import flush_owed, followed, stand_owed
from p2p.table.votes import VOTES

BEGIN, FIRST, SECOND = b"b" * 32, b"1" * 32, b"2" * 32


class Known:
    """The records of a table: the match has come to some stages, in each of which all owe a
    word."""

    def __init__(self, seats: int) -> None:
        self.seats = range(seats)
        self.heads = [BEGIN]
        self.stages = [b"stage 0".ljust(32)]
        self.words: set[tuple[int, bytes]] = set()
        self.reasons: set[bytes] = set()

    def heads_to(self, head: bytes) -> list[bytes]:
        return self.heads[: self.heads.index(head) + 1]

    def holders(self, head: bytes) -> tuple[int, ...]:
        return ()

    def leads_to(self, flush: Flush) -> bool:
        return flush.head in self.heads

    def explains(self, flush: Flush) -> bool:
        return set(flush.reasons) <= self.reasons

    def has_entry(self, seat: int, head: bytes) -> bool:
        return (seat, head) in self.words

    def owing(self, head: bytes) -> range | tuple[()]:
        return self.seats if head in self.stages else ()

    def turn(self, seat: int, head: bytes) -> int:
        return self.stages.index(head)

    @property
    def stage(self) -> bytes:
        return self.stages[-1]

    @property
    def settled(self) -> bytes:
        return self.heads[-1]


class Seen:
    """The epoch of one seat, with all that it has heard."""

    def __init__(self, seats: int, own: int | None = 0, late: dict[int, int] | None = None) -> None:
        self.records = Known(seats)
        self.it = Epoch(b"m" * 32, 2, range(seats), own, self.records, late)

    @property
    def here(self) -> bytes:
        return self.records.stage

    def votes(self, seat: int, point: bytes, *voters: int) -> None:
        for voter in voters:
            self.it.receive_vote(voter, seat, point)

    def word(self, seat: int, point: bytes | None = None) -> None:
        self.records.words.add((seat, point or self.here))
        self.it.learn()

    def go_on(self) -> None:
        """The match comes to the next stage."""
        self.records.stages.append(f"stage {len(self.records.stages)}".encode().ljust(32))
        self.it.learn()

    def flush(self, of: ChangeRound, *seats: int, done: bytes = b"", head: bytes = BEGIN) -> None:
        for seat in seats:
            self.it.receive_flush(flush(seat, of, done, head))

    def stand(self, outcome: Outcome, *seats: int) -> None:
        for seat in seats:
            self.it.receive_stand(Stand(seat, outcome.round, outcome.id))


def flush(seat: int, of: ChangeRound, done: bytes = b"", head: bytes = BEGIN) -> Flush:
    return Flush(seat, of, head, done, data=bytes([seat]) + done + head)


def outcome_of(seen: Seen, of: ChangeRound) -> Outcome:
    found = seen.it.outcome(of)
    assert found is not None
    return found


# Calls and rounds.


@pytest.mark.parametrize(
    ("seats", "voters", "carries"), [(3, 1, False), (3, 2, True), (4, 2, False)]
)
def test_more_than_half_of_the_electorate_call_a_seat(seats: int, voters: int, carries: bool):
    seen = Seen(seats)
    seen.votes(seats - 1, seen.here, *range(voters))
    assert bool(seen.it.round.called) == carries == seen.it.stopped


def test_votes_of_those_gone_do_not_count():
    seen = Seen(5)
    seen.votes(4, seen.here, 1, 2, 3)
    seen.it.lose(3)
    assert seen.it.round == ChangeRound((3,))


def test_no_call_at_a_stage_counts_when_somebody_is_gone():
    seen = Seen(4)
    seen.votes(3, seen.here, 0, 1, 2)
    assert seen.it.round.called
    seen.it.lose(1)
    assert seen.it.round == ChangeRound((1,))


def test_a_word_is_heard_whenever_it_comes_and_the_call_stays():
    seen = Seen(3)
    point = seen.here
    seen.votes(2, point, 0, 1)
    assert seen.it.goes(seen.it.round) == {2}
    seen.word(2, point)
    seen.go_on()
    call = (2, point)
    assert seen.it.round == ChangeRound((), (call,), (call,))
    assert not seen.it.goes(seen.it.round)
    assert not seen.it.stopped


@pytest.mark.parametrize(
    "of",
    [
        ChangeRound(),
        ChangeRound((1,), ((1, FIRST),)),
        ChangeRound((), ((1, FIRST),), ((2, FIRST),)),
    ],
)
def test_a_round_that_cannot_be_is_not_needed(of: ChangeRound):
    seen = Seen(4)
    for seat in of.gone:
        seen.it.lose(seat)
    assert not of.can_be
    assert not seen.it.needs_round(of)


# Late seats.


def late(seen: Seen, seat: int, times: int) -> None:
    for _ in range(times):
        seen.votes(seat, seen.here, 0, 1)
        seen.word(seat)
        seen.go_on()


def test_so_many_late_calls_in_a_row_remove_a_seat_that_speaks():
    seen = Seen(3)
    late(seen, 2, LATE_ROW - 1)
    assert not seen.it.goes(seen.it.round)
    late(seen, 2, 1)
    assert seen.it.round.called == seen.it.round.heard
    assert seen.it.goes(seen.it.round) == {2}


def test_a_word_in_time_begins_the_row_anew():
    seen = Seen(3)
    for _ in range(LATE_ROW):
        late(seen, 2, LATE_ROW - 1)
        seen.word(2)
        seen.go_on()
    assert not seen.it.goes(seen.it.round)


def test_so_many_late_calls_in_the_match_remove_a_seat():
    seen = Seen(3, late={2: LATE_ALL - 1})
    assert not seen.it.goes(seen.it.round)
    late(seen, 2, 1)
    assert seen.it.goes(seen.it.round) == {2}


# Flushes, stands, changes.


def test_a_change_takes_all_flushes_and_then_all_stands():
    seen = Seen(4)
    seen.votes(3, seen.here, 0, 1, 2)
    of = seen.it.round
    owed = flush_owed(seen.it)
    assert owed == Flush(0, of, BEGIN)
    seen.flush(of, 0, 1)
    assert seen.it.missing() == ((2, seen.it.id_of(of)),)
    assert stand_owed(seen.it) is None
    seen.flush(of, 2)
    outcome = outcome_of(seen, of)
    assert outcome.change.k == h("stage", BEGIN, [flush(seat, of).data for seat in (0, 1, 2)])
    assert outcome.change.goes == (3,)
    assert stand_owed(seen.it) == Stand(0, of, outcome.change.k)
    seen.stand(outcome, 0, 1)
    point = stand_point(seen.it.id_of(of), outcome.id)
    assert seen.it.missing() == ((2, point),)
    assert seen.it.change_owed is None
    seen.stand(outcome, 2)
    assert seen.it.change_owed == outcome


def test_a_change_begins_on_the_furthest_record_to_which_all_lead_or_the_last_that_all_share():
    def of_no_deck(head: bytes) -> tuple[int, ...]:
        return ()

    assert base_of({0: [BEGIN, FIRST], 1: [BEGIN, FIRST, SECOND]}, of_no_deck) == SECOND
    assert base_of({0: [BEGIN, FIRST], 1: [BEGIN, SECOND]}, of_no_deck) == BEGIN


def test_by_votes_a_minority_does_not_go_on():
    seen = Seen(4)
    for seat in (2, 3):
        seen.votes(seat, seen.here, 0, 1, 2)
    seen.flush(seen.it.round, 0, 1)
    assert seen.it.goes(seen.it.round) == {2, 3}
    assert seen.it.outcome(seen.it.round) is None


@pytest.mark.parametrize(
    ("one", "other", "denies"),
    [
        (flush(1, ChangeRound((2,))), flush(1, ChangeRound((2, 3))), False),
        (flush(1, ChangeRound((2,))), flush(1, ChangeRound((3,))), True),
        (flush(1, ChangeRound((2,))), flush(1, ChangeRound((2, 3)), head=FIRST), True),
        (flush(1, ChangeRound((), ((2, FIRST),))), flush(1, ChangeRound((3,)), head=FIRST), False),
        (flush(1, ChangeRound((2,)), FIRST), flush(1, ChangeRound((2, 3)), SECOND), True),
        (flush(1, ChangeRound((2,)), FIRST), flush(1, ChangeRound((2, 3))), False),
    ],
    ids=["a chain", "apart", "two heads", "two heads after votes", "two changes", "a change"],
)
def test_flushes_that_no_honest_seat_signs_both_deny_each_other(one, other, denies):
    assert one.denies(other) is other.denies(one) is denies


def test_a_flush_counts_when_its_facts_are_known():
    seen = Seen(3)
    of = ChangeRound((), ((2, seen.here),))
    assert not seen.it.needs_round(of)
    seen.votes(2, seen.here, 0)
    assert not seen.it.needs_round(of)
    seen.votes(2, seen.here, 1)
    assert seen.it.needs_round(of)
    seen.flush(of, 1, head=FIRST)
    assert seen.it.flush_of(1, of) is None
    seen.records.heads.append(FIRST)
    seen.it.learn()
    assert seen.it.flush_of(1, of) is not None


def test_a_member_that_stood_waits_for_the_promises_of_the_others():
    seen = Seen(3)
    point = seen.here
    seen.votes(2, point, 0, 1)
    of = seen.it.round
    seen.flush(of, 0, 1)
    seen.stand(outcome_of(seen, of), 0)
    seen.word(2, point)
    heard = seen.it.round
    assert not seen.it.goes(heard)
    assert seen.it.stopped
    assert seen.it.bound
    assert flush_owed(seen.it) == Flush(0, heard, BEGIN)
    seen.flush(heard, 0)
    seen.flush(heard, 1)
    assert not seen.it.stopped
    assert seen.it.outcome(heard) is None, "a round in which nobody goes makes no change"


def test_a_change_that_somebody_has_made_is_adopted():
    seen = Seen(4, own=1)
    point = seen.here
    seen.votes(3, point, 0, 1, 2)
    of = seen.it.round
    seen.flush(of, 0, 1, 2)
    outcome = outcome_of(seen, of)
    seen.stand(outcome, 0, 1, 2)
    seen.word(3, point)
    later = seen.it.round
    seen.flush(later, 0, done=seen.it.id_of(of))
    seen.flush(later, 1, 2)
    adopted = outcome_of(seen, later)
    assert adopted.adopts
    assert adopted.change == outcome.change
    assert adopted.id == h("adopt", outcome.change.k, [one.data for one in adopted.flushes])
    assert stand_owed(seen.it) == Stand(1, later, adopted.id)


def test_a_change_that_nobody_stood_on_is_not_done():
    seen = Seen(4, own=1)
    point = seen.here
    seen.votes(3, point, 0, 1, 2)
    of = seen.it.round
    seen.flush(of, 0, 1, 2)
    seen.stand(outcome_of(seen, of), 0, 2)
    seen.word(3, point)
    seen.flush(seen.it.round, 0, done=seen.it.id_of(of))
    assert seen.it.flush_of(0, seen.it.round) is None


@pytest.mark.parametrize(("seats", "begun", "follows"), [(5, 1, False), (5, 2, True), (3, 1, True)])
def test_a_seat_that_goes_follows_a_change_that_more_than_half_have_begun(
    seats: int, begun: int, follows: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "LATE_ROW", 1)
    own, last = seats - 2, seats - 1
    others = range(seats - 2)
    seen = Seen(seats, own)
    seen.votes(last, seen.here, *range(seats - 1))
    of = seen.it.round
    seen.flush(of, *others, own)
    outcome = outcome_of(seen, of)
    seen.stand(outcome, *others, own)
    assert followed(seen.it, lambda _change, seat: seat != own) is None, (
        "it makes the change itself"
    )
    seen.votes(own, seen.it.id_of(of), *others, last)
    assert own in seen.it.goes(seen.it.round)
    assert seen.it.change_owed is None
    found = followed(seen.it, lambda change, seat: change == outcome.change and seat < begun)
    assert found == (outcome if follows else None)


def test_a_seat_called_for_its_flush_may_sign_it():
    seen = Seen(4, own=2)
    seen.votes(3, seen.here, 0, 1, 2)
    of = seen.it.round
    seen.flush(of, 0, 1)
    seen.votes(2, seen.it.id_of(of), 0, 1, 3)
    call = (2, seen.it.id_of(of))
    owed = flush_owed(seen.it)
    assert owed is not None
    assert owed.round == ChangeRound((), tuple(sorted((call, *of.called))), (call,))


def test_a_seat_called_at_a_stage_may_still_say_its_word():
    seen = Seen(3, own=2)
    seen.votes(2, seen.here, 0, 1)
    assert seen.it.stopped
    assert flush_owed(seen.it) is None
    assert seen.it.may_speak(seen.here)
    assert not Seen(3, own=1).it.stopped


# The limits that a liar can fill.


def test_votes_of_one_member_do_not_displace_those_of_another():
    seen = Seen(4)
    first = seen.here
    seen.votes(1, first, 2)
    for _ in range(4 * VOTES):
        seen.word(1)
        seen.word(2)
        seen.votes(1, seen.here, 3)
        seen.votes(2, seen.here, 3)
        seen.go_on()
    kept = [call for call in seen.it.calls() if 3 in seen.it.voters(call)]
    assert len(kept) <= VOTES + 1
    assert seen.it.voters((1, first)) == {2}
    seen.votes(3, seen.here, 0, 1, 3)
    assert (3, seen.here) in seen.it.round.called


def rounds_of(calls: tuple[tuple[int, bytes], ...]) -> list[ChangeRound]:
    """All rounds in which these calls carried."""
    heard = (some for size in range(len(calls) + 1) for some in combinations(calls, size))
    return [ChangeRound((), calls, some) for some in heard]


def test_flushes_and_stands_of_a_liar_do_not_fill_a_table():
    seen = Seen(4)
    for _ in range(8):
        seen.votes(2, seen.here, 0, 1, 3)
        seen.word(2)
        seen.go_on()
    calls = seen.it.round.called
    told = 0
    for of in rounds_of(calls):
        if seen.it.needs_flush(3, of):
            told += 1
            if seen.it.receive_flush(flush(3, of)) is not None:
                seen.it.lose(3)  # as the table does: the two convict it
        assert not seen.it.needs_stand(1, of), "it stands only where it has flushed"
    assert told == 3, "a chain of two, and the one that denies it"
    honest = rounds_of(calls)[17]
    seen.flush(honest, 1)
    assert seen.it.needs_flush(3, honest), "somebody may have made a change with it"
    assert seen.it.needs_stand(1, honest)


def test_of_a_liar_two_flushes_for_a_round_are_kept_and_two_stands():
    seen, other = Seen(4), Seen(4)
    for one in (seen, other):
        one.votes(3, one.here, 0, 1, 2)
        one.flush(one.it.round, 0, 1)
    of = seen.it.round
    for head in (FIRST, SECOND, BEGIN):
        seen.flush(of, 1, head=head)
    assert [one.head for one in seen.it.signed_by(1)] == [BEGIN, FIRST]
    other.flush(of, 2)
    outcome = outcome_of(other, of)
    for on in (FIRST, SECOND, outcome.id):
        seen.it.receive_stand(Stand(1, of, on))
    seen.flush(of, 2)
    assert not seen.it.stands(1, outcome), "it may be any id"
    seen.stand(outcome, 1)
    assert seen.it.stands(1, outcome), "somebody may have made this change"
