"""Several processes in one lobby, one of them a liar: what it cannot do to a table that others have opened."""

from __future__ import annotations

from random import Random

from tests.client.lan import Lan, Process, agreed, comes, opened
from tests.table.test_lobby import draft

# A seat is given to its key alone.


def sit_heard_by(lan: Lan, random: Random, eve: Process, guest: Process) -> dict:
    """Let a guest sit down at Eve's table; return what it said."""
    heard = []
    hears = eve.hears
    eve.hears = lambda peer, message: (heard.append(message), hears(peer, message))[1]
    guest.gathering.seek(eve.id, b"")
    lan.link(guest, eve)
    lan.settle(random)
    return next(message for message in heard if message["t"] == "sit")


def test_nobody_blocks_a_player_by_sitting_down_with_its_key():
    lan, random = Lan(), Random(1)
    host, eve = opened(lan, 3), Process(lan, 5)
    eve.gathering.open(draft(3), b"")
    jon = Process(lan, 1)
    taken = sit_heard_by(lan, random, eve, jon)
    lan.end(jon)
    lan.link(eve, host)
    host.hears(eve.id, taken)
    jon = comes(lan, host, 1)
    lan.settle(random)
    assert jon.refused is None
    assert host.gathering.members == {jon.id}
    assert host.dropped == ["a guest has not proven that it holds the key of its seat"]


def test_a_proof_is_worth_nothing_over_another_link_of_the_same_guest():
    lan, random = Lan(), Random(1)
    host = opened(lan, 3)
    guest = Process(lan, 1)
    said = []
    hears = host.hears
    host.hears = lambda peer, message: (said.append(message), hears(peer, message))[1]
    guest.gathering.seek(host.id, b"")
    lan.link(guest, host)
    lan.settle(random)
    assert host.gathering.members == {guest.id}
    lan.cut(guest.id, host.id)
    assert host.gathering.members == set()
    again = Process(lan, 1)
    lan.link(again, host)
    host.hears(again.id, next(message for message in said if message["t"] == "sit"))
    assert host.dropped == ["a guest has not proven that it holds the key of its seat"]
    assert host.gathering.members == set()


def test_computer_players_of_a_guest_prove_their_keys_too():
    lan, random = Lan(), Random(1)
    host = opened(lan, 3)
    guest = Process(lan, 1, bots=1)
    guest.gathering.seek(host.id, b"")
    lan.link(guest, host)
    lan.settle(random)
    assert len(agreed(host, guest)) == 1
    assert [seat.nick for seat in host.told[-1].seats] == ["nick0", "nick1", "bot0"]


def test_whoever_comes_twice_is_told_where_it_came_first_and_nobody_else_is_sent_away():
    lan, random = Lan(), Random(1)
    host = opened(lan, 4)
    one, other = comes(lan, host, 1), comes(lan, host, 2)
    lan.settle(random)
    again = Process(lan, 3)
    again.gathering.seatings = (*again.gathering.seatings, one.gathering.seatings[0])  # its owner has that key too
    again.gathering.seek(host.id, b"")
    lan.link(again, host)
    lan.settle(random)
    assert one.refused is not None
    assert one.refused.why == "already-seated"
    assert len(agreed(host, other, again)) == 1
