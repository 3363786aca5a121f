"""Measure how much a seated peer learns from the clock about the cards of a computer player.

    python -m tests.clockwatcher --decisions 1000
    python -m tests.clockwatcher --decisions 200 --unbounded --game escoba

The player is a process of its own, on loopback. The watcher plays against it, and all the time
measures how soon its program answers to `look`, a thousand times a second (`--unbounded` lets the
player answer each). For each decision the delays since the question, and the time of the move
itself, give some figures. Afterwards it is known which decisions had only one legal move, and how
long each one computes by itself; the watcher looks for the figure that best tells these.

The output gives the area under the curve of the best figure (0.5 is guessing) and its rank
correlation, beside the best ones of 200 random orders of the same decisions: a player that shows
nothing gives about the same. The number of cards that the player holds is public. It tells how far
the deal is, and the time to think depends on that, as does other work of the program, such as the
next shuffle. So the orders are random only among decisions with as many cards.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import trio

from client.session import router
from client.session.context import Context
from client.session.match import MatchSession
from client.session.messages import Message, News
from client.session.seats import LocalSeats
from client.session.setup_rules import LocalPlayer, SetupRules
from client.session.work import Question
from client.storage.home import Home
from engine.bots import bot_for, chance_for
from engine.games import complete_options, game_class
from p2p.net.errors import NetError
from p2p.net.mesh import Mesh
from p2p.table.events import Asked, Moved
from p2p.table.lobby import Draft, SeatRequest
from tests.end_to_end.processes import LOOPBACK

PERIOD_S = 0.001
WINDOWS_S = ((0.0, 0.05), (0.0, 0.15), (0.0, 0.3), (0.0, 0.5), (0.15, 0.5), (0.4, 1.0))
ORDERS = 200
PUBLIC = ([], ["draw"], ["pass"])
"""The moves that everybody knows to be the only legal ones."""
OPTIONS: dict[str, dict[str, Any]] = {"domino": {"target": 10}, "escoba": {"target": 31}}
MATCH_S = 900.0
TRUTH_S = 120.0


async def host(folder: Path, port: int, game: str, *, unbounded: bool) -> None:
    """Be the player: host one match, and write the truth about its decisions to `truth.json`."""
    questions: list[tuple[float, Question]] = []
    ask = LocalSeats.ask

    def noted(self: LocalSeats) -> list[Question]:
        found = ask(self)
        questions.extend((time.monotonic(), question) for question in found)
        return found

    setattr(LocalSeats, "ask", noted)  # noqa: B010 - a type checker knows no patches
    if unbounded:
        router.REFUSALS = 10**9
    context = Context(Home(folder / "host"), LOOPBACK, port)
    async with context.open_mesh() as mesh:
        me = LocalPlayer(SeatRequest(context.identity, "Player", os.urandom), bot=True)
        session = MatchSession(context, mesh, [me], lambda _message: None, SetupRules(timed=True))
        rules = complete_options(game, 2, OPTIONS.get(game, {}))
        version = game_class(game).version
        draft = Draft("clock", game, version, rules, 60, spectators=False, seats=(None, None))
        await session.host(draft)
    play, truth = bot_for(game), []
    for at, question in questions:
        took = []
        for seed in range(3):
            began = time.perf_counter()
            play(question.view, Random(seed).randrange)
            took.append(1000 * (time.perf_counter() - began))
        assert question.view.options is not None
        moves = len(list(question.view.options))
        held = len(question.view.game.hands[question.seat])
        truth.append({"at": at, "moves": moves, "ms": statistics.median(took), "held": held})
    (folder / "truth.json").write_text(json.dumps(truth))


class Watcher:
    """The seated peer: it plays at once, and measures delays all the time."""

    def __init__(self, folder: Path, port: int, game: str) -> None:
        self.folder, self.port, self.game = folder, port, game
        self.delays: list[tuple[float, float]] = []
        """When a probe was sent, and the seconds to its answer."""
        self.moves: list[tuple[float, str]] = []
        """When the other's moves came, and their texts."""
        self._sent: list[float] = []
        self._chance = Random(port)
        self.session: MatchSession | None = None

    async def play(self) -> None:
        """Play one match, and look meanwhile."""
        context = Context(Home(self.folder / "watcher"), LOOPBACK, 0)
        async with context.open_mesh() as mesh, trio.open_nursery() as nursery:
            peer = await self._reach(mesh)
            me = LocalPlayer(SeatRequest(context.identity, "Watcher", os.urandom))
            session = MatchSession(context, mesh, [me], self.tell)
            self.session = session

            handle = session.router.take_message

            async def heard(peer: bytes, message: dict[str, Any], nonces: Any) -> None:
                if message == {"t": "refuse", "why": "playing"} and self._sent:
                    sent = self._sent.pop(0)
                    self.delays.append((sent, time.monotonic() - sent))
                    return
                await handle(peer, message, nonces)

            setattr(session.router, "take_message", heard)  # noqa: B010 - the same
            nursery.start_soon(self._look, session, mesh, peer)
            with trio.move_on_after(MATCH_S):
                await session.join(peer)
            nursery.cancel_scope.cancel()

    def tell(self, message: Message) -> None:
        """Note the moves of the other, and answer questions at once.

        The answers are by chance: to think would delay what is measured, the longer the more there
        is to think about.
        """
        if not isinstance(message, News):
            return
        if isinstance(message.event, Moved) and message.event.seat == 0:
            self.moves.append((time.monotonic(), message.event.text))
        if isinstance(message.event, Asked) and self.session is not None:
            self.session.choose(1, chance_for(self.game)(message.view, self._chance.randrange))

    async def _reach(self, mesh: Mesh) -> bytes:
        while True:
            try:
                return await mesh.dial([(LOOPBACK, self.port)])
            except NetError:
                await trio.sleep(0.05)

    async def _look(self, session: MatchSession, mesh: Mesh, peer: bytes) -> None:
        """Ask as often as the link allows; an answer that never comes is not waited for."""
        while session.local_seats is None:
            await trio.sleep(0.05)
        while True:
            await trio.sleep(PERIOD_S)
            if self._sent and time.monotonic() - self._sent[0] > 1:
                self._sent.clear()
            self._sent.append(time.monotonic())
            mesh.send(peer, {"t": "look", "secret": b""})


def match(game: str, *, unbounded: bool) -> list[dict[str, Any]]:
    """Play one match; return the decisions, each with its truth and its figures."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), 20_000 + os.getpid() % 20_000
        order = ["--host", name, "--port", str(port), "--game", game]
        words = [sys.executable, "-m", "tests.clockwatcher", *order]
        player = subprocess.Popen([*words, "--unbounded"] if unbounded else words)
        watcher = Watcher(folder, port, game)
        try:
            trio.run(watcher.play)
            player.wait(TRUTH_S)
        except subprocess.TimeoutExpired:
            return []  # the match did not come to its end
        finally:
            player.kill()
            player.wait()
        truth = json.loads((folder / "truth.json").read_text())
    return [found for one in truth if (found := figures_of(one, watcher))]


def figures_of(truth: dict[str, Any], watcher: Watcher) -> dict[str, Any] | None:
    """Return a decision with the figures that the watcher has of it.

    None for a move that shows by itself that there was no other: its proofs take longer, too.
    """
    at = truth["at"]
    came, move = next(((when, text) for when, text in watcher.moves if when > at + 0.2), (at, ""))
    if move.split()[:1] in PUBLIC:
        return None
    found = {"time of the move": came - at}
    for start, end in WINDOWS_S:
        span = [d for sent, d in watcher.delays if at + start <= sent < min(at + end, came)]
        if len(span) < 2:
            continue
        span.sort()
        name = f"{1000 * start:.0f} to {1000 * end:.0f} ms"
        found[f"mean, {name}"] = statistics.fmean(span)
        found[f"median, {name}"] = span[len(span) // 2]
        found[f"90 %, {name}"] = span[int(0.9 * len(span))]
        found[f"longest, {name}"] = span[-1]
        found[f"answers, {name}"] = len(span)
    return {**truth, "figures": found}


def auc(values: Sequence[float], labels: Sequence[bool]) -> float:
    """Return the chance that a labelled decision has a greater figure than another."""
    ranks = ranked(values)
    ones = sum(labels)
    zeros = len(labels) - ones
    total = sum(rank for rank, label in zip(ranks, labels, strict=True) if label)
    return (total - ones * (ones + 1) / 2) / (ones * zeros) if ones and zeros else 0.5


def ranked(values: Sequence[float]) -> list[float]:
    """Return the ranks from 1, equal values sharing theirs."""
    places = defaultdict(list)
    for place, value in enumerate(sorted(values), 1):
        places[value].append(place)
    return [statistics.fmean(places[value]) for value in values]


def correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the rank correlation."""
    first, second = ranked(one), ranked(other)
    if len(set(first)) < 2 or len(set(second)) < 2:
        return 0.0
    return statistics.correlation(first, second)


def report(decisions: Sequence[dict[str, Any]]) -> None:
    """Print what the figures say of the decisions."""
    names = sorted(
        {name for one in decisions for name in one["figures"]},
        key=lambda name: (name not in decisions[0]["figures"], name),
    )
    names = [name for name in names if all(name in one["figures"] for one in decisions)]
    forced = [one["moves"] == 1 for one in decisions]
    load = [one["ms"] for one in decisions]
    columns = {name: [one["figures"][name] for one in decisions] for name in names}
    print(f"{len(decisions)} decisions, {sum(forced)} with one legal move, {len(names)} figures")
    for what, judge in (
        ("one legal move: area", lambda c, f, _l: abs(auc(c, f) - 0.5) + 0.5),
        ("load: rank correlation", lambda c, _f, w: abs(correlation(c, w))),
    ):
        best = max(names, key=lambda name: judge(columns[name], forced, load))
        held = [one["held"] for one in decisions]
        by_chance = random_best(columns, partial(judge), forced, load, held)
        value = judge(columns[best], forced, load)
        print(
            f"{what} {value:.3f} ({best}); in random orders half are above {by_chance[0]:.3f}, "
            f"1 in 20 above {by_chance[1]:.3f}"
        )


def random_best(
    columns: dict[str, list[float]],
    judge: Callable[[list[float], list[bool], list[float]], float],
    forced: Sequence[bool],
    load: Sequence[float],
    held: Sequence[int],
) -> tuple[float, float]:
    """Return the median and the 95th percentile of the best figure when the truth is shuffled.

    It is shuffled among decisions with as many cards held.
    """
    chance, found = Random(1), []
    alike = [[at for at, count in enumerate(held) if count == one] for one in set(held)]
    for _ in range(ORDERS):
        order = list(range(len(load)))
        for places in alike:
            for place, other in zip(places, chance.sample(places, len(places)), strict=True):
                order[place] = other
        f, w = [forced[place] for place in order], [load[place] for place in order]
        found.append(max(judge(column, f, w) for column in columns.values()))
    found.sort()
    return found[len(found) // 2], found[int(0.95 * len(found))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--decisions", type=int, default=100)
    parser.add_argument("--game", default="domino")
    parser.add_argument("--unbounded", action="store_true", help="answer every look")
    parser.add_argument("--host", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.host:
        trio.run(partial(host, unbounded=args.unbounded), Path(args.host), args.port, args.game)
        return
    decisions: list[dict[str, Any]] = []
    while len(decisions) < args.decisions:
        decisions += match(args.game, unbounded=args.unbounded)
        print(f"{len(decisions)} decisions so far", file=sys.stderr, flush=True)
    report(decisions)


if __name__ == "__main__":
    main()
