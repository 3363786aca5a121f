"""The process of a visitor: a program like any other, whose screen is the page of a phone.

It has a home, a key, journals and a language of its own, and two pipes to the program that has
started it (`client.ui.phone.messages`). That one listens, and cannot open the frames that it passes
on. The visitor prints nothing, and ends when its standard input ends. Ctrl-C is its parent's
business.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO

import trio

from client.i18n.translation import languages, set_language
from client.session.context import Context
from client.session.pipes import own_pipes
from client.session.signals import heed_signals, run_trio
from client.session.status import Status
from client.storage import error_log
from client.storage.home import Home, StoreError, open_home
from client.storage.nicks import fit_nick
from client.storage.phone_secrets import have_expired, note_use, read_secrets, write_secrets
from client.storage.settings import read_settings
from client.ui.browser import http
from client.ui.browser.tab import Tab
from client.ui.phone import messages
from client.ui.phone.access import Access, Event, Said
from client.ui.phone.limits import VisitorLimits
from client.ui.phone.messages import Message, MessageReader, NoMessage, packed
from client.ui.replay_page.sharing import page_to_share
from client.ui.screen.application import TuiApplication, make_application
from client.ui.screen.kept import PhonesShown
from client.ui.screen.messages import Called, PhonesChanged, Wrong
from client.ui.screen.state import Page, ScreenState
from crypto.identity import fingerprint

PIECE_BYTES = 65_536
NICE = 10
"""How much less urgent a visitor is than its owner's program, if the system is of POSIX."""
DOING_S = 1.0
"""Seconds between two messages to the owner about our player, at least."""
SHOW_S = 0.02
"""Views go to a page at multiples of this. To make one takes some tenths of a millisecond more or
less by our hand, and somebody in the network sees when it goes."""
TEXTS = 64
"""Texts of a page that may wait: a page sends a few a second."""


class SealedLink:
    """The connection of the phone that is in."""

    def __init__(self, visitor: Visitor, connection: int) -> None:
        self.connection = connection
        self.scope = trio.CancelScope()
        self._visitor = visitor
        self._texts_in, self._texts = trio.open_memory_channel[str](TEXTS)

    async def receive(self) -> str:
        """Return the next text of the page."""
        return await self._texts.receive()

    async def send(self, text: str) -> None:
        """Send a text, at the next moment for that. Raises Gone."""
        await trio.sleep_until((trio.current_time() // SHOW_S + 1) * SHOW_S)
        if not await self._visitor.tell(self.connection, text):
            raise http.Gone

    def take(self, text: str) -> None:
        """Take a text of the page. A page that sends too many at once is dropped."""
        try:
            self._texts_in.send_nowait(text)
        except trio.WouldBlock:
            self.drop()

    def drop(self) -> None:
        """End it."""
        self.scope.cancel()


class UnseenView:
    """A view that nobody sees: it tells changes."""

    def __init__(self) -> None:
        self._changed = trio.Event()

    async def changed(self) -> None:
        """Wait for the next change, which may have come since we waited last."""
        await self._changed.wait()
        self._changed = trio.Event()

    def redraw(self) -> None:
        """Note a change."""
        self._changed.set()

    def ring(self, text: str) -> None:
        """Do nothing."""

    def title(self, text: str) -> None:
        """Do nothing."""


def doing(state: ScreenState) -> messages.Doing:
    """Return what the owner is told of our player: at which table, and no card."""
    seated = state.page in (Page.TABLE_SETUP, Page.PLAY)
    game = state.match.game if seated else ""
    return messages.Doing(state.kept.settings.nick, state.page.value, game, state.bound)


class Visitor:
    """The connections to a visitor: its phone, and those that want to be it."""

    def __init__(
        self,
        application: TuiApplication,
        way_in: Access,
        home: Path,
        pipe: BinaryIO,
        version: str,
    ) -> None:
        """Set up the connections; `pipe` leads to the program that listens."""
        self._home = home
        self._application = application
        self._access = way_in
        self._pipe = pipe
        self._version = version
        self._claims: list[bytes] | None = None
        self._link: SealedLink | None = None
        self._order = trio.Lock()
        """Frames are written in the order in which they were sealed."""

    async def spend(self, incoming: trio.MemoryReceiveChannel[Message]) -> None:
        """Take messages until there are no more, and end the program then."""
        async with trio.open_nursery() as nursery:
            async with self._order:
                await self._tell_claims()
            nursery.start_soon(self._tell_doing)
            async for message in incoming:
                async with self._order:
                    events = self._take(message)
                    await self._tell_claims()  # before anybody can come by one of them
                    for event in events:
                        await self._carry_out(event, nursery)
            self._application.end(Status.OK)

    async def tell(self, connection: int, text: str) -> bool:
        """Send a text to the page that is in; return whether it is in still."""
        async with self._order:
            events = self._access.tell(connection, text)
            for event in events:
                await self._write(event)
        return bool(events)

    def _take(self, message: Message) -> Sequence[Event | messages.Code]:
        match message:
            case messages.Frame(connection, data):
                return self._safely(connection, partial(self._receive, connection, data))
            case messages.AdmitPhone(connection):
                return self._safely(connection, partial(self._access.let_in, connection))
            case messages.LinkClosed(connection):
                self._access.gone(connection)
                self._drop(connection)
            case messages.MakeCode():
                return self._show_code()
            case messages.Moved(host):
                self._access.move(host)
            case messages.EndCode():
                self._access.end_code()
                return self._access.turn_away()
            case messages.Rename(nick):
                self._application.tell(Called(fit_nick(nick)))
            case messages.Asleep(players):
                now = PhonesShown(asleep=frozenset(map(fingerprint, players)))
                self._application.tell(PhonesChanged(now))
        return []

    def _show_code(self) -> Sequence[Event | messages.Code]:
        """Make a code; phones that are on their way by an earlier one come no further."""
        ended = self._access.turn_away()
        try:
            ended += self._access.turn_back()
        except StoreError as error:
            self._application.tell(Wrong(str(error)))
        return [*ended, messages.Code(self._access.new_code())]

    def _receive(self, connection: int, data: bytes) -> list[Event]:
        late = self._access.void() if have_expired(self._home, time.time()) else []
        found = self._access.receive(connection, data)
        if any(isinstance(event, Said | messages.Entered) for event in found):
            note_use(self._home, time.time())
        return [*late, *found]

    def _safely(self, connection: int, step: Callable[[], list[Event]]) -> list[Event]:
        """Take a step; if the disk does not keep a secret, close the connection."""
        try:
            return step()
        except StoreError as error:
            self._application.tell(Wrong(str(error)))
            self._access.gone(connection)
            return [messages.Close(connection)]

    async def _carry_out(self, event: Event | messages.Code, nursery: trio.Nursery) -> None:
        match event:
            case Said(connection, text):
                if self._link is not None and self._link.connection == connection:
                    self._link.take(text)
                return
            case messages.Close(connection):
                self._drop(connection)
            case messages.Entered(connection, language):
                self._speak(language)
                self._link = SealedLink(self, connection)
                nursery.start_soon(self._show, self._link)
        await self._write(event)

    async def _show(self, link: SealedLink) -> None:
        """Show the program on the phone until its page has gone, or must go."""
        with link.scope:
            await Tab(self._application, link, self._version, link.drop).stay()
        async with self._order:
            if self._link is link:
                self._link = None
                self._access.gone(link.connection)
                await self._write(messages.Close(link.connection))

    def _drop(self, connection: int) -> None:
        if self._link is not None and self._link.connection == connection:
            self._link.drop()
            self._link = None

    def _speak(self, language: str) -> None:
        """Speak the language of the phone, unless the player has chosen one."""
        code = language.split("-", maxsplit=1)[0].lower()
        if not self._application.state.kept.settings.language and code in languages():
            set_language(code)

    async def _tell_doing(self) -> None:
        """Tell the owner what our player does, at first and when that has changed.

        A player who does one thing after the other fills no screen of the owner's.
        """
        watch, told = UnseenView(), None
        self._application.attach(watch)
        while True:
            if (now := doing(self._application.state)) != told:
                told = now
                async with self._order:
                    await self._write(now)
                await trio.sleep(DOING_S)
            await watch.changed()

    async def _tell_claims(self) -> None:
        claims = sorted(bytes([one.kind]) + one.id for one in self._access.claims)
        if claims != self._claims:
            self._claims = claims
            await self._write(messages.Claims(claims))

    async def _write(self, message: Message) -> None:
        try:
            await trio.to_thread.run_sync(_write, self._pipe, message)
        except OSError:  # the program has gone
            self._application.end(Status.OK)


def main(home: str) -> int:
    """Be the visitor with this home until standard input ends; return the exit status."""
    signal.signal(signal.SIGINT, _ignore)
    if hasattr(os, "nice"):  # the owner plays on this machine too
        os.nice(NICE)
    reading, writing = own_pipes()
    try:
        found = open_home(Path(home))
        with found.locked():
            return _noted(found, reading, writing)
    except StoreError:
        return Status.FAILED


def _noted(home: Home, reading: BinaryIO, writing: BinaryIO) -> int:
    """Run the visitor. An error of ours is written down: nobody sees it here."""
    try:
        return run_trio(_spend, home, reading, writing)
    except Exception as error:
        error_log.note(home.path, error)
        raise


async def _spend(home: Home, reading: BinaryIO, writing: BinaryIO) -> int:
    """Run the visitor; the first message says how."""
    outer, incoming = trio.open_memory_channel[Message](0)
    token = trio.lowlevel.current_trio_token()
    threading.Thread(target=_read, args=(reading, outer, token), daemon=True).start()
    try:
        begin = await incoming.receive()
    except trio.EndOfChannel:
        return Status.OK
    if not isinstance(begin, messages.Begin):
        return Status.FAILED
    limits = VisitorLimits(home.path, trio.current_time)
    context = Context(
        home,
        begin.interface or None,
        limits=limits,
        machine=begin.machine,
        voucher=begin.voucher,
    )
    saved = read_settings(home.path)
    set_language(saved.language or None)
    application = make_application(
        Namespace(color="auto", nick=None),
        context,
        saved,
        None,
        make_page=page_to_share,
        ascii_only=False,
    )
    application.seen()  # there may be no phone for a while
    keep = partial(write_secrets, home.path)
    way_in = Access(begin.host, begin.files, context.entropy, keep, read_secrets(home.path))
    visitor = Visitor(application, way_in, home.path, writing, begin.files.hex())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(heed_signals, application.end)
        nursery.start_soon(visitor.spend, incoming)
        status = await application.main()
        nursery.cancel_scope.cancel()
    return status


def _read(
    pipe: BinaryIO, outer: trio.MemorySendChannel[Message], token: trio.lowlevel.TrioToken
) -> None:
    """Read messages, in a thread, until there are no more."""
    reader = MessageReader()
    with suppress(trio.RunFinishedError, trio.BrokenResourceError):
        with suppress(OSError, NoMessage):
            while data := os.read(pipe.fileno(), PIECE_BYTES):
                for message in reader.feed(data):
                    trio.from_thread.run(outer.send, message, trio_token=token)
        trio.from_thread.run_sync(outer.close, trio_token=token)


def _write(pipe: BinaryIO, message: Message) -> None:
    pipe.write(packed(message))
    pipe.flush()


def _ignore(_number: int, _frame: object) -> None:
    """Do nothing about Ctrl-C."""
