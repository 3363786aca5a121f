"""The processes in which computer players think, so that no peer sees how hard they think.

A process does one task at a time (`client.session.worker`). There are as many as there were tasks
at the same time.
"""

from __future__ import annotations

import pickle
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial

import trio

from client.session.python_process import start_python
from client.session.worker import LENGTH, Failed, Task, packed, rate, think
from engine.bots import MODULES, Rater, Ratings
from engine.core.moves import Choose, Move
from engine.core.view import View

START_TIMEOUT_S = 30.0
"""Seconds in which a new process must be ready."""
LATE_S = 10.0
"""Seconds after the time of a task at which its process counts as lost."""


class NoThinkerError(Exception):
    """A process cannot be started, or has ended."""


class ThinkingFailedError(Exception):
    """A computer player failed; the text has the lines of code, but no cards."""


class Thinker:
    """One process."""

    def __init__(self, process: trio.Process) -> None:
        self.process = process
        self._rest = b""
        self.slowness = 1.0
        """How much slower this machine is than the reference: 1 or more."""

    @classmethod
    async def start(cls, game: str) -> Thinker:
        """Start a process for a game, and wait until it is ready. Raises NoThinkerError."""
        try:
            process = await start_python("client.session.worker", game)
        except OSError as error:
            raise NoThinkerError(str(error)) from error
        thinker = cls(process)
        try:
            with trio.fail_after(START_TIMEOUT_S):
                slowness = await thinker._receive()
        except BaseException as error:
            await thinker.end()
            if isinstance(error, trio.TooSlowError):
                raise NoThinkerError("it does not start") from error
            raise
        assert isinstance(slowness, float)
        thinker.slowness = slowness
        return thinker

    async def think(self, task: Task) -> Move:
        """Return the choice for a task, about when its time is over.

        Raises NoThinkerError or ThinkingFailedError. After these, or if cancelled, the process is
        unusable.
        """
        try:
            with trio.fail_after(task.seconds + LATE_S):
                move = await self._ask(partial(think, task))
        except trio.TooSlowError as error:
            raise NoThinkerError("it has ended") from error
        assert isinstance(move, Move)
        return move

    async def rate(self, game: str, view: View, choose: Choose) -> Ratings:
        """Return the rating of all moves of a choice.

        Raises NoThinkerError or ThinkingFailedError.
        """
        ratings = await self._ask(partial(rate, game, view, choose))
        assert isinstance(ratings, Ratings)
        return ratings

    async def end(self) -> None:
        """End the process, even during a task."""
        with trio.CancelScope(shield=True):
            with suppress(ProcessLookupError):
                self.process.kill()
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe is not None:
                    await trio.aclose_forcefully(pipe)
            await self.process.wait()

    async def _ask(self, task: Callable[[], object]) -> object:
        assert self.process.stdin is not None
        try:
            await self.process.stdin.send_all(packed(task))
        except trio.BrokenResourceError as error:
            raise NoThinkerError("it has ended") from error
        answer = await self._receive()
        if isinstance(answer, Failed):
            raise ThinkingFailedError(answer.trace)
        return answer

    async def _receive(self) -> object:
        data = await self._exactly(LENGTH)
        return pickle.loads(await self._exactly(int.from_bytes(data, "big")))  # noqa: S301 - from our own process

    async def _exactly(self, size: int) -> bytes:
        assert self.process.stdout is not None
        while len(self._rest) < size:
            more = await self.process.stdout.receive_some()
            if not more:
                raise NoThinkerError("it has ended")
            self._rest += more
        found, self._rest = self._rest[:size], self._rest[size:]
        return found


class Thinkers:
    """All processes of a match: each new task takes an idle one, or starts one."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._idle: list[Thinker] = []

    async def warm_up(self) -> None:
        """Start a process before it is needed; a failure shows later."""
        with suppress(NoThinkerError):
            self._idle.append(await Thinker.start(self._game))

    @asynccontextmanager
    async def one(self) -> AsyncIterator[Thinker]:
        """Give a process for one task; an error of the body ends it. Raises NoThinkerError."""
        thinker = self._idle.pop() if self._idle else await Thinker.start(self._game)
        try:
            yield thinker
        except BaseException:
            await thinker.end()
            raise
        self._idle.append(thinker)

    async def end(self) -> None:
        """End all idle processes."""
        while self._idle:
            await self._idle.pop().end()


@asynccontextmanager
async def raters_apart() -> AsyncIterator[Mapping[str, Rater]]:
    """Give the raters of all games, which compute in another process; call them in a trio thread.

    So an analysis delays neither a table nor the screen. Raises NoThinkerError.
    """
    thinker = await Thinker.start("")

    def apart(game: str, view: View, choose: Choose) -> Ratings:
        return trio.from_thread.run(thinker.rate, game, view, choose)

    try:
        yield {game: partial(apart, game) for game in MODULES}
    finally:
        await thinker.end()
