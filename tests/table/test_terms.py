import dataclasses

import pytest

from crypto.errors import CryptoError
from engine.core.options import BadOption
from engine.games import UnknownGame
from p2p.table.replay import verify_log
from p2p.table.table import Table
from p2p.table.terms import TERMS_CONTEXT, Terms
from p2p.wire import Malformed, pack, unpack
from tests.adversary.signatures import another_signature
from tests.ring import Ring, identities, terms_for
from tests.standin import seeded, standin_group

TERMS = terms_for("escoba", 3, target=5)


def spelled(**changes):
    """Spell terms with other fields."""
    return pack({**unpack(TERMS.encode(), 9999), **changes})


def seat(number, **changes):
    fields = dict(
        zip(
            ("public", "nick", "nonce", "kind", "machine", "voucher"),
            unpack(TERMS.encode(), 9999)["seats"][number],
            strict=True,
        )
    )
    return list({**fields, **changes}.values())


def test_the_match_is_another_if_anything_is():
    others = [
        dataclasses.replace(TERMS, limit=61),
        dataclasses.replace(TERMS, spectators=True),
        dataclasses.replace(TERMS, options={**TERMS.options, "target": 6}),
        dataclasses.replace(TERMS, participants=TERMS.participants[::-1]),
        dataclasses.replace(
            TERMS,
            participants=(
                dataclasses.replace(TERMS.participants[0], nonce=b"n" * 16),
                *TERMS.participants[1:],
            ),
        ),
    ]
    assert len({TERMS.match, *(other.match for other in others)}) == 6


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc0",
        pack([]),
        pack({}),
        spelled(more=1),
        spelled(protocol="1"),
        spelled(limit=True),
        spelled(limit=-1),
        spelled(limit=86401),
        spelled(game=b"escoba"),
        spelled(options=[]),
        spelled(seats=[]),
        spelled(seats=[seat(0)] * 17),
        spelled(seats=[seat(0), seat(0)]),
        spelled(seats=[seat(0, public=b"k" * 31)]),
        spelled(seats=[seat(0, public="k" * 32)]),
        spelled(seats=[seat(0, nonce=b"n" * 15)]),
        spelled(seats=[seat(0, nick="n" * 49)]),
        spelled(seats=[seat(0, nick=7)]),
        spelled(seats=[seat(0)[:2]]),
        spelled(seats=[seat(0)[:3]]),
        spelled(seats=[seat(0, kind="bot")]),
        spelled(seats=[seat(0, kind="")]),
        spelled(seats=[seat(0, machine=identities(2)[1].public)]),
        spelled(seats=[seat(0, voucher=bytes(64))]),
        spelled(seats=[seat(0, machine=identities(2)[1].public, voucher=bytes(64))]),
        spelled(seats=[{"public": b"k" * 32}]),
        spelled(seats=[None]),
        spelled(options={"x": "y" * 9000}),
    ],
)
def test_impossible_terms_are_malformed(data):
    with pytest.raises(Malformed):
        Terms.decode(data)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"game": "chess"}, UnknownGame),
        ({"options": {**TERMS.options, "target": 0}}, BadOption),
        ({"options": {**TERMS.options, "target": True}}, BadOption),
        ({"options": {**TERMS.options, "more": 1}}, BadOption),
        ({"options": {"target": 5}}, Malformed),
        ({"rules": TERMS.rules + 1}, Malformed),
        ({"protocol": 1}, Malformed),
        ({"participants": TERMS.participants[:1]}, BadOption),
    ],
)
def test_terms_that_this_program_cannot_play_are_refused_with_a_reason(changes, error):
    TERMS.check_game()
    with pytest.raises(error):
        dataclasses.replace(TERMS, **changes).check_game()


def test_every_seat_signs_in_its_place():
    who = identities(4)
    good = [TERMS.sign(one) for one in who[:3]]
    TERMS.check_signatures(good)
    for bad in (
        good[:2],
        [*good, good[0]],
        good[::-1],
        [*good[:2], TERMS.sign(who[3])],
        [*good[:2], b"s" * 64],
    ):
        with pytest.raises((Malformed, CryptoError)):
            TERMS.check_signatures(bad)


def test_A9_terms_signed_twice_by_one_seat_have_one_first_head():
    """A key can make many valid signatures; no head depends on which of them a peer was shown."""
    ring = Ring("escoba", 2, group=standin_group(), target=1)
    other = another_signature(ring.who[1], TERMS_CONTEXT, ring.terms.encode())
    assert other != ring.signatures[1]
    tables = [
        Table(
            ring.terms,
            [ring.signatures[0], second],
            seat,
            ring.who[seat],
            seeded(f"twice{seat}"),
            standin_group(),
        )
        for seat, second in enumerate((ring.signatures[1], other))
    ]
    assert tables[0].head == tables[1].head
    ring.tables = tables
    ring.play()
    assert all(table.sealed for table in tables)
    assert [verify_log(log, standin_group()).complete for log in ring.logs] == [True, True]
    assert ring.logs[0] != ring.logs[1], "each keeps the signatures that it was shown"
