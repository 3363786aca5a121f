"""A limit on the sentences that others can make the program show: for each cause and each peer.

All messages of an online session pass through it to the user interface.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from client.session.messages import Away, Back, Lobby, Message, Notice, Parted, Seated
from p2p.net.rate import Turns

FROM_OUTSIDE = frozenset(
    {"contained", "invited", "looks-on", "parted", "turned-away", "watch-invited", "watch-waits"}
)
"""The notices that a peer or a stranger can cause."""
OF_HOST = frozenset({"host-back", "host-lost"})
"""The notices of which only the last is true."""
BURST, RATE = 5, 0.1
"""Limit on sentences of one cause and one peer: a burst, and a rate a second."""
ALL_BURST, ALL_RATE = 20, 0.2
"""The same for one cause: a stranger can have any number of keys."""
LOBBY_BURST, LOBBY_RATE = 32, 1.0
"""The same for displays of a table that is filling."""
STATE_BURST, STATE_RATE = 8, 0.2
"""The same for the presence of one seat, or of the host."""
RELEASE_S = 0.5
"""Seconds between two attempts to pass held messages on."""


class TellLimit:
    """Passes messages on to the user interface, within limits for each cause and peer.

    Of a state, such as a seat's presence, the newest message is held until the limit allows it;
    then `run` passes it on. Other messages over the limit are dropped.
    """

    def __init__(self, tell: Callable[[Message], None]) -> None:
        self._tell = tell
        self._of_peers, self._of_causes = Turns(BURST, RATE), Turns(ALL_BURST, ALL_RATE)
        self._tables = Turns(LOBBY_BURST, LOBBY_RATE)
        self._states = Turns(STATE_BURST, STATE_RATE)
        self._held: dict[str, Message] = {}
        self._last: dict[str, Message] = {}
        """The last message passed on for each state."""
        self._something = trio.Event()
        self._used_up: set[str] = set()
        """The causes for which our player was told that not all is shown."""

    def __call__(self, message: Message) -> None:
        """Pass a message on if its limit allows it; if not, say so once."""
        if isinstance(message, Seated):
            # it replaces the table that was filling, or that of the last match
            self._held.clear()
            self._last.clear()
        state = _state(message)
        if state:
            if state not in self._held and self._has_turn(state):
                self._pass_on(state, message)
            else:
                self._held[state] = message
                self._something.set()
                self._say_once(state)
        elif (
            isinstance(message, Notice)
            and message.id in FROM_OUTSIDE
            and not self._may_tell(message.id, message.about)
        ):
            self._say_once(message.id)
        else:
            self._tell(message)

    async def run(self) -> None:
        """Pass held messages on when the limit allows it, until cancelled."""
        while True:
            await self._something.wait()
            await trio.sleep(RELEASE_S)
            for state, message in list(self._held.items()):
                if message == self._last.get(state):
                    del self._held[state]
                elif self._has_turn(state):
                    del self._held[state]
                    self._pass_on(state, message)
            if not self._held:
                self._something = trio.Event()

    def _has_turn(self, state: str) -> bool:
        turns = self._tables if state == _TABLE else self._states
        return turns.take(state, trio.current_time())

    def _may_tell(self, cause: str, peer: bytes) -> bool:
        now = trio.current_time()
        return self._of_peers.take(f"{cause} {peer!r}", now) and self._of_causes.take(cause, now)

    def _pass_on(self, state: str, message: Message) -> None:
        self._last[state] = message
        self._tell(message)

    def _say_once(self, cause: str) -> None:
        if cause not in self._used_up:
            self._used_up.add(cause)
            self._tell(Notice("not-shown"))


_TABLE = "the table that is filling"


def _state(message: Message) -> str:
    """Return the name of the state in a message; empty if it reports an event."""
    match message:
        case Lobby():
            return _TABLE
        case Away(seat) | Back(seat) | Parted(seat):
            return f"seat {seat}"
        case Notice(name) if name in OF_HOST:
            return "the host"
    return ""
