"""Every request of the rules under the masked deck: its speakers, its answer, its events. Lies are
in tests/adversary."""

import pytest

from engine.core.moves import spell_move
from engine.core.requests import Ask
from p2p.table.events import (
    Moved,
    Tossed,
)
from p2p.table.faults import Forgotten
from tests.engine.tiny_game import Say
from tests.ring import Ring, first_choice
from tests.standin import standin_group

GROUP = standin_group()


def entries(ring, seat=0):
    return [entry for step in ring.tables[seat].progress.records for entry in step.entries]


def test_the_toss_is_the_sum_of_all_revealed_numbers():
    ring = Ring("tiny", 3, group=GROUP, seed="rounds")
    ring.play()
    values = [
        entry.body["value"]
        for entry in entries(ring)
        if entry.place == ("step", 0, 1) and entry.stage == 1
    ]
    tossed = next(event for event in ring.events[0] if isinstance(event, Tossed))
    assert (len(values), tossed.number) == (3, sum(values) % 3)


def test_sealed_choices_are_committed_before_any_is_revealed():
    ring = Ring("tiny", 3, group=GROUP, seed="rounds")
    ring.play()
    sealed = [entry for entry in entries(ring) if type(entry.body.get("value")) is list]
    commits = {entry.place: entry for entry in entries(ring) if "commit" in entry.body}
    assert {tuple(spelled) for spelled in (entry.body["value"] for entry in sealed)} == {("Bid", 0)}
    for reveal in sealed:
        assert reveal.place in commits
        assert reveal.head != commits[reveal.place].head


def test_a_seat_whose_disk_has_lost_its_commitment_says_so_and_reveals_nothing():
    ring = Ring("tiny", 3, group=GROUP, seed="rounds")
    table = ring.tables[0]
    table.proceed()
    assert "1 commitments" in repr(table.journal)
    table.journal.forget(table.steps + 100)
    with pytest.raises(Forgotten):
        ring.settle()


def until_any(ring):
    """Play until somebody may answer for all."""
    ring.settle()
    while True:
        turn = ring.tables[0].progress.exchange.round
        if isinstance(turn.request, Ask) and turn.request.kind == "any":
            return list(turn.request.seats)
        assert ring.play(first_choice, moves=1)


def test_of_partners_the_first_answer_in_seat_order_counts_and_a_partner_that_has_seen_one_yields():
    ring = Ring("tiny", 3, group=GROUP, seed="any")
    first, second = until_any(ring)
    ring.tables[second].act(Say("pass"))
    ring.settle()
    said = {entry.seat: entry for entry in entries(ring)[-2:]}
    assert said[first].body == {"yield": said[second].hash}
    assert said[second].body["move"] == spell_move(Say("pass"))
    moved = [event for event in ring.events[first] if isinstance(event, Moved)][-1]
    assert (moved.seat, moved.move) == (second, Say("pass"))


def test_partners_who_answer_at_once_are_both_heard_and_the_first_in_order_counts():
    ring = Ring("tiny", 3, group=GROUP, seed="any")
    first, second = until_any(ring)
    ring.tables[second].act(Say("pass"))
    ring.tables[first].act(Say("double"))
    ring.settle()
    moved = [event for event in ring.events[0] if isinstance(event, Moved)][-1]
    assert (moved.seat, moved.move) == (first, Say("double"))
    assert all("move" in entry.body for entry in entries(ring)[-2:])


def test_a_yield_that_arrives_before_the_answer_waits_for_it():
    ring = Ring("tiny", 3, group=GROUP, seed="any")
    first, second = until_any(ring)
    (eldest,) = ring.others(first, second)
    late = []
    ring.tap = lambda sender, receiver, data: (
        (late.append(data), ())[1]
        if sender == second and receiver == eldest and not late
        else (data,)
    )
    ring.tables[second].act(Say("pass"))
    ring.settle()
    table = ring.tables[eldest]
    assert late
    assert first in table.waiting
    assert table.fault is None
    table.receive(late[0])
    ring.play()
    assert len(set(ring.logs)) == 1
    assert all(table.sealed for table in ring.tables)
