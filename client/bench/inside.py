"""Figures of one process: the event loop beside a proof, the engine by itself, and the verifying of a log."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import trio

from client.bench.cost import UnitCosts, difference, ops_ms, percentile
from client.bench.proofs import RATIO, Shuffling
from client.bench.settings import Row, Settings, ms
from client.words import _
from crypto.chance import Entropy, below
from crypto.group import Group
from crypto.identity import Identity
from engine.bots import chance
from engine.games import complete_options, game_class, new_game
from engine.open_deck import OpenDeck, shuffled
from p2p.table.replay import verify_log
from p2p.table.table import Table
from p2p.table.terms import Place, Terms

GAME = "escoba"
CARDS = 165
TICK = 0.005
LATE = 20.0
"""Milliseconds by which the 99th percentile of the ticks may be late."""
SPEED = {"alone": 10_000, "fingerprint": 4_000}
"""Actions a second in an open deck."""


def ticker(settings: Settings) -> dict[str, Any]:
    """Measure how late a 5 ms ticker is while a worker thread shuffles, proves and verifies 165 cards, and while it rests."""
    work = Shuffling(settings.group, CARDS)
    work.all()
    seconds = 0.3 if settings.quick else 4.0
    found = {"cards": CARDS, "tick_ms": 1000 * TICK, "aim_ms": LATE}
    return found | {"idle": trio.run(_tick, None, seconds), "busy": trio.run(_tick, work, seconds)}


async def _tick(work: Shuffling | None, seconds: float) -> dict[str, Any]:
    late: list[float] = []

    async def tick() -> None:
        while True:
            due = time.perf_counter() + TICK
            await trio.sleep(TICK)
            late.append(1000 * max(time.perf_counter() - due, 0.0))

    rounds = 0
    until = time.perf_counter() + seconds
    async with trio.open_nursery() as nursery:
        nursery.start_soon(tick)
        while time.perf_counter() < until:
            if work is None:
                await trio.sleep(seconds)
            else:
                await trio.to_thread.run_sync(work.all)
            rounds += 1
        nursery.cancel_scope.cancel()
    return {
        "ticks": len(late),
        "rounds": rounds if work else 0,
        "median_ms": round(median(late), 3),
        "p99_ms": round(percentile(late, 99), 3),
        "max_ms": round(max(late), 3),
    }


def ticker_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Say it."""
    for kind, about in (("idle", _("99 % of ticks, nothing else to do")), ("busy", _("99 % of ticks, beside 165 cards"))):
        late, aim = found[kind]["p99_ms"], found["aim_ms"] if kind == "busy" else None
        yield Row(about, _("{time} late").format(time=ms(late)), aim=ms(aim) if aim else "", missed=late > aim if aim else None)


def engine(settings: Settings) -> dict[str, Any]:
    """Measure how many actions a second random matches of Escoba go through in an open deck."""
    seconds = 0.1 if settings.quick else 2.0
    found: dict[str, Any] = {}
    for kind, aim in SPEED.items():
        settings.say(_("with fingerprints") if kind == "fingerprint" else _("without fingerprints"))
        actions, took = _random_matches(seconds, fingerprints=kind == "fingerprint")
        found[kind] = {"actions": actions, "per_second": round(actions / took), "aim": aim}
    return found


def _random_matches(seconds: float, *, fingerprints: bool) -> tuple[int, float]:
    """Play matches of two and four by chance for so long; return the actions and the seconds that they took."""
    source = random.Random(1)  # noqa: S311 - the same matches every time; nothing is secret here
    actions, began, matches = 0, time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        players = (2, 4)[matches % 2]
        deck = OpenDeck(new_game(GAME, players, complete_options(GAME, players, {})), shuffled(source.randrange))
        matches += 1
        while deck.turn:
            seat = deck.turn[0]
            deck.act(seat, source.choice(list(deck.options(seat))))
            actions += 1
            if fingerprints:
                deck.run.fingerprint()
    return actions, time.perf_counter() - began


def engine_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Say it."""
    for kind, about in (("alone", _("actions")), ("fingerprint", _("actions, each with a fingerprint"))):
        speed, aim = found[kind]["per_second"], found[kind]["aim"]
        yield Row(about, _("{count} a second").format(count=f"{speed:,}"), aim=f"{aim:,}", missed=speed < aim)


def verify(settings: Settings) -> dict[str, Any]:
    """Measure how long it takes to verify the log of a match of two."""
    settings.say(_("playing a match"))
    log = match_log(2, {"target": 1 if settings.quick else 21}, os.urandom, settings.group)
    settings.say(_("verifying its log"))
    costs = UnitCosts(settings.group)
    took: list[float] = []
    ops: dict[str, int] = {}
    for _again in range(settings.times(5)):
        group = settings.fresh_group()
        costs.sample()
        before, began = group.counts, time.perf_counter()
        verdict = verify_log(log, group)
        took.append(time.perf_counter() - began)
        ops = difference(group.counts, before)
        assert verdict.complete, "we have just played it to its end"
    costs.sample()
    limit = ops_ms(ops, costs.units) / 1000
    return {
        "peers": 2,
        "log_bytes": len(log),
        "checked": dict(verdict.checked),
        "seconds": round(median(took), 3),
        "ops": ops,
        "ops_seconds": round(limit, 3),
        "ratio": round(median(took) / limit, 3),
        "aim_ratio": RATIO,
        "units_us": costs.units,
    }


def match_log(players: int, options: dict[str, Any], entropy: Entropy, group: Group) -> bytes:
    """Play a match by chance between tables of this process, and return its log."""
    who = [Identity.from_seed(entropy(32)) for _ in range(players)]
    places = tuple(Place(one.public, f"Computer {seat + 1}", entropy(16)) for seat, one in enumerate(who))
    terms = Terms(
        GAME, game_class(GAME).version, complete_options(GAME, players, options), limit=60, spectators=False, places=places
    )
    signatures = [terms.sign(one) for one in who]
    tables = [Table(terms, signatures, seat, one, entropy, group) for seat, one in enumerate(who)]
    log = b""
    while not all(table.sealed for table in tables):
        for table in tables:
            table.proceed()
            if table.asked:
                table.act(chance.play(table.view(), lambda bound: below(bound, entropy)))
            _journal, new = table.data_to_store()
            log += new if table is tables[0] else b""
            table.events()
            for data in table.data_to_send():
                for other in tables:
                    if other is not table:
                        other.receive(data)
    return log


def verify_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Say it."""
    name = _("a match of two, {steps} steps").format(steps=found["checked"]["steps"])
    took, limit = ms(1000 * found["seconds"]), ms(1000 * found["ops_seconds"])
    yield Row(name, took, limit, found["ratio"], _("ratio {ratio}").format(ratio=RATIO), found["ratio"] > RATIO)
