"""Lines on a pipe: a move waits for the turn that it is for, and all else is heard at once."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from tests.end_to_end.processes import Machine, Player, address_of, common


@contextmanager
def listening(machine: Machine, *words: str) -> Iterator[tuple[Player, int]]:
    """Start a player that reads from a pipe, and give both."""
    lines, pen = os.pipe()
    try:
        yield machine.player("jon", *words, stdin=lines), pen
    finally:
        os.close(lines)
        os.close(pen)


def test_piped_moves_wait_for_the_turns_that_they_are_for(machine: Machine) -> None:
    ane = machine.host("ane", "turns", "siete-y-media")
    with tempfile.TemporaryFile() as lines:
        lines.write(b"bet 1\nstand\n" * 3)
        lines.seek(0)
        jon = machine.join("jon", address_of(ane), auto=False, stdin=lines)
        assert jon.ends() != 0
    assert jon.sentence().startswith("it is your turn, and the input has ended")
    assert "It is not your turn" not in jon.out
    assert jon.out.count("You stand") >= 2


def test_while_the_other_is_away_all_but_moves_is_heard_behind_a_typo_and_a_move(
    machine: Machine,
) -> None:
    ane = machine.host("ane", "pipe", "escoba")
    with listening(machine, "join", address_of(ane), *common("jon", auto=False)) as (jon, pen):

        def types(line: str, answer: str) -> str:
            os.write(pen, f"{line}\n".encode())
            return jon.says(answer)[0]

        jon.says("Your turn")
        ane.signal(signal.SIGKILL)
        jon.says("ane is away")
        move = types("hint", "(?<= Type )play [^\n]+")
        types(move, "You (lay|play) ")
        os.write(pen, f"{move}\n{move}\n".encode())
        types("tpyo", "`tpyo` is neither a move nor a command")
        types("hint", "It is not your turn")
        types("help", "leave the match for good; asks once more")
        types("talk Agur!", "jon: “Agur!”")
        os.write(pen, b"leave\nyes\n")
        jon.says("You have left the match, and lost it")
        assert jon.ends() == 0
