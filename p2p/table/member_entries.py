"""The form of entries about members, and contradictions among the entries of one seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p.table.epoch_entries import ChangeRound, Flush
from p2p.table.faults import BadForm
from p2p.table.hashing import HASH
from p2p.table.log import FLUSH, NUMBER_LIMIT, STAND, STEP, Entry, Place
from p2p.wire import Malformed, shape


@dataclass(frozen=True)
class Conviction:
    """The proof of a seat's fault: its evidence, and the entries of the step where it was found.

    `records` is the number of records before that step.
    """

    epoch: int
    records: int
    evidence: tuple[Entry, ...]
    context: tuple[Entry, ...] = ()

    @property
    def alone(self) -> bool:
        """Whether the evidence convinces without context: two contradicting entries."""
        return len(self.evidence) == 2 and contradict(*self.evidence)

    def counts_in(self, epoch: int) -> bool:
        """Whether this removes the seat from an epoch."""
        return self.alone or self.epoch == epoch


def flush_place(epoch: int, of: ChangeRound, kind: str = FLUSH) -> Place:
    """Return the place of the flushes, or of the stands, for a round of an epoch."""
    return (kind, epoch, of.gone, of.called, of.heard)


def round_of(place: Place) -> ChangeRound:
    """Return the round that the place of a flush or stand names."""
    return ChangeRound(*place[2:])


def read_member_entry(entry: Entry) -> Flush | None:
    """Check the form of an entry about members; return the flush if it is one. Raises BadForm."""
    kind = entry.kind
    try:
        body = shape(entry.body, **(_FLUSH if kind == FLUSH else {}))
    except Malformed as error:
        raise BadForm(entry.seat, str(error), (entry.data,)) from error
    if kind not in (FLUSH, STAND):
        return None
    of, good = round_of(entry.place), True
    if kind == FLUSH:
        reasons = body["reasons"]
        good = 0 <= body["records"] < NUMBER_LIMIT and len(body["done"]) in (0, HASH)
        good = good and all(type(reason) is bytes and len(reason) == HASH for reason in reasons)
        good = good and reasons == sorted(set(reasons))
    if not good or not of.can_be or entry.seat in of.gone:
        raise BadForm(entry.seat, f"signs a {kind} that cannot be", (entry.data,))
    if kind == STAND:
        return None
    done, reasons, records = body["done"], tuple(body["reasons"]), body["records"]
    return Flush(entry.seat, of, entry.head, done, reasons, records, entry.data)


def deny(one: Entry, other: Entry) -> bool:
    """Whether no honest seat signs both of these flushes in one epoch."""
    if not one.kind == other.kind == FLUSH or one.epoch != other.epoch:
        return False
    flushes = read_member_entry(one), read_member_entry(other)
    assert flushes[0] is not None
    assert flushes[1] is not None
    return flushes[0].denies(flushes[1])


def is_behind(flush: Entry, entry: Entry) -> bool:
    """Whether a flush precedes an entry of its epoch, although its round names a seat as gone.

    After a flush for another round a member may continue.
    """
    if flush.kind != FLUSH or not round_of(flush.place).gone:
        return False
    if entry.kind != STEP or entry.epoch != flush.epoch:
        return False
    records = flush.body.get("records")
    return type(records) is int and records < entry.number - 1


def contradict(one: Entry, other: Entry) -> bool:
    """Whether these two entries convict their seat on their own."""
    if one.seat != other.seat or one.data == other.data:
        return False
    try:
        behind = is_behind(one, other) or is_behind(other, one)
        return one.key == other.key or deny(one, other) or behind
    except BadForm:
        return False


_FLUSH: dict[str, type] = {"records": int, "done": bytes, "reasons": list}


def in_order(entry: Entry) -> tuple[object, ...]:
    """Return the sort key for the reasons of a change."""
    return (*entry.place[:2], entry.stage, entry.seat, entry.data)


def is_on_its_epoch(entry: Entry, begins: Sequence[bytes]) -> bool:
    """Whether a leave or vote is signed on the head with which its epoch began."""
    epoch = entry.epoch
    return bool(epoch < len(begins) and entry.head == begins[epoch])
