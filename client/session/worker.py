"""The process in which a computer player thinks: it always works until a given time.

A process that answers a network must not think: its peers would see when it is busy, and how much
there is to think about says something about the hand. `client.session.thinking` starts this
process, with two pipes: each message is four bytes of length, most significant first, and a pickled
value. The first message out is the slowness of this machine; each message in is a call, such as of
`think`, and gets one answer.

It writes nothing anywhere: neither a core dump nor a traceback with the cards. It ends when its
standard input ends, even during a task, so it does not outlive its parent. It leaves Ctrl-C to its
parent.
"""

from __future__ import annotations

import _thread
import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import BinaryIO, cast

from client.session.pipes import own_pipes
from client.storage.hardening import forbid_core_dumps
from engine.bots import (
    MODULES,
    Bot,
    Ratings,
    bot_for,
    character_for,
    characters_of,
    rater_for,
    usual,
)
from engine.core.moves import Choose, Move
from engine.core.view import View

LENGTH = 4
"""The bytes of a message's length."""
REFERENCE_S = 0.0002
"""Seconds of one `busy` on the reference machine, for which the answer times were chosen."""
SLOWEST = 10.0
"""The greatest slowness reported: answers of a minute would be unplayable."""
RING_S = 0.05
"""Seconds between two signals once a task's time is up."""
ROUNDS = 40
"""How often `busy` is timed. The least time counts, because other programs can only add to it."""


@dataclass(frozen=True)
class Task:
    """A choice of a computer player."""

    game: str
    character: str
    """The name of the character; empty is the strongest of the game."""
    view: View = field(repr=False)
    seconds: float
    """How long to work, from the arrival of this message."""
    seed: bytes = field(default=b"", repr=False)
    """The seed of all draws; without one each draw is the middle of its range."""


@dataclass(frozen=True)
class Failed:
    """An error while thinking: its type and the lines of code, but no value of the match."""

    trace: str


class _TimeIsUpError(Exception):
    """Raised in the work when its time is up."""


def think(task: Task) -> Move:
    """Choose a move; always work for `task.seconds`.

    If the player has not decided by then, the choice is that of the weakest player of the game,
    which is made first, in a few milliseconds. Call it in the main thread only.
    """
    end = time.perf_counter() + task.seconds
    player = _player(task)
    found = _choice(_quickest(task), task)

    def work() -> None:
        nonlocal found
        found = _choice(player, task)
        while time.perf_counter() < end:
            busy()

    _until(end, work)
    return found


def rate(game: str, view: View, choose: Choose) -> Ratings:
    """Rate all moves of a choice, for an analysis; `choose` can be pickled."""
    return rater_for(game)(view, choose)


def busy() -> int:
    """Work for a moment, always in the same way: as players do, with small Python objects."""
    best = 0
    for number in range(120):
        cards = [((number * place) % 41, place) for place in range(12)]
        values = dict(cards)
        best = max(best, sum(sorted(values.values())[:4]))
    return best


def slowness() -> float:
    """Return how much slower this machine is than the reference, from 1 to `SLOWEST`."""
    least = SLOWEST * REFERENCE_S
    for _ in range(ROUNDS):
        began = time.perf_counter()
        busy()
        least = min(least, time.perf_counter() - began)
    return max(1.0, least / REFERENCE_S)


def _player(task: Task) -> Bot:
    return character_for(task.game, task.character).play if task.character else bot_for(task.game)


def _quickest(task: Task) -> Bot:
    characters = characters_of(task.game)
    return characters[-1].play if characters else bot_for(task.game)


def _choice(player: Bot, task: Task) -> Move:
    """Return a player's choice. Its draws are its own, so that no other player changes them."""
    if not task.seed:
        return player(task.view, usual)
    return player(task.view, Random(task.seed).randrange)  # noqa: S311 - the seed is from the system


def _until(end: float, work: Callable[[], None]) -> None:
    """Call a Python function, and break it off at a time of `time.perf_counter`.

    Call it in the main thread only. A thread sends the signal of Ctrl-C, repeatedly: Python drops
    an exception raised while it deletes an object. Nothing is raised once the function has ended.
    Before the time is up the signal is a real Ctrl-C, which is not ours.
    """
    over, code = threading.Event(), cast("FunctionType", work).__code__

    def ring(_number: int, frame: FrameType | None) -> None:
        if time.perf_counter() >= end and _within(code, frame):
            raise _TimeIsUpError

    def ring_on() -> None:
        wait = max(0.0, end - time.perf_counter()) + 0.001
        while not over.wait(wait):
            _thread.interrupt_main()
            wait = RING_S

    before, bell = signal.signal(signal.SIGINT, ring), threading.Thread(target=ring_on, daemon=True)
    bell.start()
    try:
        with suppress(_TimeIsUpError):
            work()
    finally:
        over.set()
        bell.join()
        signal.signal(signal.SIGINT, before)


def _within(code: CodeType, frame: FrameType | None) -> bool:
    """Return whether a frame belongs to a call of the function with this code."""
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None


def main(game: str) -> None:
    """Do tasks until standard input ends; load the players of `game` at once."""
    signal.signal(signal.SIGINT, _ignore)
    with suppress(OSError, ValueError):
        forbid_core_dumps()
    tasks, answers = own_pipes()
    waiting: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
    if game in MODULES:
        import_module(MODULES[game])
    _write(answers, slowness())
    threading.Thread(target=_read, args=(tasks, waiting), daemon=True).start()
    while True:
        task = waiting.get()
        try:
            _write(answers, task())
        except OSError:  # our parent has gone
            return
        except Exception as error:  # noqa: BLE001 -- its values stay here
            _write(answers, Failed(_trace(error)))


def packed(value: object) -> bytes:
    """Return a value as a message."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(LENGTH, "big") + data


def _ignore(_number: int, _frame: object) -> None:
    """Do nothing about Ctrl-C."""


def _read(tasks: BinaryIO, waiting: queue.SimpleQueue[Callable[[], object]]) -> None:
    """Read messages until there are no more, then end this process, even during a task."""
    try:
        while head := tasks.read(LENGTH):
            waiting.put(pickle.loads(tasks.read(int.from_bytes(head, "big"))))  # noqa: S301 - from our parent
    finally:
        os._exit(0)


def _write(answers: BinaryIO, value: object) -> None:
    answers.write(packed(value))
    answers.flush()


def _trace(error: Exception) -> str:
    return "".join([*traceback.format_tb(error.__traceback__), type(error).__name__])


if __name__ == "__main__":
    main(sys.argv[1])
