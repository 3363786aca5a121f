"""The computer players of this process in one match; each answers at a chosen time.

At a network table, choices and hints are computed in separate processes. If there is none, a thread
of this process computes them, and our player is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

import trio

from client.session.answers import at_chosen_time
from client.session.context import Context
from client.session.messages import Advised, Message, Notice
from client.session.seats import LocalSeats
from client.session.setup_rules import LocalPlayer, seated_at
from client.session.thinking import NoThinkerError, Thinkers
from client.session.work import Answer, Question
from client.session.worker import Task
from engine.bots import bot_for, usual
from engine.core.moves import Move, Seat
from engine.core.view import View
from p2p.table.terms import Terms

SEED = 32
"""Bytes of entropy for the draws of one choice."""


def characters_at(terms: Terms, local_players: Iterable[LocalPlayer]) -> dict[Seat, str]:
    """Return our computer players' seats, each with the name of its character."""
    ours = seated_at(terms, local_players)
    return {seat: one.character for seat, one in ours.items() if one.bot}


class Computers:
    """Our computer players."""

    def __init__(
        self,
        context: Context,
        local_seats: LocalSeats,
        characters: Mapping[Seat, str],
        tell: Callable[[Message], None],
        *,
        hidden: bool,
    ) -> None:
        """`characters` are the names by seat; `hidden` keeps others from seeing how busy we are."""
        self._game, self._characters = local_seats.terms.game, characters
        self._entropy, self._decide = context.entropy, local_seats.decide
        self._tell, self._hidden = tell, hidden
        self._thinkers = Thinkers(self._game)
        self._want, self._wanted = trio.open_memory_channel[View](1)

    async def run(self) -> None:
        """Start a process before the first question, then find hints until cancelled."""
        if self._hidden and self._characters:
            await self._thinkers.warm_up()
        async for view in self._wanted:
            task = Task(self._game, "", view, 0.0)
            self._tell(Advised(await self._choice(task, partial(find_hint, self._game, view))))

    def advise(self, view: View) -> None:
        """Find a hint for our player; `run` sends it in `Advised`. At most one waits."""
        with suppress(trio.WouldBlock):
            self._want.send_nowait(view)

    async def answer(self, question: Question) -> Answer:
        """Return the answer to a question at its chosen time. Raises ThinkingFailedError."""
        character, seed = self._characters[question.seat], self._entropy(SEED)
        task = Task(self._game, character, question.view, 0.0, seed)
        here = partial(self._decide, question)
        return Answer(question, await self._choice(task, here, wait=question.wait))

    async def end(self) -> None:
        """End the processes."""
        await self._thinkers.end()

    async def _choice(self, task: Task, here: Callable[[], Move], *, wait: int = 0) -> Move:
        """Return a choice at a chosen time; `here` makes it in this process."""
        if self._hidden:
            try:
                return await self._think(task, wait=wait)
            except NoThinkerError:
                self._think_here()

        async def in_a_thread(_seconds: float) -> Move:
            return await trio.to_thread.run_sync(here, abandon_on_cancel=True)

        return await at_chosen_time(in_a_thread, self._entropy, wait=wait)

    async def _think(self, task: Task, *, wait: int) -> Move:
        """Let a process choose. Raises NoThinkerError or ThinkingFailedError."""
        async with self._thinkers.one() as thinker:

            async def in_a_process(seconds: float) -> Move:
                return await thinker.think(replace(task, seconds=seconds))

            return await at_chosen_time(
                in_a_process, self._entropy, wait=wait, slowness=thinker.slowness
            )

    def _think_here(self) -> None:
        """Think in this process from now on, and say so once."""
        if self._hidden:
            self._hidden = False
            self._tell(Notice("thinks-here"))


def find_hint(game: str, view: View) -> Move:
    """Return the strongest player's usual choice."""
    return bot_for(game)(view, usual)
