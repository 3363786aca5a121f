"""A page in a browser: its contents, and the clicks, values and texts that come from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import Any

import trio

from client.i18n.translation import language
from client.ui.browser.access import Admitted, Bucket, passes
from client.ui.browser.asked import Changed, Clicked, NotAsked, Passed, WrittenText, read
from client.ui.browser.http import Gone
from client.ui.browser.page_socket import PageSocket
from client.ui.browser.shown import Data, Meaning, shown
from client.ui.browser.words import words
from client.ui.screen.application import TuiApplication
from client.ui.screen.messages import REDRAW_S, FieldSet, Key, Written
from client.ui.view.settings import look

PASS_S = 5.0
"""Seconds within which the pass must come."""
SEND_S = 20.0
"""Seconds within which a page must have taken a view in."""
AT_ONCE, PER_SECOND = 120, 60.0
"""Messages of a page: as fast as a held key repeats, or a slider is drawn."""
CLOSE_S = 1.0
"""Seconds in which a socket must take in why it is closed."""
SEEN = 8
"""Views that a click may be meant for."""
REFUSED, OUT, MANY = 1008, 4403, 1013
"""The codes with which a socket is closed: for a message that no page of ours sends, and without
the pass."""


class Tab:
    """A page: one more face of the application."""

    def __init__(
        self,
        application: TuiApplication,
        socket: PageSocket,
        admitted: Admitted,
        version: str,
        drop: Callable[[], None],
        place: Callable[[], AbstractContextManager[bool]],
    ) -> None:
        """Set up the view for a page.

        `drop` ends the connection at once. `place` says whether there is room for a page, and
        counts the page while it stays.
        """
        self._application, self._socket, self._admitted, self._version = (
            application,
            socket,
            admitted,
            version,
        )
        self._drop, self._place = drop, place
        self._changed = trio.Event()
        self._rung = False
        self._has: Data = {}
        self._sent: dict[int, dict[str, Meaning]] = {}
        self._number = self._heard = 0
        self._bucket = Bucket(AT_ONCE, PER_SECOND, trio.current_time)

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

    # For the server.

    async def spend(self) -> None:
        """Take what the page sends and send it what changes, until it has gone, or is put out.

        Gone.
        """
        # before its pass has come: a thief who is put out meanwhile stays out
        self._admitted.leave.append(self._drop)
        try:
            await self._socket.accept()
            ended = await self._enter() if await self._passes() else (OUT, "not let in")
            if ended is not None:
                with trio.move_on_after(CLOSE_S):
                    await self._socket.close(*ended)
        finally:
            self._admitted.leave.remove(self._drop)

    async def _enter(self) -> tuple[int, str] | None:
        with self._place() as free:
            return await self._stay() if free else (MANY, "too many windows")

    async def _stay(self) -> tuple[int, str] | None:
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

    async def _passes(self) -> bool:
        with trio.move_on_after(PASS_S):
            try:
                match read(await self._receive()):
                    case Passed(word):
                        return passes(self._admitted, word)
            except NotAsked:
                return False
        return False

    async def _receive(self) -> str:
        """Return the next message. Gone; NotAsked if it is one of bytes."""
        text = await self._socket.receive()
        if text is None:
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
            if not self._bucket.takes():
                return REFUSED, "too many messages"
            match asked:
                case WrittenText(text):
                    self._heard += 1
                    self._application.tell(Written(text))
                    self.redraw()
                case Clicked(name, seen):
                    self._click(name, seen)
                case Changed(field, value, seen):
                    if self._means_the_same(f"field:{field}", seen):
                        self._application.tell(FieldSet(field, value))
                case Passed():
                    return REFUSED, "passed already"

    def _click(self, name: str, seen: int) -> None:
        """Press the keys of a clicked thing."""
        if self._means_the_same(name, seen):
            for key in self._sent[seen][name][0]:
                self._application.tell(Key(key, key if len(key) == 1 else ""))

    def _means_the_same(self, name: str, seen: int) -> bool:
        """Return whether a thing still means what it meant in the view that was seen."""
        meant = self._sent.get(seen, {}).get(name)
        return meant is not None and shown(self._application.state)[1].get(name) == meant

    async def _show(self) -> None:
        """Send what has changed since the last view.

        Send as often as the screen may change, and always the newest view.
        """
        while True:
            await self._changed.wait()
            self._changed = trio.Event()
            data, meanings = shown(self._application.state)
            data |= self._about()
            fields = {name: one for name, one in data.items() if self._has.get(name, ...) != one}
            message: dict[str, Any] = {"set": fields} if fields else {}
            if self._rung:
                message["bell"], self._rung = True, False
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
            "seal": self._admitted.seal,
            "version": self._version,
            "heard": self._heard,
            "lang": language(),
            "look": look(self._application.state.settings),
            "words": words(),
        }

    async def _send(self, message: dict[str, Any]) -> None:
        """Send a message; a page that does not take it in is dropped."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._drop_later)
            text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
            with suppress(Gone):  # then there is no more to be heard from it either
                await self._socket.send(text)
            nursery.cancel_scope.cancel()

    async def _drop_later(self) -> None:
        await trio.sleep(SEND_S)
        self._drop()
