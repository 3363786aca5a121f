"""Lines that are not typed at a terminal."""

from __future__ import annotations

import trio

from client.session.messages import Message, Typed
from client.ui.plain import console
from client.ui.plain.console import Console


class Heard(Console):
    """A console that notes the lines that it obeys."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def tell(self, message: Message) -> None:
        super().tell(message)
        if isinstance(message, Typed):
            self.lines.append(message.text)


async def test_other_lines_overtake_early_moves_until_too_many_moves_wait(monkeypatch):
    given = []

    async def lines():
        for line in ("play 7o", "help", "play 6o", "hint", "play 5o", "play 4o", "help", "help"):
            given.append(line)
            yield line

    monkeypatch.setattr(console, "read_lines", lines)
    monkeypatch.setattr(console, "EARLY_MOVES", 3)
    heard = Heard()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(heard.read)
        await trio.testing.wait_all_tasks_blocked()
        assert heard.lines == ["help", "hint"]
        assert given[-1] == "play 4o"
        nursery.cancel_scope.cancel()
