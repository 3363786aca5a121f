"""Records of epochs in logs: one that does not show in one way that a seat may go is rejected."""

import pytest

from client.i18n.sentences import english
from p2p.table.hashing import h
from p2p.table.log import Entry, record
from p2p.table.member_entries import in_order
from p2p.table.progress import Parts, parts_of
from p2p.table.replay import BadLog, verify_log
from p2p.table.tail import RECORD_LIMIT, split_records
from p2p.wire import unpack
from tests.adversary.membership import must_agree, siete, silence, vote_out
from tests.ring import Ring
from tests.standin import standin_group

GROUP = standin_group()


@pytest.fixture(scope="module")
def changed() -> Ring:
    """A match in which one leaves, and then one is voted out."""
    ring = siete(5)
    ring.tables[1].leave()
    ring.settle()
    ring.play(moves=3)
    silence(ring, 2)
    ring.play(moves=20)
    vote_out(ring, 2, 0, 3, 4)
    ring.play()
    must_agree(ring, (1, "left"), (2, "voted"))
    return ring


def with_epoch(ring: Ring, number: int, change) -> bytes:
    """Return the log of the first seat with the parts of its n-th record of an epoch changed."""
    values = [unpack(item, RECORD_LIMIT) for item in split_records(ring.logs[0])[0]]
    at = [at for at, value in enumerate(values) if "epoch" in value][number]
    parts = parts_of([ring.read(data) for data in values[at]["epoch"]])
    found = change(*([entry.data for entry in part] for part in each(parts)))
    values[at] = {"epoch": [data for part in found for data in part]}
    return b"".join(record(value) for value in values)


def each(parts: Parts) -> tuple[list[Entry], ...]:
    return (parts.reasons, parts.flushes, parts.stands)


def signed_anew(ring: Ring, data: bytes, seat: int | None = None, **changes) -> bytes:
    entry = ring.read(data)
    seat = entry.seat if seat is None else seat
    place, head, body = (
        changes.get("place", entry.place),
        changes.get("head", entry.head),
        changes.get("body", entry.body),
    )
    return ring.signed(seat, place, body, head).data


def body_of(data: bytes) -> dict:
    return unpack(data, RECORD_LIMIT)[5]


def place_of(data: bytes) -> tuple:
    def frozen(value):
        return tuple(map(frozen, value)) if type(value) is list else value

    return frozen(unpack(data, RECORD_LIMIT)[1])


def hash_of(data: bytes) -> bytes:
    return h("entry", data)


def stood_anew(ring: Ring, reasons: list[bytes], flushes: list[bytes], stands: list[bytes]):
    """Return these parts with stands on the outcome of these flushes, as a majority can sign it."""
    base = ring.read(flushes[-1]).head
    k = h("stage", base, flushes)
    return reasons, flushes, [signed_anew(ring, data, head=k) for data in stands]


def flushed(ring: Ring, changes, reasons: list[bytes], flushes: list[bytes], stands: list[bytes]):
    """Return these parts with another last flush, on which all have stood."""
    last = signed_anew(ring, flushes[-1], **changes(flushes[-1]))
    return stood_anew(ring, reasons, [*flushes[:-1], last], stands)


def with_body(**words):
    return lambda data: {"body": {**body_of(data), **words}}


def named(ring: Ring, reasons: list[bytes], flushes: list[bytes], stands: list[bytes]):
    """Return these parts with flushes that name just these reasons, on which all have stood."""
    hashes = sorted(map(hash_of, reasons))
    again = [signed_anew(ring, data, **with_body(reasons=hashes)(data)) for data in flushes]
    return stood_anew(ring, reasons, again, stands)


def at_another_round(data: bytes) -> tuple:
    return (*place_of(data)[:2], (0,), (), ())


MUTATIONS = {
    # Order and number.
    "another order": lambda ring, r, f, s: (s[::-1], f[::-1], r[::-1]),
    "flushes in another order": lambda ring, r, f, s: (r, f[::-1], s),
    "stands in another order": lambda ring, r, f, s: (r, f, s[::-1]),
    "both in another order": lambda ring, r, f, s: stood_anew(ring, r, f[::-1], s[::-1]),
    "stands before flushes": lambda ring, r, f, s: (r, s, f),
    "no entry": lambda ring, r, f, s: ([], [], []),
    # Reasons.
    "no reasons": lambda ring, r, f, s: ([], f, s),
    "no reasons, and none named": lambda ring, r, f, s: named(ring, [], f, s),
    "the first reason is missing": lambda ring, r, f, s: (r[1:], f, s),
    "the first reason is missing, and not named": lambda ring, r, f, s: named(ring, r[1:], f, s),
    "a reason twice": lambda ring, r, f, s: ([r[0], *r], f, s),
    "a reason that nobody names": lambda ring, r, f, s: (
        [signed_anew(ring, r[0], seat=3, place=("leave", 0), body={}), *r],
        f,
        s,
    ),
    "a reason that is named and missing": lambda ring, r, f, s: flushed(
        ring, with_body(reasons=sorted([bytes(32), *body_of(f[-1])["reasons"]])), r, f, s
    ),
    "reasons named in another order": lambda ring, r, f, s: flushed(
        ring, with_body(reasons=[b"\xff" * 32, bytes(32)]), r, f, s
    ),
    "reasons named twice": lambda ring, r, f, s: flushed(
        ring, with_body(reasons=[hash_of(r[0])] * 2), r, f, s
    ),
    "a call of a later epoch": lambda ring, r, f, s: named(
        ring,
        [
            signed_anew(ring, one, place=(place_of(one)[0], 4, *place_of(one)[2:]), body={})
            for one in r
        ],
        f,
        s,
    ),
    "calls on another head": lambda ring, r, f, s: named(
        ring, [signed_anew(ring, one, head=bytes(32)) for one in r], f, s
    ),
    # Flushes.
    "no flushes": lambda ring, r, f, s: (r, [], s),
    "a flush is missing": lambda ring, r, f, s: (r, f[:-1], s),
    "a flush and its stand are missing": lambda ring, r, f, s: stood_anew(ring, r, f[:-1], s[:-1]),
    "one flush alone": lambda ring, r, f, s: ([], f[:1], []),
    "a flush twice": lambda ring, r, f, s: (r, [*f, f[-1]], s),
    "a flush and its stand twice": lambda ring, r, f, s: stood_anew(
        ring, r, [*f, f[-1]], [*s, s[-1]]
    ),
    "a flush with done": lambda ring, r, f, s: flushed(ring, with_body(done=bytes(32)), r, f, s),
    "a flush with more words": lambda ring, r, f, s: flushed(ring, with_body(more=1), r, f, s),
    "a flush that names no reasons": lambda ring, r, f, s: flushed(
        ring, lambda data: {"body": {"done": b""}}, r, f, s
    ),
    "a flush on another head": lambda ring, r, f, s: flushed(
        ring, lambda data: {"head": bytes(32)}, r, f, s
    ),
    "a flush of another epoch": lambda ring, r, f, s: flushed(
        ring, lambda data: {"place": ("flush", 4, *place_of(data)[2:])}, r, f, s
    ),
    "a flush for others": lambda ring, r, f, s: flushed(
        ring, lambda data: {"place": at_another_round(data)}, r, f, s
    ),
    "all flushes and stands for others": lambda ring, r, f, s: stood_anew(
        ring,
        r,
        [signed_anew(ring, data, place=at_another_round(data)) for data in f],
        [signed_anew(ring, data, place=at_another_round(data)) for data in s],
    ),
    "the flush of a seat that goes": lambda ring, r, f, s: stood_anew(
        ring,
        r,
        sorted([*f, signed_anew(ring, f[0], seat=2)], key=lambda data: unpack(data, 2**16)[3]),
        sorted([*s, signed_anew(ring, s[0], seat=2)], key=lambda data: unpack(data, 2**16)[3])
        if place_of(f[0])[2] == ()
        else s,
    ),
    # Stands.
    "no stands": lambda ring, r, f, s: (r, f, []),
    "a stand is missing": lambda ring, r, f, s: (r, f, s[:-1]),
    "the first stand is missing": lambda ring, r, f, s: (r, f, s[1:]),
    "a stand twice": lambda ring, r, f, s: (r, f, [*s, s[-1]]),
    "a stand of another seat": lambda ring, r, f, s: (
        r,
        f,
        [*s[:-1], signed_anew(ring, s[-1], seat=2)],
    ),
    "a stand with words": lambda ring, r, f, s: (
        r,
        f,
        [*s[:-1], signed_anew(ring, s[-1], body={"more": 1})],
    ),
    "a stand on another outcome": lambda ring, r, f, s: (
        r,
        f,
        [*s[:-1], signed_anew(ring, s[-1], head=bytes(32))],
    ),
    "a stand of another epoch": lambda ring, r, f, s: (
        r,
        f,
        [*s[:-1], signed_anew(ring, s[-1], place=("stand", 4, *place_of(s[-1])[2:]))],
    ),
    "a stand for others": lambda ring, r, f, s: (
        r,
        f,
        [*s[:-1], signed_anew(ring, s[-1], place=at_another_round(s[-1]))],
    ),
    # Heads.
    "all on another head": lambda ring, r, f, s: stood_anew(
        ring, r, [signed_anew(ring, data, head=bytes(32)) for data in f], s
    ),
}


@pytest.mark.parametrize("number", [0, 1], ids=["left", "voted"])
@pytest.mark.parametrize("name", MUTATIONS)
def test_a_record_of_an_epoch_that_was_changed_is_rejected_in_one_line(changed, name, number):
    assert with_epoch(changed, number, lambda *parts: parts) == changed.logs[0]
    with pytest.raises(BadLog) as caught:
        verify_log(
            with_epoch(changed, number, lambda *parts: MUTATIONS[name](changed, *parts)), GROUP
        )
    sentence = english(caught.value)
    assert sentence.startswith("record ")
    assert sentence.isprintable()


def test_a_leave_with_words_in_a_log_convicts_its_seat(changed):
    """The form of its entry is its own fault: it goes all the same, but by that."""

    def change(reasons, flushes, stands):
        return named(changed, [signed_anew(changed, reasons[0], body={"more": 1})], flushes, stands)

    data = first_change(with_epoch(changed, 0, change))
    assert [(one.seat, one.how) for one in verify_log(data, GROUP).gone] == [(1, "convicted")]


def first_change(log: bytes, number: int = 0) -> bytes:
    """Return a log up to its n-th record of an epoch: another head begins there."""
    items = split_records(log)[0]
    at = [at for at, item in enumerate(items) if "epoch" in unpack(item, RECORD_LIMIT)][number]
    return b"".join(record(unpack(item, RECORD_LIMIT)) for item in items[: at + 1])


def test_votes_of_seats_that_have_gone_do_not_count_in_a_log(changed):
    """Seat 1 has left: its vote in place of one of the others' makes too few."""

    def change(reasons, flushes, stands):
        votes = [signed_anew(changed, reasons[0], seat=1), *reasons[1:]]
        return named(changed, sorted(votes), flushes, stands)

    with pytest.raises(BadLog):
        verify_log(first_change(with_epoch(changed, 1, change), 1), GROUP)


def test_votes_with_words_do_not_count_in_a_log(changed):
    """The form of such a vote is its seat's fault, and no member counts it either."""

    def change(reasons, flushes, stands):
        votes = [signed_anew(changed, data, body={"more": 1}) for data in reasons]
        return named(changed, sorted(votes), flushes, stands)

    with pytest.raises(BadLog):
        verify_log(first_change(with_epoch(changed, 1, change), 1), GROUP)


def test_by_votes_a_minority_does_not_go_on_in_a_log(changed):
    """Three of four vote about two of them, so that the other two are no more than half."""

    def change(reasons, flushes, stands):
        kind, epoch, point, _seat = place_of(reasons[0])
        more = [ring.signed(seat, (kind, epoch, point, 4)).data for seat in (0, 2, 3)]
        of = ((), ((2, point), (4, point)), ())
        flushed, stood = (
            [signed_anew(ring, data, place=(name, epoch, *of)) for data in part[:2]]
            for name, part in (("flush", flushes), ("stand", stands))
        )
        votes = sorted([*reasons, *more], key=lambda data: in_order(ring.read(data)))
        return named(ring, votes, flushed, stood)

    ring = changed
    with pytest.raises(BadLog):
        verify_log(first_change(with_epoch(ring, 1, change), 1), GROUP)
