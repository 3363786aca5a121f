"""A log of one deal, spoiled at more than 300 places: it is refused, or said not to be complete, in
one line that says why."""

import itertools
import random
import struct

import pytest

from client.i18n.sentences import english
from crypto.group import Group
from p2p.table.log import make_entry
from p2p.table.replay import BadLog, Verdict, verify_log
from tests.ring import Ring, identities
from tests.standin import standin_group
from tests.table.logs import log_of, values_of

GROUP = standin_group()


@pytest.fixture(scope="module")
def ring():
    ring = Ring("escoba", 2, target=1, seed="verify2")
    ring.play()
    return ring


@pytest.fixture(scope="module")
def light():
    """A log of the same match in the stand-in group: where to cut it does not depend on the
    group."""
    ring = Ring("escoba", 2, group=GROUP, target=1, seed="verify2")
    ring.play()
    return ring.logs[0]


@pytest.fixture(scope="module")
def log(ring):
    return ring.logs[0]


@pytest.fixture(scope="module")
def records(log):
    return values_of(log)


def spoiled(data: bytes, group: Group | None = None) -> str:
    """Verify a spoiled log; return the error or the reason why it is incomplete."""
    try:
        verdict: Verdict = verify_log(data, group)
    except BadLog as error:
        sentence = english(error)
    else:
        assert not verdict.complete
        sentence = verdict.missing
    assert sentence
    assert sentence.isprintable(), "one line"
    return sentence


def test_after_flipping_any_one_byte(log):
    chance = random.Random(1)
    # Every kind of place: the terms, lengths of records, bodies, signatures, the seals at the end.
    places = {*range(12), *range(len(log) - 12, len(log)), *chance.sample(range(len(log)), 110)}
    for place in sorted(places):
        flipped = bytearray(log)
        flipped[place] ^= 1 << chance.randrange(8)
        spoiled(bytes(flipped))


def boundaries(log: bytes) -> list[int]:
    at, found = 0, []
    while at < len(log):
        found.append(at)
        at += 4 + struct.unpack_from(">I", log, at)[0]
    return found


@pytest.mark.slow
def test_after_cutting_anywhere(light):
    log = light
    for cut in random.Random(2).sample(sorted(set(range(len(log))) - set(boundaries(log))), 40):
        assert spoiled(log[:cut], GROUP) == "torn" or cut < boundaries(log)[1]


def entries(records) -> list[tuple[int, int]]:
    return [
        (number, place)
        for number, item in enumerate(records)
        if number
        for place in range(len(next(iter(item.values()))))
    ]


def changed(records, change) -> bytes:
    """Spell the log again with each entry replaced by the result of `change(record, place)`."""
    out = [records[0]]
    for number, item in enumerate(records[1:], 1):
        ((name, datas),) = item.items()
        out.append({name: [change(number, place, data) for place, data in enumerate(datas)]})
    return log_of(out)


@pytest.mark.slow
def test_after_swapping_two_entries(records):
    chance, all_entries = random.Random(3), entries(records)
    near = [(one, two) for one, two in itertools.pairwise(all_entries) if one[0] == two[0]]
    pairs = [*near, *(tuple(chance.sample(all_entries, 2)) for _ in range(20))]
    assert len(near) > 10
    for one, two in pairs:
        datas = {place: next(iter(records[place[0]].values()))[place[1]] for place in (one, two)}
        swap = {one: datas[two], two: datas[one]}
        spoiled(
            changed(records, lambda number, place, data, swap=swap: swap.get((number, place), data))
        )


def resigned(ring, data: bytes, who, seat: int | None = None, body=None) -> bytes:
    entry = ring.read(data)
    seat = entry.seat if seat is None else seat
    return make_entry(
        who, entry.match, entry.stage_key, seat, entry.head, entry.body if body is None else body
    ).data


def test_after_signing_an_entry_again_with_another_key(ring, records):
    stranger = identities(4)[3]
    for one in random.Random(4).sample(entries(records), 45):
        data = next(iter(records[one[0]].values()))[one[1]]
        seat = ring.read(data).seat
        for who in (stranger, ring.who[(seat + 1) % 2]):
            new = resigned(ring, data, who)
            sentence = spoiled(
                changed(
                    records,
                    lambda number, place, old, one=one, new=new: (
                        new if (number, place) == one else old
                    ),
                )
            )
            assert f"not signed by p{seat + 1}" in sentence
            assert sentence.startswith(f"record {one[0] + 1}, entry {one[1] + 1}")


@pytest.mark.slow
def test_after_a_seat_has_written_its_own_past_anew(ring, records):
    """Its own key signs rightly; but its entry is a fault now, or the next ones stand on another
    head."""
    for one in random.Random(5).sample(entries(records), 16):
        data = next(iter(records[one[0]].values()))[one[1]]
        entry = ring.read(data)
        own = ring.who[entry.seat]
        new = resigned(ring, data, own, body={**entry.body, "more": 1})
        sentence = spoiled(
            changed(
                records,
                lambda number, place, old, one=one, new=new: new if (number, place) == one else old,
            )
        )
        assert f"p{entry.seat + 1}" in sentence
        assert "BadForm" in sentence
        elsewhere = make_entry(
            own, entry.match, entry.stage_key, entry.seat, bytes(32), entry.body
        ).data
        spoiled(
            changed(
                records,
                lambda number, place, old, one=one, new=elsewhere: (
                    new if (number, place) == one else old
                ),
            )
        )
