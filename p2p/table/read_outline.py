"""Read the outline of a match from its log.

Only the form of the log and the signatures of its terms are verified, neither entries nor proofs.
That is many times faster, and enough to list our own matches; `p2p.table.replay` verifies a log.
"""

from __future__ import annotations

from collections.abc import Sequence

from crypto.errors import CryptoError
from crypto.group import Group, ristretto255
from engine.core.moves import IllegalMove, NotAMove, Seat
from p2p.table.events import Moved
from p2p.table.faults import Desync, Fault
from p2p.table.inbox import Inbox
from p2p.table.journal import Journal
from p2p.table.log import LEAVE, Entry, LogFile, read_unsigned
from p2p.table.member_entries import round_of
from p2p.table.outline import Outline
from p2p.table.progress import Progress
from p2p.table.record import Record, parts_of
from p2p.table.replay import BadLog, check_terms, no_entropy, read_form
from p2p.table.terms import Terms
from p2p.wire import Malformed


def read_outline(data: bytes, group: Group | None = None) -> tuple[Terms, Outline]:
    """Read the terms and the outline of a match from its log.

    BadLog if it is no log, or its steps do not fit.
    """
    log = read_form(data)
    check_terms(log)
    try:
        return log.terms, _follow(log, group or ristretto255())
    except (Malformed, CryptoError, Fault, Desync, IllegalMove, NotAMove) as error:
        raise BadLog("malformed-log", error=error) from error


def _follow(log: LogFile, group: Group) -> Outline:
    terms, match = log.terms, log.terms.match
    progress = Progress(
        terms, group, None, no_entropy, Journal(), Inbox(None), lambda _epoch, _head, _owed: None
    )
    game = progress.run.game
    seen, sealed, gone = set[Seat](), set[Seat](), list[tuple[Seat, str]]()
    moves, deals, scores = 0, game.round, list[tuple[int, ...]]()
    for name, found in log.records:
        entries = tuple(read_unsigned(terms, match, data) for data in found)
        if name == "seals":
            sealed |= {entry.seat for entry in entries}
            continue
        if name == "verdict":
            break
        seen |= {entry.seat for entry in entries}
        if name == "epoch":
            gone += _departures(progress.members, entries)
        progress.take(Record(name, entries))
        moves += sum(
            isinstance(event, Moved) and not event.auto for event in progress.drain_events()
        )
        if game.round != deals:
            scores += [tuple(game.score)] if deals else []
            deals = game.round
    over = progress.run.over
    scores += [tuple(game.score)] if over and deals else []
    staying = set(game.seats) - {seat for seat, _how in gone}
    return Outline(
        game.sides,
        game.round,
        moves,
        tuple(scores),
        tuple(game.score),
        game.winners,
        over,
        seen.issuperset(range(len(terms.participants))),
        tuple(sorted(staying - sealed)) if over else tuple(sorted(staying)),
        tuple(gone),
        any(name == "verdict" for name, _entries in log.records),
    )


def _departures(members: Sequence[Seat], entries: Sequence[Entry]) -> list[tuple[Seat, str]]:
    """Return the seats that go in the record of an epoch, and how."""
    parts = parts_of(entries)
    if not parts.flushes:
        raise Malformed("an epoch without a flush")
    gone = round_of(parts.flushes[0].place).gone
    left = {reason.seat for reason in parts.reasons if reason.kind == LEAVE}
    return [
        (seat, "voted" if seat not in gone else "left" if seat in left else "convicted")
        for seat in members
        if seat not in parts.stays
    ]
