"""The default nick of a player."""

from __future__ import annotations

import getpass
from argparse import Namespace
from contextlib import suppress

from client.i18n.translation import _
from p2p.net.names import NICK_COLUMNS
from p2p.net.text import bare, columns

NICK_BYTES = 48
"""The most bytes of a nick in UTF-8, as in `p2p.table.terms`."""
NOBODY = ("root", "admin", "administrator", "user")
"""Login names that name no person."""


def fits(text: str) -> bool:
    """Whether `fit_nick` keeps a nick uncut."""
    nick = bare(text, len(text) + NICK_COLUMNS)
    return columns(nick) <= NICK_COLUMNS and len(nick.encode()) <= NICK_BYTES


def fit_nick(text: str) -> str:
    """Return a nick that may be in terms: cleaned and cut; it may be empty."""
    nick = bare(text, NICK_COLUMNS)
    while len(nick.encode()) > NICK_BYTES:
        nick = bare(nick[:-1], NICK_COLUMNS)
    return nick


def nick_of(args: Namespace, saved: str = "") -> str:
    """Return our player's nick.

    It is that of the command line, else the saved one, else our login name, else `somebody`.
    """
    return known_nick(args, saved) or fit_nick(_("somebody"))


def known_nick(args: Namespace, saved: str = "") -> str:
    """Return our player's nick; empty if none is known."""
    for given in (getattr(args, "nick", None), saved):
        if given and (nick := fit_nick(given)):
            return nick
    with suppress(KeyError, OSError, ImportError):
        nick = fit_nick(getpass.getuser())
        if nick and nick.lower() not in NOBODY:
            return nick
    return ""
