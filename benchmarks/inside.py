"""Figures of one process: event loop during a proof, engine alone, verification of a log."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import trio

from benchmarks.cost import UnitCosts, difference, ops_ms, percentile
from benchmarks.in_process import match_log
from benchmarks.proofs import RATIO, SecondShuffle
from benchmarks.settings import BenchSettings, Row, ms
from client.session.signals import run_trio
from engine.bots import chance, chance_for
from engine.core.cards import JOKER
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import GAMES, game_class, new_game
from engine.games.kinaskak.melds import CONTRACTS, PACK
from engine.games.kinaskak.search import ways
from p2p.table.replay import verify_log

CARDS = 165
TICK_S = 0.005
LATE_MS = 20.0
"""Milliseconds by which the 99th percentile of the ticks may be late."""
SMALL = 10_000
"""Actions a second in an open deck: of every game but those that SPEED names."""
SPEED = {"kinaskak": 2_000}
FINGERPRINTS = {"escoba": 4_000}
"""The same with a fingerprint of the state after each action."""
HAND, JOKERS = 19, 3
"""A hand of Kínaskák whose best melds are looked for."""
SEARCH_MS = 50.0
"""The aim for this search, in milliseconds."""


def ticker(settings: BenchSettings) -> dict[str, Any]:
    """Measure how late a 5 ms ticker is while a worker thread works, and while it rests.

    The worker thread shuffles, proves and verifies 165 cards.
    """
    work = SecondShuffle(settings.group, CARDS)
    work.all()
    seconds = 0.3 if settings.quick else 4.0
    found = {"cards": CARDS, "tick_ms": 1000 * TICK_S, "aim_ms": LATE_MS}
    return found | {"idle": run_trio(ticks, None, seconds), "busy": run_trio(ticks, work, seconds)}


async def ticks(work: SecondShuffle | None, seconds: float, every: float = 0.0) -> dict[str, Any]:
    """Measure how late a ticker is for `seconds`, while a thread repeats `work`.

    The thread begins it at most once in `every` seconds, so that two backends can be compared
    beside the same amount of work. Without `work` it rests.
    """
    late: list[float] = []

    async def tick() -> None:
        while True:
            due = time.perf_counter() + TICK_S
            await trio.sleep(TICK_S)
            late.append(1000 * max(time.perf_counter() - due, 0.0))

    rounds = 0
    until = time.perf_counter() + seconds
    async with trio.open_nursery() as nursery:
        nursery.start_soon(tick)
        while time.perf_counter() < until:
            if work is None:
                await trio.sleep(seconds)
            else:
                due = time.perf_counter() + every
                await trio.to_thread.run_sync(work.all)
                await trio.sleep(max(due - time.perf_counter(), 0.0))
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
    """Return the rows of the ticker."""
    for kind, about in (
        ("idle", "ticks, 99th percentile: nothing else to do"),
        ("busy", "ticks, 99th percentile: beside 165 cards"),
    ):
        late, aim = found[kind]["p99_ms"], found["aim_ms"] if kind == "busy" else None
        yield Row(
            about,
            f"{ms(late)} late",
            aim=ms(aim) if aim else "",
            missed=late > aim if aim else None,
        )


def engine(settings: BenchSettings) -> dict[str, Any]:
    """Measure the actions per second of random matches in an open deck, and the meld search."""
    return {"games": [_engine(settings, game) for game in GAMES], "melds": _melds(settings)}


def _engine(settings: BenchSettings, game: str) -> dict[str, Any]:
    settings.say(game)
    seconds = 0.1 if settings.quick else 2.0
    found: dict[str, Any] = {"game": game}
    found["alone"] = _by_chance(game, seconds, fingerprints=False) | {"aim": SPEED.get(game, SMALL)}
    found["fingerprint"] = _by_chance(game, seconds, fingerprints=True) | {
        "aim": FINGERPRINTS.get(game)
    }
    return found


def _by_chance(game: str, seconds: float, *, fingerprints: bool) -> dict[str, Any]:
    """Play matches by chance for `seconds`, with the fewest seats and with four in turn.

    An action is to list what may be done, to judge the move and to go on to the next question; the
    player's own thinking, and making the view that it thinks about, are not measured.
    `judged_per_second` leaves out the listing too. It is the processor's time that counts: no disk
    and no peer is waited for.
    """
    source = random.Random(1)  # noqa: S311 - the same matches every time; nothing is secret here
    play, fewest = chance_for(game), min(game_class(game).allowed_players)
    actions = matches = 0
    listing = acting = 0.0
    while listing + acting < seconds:
        players = (fewest, 4)[matches % 2]
        deck = OpenDeck(
            new_game(game, players), shuffled(source.randrange), source.randrange(players)
        )
        matches += 1
        while deck.turn and listing + acting < seconds:
            seat = deck.turn[0]
            began = time.process_time()
            options = list(deck.options(seat))
            listed = time.process_time()
            move = (
                source.choice(options)
                if play is chance.play
                else play(deck.view(seat), source.randrange)
            )
            chosen = time.process_time()
            deck.act(seat, move)
            if fingerprints:
                deck.run.fingerprint()
            listing, acting = listing + listed - began, acting + time.process_time() - chosen
            actions += 1
    return {
        "actions": actions,
        "per_second": round(actions / (listing + acting)),
        "judged_per_second": round(actions / acting),
    }


def _melds(settings: BenchSettings) -> dict[str, Any]:
    """Measure the search for the best melds in large hands of Kínaskák.

    Each contract is measured equally often.
    """
    settings.say("the best melds")
    source = random.Random(1)  # noqa: S311 - the same hands every time; nothing is secret here
    natural = [card for card in PACK if card != JOKER]
    took: list[float] = []
    for number in range(settings.times(20) * len(CONTRACTS)):
        hand = source.sample(natural, HAND - JOKERS) + [JOKER] * JOKERS
        began = time.process_time()
        ways(hand, number % len(CONTRACTS) + 1)
        took.append(1000 * (time.process_time() - began))
    return {
        "cards": HAND,
        "jokers": JOKERS,
        "hands": len(took),
        "median_ms": round(median(took), 2),
        "p99_ms": round(percentile(took, 99), 2),
        "aim_ms": SEARCH_MS,
    }


def engine_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return the rows of the engine."""
    for one in found["games"]:
        about = {
            "alone": f"{one['game']}: actions",
            "fingerprint": f"{one['game']}: actions, each with a fingerprint",
        }
        for kind, name in about.items():
            speed, aim = one[kind]["per_second"], one[kind]["aim"]
            took = f"{speed:,} a second"
            yield Row(
                name, took, aim=f"{aim:,}" if aim else "", missed=speed < aim if aim else None
            )
    found = found["melds"]
    name = f"the best melds of {found['cards']} cards, {found['jokers']} of them jokers"
    took = f"{ms(found['median_ms'])}, 99 % {ms(found['p99_ms'])}"
    yield Row(name, took, aim=ms(found["aim_ms"]), missed=found["p99_ms"] > found["aim_ms"])


def verify(settings: BenchSettings) -> dict[str, Any]:
    """Measure how long it takes to verify the log of a match of two."""
    settings.say("playing a match")
    log = match_log(
        "escoba", 2, {"target": 1 if settings.quick else 21}, os.urandom, settings.group
    )
    settings.say("verifying its log")
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


def verify_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return the rows of the verification."""
    name = f"a match of two, {found['checked']['steps']} steps"
    took, limit = ms(1000 * found["seconds"]), ms(1000 * found["ops_seconds"])
    yield Row(
        name,
        took,
        limit,
        found["ratio"],
        f"ratio {RATIO}",
        found["ratio"] > RATIO,
    )
