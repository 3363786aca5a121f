"""The inputs that wait for our tables: links wait while there are too many, our own players never.

An input is for one round of work of `client.session.seats`.
"""

from __future__ import annotations

import trio

from client.session.work import Input

MAX_INPUTS = 4096
"""Inputs that may wait; then the links wait too."""


class Inputs:
    """A queue with one reader, which takes all that waits."""

    def __init__(self) -> None:
        self._waiting: list[Input] = []
        self._came, self._taken = trio.Event(), trio.Event()

    def __len__(self) -> int:
        """How many inputs wait."""
        return len(self._waiting)

    def put(self, item: Input) -> None:
        """Add an input, at once: for our own players and clocks."""
        self._waiting.append(item)
        self._came.set()

    async def put_from_peer(self, item: Input) -> None:
        """Add an input as soon as there are not too many."""
        while len(self._waiting) >= MAX_INPUTS:
            await self._taken.wait()
        self.put(item)

    async def take(self) -> list[Input]:
        """Wait until there are inputs; take all."""
        await self._came.wait()
        return self.take_waiting()

    def take_waiting(self) -> list[Input]:
        """Take the inputs that wait now, perhaps none, and let the links go on."""
        taken, self._waiting = self._waiting, []
        self._came = trio.Event()
        self._taken.set()
        self._taken = trio.Event()
        return taken
