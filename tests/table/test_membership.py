"""Membership by itself: votes, debts, and when a change is decided, withdrawn, followed.

F1 to F7 were found by the model checker (`tests/model`).
"""

from __future__ import annotations

import pytest

from p2p.table.membership import Membership
from p2p.table.view_change import Change, ChangeRound, Flush

STAGE, NEXT = b"s" * 32, b"t" * 32
Call = tuple[int, bytes]


class Seen:
    """One member's membership, with all that it has heard."""

    def __init__(self, seats: int, own: int | None, owed: tuple[int, ...] | None = None) -> None:
        self.words: set[Call] = set()
        self.it = Membership(
            b"m", 0, range(seats), own, lambda point, seat: (seat, point) in self.words
        )
        self.it.wait_at(STAGE, owed if owed is not None else range(seats))

    def votes(self, seat: int, point: bytes, *voters: int) -> None:
        for voter in voters:
            self.it.receive_vote(voter, seat, point)

    def flush(self, of: ChangeRound, *seats: int, done: bytes = b"") -> None:
        for seat in seats:
            self.it.receive_flush(flush(seat, of, done))

    def confirm(self, of: ChangeRound, change: Change, *seats: int) -> None:
        for seat in seats:
            self.it.receive_confirm(seat, of, self.it.id_of_change(change))


def flush(seat: int, of: ChangeRound, done: bytes = b"") -> Flush:
    return Flush(seat, of, 0, b"h" * 32, done, bytes([seat]) + done)


def change(of: ChangeRound, *seats: int) -> Change:
    return Change(of, tuple(flush(seat, of) for seat in seats))


def called(*seats: int, point: bytes = STAGE) -> tuple[Call, ...]:
    return tuple((seat, point) for seat in seats)


def both(*seats: int) -> ChangeRound:
    """The round in which the words of these seats have turned up."""
    return ChangeRound((), called(*seats), called(*seats))


# Votes.


@pytest.mark.parametrize(
    ("seats", "gone", "voters", "carries"),
    [
        (3, (), (0,), False),
        (3, (), (0, 2), True),
        (4, (), (0, 2), False),
        (4, (), (0, 2, 3), True),
        (5, (), (0, 2, 3), True),
        (4, (3,), (0, 3), False),
        (4, (3,), (0, 2), True),
        (5, (3, 4), (0, 3, 4), False),
    ],
)
def test_more_than_half_of_the_electorate_call_a_seat(seats, gone, voters, carries):
    seen = Seen(seats, 0)
    for seat in gone:
        seen.it.lose(seat)
    seen.votes(1, STAGE, *voters)
    assert seen.it.electorate == tuple(seat for seat in range(seats) if seat not in gone)
    expected = ChangeRound(gone, called(1)) if carries else ChangeRound(gone) if gone else None
    assert seen.it.round == expected


def test_a_vote_counts_only_where_the_match_waits_or_somebody_has_stopped():
    seen = Seen(3, 0)
    seen.it.wait_at(NEXT, (1,))
    seen.votes(1, STAGE, 0, 2)
    assert seen.it.round is None
    seen.flush(ChangeRound((), called(1)), 2)
    assert seen.it.round == ChangeRound((), called(1))


def test_a_vote_about_a_seat_that_owes_nothing_is_a_fault_at_a_stage_of_ours_alone():
    seen = Seen(3, 0, owed=(2,))
    assert not seen.it.may_owe(1, STAGE)
    assert seen.it.may_owe(2, STAGE)
    assert seen.it.may_owe(1, NEXT)


@pytest.mark.parametrize(("seats", "point"), [(2, None), (3, STAGE)])
def test_two_members_have_no_vote(seats, point):
    assert Seen(seats, 0).it.point_for(1) == point


# Debts.


def test_a_member_owes_a_flush_and_a_confirm():
    seen = Seen(4, 0)
    assert seen.it.owes is None
    assert not seen.it.stopped
    seen.it.lose(3)
    assert seen.it.owes == ChangeRound((3,))
    assert seen.it.stopped
    seen.flush(ChangeRound((3,)), 0)
    assert seen.it.owes is None
    seen.votes(1, STAGE, 0, 2)
    assert seen.it.owes == ChangeRound((3,), called(1))
    seen.words.add((1, STAGE))
    assert seen.it.owes == ChangeRound((3,), called(1), called(1))


def test_a_member_that_is_called_for_a_word_may_still_say_it():
    seen = Seen(3, 1)
    seen.votes(1, STAGE, 0, 2)
    assert seen.it.owes is None
    assert not seen.it.stopped
    seen.words.add((1, STAGE))
    assert seen.it.owes == both(1)


@pytest.mark.parametrize("confirms", [False, True])
def test_F7_a_member_that_is_called_for_a_flush_or_a_confirm_flushes_for_a_later_round(confirms):
    """It may hear everything at once, when it can sign no flush for the round that it is called
    for."""
    seen = Seen(4, 1)
    seen.it.lose(3)
    of = ChangeRound((3,))
    seen.flush(of, 0, 2)
    point = seen.it.confirm_point(of) if confirms else seen.it.id_of(of)
    seen.votes(1, point, 0, 2)
    assert seen.it.round == ChangeRound((3,), called(1, point=point))
    later = ChangeRound((3,), called(1, point=point), called(1, point=point))
    assert seen.it.owes == later
    seen.flush(later, 1)
    assert seen.it.round == later


def test_F7_a_member_that_had_stopped_before_it_was_called_is_heard():
    """Its word cannot come any more: it has flushed for a round that does not call it."""
    seen = Seen(3, 1)
    seen.words.add((1, STAGE))
    seen.votes(1, STAGE, 0, 2)
    seen.votes(0, STAGE, 1, 2)
    assert seen.it.round == ChangeRound((), called(0, 1), called(1))
    seen.flush(ChangeRound((), called(1)), 0)
    assert seen.it.round == both(0, 1)


# When a change is decided.


def test_a_change_is_decided_when_all_who_stay_have_flushed_and_confirmed():
    seen, of = Seen(4, 0), ChangeRound((3,))
    seen.it.lose(3)
    for number, seat in enumerate((0, 1, 2)):
        assert seen.it.missing() == (0, 1, 2)[number:]
        assert seen.it.owes_confirm is None
        seen.flush(of, seat)
    made = change(of, 0, 1, 2)
    assert seen.it.owes_confirm == made
    for number, seat in enumerate((0, 1, 2)):
        assert seen.it.decide() is None
        assert seen.it.missing() == (0, 1, 2)[number:]
        seen.confirm(of, made, seat)
    assert seen.it.owes_confirm is None
    assert seen.it.decide() == made


def test_a_confirm_of_another_change_does_not_count():
    seen, of = Seen(4, 0), ChangeRound((3,))
    seen.it.lose(3)
    seen.flush(of, 0, 1, 2)
    seen.confirm(of, change(of, 0, 1, 2), 0, 1)
    seen.it.receive_confirm(2, of, bytes(32))
    assert seen.it.decide() is None
    assert seen.it.missing() == (2,)
    assert seen.it.point_for(2) == seen.it.confirm_point(of)


def test_a_confirm_that_turns_up_in_time_keeps_its_seat():
    seen, of = Seen(4, 0), ChangeRound((3,))
    seen.it.lose(3)
    seen.flush(of, 0, 1, 2)
    seen.confirm(of, change(of, 0, 1, 2), 0, 1)
    calls = called(2, point=seen.it.confirm_point(of))
    seen.votes(*calls[0], 0, 1)
    assert seen.it.round == ChangeRound((3,), calls)
    seen.confirm(of, change(of, 0, 1, 2), 2)
    assert seen.it.round == ChangeRound((3,), calls, calls)


def test_a_round_is_withdrawn_when_it_grows():
    seen, of = Seen(4, 0), ChangeRound((3,))
    seen.it.lose(3)
    seen.flush(of, 0, 1, 2)
    seen.confirm(of, change(of, 0, 1, 2), 0, 1)
    seen.it.lose(2)
    seen.confirm(of, change(of, 0, 1, 2), 2)
    assert seen.it.decide() is None
    assert seen.it.owes == ChangeRound((2, 3))


def test_a_minority_does_not_go_on_by_votes():
    seen = Seen(3, 0)
    seen.votes(1, STAGE, 0, 2)
    seen.votes(2, STAGE, 0, 1)
    of = ChangeRound((), called(1, 2))
    seen.flush(of, 0)
    seen.confirm(of, change(of, 0), 0)
    assert seen.it.round == of
    assert seen.it.decide() is None


def test_a_change_that_somebody_has_made_is_made_by_the_others():
    seen, first, later = Seen(4, 0), ChangeRound((3,)), ChangeRound((2, 3))
    seen.it.lose(3)
    seen.flush(first, 0, 1, 2)
    seen.it.lose(2)
    seen.flush(later, 0)
    seen.flush(later, 1, done=seen.it.id_of(first))
    made = change(first, 0, 1, 2)
    assert seen.it.owes_confirm == made
    seen.confirm(later, made, 0, 1)
    assert seen.it.decide() == made


def test_a_member_that_has_made_a_change_confirms_no_other_one():
    seen, first, later = Seen(4, 0), ChangeRound((3,)), ChangeRound((2, 3))
    seen.it.lose(3)
    seen.flush(first, 0, 1, 2)
    seen.it.completed = first
    seen.it.lose(2)
    assert seen.it.done == seen.it.id_of(first)
    assert seen.it.owes == later
    seen.flush(later, 0, done=seen.it.done)
    seen.flush(later, 1)
    assert seen.it.owes_confirm == change(first, 0, 1, 2)
    assert seen.it.decide() is None


def named_as_done(own: int) -> tuple[Seen, ChangeRound, ChangeRound]:
    """Of three, seat 2 is called; return that round, and the one in which its word has turned
    up."""
    seen = Seen(3, own)
    seen.votes(2, STAGE, 0, 1)
    return seen, ChangeRound((), called(2)), both(2)


def test_F1_a_round_of_a_minority_is_no_change_though_a_flush_names_it():
    seen, few, later = Seen(5, 0), ChangeRound((), called(1, 2, 3)), both(1, 2, 3)
    for seat in (1, 2, 3):
        seen.votes(seat, STAGE, *{0, 1, 2, 4} - {seat})
    assert seen.it.round == few
    seen.flush(few, 0, 4)
    seen.words |= {(seat, STAGE) for seat in (1, 2, 3)}
    assert seen.it.round == later
    seen.flush(later, 0, 1, 2, 3)
    seen.flush(later, 4, done=seen.it.id_of(few))
    assert seen.it.owes_confirm is None
    assert seen.it.missing() == (4,), "it is silence, and may be voted on"


def test_F2_a_member_decides_no_change_that_it_does_not_stay_in():
    seen, first, later = named_as_done(2)
    seen.words.add((2, STAGE))
    seen.flush(first, 0, 1)
    seen.flush(later, 0, 2)
    seen.flush(later, 1, done=seen.it.id_of(first))
    made = change(first, 0, 1)
    assert seen.it.owes_confirm == made, "the others wait for its confirm"
    seen.confirm(later, made, 0, 1, 2)
    assert seen.it.decide() is None
    assert seen.it.follow(lambda _change, _seat: True) == made


def test_F6_a_seat_that_goes_in_a_round_has_not_made_its_change():
    seen, first, later = named_as_done(0)
    seen.flush(first, 0, 1)
    seen.words.add((2, STAGE))
    seen.flush(later, 0, 1)
    seen.flush(later, 2, done=seen.it.id_of(first))
    assert seen.it.round == later
    assert seen.it.missing() == (2,)
    assert seen.it.owes_confirm is None


# Seats that go, and spectators.


@pytest.mark.parametrize("own", [None, 3])
def test_a_change_is_followed_when_all_who_stay_stand_on_it(own):
    seen, of = Seen(4, own), ChangeRound((3,))
    seen.flush(of, 0, 1, 2)
    stands = {0, 1, 2}
    assert seen.it.follow(lambda _change, _seat: True) is None, "nothing shows that it may go"
    seen.it.lose(3)
    assert seen.it.follow(lambda _change, seat: seat in stands - {1}) is None
    assert seen.it.follow(lambda _change, seat: seat in stands) == change(of, 0, 1, 2)


@pytest.mark.parametrize(
    ("of", "signed", "recorded"),
    [
        (ChangeRound((3,)), (0, 1, 2), True),
        (ChangeRound((3,)), (0, 1), False),
        (ChangeRound((2, 3)), (0, 1), False),
        (ChangeRound((), called(1)), (0, 2, 3), True),
        (ChangeRound((), called(2)), (0, 1, 3), False),
    ],
)
def test_a_record_must_show_that_the_seats_may_go(of, signed, recorded):
    seen = Seen(4, None)
    seen.it.lose(3)
    if not of.gone:
        seen = Seen(4, None)
        seen.votes(1, STAGE, 0, 2, 3)
        seen.votes(2, STAGE, 0, 3)
    assert (seen.it.recorded([flush(seat, of) for seat in signed]) is not None) is recorded
    assert seen.it.recorded([flush(seat, of, b"d" * 32) for seat in signed]) is None


# Findings of the simulator (S).


def test_S9_a_vote_about_a_seat_that_goes_in_the_round_that_it_names_is_no_fault():
    """A stranger who has only the log need not know the round."""
    seen = Seen(4, 0)
    seen.it.lose(3)
    seen.flush(ChangeRound((3,)), 0, 1)
    assert seen.it.may_owe(3, seen.it.id_of(ChangeRound((3,))))


@pytest.mark.parametrize("own", [1, 0])
def test_S11_S12_two_flushes_that_contradict_each_other_are_both_kept(own):
    """Others may have made a change with the second; and our own would be signed for ever."""
    seen, one, other = Seen(4, own), ChangeRound((), called(2)), ChangeRound((3,))
    assert seen.it.receive_flush(flush(0, one)) is None
    assert seen.it.receive_flush(flush(0, ChangeRound((), called(3)))) == flush(0, one)
    assert seen.it.receive_flush(flush(0, other)) is None, "a seat that was called may have left"
    assert [found.round for found in seen.it.flushes_of(0)] == [
        one,
        ChangeRound((), called(3)),
        other,
    ]
