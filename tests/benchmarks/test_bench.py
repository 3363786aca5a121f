"""The benchmarks: every section has figures that can be told, the counts are those of the work
done, and no time is asserted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import __main__ as bench
from benchmarks import backends, cost, inside, match, proofs
from benchmarks.__main__ import SECTIONS, main
from benchmarks.settings import BenchSettings
from client.session.status import Stop
from crypto.group import KINDS, ristretto255
from crypto.masking import encode_deck
from crypto.shuffle import proof_size
from engine.games import GAMES
from p2p.table.log import entries_record
from tests.counting import counting
from tests.ring import Ring
from tests.standin import standin_group

CHEAP = ("shuffle", "claims", "deals", "engine", "verify", "screens")
"""Sections that need little time; the soak runs them all."""


@pytest.mark.slow
@pytest.mark.parametrize("sections", [CHEAP, pytest.param(tuple(SECTIONS), marks=pytest.mark.soak)])
def test_sections_once(capsys: pytest.CaptureFixture[str], sections: tuple[str, ...]) -> None:
    assert main(["--quick", "--json", "--only", *sections]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(sections) <= set(found)
    assert set(found["units_us"]) == set(KINDS)
    for section in sections:
        head, *lines = bench.table_lines(SECTIONS[section].rows(found[section]), on=False)
        assert head.split() == ["what", "took", "limit", "ratio", "aim"]
        assert lines
        assert all(line.startswith("  ") and len(line) < 130 for line in lines)
    assert [one["game"] for one in found["engine"]["games"]] == list(GAMES)
    assert [size["cards"] for size in found["shuffle"]["sizes"]] == [28, 40, 52, 165]
    for size in found["shuffle"]["sizes"]:
        assert size["proof_bytes"] == proof_size(size["cards"])
        # of the deck A and B, of the proof C and its chain
        assert size["verify"]["ops"]["decode"] == 4 * size["cards"]
    (deal,) = found["deals"]["series"]
    # Each has shuffled 40 cards, proven it, and checked what the other did.
    assert deal["work"]["ops"]["base_mask"] == 2 * 80
    assert deal["without"]["aim_ms"] == deal["work"]["ops_ms"]


def test_an_unknown_section_is_refused_with_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--only", "luck"]) == 2
    error = capsys.readouterr().err
    assert "luck" in error
    assert "shuffle" in error
    assert error.count("\n") == 1


def test_a_missed_aim_is_said_in_words() -> None:
    found = {
        "alone": {"per_second": 9_999, "aim": 10_000},
        "fingerprint": {"per_second": 4_000, "aim": 4_000},
    }
    melds = {"cards": 19, "jokers": 3, "median_ms": 9.0, "p99_ms": 50.5, "aim_ms": 50.0}
    rows = inside.engine_rows({"games": [{"game": "escoba", **found}], "melds": melds})
    lines = list(bench.table_lines(rows, on=False))
    assert [line.split()[-1] for line in lines[1:4]] == ["missed", "reached", "missed"]


def test_the_group_counts_what_its_backend_is_asked_for() -> None:
    group, backend = counting()
    work = proofs.SecondShuffle(group, 28)
    after = work.shuffle()
    proof = work.prove(after)
    for part in (
        work.shuffle,
        lambda: work.prove(after),
        lambda: work.verify(encode_deck(after), proof),
    ):
        counts, calls = group.counts, Counter(backend.calls)
        part()
        assert cost.difference(group.counts, counts) == cost.difference(backend.calls, calls)


def test_operations_do_not_vary_nor_depend_on_the_group() -> None:
    groups = (counting()[0], counting()[0], ristretto255())
    found = [proofs.claims(BenchSettings(quick=True, group=group)) for group in groups]
    for part in ("prove", "verify"):
        assert found[0][part]["ops"] == found[1][part]["ops"] == found[2][part]["ops"]


def test_timing_leaves_out_the_first_time_and_its_own_unit_costs() -> None:
    group, backend = counting()
    calls: list[Counter[str]] = []

    def work() -> int:
        before = Counter(backend.calls)
        group.family(b"bench", b"", 5)  # hashed at the first call only
        group.combine_each([((2, 3), (group.base(5), group.base(6)))])
        calls.append(Counter(cost.difference(backend.calls, before)))
        return len(calls)

    found, result = cost.timed(group, work, 3)
    assert (result, calls[0]["hash"]) == (4, 5)
    assert dict(found.ops) == dict.fromkeys(KINDS, 0) | {"mult": 1, "term": 1, "base": 2}


def test_figures_of_times() -> None:
    units = dict.fromkeys(KINDS, 10.0) | {"mult": 50.0}
    found = cost.Timed(3.0, dict.fromkeys(KINDS, 0) | {"mult": 20, "add": 100}, units)
    assert found.json() == {"ms": 3.0, "ops": dict(found.ops), "ops_ms": 2.0, "ratio": 1.5}
    assert cost.Timed(3.0, dict.fromkeys(KINDS, 0), units).json()["ratio"] is None
    assert [cost.percentile(range(1, 101), part) for part in (99, 95)] == [99, 95]
    assert cost.percentile([1.0, 2.0], 50) == 1.0


def test_a_player_that_fails_ends_the_others_with_its_last_words() -> None:
    with pytest.raises(Stop, match=r"^player [12] ended with status 1: ValueError"):
        match.play(2, {"target": 1}, pause=-1.0)


def test_players_whose_logs_differ_are_no_match(tmp_path: Path) -> None:
    """A player that leaves early has only the beginning, and of the seals only some."""
    ring, other = (Ring("escoba", 2, group=standin_group(), target=1, seed=seed) for seed in "ab")
    ring.play()
    other.play()
    table = ring.tables[0]
    _at, unsealed = table.log_update(None, seals=False)
    some = entries_record("seals", [table.seals[1]])
    contents = (ring.logs[0], unsealed + some, unsealed, other.logs[0])
    found = []
    for number, data in enumerate(contents):
        (tmp_path / str(number)).write_bytes(data)
        found.append({"log": str(tmp_path / str(number))})
    assert match.agreed_log(found[:3]) == ring.logs[0]
    with pytest.raises(Stop, match="differ"):
        match.agreed_log(found)


@pytest.mark.parametrize(
    ("section", "patched", "answer", "why"),
    [
        ("browser", "browser.shutil.which", lambda _name: None, "it needs Chromium and playwright"),
        ("window", "screens.sys.platform", "win32", "this system has no pseudo-terminals"),
    ],
)
def test_a_section_that_cannot_be_measured_here_says_so(monkeypatch, section, patched, answer, why):
    monkeypatch.setattr(f"benchmarks.{patched}", answer)
    found = SECTIONS[section].measure(BenchSettings(quick=True))
    (row,) = SECTIONS[section].rows(found)
    assert (found, row.took, row.missed) == ({}, f"not measured: {why}", None)


@pytest.mark.parametrize(("late", "missed"), [(1.2, False), (3.4, True)])
def test_a_native_ticker_that_is_later_than_that_of_libsodium_misses_its_aim(
    late: float, missed: bool
) -> None:
    works = {
        work: {"ms": 1.0, "ops_ms": 1.0, "ratio": 1.0}
        for work in [*backends.FASTER, "claim", "check"]
    }
    units = {"works": works, "units_us": dict.fromkeys(KINDS, 1.0)}
    measured = [
        {"backend": name, **units, "ticker": {"p99_ms": p99}}
        for name, p99 in (("curve25519-dalek", late), ("libsodium", 2.3))
    ]
    found = {"cards": 52, "slots": 7, "faces": 21, "backends": measured}
    rows = [row for row in backends.side_by_side_rows(found) if "165" in row.name]
    assert [(row.aim, row.missed) for row in rows] == [("2.3 ms", missed), ("", None)]
