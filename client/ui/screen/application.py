"""The TUI application: it runs the sessions, and carries out the commands of the state.

Both the sessions and the state are those of the full screen.
"""

from __future__ import annotations

import math
import os
from argparse import Namespace
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

import trio

from client.i18n.translation import _, set_language
from client.session.context import Context
from client.session.messages import Command, Message, PutAside
from client.session.player import Player
from client.session.status import Status
from client.storage import settings
from client.storage.home import StoreError
from client.storage.nicks import fit_nick, known_nick
from client.storage.settings import Settings
from client.ui.drawing.canvas import Canvas
from client.ui.interactive import only_ascii
from client.ui.screen import elsewhere, pages
from client.ui.screen.kept import KeptState
from client.ui.screen.messages import (
    REDRAW_S,
    Abandon,
    Again,
    Analyse,
    Delete,
    Ended,
    InBrowser,
    Join,
    Key,
    Learn,
    MatchHistory,
    NotShown,
    OfPhones,
    Open,
    OpenLog,
    Ready,
    Resume,
    Ring,
    Rise,
    Save,
    SeatComputers,
    Share,
    Shared,
    StopReading,
    Tick,
    Watch,
    Wrong,
)
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState, TypedLine
from crypto.identity import fingerprint
from engine.core.moves import Seat

if TYPE_CHECKING:  # it loads the table, and the lobby is drawn before
    from client.session.match import MatchSession
    from client.storage.history import HistoryReader

TICK_S, COUNTDOWN_TICK_S = 0.1, 1.0
"""Seconds between two redraws while something moves, and while a countdown runs."""
FIRST_LOOK_S = 3.0
"""Seconds to wait for the first picture before modules are loaded that would delay it."""
OF_PHONES = 8
"""Commands about phones that may wait."""
READING_S = 0.25
"""Seconds for which logs are read before the history is shown again."""

Session = Callable[[Player], Awaitable[int]]


class ScreenView(Protocol):
    """A view of the application: the terminal, or a page in a browser.

    All of them show the same state.
    """

    def redraw(self) -> None:
        """Draw anew, soon."""

    def ring(self, text: str) -> None:
        """Ring; if there is a text, show it even if our player does not look."""

    def title(self, text: str) -> None:
        """Set the window's title."""


KeepPhones = Callable[
    [Callable[[Message], None], trio.MemoryReceiveChannel[OfPhones]], Awaitable[None]
]
"""It lets phones play until it is cancelled: it gets a function for messages, and the commands."""
MakePage = Callable[[str], str]
"""It makes the page of the match of a log: it gets the log's path, and may take seconds."""
MoveToBrowser = Callable[["TuiApplication", Callable[[str], None]], Awaitable[None]]
"""It shows the application in a browser until it is cancelled, and tells the address."""


def open_application(
    args: Namespace,
    context: Context,
    saved: Settings,
    first: Session | None = None,
    *,
    move: MoveToBrowser | None = None,
    phones: KeepPhones | None = None,
    make_page: MakePage | None = None,
) -> int:
    """Show the full screen until our player quits; `first` is the session to begin with.

    Return the exit status.
    """
    from client.ui.screen import terminal  # noqa: PLC0415 - a browser needs none of it: start-up time

    application = make_application(
        args, context, saved, first, move=move, phones=phones, make_page=make_page
    )
    application.seen()
    return terminal.run(application, application.main)


def make_application(
    args: Namespace,
    context: Context,
    saved: Settings,
    first: Session | None,
    *,
    move: MoveToBrowser | None = None,
    phones: KeepPhones | None = None,
    make_page: MakePage | None = None,
    ascii_only: bool | None = None,
) -> TuiApplication:
    """Return the application with our player's settings.

    By default, the environment says whether it may show only ASCII.
    """
    kept = KeptState(
        settings=saved,
        fingerprint=fingerprint(context.identity.id),
        unnamed=not saved.nick and not fit_nick(getattr(args, "nick", None) or ""),
        called=_called(args, context, saved),
        movable=move is not None,
        ascii=only_ascii(os.environ) if ascii_only is None else ascii_only,
        on_phone=context.limits is not None,
    )
    page = Page.LOBBY if getattr(args, "phone", None) is None else Page.PHONES
    state = ScreenState(page, kept)
    if kept.unnamed and kept.on_phone:  # its player is asked at once
        state = replace(state, typed=TypedLine("first-nick"))
    return TuiApplication(context, state, args, first, move, phones, make_page)


def _called(args: Namespace, context: Context, saved: Settings) -> str:
    """Return our nick. The login name is that of the owner, and not of a visitor on a phone."""
    return saved.nick if context.limits is not None else known_nick(args, saved.nick)


class TuiApplication(Player):
    """The TUI application: the screen state, the session that it shows, and the player.

    `client.ui.screen.terminal` draws it, `client.ui.browser` shows it in a browser, or both do at
    once.
    """

    def __init__(
        self,
        context: Context,
        state: ScreenState,
        args: Namespace,
        first: Session | None,
        move: MoveToBrowser | None = None,
        phones: KeepPhones | None = None,
        make_page: MakePage | None = None,
    ) -> None:
        super().__init__()
        self.state = state
        self._context, self._args, self._first = context, args, first
        self.views: list[ScreenView] = []
        self._move, self._phones, self._make_page = move, phones, make_page
        self._of_phones_in, self._of_phones = trio.open_memory_channel[OfPhones](OF_PHONES)
        self._moved = trio.CancelScope()
        self.shared: Shared | None = None
        self._elsewhere: str | None = None
        self._wants_to_move = trio.Event()
        self._title = ""
        self._language = state.kept.settings.language
        self._wanted_in, self._wanted = trio.open_memory_channel[Command](1)
        self._logs_in, self._logs = trio.open_memory_channel[OpenLog | Analyse | Share](1)
        self._looking = trio.CancelScope()
        self._moving = trio.Event()
        self._seen = trio.Event()
        self._session = trio.CancelScope()
        self._all = trio.CancelScope()
        self._once_more = trio.Event()

    @property
    def seat(self) -> Seat | None:
        """Our player's seat."""
        return self.state.match.seat

    # For the terminal.

    @property
    def ascii(self) -> bool:
        """Whether only ASCII may be shown, in a terminal."""
        return self.state.kept.ascii

    @property
    def colours(self) -> str:
        """The colours: as the command line says, else as the settings say."""
        wanted = self._args.color
        return str(wanted) if wanted != "auto" else self.state.kept.settings.colours

    @property
    def scheme(self) -> str:
        """The scheme of the colours, from the settings."""
        return self.state.kept.settings.scheme

    def attach(self, screen: ScreenView) -> None:
        """Add a view."""
        self.views.append(screen)

    def seen(self) -> None:
        """Note that the first picture is on the screen, or that no picture is awaited."""
        self._seen.set()

    def detach(self, screen: ScreenView) -> None:
        """Forget a view."""
        self.views.remove(screen)

    def draw(self, columns: int, rows: int) -> Canvas:
        """Draw the page; while a browser shows it, draw its address instead."""
        if self._elsewhere is not None:
            return elsewhere.draw(self._elsewhere, columns, rows)
        return pages.draw(self.state, columns, rows)

    def press(self, key: str, text: str) -> None:
        """Take a key of the terminal.

        While a browser shows the page, take only the keys that bring it back or end the program.
        """
        if self._elsewhere is None or key == "c-c":
            self.tell(Key(key, text))
        elif key in elsewhere.BACK:
            self._moved.cancel()

    # For a session.

    def tell(self, message: Message) -> None:
        """Take a message in, show the new state, and carry out the commands that follow."""
        before = self.state
        self.state, commands = react(before, message)
        moment = self.state.moment
        pauses = self.state.settling > before.settling
        if (
            (self.state.timed and not before.timed)
            or pauses
            or (moment is not None and moment is not before.moment and not moment.age)
        ):
            self._moving.set()
        if self.match_session is not None:
            self.match_session.attend(attends=not (self.state.held or self.state.count.lines))
        self._redraw()
        title, self._title = self._title, pages.title(self.state)
        for view in self.views:
            if title != self._title:
                view.title(self._title)
        for command in commands:
            self._carry_out(command)

    async def read(self) -> None:
        """Wait: keys come by themselves."""
        await trio.sleep_forever()

    async def again(self) -> bool:
        """Wait until our player wants another match, or gets up."""
        # the key may have been pressed before the last seals arrived
        await self._once_more.wait()
        self._once_more = trio.Event()
        return True

    def end(self, status: int) -> None:
        """End the session, and the program with this status."""
        self.quit = status
        self._all.cancel()

    def _carry_out(self, command: Command) -> None:
        match command:
            case Ring():
                for view in self.views:
                    view.ring(self._title if self.state.match.asked else "")
            case InBrowser():
                self._wants_to_move.set()
            case Rise() | PutAside():
                self._session.cancel()
            case OfPhones():
                self._about_phones(command)
            case StopReading():
                self._stop_looking()
            case Again():
                self._once_more.set()
            case OpenLog() | Analyse() | Share():
                self._begin_looking(command)
            case Open() | Join() | Learn() | Watch() | Resume() | Abandon() | Delete():
                with suppress(trio.WouldBlock):  # a held Enter key counts once
                    self._wanted_in.send_nowait(command)
            case Save(chosen):
                self._save(chosen)
            case Ready() | SeatComputers() if self.match_session is not None:
                self._at_the_table(self.match_session, command)
            case _:
                self.obey(command)

    def _at_the_table(self, match_session: MatchSession, command: Ready | SeatComputers) -> None:
        from client.ui.screen import sessions  # noqa: PLC0415 - loaded long since: we sit at a table

        match command:
            case Ready():
                match_session.ready()
            case SeatComputers(count):
                sessions.seat_computers(match_session, self._context, count)

    def _save(self, chosen: Settings) -> None:
        if chosen.language != self._language:  # else that of the command line stays
            self._language = chosen.language
            set_language(chosen.language or None)
        try:
            settings.write_settings(self._context.home.path, chosen)
        except StoreError as error:
            self.tell(Wrong(str(error)))

    # Logs.

    async def _look(self) -> None:
        """Read and analyse logs for our player, beside the session: a table is kept meanwhile."""
        while True:
            command = await self._logs.receive()
            with trio.CancelScope() as self._looking:
                tell = partial(self._tell_of_log, self._looking)
                await trio.to_thread.run_sync(import_module, "client.ui.screen.sessions")
                from client.ui.screen import sessions  # noqa: PLC0415 - half a second of modules, loaded above

                try:
                    if isinstance(command, Share):
                        tell(await self._share(command))
                    else:
                        await sessions.open_log(self._context, command, tell)
                except Exception as error:
                    sentence = self._context.sentence(error)
                    if sentence is None:
                        raise
                    tell(NotShown(sentence))

    async def _share(self, command: Share) -> Shared:
        assert self._make_page is not None
        page = await trio.to_thread.run_sync(self._make_page, command.path, abandon_on_cancel=True)
        self.shared = Shared(command.name, page)
        return self.shared

    def _tell_of_log(self, looking: trio.CancelScope, message: Message) -> None:
        if not looking.cancel_called:  # a thread may still say how far it is
            self.tell(message)

    def _about_phones(self, command: OfPhones) -> None:
        try:
            self._of_phones_in.send_nowait(command)
        except trio.WouldBlock:
            self.tell(Wrong(_("Too many commands at once: the last one was not carried out.")))

    def _begin_looking(self, command: OpenLog | Analyse | Share) -> None:
        if isinstance(command, Share):
            self.shared = None  # a browser that asks now wants another page than the last one
        with suppress(trio.WouldBlock):  # a held Enter key counts once here too
            self._logs_in.send_nowait(command)

    def _stop_looking(self) -> None:
        with suppress(trio.WouldBlock):  # taken back before it has begun
            self._logs.receive_nowait()
        self._looking.cancel()

    # The sessions.

    async def main(self) -> int:
        """Run session after session until our player quits; return the exit status."""
        with self._all:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.let_time_pass)
                nursery.start_soon(self._look)
                if self._phones is not None:
                    nursery.start_soon(self._phones, self.tell, self._of_phones)
                if self._move is not None:
                    nursery.start_soon(self._go_elsewhere, self._move)
                await self._spend(self._first)
                while True:
                    await self._spend(None)
        return Status.OK if self.quit is None else self.quit

    async def _go_elsewhere(self, move: MoveToBrowser) -> None:
        """Show everything in a browser whenever our player wants that, until it is wanted back."""
        while True:
            await self._wants_to_move.wait()
            with trio.CancelScope() as self._moved:
                await move(self, self._is_elsewhere)
            self._wants_to_move = trio.Event()
            self._is_elsewhere(None)

    def _is_elsewhere(self, address: str | None) -> None:
        self._elsewhere = address
        self.state = replace(self.state, kept=replace(self.state.kept, movable=address is None))
        self._redraw()

    def _redraw(self) -> None:
        for view in self.views:
            view.redraw()

    async def let_time_pass(self) -> None:
        """Send ticks while something moves or a player is away."""
        while True:
            self._moving = trio.Event()
            seconds = (
                (TICK_S if self.state.moment or self.state.settling else COUNTDOWN_TICK_S)
                if self.state.timed
                else math.inf
            )
            with trio.move_on_after(seconds) as pause:
                await self._moving.wait()
            # if woken early, a call has just been shown: its time starts now
            if pause.cancelled_caught:
                self.tell(Tick(seconds))

    async def _in_the_lobby(self) -> Session:
        """Show what is on this network until our player wants something, and return that."""
        await self._first_look()
        await trio.to_thread.run_sync(import_module, "client.ui.screen.sessions")
        from client.ui.screen import sessions  # noqa: PLC0415 - half a second of modules, loaded when the lobby is on the screen

        reader = await trio.to_thread.run_sync(
            sessions.HistoryReader, self._context.home, abandon_on_cancel=True
        )
        wrong = await self._show_history(reader)
        if wrong and not self.state.notice:
            self.tell(Wrong(wrong))
        async with trio.open_nursery() as nursery:
            lan = sessions.Lan(self._context)
            nursery.start_soon(lan.discover, self.tell)
            nursery.start_soon(sessions.show_departures, self._context)
            nursery.start_soon(self._read_history, reader)
            command = await self._wanted.receive()
            nursery.cancel_scope.cancel()
        return sessions.session_of(self._context, command, self.state.kept.nick, lan)

    async def _first_look(self) -> None:
        """Wait until the lobby is to be seen, or it is clear that nobody opens its page at once."""
        with trio.move_on_after(FIRST_LOOK_S):
            await self._seen.wait()
        await trio.sleep(2 * REDRAW_S)

    async def _read_history(self, reader: HistoryReader) -> None:
        """Read the logs that nobody has read yet, some at a time, until a session begins."""
        while reader.unread:
            await trio.to_thread.run_sync(reader.read, READING_S, abandon_on_cancel=True)
            await self._show_history(reader)
            # half of the time is for keys: threads of Python take turns
            await trio.sleep(READING_S)

    async def _show_history(self, reader: HistoryReader) -> str:
        """Show the matches read so far, and return the sentence about a damaged resume record."""
        history, wrong = await trio.to_thread.run_sync(reader.summaries, abandon_on_cancel=True)
        self.tell(MatchHistory(history, reader.unread))
        return wrong

    async def _spend(self, session: Session | None) -> None:
        """Run a session, by default one from the lobby; the lobby shows its error."""
        why = ""
        self._session, self._once_more = trio.CancelScope(), trio.Event()
        # with the lobby in it: a request there can be cancelled before it has an effect
        with self._session:
            session = session or await self._in_the_lobby()
            try:
                await session(self)
            except Exception as error:
                sentence = self._context.sentence(error)
                if sentence is None:
                    raise
                why = sentence
        with suppress(trio.WouldBlock):  # pressed once more while the session began, or taken back
            self._wanted.receive_nowait()
        self._stop_looking()
        self.match_session = self.admission = None
        self.tell(Ended(why))
