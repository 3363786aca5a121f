"""Incident reports, stored beside the log for others to read; they hold public facts only.

A report is a verdict on a cheating seat, or an account of how two tables differ.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from client.storage.match_files import MatchFiles
from client.storage.version import version
from engine.core.canonical import stated
from p2p.table.events import Accused, Differs, Event
from p2p.table.table import Table

IncidentReport = tuple[str, Path]
"""The id of its notice, and its path."""


def write_down(files: MatchFiles, table: Table, events: Sequence[Event]) -> list[IncidentReport]:
    """Write reports on new faults and differences, and return them. Raises StoreError."""
    faults = [event.fault for event in events if isinstance(event, Accused)]
    reports = [
        ("verdict", files.write_verdict(fault.seat, table.verdict(fault))) for fault in faults
    ]
    if differs := [event for event in events if isinstance(event, Differs)]:
        reports.append(("desync", files.write_account(account(table, differs[-1]))))
    return reports


def account(table: Table, event: Differs) -> bytes:
    """Return the state of a table that differs from another, as JSON.

    Two such accounts can be compared line by line. `heads` has the head of the terms, then the head
    after each whole record of the log; the first difference shows where the tables part. `state` is
    the public state now, and `beyond` has the entries of no whole step.
    """
    game = table.run.game
    _game, _rules, state, request = stated(game, table.run.request)
    facts = {
        "match": table.match,
        "program": version(),
        "game": game.name,
        "rules": game.version,
        "step": event.number,
        "differs": None if event.seat is None else event.seat + 1,
        "ours": event.ours,
        "theirs": event.theirs,
        "heads": table.trail,
        "fingerprint": table.run.fingerprint(),
        "request": request,
        "state": state,
        "beyond": table.held_since(table.steps),
    }
    return (
        json.dumps(facts, default=_hex, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    ).encode()


def _hex(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(f"a {type(value).__name__} is none of ours")
