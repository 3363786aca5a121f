"""Output line by line: the only file that writes to standard output and standard error.

Everything is cleaned here, so no command can send text from outside to a terminal raw. A piece of
text from outside is also cleaned where it becomes part of a sentence (`translation.outside`): only
there is it known where it begins and ends, so only there it can be kept from reordering the rest of
the line. The full screen draws on `client.ui.drawing.canvas`, which has no cell for a control
character.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from types import TracebackType

from client.i18n.translation import PROGRAM, outside

_COLOURS = re.compile("(\x1b\\[(?:0|31|32)m)")
"""All that `client.ui.plain.color.painted` writes."""


def open_closed_streams() -> None:
    """Open the null device in place of each standard stream that is closed: Python has None there.

    Else the next file that we open, a log perhaps, would become that stream.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            os.set_inheritable(number, True)  # noqa: FBT003 - its only parameter
            stream = os.fdopen(
                number, mode, encoding="utf-8", errors="backslashreplace", closefd=False
            )
            setattr(sys, name, stream)


def say(*lines: str, colored: bool = False, end: str = "\n", flush: bool = False) -> None:
    """Print lines to standard output. With `colored` they may have our own colours in them."""
    for line in lines or ("",):
        parts = _COLOURS.split(line) if colored else [line]
        shown = [part if number % 2 else _harmless(part) for number, part in enumerate(parts)]
        print("".join(shown), end=end, flush=flush)


def pour(data: bytes) -> None:
    """Write a file of our own making to standard output, byte for byte: not for a terminal."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def complain(sentence: object, program: str = PROGRAM) -> None:
    """Print one line of a program to standard error, broken between words on a terminal."""
    from client.ui.wrap import wrapped  # noqa: PLC0415 - most runs print no error: start-up time

    line = _harmless(" ".join(f"{program}: {sentence}".splitlines()))
    print(*wrapped(line, terminal_columns()), sep="\n", file=sys.stderr)


def terminal_columns() -> int | None:
    """Return the most columns of a line on standard error; None if no terminal breaks lines."""
    if not sys.stderr.isatty():
        return None
    try:
        found = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        found = 0
    return found or shutil.get_terminal_size().columns


class ProgressLine:
    """One line on standard error that is written over, if that is a terminal."""

    def __init__(self) -> None:
        self._shown = 0

    def show(self, text: str) -> None:
        """Replace the line by this text, or by its end if it is wider than the terminal.

        A carriage return leads back to the beginning of the last row only.
        """
        from p2p.net.text import ELLIPSIS, columns  # noqa: PLC0415 - most runs show no progress: start-up time

        self.clear()
        if (width := terminal_columns()) is not None:
            shown = outside(text)
            if columns(shown) >= width:
                while columns(ELLIPSIS + shown) >= max(width, 2):
                    shown = shown[1:]
                shown = outside(ELLIPSIS + shown)
            self._shown = columns(shown)
            print("\r" + shown, end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            print("\r" + " " * self._shown + "\r", end="", file=sys.stderr, flush=True)
        self._shown = 0


def log(verbose: int) -> None:
    """Print on standard error the messages that libraries log.

    With 2, print all of them. A message may be text that a peer has sent.
    """
    import logging  # noqa: PLC0415 - most runs log nothing

    class Formatter(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return _harmless(super().format(record))

    handler = logging.StreamHandler()
    handler.setFormatter(Formatter("%(asctime)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO if verbose == 1 else logging.DEBUG, handlers=[handler])


def crashed(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print the traceback of a bug, as `sys.excepthook`.

    The message of the error may have text from outside in it.
    """
    import traceback  # noqa: PLC0415 - only for bugs

    print(
        _harmless("".join(traceback.format_exception(kind, error, trace))), end="", file=sys.stderr
    )


def _harmless(text: str) -> str:
    if text.isprintable():
        return text
    from p2p.net.text import printable  # noqa: PLC0415 - only for bugs

    return printable(text)
