import dataclasses

import pytest

from crypto.errors import CryptoError
from engine.games import UnknownGame
from engine.options import BadOption
from p2p.table.terms import Terms
from p2p.wire import Malformed, pack, unpack
from tests.ring import identities, terms_for

TERMS = terms_for("escoba", 3, target=5)


def spelled(**changes):
    """Spell terms with other fields."""
    return pack({**unpack(TERMS.encode(), 9999), **changes})


def seat(number, **changes):
    fields = dict(zip(("public", "nick", "nonce"), unpack(TERMS.encode(), 9999)["seats"][number], strict=True))
    return list({**fields, **changes}.values())


def test_terms_come_back_as_they_were():
    assert Terms.decode(TERMS.encode()) == TERMS
    assert Terms.decode(TERMS.encode()).match == TERMS.match


def test_the_match_is_another_if_anything_is():
    others = [
        dataclasses.replace(TERMS, limit=61),
        dataclasses.replace(TERMS, spectators=True),
        dataclasses.replace(TERMS, options={**TERMS.options, "target": 6}),
        dataclasses.replace(TERMS, places=TERMS.places[::-1]),
        dataclasses.replace(TERMS, places=(dataclasses.replace(TERMS.places[0], nonce=b"n" * 16), *TERMS.places[1:])),
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
        spelled(seats=[None]),
        spelled(options={"x": "y" * 9000}),
    ],
)
def test_what_no_terms_can_be_is_malformed(data):
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
        ({"rules": 2}, Malformed),
        ({"protocol": 2}, Malformed),
        ({"places": TERMS.places[:1]}, BadOption),
    ],
)
def test_what_this_program_cannot_play_is_said(changes, error):
    TERMS.check_game()
    with pytest.raises(error):
        dataclasses.replace(TERMS, **changes).check_game()


def test_every_seat_signs_in_its_place():
    who = identities(4)
    good = [TERMS.sign(one) for one in who[:3]]
    TERMS.check_signatures(good)
    for bad in (good[:2], [*good, good[0]], good[::-1], [*good[:2], TERMS.sign(who[3])], [*good[:2], b"s" * 64]):
        with pytest.raises((Malformed, CryptoError)):
            TERMS.check_signatures(bad)
    assert TERMS.first_head(good) != TERMS.first_head(good[::-1])
