"""Two-player matches that the other player broke off while behind, and did not resume.

With two players there are no votes: a losing player can put the match aside for ever. The program
counts these matches for each player, and shows the count without a verdict. A match counts if all
of this holds:

- we can still resume it, and it has two seats: ours and the player's;
- in our last session in which the player took part, the player left before us;
- its log verifies, ends before the match does, and nobody has left in it;
- the player's score in it is lower than ours;
- its log has not grown for a week.

A resume record belongs to one match, so a copied log does not count twice. A log needs the
signatures of both players, so nobody can make one alone. The count is this home's alone: a lost
network looks like leaving, and a home restored from a copy may list matches that have ended since.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from client.storage.home import Home, StoreError, write_private
from client.storage.match_log import ENDING
from client.storage.regular import LOG_BYTES, read_regular
from client.storage.resume_record import ResumeRecord, look_through
from crypto.group import Group
from p2p.table.replay import BadLog, verify_log

AWAY_S = 7 * 86_400
"""Seconds without a new record after which a match counts."""
NAME = "broken-off.index"
INDEX_BYTES = 1 << 20


def broken_off(home: Home, now: int, group: Group | None = None) -> dict[bytes, int]:
    """Return how many matches each player broke off so, by id; `now` is in seconds since 1970.

    Each log is verified once, while it does not change: the index has the answers. Slow the first
    time.
    """
    try:
        records, _damaged = look_through(home)
    except StoreError:
        return {}
    known = _read_index(home.path)
    answers, found = dict[str, list[int]](), Counter[bytes]()
    for record in {one.name: one for one in reversed(records)}.values():  # a copy counts once
        if not record.opponent or record.opponent != record.broken_off_by:
            continue
        path = home.logs / f"{record.name}{ENDING}"
        try:
            stat = path.stat()
        except OSError:
            continue
        answer = [stat.st_size, stat.st_mtime_ns, *known.get(record.name, [])[2:]]
        if answer != known.get(record.name):
            answer = [*answer[:2], int(_is_behind(path, record, group))]
        answers[record.name] = answer
        if answer[2] and now - stat.st_mtime_ns // 10**9 >= AWAY_S:
            found[record.broken_off_by] += 1
    if answers != known:
        with suppress(StoreError):
            write_private(home.path / NAME, json.dumps(answers).encode("ascii"))
    return dict(found)


def _is_behind(path: Path, record: ResumeRecord, group: Group | None) -> bool:
    """Whether a log verifies, and shows the other player behind in an unfinished match."""
    try:
        verdict = verify_log(read_regular(path, LOG_BYTES), group)
    except (OSError, BadLog):
        return False
    table = verdict.table
    if table.terms.match != record.terms.match or table.over or verdict.gone or verdict.faults:
        return False
    (own,) = record.seeds
    score = table.run.game.score
    return bool(score[1 - own] < score[own])


def _read_index(home: Path) -> Mapping[str, list[int]]:
    """Return the answers by match; none if the index is damaged.

    An answer is the size and time of the log, and whether it shows the player behind.
    """
    try:
        value = json.loads(read_regular(home / NAME, INDEX_BYTES))
        good = all(
            len(one) == 3 and {type(part) for part in one} == {int} for one in value.values()
        )
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}
    return value if good else {}
