"""Stamps of a match: when a move is judged, the shortest path, claims, waits and work."""

from __future__ import annotations

import os

import pytest

from benchmarks import (
    deals,
    in_process,
    match,
)
from benchmarks.match import Played, Seen, Stamp, Turn
from crypto.group import KINDS, ristretto255
from p2p.table.replay import verify_log
from tests.counting import whole_deals


def ops(mult: int) -> dict[str, int]:
    return dict.fromkeys(KINDS, 0) | {"mult": mult}


def stamps(*said: str) -> tuple[Stamp, ...]:
    """Return stamps, each with its name, the milliseconds and the multiplications until then."""
    return tuple(
        Stamp(name, int(at) * 1_000_000, ops(int(mult))) for name, at, mult in map(str.split, said)
    )


def test_a_move_is_judged_when_the_last_peer_has_judged_it_and_its_claim(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match, "claims_of", lambda _log: [0, 42])
    mover = Seen(
        0,
        None,
        stamps(
            "Seated 1 0", "Asked 10 5", "act 20 5", "Moved 22 9", "Moved 55 12", "Proved 70 112"
        ),
    )
    other = Seen(
        1,
        None,
        stamps(
            "Seated 2 0",
            "Opened 9 7",
            "Moved 27 8",
            "Asked 27 8",
            "act 50 8",
            "Moved 52 10",
            "Proved 61 60",
        ),
    )
    turns = list(Played((mover, other), b"").turns())
    assert turns == [Turn(0, 7.0, (ops(4), ops(1)), 0), Turn(1, 20.0, (ops(103), ops(52)), 42)]


def test_every_claim_of_a_log_has_its_branches() -> None:
    log = in_process.match_log("escoba", 2, {"target": 1}, os.urandom, ristretto255())
    checked = verify_log(log).checked
    claims = match.claims_of(log)
    assert len(claims) == checked["moves"]
    assert whole_deals(len(claims))
    made = [branches for branches in claims if branches]
    assert len(made) == checked["claims"]
    assert all(1 <= branches <= 2 * 40 for branches in made)


def test_a_claim_after_entries_of_programs_belongs_to_no_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match, "claims_of", lambda _log: [0, 3])
    seen = Seen(
        0,
        None,
        stamps(
            "Seated 1 0",
            "attested 3 0",
            "Proved 4 0",
            "act 10 0",
            "Moved 13 0",
            "attested 14 0",
            "Proved 19 0",
            "act 30 0",
            "Moved 32 0",
            "Proved 37 0",
        ),
    )
    assert [turn.ms for turn in Played((seen,), b"").turns()] == [3.0, 7.0]


def test_a_wait_is_from_the_last_move_of_a_deal_to_the_first_question_of_the_next() -> None:
    first = Seen(
        0,
        None,
        stamps(
            "Seated 1 0",
            "Shuffling 2 0",
            "Asked 10 9",
            "act 11 9",
            "Moved 15 10",
            "Shuffling 16 10",
            "Shuffling 40 20",
            "Asked 72 40",
            "act 75 40",
            "Moved 77 41",
            "Shuffling 85 41",
            "Dealt 93 44",
        ),
    )
    other = Seen(
        1,
        None,
        stamps(
            "Seated 1 0",
            "Shuffling 2 0",
            "Asked 12 9",
            "act 20 9",
            "Moved 21 11",
            "Shuffling 22 11",
            "Shuffling 41 21",
            "Moved 78 50",
            "Asked 78 50",
            "act 80 50",
            "Shuffling 84 52",
            "Asked 92 53",
        ),
    )
    void, plain = deals.waits(Played((first, other), b""))
    assert void == deals.Wait(52.0, (ops(30), ops(41)), 2)
    assert plain == deals.Wait(12.0, (ops(3), ops(3)), 1)
    assert deals.times_of([], dict.fromkeys(KINDS, 1.0), 150.0) == {"count": 0, "aim_ms": 150.0}
