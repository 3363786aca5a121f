"""The model of view changes: no guarantee breaks within the bounds, and each broken rule is
found."""

from __future__ import annotations

import pytest

from p2p.table.membership import Membership
from p2p.table.view_change import ChangeRound, Flush
from tests.model.__main__ import ALIKE, SCHEDULES, search_for
from tests.model.bugs import BUGS, Bug, ConfirmsAreNotAwaited
from tests.model.drain import walks
from tests.model.world import Bounds, World
from tests.sample import sample

FEW = Bounds(votes=1, crashes=0, lies=2)
"""Of four members so much may happen that a short search comes to no view change; the long one is a
command."""


SEARCHES = [(3, 8_000, Bounds()), (4, 40_000, FEW), (3, 30_000, Bounds()), (4, 100_000, FEW)]


@pytest.mark.parametrize(("members", "states", "bounds"), sample(SEARCHES, 2, rows=True))
def test_no_guarantee_breaks_with_one_liar(members: int, states: int, bounds: Bounds):
    search = search_for(members, members - 1, SCHEDULES[members], bounds)
    report = search.run(states, 0.05)
    print(
        f"{members} members: {report.states} states, all to depth {report.full_depth}, some to "
        f"{report.depth}"
    )
    assert report.violation is None, "\n".join([report.violation, *report.trace])
    assert report.states >= states
    assert report.full_depth >= 2
    assert search.met["changes"] >= 3


def test_three_members_are_searched_to_the_end():
    bounds = Bounds(votes=1, leaves=0, crashes=0, lies=1, views=1)
    report = search_for(3, 2, ALIKE[3][:1], bounds).run(50_000)
    print(f"3 members: {report.states} states, depth {report.depth}, all there are")
    assert report.violation is None, "\n".join([report.violation, *report.trace])
    assert report.whole


@pytest.mark.parametrize("seeds", sample([40, 150], 1))
@pytest.mark.parametrize("members", [3, 4])
def test_honest_members_that_hear_each_other_go_on(members: int, seeds: int):
    world = World(members, members - 1, SCHEDULES[members], Bounds(votes=9, lies=5, views=4))
    drained = walks(world, 0, seeds)
    assert not drained.stuck, "\n".join(drained.stuck)
    assert drained.finished > 2 * seeds // 3


LONG = [bug for bug in BUGS if bug.what is ConfirmsAreNotAwaited]
"""It takes some 300,000 states to find; the others take a tenth of that, most of them less."""


@pytest.mark.parametrize(
    "bug",
    sample(sorted(BUGS, key=LONG.__contains__), len(BUGS) - len(LONG)),
    ids=lambda bug: bug.what.__name__,
)
def test_a_broken_rule_is_found(bug: Bug):
    schedule = bug.schedule or SCHEDULES[bug.members]
    report = search_for(bug.members, bug.members - 1, schedule, bug.bounds, bug.what).run(
        bug.states
    )
    assert report.violation is not None
    print(f"{bug.what.__doc__} Found after {report.states} states: {report.violation}")
    print("\n".join(report.trace))
    assert report.violation[:2] in bug.breaks
    assert report.trace


def test_the_words_of_one_member_are_kept_in_bounds():
    member = Membership(b"", 0, range(4), 0, lambda _point, _seat: False)
    for number in range(1000):
        point = number.to_bytes(32, "big")
        member.receive_vote(3, 1, point)
        member.receive_flush(
            Flush(
                3,
                ChangeRound((), tuple((1, at.to_bytes(32, "big")) for at in range(number % 100))),
                0,
                b"",
            )
        )
    assert sum(len(voters) for _call, voters in member._votes.by_call()) <= 16
    assert len(member._flushes[3]) <= 33
