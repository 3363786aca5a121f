"""Short ids of past matches: `history` shows them, and other commands take them for a log.

An id is the beginning of the match's id in hexadecimal, as in its file names. A host may choose
terms whose id begins like another match's: then longer ids are shown, and the common beginning
names neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from client.storage.home import match_name
from client.storage.match_log import match_logs, read_terms
from p2p.wire import Malformed

LEAST_LETTERS = 4
"""The least letters of a typed id."""
SHOWN_LETTERS = 8
"""The least letters of a shown id."""
LETTERS = len(match_name(bytes(32)))
_TYPED = re.compile(rf"[0-9a-fA-F]{{{LEAST_LETTERS},64}}")
_TOO_SHORT = re.compile(rf"[0-9a-fA-F]{{1,{LEAST_LETTERS - 1}}}")
_NAME = re.compile(f"[0-9a-f]{{{LETTERS}}}")


def looks_like_id(text: str) -> bool:
    """Whether a text may be the beginning of a match's id, or all of it."""
    return bool(_TYPED.fullmatch(text))


def is_too_short(text: str) -> bool:
    """Whether a text would be the beginning of an id if it had enough letters."""
    return bool(_TOO_SHORT.fullmatch(text))


def id_of(path: Path) -> str:
    """Return the id of a log: of its terms if readable, else from its name, or ""."""
    with suppress(OSError, Malformed):
        return match_name(read_terms(path).match)
    return path.stem if _NAME.fullmatch(path.stem) else ""


def short_ids(ids: Iterable[str]) -> Mapping[str, str]:
    """Return a beginning of each id that no other has, `SHOWN_LETTERS` long or longer."""
    known, found = sorted(set(ids)), {}
    for place, one in enumerate(known):
        length = SHOWN_LETTERS
        beside = known[max(0, place - 1) : place] + known[place + 1 : place + 2]
        while any(other.startswith(one[:length]) for other in beside):
            length += 1
        found[one] = one[:length]
    return found


def logs_with(folder: Path, typed: str) -> Mapping[str, Path]:
    """Return the logs in a folder whose ids begin with `typed`, by id.

    Of several copies, prefer the program's own file, else the newest. Raises StoreError.
    """
    found: dict[str, Path] = {}
    for path in match_logs(folder):
        one = id_of(path)
        if (
            path.is_file()
            and one.startswith(typed.lower()[:LETTERS])
            and (one not in found or path.stem == one)
        ):
            found[one] = path
    return found
