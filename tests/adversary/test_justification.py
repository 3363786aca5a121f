"""The reason that a log gives for which a seat has gone: one, signed in the match (B6, G11)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2p.table.log import Entry, make_entry, record
from p2p.table.replay import BadLog, verify_log
from p2p.table.tail import RECORD_LIMIT, split_records
from p2p.wire import unpack
from tests.adversary.limits import GROUP
from tests.adversary.membership import catch_up, must_end, siete, silence, spread, vote_out
from tests.ring import Ring


def with_calls(ring: Ring, log: bytes, change: Callable[[Entry], list[bytes]]) -> bytes:
    """Return a log with each entry but the flushes and stands of its change replaced by others."""
    values = [unpack(item, RECORD_LIMIT) for item in split_records(log)[0]]
    at = next(at for at, value in enumerate(values) if "epoch" in value)
    entries = [ring.read(data) for data in values[at]["epoch"]]
    data = [
        one
        for entry in entries
        for one in ([entry.data] if entry.kind in ("flush", "stand") else change(entry))
    ]
    values[at] = {"epoch": data}
    return b"".join(record(value) for value in values)


def on_no_head(ring: Ring) -> Callable[[Entry], list[bytes]]:
    def change(entry: Entry) -> list[bytes]:
        key, nowhere = ring.who[entry.seat], bytes(32)
        return [make_entry(key, entry.match, entry.stage_key, entry.seat, nowhere, entry.body).data]

    return change


@pytest.mark.parametrize("how", ["left", "voted"])
def test_B6_a_leave_or_vote_on_a_head_that_never_was_removes_nobody(how):
    ring = siete(4, deals=1)
    if how == "left":
        ring.tables[3].leave()
        ring.settle()
    else:
        silence(ring, 3)
        ring.play(moves=20)
        vote_out(ring, 3, 0, 1, 2)
    ring.play()
    log = ring.logs[0]
    assert [one.how for one in verify_log(log, GROUP).gone] == [how]
    try:
        verdict = verify_log(with_calls(ring, log, on_no_head(ring)), GROUP)
    except BadLog:
        return
    assert how not in [one.how for one in verdict.gone]


def complete(logs: list[bytes]) -> set[bytes]:
    return {log for log in logs if verify_log(log, GROUP).complete}


def test_G11_honest_players_that_were_told_other_stories_store_one_file():
    ring = siete(4, deals=1)
    place = ("step", 0, 99)
    first, *others = (ring.signed(1, place, {"story": number}, bytes(32)) for number in range(4))
    ring.tap = lambda _sender, _receiver, data: (
        () if data in {one.data for one in (first, *others)} else (data,)
    )
    spread(ring, [first], but=[1])
    for seat, story in zip((0, 2, 3), others, strict=True):
        ring.tables[seat].receive(story.data)
    ring.settle()
    ring.play()
    ring.tap = None
    catch_up(ring)
    ring.play()
    must_end(ring, (0, 2, 3), (1, "convicted"))
    assert len(complete([ring.logs[seat] for seat in (0, 2, 3)])) == 1


def test_G11_nobody_makes_a_second_file_in_which_a_seat_went_for_another_reason():
    ring = siete(4, deals=1)
    ring.tables[1].leave()
    ring.settle()
    ring.play()
    stories = sorted(
        ring.signed(1, ("step", 0, 99), {"story": number}, bytes(32)).data for number in range(2)
    )
    log = ring.logs[0]
    other = with_calls(ring, log, lambda _leave: stories)
    assert verify_log(log, GROUP).complete
    try:
        verdict = verify_log(other, GROUP)
    except BadLog:
        return
    assert not verdict.complete
