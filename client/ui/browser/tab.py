"""A page that is in: its contents, and the clicks, values and texts that come from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import trio

from client.i18n.translation import language
from client.ui.browser.asked import (
    Changed,
    Clicked,
    NotAsked,
    NotSaved,
    Passed,
    WrittenText,
    read,
)
from client.ui.browser.http import Gone
from client.ui.browser.shown import Data, Meaning, shown
from client.ui.browser.words import words
from client.ui.screen.application import TuiApplication
from client.ui.screen.history import SHARE
from client.ui.screen.messages import REDRAW_S, FieldSet, Key, LineWritten
from client.ui.screen.state import ScreenState
from client.ui.view.settings import look
from p2p.net.rate import Turns

SEND_S = 20.0
"""Seconds for a page to read a view."""
AT_ONCE, PER_SECOND = 120, 60.0
"""Messages of a page: as fast as a held key repeats, or a slider is drawn."""
SEEN = 8
"""Views that a click may be meant for."""
REFUSED = 1008
"""The close code for a message that no page of ours sends (RFC 6455)."""


class Link(Protocol):
    """A connection to a page that is in."""

    async def receive(self) -> str | bytes:
        """Return the next message. Raises Gone."""

    async def send(self, text: str) -> None:
        """Send a message. Raises Gone."""


class Tab:
    """A browser page as a view of the application."""

    def __init__(
        self,
        application: TuiApplication,
        link: Link,
        version: str,
        drop: Callable[[], None],
        seal: str = "",
    ) -> None:
        """Set up the view for a page of this version; `drop` ends its connection at once.

        The page waits for the `seal` that it got at its entrance, if there is one (`access`).
        """
        self._application, self._link, self._version = application, link, version
        self._drop, self._seal = drop, seal
        self._changed = trio.Event()
        self._rung = self._saves = False
        self._has: Data = {}
        self._sent: dict[int, dict[str, Meaning]] = {}
        self._made: tuple[ScreenState, str, tuple[Data, dict[str, Meaning]]] | None = None
        self._number = self._heard = 0
        self._turns = Turns(AT_ONCE, PER_SECOND)

    # For the application.

    def redraw(self) -> None:
        """Draw anew, soon."""
        self._changed.set()

    def ring(self, text: str) -> None:
        """Ring; the page has a notice of its own."""
        del text
        self._rung = True
        self._changed.set()

    def title(self, text: str) -> None:
        """Do nothing: a view has its title."""

    # For the connection.

    async def stay(self) -> tuple[int, str] | None:
        """Show what there is and take messages until the page has gone.

        Return a code and a reason if the page must go.
        """
        self._application.attach(self)
        self.redraw()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._show)
                ended = await self._listen()
                nursery.cancel_scope.cancel()
        finally:
            self._application.detach(self)
        return ended

    async def _receive(self) -> str:
        """Return the next message. Gone; NotAsked if it is one of bytes."""
        text = await self._link.receive()
        if isinstance(text, bytes):
            raise NotAsked
        return text

    async def _listen(self) -> tuple[int, str] | None:
        """Do what the page asks until it has gone; return a code and a reason if it must go."""
        while True:
            try:
                asked = read(await self._receive())
            except Gone:
                return None
            except NotAsked:
                return REFUSED, "not a message of the page"
            if not self._turns.take("", trio.current_time()):
                return REFUSED, "too many messages"
            match asked:
                case WrittenText(text):
                    self._heard += 1
                    self._application.tell(LineWritten(text))
                    self.redraw()
                case Clicked(name, seen):
                    self._click(name, seen)
                case Changed(field, value, seen):
                    if self._means_the_same(f"field:{field}", seen):
                        self._application.tell(FieldSet(field, value))
                case NotSaved():
                    self._saves = True
                    self.redraw()
                case Passed():
                    return REFUSED, "passed already"

    def _click(self, name: str, seen: int) -> None:
        """Press the keys of a clicked thing."""
        if self._means_the_same(name, seen):
            self._saves = self._saves or name == SHARE
            for key in self._sent[seen][name][0]:
                self._application.tell(Key(key, key if len(key) == 1 else ""))

    def _means_the_same(self, name: str, seen: int) -> bool:
        """Return whether a thing still means what it meant in the view that was seen."""
        meant = self._sent.get(seen, {}).get(name)
        return meant is not None and self._shown()[1].get(name) == meant

    def _shown(self) -> tuple[Data, dict[str, Meaning]]:
        """Return the contents of now, and their meanings. They are made once for each state."""
        state, spoken = self._application.state, language()
        if self._made is None or self._made[0] is not state or self._made[1] != spoken:
            self._made = state, spoken, shown(state)
        return self._made[2]

    async def _show(self) -> None:
        """Send what has changed since the last view.

        Send as often as the screen may change, and always the newest view.
        """
        while True:
            await self._changed.wait()
            self._changed = trio.Event()
            contents, meanings = self._shown()
            data = contents | self._about()
            fields = {name: one for name, one in data.items() if self._has.get(name, ...) != one}
            message: dict[str, Any] = {"set": fields} if fields else {}
            if self._rung:
                message["bell"], self._rung = True, False
            if self._saves and (shared := self._application.shared) is not None:
                message["save"] = {"name": shared.name, "page": shared.page}
                self._saves = False
            if message:
                self._number += 1
                self._has = data
                self._sent[self._number] = meanings
                self._sent.pop(self._number - SEEN, None)
                await self._send(message | {"number": self._number})
                self._application.seen()
            await trio.sleep(REDRAW_S)

    def _about(self) -> Data:
        """Return what a page should know beside the view."""
        return {
            "seal": self._seal,
            "version": self._version,
            "heard": self._heard,
            "lang": language(),
            "look": look(self._application.state.kept.settings),
            "words": words(),
        }

    async def _send(self, message: dict[str, Any]) -> None:
        """Send a message; a page that does not take it in is dropped."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._drop_later)
            text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
            with suppress(Gone):  # then nothing more comes from the page either
                await self._link.send(text)
            nursery.cancel_scope.cancel()

    async def _drop_later(self) -> None:
        await trio.sleep(SEND_S)
        self._drop()
