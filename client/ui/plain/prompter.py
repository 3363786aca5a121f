"""A person's terminal: printed lines stand above the line being typed, and none is lost.

prompt-toolkit lives in one worker thread and one event loop for the whole session. Its own
`patch_stdout` prints by way of the loop of whichever prompt happens to run: a text printed in the
moment in which a line is finished never appears, or ends the thread that prints. Here a task beside
the prompts prints everything; after its end the caller prints by itself.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from client.ui.plain.printing import say

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent


class Terminal:
    """Prints from any thread, and prompts in the one that calls `run`.

    `prompt` and `completions` are asked at every key. `stop` stops the program until the shell
    continues it; Ctrl-Z calls it, with the terminal as it was.
    """

    def __init__(
        self,
        prompt: Callable[[], str],
        completions: Callable[[], list[str]],
        stop: Callable[[], None] = lambda: None,
    ) -> None:
        self._prompt, self._completions, self._stop = prompt, completions, stop
        self._lock = threading.Lock()
        self._waiting: list[str] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        """Set while `run` prints for us."""
        self._something = asyncio.Event()
        self.session: PromptSession[str] | None = None
        self._ending = False

    def print(self, line: str) -> None:
        """Print a line, above the one being typed if there is one."""
        with self._lock:
            self._waiting.append(line + "\n")
            if self._loop is None:
                self._write()
            else:
                self._loop.call_soon_threadsafe(self._something.set)

    def run(self, take: Callable[[str | None], None]) -> None:
        """Let a person type lines until `end` is called, and hand each line to `take`.

        At an end of the input, `take` gets None.

        KeyboardInterrupt if the person presses Ctrl-C. However it ends, the terminal is as it was.
        """
        if asyncio.run(self._run(take)):
            raise KeyboardInterrupt

    def end(self) -> None:
        """Let `run` come to its end; from any thread."""
        with self._lock:
            self._ending = True
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._leave)

    async def _run(self, take: Callable[[str | None], None]) -> bool:
        """Do what `run` does; return whether the person has interrupted it."""
        from prompt_toolkit import PromptSession  # noqa: PLC0415 - only on a terminal: start-up time

        self.session = PromptSession(
            completer=_completer(self._completions),
            complete_while_typing=False,
            key_bindings=_suspending(self._stop),
        )
        with self._lock:
            self._loop = asyncio.get_running_loop()
        printing = asyncio.create_task(self._print_all())
        printing.add_done_callback(lambda _task: self._leave())
        try:
            while not self._ending and not printing.done():
                try:
                    text = await self.session.prompt_async(
                        self._prompt, pre_run=self._leave_if_ending, handle_sigint=False
                    )
                except KeyboardInterrupt:
                    return True
                except EOFError:
                    take(None)
                else:
                    if not self._ending:
                        take(text)
            return False
        finally:
            with self._lock:
                self._loop = None
            printing.cancel()
            await asyncio.wait([printing])
            with self._lock:
                self._write()
            if not printing.cancelled():
                printing.result()

    async def _print_all(self) -> None:
        from prompt_toolkit.application import run_in_terminal  # noqa: PLC0415 - only on a terminal: start-up time

        while True:
            await self._something.wait()
            self._something.clear()
            await run_in_terminal(self._write_all)

    def _write_all(self) -> None:
        with self._lock:
            self._write()

    def _write(self) -> None:
        """Write what waits; called with the lock held."""
        text, self._waiting = "".join(self._waiting), []
        say(text, end="", flush=True)

    def _leave(self) -> None:
        """Finish the line being typed, if there is one."""
        app = self.session.app if self.session else None
        if app is not None and app.is_running and app.future and not app.future.done():
            app.erase_when_done = True  # nobody needs the prompt that stood there, nor half a line
            app.exit(result="")

    def _leave_if_ending(self) -> None:
        if self._ending:
            self._leave()


def _suspending(stop: Callable[[], None]) -> KeyBindings:
    from prompt_toolkit.application import run_in_terminal  # noqa: PLC0415 - only on a terminal: start-up time
    from prompt_toolkit.key_binding import KeyBindings  # noqa: PLC0415 - only on a terminal: start-up time

    bindings = KeyBindings()

    @bindings.add("c-z")
    def suspend(event: KeyPressEvent) -> None:
        del event
        run_in_terminal(stop)

    return bindings


def _completer(completions: Callable[[], list[str]]) -> Completer:
    from prompt_toolkit.completion import Completer, Completion  # noqa: PLC0415 - only on a terminal: start-up time

    class Moves(Completer):
        """Completes a whole move from its beginning."""

        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterable[Completion]:
            del complete_event
            text = document.text_before_cursor.lstrip()
            for move in completions():
                if move.startswith(text):
                    yield Completion(move, start_position=-len(text))

    return Moves()
