"""A player of a measured match: a computer player in a process of its own.

It uses the program's own match session, links and disk.

Its moves go the way a person's do, after a pause in which the table comes to rest. Every message
that would reach a face is stamped with the system's clock, which all processes of a machine share,
and with the group operations done so far; the stamps go to standard output at the end, as one JSON
object. `python -m benchmarks.peer` takes an `Order` as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import AsyncExitStack, redirect_stdout
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import trio

from benchmarks.strategies import STRATEGIES
from client.session.context import Context
from client.session.match import MatchSession
from client.session.messages import Lobby, Message, News, Seated
from client.session.seats import LocalSeats
from client.session.setup_rules import LocalPlayer
from client.session.signals import run_trio
from client.session.table_choices import LIMIT_S
from client.session.work import Input
from client.storage.home import Home
from client.ui.plain.console import Console
from client.ui.plain.printing import say
from crypto.chance import below
from crypto.group import KINDS, ristretto255
from engine.bots import bot_for
from engine.core.view import View
from engine.games import game_class
from p2p.net.discovery import open_discovery
from p2p.net.errors import Unreachable
from p2p.net.mesh import Mesh
from p2p.table.events import Asked, Moved, Shuffling
from p2p.table.lobby import Draft, SeatRequest
from p2p.table.terms import COMPUTER

LOOPBACK = "127.0.0.1"
FULL = "full"
"""The stamp of a host whose last seat has just been taken."""
ACT = "act"
"""The stamp of a player who has decided, before anything is done about it."""
LEAVE = "leave"
"""The stamp of a player who gives up its place."""
ATTESTED = "attested"
"""The stamp of a move that a program has made for its seat, which nobody waits for."""
DIAL_TIMEOUT_S = 20.0
"""Seconds in which a guest must reach the host."""
STATUS = Path("/proc/self/status")
"""The file in which Linux reports a process's peak memory. There, `getrusage` also counts the
parent before `exec`."""


@dataclass(frozen=True)
class Order:
    """The order to a player.

    Number 1 opens the table on `port`; the others sit down at it, once they reach it.
    """

    number: int
    seats: int
    port: int
    home: str
    game: str
    options: dict[str, Any]
    pause: float
    """Seconds between a question and the move."""
    slow_moves: int | None = None
    """How many of its moves in each deal take that pause, after which it makes them at once; None
    is all of them."""
    decks: int = 0
    """Leave at the first question after this many decks: there is nothing more to measure. 0 plays
    to the end."""
    leaver: int = 0
    """The number of the player that gives up its place; 0 is all of them."""
    ahead: bool = True
    """Make the next deck while the player has nothing else to do."""
    strategy: str = ""
    """How to play, a name of benchmarks.strategies; otherwise as the game's computer player
    does."""
    whole: bool = False
    """Be a whole client: with a face, whose lines go nowhere, and with the announcing of tables."""


@dataclass
class Stamps:
    """The observations of a player, with their times and group operations."""

    seat: int = -1
    peak_bytes: int | None = None
    log: str = ""
    stamps: list[tuple[str, int, list[int]]] = field(default_factory=list)
    """The event's name, nanoseconds of the system's clock, and the operations so far in the order
    of KINDS."""

    def sit_down(self, seat: int) -> None:
        """Note our seat."""
        self.seat = seat
        self.add("Seated")

    def end(self, log: Path) -> None:
        """Note the log, and the peak of the memory."""
        self.log, self.peak_bytes = str(log), peak_memory()

    def add(self, name: str) -> None:
        """Stamp something that happens now."""
        counts = ristretto255().counts
        self.stamps.append((name, time.monotonic_ns(), [counts[kind] for kind in KINDS]))


class Unhurried(MatchSession):
    """A match session that makes a deck only when the rules ask for it."""

    async def _next_inputs(self, local_seats: LocalSeats) -> list[Input]:
        del local_seats
        return await self._inputs.take()


class MeasuredPlayer:
    """The computer player, its match session, and its notes."""

    def __init__(self, order: Order, nursery: trio.Nursery, context: Context, mesh: Mesh) -> None:
        self.order, self.nursery = order, nursery
        self.seen = Stamps()
        kind = MatchSession if order.ahead else Unhurried
        nick = f"Computer {order.number}"
        seat_request = SeatRequest(context.identity, nick, context.entropy, kind=COMPUTER)
        self.match_session = kind(context, mesh, [LocalPlayer(seat_request)], self.tell)
        self._face = Console() if order.whole else None
        self._bot = STRATEGIES[order.strategy] if order.strategy else bot_for(order.game)
        self._decks = self._moves = 0

    def tell(self, message: Message) -> None:
        """Stamp a message, and answer it if it is a question."""
        if isinstance(message, Lobby) and all(message.seats):
            self.seen.add(FULL)
        elif isinstance(message, Seated):
            assert message.seat is not None
            self.seen.sit_down(message.seat)
        elif isinstance(message, News):
            attested = isinstance(message.event, Moved) and message.event.auto
            self.seen.add(ATTESTED if attested else type(message.event).__name__)
            if isinstance(message.event, Shuffling):
                self._decks, self._moves = self._decks + 1, 0
            elif isinstance(message.event, Asked):
                self._moves += 1
                self.nursery.start_soon(self._answer, message.view)
        if self._face:
            self._face.tell(message)

    async def _answer(self, view: View) -> None:
        """Choose.

        Where partners are asked together the first of them answers, so that no answer comes too
        late.
        """
        if view.game.sides < view.game.players and view.turn[:1] != (view.seat,):
            return
        if self.order.slow_moves is None or self._moves <= self.order.slow_moves:
            await trio.sleep(self.order.pause)
        leaving = 0 < self.order.decks <= self._decks and self.order.leaver in (
            0,
            self.order.number,
        )
        move = None if leaving else self._bot(view, lambda bound: below(bound, os.urandom))
        self.seen.add(LEAVE if leaving else ACT)
        self.match_session.choose(self.seen.seat, move)


async def play(order: Order) -> Stamps:
    """Play a match as ordered, and return what was seen."""
    home = Home(Path(order.home))
    context = Context(home, LOOPBACK, order.port if order.number == 1 else 0)
    async with AsyncExitStack() as stack:
        if order.whole:
            await stack.enter_async_context(open_discovery(LOOPBACK))
        mesh = await stack.enter_async_context(context.open_mesh())
        nursery = await stack.enter_async_context(trio.open_nursery())
        player = MeasuredPlayer(order, nursery, context, mesh)
        if order.number == 1:
            rules = game_class(order.game).version
            seat_requests: tuple[None, ...] = (None,) * order.seats
            draft = Draft(
                "bench",
                order.game,
                rules,
                order.options,
                limit=LIMIT_S,
                spectators=False,
                seats=seat_requests,
            )
            await player.match_session.host(draft)
        else:
            with trio.fail_after(DIAL_TIMEOUT_S):
                peer = await _reach(mesh, order.port)
            await player.match_session.join(peer)
        nursery.cancel_scope.cancel()
    assert player.match_session.local_seats is not None
    player.seen.end(player.match_session.local_seats.files.log)
    return player.seen


async def _reach(mesh: Mesh, port: int) -> bytes:
    """Dial until the host listens."""
    while True:
        try:
            return await mesh.dial([(LOOPBACK, port)])
        except Unreachable:
            await trio.sleep(0.02)


def peak_memory() -> int | None:
    """Return this process's peak memory in bytes so far; None where the system does not say."""
    if STATUS.exists():
        for line in STATUS.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - there is no such module on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def main() -> None:
    """Carry out the order in the first argument."""
    order = Order(**json.loads(sys.argv[1]))
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        seen = run_trio(play, order)
    say(json.dumps(asdict(seen)))


if __name__ == "__main__":
    main()
