import struct

import pytest

from p2p.table.faults import BadSignature
from p2p.table.log import (
    ENTRY_CONTEXT,
    RECORDS,
    Entry,
    entries_record,
    make_entry,
    opening_record,
    read_entry,
    read_log,
    record,
)
from p2p.table.tail import split_records
from p2p.table.terms import TERMS_CONTEXT
from p2p.wire import Malformed, pack, unpack
from tests.ring import identities, terms_for

WHO = identities(3)
TERMS = terms_for("escoba", 3)
SIGNATURES = [TERMS.sign(who) for who in WHO]
HEAD = b"h" * 32
LEAVE = ("leave", 0)
POINT = b"p" * 32


def entry(
    place=("step", 0, 1), stage=0, seat=0, head=HEAD, body=None, match=TERMS.match, who=None
) -> Entry:
    return make_entry(
        who or WHO[seat % 3], match, (place, stage), seat, head, {} if body is None else body
    )


def read(data: bytes) -> Entry:
    return read_entry(TERMS, TERMS.match, data)


@pytest.mark.parametrize(
    "place",
    [
        ("step", 0, 1),
        ("step", 0, 2**31 - 1),
        ("deck", 0, 3, b"d" * 32),
        LEAVE,
        ("seal", 0, 7),
        ("vote", 2, POINT, 2),
        ("flush", 2, (2,), ((1, HEAD), (1, POINT), (2, POINT)), ((1, POINT),)),
        ("flush", 2, (), ((1, HEAD),), ()),
        ("stand", 2, (2,), ((1, HEAD),), ()),
    ],
)
def test_an_entry_comes_back_as_it_was(place):
    made = entry(place, body={"move": ["Play", 1, []], "shares": [b"x"]})
    assert read(made.data) == made
    assert made.key == (*made.stage_key, 0) == (place, 0, 0)
    assert len(made.hash) == 32
    assert "shares" not in repr(made)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: entry(("step", 0, 0)),
        lambda: entry(("step", 0, 2**31)),
        lambda: entry(("step", 0, -1)),
        lambda: entry(("step", -1, 1)),
        lambda: entry(("step", 3, 1)),
        lambda: entry(("leave", 3)),
        lambda: entry(("step", 2**31, 1)),
        lambda: entry(("step", 0, True)),
        lambda: entry(("step", True, 1)),
        lambda: entry(("step", 0, "1")),
        lambda: entry(("step",)),
        lambda: entry(("step", 1)),
        lambda: entry(("step", 0, 1, b"d" * 32)),
        lambda: entry(("deck", 0, 1)),
        lambda: entry(("deck", 0, 1, b"d" * 31)),
        lambda: entry(("leave",)),
        lambda: entry(("leave", -1)),
        lambda: entry(("leave", 0, 1)),
        lambda: entry(("stand", 1)),
        lambda: entry(("stand", 1, 1)),
        lambda: entry(("vote", 0, POINT, 0)),
        lambda: entry(("vote", 0, POINT, 3)),
        lambda: entry(("vote", 0, POINT[:31], 1)),
        lambda: entry(("vote", 0, POINT)),
        lambda: entry(("vote", 0, POINT, 1, 2)),
        lambda: entry(("vote", 0, POINT, 1), 1),
        lambda: entry(("vote", 0, POINT, True)),
        lambda: entry(("flush", 0, (1,), ())),
        lambda: entry(("flush", 0, (2, 1), (), ())),
        lambda: entry(("flush", 0, (1, 1), (), ())),
        lambda: entry(("flush", 0, (3,), (), ())),
        lambda: entry(("flush", 0, (), ((1, POINT), (1, POINT)), ())),
        lambda: entry(("flush", 0, (), ((2, POINT), (1, POINT)), ())),
        lambda: entry(("flush", 0, (), ((1, POINT[:31]),), ())),
        lambda: entry(("flush", 0, (), ((3, POINT),), ())),
        lambda: entry(("flush", 0, (), (1,), ())),
        lambda: entry(
            ("flush", 0, (), tuple((1, bytes([n // 256, n % 256]) * 16) for n in range(257)), ())
        ),
        lambda: entry(("flush", 0, (1,), (), ()), 1),
        lambda: entry(("stand", 0, (1,), ())),
        lambda: entry(("stand", 0, (2, 1), (), ())),
        lambda: entry(("stand", 0, (1,), (), ()), 1),
        lambda: entry(("confirm", 0, (1,), (), ())),
        lambda: entry((7,)),
        lambda: entry(([],)),
        lambda: entry(()),
        lambda: entry(("other", 1)),
        lambda: entry(LEAVE, 1),
        lambda: entry(("seal", 0, 1), 1),
        lambda: entry(stage=256),
        lambda: entry(stage=-1),
        lambda: entry(seat=3),
        lambda: entry(seat=-1, who=WHO[2]),
        lambda: entry(head=b"h" * 31),
        lambda: entry(match=b"m" * 32),
        lambda: entry(body={"x": bytes(60 * 1024)}),
    ],
)
def test_an_entry_that_cannot_be_is_malformed_though_it_is_signed(bad):
    with pytest.raises(Malformed):
        read(bad().data)


def test_bytes_that_are_no_entry_are_malformed():
    good = unpack(entry().data, 9999)
    changed = [
        [*good[:place], other, *good[place + 1 :]]
        for place in range(7)
        for other in (None, True, "x", -7, [[]], {})
    ]
    values = [
        [],
        {},
        None,
        good[:-1],
        [*good, 1],
        *(value for value in changed if list(map(type, value)) != list(map(type, good))),
    ]
    assert len(values) > 30
    for value in values:
        with pytest.raises(Malformed):
            read(pack(value))
    for data in (
        b"",
        b"\xc1",
        b"\xff" * 100,
        entry().data + b"\0",
        entry().data[:-1],
        b"\xdd\xff\xff\xff\xff",
        b"\x91" * 5000,
    ):
        with pytest.raises(Malformed):
            read(data)


def test_an_entry_that_its_seat_has_not_signed_has_a_bad_signature():
    value = unpack(entry(body={"x": 1}).data, 9999)
    for place, other in (
        (3, 1),
        (4, b"i" * 32),
        (5, {"x": 2}),
        (6, b"s" * 64),
        (6, b""),
        (2, 1),
        (1, ["step", 0, 2]),
    ):
        with pytest.raises(BadSignature):
            read(pack([*value[:place], other, *value[place + 1 :]]))
    with pytest.raises(BadSignature):
        read(entry(who=WHO[1]).data)
    bare = value[:-1]
    with pytest.raises(BadSignature):  # signed for another purpose
        read(pack([*bare, WHO[0].sign(TERMS_CONTEXT, pack(bare))]))
    assert read(pack([*bare, WHO[0].sign(ENTRY_CONTEXT, pack(bare))])).seat == 0


def test_records_are_cut_at_a_torn_tail():
    data = record([1]) + record({"x": b"y"})
    for cut in range(len(data) + 1):
        found, torn = split_records(data[:cut])
        assert len(found) == (0 if cut < len(record([1])) else 1 if cut < len(data) else 2)
        assert sum(len(item) + 4 for item in found) + torn == cut
    with pytest.raises(Malformed):
        split_records(struct.pack(">I", 1 << 30) + data)


def test_a_log_file_comes_back_with_its_records():
    first, second = entry(), entry(seat=1)
    data = (
        opening_record(TERMS, SIGNATURES)
        + entries_record("step", [first, second])
        + entries_record("seals", [first])
        + b"\0\0"
    )
    log = read_log(data)
    assert (log.terms, log.signatures, log.torn) == (TERMS, tuple(SIGNATURES), 2)
    assert log.records == (("step", (first.data, second.data)), ("seals", (first.data,)))


@pytest.mark.parametrize(
    "later",
    [
        {"step": []},
        {"step": [1]},
        {"step": b"x"},
        {"steps": [b"x"]},
        {"step": [b"x"], "epoch": [b"y"]},
        {"view": [b"y"]},
        {"cut": [b"y"]},
        {},
        [],
        None,
        7,
    ],
)
def test_a_record_that_is_neither_a_step_nor_seals_is_malformed(later):
    with pytest.raises(Malformed, match="record 2"):
        read_log(opening_record(TERMS, SIGNATURES) + record(later))


@pytest.mark.parametrize(
    "opening",
    [
        {"sobremesa": 1, "terms": TERMS.encode(), "signatures": SIGNATURES},
        {"sobremesa": 3, "terms": TERMS.encode()},
        {"sobremesa": 3, "terms": b"", "signatures": SIGNATURES},
        {"sobremesa": 3, "terms": TERMS.encode(), "signatures": [b"short"]},
        {"sobremesa": 3, "terms": TERMS.encode(), "signatures": [1, 2, 3]},
        [1],
    ],
)
def test_an_opening_that_is_none_is_malformed(opening):
    with pytest.raises(Malformed):
        read_log(record(opening))


@pytest.mark.parametrize("name", ["step", "epoch", "seals", "verdict"])
def test_a_record_of_more_entries_than_its_kind_may_have_is_refused_before_they_are_read(name):
    opening, one = opening_record(TERMS, SIGNATURES), entry().data
    most = RECORDS[name]
    assert len(read_log(opening + record({name: [one] * most})).records[0][1]) == most
    with pytest.raises(Malformed, match="record 2: more entries than it may have"):
        read_log(opening + record({name: [one] * (most + 1)}))


@pytest.mark.parametrize(
    "data", [b"", b"ab", b"\0\0\1", bytes(9), b"no log at all", b"\0\0\1\0log"]
)
def test_bytes_without_a_first_record_are_no_log(data: bytes):
    with pytest.raises(Malformed, match="not a Sobremesa log, or its beginning is damaged"):
        read_log(data)
