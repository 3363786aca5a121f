"""Two liars that are late on purpose, with real processes: B3 and B4 together."""

from __future__ import annotations

import time

import pytest

from p2p.table.log import read_log
from tests.end_to_end.processes import LOOPBACK, Machine, Person, address_of
from tests.end_to_end.test_votes import YOUR_TURN, move_of
from tests.patience import PATIENCE

LATE = "tests.end_to_end.late"


def vote_and_play(people: list[Person]) -> None:
    """Let people play the first move that is offered, and vote for each player that is late."""
    until = time.monotonic() + 2 * PATIENCE
    while not all("The match is over" in person.out for person in people):
        assert time.monotonic() < until, "\n=====\n".join(person.out[-2000:] for person in people)
        for person in people:
            if asked := person.glances(YOUR_TURN):
                person.type(move_of(asked[1]))
            if person.glances(r"`without`: vote to go on without"):
                person.type("without")
            if person.glances(r"To vote: without yes"):
                person.type("without yes")
        time.sleep(0.05)


@pytest.mark.slow
def test_B3_the_first_toss_of_a_match_is_drawn_once(machine: Machine) -> None:
    words = ["--plain", "--interface", LOOPBACK]
    options = ["--seats", "4", "--option", "deals=1", "--limit", "3", "--table", "four"]
    ane = machine.person("ane", "host", "siete-y-media", *options, *words, "--nick", "ane")
    ane.reads("is open on port")
    where = address_of(ane)
    jon = machine.person("jon", "join", where, *words, "--nick", "jon")
    ane.reads("p2: jon")
    machine.join("mary", where, before=("keeps",), program=LATE)
    ane.reads("p3: mary")
    machine.join("zoe", where, before=("tips",), program=LATE)
    vote_and_play([ane, jon])
    for person in (ane, jon):
        names = [name for name, _entries in read_log(person.logs[0].read_bytes()).records]
        assert "epoch" not in names, "the toss was dropped and drawn again, and nobody went"
