"""A match between processes over loopback, with time stamps.

The stamps say when each move was made and when all had judged it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.cost import difference
from benchmarks.peer import ACT, ATTESTED, FULL, LOOPBACK, Order
from client.commands.demo import wait_for_players
from client.session.python_process import ROOT, own_environment
from client.session.status import Stop
from crypto.group import KINDS, Group
from engine.core.requests import Prove
from engine.games import complete_options, game_class
from p2p.net.free import free_port
from p2p.table.compare import compare_logs
from p2p.table.events import Moved, Proved
from p2p.table.replay import replay_log

GAME = "escoba"
LIMIT = 600.0
"""Seconds after which a match that hangs is ended."""
POLL = 0.05
"""Seconds between two looks at whether the players are done: rarely, because that takes a core from
them."""
Ops = dict[str, int]


@dataclass(frozen=True)
class Stamp:
    """Something that a player saw: its name, the time, and the operations until then.

    The time is in nanoseconds. The operations are all that the player's process had done.
    """

    name: str
    at: int
    ops: Mapping[str, int]


@dataclass(frozen=True)
class Seen:
    """The stamps of one player, in order."""

    seat: int
    peak_bytes: int | None
    stamps: tuple[Stamp, ...]

    def first(self, name: str) -> Stamp | None:
        """Return the first stamp of that name."""
        return next((stamp for stamp in self.stamps if stamp.name == name), None)

    def before(self, at: int) -> Stamp:
        """Return the last stamp before that time; the first of all if there is none."""
        return next((stamp for stamp in reversed(self.stamps) if stamp.at < at), self.stamps[0])


@dataclass(frozen=True)
class Turn:
    """A move: its seat, the milliseconds until every peer had judged it, and their operations.

    The operations are by seat. `branches` is the size of the claim that followed: slots x faces of
    an OR proof, 0 without one.
    """

    seat: int
    ms: float
    ops: tuple[Ops, ...]
    branches: int


@dataclass(frozen=True)
class Played:
    """A match: its players by seat, and the log that they agree on."""

    players: tuple[Seen, ...]
    log: bytes

    def turns(self) -> Iterator[Turn]:
        """Join the stamps to moves."""
        claims = claims_of(self.log)
        judged = [list(_judged(player)) for player in self.players]
        acts = sorted(
            (stamp.at, player.seat)
            for player in self.players
            for stamp in player.stamps
            if stamp.name == ACT
        )
        for number, (at, seat) in enumerate(acts):
            ends = [stamps[number] for stamps in judged]
            pairs = zip(self.players, ends, strict=True)
            ops = tuple(difference(end.ops, player.before(at).ops) for player, end in pairs)
            yield Turn(seat, (max(end.at for end in ends) - at) / 1e6, ops, claims[number])


def _judged(player: Seen) -> Iterator[Stamp]:
    """Yield when a player had judged each move: the stamp of the claim after it, or its own.

    A claim that follows what programs have attested belongs to no move.
    """
    last: Stamp | None = None
    claiming = False
    for stamp in player.stamps:
        if stamp.name == "Moved":
            if last:
                yield last
            last, claiming = stamp, True
        elif stamp.name == ATTESTED:
            claiming = False
        elif stamp.name == "Proved" and claiming:
            last = stamp
    if last:
        yield last


def claims_of(log: bytes, group: Group | None = None) -> list[int]:
    """Return for every move that a player made how many branches the claim that follows it has."""
    claims: list[int] = []
    branches = 0
    claiming = False
    for table, events in replay_log(log, group):
        moved = [event for event in events if isinstance(event, Moved)]
        claims += [0 for event in moved if not event.auto]
        claiming = not moved[-1].auto if moved else claiming
        if claiming and any(isinstance(event, Proved) for event in events):
            claims[-1] = branches
        request = table.run.request
        if isinstance(request, Prove):
            deck = table.run.game.decks[-1]
            among = set(request.among)
            branches = sum(map(len, request.claims.values())) * sum(
                card in among for card in deck.cards
            )
    return claims


def play(seats: int, options: Mapping[str, Any], *, game: str = GAME, **orders: Any) -> Played:
    """Play a match between processes, of Escoba by default.

    `orders` go to every player. A player that gives up its place has measured all there is, so
    nobody goes on without it where the rules leave that open. Stop if a player fails.
    """
    ends = {"leaving": "end"} if "leaving" in game_class(game).choices else {}
    complete = complete_options(game, seats, {**ends, **options})
    port = free_port(LOOPBACK)
    with tempfile.TemporaryDirectory(
        prefix="sobremesa-bench-", ignore_cleanup_errors=True
    ) as folder:
        homes = [Path(folder) / f"p{number}" for number in range(1, seats + 1)]
        told = [
            Order(number, seats, port, str(home), game, complete, **{"pause": 0.0, **orders})
            for number, home in enumerate(homes, 1)
        ]
        found = _run(told, Path(folder))
        return Played(
            tuple(_read(one) for one in sorted(found, key=lambda one: int(one["seat"]))),
            agreed_log(found),
        )


def agreed_log(found: Sequence[dict[str, Any]]) -> bytes:
    """Return the log of a match, if those of its players agree. Raises Stop."""
    logs = [Path(one["log"]).read_bytes() for one in found]
    longest = max(logs, key=len)
    # a seat that leaves early has only the beginning, and of the seals only some
    for log in logs:
        compared = compare_logs(longest, log)
        if compared is None or compared.differ:
            raise Stop("the players' logs differ")
    return longest


def _read(found: dict[str, Any]) -> Seen:
    stamps = tuple(
        Stamp(name, at, dict(zip(KINDS, ops, strict=True))) for name, at, ops in found["stamps"]
    )
    return Seen(found["seat"], found["peak_bytes"], stamps)


def _run(orders: Sequence[Order], folder: Path) -> list[dict[str, Any]]:
    """Run the players, and return each one's output.

    On an error too, no process is left running.
    """
    running: dict[int, subprocess.Popen[bytes]] = {}
    try:
        for order in orders:
            running[order.number] = _start(order, folder)
        wait_for_players(running, LIMIT, POLL, partial(_failure, folder))
    finally:
        for process in running.values():
            process.kill()
        for process in running.values():
            process.wait()
    return [
        json.loads(_file(folder, order.number, "out").read_text(encoding="utf-8"))
        for order in orders
    ]


def _start(order: Order, folder: Path) -> subprocess.Popen[bytes]:
    with (
        _file(folder, order.number, "out").open("wb") as out,
        _file(folder, order.number, "errors").open("wb") as errors,
    ):
        return subprocess.Popen(  # noqa: S603 - our own program, with words of ours
            [sys.executable, "-m", "benchmarks.peer", json.dumps(asdict(order))],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            env=own_environment(),
        )


def _failure(folder: Path, number: int, status: int) -> str:
    """Return a sentence about a failure, with the last line of errors that says something.

    The frames of a group of errors are drawn around that line.
    """
    said = (
        _file(folder, number, "errors").read_text(encoding="utf-8", errors="replace").splitlines()
    )
    last = next((words for line in reversed(said) if (words := line.strip(" |+-"))), "?")
    return f"player {number} ended with status {status}: {last}"


def _file(folder: Path, number: int, what: str) -> Path:
    return folder / f"p{number}-{what}.txt"


def start_of(played: Played) -> tuple[int, int, int]:
    """Return three times in ns: last seat taken, all players signed, first question asked."""
    full = min(stamp.at for player in played.players if (stamp := player.first(FULL)))
    seated = min(stamp.at for player in played.players if (stamp := player.first("Seated")))
    asked = min(stamp.at for player in played.players if (stamp := player.first("Asked")))
    return full, seated, asked
