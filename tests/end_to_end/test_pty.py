"""Two people in two terminals: typed moves, refusals, the count, and a terminal left as it was,
however it ends."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from tests.end_to_end.processes import (
    LOOPBACK,
    ROOT,
    Machine,
    Person,
    address_of,
    environment,
    same_logs,
)
from tests.patience import PATIENCE

YOUR_TURN = r"Your turn\. You may: (.+)\n"
CARDS = [f"{rank}{suit}" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12) for suit in "oceb"]


def open_table(machine: Machine, table: str, *words: str) -> Person:
    shared = ["--plain", "--interface", LOOPBACK, "--table", table, "--nick", "Ane"]
    ane = machine.person(
        "ane", "host", "escoba", "--seats", "2", "--option", "target=1", *shared, *words
    )
    ane.reads("is open on port")
    return ane


def sit_down(machine: Machine, where: str) -> Person:
    return machine.person("jon", "join", where, "--plain", "--interface", LOOPBACK, "--nick", "Jon")


def at_table(machine: Machine, table: str) -> tuple[Person, Person]:
    """Bring two people to the moment in which one of them is asked; that one comes first."""
    ane = open_table(machine, table)
    jon = sit_down(machine, address_of(ane))
    for person in (ane, jon):
        person.reads("You are dealt")
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if re.search(YOUR_TURN, ane.out):
            return ane, jon
        if re.search(YOUR_TURN, jon.out):
            return jon, ane
        time.sleep(0.02)
    raise AssertionError("nobody is asked")


def play_on(*people: Person, tab: bool = False) -> int:
    """Let people type the first move that is offered until the match is over; return how many moves
    that took."""
    moves = 0
    until = time.monotonic() + 2 * PATIENCE
    while not all(re.search("The match is over", person.out) for person in people):
        assert time.monotonic() < until, "\n=====\n".join(person.out[-2000:] for person in people)
        for person in people:
            if asked := person.glances(YOUR_TURN):
                move = asked[1].split("; ")[0]
                # else a move not shown may begin alike
                if tab and moves % 3 == 0 and "; and more" not in asked[1]:
                    complete(person, move)
                else:
                    person.type(move)
                moves += 1
        time.sleep(0.01)
    return moves


def complete(person: Person, move: str) -> None:
    """Type the beginning of a move that no other one has, and let Tab do the rest."""
    offered = re.findall(YOUR_TURN, person.out)[-1].split("; ")
    ends = (
        end
        for end in range(5, len(move))
        if [other for other in offered if other.startswith(move[:end])] == [move]
    )
    length = next(ends, len(move))
    person.type(move[:length], enter=False)
    if length < len(move):
        person.press(b"\t")
        person.sees(f"Your move: {move}")
    person.press(b"\r")


@pytest.mark.slow
def test_two_people_type_a_whole_match(machine):
    ane = open_table(machine, "pty-whole")
    # the price is shown before anybody sits down
    ane.says("If you leave for good, the match ends")
    jon = sit_down(machine, "pty-whole")
    jon.reads("Found table pty-whole, opened by Ane")
    ane.reads("You are dealt")
    jon.type("talk Kaixo \u202eZer moduz?")
    ane.says("“Kaixo Zer moduz\\?”")
    moves = play_on(ane, jon, tab=True)
    assert moves >= 34  # 36 cards in hand; the last hands of a deal may be all automatic
    for person in (ane, jon):
        assert person.ends() == 0
        # The count is explained, line by line.
        for line in (
            r"The count for you:\n",
            r"  escobas: \d",
            r"  cards: \d+",
            r"  = \d+ points? in this deal, \d+ in all \(to 1\)",
        ):
            assert re.search(line, person.out), line
        assert "Your move: " in person.out
        assert re.search(
            r"all have signed the end; shuffles: \d+, moves: \d+, proofs: \d+; all good", person.out
        )
    same_logs(ane, jon)
    for person in (ane, jon):
        verified = subprocess.run(
            [sys.executable, "-m", "client", "verify", *map(str, person.logs)],
            env=environment(machine.folder / "elsewhere"),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert verified.returncode == 0, verified
        assert "good and complete" in verified.stdout


def test_an_illegal_move_is_refused_with_the_reason(machine):
    asked, other = at_table(machine, "pty-refused")
    dealt = re.search(r"You are dealt: (.+)\n", asked.out)[1]
    hand = [card.split("(")[0] for card in dealt.split()]
    # "nothing", if the dealer has swept it
    on_table = re.search(r"On the table: ([^\n]*)", asked.out)[1]
    table = [card for card in re.split(r"[^0-9a-z]+", on_table) if card in CARDS]
    missing = next(card for card in CARDS if card not in [*hand, *table])
    worth = {10: 8, 11: 9, 12: 10}

    def value(card: str) -> int:
        return worth.get(int(card[:-1]), int(card[:-1]))

    asked.reads(YOUR_TURN)
    asked.type(f"play {missing}")
    asked.reads(f"Not allowed: You have no {missing} in your hand")
    asked.type(f"play {hand[0]} take {missing}")
    asked.reads(f"Not allowed: There is no {missing} on the table")
    wrong = next((card for card in table if value(card) + value(hand[0]) != 15), None)
    if wrong:
        asked.type(f"play {hand[0]} take {wrong}")
        asked.reads(f"Not allowed: These cards make {value(hand[0]) + value(wrong)}, not 15")
    asked.type("paly 7o")
    asked.reads("`paly 7o` is neither a move nor a command")
    asked.type("?")
    asked.reads(r"You may:\n(  play .+\n)+And besides:")
    asked.type("hint")
    asked.reads("The house rules of this table are that programs give no hints")
    other.type(f"play {hand[0]}")
    other.reads("Not allowed|It is not your turn")
    # None of this is a move: it is still the same player's turn, and the first legal move is taken.
    asked.type(re.search(YOUR_TURN, asked.out)[1].split("; ")[0])
    asked.reads(r"You (lay|play) ")
    other.reads(YOUR_TURN)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_clean(machine, number):
    person = machine.person("ane", "play", "escoba", "--plain", "--nick", "Ane")
    person.reads(YOUR_TURN)
    person.signal(number)
    assert person.ends() == 128 + number
    assert person.err == ""


def test_quit_must_be_said_twice(machine):
    asked, other = at_table(machine, "pty-quit")
    asked.type("quit")
    asked.reads("To end the program all the same: quit yes")
    asked.type("quit yes")
    assert asked.ends() == 1
    other.reads("is away: gone for now, or cut off")
    other.press(b"\x04")  # the end of the input asks too, as it may be pressed by mistake
    other.reads("To end the program all the same: quit yes")
    assert other.process.poll() is None
    for _ in range(15):  # between two prompts a terminal swallows the end of the input
        other.press(b"\x04")
        with suppress(subprocess.TimeoutExpired):
            other.process.wait(1)
            break
    assert other.ends() == 1
