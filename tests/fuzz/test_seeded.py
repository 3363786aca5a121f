"""A part of the inputs of each role, announcement, greeting and file that the long runs have."""

from __future__ import annotations

import pytest

from tests.fuzz.seeded import run

PARTS = 2
"""Tests of each target: they run beside one another."""
COUNTS = {
    "roles": 120,
    "announcements": 1600,
    "greetings": 800,
    "files": 2000,
    "frames": 4000,
    "entries": 100,
    "logs": 350,
}
"""Inputs of each part: some ten seconds for both parts together."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("target", COUNTS)
def test_inputs_do_no_harm(target, part, figure):
    figure(run(target, part * COUNTS[target], COUNTS[target], float("inf")))
