"""The processes in which computer players think: real ones."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio

from client.session.computers import Computers
from client.session.context import Context
from client.session.messages import Advised, Message, Notice
from client.session.seats import Beginning, LocalSeats
from client.session.thinking import (
    NoThinkerError,
    Thinker,
    ThinkingFailedError,
)
from client.session.work import Question
from client.session.worker import LENGTH, Task
from client.storage.home import Home
from engine.bots import bot_for, characters_of
from engine.core.moves import Move
from engine.core.view import View
from tests.bots.weak import weak_bot
from tests.client.session.linked_player import signed_by
from tests.client.session.test_worker import SEED, views
from tests.patience import PATIENCE
from tests.ring import identities, terms_for
from tests.standin import seeded, standin_group

pytestmark = pytest.mark.slow
PARENT = """
import sys, trio
from client.session.thinking import Thinker
from client.session.worker import Task
from tests.client.session.test_worker import SEED, views

async def main():
    thinker = await Thinker.start("escoba")
    print(thinker.process.pid, flush=True)
    await thinker.think(Task("escoba", "", views("escoba", 2, 1)[0], 60.0, SEED))

trio.run(main)
"""


def view() -> View:
    return views("escoba", 2, 1)[0]


def alive(pid: int) -> bool:
    """Return whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pid: int) -> bool:
    """Wait until a process has ended."""
    until = time.monotonic() + PATIENCE
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.05)
    return not alive(pid)


async def test_ctrl_c_at_a_terminal_is_no_business_of_its() -> None:
    thinker = await Thinker.start("escoba")
    pid = thinker.process.pid
    os.kill(pid, signal.SIGINT)  # while it waits
    async with trio.open_nursery() as nursery:

        @nursery.start_soon
        async def _press() -> None:
            for _ in range(5):
                await trio.sleep(0.05)
                os.kill(pid, signal.SIGINT)

        assert await thinker.think(Task("escoba", "", view(), 0.5, SEED)) in (view().options or ())
    await thinker.end()


def test_it_dies_with_its_parent_in_the_middle_of_a_task() -> None:
    words = [sys.executable, "-c", PARENT]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert alive(pid)
        parent.kill()
    assert gone(pid)


DUMPABLE = """
import ctypes
from client.session import worker
worker.slowness = lambda: float(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))
worker.main("")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such mark")
def test_no_program_that_collects_dumps_and_no_debugger_of_our_user_gets_a_hand() -> None:
    """A dump that the kernel pipes to a program ignores the limit."""
    done = subprocess.run(
        [sys.executable, "-c", DUMPABLE], stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    assert pickle.loads(done.stdout[LENGTH:]) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="nobody else may look into such a process")
async def test_it_may_leave_no_dump_and_says_nothing_about_an_error() -> None:
    thinker = await Thinker.start("escoba")
    pid = thinker.process.pid
    limits = Path(f"/proc/{pid}/limits").read_text().splitlines()
    core = next(line.split() for line in limits if line.startswith("Max core file size"))
    assert core[4] == "0"
    ends = {Path(f"/proc/{pid}/fd/{number}").readlink() for number in range(3)}
    assert ends == {Path(os.devnull)}
    with pytest.raises(ThinkingFailedError) as failed:
        await thinker.think(Task("no such game", "no such player", view(), 0.1, SEED))
    assert "KeyError" in str(failed.value)
    assert not any(face in str(failed.value) for face in view().faces.values())
    await thinker.end()


async def test_a_process_that_is_killed_is_noticed() -> None:
    thinker = await Thinker.start("escoba")
    os.kill(thinker.process.pid, signal.SIGKILL)
    with pytest.raises(NoThinkerError):
        await thinker.think(Task("escoba", "", view(), 5.0, SEED))
    await thinker.end()


@pytest.fixture
def seats(tmp_path: Path) -> Iterator[LocalSeats]:
    who, terms = identities(2), terms_for("escoba", 2, target=1)
    bots = dict.fromkeys(range(2), weak_bot("escoba"))
    beginning = Beginning(delayed=True, group=standin_group())
    context = Context(Home(tmp_path), entropy=seeded(1))
    local_seats = LocalSeats(context, signed_by(terms, who), dict(enumerate(who)), bots, beginning)
    yield local_seats
    local_seats.close()


def question(seats: LocalSeats) -> Question:
    for _turn in range(200):
        if found := seats.work([], lambda *_data, **_to: None).questions:
            return found[0]
    raise AssertionError("nobody is asked")


async def answered(seats: LocalSeats, told: list[Message], asked: Question) -> Move:
    context: Any = Context(seats.home, entropy=seeded(1))
    computers = Computers(context, seats, {0: "", 1: "Joseba"}, told.append, hidden=True)
    answer = await computers.answer(asked)
    await computers.end()
    return answer.move


async def test_where_no_process_can_be_started_it_thinks_here_and_says_so_once(
    seats: LocalSeats, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, told = question(seats), list[Message]()
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert await answered(seats, told, asked) in (asked.view.options or ())
    assert told == [Notice("thinks-here")]


async def test_a_hint_is_found_by_a_process_and_told(
    seats: LocalSeats, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, told = question(seats), list[Message]()
    # on a slow machine the strongest player is broken off, and the quickest one decides
    players = bot_for("escoba"), characters_of("escoba")[-1].play
    hints = [Advised(player(asked.view, lambda bound: bound // 2)) for player in players]
    monkeypatch.setattr("client.session.computers.find_hint", lambda *_facts: pytest.fail("here"))
    computers = Computers(Context(seats.home), seats, {}, told.append, hidden=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(computers.run)
        computers.advise(asked.view)
        computers.advise(asked.view)  # a second one waits, a third one is too many
        computers.advise(asked.view)
        with trio.fail_after(PATIENCE):
            while not told:
                await trio.sleep(0.05)
        nursery.cancel_scope.cancel()
    await computers.end()
    assert told[0] in hints
