"""The model of protocol 3: no guarantee breaks in it, and each broken rule is found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.model.bugs import BUGS, Bug
from tests.model.member import Broken
from tests.model.search import SMALL, Search, Small, small_numbers, walk
from tests.sample import sample


@pytest.fixture(autouse=True)
def _small_numbers() -> Iterator[None]:
    with small_numbers():
        yield


SEARCHES = [(1, 1_000), (3, 10_000), (0, 1_500), (2, 1_500), (4, 1_500), (5, 1_500)]
LONG = [(place, 20_000) for place in range(len(SMALL))]


@pytest.mark.parametrize(("place", "states"), sample([*SEARCHES, *LONG], len(SEARCHES), rows=True))
def test_no_guarantee_breaks_in_any_order(place: int, states: int):
    small: Small = SMALL[place]
    found = Search(small).run(states)
    print(f"{found.states} states, {'all' if found.whole else 'cut off'}: {small}")
    assert found.states == states or found.whole
    if place in (1, 3):
        assert found.whole, "these worlds are searched to the end"
        assert found.met["changes"] > 0


TABLES = [(3, 1), (4, 1), (4, 2), (5, 2)]


@pytest.mark.parametrize("walks", sample([30, 1000], 1))
@pytest.mark.parametrize(("seats", "liars"), TABLES)
def test_no_guarantee_breaks_in_random_walks(seats: int, liars: int, walks: int):
    changes = 0
    for number in range(walks):
        changes += walk(seats, liars, f"walk {number}", number % 3).met["changes"]
    assert changes > walks // 3


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_broken_rule_is_found(bug: Bug):
    with pytest.raises(Broken, match=f"^{bug.breaks}: "):
        bug.walk(bug.seed)
    walk(bug.seats, bug.liars, f"{bug.name} {bug.seed}", bug.junk)


def test_a_search_is_the_same_each_time():
    one, two = (Search(SMALL[4], seed=3).run(400) for _ in range(2))
    assert one == two
