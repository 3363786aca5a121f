import struct

import pytest

from p2p.table.faults import BadSignature
from p2p.table.log import (
    LEAVE,
    Entry,
    cut_place,
    deck_place,
    entries_record,
    expel_place,
    make_entry,
    opening_record,
    read_entry,
    read_log,
    record,
    seal_place,
    split_records,
    step_place,
)
from p2p.wire import Malformed, pack, unpack
from tests.ring import identities, terms_for

WHO = identities(3)
TERMS = terms_for("escoba", 3)
SIGNATURES = [TERMS.sign(who) for who in WHO]
HEAD = b"h" * 32
CONTEXT = "sobremesa/1 entry"


def entry(place=("step", 1), stage=0, seat=0, head=HEAD, body=None, match=TERMS.match, who=None) -> Entry:
    return make_entry(who or WHO[seat % 3], match, (place, stage), seat, head, {} if body is None else body)


def read(data: bytes) -> Entry:
    return read_entry(TERMS, TERMS.match, data)


@pytest.mark.parametrize(
    "place",
    [
        step_place(1),
        step_place(2**31 - 1),
        deck_place(3, b"d" * 32),
        LEAVE,
        seal_place(7),
        expel_place(3, [0, 2]),
        cut_place([2]),
    ],
)
def test_an_entry_comes_back_as_it_was(place):
    made = entry(place, body={"move": ["Play", 1, []], "shares": [b"x"]})
    assert read(made.data) == made
    assert made.key == (*made.spot, 0) == (place, 0, 0)
    assert len(made.hash) == 32
    assert "shares" not in repr(made)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: entry(("step", 0)),
        lambda: entry(("step", 2**31)),
        lambda: entry(("step", -1)),
        lambda: entry(("step", True)),
        lambda: entry(("step", "1")),
        lambda: entry(("step",)),
        lambda: entry(("step", 1, b"d" * 32)),
        lambda: entry(("deck", 1)),
        lambda: entry(("deck", 1, b"d" * 31)),
        lambda: entry(("leave", 1)),
        lambda: entry((7,)),
        lambda: entry(([],)),
        lambda: entry(()),
        lambda: entry(("other", 1)),
        lambda: entry(LEAVE, 1),
        lambda: entry(seal_place(1), 1),
        lambda: entry(stage=64),
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
    changed = [[*good[:place], other, *good[place + 1 :]] for place in range(7) for other in (None, True, "x", -7, [[]], {})]
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
    for data in (b"", b"\xc1", b"\xff" * 100, entry().data + b"\0", entry().data[:-1], b"\xdd\xff\xff\xff\xff", b"\x91" * 5000):
        with pytest.raises(Malformed):
            read(data)


def test_what_its_seat_has_not_signed_is_a_bad_signature():
    value = unpack(entry(body={"x": 1}).data, 9999)
    for place, other in ((3, 1), (4, b"i" * 32), (5, {"x": 2}), (6, b"s" * 64), (6, b""), (2, 1), (1, ["step", 2])):
        with pytest.raises(BadSignature):
            read(pack([*value[:place], other, *value[place + 1 :]]))
    with pytest.raises(BadSignature):
        read(entry(who=WHO[1]).data)
    bare = value[:-1]
    with pytest.raises(BadSignature):  # signed for another purpose
        read(pack([*bare, WHO[0].sign("sobremesa/1 terms", pack(bare))]))
    assert read(pack([*bare, WHO[0].sign(CONTEXT, pack(bare))])).seat == 0


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
        opening_record(TERMS, SIGNATURES) + entries_record("step", [first, second]) + entries_record("seals", [first]) + b"\0\0"
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
        {"step": [b"x"], "cut": [b"y"]},
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
        {"sobremesa": 2, "terms": TERMS.encode(), "signatures": SIGNATURES},
        {"sobremesa": 1, "terms": TERMS.encode()},
        {"sobremesa": 1, "terms": b"", "signatures": SIGNATURES},
        {"sobremesa": 1, "terms": TERMS.encode(), "signatures": [b"short"]},
        {"sobremesa": 1, "terms": TERMS.encode(), "signatures": [1, 2, 3]},
        [1],
    ],
)
def test_an_opening_that_is_none_is_malformed(opening):
    with pytest.raises(Malformed):
        read_log(record(opening))
