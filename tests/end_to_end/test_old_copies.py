"""A disk may be set back to an older copy: then nothing is said twice differently, and a match that
cannot go on says so."""

from __future__ import annotations

import re
import shutil
import signal
from typing import Any

import pytest

from p2p.table.log import ENTRY_LIMIT
from p2p.table.replay import verify_log
from p2p.wire import unpack
from tests.end_to_end.processes import (
    LOOPBACK,
    Machine,
    Person,
    Player,
    address_of,
    eventually,
    log_at_rest,
    same_logs,
)
from tests.end_to_end.test_secrets_e2e import records_of, secrets_of
from tests.sample import sample

PLAIN = ("--plain", "--interface", LOOPBACK)


MOVE = r"jon (?:plays|lays) .*"
ASKED = r"Your turn\. You may: (.+)\n"
"""The whole line of the question. The prompt may appear before it."""


def moves(person: Person, host: Player, count: int) -> None:
    """Make so many moves, each the first that is offered, and wait until the host has heard of it
    and asks again."""
    for _ in range(count):
        asked, seen = re.findall(ASKED, person.out), len(re.findall(MOVE, host.out))
        person.type(asked[-1].split("; ")[0])
        eventually(lambda seen=seen: len(re.findall(MOVE, host.out)) > seen, "the move")
        eventually(
            lambda asked=asked: len(re.findall(ASKED, person.out)) > len(asked), "the next turn"
        )


def copied(machine: Machine, home: str, name: str) -> None:
    shutil.copytree(machine.folder / home, machine.folder / name)


def set_back(
    machine: Machine, home: str, name: str, kinds: tuple[str, ...] = ("journals", "logs")
) -> None:
    for kind in kinds:
        shutil.rmtree(machine.folder / home / kind)
        shutil.copytree(machine.folder / name / kind, machine.folder / home / kind)


def keys_of(player: Player) -> int:
    """Return how many deck keys a player's journal holds."""
    (journal,) = (path for path in player.journals if path.suffix == ".journal")
    return len(secrets_of(journal.read_bytes()))


def unpacked(entry: bytes) -> list[Any]:
    value = unpack(entry, ENTRY_LIMIT)
    assert isinstance(value, list)
    return value


def shuffled(player: Player) -> bool:
    """Whether a player has shuffled: its journal has that entry."""
    records = [
        record
        for path in player.journals
        if path.suffix == ".journal"
        for record in records_of(path.read_bytes())
    ]
    return any("deck" in unpacked(record["entry"])[5] for record in records if "entry" in record)


def at_the_table(machine: Machine, game: str, *options: str) -> tuple[Player, Person]:
    host = machine.host("ane", "copies", game, *options)
    jon = machine.person("jon", "join", address_of(host), "--nick", "jon", *PLAIN)
    jon.reads(ASKED)
    return host, jon


@pytest.mark.slow
@pytest.mark.parametrize(
    "kinds", sample([("journals", "logs"), ("journals",), ("logs",)], 1), ids="-".join
)
def test_a_resume_with_an_older_copy_of_this_deal_receives_its_own_entries_and_goes_on(
    machine, kinds
):
    host, jon = at_the_table(machine, "escoba", "--option", "target=1")
    # The next deck is made ahead. After a tie it is dealt, and a copy without its key cannot go on.
    eventually(lambda: keys_of(jon) == 2, "the key of the next deck")
    copied(machine, "jon", "copy")
    moves(jon, host, 2)
    jon.kill()
    host.says("jon is away")
    set_back(machine, "jon", "copy", kinds)
    again = machine.back("jon")
    assert [player.ends() for player in (host, again)] == [0, 0]
    for player in (host, again):
        assert "STOP" not in player.out
        assert "Nobody is accused" not in player.out
    assert verify_log(same_logs(host, again)).complete


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("kinds", [("journals",), ("journals", "logs")], ids="-".join)
def test_resume_without_deck_keys_refuses_to_sign(machine, kinds):
    host = machine.host("ane", "keys", "escoba", "--option", "target=21")
    jon = machine.join("jon", address_of(host))
    jon.says("Deal 1")
    jon.signal(signal.SIGSTOP)
    copied(machine, "jon", "copy")
    jon.signal(signal.SIGCONT)
    jon.says("Deal 3(.|\n)*jon is dealt")
    jon.kill()
    copied(machine, "jon", "newest")
    host.says("jon is away")
    before = log_at_rest(host)
    set_back(machine, "jon", "copy", kinds)
    for words in (
        (),
        (
            "--auto",
            "--at-once",
        ),
    ):
        again = machine.back("jon", *words, auto=False)
        assert again.ends() == 1
        assert again.sentence().startswith(
            "the match cannot go on from the files on disk: they are an older copy"
        )
    assert host.logs[0].read_bytes() == before
    assert "STOP" not in host.out
    set_back(machine, "jon", "newest")
    again = machine.back("jon")
    assert [player.ends() for player in (host, again)] == [0, 0]
    assert verify_log(same_logs(host, again)).complete


@pytest.mark.slow
def test_while_nobody_is_there_who_has_heard_us_nothing_is_said(machine):
    host, jon = at_the_table(machine, "escoba", "--option", "target=1")
    host.kill()
    jon.kill()
    journal = next(path for path in jon.journals if path.suffix == ".journal")
    before = journal.read_bytes()
    alone = machine.back("jon")
    alone.says("Back in match")
    eventually(lambda: "jon is dealt" in alone.out, "the deal")
    alone.says("ane is away")
    assert journal.read_bytes() == before
    host = machine.player("ane", "resume", *PLAIN, "--auto", "--at-once")
    assert [player.ends() for player in (host, alone)] == [0, 0]
    assert verify_log(same_logs(host, alone)).complete
