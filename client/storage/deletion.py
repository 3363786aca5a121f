"""Delete a past match: its log, the files beside it, the shares of our cards, journals."""

from __future__ import annotations

import os
import re
from pathlib import Path

from client.i18n.translation import _
from client.storage.departure import DEPARTURE
from client.storage.history_index import forget
from client.storage.home import Home, StoreError, using
from client.storage.match_log import BRANCH, ENDING
from client.storage.own_cards import ENDING as OWN_CARDS
from client.storage.resume_record import ENDING as RESUMABLE
from client.storage.resume_record import look_through

_BESIDE = re.compile(
    rf"{re.escape(DEPARTURE)}|\.desync|\.p\d+\.verdict|{re.escape(BRANCH)}\d+{re.escape(ENDING)}"
)
"""The suffixes of the files beside a log, after the name of the match."""
_SECRET = re.compile(rf"\.p\d+\.journal|{re.escape(OWN_CARDS)}")
"""The suffixes of its journals and of the shares of our cards. An ended match has journals only if
one is damaged."""


def files_of(home: Home, match: str) -> list[Path]:
    """Return the files of an ended match by the name of its log, the log last.

    So after an interrupted deletion the match is still listed, and can be deleted again. Raises
    Raises StoreError.
    """
    folders = ((home.cards, _SECRET), (home.journals, _SECRET), (home.logs, _BESIDE))
    others = [path for folder, ends in folders for path in _in(folder, match, ends)]
    return [*others, home.logs / f"{match}{ENDING}"]


def delete_match(home: Home, match: str) -> None:
    """Delete the files of a match by the name of its log.

    StoreError, also if the match can be resumed, or its record cannot be read.
    """
    if any(one.name == match for one in look_through(home)[0]):
        raise StoreError(_("That match is not finished: leave it for good first."))
    if os.path.lexists(record := home.journals / f"{match}{RESUMABLE}"):
        line = _(
            "{path} cannot be read, and may be the way back into that match: move it away first."
        )
        raise StoreError(line.format(path=record))
    *others, log = files_of(home, match)
    for path in others:
        with using(path):
            path.unlink(missing_ok=True)
    forget(home.path, home.identity.id.hex(), log.name)
    with using(log):
        log.unlink(missing_ok=True)


def _in(folder: Path, match: str, ends: re.Pattern[str]) -> list[Path]:
    """Return the files of a match in a folder, by their suffixes. Raises StoreError."""
    with using(folder):
        paths = sorted(path for path in folder.iterdir() if path.name.startswith(match))
    return [path for path in paths if ends.fullmatch(path.name[len(match) :])]
