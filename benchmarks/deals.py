"""The wait between two deals: the time from the last move of one to the first turn of the next.

Once with the next deck made while the deal before it was played, and once without; and a domino
pass, with all its proofs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from benchmarks.cost import UnitCosts, Units, difference, ops_ms, total
from benchmarks.in_process import making
from benchmarks.match import Ops, Played, Seen, Stamp, Turn, play
from benchmarks.peer import ACT
from benchmarks.settings import BenchSettings, Row, cores, ms
from benchmarks.waits import PAUSE_S, path_ms
from p2p.table.events import Shuffled
from p2p.table.replay import replay_log

AHEAD = 150.0
"""Milliseconds between two deals, where the deck is ready."""
MOVE_TIME_S = 0.25
"""Seconds that a move takes while the next deck is made: the least that leaves every process idle
for a good while."""
PASSING = 4
"""Peers of a match of dominoes whose passes are measured."""
PASS_MS = 150.0
"""Milliseconds from a pass to all peers having verified it."""
ENOUGH, MATCHES, DEALS = 4, 4, 20
"""Passes with a whole hand that are enough; the matches played for them at most, and deals in each.
One deal in eight has one."""
SLOTS, FACES = 7, 21
"""A hand of tiles before any is laid down, and the tiles without one number."""


@dataclass(frozen=True)
class Series:
    """A match whose waits are measured: `deals` of them at most.

    `slow_moves` moves of each seat and deal take their time.
    """

    game: str
    peers: int
    options: Mapping[str, Any]
    deals: int
    slow_moves: int


SERIES = (
    # With many chips nobody can be ruined in a deal, so the next deck is certain from its first
    # turn on.
    Series("siete-y-media", 4, {"chips": 1000, "deals": 100}, 4, 99),
    Series("truco", 4, {"target": 40}, 4, 99),
    Series("domino", 4, {"target": 500}, 3, 5),
    Series("escoba", 4, {"target": 101}, 3, 5),
    Series("kinaskak", 4, {}, 2, 12),
    Series("kinaskak", 6, {}, 1, 14),
)
RENEWALS = (4, 6)
"""Peers of Kínaskák. Nobody buys and everybody throws away what was drawn, so that the stock soon
runs out."""
SHORTEST = (replace(SERIES[0], peers=2, deals=1),)
"""The series of `--quick`: one deal, to show that the measurement works."""


@dataclass(frozen=True)
class Wait:
    """A wait for a deck: its length, its operations and its number of decks.

    `ops` are every peer's operations during the wait, by seat. `decks` is the number of decks that
    it took until one was played.
    """

    ms: float
    ops: tuple[Ops, ...]
    decks: int


def waits(played: Played) -> Iterator[Wait]:
    """Yield each wait from the last move before a deck to the first question after it.

    The wait for the first deck is left out.
    """
    by_deck = [list(_by_deck(player)) for player in played.players]
    last = max(deck for stamps in by_deck for deck, _stamp in stamps)
    before = 1
    for deck in range(2, last + 1):
        asked = [
            stamp.at
            for stamps in by_deck
            for here, stamp in stamps
            if here == deck and stamp.name == "Asked"
        ]
        acts = [
            stamp.at
            for stamps in by_deck
            for here, stamp in stamps
            if here < deck and stamp.name == ACT
        ]
        if not asked:
            continue  # it was played with no move: five doubles, for instance
        if not acts:
            before = deck  # nor was any before it: this is the first deck
            continue
        began, ended = max(acts), min(asked)
        ops = tuple(
            difference(_from(player, ended).ops, player.before(began).ops)
            for player in played.players
        )
        yield Wait((ended - began) / 1e6, ops, deck - before)
        before = deck


def _by_deck(player: Seen) -> Iterator[tuple[int, Stamp]]:
    """Number a player's stamps by the deck that was being made or played."""
    deck = 0
    for stamp in player.stamps:
        deck += stamp.name == "Shuffling"
        yield deck, stamp


def _from(player: Seen, at: int) -> Stamp:
    """Return the first stamp not before that time; the last of all if there is none."""
    return next((stamp for stamp in player.stamps if stamp.at >= at), player.stamps[-1])


def deals(settings: BenchSettings) -> dict[str, Any]:
    """Measure the waits between deals, and for the renewal of the stock."""
    series, renewals = (SHORTEST, ()) if settings.quick else (SERIES, RENEWALS)
    return {
        "series": [_series(settings, one) for one in series],
        "renewals": [_renewal(settings, one) for one in renewals],
    }


def _series(settings: BenchSettings, one: Series) -> dict[str, Any]:
    name = f"{one.game}, {one.peers} processes"
    settings.say(f"{name}: the operations of a deck")
    work = making(settings, one.game, one.peers, one.options)
    decks = one.deals + 1
    settings.say(f"{name}: with decks made ahead")
    ahead = list(
        waits(
            play(
                one.peers,
                one.options,
                game=one.game,
                pause=MOVE_TIME_S,
                slow_moves=one.slow_moves,
                decks=decks,
            )
        )
    )
    settings.say(f"{name}: without")
    plain = list(waits(play(one.peers, one.options, game=one.game, ahead=False, decks=decks)))
    units = work["units_us"]
    ready = [wait for wait in ahead if ops_ms(total(wait.ops), units) < work["ops_ms"] / 2]
    return {
        "game": one.game,
        "peers": one.peers,
        "options": dict(one.options),
        "work": work,
        "ahead": times_of(ready, units, AHEAD)
        | {"move_time_ms": 1000 * MOVE_TIME_S, "not_ready": len(ahead) - len(ready)},
        "without": times_of([wait for wait in plain if wait.decks == 1], units, work["ops_ms"]),
    }


def _renewal(settings: BenchSettings, peers: int) -> dict[str, Any]:
    """Measure the wait for the shuffle of the discards.

    Nobody can shuffle them before the stock is empty.
    """
    settings.say(f"kinaskak, {peers} processes: until the stock runs out")
    costs = UnitCosts(settings.group)
    costs.sample()
    options = {"buys": 0, "overbuy": "forbidden", "first_contract": 8}
    played = play(peers, options, game="kinaskak", strategy="drawing", decks=2)
    costs.sample()
    found = list(waits(played))
    work = ops_ms(total(found[0].ops), costs.units)
    cards = [
        event.cards
        for _table, events in replay_log(played.log)
        for event in events
        if isinstance(event, Shuffled)
    ]
    return {
        "peers": peers,
        "cards": cards[-1],
        "without": times_of(found, costs.units, round(work, 1)),
        "units_us": costs.units,
    }


def times_of(found: Sequence[Wait], units: Units, aim: float) -> dict[str, Any]:
    """Return the median of waits.

    `limit_ms` is what the operations in them take if all these cores are always busy.
    """
    times: dict[str, Any] = {"count": len(found), "aim_ms": aim}
    if not found:
        return times
    each = [round(wait.ms, 1) for wait in found]
    limit = median(ops_ms(total(wait.ops), units) for wait in found) / cores()
    return times | {
        "ms": round(median(each), 1),
        "ms_each": each,
        "limit_ms": round(limit, 1),
        "ratio": round(median(each) / limit, 2) if limit else None,
    }


def deals_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return the rows of the decks."""
    for one in found["series"]:
        name = f"{one['game']}, {one['peers']} processes"
        yield Row(
            f"{name}: a deck, all on one core",
            ms(one["work"]["ms"]),
            ms(one["work"]["ops_ms"]),
        )
        yield _row(f"{name}: next deal, deck made ahead", one["ahead"])
        yield _row(f"{name}: next deal, without", one["without"])
    for one in found["renewals"]:
        name = f"kinaskak, {one['peers']} processes: renewal of {one['cards']} cards"
        yield _row(name, one["without"])


def _row(name: str, times: dict[str, Any]) -> Row:
    if not times["count"]:
        return Row(name, "none was ready" if times.get("not_ready") else "none was made")
    return Row(
        name,
        ms(times["ms"]),
        ms(times["limit_ms"]),
        times["ratio"],
        ms(times["aim_ms"]),
        times["ms"] > times["aim_ms"],
    )


def passes(settings: BenchSettings) -> dict[str, Any]:
    """Measure how long it takes from a domino pass until every peer has verified its proofs."""
    peers = 2 if settings.quick else PASSING
    settings.say(f"{peers} processes")
    costs = UnitCosts(settings.group)
    costs.sample()
    options = {"target": 500, "passes": "none"}
    found: list[Turn] = []
    for _again in range(settings.times(MATCHES)):
        orders: dict[str, Any] = {
            "game": "domino",
            "strategy": "doubles",
            "pause": PAUSE_S,
            "ahead": False,
            "decks": settings.times(DEALS) + 1,
        }
        played = play(peers, options, **orders)
        costs.sample()
        found += [turn for turn in played.turns() if turn.branches]
        if sum(turn.branches == SLOTS * FACES for turn in found) >= ENOUGH:
            break
    return {
        "peers": peers,
        "slots": SLOTS,
        "faces": FACES,
        "whole_hands": _verified(
            [turn for turn in found if turn.branches == SLOTS * FACES], costs.units, PASS_MS
        ),
        "all": _verified(found, costs.units, None),
        "units_us": costs.units,
    }


def _verified(turns: Sequence[Turn], units: Units, aim: float | None) -> dict[str, Any]:
    """Return medians over passes.

    `path_ms` is the proving and after it the verifying by the others, who share the cores.
    """
    times: dict[str, Any] = {"count": len(turns), "aim_ms": aim}
    if not turns:
        return times
    took, paths = [turn.ms for turn in turns], [path_ms(turn, units) for turn in turns]
    return times | {
        "branches": round(median(turn.branches for turn in turns)),
        "ms": round(median(took), 1),
        "ms_each": [round(one, 1) for one in took],
        "path_ms": round(median(paths), 1),
        "ratio": round(median(one / path for one, path in zip(took, paths, strict=True)), 2),
    }


def passes_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return the rows of the passes."""
    about = {
        "whole_hands": (
            f"{found['peers']} processes: a pass, {found['slots']} tiles of {found['faces']} faces"
        ),
        "all": f"{found['peers']} processes: any pass",
    }
    for kind, name in about.items():
        times = found[kind]
        if not times["count"]:
            yield Row(name, "none was made")
            continue
        aim = times["aim_ms"]
        missed = None if aim is None else times["ms"] > aim
        yield Row(
            name,
            ms(times["ms"]),
            ms(times["path_ms"]),
            times["ratio"],
            ms(aim) if aim else "",
            missed,
        )
