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
from p2p.wire import PROTOCOL

NAME = "history.index"
VERSION = 3
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
        return {_text(name): _indexed(item) for name, item in value["logs"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def write_index(home: Path, player: str, logs: Mapping[str, Indexed]) -> None:
    """Write the index, or do without one if the home is not writable."""
    found = {
        name: [one.size, one.mtime_ns, one.unreadable, _spelled(one.facts)]
        for name, one in logs.items()
    }
    with suppress(StoreError):
        write_private(
            home / NAME, json.dumps({"about": about(player), "logs": found}).encode("ascii")
        )


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


def _spelled(facts: MatchFacts | None) -> dict[str, Any] | None:
    if facts is None:
        return None
    return {
        **asdict(facts),
        "players": [[player.id, player.nick, player.computer] for player in facts.players],
    }


def _indexed(value: Any) -> Indexed:
    size, mtime_ns, unreadable, facts = value
    if unreadable not in ("", DAMAGED, OTHER_VERSION) or (facts is None) is (unreadable == ""):
        raise ValueError("either facts or a reason")
    return Indexed(
        _number(size), _number(mtime_ns), None if facts is None else _facts(facts), unreadable
    )


def _facts(value: Any) -> MatchFacts:
    """Read the facts of a match.

    ValueError, KeyError or TypeError if they are invalid: they are shown without another check.
    """
    game, players = _text(value["game"]), tuple(_player(*item) for item in value["players"])
    seats, outline = len(players), value["outline"]
    if game not in GAMES or len(_text(value["id"])) != ID_LETTERS:
        raise ValueError("no such match")
    seat = None if value["seat"] is None else _seat(value["seat"], seats)
    return MatchFacts(value["id"], game, players, seat, _outline(outline, seats))


def _outline(value: Any, seats: int) -> Outline:
    sides = _number(value["sides"])
    if not 0 < sides <= seats:
        raise ValueError("no such sides")
    return Outline(
        sides,
        _number(value["deals"]),
        _number(value["moves"]),
        tuple(_score(score, seats) for score in value["scores"]),
        _score(value["score"], seats),
        tuple(_seat(one, seats) for one in value["winners"]),
        _flag(value["over"]),
        _flag(value["begun"]),
        tuple(_seat(one, seats) for one in value["unsealed"]),
        tuple((_seat(one, seats), _way(how)) for one, how in value["gone"]),
        _flag(value["convicts"]),
    )


def _player(id_: Any, nick: Any, computer: Any) -> PastPlayer:
    if len(_text(id_)) != ID_LETTERS:
        raise ValueError("no id")
    return PastPlayer(
        id_, clean_name(_text(nick)), fingerprint(bytes.fromhex(id_)), _flag(computer)
    )


def _score(value: Any, seats: int) -> tuple[int, ...]:
    found = tuple(_whole(points) for points in value)
    if len(found) != seats:
        raise ValueError("a score for each seat")
    return found


def _seat(value: Any, seats: int) -> int:
    if _number(value) >= seats:
        raise ValueError("no such seat")
    return int(value)


def _way(value: Any) -> str:
    if value not in OWN_WAYS:
        raise ValueError("no such way to go")
    return str(value)


def _number(value: Any) -> int:
    if _whole(value) < 0:
        raise ValueError("not a number")
    return int(value)


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError("not a whole number")
    return value


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError("neither true nor false")
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError("not a text")
    return value
