"""Tools for attacks on membership: a table of several, entries that a liar signs, and how it must
end."""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import permutations

from p2p.table.epoch_entries import ChangeRound
from p2p.table.events import Accused
from p2p.table.log import STAND, Entry, RecordName, read_log
from p2p.table.member_entries import flush_place
from p2p.table.replay import verify_log
from tests.ring import Ring, bare
from tests.standin import standin_group

GROUP = standin_group()
HUGE = 2**31 - 1


def siete(seats: int = 4, moves: int = 5, **options) -> Ring:
    ring = Ring("siete-y-media", seats, group=GROUP, **{"deals": 3, **options})
    ring.play(moves=moves)
    return ring


def spread(ring: Ring, entries: Iterable[Entry], but: Iterable[int] = ()) -> None:
    """Let all tables hear entries, but for those of some seats."""
    for entry in entries:
        for table in ring.tables:
            if table.seat not in but:
                table.receive(entry.data)
                table.proceed()


def flush(
    ring: Ring,
    seat: int,
    of: ChangeRound,
    head: bytes | None = None,
    done: bytes = b"",
    reasons: Iterable[Entry] = (),
    records: int | None = None,
) -> Entry:
    """Sign a flush of epoch 0; its records are counted rightly if no number is given."""
    trail = ring.tables[seat].trail
    if records is None:
        records = trail.index(head) if head in trail else len(trail) - 1
    named = sorted(entry.hash for entry in reasons)
    body = {"records": records, "done": done, "reasons": named}
    return ring.signed(seat, flush_place(0, of), body, head)


def stand(ring: Ring, seat: int, of: ChangeRound, on: bytes) -> Entry:
    """Sign a stand of epoch 0 on the id of an outcome."""
    return ring.signed(seat, flush_place(0, of, STAND), head=on)


def own_stand(ring: Ring, seat: int) -> bytes:
    """Return the id on which a seat has stood last."""
    *_others, last = (
        entry
        for entry in ring.tables[seat].epochs.all()
        if entry.seat == seat and entry.kind == STAND
    )
    return last.head


def point(ring: Ring, seat: int = 0) -> bytes:
    """Return the head of the stage that the match waits at."""
    return ring.tables[seat].progress.exchange.head


def accused(ring: Ring, seat: int) -> list[int]:
    ring.store(seat)
    return [event.fault.seat for event in ring.events[seat] if isinstance(event, Accused)]


def must_end(ring: Ring, honest: Iterable[int], *gone: tuple[int, str]) -> None:
    """Require that honest seats seal one match, from which these went, and that their logs say
    so."""
    seats = list(honest)
    for seat in seats:
        ring.store(seat)
        assert ring.tables[seat].sealed, (seat, ring.tables[seat].phase, ring.tables[seat].waiting)
        assert not set(accused(ring, seat)) & set(seats)
        verdict = verify_log(ring.logs[seat], GROUP)
        assert sorted((one.seat, one.how) for one in verdict.gone) == sorted(gone)
        assert not verdict.missing
        assert verdict.complete is not any(how == "voted" for _, how in gone)
    assert all(bare(ring.logs[seat]) == bare(ring.logs[seats[0]]) for seat in seats)


def stay(ring: Ring, *gone: int) -> list[int]:
    return [seat for seat in range(len(ring.tables)) if seat not in gone]


def must_agree(ring: Ring, *gone: tuple[int, str]) -> None:
    """Require that all who stay end with one match, and that nobody is accused."""
    seats = stay(ring, *(seat for seat, _ in gone))
    must_end(ring, seats, *gone)
    assert len({ring.tables[seat].trail for seat in seats}) == 1
    assert not any(isinstance(event, Accused) for events in ring.events for event in events)


def catch_up(ring: Ring, *others: int) -> None:
    """Let everybody, or some, show one another what they lack."""
    seats = others or tuple(range(len(ring.tables)))
    for one, other in permutations(seats, 2):
        for data in ring.tables[one].lacking(ring.tables[other].need):
            ring.tables[other].receive(data)
    ring.settle()


def vote_out(ring: Ring, seat: int, *voters: int) -> None:
    for voter in voters:
        ring.tables[voter].vote(seat)
        ring.settle()


def silence(ring: Ring, *seats: int) -> None:
    """Let nothing of these seats arrive anywhere, and nothing reach them."""
    ring.tap = lambda sender, receiver, data: (
        () if sender in seats or receiver in seats else (data,)
    )


def keep_from(ring: Ring, seat: int, entries: Container[bytes]) -> None:
    """Let a table not hear what its key has signed elsewhere: it would take itself for a copy that
    has lost something."""
    before = ring.tap or (lambda _sender, _receiver, data: (data,))
    ring.tap = lambda sender, receiver, data: (
        () if receiver == seat and data in entries else before(sender, receiver, data)
    )


def come_together(ring: Ring) -> None:
    """Let everybody show everybody what they lack, and play on."""
    ring.tap = None
    for _ in range(3):
        catch_up(ring)
    ring.play()


def vote_out_all_that_are_late(ring: Ring, voters: Iterable[int]) -> None:
    for voter in [*voters] * 3:
        table = ring.tables[voter]
        for late in table.waiting:
            if table.may_vote(late):
                table.vote(late)
                ring.settle()
    ring.play()


def tell(ring: Ring, seat: int, *entries: Entry) -> None:
    """Let one seat alone hear entries."""
    for entry in entries:
        ring.tables[seat].receive(entry.data)
    ring.tables[seat].proceed()


def vote_on(ring: Ring, honest: Iterable[int], limits: int = 4) -> None:
    """Let time limits pass: the honest show each other all and vote about whom they wait for."""
    seats = list(honest)
    for _ in range(limits):
        ring.play()
        catch_up(ring, *seats)
        ring.play()
        for seat in seats:
            table = ring.tables[seat]
            for late in table.waiting:
                if table.may_vote(late):
                    table.vote(late)
                    ring.settle()
    catch_up(ring, *seats)
    ring.play()


def read_records(ring: Ring, count: int) -> list[tuple[RecordName, list[Entry]]]:
    records = read_log(ring.logs[1]).records[:count]
    return [(name, [ring.read(data) for data in entries]) for name, entries in records]


def show_each_other(ring: Ring, honest: list[int]) -> None:
    for one in honest * 2:
        for other in honest:
            for data in ring.tables[one].lacking(ring.tables[other].need) if one != other else ():
                ring.tables[other].receive(data)
        ring.settle()
    ring.play()
