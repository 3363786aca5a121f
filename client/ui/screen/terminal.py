"""The two event loops of the full screen, asyncio and trio, in the same thread.

asyncio hosts prompt-toolkit, and trio runs as its guest.

Nothing else knows about this. However it ends (a key, a signal, an error in either loop, a terminal
that is closed), trio's tasks have ended and the terminal is as it was before anything is raised.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol

import trio

from client.ui.drawing.canvas import Canvas, as_ascii
from client.ui.drawing.style import SCHEMES, classes, styles
from client.ui.screen.messages import NAMED, REDRAW_S

if TYPE_CHECKING:
    from prompt_toolkit.application import Application
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.input import Input
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.output import Output

LOGGED = 1000
"""Records of the log that are kept while the screen is shown."""
ESCAPE_S = 0.05
"""Seconds after which an escape is the key, and not the beginning of another."""


SAVE, RESTORE = "\x1b[22;2t", "\x1b[23;2t"
"""Control sequences with which a terminal saves its window's title, and restores it."""


class FullScreen(Protocol):
    """The application that is shown and takes the keys."""

    @property
    def ascii(self) -> bool:
        """Whether only ASCII may be shown."""

    @property
    def colours(self) -> str:
        """Which colours are wanted now: `auto`, `always` or `never`."""

    @property
    def scheme(self) -> str:
        """Which scheme of `client.ui.drawing.style` they are of."""

    def draw(self, columns: int, rows: int) -> Canvas:
        """Return what is to be seen now."""

    def press(self, key: str, text: str) -> None:
        """Take a key: its name, and the text that it types or pastes."""

    def attach(self, screen: Screen) -> None:
        """Get to know the screen, before the first redraw."""

    def end(self, status: int) -> None:
        """Let `main` return this status: a signal asks the program to end."""


class Screen:
    """The services of the terminal for an application."""

    def __init__(self, app: Application[None], *, ascii_only: bool) -> None:
        self.app, self._ascii = app, ascii_only
        self._titled = False

    def redraw(self) -> None:
        """Draw anew, soon."""
        self.app.invalidate()

    def ring(self, text: str) -> None:
        """Ring; if there is a text, have the terminal show it as a notice, where it can."""
        output = self.app.output
        if text:
            output.write_raw(notice(os.environ, as_ascii(text) if self._ascii else text))
        output.bell()

    def title(self, text: str) -> None:
        """Set the window's title; the former title comes back at the end."""
        if not self._titled:
            self._titled = True
            self._title_stack(SAVE)
        self.app.output.set_title(as_ascii(text) if self._ascii else text)

    def leave(self) -> None:
        """Leave the title as it was; if the terminal does not know that any more, empty."""
        if not self._titled:
            return
        with suppress(OSError):  # the window may have been closed, and its title with it
            self.app.output.clear_title()
            self._title_stack(RESTORE)
            self.app.output.flush()

    def _title_stack(self, code: str) -> None:
        if os.name == "posix":  # elsewhere it may be shown as it stands
            self.app.output.write_raw(code)


def notice(environment: Mapping[str, str], text: str) -> str:
    """Return the control sequence with which this terminal shows a notice; none if it has none.

    A terminal multiplexer passes none of them on, but the bell. Sources: the manuals of iTerm2 and
    WezTerm (OSC 9), of kitty (OSC 99), and of foot, Ghostty and rxvt-unicode (OSC 777).
    """
    term, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    if environment.get("TMUX") or term.startswith(("screen", "tmux")):
        return ""
    if program in ("iTerm.app", "WezTerm"):
        return f"\x1b]9;{text}\x07"
    if term == "xterm-kitty":
        return f"\x1b]99;;{text}\x1b\\"
    if term.startswith(("foot", "rxvt-unicode", "xterm-ghostty")) or program == "ghostty":
        return f"\x1b]777;notify;Sobremesa;{text}\x07"
    return ""


def run(
    shown: FullScreen,
    main: Callable[[], Awaitable[int]],
    *,
    source: Input | None = None,
    output: Output | None = None,
) -> int:
    """Show the full screen while `main` runs under trio, and return the result of `main`.

    `source` and `output` are a test's.

    An exception of either loop is raised here; those of both as a BaseExceptionGroup.
    """
    with _logs_held():
        return asyncio.run(_host(application(shown, source, output), shown, main))


@contextmanager
def _logs_held() -> Iterator[None]:
    """Keep all that is logged, and log it when the screen is left.

    It may be logged here or by a library. It is kept because standard error is the screen's
    terminal.
    """
    root, kept = logging.getLogger(), Kept()
    handlers, root.handlers = root.handlers, [kept]
    try:
        yield
    finally:
        root.handlers = handlers
        for record in kept.records:
            logging.getLogger(record.name).handle(record)


class Kept(logging.Handler):
    """Keeps the last records."""

    def __init__(self) -> None:
        super().__init__()
        self.records: deque[logging.LogRecord] = deque(maxlen=LOGGED)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self.records.append(record)


async def _host(
    app: Application[None], shown: FullScreen, main: Callable[[], Awaitable[int]]
) -> int:
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Any] = loop.create_future()
    scope = trio.CancelScope()
    errors: list[BaseException] = []

    async def guest() -> int | None:
        with scope:
            return await main()
        return None

    def failed(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        errors.append(context.get("exception") or RuntimeError(context["message"]))
        scope.cancel()

    loop.set_exception_handler(failed)  # exceptions of keys, callbacks and the renderer
    screen = Screen(app, ascii_only=shown.ascii)
    shown.attach(screen)
    trio.lowlevel.start_guest_run(
        guest,
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        run_sync_soon_not_threadsafe=loop.call_soon,
        done_callback=ended.set_result,
        host_uses_signal_set_wakeup_fd=True,
        restrict_keyboard_interrupt_to_checkpoints=True,
    )
    # before the first frame: a default handler would not restore the terminal
    _heed_signals(loop, shown, app)
    showing = loop.create_task(app.run_async(set_exception_handler=False, handle_sigint=False))
    try:
        await asyncio.wait({showing, ended}, return_when=asyncio.FIRST_COMPLETED)
    finally:  # after SIGINT too, which cancels us
        scope.cancel()
        await _leave(app, showing, ended, errors)
        screen.leave()
    status = None
    try:
        status = ended.result().unwrap()
    except BaseException as error:  # noqa: BLE001 - raised below, beside what the other loop has raised
        errors.insert(0, error)
    if len(errors) > 1:
        raise BaseExceptionGroup("both the screen and the session failed", errors)
    if errors:
        raise errors[0]
    return status or 0


def _heed_signals(
    loop: asyncio.AbstractEventLoop, shown: FullScreen, app: Application[None]
) -> None:
    """Call `shown.end` on SIGTERM and SIGHUP, as long as the loop runs.

    On SIGCONT, take the terminal back.

    While the program was stopped the shell had the terminal: other modes, and lines on the screen.
    """
    if sys.platform == "win32":  # no other process can send these signals there
        return
    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, shown.end, 128 + number)

    def take_back() -> None:
        # left with the one that the application entered when it began
        app.input.raw_mode().__enter__()
        app.renderer.clear()
        app.invalidate()

    loop.add_signal_handler(signal.SIGCONT, take_back)


async def _leave(
    app: Application[None],
    showing: asyncio.Task[None],
    ended: asyncio.Future[Any],
    errors: list[BaseException],
) -> None:
    """End the application and wait for the guest, even if we are cancelled meanwhile."""
    if not showing.done():
        if app.future is not None and not app.future.done():
            app.exit()
        else:
            showing.cancel()
    while not ended.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(ended)
    try:
        await showing
    except asyncio.CancelledError:
        pass  # it had not begun
    except Exception as error:  # noqa: BLE001 - raised by our caller
        errors.append(error)


def application(
    shown: FullScreen, source: Input | None, output: Output | None
) -> Application[None]:
    """Return prompt-toolkit's application; None is the terminal's own input and output."""
    from prompt_toolkit.application import Application, get_app  # noqa: PLC0415 - a tenth of a second: only for the full screen
    from prompt_toolkit.layout import FormattedTextControl, Layout, Window  # noqa: PLC0415 - only for the full screen
    from prompt_toolkit.output import ColorDepth  # noqa: PLC0415 - only for the full screen
    from prompt_toolkit.styles import DynamicStyle, Style  # noqa: PLC0415 - only for the full screen

    def content() -> StyleAndTextTuples:
        size = get_app().output.get_size()
        return _fragments(shown.draw(size.columns, size.rows), ascii_only=shown.ascii)

    few = (ColorDepth.DEPTH_1_BIT, ColorDepth.DEPTH_4_BIT)
    known = {
        (scheme, less): Style.from_dict(styles(scheme, few=less))
        for scheme in SCHEMES
        for less in (False, True)
    }
    depths = {"never": ColorDepth.DEPTH_1_BIT, "always": ColorDepth.DEPTH_4_BIT}
    app: Application[None] = Application(
        Layout(
            Window(
                FormattedTextControl(content, focusable=True, show_cursor=False), wrap_lines=False
            )
        ),
        style=DynamicStyle(lambda: known[shown.scheme, get_app().color_depth in few]),
        key_bindings=_bindings(shown),
        full_screen=True,
        mouse_support=False,
        min_redraw_interval=REDRAW_S,
        color_depth=lambda: depths.get(shown.colours),  # by itself it honours NO_COLOR and TERM
        input=source,
        output=output,
    )
    app.ttimeoutlen = app.timeoutlen = ESCAPE_S
    return app


def _fragments(canvas: Canvas, *, ascii_only: bool) -> StyleAndTextTuples:
    found: StyleAndTextTuples = []
    for row in canvas.rows():
        if found:
            found.append(("", "\n"))
        found += [(classes(style), as_ascii(text) if ascii_only else text) for style, text in row]
    return found


def _bindings(shown: FullScreen) -> KeyBindings:
    """Hand every key to the full screen; it never waits, and knows no prompt-toolkit."""
    from prompt_toolkit.key_binding import KeyBindings  # noqa: PLC0415 - only for the full screen
    from prompt_toolkit.keys import Keys  # noqa: PLC0415 - only for the full screen

    bindings = KeyBindings()

    def press(event: KeyPressEvent) -> None:
        if event.key_sequence[0].key == Keys.ControlL:  # something else has written on the screen
            event.app.renderer.clear()
        for pressed in event.key_sequence:
            key = pressed.key.value if isinstance(pressed.key, Keys) else pressed.key
            shown.press(
                NAMES.get(key, key),
                pressed.data if len(key) == 1 or key == Keys.BracketedPaste.value else "",
            )

    def suspend(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()  # on SIGCONT it draws again

    bindings.add(Keys.ControlZ, eager=True)(suspend)
    bindings.add(Keys.Any, eager=True)(press)
    for key in [*NAMED, Keys.BracketedPaste]:
        bindings.add(key, eager=True)(press)
    return bindings


NAMES = {
    "c-m": "enter",
    "c-i": "tab",
    "c-h": "backspace",
    "c-j": "enter",
    "<bracketed-paste>": "paste",
}
"""Keys that have another name in prompt-toolkit."""
