"""The finding of `doctor` about the terminal."""

from __future__ import annotations

import locale
import os
import shutil
import sys

from client.doctor.findings import Finding, fine
from client.i18n.translation import _, outside
from client.ui.interactive import is_dumb
from client.ui.plain.columns import drawn_columns

NARROWEST, LOWEST = 60, 20
WIDTHS = {"🙂": 2, "─": 1, "♠": 1, "…": 1}
"""The columns of a character of names, and of three that pages draw."""


def terminal() -> Finding:
    """Look at the terminal that this command writes to."""
    if not sys.stdout.isatty():
        return fine("terminal", _("none; the program prints line by line"))
    if is_dumb():
        return fine("terminal", _("without a cursor (TERM=dumb); the program prints line by line"))
    size = shutil.get_terminal_size()
    says = _("{columns} columns, {rows} rows, {encoding}").format(
        columns=size.columns, rows=size.lines, encoding=sys.stdout.encoding
    )
    if sys.stdout.encoding.casefold().replace("-", "") != "utf8":
        return fine(
            "terminal", says, _("Some letters will be shown as ?. Choose UTF-8 for the terminal.")
        )
    if size.columns < NARROWEST or size.lines < LOWEST:
        return fine(
            "terminal", says, _("The terminal is small: make it at least 60 columns by 20 rows.")
        )
    if sys.platform != "win32" and not os.environ.get("TERM"):
        do = _("TERM is not set, so colours and keys may be wrong: export TERM=xterm-256color")
        return fine("terminal", says, do)
    if name := _lacking_locale():
        do = _("The locale {name} is not installed here. Install it, or choose another one.")
        return fine("terminal", says, do.format(name=outside(name)))
    if wrong := _wrong_widths():
        return fine("terminal", says, wrong)
    return fine("terminal", says)


def _lacking_locale() -> str:
    """Return the name of the locale that was chosen, if this system does not have it."""
    try:
        locale.setlocale(locale.LC_CTYPE, "")
    except locale.Error:
        names = map(os.environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))
        return next(filter(None, names), "?")
    return ""


def _wrong_widths() -> str:
    """Return what to do about characters that the terminal draws wider or narrower than we count.

    Nothing if there are none, or the terminal does not tell.
    """
    found = {character: drawn_columns(character) for character in WIDTHS}
    wrong = [
        character
        for character, columns in found.items()
        if columns not in (None, WIDTHS[character])
    ]
    if not wrong:
        return ""
    says = _(
        "The terminal draws {characters} in another width than the program expects, so pages look "
        "displaced. Switch off “ambiguous characters are wide” there, take another terminal, or "
        "play with --browser."
    )
    return says.format(characters=" ".join(wrong))
