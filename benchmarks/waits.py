"""The waits for the start of a match and the judging of every move, and the memory of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

from benchmarks.cost import UnitCosts, Units, difference, ops_ms, percentile, total
from benchmarks.match import Played, Turn, play, start_of
from benchmarks.settings import BenchSettings, Row, cores, ms
from client.session.match import IDLE_S

PEERS = (2, 4)
START = {2: 250.0, 4: 600.0}
"""Milliseconds from "all have signed" to the first question."""
PLAIN = {2: 10.0, 4: 25.0}
"""Milliseconds from a move to its being judged everywhere, where no claim follows it."""
LAY = {2: 45.0, 4: 70.0}
"""The same with a claim of about 60 branches."""
ABOUT_60 = range(48, 73)
MEMORY = 100_000_000
PAUSE_S = 0.6 * IDLE_S
"""Seconds before a move, in which every process comes to rest and none begins to make the next
deck."""
MAKING_S = 1.6 * IDLE_S
"""Seconds before a move in which the next deck is worked at, so that some moves come while a
process is busy with it."""


def start(settings: BenchSettings) -> dict[str, Any]:
    """Measure how long players wait for the first question of a match."""
    return {"matches": [_start(settings, peers) for peers in PEERS]}


def _start(settings: BenchSettings, peers: int) -> dict[str, Any]:
    costs = UnitCosts(settings.group)
    found = []
    for number in range(settings.times(7)):
        settings.say(f"{peers} processes, match {number + 1}")
        costs.sample()
        found.append(play(peers, {}, decks=1))
        costs.sample()
    times = [start_of(played) for played in found]
    units = costs.units
    ops = _operations(found[-1])
    limit = ops_ms(total(ops), units)
    shared = limit / min(peers, cores())
    took = [(asked - seated) / 1e6 for _full, seated, asked in times]
    return {
        "peers": peers,
        "ms": round(median(took), 1),
        "ms_each": [round(one, 1) for one in took],
        "from_last_seat_ms": round(
            median((asked - full) / 1e6 for full, _seated, asked in times), 1
        ),
        "ops": total(ops),
        "ops_by_seat": ops,
        "ops_ms": round(limit, 1),
        "ops_ms_on_these_cores": round(shared, 1),
        "ratio": round(median(took) / shared, 2),
        "aim_ms": START[peers],
        "units_us": units,
    }


def _operations(played: Played) -> list[dict[str, int]]:
    """Return each seat's operations until it sees the first open cards.

    The first turn begins with these cards.
    """
    found = []
    for player in played.players:
        opened = player.first("Opened")
        assert opened is not None, "a match of Escoba begins with cards on the table"
        found.append(difference(opened.ops, player.stamps[0].ops))
    return found


def start_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return the rows of the starts of matches."""
    for match in found["matches"]:
        name = f"Escoba, {match['peers']} processes: all seated to first turn"
        missed = match["ms"] > match["aim_ms"]
        yield Row(
            name,
            ms(match["ms"]),
            ms(match["ops_ms_on_these_cores"]),
            match["ratio"],
            ms(match["aim_ms"]),
            missed,
        )


def moves(settings: BenchSettings) -> dict[str, Any]:
    """Measure how long it takes from a move until every peer has judged it."""
    return {"matches": [_moves(settings, peers) for peers in PEERS]}


def _moves(settings: BenchSettings, peers: int) -> dict[str, Any]:
    settings.say(f"{peers} processes")
    costs = UnitCosts(settings.group)
    costs.sample()
    options = {"target": 1 if settings.quick else 21}
    turns: list[Turn] = []
    for _again in range(settings.times(2)):
        turns += play(peers, options, pause=PAUSE_S).turns()
        costs.sample()
    settings.say(f"{peers} processes, making decks ahead")
    beside = list(play(peers, options, pause=MAKING_S).turns())
    costs.sample()
    units = costs.units
    return {
        "peers": peers,
        "plain": _times([turn for turn in turns if not turn.branches], units, PLAIN[peers]),
        "lays": _times([turn for turn in turns if turn.branches], units, None),
        "lays_about_60": _times(
            [turn for turn in turns if turn.branches in ABOUT_60], units, LAY[peers]
        ),
        "plain_beside_a_deck": _times([turn for turn in beside if not turn.branches], units, None),
        "units_us": units,
    }


def _times(turns: Sequence[Turn], units: Units, aim: float | None) -> dict[str, Any]:
    """Return medians over some moves.

    `path_ms` is the least that the operations take one after the other on these cores.
    """
    found: dict[str, Any] = {"count": len(turns), "aim_ms": aim}
    if not turns:
        return found
    took = [turn.ms for turn in turns]
    paths = [path_ms(turn, units) for turn in turns]
    return found | {
        "branches": round(median(turn.branches for turn in turns)),
        "median_ms": round(median(took), 2),
        "p95_ms": round(percentile(took, 95), 2),
        "ops_ms": round(median(ops_ms(total(turn.ops), units) for turn in turns), 2),
        "path_ms": round(median(paths), 2),
        "ratio": round(median(one / path for one, path in zip(took, paths, strict=True) if path), 2)
        if any(paths)
        else None,
    }


def path_ms(turn: Turn, units: Units) -> float:
    """Return the least milliseconds of a move: its own operations, and then those of the others.

    The others share the cores.
    """
    each = [ops_ms(ops, units) for ops in turn.ops]
    others = [took for seat, took in enumerate(each) if seat != turn.seat]
    return each[turn.seat] + max(*others, sum(others) / cores())


def moves_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return the rows of the moves."""
    for match in found["matches"]:
        about = {
            "plain": "{peers} processes: a move",
            "lays": "{peers} processes: a lay with its claim",
            "lays_about_60": "{peers} processes: a lay, about 60 branches",
            "plain_beside_a_deck": "{peers} processes: a move while the next deck is made",
        }
        for kind, sentence in about.items():
            times, name = match[kind], sentence.format(peers=match["peers"])
            if not times["count"]:
                yield Row(name, "none was made")
                continue
            aim = times["aim_ms"]
            took = f"{ms(times['median_ms'])}, 95 % {ms(times['p95_ms'])}"
            missed = None if aim is None else times["median_ms"] > aim
            yield Row(
                name, took, ms(times["path_ms"]), times["ratio"], ms(aim) if aim else "", missed
            )


def memory(settings: BenchSettings) -> dict[str, Any]:
    """Measure the most memory that a peer holds over a match.

    The peer has a face, and the announcing of tables is included.
    """
    matches = []
    for peers in PEERS:
        settings.say(f"{peers} processes")
        played = play(peers, {"target": 1 if settings.quick else 21}, whole=True)
        peaks = [player.peak_bytes for player in played.players]
        matches.append(
            {"peers": peers, "peak_bytes": peaks, "log_bytes": len(played.log), "aim_bytes": MEMORY}
        )
    return {"matches": matches}


def memory_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return the rows of the memory."""
    for match in found["matches"]:
        name = f"{match['peers']} processes: the largest"
        peaks = [peak for peak in match["peak_bytes"] if peak is not None]
        if peaks:
            yield Row(
                name,
                _mb(max(peaks)),
                aim=_mb(match["aim_bytes"]),
                missed=max(peaks) > match["aim_bytes"],
            )
        else:
            yield Row(name, "this system does not say")


def _mb(count: int) -> str:
    return f"{count / 1e6:.0f} MB"
