"""A match between tables of this process, for its log and for the operations of making a deck."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from benchmarks.cost import UnitCosts, difference, ops_ms
from benchmarks.settings import BenchSettings
from client.session.table_choices import LIMIT_S
from crypto.chance import Entropy, below
from crypto.group import Group
from crypto.identity import Identity
from engine.bots import chance_for
from engine.games import complete_options, game_class
from p2p.table.table import Table
from p2p.table.terms import Participant, Terms


def sit_down(
    game: str, players: int, options: Mapping[str, Any], entropy: Entropy, group: Group
) -> list[Table]:
    """Return a table for each seat of a match that has just been signed."""
    who = [Identity.from_seed(entropy(32)) for _ in range(players)]
    places = tuple(
        Participant(one.public, f"Computer {seat + 1}", entropy(16)) for seat, one in enumerate(who)
    )
    complete = complete_options(game, players, options)
    terms = Terms(
        game,
        game_class(game).version,
        complete,
        limit=LIMIT_S,
        spectators=False,
        participants=places,
    )
    signatures = [terms.sign(one) for one in who]
    return [Table(terms, signatures, seat, one, entropy, group) for seat, one in enumerate(who)]


def match_log(
    game: str, players: int, options: Mapping[str, Any], entropy: Entropy, group: Group
) -> bytes:
    """Play a match by chance, and return its log."""
    tables = sit_down(game, players, options, entropy, group)
    play = chance_for(game)
    while not all(table.sealed for table in tables):
        for table in tables:
            table.proceed()
            if table.asked:
                table.act(play(table.view(), lambda bound: below(bound, entropy)))
            _send(table, tables)
    return tables[0].log_update(None)[1]


def making(
    settings: BenchSettings, game: str, players: int, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the cost for all peers together of making the second deck of a match.

    The tables do nothing else meanwhile. `ops` are the operations of all, `ops_ms` what they cost,
    `ms` the time that they took, one after the other on one core.
    """
    costs = UnitCosts(settings.group)
    took: list[float] = []
    ops: dict[str, int] = {}
    for _again in range(settings.times(3)):
        tables = sit_down(game, players, options, os.urandom, settings.group)
        _come_to_rest(tables)
        assert tables[0].run.game.next_pack() is not None, (
            "in these matches the next deck is certain at the first turn"
        )
        costs.sample()
        before, began = settings.group.counts, time.perf_counter()
        while sum(_made(table, tables) for table in tables):
            pass
        took.append(1000 * (time.perf_counter() - began))
        ops = difference(settings.group.counts, before)
    costs.sample()
    units = costs.units
    return {
        "ops": ops,
        "ops_ms": round(ops_ms(ops, units), 1),
        "ms": round(median(took), 1),
        "units_us": units,
    }


def _come_to_rest(tables: Sequence[Table]) -> None:
    """Let all tables go on until they wait for a player."""
    steps: list[int] = []
    while not any(table.asked for table in tables) or steps != [table.steps for table in tables]:
        steps = [table.steps for table in tables]
        for table in tables:
            table.proceed()
            _send(table, tables)


def _made(table: Table, tables: Sequence[Table]) -> bool:
    """Let a table do one thing for the next deck; return whether there was any."""
    made = table.make_ahead()
    _send(table, tables)
    return made


def _send(table: Table, tables: Sequence[Table]) -> None:
    """Take to all others what a table has said."""
    table.data_to_store()
    table.events()
    for data in table.data_to_send():
        for other in tables:
            if other is not table:
                other.receive(data)
