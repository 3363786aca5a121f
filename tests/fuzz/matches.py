"""Honest matches to be spoiled: how they stood whenever one seat was about to speak, and the logs
that they left.

The group is the stand-in, so that a table is made in a few milliseconds. Everything is made from
seeds: the same input finds the same match each time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from crypto.identity import Identity
from engine.bots import chance_for
from engine.games import GAMES
from p2p.table.events import Accused
from p2p.table.log import LEAVE, make_entry
from p2p.table.table import Table
from p2p.table.terms import Terms
from tests.engine.tiny_game import Tiny
from tests.ring import Ring
from tests.standin import seeded, standin_group

LIAR = 1
"""The seat whose word the fuzzer chooses."""

MATCHES: list[tuple[str, int, dict[str, Any], int]] = [
    ("tiny", 2, {"deals": 1}, 100),
    ("tiny", 3, {"deals": 1}, 100),
    ("escoba", 2, {"target": 1}, 12),
    ("siete-y-media", 3, {"deals": 3}, 6),
    ("domino", 2, {}, 12),
    ("truco", 4, {"target": 5}, 10),
    ("kinaskak", 3, {"last_contract": 1}, 4),
]
"""Game, seats, options, and how many moves are made."""

MOMENTS = 16
"""Kept of each match, evenly spread."""

CALLS = ("vote", "voted", "leave", "flush", "lie")
"""The exchanges about membership that may be in progress when a session begins;
`tests.fuzz.entries` begins them."""
CALLED = 4
"""Moments of each match of three or more for each of CALLS."""


@dataclass(frozen=True)
class Moment:
    """A match in which the liar is about to speak: the files of each seat, and the entries that it
    holds beyond its log."""

    terms: Terms
    signatures: list[bytes]
    who: list[Identity]
    disks: list[tuple[bytes, bytes, list[bytes]]]
    calls: str = ""
    """One of CALLS, or nothing."""

    def tables(self) -> list[Table]:
        """All seats sit down again."""
        return [self._table(seat, *disk) for seat, disk in enumerate(self.disks)]

    def _table(self, seat: int, journal: bytes, log: bytes, held: Iterable[bytes]) -> Table:
        entropy = seeded(f"moment {seat}")
        group = standin_group()
        table = Table.resumed(
            self.terms, self.signatures, seat, self.who[seat], entropy, journal, log, group
        )
        for data in held:
            table.receive(data)
        return table


class Recorded(Ring):
    """A ring that remembers each moment before the liar is heard."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.moments: list[Moment] = []
        self.lied = False
        super().__init__(*args, group=standin_group(), **kwargs)

    def carry(self, sender: int, data: bytes, receivers: Iterable[int]) -> None:
        receivers = list(receivers)
        if sender == LIAR:
            disks = list(
                zip(self.journals, self.logs, map(self._held, range(len(self.tables))), strict=True)
            )
            self.moments.append(Moment(self.terms, self.signatures, self.who, disks))
        super().carry(sender, data, receivers)

    def _held(self, seat: int) -> list[bytes]:
        """Entries of others that may not yet stand in a seat's log. Its own unsent words it says
        anew."""
        table = self.tables[seat]
        entries = [self.read(data) for data in table.held_since(table.steps - 2)]
        return [entry.data for entry in entries if entry.seat != seat]


def list_tiny() -> None:
    """Put the small game of the tests into the catalogue."""
    GAMES.classes.setdefault("tiny", Tiny)


@cache
def recorded(number: int) -> Recorded:
    """Play a match, or its beginning, by chance."""
    game, players, options, moves = MATCHES[number]
    random, player = Random(number), chance_for(game)
    ring = Recorded(game, players, seed=f"fuzz {number}", **options)
    ring.play(lambda view: player(view, random.randrange), moves=moves)
    return ring


@cache
def moments() -> tuple[Moment, ...]:
    """All moments, of all matches; then those at which something about membership is in
    progress."""
    found: list[Moment] = []
    for number in range(len(MATCHES)):
        all_of_it = recorded(number).moments
        found += [
            all_of_it[place * len(all_of_it) // MOMENTS]
            for place in range(min(MOMENTS, len(all_of_it)))
        ]
    for number, (_game, players, _options, _moves) in enumerate(MATCHES):
        all_of_it = recorded(number).moments if players > 2 else []
        for place in range(min(CALLED, len(all_of_it))):
            at = all_of_it[(2 * place + 1) * len(all_of_it) // (2 * CALLED)]
            found += [replace(at, calls=calls) for calls in CALLS]
    assert len(found) <= 256  # one byte chooses
    return tuple(found)


@cache
def logs() -> tuple[tuple[Recorded, bytes], ...]:
    """Logs of all kinds, each with its ring: unfinished, complete, with a seat that left, was
    convicted or voted out."""
    found = [(recorded(number), recorded(number).logs[0]) for number in range(len(MATCHES))]
    for number, (game, players, options, _moves) in enumerate(MATCHES[:4]):
        left = Recorded(game, players, seed=f"left {number}", **options)
        left.play(moves=3)
        left.tables[LIAR].leave()
        left.play(moves=5)
        found.append((left, left.logs[0]))
        lied = Recorded(game, players, seed=f"lied {number}", **options)
        lied.play(moves=3)
        lied.lied = True
        honest = lied.tables[0]
        stage_key, body = ((LEAVE, honest.mark[0]), 0), {"value": 1}  # a leave has no words
        lied.carry(
            LIAR,
            make_entry(lied.who[LIAR], honest.match, stage_key, LIAR, honest.head, body).data,
            lied.others(LIAR),
        )
        honest.proceed()
        fault = next(event.fault for event in honest.events() if isinstance(event, Accused))
        if LIAR not in honest.gone:
            found.append((lied, honest.verdict(fault)))
        lied.play(moves=3)
        found.append((lied, lied.logs[0]))
        if players > 2:
            found.append(voted_out(number))
    return tuple(found)


def voted_out(number: int) -> tuple[Recorded, bytes]:
    """Play a match in which the others vote to go on without a silent seat."""
    game, players, options, _moves = MATCHES[number]
    ring = Recorded(game, players, seed=f"voted {number}", **options)
    ring.play(moves=3)
    ring.tap = lambda sender, _receiver, data: () if sender == LIAR else (data,)
    ring.play(moves=5)
    for seat in ring.others(LIAR):
        ring.tables[seat].vote(LIAR)
    ring.play(moves=5)
    assert ring.tables[0].how(LIAR) == "voted"
    assert LIAR in ring.tables[0].gone
    return ring, ring.logs[0]
