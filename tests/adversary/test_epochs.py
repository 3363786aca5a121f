"""Attacks on epochs by somebody with valid keys, who tells each seat something else and answers in
the last moment: no honest seat that is there goes or is accused, and all end with one log."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from p2p.table import known_records
from p2p.table.epoch_entries import ChangeRound
from p2p.table.events import Accused, WentBack
from p2p.table.faults import FalseFlush
from p2p.table.hashing import h
from p2p.table.log import RECORDS, Entry
from p2p.table.member_entries import flush_place
from tests.adversary.membership import (
    accused,
    catch_up,
    flush,
    must_end,
    own_stand,
    point,
    siete,
    silence,
    spread,
    stand,
    tell,
    vote_on,
)
from tests.ring import Ring

LIAR, LEAVER, HONEST = 1, 0, (2, 3)
OF = ChangeRound((LEAVER,))


def somebody_leaves(seats: int = 4) -> tuple[Ring, Entry, list[int]]:
    """Seat 0 leaves, and the liar is silent; return its leave, and the seats that stay."""
    ring = siete(seats)
    silence(ring, LIAR, LEAVER)
    leave = ring.signed(LEAVER, ("leave", 0))
    spread(ring, [leave], but=[LIAR, LEAVER])
    return ring, leave, ring.others(LIAR, LEAVER)


def ended(ring: Ring, honest: Iterable[int], *also: tuple[int, str]) -> None:
    """Require that the honest seats end, however the liar went."""
    seats = list(honest)
    vote_on(ring, seats)
    table = ring.tables[seats[0]]
    assert not set(table.gone) & set(seats)
    must_end(ring, seats, *also, *[(seat, table.how(seat)) for seat in table.gone if seat == LIAR])


@pytest.mark.parametrize("seats", [4, 5])
@pytest.mark.parametrize("kept", [0, 1])
def test_two_stands_of_which_each_seat_hears_one_split_nobody(seats, kept):
    """One hears that the liar stands with it, the others that it stands on something unknown."""
    ring, _leave, honest = somebody_leaves(seats)
    spread(ring, [flush(ring, LIAR, OF)], but=[LIAR, LEAVER])
    ring.settle()
    for at, seat in enumerate(honest):
        on = own_stand(ring, seat) if at == kept else h("nowhere", at)
        tell(ring, seat, stand(ring, LIAR, OF, on))
    ring.settle()
    ended(ring, honest, (LEAVER, "left"))


@pytest.mark.parametrize("last", ["flush", "word"])
def test_a_word_from_beyond_its_own_flush_convicts_whatever_comes_last(last):
    """It tells the others that it has stopped, and signs on."""
    ring, _leave, honest = somebody_leaves()
    word = ring.signed(LIAR, ("step", 0, ring.tables[2].steps + 2), {}, bytes(32))
    said = [flush(ring, LIAR, OF), word]
    spread(ring, said if last == "word" else said[::-1], but=[LIAR, LEAVER])
    for seat in honest:
        ring.store(seat)
        faults = [event.fault for event in ring.events[seat] if isinstance(event, Accused)]
        assert [(type(fault), fault.seat) for fault in faults] == [(FalseFlush, LIAR)]
    ended(ring, honest, (LEAVER, "left"))


@pytest.mark.parametrize(
    "reasons", ["of nobody", "too many", "of another seat", "words of those who stay", "its own"]
)
def test_a_flush_with_false_reasons_stops_nobody(reasons):
    ring, leave, honest = somebody_leaves()
    words = [one for step in ring.tables[2].progress.records for one in step.entries]
    said = {
        "of nobody": [],
        "too many": [],
        "of another seat": [ring.signed(3, ("step", 0, 99), head=bytes(32))],
        "words of those who stay": [one for one in words if one.seat in honest],
        "its own": [one for one in words if one.seat == LIAR],
    }[reasons]
    entry = flush(ring, LIAR, OF, reasons=[leave, *said])
    if not said:
        count = 1500 if reasons == "too many" else 1
        named = sorted(h("never", number) for number in range(count))
        entry = ring.signed(LIAR, flush_place(0, OF), {"done": b"", "reasons": named})
    spread(ring, [entry], but=[LIAR, LEAVER])
    ring.settle()
    for seat in honest:
        if reasons in ("words of those who stay", "its own"):
            tell(ring, seat, stand(ring, LIAR, OF, own_stand(ring, seat)))
    ring.settle()
    ended(ring, honest, (LEAVER, "left"))


def test_two_flushes_that_name_other_reasons_split_nobody():
    """They are the same but for that, so only the reasons of the record differ."""
    ring, leave, honest = somebody_leaves()
    word = next(one for step in ring.tables[2].progress.records for one in step.entries)
    two = flush(ring, LIAR, OF, reasons=[leave]), flush(ring, LIAR, OF, reasons=[leave, word])
    for seat, entry in zip(honest, two, strict=True):
        tell(ring, seat, entry)
    ring.settle()
    for seat in honest:
        tell(ring, seat, stand(ring, LIAR, OF, own_stand(ring, seat)))
    ring.settle()
    ended(ring, honest, (LEAVER, "left"))
    assert [accused(ring, seat) for seat in honest] == [[LIAR]] * 2


@pytest.mark.parametrize("when", ["flush", "stand", "both stands"])
@pytest.mark.parametrize("hears", [HONEST, (2,), (3,)])
def test_a_leave_in_the_middle_of_a_change_splits_nobody(when, hears):
    """The liar leaves after it has flushed or stood, and tells some of it."""
    ring, _leave, honest = somebody_leaves()
    spread(ring, [flush(ring, LIAR, OF)], but=[LIAR, LEAVER])
    ring.settle()
    own = ring.signed(LIAR, ("leave", 0))
    if when != "flush":
        for seat in honest if when == "both stands" else [2]:
            ring.tables[seat].receive(stand(ring, LIAR, OF, own_stand(ring, 2)).data)
    for seat in hears:
        tell(ring, seat, own)
    ring.settle()
    vote_on(ring, honest)
    must_end(ring, honest, (LEAVER, "left"), (LIAR, "left"))


@pytest.mark.parametrize("done", ["nothing", "its own round", "a round that nobody made"])
def test_a_flush_that_names_a_change_that_nobody_made_stops_nobody(done):
    """Seat 0 leaves, all flush, nobody has all stands; seat 4 leaves, and the liar lies."""
    ring, _leave, _others = somebody_leaves(5)
    honest, later = HONEST, ChangeRound((LEAVER, 4))
    silence(ring, LIAR, LEAVER, 4)
    spread(ring, [flush(ring, 4, OF), flush(ring, LIAR, OF)], but=[LIAR, LEAVER, 4])
    ring.settle()
    epoch = ring.tables[2].epochs.now
    named = {
        "nothing": h("no round"),
        "its own round": epoch.id_of(later),
        "a round that nobody made": epoch.id_of(OF),
    }[done]
    spread(ring, [ring.signed(4, ("leave", 0))], but=[LIAR, LEAVER, 4])
    spread(ring, [flush(ring, LIAR, later, done=named)], but=[LIAR, LEAVER, 4])
    ring.settle()
    ended(ring, honest, (LEAVER, "left"), (4, "left"))


@pytest.mark.parametrize("first", HONEST)
def test_a_change_that_one_has_made_is_made_by_the_other_when_the_liar_denies_it(first):
    """The liar stands for one alone; then seat 4 leaves, and the liar flushes as if nothing had
    been made, and is silent."""
    ring, _leave, _others = somebody_leaves(5)
    honest, later = HONEST, ChangeRound((LEAVER, 4))
    silence(ring, LIAR, LEAVER, 4)
    spread(ring, [flush(ring, 4, OF), flush(ring, LIAR, OF)], but=[LIAR, LEAVER, 4])
    ring.settle()
    on = own_stand(ring, 2)
    ring.tap = lambda *_: ()
    tell(ring, first, stand(ring, 4, OF, on), stand(ring, LIAR, OF, on))
    ring.settle()
    catch = {seat: ring.tables[seat].mark[0] for seat in honest}
    assert sorted(catch.values()) == [0, 1]
    other = 5 - first
    silence(ring, LIAR, LEAVER, 4)
    tell(ring, other, ring.signed(4, ("leave", 0)), flush(ring, LIAR, later))
    spread(ring, [ring.signed(4, ("leave", 0))], but=[LIAR, LEAVER, 4])
    spread(ring, [flush(ring, LIAR, later)], but=[LIAR, LEAVER, 4])
    ring.settle()
    ended(ring, honest, (LEAVER, "left"), (4, "left"))


@pytest.mark.parametrize("kind", ["vote", "leave"])
@pytest.mark.parametrize("head", ["another", "the present"])
def test_a_vote_or_leave_on_a_head_where_no_epoch_began_is_nothing(kind, head):
    ring = siete()
    named = next(seat for seat in ring.tables[0].waiting)
    liars = [seat for seat in range(4) if seat != named]
    at = bytes(32) if head == "another" else ring.tables[0].head
    place = ("vote", 0, point(ring), named) if kind == "vote" else ("leave", 0)
    spread(ring, [ring.signed(seat, place, head=at) for seat in liars])
    ring.settle()
    assert not any(table.epochs.now.round.can_be for table in ring.tables)
    ring.play()
    must_end(ring, range(4))


def test_votes_on_the_head_of_an_earlier_epoch_are_nothing():
    ring = siete(5)
    ring.tables[4].leave()
    ring.play(moves=3)
    named, honest = ring.tables[0].waiting[0], range(4)
    place, first = ("vote", 1, point(ring), named), ring.terms.first_head()
    votes = [ring.signed(seat, place, head=first) for seat in honest if seat != named]
    spread(ring, votes, but=[4])
    ring.settle()
    assert not any(ring.tables[seat].epochs.now.round.called for seat in honest)
    ring.play()
    must_end(ring, honest, (4, "left"))


@pytest.mark.parametrize("kind", ["flush", "stand", "vote"])
def test_junk_does_not_displace_what_is_needed(kind):
    """The victim hears 200 entries of the liar that nothing needs before those of the change, and
    in between."""
    ring = siete()
    silence(ring, LIAR, LEAVER)
    calls = sorted((LEAVER, h("never", number)) for number in range(200))
    junk = {
        "flush": [
            ring.signed(
                LIAR,
                flush_place(0, ChangeRound((), tuple(calls[: number + 1]))),
                {"records": 0, "done": b"", "reasons": []},
            )
            for number in range(200)
        ],
        "stand": [stand(ring, LIAR, ChangeRound((), (call,)), call[1]) for call in calls],
        "vote": [ring.signed(LIAR, ("vote", 0, call[1], LEAVER)) for call in calls],
    }[kind]
    victim = 3
    tell(ring, victim, *junk)
    needed = [flush(ring, LIAR, OF)]
    tell(ring, victim, *needed, *junk)
    leave = ring.signed(LEAVER, ("leave", 0))
    spread(ring, [leave, *needed], but=[LIAR, LEAVER])
    ring.settle()
    on = own_stand(ring, 2)
    for seat in HONEST:
        tell(ring, seat, *junk, stand(ring, LIAR, OF, on))
    ring.settle()
    ring.tap = lambda _sender, receiver, data: () if receiver in (LIAR, LEAVER) else (data,)
    for seat in HONEST:
        assert ring.tables[seat].mark[0] == 1
        assert victim not in accused(ring, seat)
    ended(ring, HONEST, (LEAVER, "left"))


@pytest.mark.parametrize("epoch", [1, 2, 3])
@pytest.mark.parametrize("kind", ["leave", "flush", "stand", "step"])
def test_entries_of_epochs_that_never_begin_stop_nobody(kind, epoch):
    """The liar is in an epoch that is not there yet, or that never comes, and plays on."""
    ring = siete()
    place = {
        "leave": ("leave", epoch),
        "flush": ("flush", epoch, (2,), (), ()),
        "stand": ("stand", epoch, (2,), (), ()),
        "step": ("step", epoch, 7),
    }[kind]
    body = {"records": 0, "done": b"", "reasons": []} if kind == "flush" else {}
    said = ring.signed(LIAR, place, body, bytes(32))
    spread(ring, [said], but=[LIAR])
    ring.tap = lambda _sender, receiver, data: (
        () if receiver == LIAR and data == said.data else (data,)
    )
    ring.settle()
    ring.tables[LEAVER].leave()
    ring.settle()
    ring.play()
    ended(ring, HONEST, (LEAVER, "left"))


def test_an_old_second_story_makes_no_flush_too_large(monkeypatch):
    """The proof against one liar rests on words since an old story of another one. In a long match
    these are more than the reasons of a flush may be."""
    monkeypatch.setattr(known_records, "REASONS_BYTES", 20000)
    ring = siete(5)
    liars, honest = (1, 2), (0, 3, 4)
    held = ring.tables[0]
    assert sum(len(record.data) for record in held.progress.records) > 40000
    word = next(one for one in held.progress.records[0].entries if one.seat == 1)
    stage = held.progress.exchange
    said = [
        ring.signed(1, word.place, {"more": 1}, word.head, word.stage),
        ring.signed(2, stage.place, {"bad": 1}, stage.head, stage.stage),
    ]
    silence(ring, *liars)
    spread(ring, said, but=liars)
    ring.settle()
    ring.play()
    must_end(ring, honest, (1, "convicted"), (2, "convicted"))


@pytest.mark.parametrize("count", [20, 21])
def test_a_flush_that_names_very_many_reasons_spoils_no_log(monkeypatch, count):
    """The record of the change has the reasons of all flushes, and somebody has to read it."""
    monkeypatch.setattr(known_records, "REASONS", 20)
    monkeypatch.setitem(RECORDS, "epoch", 4 * (20 + 2))
    ring, _leave, honest = somebody_leaves()
    words = [one for record in ring.tables[2].progress.records for one in record.entries]
    spread(ring, [flush(ring, LIAR, OF, reasons=words[:count])], but=[LIAR, LEAVER])
    ring.settle()
    if count == 20:
        spread(ring, [stand(ring, LIAR, OF, own_stand(ring, 2))], but=[LIAR, LEAVER])
        ring.settle()
        assert all(ring.tables[seat].gone == (LEAVER,) for seat in honest)
    ended(ring, honest, (LEAVER, "left"))


def test_of_the_reasons_of_a_flush_only_so_many_bytes_are_kept():
    """It names any number of stories of the liar, which nothing else would keep."""
    ring, _leave, honest = somebody_leaves()
    stories = [
        ring.signed(LIAR, ("step", 0, 900), {"story": number.to_bytes(50_000, "big")})
        for number in range(2 * known_records.REASONS_BYTES // 50_000)
    ]
    told = flush(ring, LIAR, OF, reasons=stories)
    spread(ring, [told, *stories], but=[LIAR, LEAVER])
    for seat in honest:
        table = ring.tables[seat]
        kept = sum(len(data) for data in table.held_since(table.steps))
        assert known_records.REASONS_BYTES // 2 < kept < known_records.REASONS_BYTES + 4 * 50_000


def test_two_accomplices_take_back_no_record_in_which_both_have_spoken():
    """Seat 1 alone speaks, and tells seat 4 another move. They all convict it. Seat 2 flushes on
    the head from before its own words. That convicts it too."""
    ring, liars, honest = two_moves(), (1, 2), (0, 3, 4)
    shared = ring.tables[0].steps - 1
    entry = flush(ring, 2, ChangeRound((1,)), ring.tables[0].trail[0])
    silence(ring, *liars)
    ring.settle()
    spread(ring, [entry], but=liars)
    catch_up(ring, *honest)
    vote_on(ring, honest)
    for seat in honest:
        ring.store(seat)
        went_back = [one.records for one in ring.events[seat] if isinstance(one, WentBack)]
        assert min(went_back, default=shared) >= shared - 1, "all but the last record is settled"
        assert ring.tables[seat].sealed
        assert accused(ring, seat) == [1, 2]


def two_moves() -> Ring:
    """Return a match in which seat 1 has told seat 4 another move than seats 0 and 3, and each of
    them has a record with it."""
    ring = next(ring for ring in map(asks_seat_1, range(5, 17)) if ring is not None)
    ring.store(1)
    twin = ring.resumed(1, "twin")
    one, other = list(ring.tables[1].view().options)[:2]
    ring.tables[1].act(one)
    twin.act(other)
    twin.data_to_store()
    said = ring.store(1), twin.data_to_send()
    for seat, words in ((0, said[0]), (3, said[0]), (4, said[1])):
        for data in words:
            ring.tables[seat].receive(data)
        ring.tables[seat].proceed()
    assert ring.tables[0].head == ring.tables[3].head != ring.tables[4].head
    assert ring.tables[0].steps == ring.tables[4].steps
    return ring


def asks_seat_1(moves: int) -> Ring | None:
    """Return a match of five that waits for a move of seat 1 alone, if it does."""
    ring = siete(5, moves)
    return ring if [seat for seat, table in enumerate(ring.tables) if table.asked] == [1] else None
