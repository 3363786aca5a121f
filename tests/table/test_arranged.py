"""The host arranges the seats of its table while it fills."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from p2p.table.host import Host
from tests.table.lobbies import IDENTITIES, NOW, draft, host, seat_request, sit


def nicks(table: Host) -> list[str]:
    return [seat.nick if seat else "" for seat in table.draft.seats]


def three_of_four() -> Host:
    table = host(4)
    for number in (1, 2):
        sit(table, seat_request(number))
    return table


def test_once_arranged_all_keep_their_seats_when_others_go_and_come():
    table = three_of_four()
    table.arrange([1, 0, 3, 2])
    assert nicks(table) == ["nick1", "nick0", "", "nick2"]
    sit(table, seat_request(3))
    table.stand_up(IDENTITIES[1].id, NOW)
    assert nicks(table) == ["", "nick0", "nick3", "nick2"]
    sit(table, seat_request(4))
    assert nicks(table) == ["nick4", "nick0", "nick3", "nick2"]
    table.reseat([*table.seat_requests], NOW)
    assert nicks(table) == ["nick4", "nick0", "nick3", "nick2"]


def test_an_order_names_each_seat_once():
    table = three_of_four()
    for order in ([], [0, 1, 2], [0, 1, 2, 2], [0, 1, 2, 4], [-1, 0, 1, 2], [0, 1, 2, 3, 4]):
        with pytest.raises(ValueError, match="each seat once"):
            table.arrange(order)
    assert nicks(table) == ["nick0", "nick1", "nick2", ""]


def test_while_terms_are_proposed_seats_stay_and_after_that_they_may_change():
    table = host(3)
    for number in (1, 2):
        sit(table, seat_request(number))
    table.propose(NOW)
    with pytest.raises(ValueError, match="stay while terms are proposed"):
        table.arrange([0, 2, 1])
    table.stand_up(IDENTITIES[2].id, NOW)
    table.arrange([0, 2, 1])
    assert nicks(table) == ["nick0", "", "nick1"]
    assert not table.full


def test_the_lot_draws_every_order_about_equally_often():
    table = Host(draft(3), [seat_request(0)])
    table.seat_requests[0].entropy = Random(7).randbytes
    drawn = Counter(tuple(table.drawn_order()) for _ in range(1200))
    assert len(drawn) == 6
    assert all(120 < count < 280 for count in drawn.values())
