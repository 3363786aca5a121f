"""The requests of a spectator, and the replies before the entries: only possible ones, signed by
all seats of the match."""

from dataclasses import replace

import pytest

from p2p.table.lobby import Endpoint, TableRefused
from p2p.table.spectating import WatchedMatch, WatchRequest
from p2p.wire import PROTOCOL, Malformed, pack, unpack
from tests.ring import identities, terms_for


def shown(seats: int = 2, **changes) -> WatchedMatch:
    terms = replace(terms_for("escoba", seats), **{"spectators": True, **changes})
    signatures = tuple(terms.sign(who) for who in identities(seats))
    return WatchedMatch(
        terms, signatures, (Endpoint(identities(1)[0].id, 4000, ("192.0.2.1",)),), 3
    )


def wired(message):
    return unpack(pack(message), 65536)


@pytest.mark.parametrize(
    "change",
    [
        {"match": b"1234"},
        {"steps": -1},
        {"steps": True},
        {"head": b""},
        {"head": None},
        {"more": 1},
        {"match": "x"},
    ],
)
def test_an_ask_of_another_form_is_refused(change):
    with pytest.raises(Malformed):
        WatchRequest.read({**WatchRequest().message(), **change})


@pytest.mark.parametrize(
    "change",
    [
        {"steps": -1},
        {"nodes": [[b"short", 1, []]]},
        {"terms": b"\xc0"},
        {"signatures": []},
        {"signatures": [bytes(64), bytes(64)]},
        {"signatures": [1, 2]},
        {"signatures": shown().message()["signatures"][::-1]},
    ],
)
def test_a_match_that_is_not_signed_by_its_seats_is_refused(change):
    with pytest.raises(Malformed):
        WatchedMatch.read({**shown().message(), **change})


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"spectators": False}, "no-spectators"),
        ({"protocol": PROTOCOL + 1}, "other-protocol"),
        ({"rules": 99}, "other-rules"),
        ({"game": "mus"}, "unknown-game"),
        ({"options": {"target": -1}}, "bad-option"),
    ],
)
def test_a_match_that_is_not_for_us_is_refused_with_the_reason(change, why):
    with pytest.raises(TableRefused) as refused:
        WatchedMatch.read(shown(**change).message())
    assert refused.value.id == why
