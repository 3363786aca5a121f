"""The match of the worked example: Escoba to one point, two seats, one deal.

Everything random is made from a count, and is always the same.

The same code always makes the same bytes. `docs/example.sobremesa` is its log, `docs/example.md`
lists its steps.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crypto.chance import Entropy
from crypto.identity import Identity
from engine.core.canonical import stated
from engine.games import complete_options, game_class
from p2p.table.log import read_entry, read_log
from p2p.table.replay import replay_log
from p2p.table.table import Table
from p2p.table.terms import Participant, Terms
from p2p.wire import unpack

HERE = Path(__file__).parent
LOG, PAGE = HERE / "example.sobremesa", HERE / "example.md"


@dataclass(frozen=True)
class Step:
    """A step of the match: the request that it answers, its entries, and the state after it.

    The state is the open faces, F and the head.
    """

    request: list[Any]
    entries: list[bytes]
    faces: dict[int, str]
    fingerprint: bytes
    head: bytes

    def bodies(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the seat and the body of each entry."""
        values = [unpack(data, len(data)) for data in self.entries]
        return [(seat, body) for _match, _place, _stage, seat, _head, body, _signature in values]


def counted(seed: str) -> Entropy:
    """Return a source of bytes that is always the same."""
    taken = iter(range(1 << 30))
    return lambda size: hashlib.shake_256(f"{seed} {next(taken)}".encode()).digest(size)


def sit_down() -> list[Table]:
    """Seat two players at the match."""
    who = [Identity.from_seed(bytes([number]) * 32) for number in (1, 2)]
    nicks = enumerate(("Ane", "Jon"))
    places = tuple(Participant(who[seat].public, nick, bytes([seat]) * 16) for seat, nick in nicks)
    options = complete_options("escoba", 2, {"target": 1})
    terms = Terms(
        "escoba", game_class("escoba").version, options, 60, spectators=False, participants=places
    )
    signatures = [terms.sign(one) for one in who]
    return [
        Table(terms, signatures, seat, one, counted(f"seat {seat}")) for seat, one in enumerate(who)
    ]


def exchange(tables: Sequence[Table]) -> list[bytes]:
    """Let each table say what it owes, once, and all others hear it; return what was said."""
    said: list[bytes] = []
    for table in tables:
        table.proceed()
        table.data_to_store()
        for data in table.data_to_send():
            said.append(data)
            for other in tables:
                other.receive(data)
    return said


def first_step(tables: list[Table]) -> list[bytes]:
    """Let all make the first step, and return its entries in their order.

    The first step is the toss for the first dealer.
    """
    said: list[bytes] = []
    while min(table.steps for table in tables) == 0:
        said += exchange(tables)
    entries = [read_entry(tables[0].terms, tables[0].match, data) for data in said]
    first = [entry for entry in entries if entry.place == ("step", 0, 1)]
    return [entry.data for entry in sorted(first, key=lambda entry: entry.key)]


def play() -> bytes:
    """Play the whole match, always the last legal move, and return its log."""
    tables = sit_down()
    while exchange(tables) or any(table.asked for table in tables):
        for table in tables:
            if table.asked:
                options = table.view().options
                assert options, "a seat in turn has a legal move"
                table.act(list(options)[-1])
    assert all(table.sealed for table in tables)
    _at, log = tables[0].log_update(None)
    return log


def steps(log: bytes) -> Iterator[Step]:
    """Give the steps of a log."""
    replayed = replay_log(log)
    table, _events = next(replayed)
    request = _request(table)
    for (name, entries), (after, _events) in zip(read_log(log).records, replayed, strict=True):
        if name == "step":
            faces = dict(after.run.game.faces)
            yield Step(request, list(entries), faces, after.run.fingerprint(), after.head)
        request = _request(after)


def _request(table: Table) -> Any:
    return json.loads(json.dumps(stated(table.run.game, table.run.request)[3]))
