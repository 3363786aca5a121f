"""The index of the match history: the facts of every log read, so that none is read twice.

It may be deleted at any time, and is rebuilt from the logs. A damaged one, or one of another
version or player, is ignored. It is for display only: nothing is decided by it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from client.storage.home import StoreError, write_private
from client.storage.past_match import DAMAGED, OTHER_VERSION, OWN_WAYS, MatchFacts, PastPlayer
from client.storage.regular import LOG_BYTES, read_regular
from crypto.identity import fingerprint
from engine.games import GAMES
from p2p.net.names import clean_name
from p2p.table.outline import Outline
from p2p.wire import PROTOCOL, Malformed, shape

NAME = "history.index"
VERSION = 4
ID_LETTERS = 64
"""The letters of an id in hexadecimal."""


@dataclass(frozen=True)
class Indexed:
    """A log that has been read: its size and time then, and its facts, or why it has none."""

    size: int
    mtime_ns: int
    facts: MatchFacts | None
    unreadable: str = ""


def read_index(home: Path, player: str) -> dict[str, Indexed]:
    """Return the indexed logs of a home by file name; none if this player has no index."""
    try:
        value = json.loads(read_regular(home / NAME, LOG_BYTES))
        if value["about"] != about(player):
            return {}
        return {name: _indexed(item) for name, item in value["logs"].items()}
    except (OSError, Malformed, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def write_index(home: Path, player: str, logs: Mapping[str, Indexed]) -> None:
    """Write the index, or do without one if the home is not writable."""
    found = {name: asdict(one) for name, one in logs.items()}
    text = json.dumps({"about": about(player), "logs": found})
    with suppress(StoreError):
        write_private(home / NAME, text.encode("ascii"))


def forget(home: Path, player: str, name: str) -> None:
    """Remove a log from the index: nothing of a deleted match is kept."""
    logs = read_index(home, player)
    if logs.pop(name, None) is not None:
        write_index(home, player, logs)


def about(player: str) -> dict[str, Any]:
    """Return what an index depends on besides the logs.

    That is our player, and the versions that decide which logs can be read.
    """
    rules = {name: game.version for name, game in sorted(GAMES.items())}
    return {"history": VERSION, "protocol": PROTOCOL, "rules": rules, "player": player}


def _indexed(value: Any) -> Indexed:
    """Read a log; Malformed, ValueError, KeyError or TypeError if it is invalid.

    The facts are shown without another check.
    """
    unreadable, facts = value["unreadable"], value["facts"]
    if unreadable not in ("", DAMAGED, OTHER_VERSION) or (facts is None) is (unreadable == ""):
        raise ValueError("either facts or a reason")
    size, mtime_ns = _number(value["size"]), _number(value["mtime_ns"])
    return Indexed(size, mtime_ns, None if facts is None else _facts(facts), unreadable)


def _facts(value: Any) -> MatchFacts:
    players = tuple(map(_player, value["players"]))
    if value["game"] not in GAMES:
        raise ValueError("no such game")
    seat = None if value["seat"] is None else _seat(value["seat"], len(players))
    outline = _outline(value["outline"], len(players))
    return MatchFacts(_id(value["id"]), value["game"], players, seat, outline)


def _outline(value: Any, seats: int) -> Outline:
    kinds = {"sides": int, "deals": int, "moves": int, "scores": list, "score": list}
    kinds |= {"winners": list, "unsealed": list, "gone": list}
    found = shape(value, over=bool, begun=bool, convicts=bool, **kinds)
    if not 0 < found["sides"] <= seats or min(found["deals"], found["moves"]) < 0:
        raise ValueError("no such match")
    found["scores"] = tuple(_score(score, seats) for score in found["scores"])
    found["score"] = _score(found["score"], seats)
    found["winners"] = tuple(_seat(one, seats) for one in found["winners"])
    found["unsealed"] = tuple(_seat(one, seats) for one in found["unsealed"])
    found["gone"] = tuple((_seat(one, seats), _way(how)) for one, how in found["gone"])
    return Outline(**found)


def _player(value: Any) -> PastPlayer:
    found = shape(value, id=str, nick=str, fingerprint=str, computer=bool)
    found["fingerprint"] = fingerprint(bytes.fromhex(_id(found["id"])))
    return PastPlayer(**{**found, "nick": clean_name(found["nick"])})


def _id(value: Any) -> str:
    if type(value) is not str or len(value) != ID_LETTERS:
        raise ValueError("no id")
    return value


def _score(value: Any, seats: int) -> tuple[int, ...]:
    if len(value) != seats or any(type(points) is not int for points in value):
        raise ValueError("a score for each seat")
    return tuple(value)


def _seat(value: Any, seats: int) -> int:
    if _number(value) >= seats:
        raise ValueError("no such seat")
    return int(value)


def _way(value: Any) -> str:
    if value not in OWN_WAYS:
        raise ValueError("no such way to go")
    return str(value)


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("not a number")
    return value
