"""A face that does as its one argument says: `test_terminal` runs it on a terminal of its own."""

from __future__ import annotations

import logging
import sys

import trio
from prompt_toolkit.application import get_app

from client.ui.drawing.canvas import Canvas
from client.ui.screen import terminal
from client.ui.screen.terminal import Screen


class Sorry(Exception):
    """An error on purpose."""


class Shown:
    """A face that draws its name, and ends, fails or goes on as it was told."""

    ascii = False
    colours, scheme = "auto", "standard"

    def __init__(self, how: str) -> None:
        self.how = how
        self.status = 5
        self.ended = trio.Event()

    def attach(self, screen: Screen) -> None:
        self.screen = screen

    def draw(self, columns: int, rows: int) -> Canvas:
        if self.how in ("renderer", "both") and self.ended.is_set():
            raise Sorry("in the renderer")
        canvas = Canvas(columns, rows)
        canvas.write(0, 0, f"here: {self.how}")
        return canvas

    def press(self, key: str, text: str) -> None:
        if self.how == "key":
            raise Sorry("in a key")
        if self.how == "screen":
            get_app().exit()
            return
        self.ended.set()
        self.screen.redraw()

    def end(self, status: int) -> None:
        self.status = status
        self.ended.set()

    async def main(self) -> int:
        if self.how == "at once":
            return 7
        if self.how == "before":
            raise Sorry("before anything is shown")
        try:
            if self.how == "log":
                logging.getLogger("library").warning("a library complains")
                logging.getLogger("library").info("and chats")
            await self.ended.wait()
            if self.how in ("trio", "both"):
                raise Sorry("in trio")
            if self.how == "renderer":
                await trio.sleep_forever()
        finally:
            with trio.CancelScope(shield=True):
                await trio.sleep(0.05)  # work that must be done to the end is done
            sys.stderr.write("tidied\n")
        return self.status


if __name__ == "__main__":
    face = Shown(sys.argv[1])
    sys.exit(terminal.run(face, face.main))
