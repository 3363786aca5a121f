"""A few matches of every game in simulated weather, and the bugs that the simulator must find to be
believed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.sample import sample
from tests.simulator.coalition import ATTACKS
from tests.simulator.planted import BUGS
from tests.simulator.run import (
    NAMES,
    Outcome,
    crash_points,
    departures,
    in_a_storm,
    simulating,
    total,
    with_a_crash,
    with_a_departure,
    with_liars,
)

SEEDS = {"kinaskak": 4}
"""How many matches of a game, if not as many as here:"""
MANY = 8
THREE_AT_DOMINOES = ("domino", 3, {"target": 1, "leaving": "end"})
FOUND = [
    ("tiny", 185),
    ("truco", 146, ("truco", 4, {"target": 5, "falta": "malas", "envido_callers": "any"})),
    ("escoba", 78, ("escoba", 4, {"target": 1, "teams": True})),
    ("tiny", 13),
    ("tiny", 15),
    ("tiny", 35),
    ("tiny", 116),
    ("tiny", 192),
    ("tiny", 1012),
    ("domino", 2, THREE_AT_DOMINOES),
    ("domino", 3, ("domino", 4, {"target": 1, "partners": True, "passes": "none"})),
    ("domino", 4, ("domino", 2, {"target": 1, "capicua": "on"})),
    ("domino", 20746, THREE_AT_DOMINOES),
    ("domino", 21350, THREE_AT_DOMINOES),
    ("siete-y-media", 3010),
    ("escoba", 587, ("escoba", 2, {"target": 1, "capture": "free", "leftovers": "capture"})),
    ("kinaskak", 850),
    ("siete-y-media", 1279),
]
"""The game, the seed, and perhaps the kind of matches in which a coalition did what it must not.

Changes of the program and of the simulator have made other matches of these seeds since."""
SAMPLES = {"tiny": 0, "kinaskak": 3}
"""Of how many crash points one is tried, 0 for every one; the lines of `python -m tests.simulator`
try them all."""

DEPARTURES = {"tiny": 60, "siete-y-media": 30, "kinaskak": 3}
"""How many of the points at which somebody can die while another leaves are tried."""


WENT_ON = {"escoba": 0, "domino": 1, "kinaskak": 1}
"""The games that go on without a seat, each with a seed with which it does."""
LONG = ("escoba", "truco", "kinaskak")
"""Matches so long that one moment to leave has moments enough to die."""
PART = pytest.mark.parametrize("one_of", sample([8, 1], 1), ids=["a-part", "all"])
"""Every check tries one match or point of eight, the soak all of them."""


@pytest.fixture(autouse=True)
def _simulating() -> Iterator[None]:
    with simulating():
        yield


def again(game: str, seed: int, flags: str = "") -> str:
    return f"python -m tests.simulator {game} --first {seed} --seeds 1{flags}"


def wrong(outcomes: dict[str, Outcome]) -> list[str]:
    return [f"{item.wrong}: {command}" for command, item in outcomes.items() if item.wrong]


@PART
@pytest.mark.parametrize("game", NAMES)
def test_matches_in_any_weather_come_to_one_end(game: str, one_of: int) -> None:
    outcomes = {
        again(game, seed): in_a_storm(game, seed)
        for seed in range(0, SEEDS.get(game, MANY), one_of)
    }
    assert not wrong(outcomes)
    count = total(item.count for item in outcomes.values())
    assert count.events * one_of > 500
    if one_of == 1:  # a part of the matches may be all fair weather
        assert count.crashes > 2
        assert count.cuts > 2


@pytest.mark.parametrize("game", sample(NAMES, 2))
def test_matches_over_the_real_group_come_to_one_end(game: str) -> None:
    seed = 8
    assert not wrong({again(game, seed, " --real"): in_a_storm(game, seed, real=True)})


@PART
@pytest.mark.parametrize("game", NAMES)
def test_a_peer_that_dies_at_any_store_or_send_plays_on_when_it_is_back(
    game: str, one_of: int
) -> None:
    points = crash_points(game)
    assert {"journal written", "journal synced", "sent", "log written", "log synced"} <= {
        point.name for point in points
    }
    some = (
        points[::one_of]
        if game == "tiny"
        else points[7 :: len(points) // SAMPLES.get(game, 12)][::one_of]
    )
    outcomes = {str(point): with_a_crash(game, point) for point in some}
    assert not wrong(outcomes)
    assert all(item.count.crashes == 1 for item in outcomes.values())


@PART
@pytest.mark.parametrize("game", NAMES)
def test_a_peer_that_dies_while_somebody_leaves_plays_on_when_it_is_back(
    game: str, one_of: int
) -> None:
    found = departures(game, every=9 * (one_of if game in LONG else 1))
    some = found[7 :: max(1, len(found) * one_of // DEPARTURES.get(game, MANY))]
    assert some
    outcomes = {
        f"{leaving}, {point}": with_a_departure(game, leaving, point) for leaving, point in some
    }
    assert not wrong(outcomes)
    assert all(item.count.crashes == 1 for item in outcomes.values())
    assert total(item.count for item in outcomes.values()).leaves >= len(some) // 2


@PART
@pytest.mark.parametrize("game", NAMES)
def test_a_coalition_of_liars_breaks_nothing(game: str, one_of: int) -> None:
    count = SEEDS.get(game, MANY)
    assert not wrong(
        {
            again(game, seed, " --liars 0"): with_liars(game, seed)
            for seed in range(0, count, one_of)
        }
    )


@PART
@pytest.mark.parametrize("game", WENT_ON)
def test_liars_and_crashes_break_nothing_where_the_others_go_on(game: str, one_of: int) -> None:
    first = WENT_ON[game]
    outcomes = {
        again(game, seed, " --going-on --liars 0"): with_liars(game, seed, going_on=True)
        for seed in range(first, first + MANY, one_of)
    }
    assert not wrong(outcomes)
    assert total(item.count for item in outcomes.values()).went_on


@pytest.mark.parametrize("game", sample(NAMES, 2))
def test_a_coalition_over_the_real_group_breaks_nothing(game: str) -> None:
    assert not wrong({again(game, 8, " --real --liars 0"): with_liars(game, 8, real=True)})


@pytest.mark.parametrize("found", FOUND, ids=lambda found: f"{found[0]}-{found[1]}")
def test_findings_of_coalitions_stay_mended(found: tuple[Any, ...]) -> None:
    game, seed, *kind = found
    assert not with_liars(game, seed, kind=kind[0] if kind else None).wrong


def test_all_attacks_that_are_known_occur_among_what_liars_do() -> None:
    told: Counter[str] = Counter()
    for seed in range(40):
        told += with_liars("tiny", seed).told
        if not set(ATTACKS) - told.keys():
            break
    assert not set(ATTACKS) - told.keys(), told


@pytest.mark.parametrize("name", BUGS)
def test_a_planted_bug_is_found(name: str) -> None:
    bug = BUGS[name]
    play = with_liars if bug.coalition else in_a_storm
    found = play(bug.game, bug.seed, bug=name).wrong
    assert bug.found in found, again(
        bug.game, bug.seed, f' --planted "{name}"' + " --liars 0" * bug.coalition
    )
    assert not play(bug.game, bug.seed).wrong


@pytest.mark.soak
def test_a_round_that_nobody_can_end_is_left() -> None:
    assert not with_liars("kinaskak", 60320, going_on=True).wrong
