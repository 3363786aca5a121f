"""How long liars can keep the others waiting, in late calls, with the numbers of the program."""

from __future__ import annotations

from collections import Counter

import pytest

from p2p.table.epoch_entries import LATE_ALL, LATE_ROW
from tests.model.heads import Entry
from tests.model.world import World


def be_late(world: World, liar: int) -> None:
    """All vote about a liar, and then it says its word, as late as it can."""
    for seat in list(world.members):
        for number, call in world.votes(world.members[seat]):
            world.act(("vote", seat, number, call))
    votes = [entry for entry in world.signed if entry.kind == "vote"]
    for seat in world.members:
        for vote in votes:
            if vote in world.deliverable(world.members[seat]):
                world.act(("hear", seat, vote))
    speak(world, liar)


def speak(world: World, liar: int) -> None:
    member = next(iter(world.members.values()))
    now = member.stage(member.epoch)
    assert now is not None
    place = (member.heads.records[member.logs[member.epoch][-1]].count, now[1])
    word = Entry("word", liar, member.epoch, place, (now[0], 0))
    world.act(("lie", word))
    for seat in world.members:
        world.act(("hear", seat, word))
    world.exchange()


@pytest.mark.parametrize(("seats", "liars"), [(3, 1), (5, 2)])
@pytest.mark.parametrize("in_a_row", [LATE_ROW, LATE_ROW - 1])
def test_each_liar_is_late_at_most_so_often(seats: int, liars: int, in_a_row: int):
    lying = tuple(range(seats - liars, seats))
    schedule = tuple(("ask", seat) for _ in range(3 * LATE_ALL) for seat in lying)
    world = World(seats, lying, schedule, {})
    waits, row = Counter[int](), Counter[int]()
    member = world.members[0]
    while set(member.now.members) & set(lying):
        now = member.stage(member.epoch)
        assert now is not None
        liar = now[2][0]
        if liar not in lying:
            world.act(("speak", liar))
            world.exchange()
        elif row[liar] < in_a_row:
            waits[liar] += 1
            row[liar] += 1
            be_late(world, liar)
        else:
            row[liar] = 0
            speak(world, liar)
    print(f"{liars} of {seats}, {in_a_row} in a row: late calls {dict(waits)}")
    assert max(waits.values()) <= (LATE_ROW if in_a_row >= LATE_ROW else LATE_ALL)
    assert all(one.now.members == member.now.members for one in world.members.values())
