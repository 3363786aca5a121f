"""The measurement of all backends of the group side by side in one run.

Each backend does the same work in turn, so a busy machine slows all of them.

The processor's time counts: other programs take it from long works more often than from short ones.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

from benchmarks.cost import Course, Timed, UnitCosts, total
from benchmarks.in_process import match_log
from benchmarks.inside import CARDS, ticks
from benchmarks.proofs import FACES, SLOTS, Claims, SecondShuffle, checking
from benchmarks.settings import BenchSettings, Row, ms
from client.session.signals import run_trio
from crypto.chance import Entropy
from crypto.dalek import Dalek
from crypto.group import KINDS, Group
from crypto.masking import decode_deck, encode_deck
from crypto.plain import Plain
from p2p.table.replay import verify_log

DECK = 52
FASTER = {"shuffle": 2.0, "prove": 3.0, "verify": 6.0, "claims": 3.0, "log": 3.0}
"""The aim: how many times as fast as with libsodium each work is with curve25519-dalek. `claims`
are proven and checked."""
ROUND_S = 0.25
"""Seconds in which each backend works once beside the ticker, so that it is the same amount of
work. libsodium needs 0.15."""
MANY = 4200
"""Elements that make a backend forget those that it has decoded before."""
TIMES = {Dalek.name: 15, Plain.name: 3}
"""How often each work is done with a backend; 9 times with others."""


def side_by_side(settings: BenchSettings) -> dict[str, Any]:
    """Measure shuffles, claims, the verifying of a log and the ticker, with every backend."""
    settings.say("playing a match")
    log = match_log(
        "escoba", 2, {"target": 1 if settings.quick else 21}, _repeated(), settings.group
    )
    groups = settings.groups()
    costs = [UnitCosts(group, time.thread_time_ns) for group in groups]
    noise = b"".join(settings.group.base(k) for k in range(1, MANY + 1))
    courses = [_courses(group, cost, log, noise) for group, cost in zip(groups, costs, strict=True)]
    for turn in range(settings.times(max(TIMES.values()))):
        for group, cost, course in zip(groups, costs, courses, strict=True):
            if turn >= settings.times(TIMES.get(group.backend.name, 9)):
                continue
            settings.say(group.backend.name)
            cost.sample()
            for work in course.values():
                work.again()
    found = []
    for group, cost, course in zip(groups, costs, courses, strict=True):
        cost.sample()
        timed = {name: work.timed for name, work in course.items()}
        timed["claims"] = _together(timed["claim"], timed["check"])
        works = {name: work.json() for name, work in timed.items()}
        found.append(
            {
                "backend": group.backend.name,
                "units_us": cost.units,
                "works": works,
                "ticker": _ticker(settings, group),
            }
        )
    return {
        "cards": DECK,
        "slots": SLOTS,
        "faces": FACES,
        "log_bytes": len(log),
        "faster": FASTER,
        "backends": found,
    }


def _repeated() -> Entropy:
    """Return randomness that is the same in every run, so that each verifies the same match."""
    turns = count()
    return lambda size: hashlib.shake_256(b"sobremesa bench %d" % next(turns)).digest(size)


def _together(first: Timed, second: Timed) -> Timed:
    return Timed(first.ms + second.ms, total([first.ops, second.ops]), first.units)


def _courses(group: Group, costs: UnitCosts, log: bytes, noise: bytes) -> dict[str, Course[Any]]:
    """Give each work by its name, done once.

    The log is verified as one that was never seen before.
    """
    deck, claims = SecondShuffle(group, DECK), Claims(group)
    after, proofs = deck.shuffle(), claims.prove()
    received = encode_deck(deck.before)
    return {
        # A seat has verified a deck just before it shuffles it.
        "shuffle": Course(group, deck.shuffle, costs, lambda: decode_deck(group, received, DECK)),
        "prove": Course(group, lambda: deck.prove(after), costs),
        "verify": Course(group, costs=costs, **checking(SecondShuffle(group, DECK))),
        "claim": Course(group, claims.prove, costs),
        "check": Course(group, lambda: claims.verify(proofs), costs),
        "log": Course(
            group, lambda: verify_log(log, group), costs, lambda: group.elements(noise, MANY)
        ),
    }


def _ticker(settings: BenchSettings, group: Group) -> dict[str, Any] | None:
    """Measure the ticker beside this backend, which works once in ROUND_S.

    None for plain Python: a round of it takes seconds.
    """
    if group.backend.name == Plain.name:
        return None
    settings.say("ticks, 99th percentile: beside 165 cards")
    work = SecondShuffle(group, CARDS)
    work.all()
    return run_trio(ticks, work, 0.3 if settings.quick else 10.0, ROUND_S)


def side_by_side_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return the rows of the backends side by side."""
    claim = f"{found['slots']} slots of {found['faces']} faces"
    names = {
        "shuffle": f"{found['cards']} cards: shuffle",
        "prove": f"{found['cards']} cards: prove",
        "verify": f"{found['cards']} cards: verify",
        "claim": f"{claim}: prove",
        "check": f"{claim}: verify",
        "claims": f"{claim}: prove, verify",
        "log": "Verifying a log",
    }
    usual = next((one for one in found["backends"] if "libsodium" in one["backend"]), None)
    for work, name in names.items():
        for one in found["backends"]:
            part = one["works"][work]
            times = usual["works"][work]["ms"] / part["ms"] if usual else None
            yield Row(
                f"{name}, {one['backend']}",
                ms(part["ms"]),
                ms(part["ops_ms"]),
                part["ratio"],
                *_speed(one["backend"], work, times),
            )
    for one in found["backends"]:
        if one["ticker"]:
            about, late = "ticks, 99th percentile: beside 165 cards", one["ticker"]["p99_ms"]
            limit = usual["ticker"]["p99_ms"] if usual and one["backend"] == Dalek.name else None
            missed = None if limit is None else late > limit
            aim = "" if limit is None else ms(limit)
            yield Row(
                f"{about}, {one['backend']}",
                f"{ms(late)} late",
                aim=aim,
                missed=missed,
            )
    yield Row(
        f"One operation of the group, in microseconds: {', '.join(_names(found))}",
        "",
    )
    for kind in KINDS:
        yield Row(kind, ", ".join(f"{one['units_us'][kind]:.1f}" for one in found["backends"]))


def _names(found: dict[str, Any]) -> list[str]:
    return [one["backend"] for one in found["backends"]]


def _speed(backend: str, work: str, times: float | None) -> tuple[str, bool | None]:
    """Return the speed relative to libsodium and, for the native backend, whether it is too low."""
    if times is None:
        return "", None
    said = f"×{times:.2f}"
    if backend != Dalek.name or work not in FASTER:
        return said, None
    return f"{said} / ×{FASTER[work]:g}", times < FASTER[work]
