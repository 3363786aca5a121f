"""Logs and verdicts with more, or with other numbers, than their records need: they are refused."""

from __future__ import annotations

import pytest

from p2p.table.log import (
    Place,
)
from p2p.table.member_entries import in_order
from p2p.table.progress import parts_of
from p2p.table.replay import BadLog, verify_log
from tests.adversary.membership import GROUP, siete, silence, vote_out
from tests.ring import Ring
from tests.table.logs import log_of, values_of


@pytest.fixture(scope="module")
def left() -> Ring:
    """A match of four in which one has left."""
    ring = siete(4, deals=1)
    ring.tables[1].leave()
    ring.settle()
    ring.play()
    return ring


@pytest.fixture(scope="module")
def voted() -> Ring:
    """A match of four in which one was voted out."""
    ring = siete(4, deals=1)
    silence(ring, 3)
    ring.play(moves=20)
    vote_out(ring, 3, 0, 1, 2)
    ring.play()
    return ring


def signed(ring: Ring, seat: int, place: Place, body: dict | None = None) -> bytes:
    return ring.signed(seat, place, body or {}, bytes(32)).data


def epoch_at(records: list[dict]) -> int:
    return next(at for at, value in enumerate(records) if "epoch" in value)


def with_reasons(ring: Ring, *more: bytes) -> bytes:
    """Return the log up to its change, with more reasons, in the order that they must have."""
    records = values_of(max(ring.logs, key=len))
    at = epoch_at(records)
    read = [ring.read(one) for one in records[at]["epoch"]]
    parts = parts_of(read)
    added = [ring.read(one) for one in more]
    reasons = sorted([*parts.reasons, *added], key=in_order)
    entries = (*reasons, *parts.flushes, *parts.stands)
    records[at] = {"epoch": [one.data for one in entries]}
    return log_of(records[: at + 1])


def the_call(ring: Ring) -> bytes:
    """Return the first reason of the change."""
    records = values_of(max(ring.logs, key=len))
    return records[epoch_at(records)]["epoch"][0]


MORE = {
    "the same leave twice": ("left", the_call),
    "the leave of a seat that stays": ("left", lambda ring: signed(ring, 2, ("leave", 0))),
    "a vote at another point": ("voted", lambda ring: signed(ring, 0, ("vote", 0, bytes(32), 3))),
    "an entry of an earlier record": ("left", lambda ring: values_of(ring.logs[0])[2]["step"][0]),
}


@pytest.mark.parametrize("name", MORE)
def test_a_change_with_an_entry_that_no_flush_names_is_refused(name, request):
    """So nobody but those who sign the flushes makes another file of the same match."""
    fixture, more = MORE[name]
    ring = request.getfixturevalue(fixture)
    log = max(ring.logs, key=len)
    assert log.startswith(with_reasons(ring))
    assert verify_log(with_reasons(ring), GROUP).gone
    with pytest.raises(BadLog, match="epoch-not-shown"):
        verify_log(with_reasons(ring, more(ring)), GROUP)


def test_a_verdict_by_an_entry_that_does_not_hold_has_the_entries_of_its_step_alone():
    ring = siete(4, deals=1)
    table, waiting = ring.tables[0], ring.tables[0].waiting[0]
    bad = ring.signed(waiting, ("step", 0, table.steps + 1), {"nonsense": 1}, table.waiting_at)
    table.receive(bad.data)
    table.proceed()
    assert table.fault is not None
    log = table.verdict(table.fault)
    *before, verdict = values_of(log)
    assert verify_log(log, GROUP).convicts
    old = values_of(ring.logs[0])[1]["step"][0]
    with pytest.raises(BadLog, match="convicts-nobody"):
        verify_log(log_of([*before, {"verdict": [old, *verdict["verdict"]]}]), GROUP)


def test_beside_an_entry_that_does_not_hold_no_entry_of_another_record_stands():
    """The flushes name what convicts."""
    ring = siete(4, deals=1)
    liar = ring.tables[0].waiting[0]
    honest = [seat for seat in range(4) if seat != liar]
    place = ("step", 0, ring.tables[0].steps + 1)
    point = ring.tables[0].waiting_at
    bad = ring.signed(liar, place, {"nonsense": 1}, point)
    for seat in honest:
        ring.tables[seat].receive(bad.data)
    ring.settle()
    ring.play()
    log = ring.logs[honest[0]]
    assert verify_log(log, GROUP).complete
    with pytest.raises(BadLog, match="epoch-not-shown"):
        verify_log(with_reasons(ring, values_of(log)[1]["step"][0]), GROUP)
