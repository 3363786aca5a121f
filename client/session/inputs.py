"""The queue of inputs for our tables: links wait while it is full, our own players never.

`client.session.seats` processes an input in one round of work.
"""

from __future__ import annotations

import trio

from client.session.work import Input

MAX_INPUTS = 4096
"""The most inputs that wait; then the links wait too."""


class Inputs:
    """A queue with one reader, which takes all waiting inputs."""

    def __init__(self) -> None:
        self._waiting: list[Input] = []
        self._came, self._taken = trio.Event(), trio.Event()

    def __len__(self) -> int:
        """The number of waiting inputs."""
        return len(self._waiting)

    def put(self, item: Input) -> None:
        """Add an input at once: for our own players and timers."""
        self._waiting.append(item)
        self._came.set()

    async def put_from_peer(self, item: Input) -> None:
        """Add an input once there is space."""
        while len(self._waiting) >= MAX_INPUTS:
            await self._taken.wait()
        self.put(item)

    async def take(self) -> list[Input]:
        """Wait until there are inputs, and take all."""
        await self._came.wait()
        return self.take_waiting()

    def take_waiting(self) -> list[Input]:
        """Take the waiting inputs, perhaps none, and let the links continue."""
        taken, self._waiting = self._waiting, []
        self._came = trio.Event()
        self._taken.set()
        self._taken = trio.Event()
        return taken
