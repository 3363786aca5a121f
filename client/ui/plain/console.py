"""The plain interface: it prints the lines made of each message, and reads the typed lines.

`client.ui.plain.lines` makes the lines.

On a terminal the line being typed is prompt-toolkit's, with history and completion, and lies below
what is printed; it runs in a worker thread. Otherwise, and on a dumb terminal, lines are read from
standard input as they come. With a computer player in our seat nothing is read at all.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

import trio

from client.i18n.translation import _
from client.session.messages import Message, News, Stored, Typed
from client.session.player import Player
from client.session.signals import heed_signals
from client.session.status import Status, Stop
from client.ui.interactive import interactive, is_dumb
from client.ui.model import Model
from client.ui.plain.lines import completions, lines, prompt
from client.ui.plain.printing import say
from client.ui.plain.prompter import Terminal
from client.ui.update import is_early, turn_may_come, update
from engine.core.moves import Seat
from p2p.table.events import (
    Accused,
    Differs,
    Gone,
    OutOfKeys,
    Over,
    Sealed,
    Shuffled,
    Told,
    Voted,
    WasLate,
)

BRIEF = (Accused, Differs, Gone, OutOfKeys, Over, Sealed, Shuffled, Told, Voted, WasLate)
"""The events that the brief face tells: those of once a deal, and the end of the match."""
LINE_BYTES = 4096
"""Bytes of a typed line; longer lines are cut."""
EARLY_MOVES = 10_000
"""Moves that wait for their turns: more than any match has. At so many, nothing more is read."""


class Console(Player):
    """A model, and the terminal that shows it."""

    model = Model()

    def __init__(self, *, brief: bool = False) -> None:
        super().__init__()
        self._brief = brief
        self._all = trio.CancelScope()
        self._heard = trio.Event()
        """Set by the next message."""
        self._early: deque[str] = deque()
        """Typed moves for turns of ours that are still to come."""
        self._terminal = (
            Terminal(lambda: prompt(self.model), lambda: completions(self.model), _stop)
            if interactive() and not is_dumb()
            else None
        )

    @property
    def seat(self) -> Seat | None:
        """Our player's seat."""
        return self.model.seat

    def tell(self, message: Message) -> None:
        """Update the model, and print the lines for a message."""
        before = self.model
        self.model, commands = update(before, message)
        self._heard.set()
        self._heard = trio.Event()
        if not (isinstance(message, News) and message.earlier) and (
            not self._brief or _is_brief(message)
        ):
            for line in lines(before, message, self.model, _width()):
                self._print(line)
        for command in commands:
            self.obey(command)

    def _print(self, line: str) -> None:
        if self._terminal is not None:
            self._terminal.print(line)
        else:
            say(line, flush=True)

    async def spend(self, session: Callable[[Player], Awaitable[int]]) -> int:
        """Run a session, until a signal or our player ends it; return the exit status."""
        with self._all:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(heed_signals, self.end)
                status = await session(self)
                nursery.cancel_scope.cancel()
            return status
        return Status.OK if self.quit is None else self.quit

    def end(self, status: int) -> None:
        """End the session, and the program with this status."""
        self.quit = status
        self._all.cancel()

    async def read(self) -> None:
        """Read what is typed, until cancelled or the input ends."""
        if self._terminal is not None:
            await self._read_prompts(self._terminal)
        else:
            await self._read_lines()

    async def _read_lines(self) -> None:
        """Obey each line as it comes; early moves wait: a script pipes them in all at once."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._make_early_moves)
            async with aclosing(read_lines()) as typed:
                async for line in typed:
                    await self._take(line)
            while self._early or not self.model.asked:
                await self._heard.wait()
            nursery.cancel_scope.cancel()
        raise Stop(
            _("it is your turn, and the input has ended: nobody can choose for you (see --auto)")
        )

    async def _take(self, line: str) -> None:
        """Obey a line now, or keep it for its turn."""
        self._make_moves_in_time()
        if is_early(self.model, line) and not sys.stdin.isatty():  # a person is told so at once
            while len(self._early) == EARLY_MOVES:
                await self._heard.wait()
            self._early.append(line)
        else:
            self.tell(Typed(line))

    async def _make_early_moves(self) -> None:
        """Obey each early move at its turn, until cancelled."""
        while True:
            await self._heard.wait()
            self._make_moves_in_time()

    def _make_moves_in_time(self) -> None:
        if not turn_may_come(self.model):
            self._early.clear()
        while self._early and not is_early(self.model, self._early[0]):
            self.tell(Typed(self._early.popleft()))

    async def _read_prompts(self, terminal: Terminal) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_end_with_us, terminal)
            await trio.to_thread.run_sync(terminal.run, self._typed_in_thread)
            nursery.cancel_scope.cancel()

    def _typed_in_thread(self, text: str | None) -> None:
        trio.from_thread.run_sync(self.tell, Typed("quit" if text is None else text))


async def _end_with_us(terminal: Terminal) -> None:
    """When the reading is cancelled, end the prompt too, so that the terminal is left as it was."""
    try:
        await trio.sleep_forever()
    finally:
        terminal.end()


def _stop() -> None:
    """Stop the program, and all that the shell has started with it, from the prompts' thread.

    The main thread sends the signal, because the kernel stops that one before it goes on. Any other
    thread could take the terminal back before it is stopped.
    """
    if sys.platform != "win32":
        trio.from_thread.run_sync(os.kill, 0, signal.SIGTSTP)


def _is_brief(message: Message) -> bool:
    """Return whether the brief face tells this message.

    It tells neither what happens more than once a deal, nor where the log lies.
    """
    return (
        isinstance(message.event, BRIEF)
        if isinstance(message, News)
        else not isinstance(message, Stored)
    )


async def read_lines() -> AsyncGenerator[str, None]:
    """Give back the lines of standard input as they come, without line ends, until it ends.

    Long lines are cut.

    The thread that waits for input is left behind when this is cancelled. It holds no lock of
    Python's streams: with one of those held Python could not end.
    """
    rest = b""
    while True:
        data = await trio.to_thread.run_sync(
            os.read, sys.stdin.fileno(), LINE_BYTES, abandon_on_cancel=True
        )
        *whole, rest = (rest + data).split(b"\n")
        rest = rest[:LINE_BYTES]
        for line in whole:
            yield line.decode(errors="replace").removesuffix("\r")
        if not data:
            if rest:
                yield rest.decode(errors="replace")
            return


def _width() -> int | None:
    """Return how many columns a line may have; None if no terminal breaks lines."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
