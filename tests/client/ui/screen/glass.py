"""The full screen in a test's own process: keys come from a pipe, and pyte draws the bytes for the
terminal."""

from __future__ import annotations

import io
from argparse import Namespace
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pyte
import trio
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from client.session.context import Context
from client.storage.home import Home
from client.storage.settings import Settings
from client.ui.screen import terminal
from client.ui.screen.application import MoveToBrowser, Session, TuiApplication
from client.ui.screen.kept import KeptState
from client.ui.screen.state import ScreenState
from tests.patience import PATIENCE

Script = Callable[["Sight"], Awaitable[None]]


class Glass(io.StringIO):
    """The bytes for a terminal, drawn as it would draw them."""

    def __init__(self) -> None:
        super().__init__()
        self.rows, self.columns = 24, 80
        self.screen = pyte.Screen(80, 24)
        self.sent = ""
        self._stream = pyte.Stream(self.screen)

    def write(self, data: str) -> int:
        self.sent += data
        self._stream.feed(data)
        return len(data)

    def fileno(self) -> int:
        raise io.UnsupportedOperation

    def size(self) -> Size:
        return Size(self.rows, self.columns)


class Sight:
    """An application as a test sees it, and its keyboard."""

    def __init__(
        self, application: TuiApplication, glass: Glass, typed: Callable[[str], None]
    ) -> None:
        self.application, self.glass, self.type = application, glass, typed

    @property
    def text(self) -> str:
        return "\n".join(self.glass.screen.display)

    async def sees(self, words: str) -> None:
        """Wait until something is to be seen."""
        with trio.move_on_after(PATIENCE):
            while words not in self.text:
                await trio.sleep(0.02)
            return
        raise AssertionError(f"{words!r} is not to be seen:\n{self.text}")

    async def resize(self, columns: int, rows: int) -> None:
        """Let the window have another size."""
        self.glass.columns, self.glass.rows = columns, rows
        self.glass.screen.resize(rows, columns)
        screen: Any = self.application.views[0]
        screen.app._on_resize()  # noqa: SLF001 - as SIGWINCH does


def spend(
    home_path: Path,
    script: Script,
    *,
    depth: ColorDepth | None = None,
    state: ScreenState | None = None,
    first: Session | None = None,
    interface: str = "127.0.0.1",
    move: MoveToBrowser | None = None,
    **more: object,
) -> tuple[int, Glass]:
    """Spend a session as a script says; return the exit status, and the terminal."""
    words = {"color": "auto", "lang": None, **more}
    context, glass = Context(Home(home_path), interface), Glass()
    application = TuiApplication(
        context,
        state or ScreenState(kept=KeptState(settings=Settings(nick="Ane"))),
        Namespace(**words),
        first,
        move,
    )

    async def main() -> int:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(script, Sight(application, glass, source.send_text))
            status = await application.main()
            nursery.cancel_scope.cancel()
        return status

    output = Vt100_Output(
        glass, glass.size, enable_cpr=False, default_color_depth=depth, enable_bell=True
    )
    with create_pipe_input() as source:
        return terminal.run(application, main, source=source, output=output), glass


async def look_at_a_table(sight: Sight) -> None:
    """Sit down with the computer until it is our turn, and end the program."""
    await sight.sees("Settings")
    sight.type("1\r")
    await sight.sees("Your turn")
    sight.type("\x03\x03")
