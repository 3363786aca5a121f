"""Somebody at the keys of the pages round the table, for tests."""

from __future__ import annotations

from client.session.messages import FoundTable, Lobby, LobbySeat
from client.storage.settings import Settings
from client.ui.screen.kept import KeptState
from client.ui.screen.messages import Key
from client.ui.screen.react import react
from client.ui.screen.state import ScreenState
from p2p.wire import PROTOCOL
from tests.screens.stage import check_rows

MIREN = FoundTable(
    b"\1" * 32,
    "Miren",
    "escoba",
    "apple-12",
    1,
    2,
    "open",
    PROTOCOL,
    "192.168.1.23:47747",
    "trusted",
)
SEATS = (LobbySeat("Ane", "AAAA-BBBB"), None)


class Hand:
    """Somebody at the keys."""

    def __init__(self, state: ScreenState | None = None) -> None:
        self.state = state or ScreenState(
            kept=KeptState(settings=Settings(nick="Ane"), fingerprint="7K3M-Q2XD")
        )
        self.commands: list = []

    def tell(self, *messages) -> Hand:
        for message in messages:
            self.state, commands = react(self.state, message)
            self.commands += commands
        return self

    def press(self, *keys: str) -> Hand:
        return self.tell(*(Key(key, key if len(key) == 1 else "") for key in keys))

    def text(self, columns: int = 80, rows: int = 24) -> str:
        return check_rows(self.state, columns, rows)

    def foot(self) -> str:
        """Return the last two lines: a notice, if there is one, and the keys."""
        return "\n".join(self.text().splitlines()[-2:])


def filling(**facts) -> Lobby:
    """A table that fills: for one more player, but for these facts."""
    usual = {
        "game": "escoba",
        "options": {"target": 21},
        "seats": SEATS,
        "mine": (0,),
        "limit": 120,
        "table": "apple-12",
    }
    return Lobby(**(usual | facts))


def gathered(**facts) -> Hand:
    """A hand at such a table."""
    return Hand().tell(filling(**facts))
