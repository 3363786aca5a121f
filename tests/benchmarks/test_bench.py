"""The benchmarks: every section has its figures, the counts are those of the work done, and no time
is asserted."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as bench
from benchmarks import (
    backends,
    cost,
    inside,
    match,
    peer,
    proofs,
)
from benchmarks.__main__ import SECTIONS, main
from benchmarks.settings import BenchSettings
from client.session.status import Stop
from crypto.group import KINDS, ristretto255
from crypto.masking import encode_deck
from crypto.shuffle import proof_size
from engine.games import GAMES
from p2p.table.log import entries_record
from tests.counting import counting, whole_deals
from tests.ring import Ring
from tests.standin import standin_group

HAS_BROWSER = shutil.which("chromium") is not None
PART = {"ms", "ops", "ops_ms", "ratio"}
FIELDS = {
    "shuffle": {
        "sizes": {"cards", "deck_bytes", "proof_bytes", "shuffle", "prove", "verify", "units_us"}
    },
    "claims": {"slots", "faces", "proof_bytes", "prove", "verify", "units_us"},
    "backends": {"cards", "slots", "faces", "log_bytes", "faster", "backends"},
    "start": {
        "matches": {
            *(
                "peers",
                "ms",
                "ms_each",
                "from_last_seat_ms",
                "ops",
                "ops_by_seat",
                "ops_ms",
                "ops_ms_on_these_cores",
            ),
            *("ratio", "aim_ms", "units_us"),
        }
    },
    "moves": {
        "matches": {"peers", "plain", "lays", "lays_about_60", "plain_beside_a_deck", "units_us"}
    },
    "deals": {
        "series": {"game", "peers", "options", "work", "ahead", "without"},
        "renewals": set(),
    },
    "leaving": {"game", "peers", "waits_ms", "aim_ms"},
    "passes": {"peers", "slots", "faces", "whole_hands", "all", "units_us"},
    "ticker": {"cards", "tick_ms", "aim_ms", "idle", "busy"},
    "engine": {"games", "melds"},
    "verify": {
        *(
            "peers",
            "log_bytes",
            "checked",
            "seconds",
            "ops",
            "ops_seconds",
            "ratio",
            "aim_ratio",
            "units_us",
        ),
    },
    "screens": {
        f"{game} {columns}×{rows}" for game in GAMES for columns, rows in ((80, 24), (120, 40))
    },
    "window": {"start_ms", "idle_lobby", "idle_table"},
    "browser": {"first_ms", "lobby_ms", "table_ms", "frame_ms", "worst_frame_ms", "page_kb", "idle"}
    if HAS_BROWSER
    else set(),
    "phones": {"visitors_bytes", "visitors_idle"}
    | ({"scan_ms", "tap_ms"} if HAS_BROWSER else set()),
    "memory": {"matches": {"peers", "peak_bytes", "log_bytes", "aim_bytes"}},
}
MACHINE = {
    "program",
    "python",
    "system",
    "backend",
    "cores",
    "quick",
    "load_before",
    "load_after",
    "units_us",
}


# The whole command.


CHEAP = ("shuffle", "claims", "deals", "engine", "verify", "screens")
"""Sections that need little time; the soak runs them all. Tests below say how the others use their
measurements."""


@pytest.mark.slow
def test_cheap_sections_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--quick", "--json", "--only", *CHEAP]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == MACHINE | set(CHEAP)
    for section in CHEAP:
        check_fields(found[section], FIELDS[section])
        check_lines(section, found[section])
    check_shuffles(found["shuffle"])
    check_deals(found["deals"])
    assert [one["game"] for one in found["engine"]["games"]] == list(GAMES)


@pytest.mark.soak
def test_everything_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One test for all that looks at the whole: it plays matches between processes."""
    printed: list[str] = []
    monkeypatch.setattr(
        "builtins.print", lambda *words, **_options: printed.append(" ".join(map(str, words)))
    )
    assert main(["--quick", "--json"]) == 0
    monkeypatch.undo()
    assert len(printed) == 1
    everything = json.loads(printed[0])
    assert set(everything) == MACHINE | set(bench.SECTIONS)
    assert set(everything["units_us"]) == set(KINDS)
    alone = {kind: cost for kind, cost in everything["units_us"].items() if "term" not in kind}
    assert all(cost > 0 for cost in alone.values())
    assert set(FIELDS) == set(bench.SECTIONS)
    for section, expected in FIELDS.items():
        check_fields(everything[section], expected)
        check_lines(section, everything[section])
    check_shuffles(everything["shuffle"])
    check_starts(everything["start"])
    check_moves(everything["moves"])
    check_deals(everything["deals"])
    assert [one["game"] for one in everything["engine"]["games"]] == list(GAMES)
    assert whole_deals(everything["verify"]["checked"]["moves"])
    assert everything["ticker"]["busy"]["rounds"] > 0
    for found in everything["memory"]["matches"]:
        assert len(found["peak_bytes"]) == found["peers"]
        assert all(peak is None or peak > 10_000_000 for peak in found["peak_bytes"])


def check_fields(found: dict[str, Any], expected: Any) -> None:
    assert set(found) == set(expected)
    if isinstance(expected, dict):
        for name, fields in expected.items():
            assert bool(found[name]) == bool(fields)  # the quick way leaves the renewals out
            assert all(set(item) == fields for item in found[name])


def check_lines(section: str, found: dict[str, Any]) -> None:
    """It can be said to people."""
    head, *lines = bench._lines(bench.SECTIONS[section].rows(found), on=False)
    assert head.split() == ["what", "took", "limit", "ratio", "aim"]
    assert lines
    assert all(line.startswith("  ") and len(line) < 130 for line in lines)


def check_shuffles(found: dict[str, Any]) -> None:
    assert [size["cards"] for size in found["sizes"]] == [28, 40, 52, 165]
    for size in found["sizes"]:
        n = size["cards"]
        assert size["proof_bytes"] == proof_size(n)
        assert size["deck_bytes"] == 64 * n
        for part in ("shuffle", "prove", "verify"):
            assert set(size[part]) == PART
            assert set(size[part]["ops"]) == set(KINDS)
        # of the deck A and B, of the proof C and its chain
        assert size["verify"]["ops"]["decode"] == 4 * n
        # generators and cards are hashed once in a process
        assert size["verify"]["ops"]["hash"] == 0


def check_starts(found: dict[str, Any]) -> None:
    for one in found["matches"]:
        assert len(one["ops_by_seat"]) == one["peers"]
        assert cost.total(one["ops_by_seat"]) == one["ops"]
        # Each has proven its shuffle of 40 cards and checked those of the others.
        assert all(ops["base_mask"] == 80 for ops in one["ops_by_seat"])
        assert all(ops["public_term"] > 230 * (one["peers"] - 1) for ops in one["ops_by_seat"])
        assert one["from_last_seat_ms"] >= one["ms"] > 0


def check_moves(found: dict[str, Any]) -> None:
    for one in found["matches"]:
        assert one["plain"]["count"] > 0
        assert whole_deals(one["plain"]["count"] + one["lays"]["count"])
        assert one["plain"]["branches"] == 0
        assert one["lays"]["count"] == 0 or one["lays"]["branches"] > 0
        assert one["plain"]["ops_ms"] >= one["plain"]["path_ms"] > 0


def check_deals(found: dict[str, Any]) -> None:
    (one,) = found["series"]
    assert (one["game"], one["peers"]) == ("siete-y-media", 2)
    # Each has shuffled 40 cards, proven it, and checked what the other did.
    assert one["work"]["ops"]["base_mask"] == 2 * 80
    assert one["work"]["ops"]["public_term"] > 2 * 230
    assert one["without"]["count"] == 1
    assert one["without"]["ms"] > 0
    assert one["without"]["aim_ms"] == one["work"]["ops_ms"]
    assert one["ahead"]["count"] + one["ahead"]["not_ready"] == 1


def test_memory_is_said_where_the_system_says_it() -> None:
    peak = peer.peak_memory()
    assert peak is None or peak > 10_000_000


def test_only_named_sections_are_measured_and_shown_as_a_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--quick", "--only", "claims", "engine"]) == 0
    out = capsys.readouterr().out
    assert "7 slots of 21 faces: verify" in out
    assert "kinaskak: actions, each with a fingerprint" in out
    assert "28 cards" not in out


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
    lines = list(
        bench._lines(
            inside.engine_rows({"games": [{"game": "escoba", **found}], "melds": melds}), on=False
        )
    )
    assert lines[1].endswith("missed")
    assert lines[2].endswith("reached")
    assert lines[3].endswith("missed")


# Counting.


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
    settings = [
        BenchSettings(quick=True, group=group)
        for group in (counting()[0], counting()[0], ristretto255())
    ]
    first, second, real = (proofs.claims(each) for each in settings)
    for part in ("prove", "verify"):
        assert first[part]["ops"] == second[part]["ops"] == real[part]["ops"]
    sizes = [proofs._shuffle(each, 28) for each in settings]
    for part in ("shuffle", "prove", "verify"):
        assert sizes[0][part]["ops"] == sizes[1][part]["ops"] == sizes[2][part]["ops"]


def test_timing_leaves_out_the_first_time_and_its_own_unit_costs() -> None:
    group, backend = counting()
    calls: list[Counter[str]] = []

    def work() -> int:
        before = Counter(backend.calls)
        group.family(b"bench", b"", 5)  # hashed at the first call only
        group.combine((2, 3), (group.base(5), group.base(6)))
        calls.append(Counter(cost.difference(backend.calls, before)))
        return len(calls)

    found, result = cost.timed(group, work, 3)
    assert result == 4
    assert calls[0]["hash"] == 5
    assert (
        dict(found.ops)
        == dict(calls[-1])
        == dict.fromkeys(KINDS, 0) | {"mult": 1, "term": 1, "base": 2}
    )


def test_the_ratio_is_the_time_over_the_operations_at_their_cost() -> None:
    units = dict.fromkeys(KINDS, 10.0) | {"mult": 50.0}
    found = cost.Timed(3.0, dict.fromkeys(KINDS, 0) | {"mult": 20, "add": 100}, units)
    assert found.json() == {"ms": 3.0, "ops": dict(found.ops), "ops_ms": 2.0, "ratio": 1.5}
    assert cost.Timed(3.0, dict.fromkeys(KINDS, 0), units).json()["ratio"] is None


def test_percentiles() -> None:
    assert cost.percentile(range(1, 101), 99) == 99
    assert cost.percentile(range(1, 101), 95) == 95
    assert cost.percentile([3.0], 95) == 3.0
    assert cost.percentile([1.0, 2.0], 50) == 1.0
    with pytest.raises(ValueError, match="no values"):
        cost.percentile([], 50)


# Failures.


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
    contents = {
        "whole": ring.logs[0],
        "some": unsealed + some,
        "none": unsealed,
        "other": other.logs[0],
    }
    found = [{"log": str(tmp_path / name)} for name in contents]
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    assert match._log(found[:3]) == ring.logs[0]
    with pytest.raises(Stop, match="differ"):
        match._log(found)


def test_where_there_is_no_browser_the_bench_says_so(monkeypatch):
    monkeypatch.setattr("benchmarks.browser.shutil.which", lambda name: None)
    found = SECTIONS["browser"].measure(BenchSettings(quick=True))
    (row,) = SECTIONS["browser"].rows(found)
    assert (found, row.took, row.missed) == (
        {},
        "not measured: it needs Chromium and playwright",
        None,
    )


@pytest.mark.slow
def test_eight_visitors_are_measured_where_there_is_no_browser(monkeypatch):
    monkeypatch.setattr("benchmarks.phones.shutil.which", lambda name: None)
    found = SECTIONS["phones"].measure(BenchSettings(quick=True))
    assert set(found) == {"visitors_bytes", "visitors_idle"}
    assert 8 * 20e6 < found["visitors_bytes"] < 8 * 120e6
    phone, memory, _idle = SECTIONS["phones"].rows(found)
    assert "needs Chromium" in phone.took
    assert memory.aim == "700 MB"


def test_where_there_is_no_pseudo_terminal_the_bench_says_so(monkeypatch):
    monkeypatch.setattr("benchmarks.screens.sys.platform", "win32")
    found = SECTIONS["window"].measure(BenchSettings(quick=True))
    (row,) = SECTIONS["window"].rows(found)
    assert (found, row.took, row.missed) == (
        {},
        "not measured: this system has no pseudo-terminals",
        None,
    )


@pytest.mark.parametrize(("late", "missed"), [(1.2, False), (3.4, True)])
def test_a_native_ticker_that_is_later_than_that_of_libsodium_misses_its_aim(
    late: float, missed: bool
) -> None:
    works = {
        work: {"ms": 1.0, "ops_ms": 1.0, "ratio": 1.0}
        for work in [*backends.FASTER, "claim", "check"]
    }
    tickers = {"curve25519-dalek": late, "libsodium": 2.3}
    found = {
        "cards": 52,
        "slots": 7,
        "faces": 21,
        "backends": [
            {
                "backend": name,
                "works": works,
                "units_us": dict.fromkeys(KINDS, 1.0),
                "ticker": {"p99_ms": p99},
            }
            for name, p99 in tickers.items()
        ],
    }
    rows = [row for row in backends.side_by_side_rows(found) if "165" in row.name]
    assert [(row.aim, row.missed) for row in rows] == [("2.3 ms", missed), ("", None)]


async def test_a_ticker_beside_paced_work_counts_as_many_rounds_as_fit() -> None:
    class Quick:
        def all(self) -> None:
            pass

    found = await inside.ticks(Quick(), 0.5, 0.2)  # type: ignore[arg-type] # a double without cards
    assert 1 <= found["rounds"] <= 3
