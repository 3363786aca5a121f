"""Tests that wait run beside tests that compute: half of the workers begin with the ones, half with
the others."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import in_order, waits
from tests.sample import odds, pairs, sample


def items(waiting: int, computing: int) -> list[Any]:
    folders = ["tests/end_to_end"] * waiting + ["tests/crypto"] * computing
    return [
        SimpleNamespace(
            nodeid=f"{folder}/test_some.py::test_{number}", get_closest_marker=lambda name: None
        )
        for number, folder in enumerate(folders)
    ]


@pytest.mark.parametrize(
    ("waiting", "computing", "workers"), [(5, 35, 4), (7, 50, 6), (1, 3, 2), (7, 15, 3)]
)
def test_half_of_the_workers_begin_with_tests_that_wait(waiting, computing, workers):
    given = items(waiting, computing)
    ordered = in_order(given, workers)
    assert sorted(item.nodeid for item in ordered) == sorted(item.nodeid for item in given)
    length = -(-len(given) // workers)
    runs = [ordered[at : at + length] for at in range(0, len(ordered), length)]
    waiters = [sum(map(waits, run)) for run in runs]
    half = workers // 2
    assert max(waiters[:half]) - min(waiters[:half]) <= 1
    assert not any(waiters[half:])
    for run, count in zip(runs, waiters, strict=True):
        assert all(map(waits, run[:count]))


@pytest.mark.parametrize(("waiting", "computing", "workers"), [(5, 35, 0), (5, 35, 1), (30, 2, 4)])
def test_otherwise_they_stay_as_they_are(waiting, computing, workers):
    given = items(waiting, computing)
    assert in_order(given, workers) == given


def test_every_check_tries_a_sample_and_the_soak_the_rest():
    first, second, third = sample([1, 2, 3], 1)
    assert first == 1
    assert [(one.values, [mark.name for mark in one.marks]) for one in (second, third)] == [
        ((2,), ["soak"]),
        ((3,), ["soak"]),
    ]
    assert sample([(1, 2), (3, 4)], 0, rows=True)[1].values == (3, 4)
    assert sample([(1, 2)], 0)[0].values == ((1, 2),)


@pytest.mark.parametrize(
    ("ones", "others"), [("abcde", "xyzw"), ("ab", "xyz"), ("abc", "xyz"), ("a", "xy")]
)
def test_the_first_pairs_have_each_value_of_both(ones, others):
    found = pairs(ones, others)
    assert sorted(found) == sorted(product(ones, others))
    first = found[: max(len(ones), len(others))]
    assert ({one for one, _ in first}, {other for _, other in first}) == (set(ones), set(others))


def test_odds_of_a_player_that_plays_by_chance():
    assert odds(0, 3, 0.25) == pytest.approx(1)
    assert odds(2, 2, 0.5) == pytest.approx(0.25)
    assert odds(1, 2, 1 / 3) == pytest.approx(5 / 9)
