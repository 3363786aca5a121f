"""Several processes in one lobby, one of them a liar: it cannot harm a table that others have
opened."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from client.session.patience import ANSWER_TIMEOUT_S
from client.session.setup_rules import LocalPlayer
from engine.games import GAMES, complete_options
from p2p.table.admission import FIRST_WAIT_MS
from p2p.table.house import House
from tests.client.session.processes import Lan, Process, agreed, comes, opened
from tests.table.lobbies import draft

# A seat is given to its key alone.


def sit_heard_by(lan: Lan, random: Random, eve: Process, guest: Process) -> dict:
    """Let a guest sit down at Eve's table; return what it said."""
    heard = []
    hears = eve.hears
    eve.hears = lambda peer, message: (heard.append(message), hears(peer, message))[1]
    guest.setup.seek(eve.id, b"")
    lan.link(guest, eve)
    lan.settle(random)
    return next(message for message in heard if message["t"] == "sit")


def test_nobody_blocks_a_player_by_taking_a_seat_with_its_key():
    lan, random = Lan(), Random(1)
    host, eve = opened(lan, 3), Process(lan, 5)
    eve.setup.open(draft(3), b"")
    jon = Process(lan, 1)
    taken = sit_heard_by(lan, random, eve, jon)
    lan.end(jon)
    lan.link(eve, host)
    host.hears(eve.id, taken)
    jon = comes(lan, host, 1)
    lan.settle(random)
    assert jon.refused is None
    assert host.setup.members == {jon.id}
    assert host.dropped == ["a guest has not proven that it holds the key of its seat"]


def test_a_proof_is_worth_nothing_over_another_link_of_the_same_guest():
    lan, random = Lan(), Random(1)
    host = opened(lan, 3)
    guest = Process(lan, 1)
    said = []
    hears = host.hears
    host.hears = lambda peer, message: (said.append(message), hears(peer, message))[1]
    guest.setup.seek(host.id, b"")
    lan.link(guest, host)
    lan.settle(random)
    assert host.setup.members == {guest.id}
    lan.cut(guest.id, host.id)
    assert host.setup.members == set()
    again = Process(lan, 1)
    lan.link(again, host)
    host.hears(again.id, next(message for message in said if message["t"] == "sit"))
    assert host.dropped == ["a guest has not proven that it holds the key of its seat"]
    assert host.setup.members == set()


def test_a_guest_that_brings_computers_is_refused_where_the_host_has_not_allowed_it():
    lan, random = Lan(), Random(1)
    host, guest = opened(lan, 3), Process(lan, 1, bots=1)
    guest.setup.seek(host.id, b"")
    lan.link(guest, host)
    lan.settle(random)
    assert guest.refused is not None
    assert guest.refused.id == "one-seat"
    assert host.told[-1].seats[1:] == (None, None)


def test_all_see_before_they_sign_which_seats_one_guest_holds():
    lan, random = Lan(), Random(1)
    host = opened(lan, 4, several=True)
    guest = Process(lan, 1, bots=1)
    guest.setup.seek(host.id, b"")
    lan.link(guest, host)
    lan.settle(random)
    other = comes(lan, host, 2)
    lan.settle(random)
    owner = host.told[-1].seats[1].fingerprint
    for process in (host, guest, other):
        assert process.told[-1].several
        assert [bool(seat and seat.computer) for seat in process.told[-1].seats] == [0, 0, 1, 0]
        assert [seat.machine for seat in process.told[-1].seats] == ["", "", owner, ""]


OTHER_TERMS = [
    {"game": "truco", "rules": GAMES["truco"].version, "options": complete_options("truco", 2, {})},
    {"options": {**draft(2).options, "target": 101}},
    {"limit": 0},
    {"spectators": True},
    {"seats": (None,) * 3, "options": complete_options("escoba", 3, draft(2).options)},
    {"several": True},
    {"house": House(hints="free")},
]


@pytest.mark.parametrize("change", OTHER_TERMS, ids=lambda change: next(iter(change)))
def test_a_guest_that_plays_again_does_not_sign_other_terms_than_those_of_the_match_before(change):
    lan, random = Lan(), Random(1)
    host = Process(lan, 0)
    host.setup.open(replace(draft(2), **change), b"")
    guest = Process(lan, 1, before=draft(2))
    guest.setup.seek(host.id, b"")
    lan.link(guest, host)
    lan.settle(random)
    assert guest.refused is not None
    assert guest.refused.id == "other-terms"
    assert guest.setup.agreement is None
    assert host.told[-1].seats[1] is None, "it did not sit down"


def test_a_player_that_comes_twice_is_told_where_it_came_first_and_nobody_else_is_sent_away():
    lan, random = Lan(), Random(1)
    host = opened(lan, 4, several=True)
    one, other = comes(lan, host, 1), comes(lan, host, 2)
    lan.settle(random)
    again = Process(lan, 3)
    # its owner has that key too
    second = again.vouched(one.setup.local_players[0].seat_request)
    again.setup.local_players = (*again.setup.local_players, LocalPlayer(second, bot=True))
    again.setup.seek(host.id, b"")
    lan.link(again, host)
    lan.settle(random)
    assert one.refused is not None
    assert one.refused.id == "already-seated"
    assert len(agreed(host, other, again)) == 1


# Guests that do not sign.


def silent(lan: Lan, host: Process, number: int) -> Process:
    """A guest that sits down and does not sign what is proposed."""
    guest = comes(lan, host, number)
    guest.setup.agree = lambda message: None
    return guest


def passes(lan: Lan, random: Random, host: Process, seconds: float) -> None:
    for _ in range(round(seconds)):
        lan.now += 1.0
        host.setup.free_late(ANSWER_TIMEOUT_S)
        lan.settle(random)


def test_a_player_that_did_not_sign_is_not_seated_again_at_once_and_others_are():
    lan, random = Lan(), Random(1)
    host = opened(lan, 3)
    honest = comes(lan, host, 1)
    for number in (5, 6):
        liar = silent(lan, host, number)
        lan.settle(random)
        assert host.setup.members == {honest.id, liar.id}
        passes(lan, random, host, ANSWER_TIMEOUT_S)
        assert liar.refused is not None
        assert liar.refused.id == "not-signed"
    for number in (5, 6):
        again = comes(lan, host, number)
        lan.settle(random)
        assert again.refused is not None
        assert again.refused.id == "too-soon"
    last = comes(lan, host, 2)
    lan.settle(random)
    assert len(agreed(host, honest, last)) == 1


def test_a_link_that_is_lost_before_all_have_signed_counts_as_not_signed():
    lan, random = Lan(), Random(1)
    host = opened(lan, 2)
    liar = silent(lan, host, 5)
    lan.settle(random)
    assert host.setup.agreement is not None
    lan.cut(liar.id, host.id)
    again = comes(lan, host, 5)
    lan.settle(random)
    assert again.refused is not None
    assert again.refused.id == "too-soon"


def test_a_guest_that_failed_before_gives_way_and_is_told_so():
    lan, random = Lan(), Random(1)
    host = opened(lan, 2)
    silent(lan, host, 5)
    lan.settle(random)
    passes(lan, random, host, ANSWER_TIMEOUT_S + FIRST_WAIT_MS / 1000)
    liar = silent(lan, host, 5)
    lan.settle(random)
    assert host.setup.members == {liar.id}
    honest = comes(lan, host, 1)
    lan.settle(random)
    assert liar.refused is not None
    assert liar.refused.id == "full"
    assert len(agreed(host, honest)) == 1


@pytest.mark.parametrize(
    ("address", "why"), [("fd00:1::9", "too-soon"), ("fd00:2::9", None), ("192.0.2.9", None)]
)
def test_new_keys_from_one_ipv6_network_wait_for_each_other_and_nobody_else_does(address, why):
    lan, random = Lan(), Random(1)
    host = opened(lan, 2)
    for number in (5, 6):
        liar = Process(lan, number)
        liar.address = f"fd00:1::{number}"
        liar.setup.agree = lambda message: None
        liar.setup.seek(host.id, b"")
        lan.link(liar, host)
        lan.settle(random)
        passes(lan, random, host, ANSWER_TIMEOUT_S)
    guest = Process(lan, 1)
    guest.address = address
    guest.setup.seek(host.id, b"")
    lan.link(guest, host)
    lan.settle(random)
    assert (guest.refused.id if guest.refused else None) == why
    assert host.setup.agreed == (why is None)
