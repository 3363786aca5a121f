"""Whichever arithmetic runs, matches are the same to the byte, and logs of any are verified with
any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from crypto.backend import Backend, backends
from crypto.group import Group
from crypto.plain import Plain
from p2p.table.replay import verify_log
from tests.ring import Ring
from tests.table.make_golden import GOLDEN, golden

EXAMPLE = Path(__file__).parents[2] / "docs" / "example.sobremesa"
FAST = [backend for backend in backends() if backend.name != Plain.name]


@pytest.mark.slow
@pytest.mark.parametrize("backend", FAST, ids=lambda backend: backend.name)
def test_a_seeded_match_has_the_same_bytes_with_each(backend: Backend) -> None:
    assert golden(Group(backend)) == GOLDEN.read_bytes()


@pytest.mark.slow
def test_a_small_match_has_the_same_bytes_with_all_plain_python_too() -> None:
    logs = set()
    for backend in backends():
        ring = Ring("tiny", 2, deals=1, seed="each", group=Group(backend))
        ring.play()
        assert all(table.sealed for table in ring.tables)
        logs.update(ring.logs)
    assert len(logs) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "log"),
    [*((backend, GOLDEN) for backend in FAST), *((backend, EXAMPLE) for backend in backends())],
    ids=lambda value: getattr(value, "name", ""),
)
def test_kept_logs_are_verified_with_each(backend: Backend, log: Path) -> None:
    assert verify_log(log.read_bytes(), Group(backend)).complete
