"""Three people at terminals: one falls silent, the others vote it out and play on, and it learns of
that when it is back."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Callable

import pytest

from tests.end_to_end.processes import LOOPBACK, Machine, Person, address_of
from tests.patience import PATIENCE
from tests.sample import sample

YOUR_TURN = r"Your turn\. You may: (.+)\n"


def sit_down(machine: Machine, limit: int, set_clock: Callable[[], object]) -> list[Person]:
    """Let three people sit down at one table; set the clock of jon before he starts."""
    words = ["--plain", "--interface", LOOPBACK]
    options = ["--seats", "3", "--option", "deals=2", "--limit", str(limit), "--table", "three"]
    ane = machine.person("ane", "host", "siete-y-media", *options, *words, "--nick", "ane")
    ane.reads("is open on port")
    others = []
    for number, name in enumerate(("lola", "jon"), 2):
        if name == "jon":
            set_clock()
        others.append(machine.person(name, "join", address_of(ane), *words, "--nick", name))
        ane.reads(f"p{number}: {name}")
    return [ane, *others]


def play_until(people: list[Person], done: str, at: Person) -> None:
    """Let people type the first move that is offered, until one of them has read something."""
    until = time.monotonic() + 2 * PATIENCE
    while not re.search(done, at.out):
        assert time.monotonic() < until, "\n=====\n".join(person.out[-2000:] for person in people)
        for person in people:
            if asked := person.glances(YOUR_TURN):
                person.type(move_of(asked[1]))
        time.sleep(0.02)


def move_of(offered: str) -> str:
    """Return the first of the moves that are offered, as it is typed."""
    return offered.split("; ", maxsplit=1)[0].replace("bet N, from 1 to 10", "bet 1")


@pytest.mark.slow
@pytest.mark.parametrize("asleep", sample([0, 600], 1))
def test_a_silent_player_is_voted_out_and_learns_the_voters(
    machine: Machine,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    asleep: int,
) -> None:
    """Its clock leaps when it wakes up, if its machine was asleep."""

    def leaps() -> None:
        monkeypatch.setenv("LD_PRELOAD", str(request.getfixturevalue("shim")))
        monkeypatch.setenv("SLEEP", str(asleep))

    people = ane, lola, jon = sit_down(machine, 6, leaps if asleep else lambda: None)
    play_until([ane, lola], YOUR_TURN, jon)
    jon.signal(signal.SIGSTOP)
    ane.type("without")
    ane.reads("The table has not waited long enough for any player")
    for person in (ane, lola):
        person.reads("The table has waited for jon for 6 seconds")
        person.reads("`without`: vote to go on without jon; 2 votes are needed")
    ane.type("without yes")  # not asked for yet
    ane.reads("Going on without jon takes 2 votes. Votes so far: 0")
    ane.type("without yes")
    ane.reads("You vote to go on without jon: 1 of 2 votes")
    lola.reads("ane votes to go on without jon: 1 of 2 votes. `without`: you too")
    time.sleep(2)
    assert "have voted (" not in ane.out + lola.out
    lola.type("without")
    lola.reads("Going on without jon takes 2 votes. Votes so far: 1")
    lola.type("without yes")
    ane.reads(r"you and lola have voted \(2 of 3\) to go on without jon")
    lola.reads(r"ane and you have voted \(2 of 3\) to go on without jon")
    jon.signal(signal.SIGCONT)
    jon.reads(r"ane and lola have voted \(2 of 3\) to go on without you: you are out of this match")
    play_until([ane, lola], "The match is over", ane)
    assert [person.ends() for person in people] == [0, 0, 0]
    for person in people:
        judge = machine.player("judge", "verify", str(person.logs[0]))
        assert judge.ends() == 7
        assert re.search(
            r"p3 was voted out by p1 and p2 \(2 of 3\) at step \d+: that is their word, not a "
            r"proof",
            judge.out,
        )
    assert ane.logs[0].read_bytes() == lola.logs[0].read_bytes()
    judge = machine.player("judge", "verify", "--json", str(ane.logs[0]))
    assert judge.ends() == 7
    (gone,) = json.loads(judge.out)["gone"]
    assert (gone["seat"], gone["how"], gone["voters"], gone["electorate"]) == (
        2,
        "voted",
        [0, 1],
        3,
    )
