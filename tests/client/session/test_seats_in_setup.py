"""The seats of a table that fills: the host arranges them, and a rematch keeps the partners."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

from client.session.hosting import moved_on
from client.session.messages import Notice
from tests.client.session.processes import Lan, Process, agreed, comes, opened


def filled(lan: Lan, random: Random) -> list[Process]:
    """Return four players at a table; the host lets p2 and p3 change places before the last."""
    host = opened(lan, 4)
    players = [host]
    for number in (1, 2, 3):
        if number == 3:
            host.setup.arrange((0, 2, 1, 3))
        players.append(comes(lan, host, number))
        lan.settle(random)
    return players


def seats_of(process: Process) -> list[str]:
    assert process.setup.agreement is not None
    return [seat.nick for seat in process.setup.agreement.terms.participants]


def test_all_sign_the_seats_as_the_host_has_arranged_them():
    lan, random = Lan(), Random(1)
    players = filled(lan, random)
    assert len(agreed(*players)) == 1
    for player in players:
        assert seats_of(player) == ["nick0", "nick2", "nick1", "nick3"]
        shown = player.told[-1]
        assert [seat and seat.nick for seat in shown.seats] == seats_of(player)


def test_when_all_have_signed_seats_stay_and_nobody_draws():
    lan, random = Lan(), Random(1)
    players = filled(lan, random)
    host = players[0]
    for order in ((), (3, 2, 1, 0)):
        host.setup.arrange(order)
    lan.settle(random)
    assert host.notices == [Notice("seats-stay")] * 2
    assert seats_of(host) == ["nick0", "nick2", "nick1", "nick3"]
    players[1].setup.arrange((3, 2, 1, 0))  # a guest arranges nothing
    assert host.dropped == players[1].dropped == []


def test_while_all_sign_seats_stay_because_somebody_may_have_all_signatures():
    lan, random = Lan(), Random(2)
    host = opened(lan, 3)
    guests = [comes(lan, host, number) for number in (1, 2)]
    while host.setup.agreement is None:
        assert lan.deliver(random)
    assert not host.setup.agreed
    host.setup.arrange((0, 2, 1))
    lan.settle(random)
    assert len(agreed(host, *guests)) == 1
    assert host.notices == [Notice("seats-stay")]


def test_a_rematch_keeps_the_partners_that_the_host_has_chosen():
    lan, random = Lan(), Random(1)
    players = filled(lan, random)
    session: Any = SimpleNamespace(setup=players[0].setup)
    wishes = moved_on(session)
    assert players[0].setup.agreement is not None
    before = players[0].setup.agreement.terms.participants
    partners = {
        frozenset(place.nick for place in before if wishes[place.public] % 2 == side)
        for side in (0, 1)
    }
    assert partners == {frozenset({"nick0", "nick1"}), frozenset({"nick2", "nick3"})}
