"""What a player is called, unless it says otherwise."""

from __future__ import annotations

import getpass
from argparse import Namespace
from contextlib import suppress

from client.words import _
from p2p.net.text import clean

COLUMNS = 24
BYTES = 48
"""How wide a nick may be, and how long in UTF-8: what `p2p.table.terms` takes."""


def nick_of(args: Namespace, saved: str = "") -> str:
    """Return the nick to sit down with: the one of the command line, else the one that was set for good, else our login name."""
    given: str | None = getattr(args, "nick", None) or saved
    if not given:
        with suppress(KeyError, OSError, ImportError):
            given = getpass.getuser()
    nick = clean(given or "", COLUMNS)
    while len(nick.encode()) > BYTES:
        nick = clean(nick[:-1], COLUMNS)
    return nick or _("somebody")
