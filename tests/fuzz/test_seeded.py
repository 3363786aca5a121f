"""A part of the inputs of each role, announcement, greeting and file that the long runs have."""

from __future__ import annotations

import pytest

from client.session.router import Links
from client.storage import settings
from p2p.net import search
from p2p.net.greeting import judge
from p2p.net.link import Link
from tests.fuzz import seeded
from tests.fuzz.seeded import input_of, run
from tests.fuzz.targets import load

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


def fails(*args, **kwargs):
    raise KeyError("planted")


@pytest.mark.parametrize(
    ("target", "where", "name", "count"),
    [
        ("roles", Links, "_handle_talk", 60),
        ("announcements", search, "sighting_of", 20),
        ("greetings", Link, "_read", 40),
        ("greetings", judge.__globals__["wire"], "shape", 40),
        ("files", settings, "_value", 40),
    ],
)
def test_an_error_that_nobody_defined_comes_out(monkeypatch, target, where, name, count):
    monkeypatch.setattr(where, name, fails)
    with pytest.raises((KeyError, ExceptionGroup)):
        run(target, 0, count, float("inf"))


def test_an_input_is_a_function_of_its_number():
    assert input_of("roles", 7) == input_of("roles", 7) != input_of("roles", 8)


def test_a_failure_is_named_with_its_number(monkeypatch):
    monkeypatch.setattr(load("files"), "one_input", fails)
    with pytest.raises(KeyError) as failed:
        seeded.main(["files", "--first", "3", "--count", "1"])
    assert "--first 3" in failed.value.__notes__[0]
