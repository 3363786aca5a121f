"""Delete a past match: its log, the files beside it, the shares of our cards, journals."""

from __future__ import annotations

import os

from client.i18n.translation import _
from client.storage.history_index import forget
from client.storage.home import RESUMABLE, Home, StoreError, using
from client.storage.match_files import files_of
from client.storage.resume_record import look_through


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
