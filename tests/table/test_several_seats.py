"""Seats say what they are, and a peer takes a second one only if the host allows it (B6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p.table.lobby import Draft, SeatRequest, TableRefused, agree
from p2p.table.terms import vouch
from p2p.wire import Malformed
from tests.table.lobbies import (
    IDENTITIES,
    NOW,
    computer_of,
    host,
    newcomer,
    seat_request,
    sit,
    sit_message_of,
    terms_message,
    wired,
)


def company() -> list[SeatRequest]:
    """Return the requests of a guest that brings two computer players."""
    return [seat_request(1), computer_of(1, 2), computer_of(1, 3)]


def test_B6_a_guest_takes_no_second_seat_without_the_hosts_consent():
    """With three of four seats its votes alone remove the host."""
    table, peer = host(4), newcomer(1)
    with pytest.raises(TableRefused, match="one-seat"):
        table.sit(peer, sit_message_of(peer, company(), table), NOW)
    assert table.draft.taken == 1
    assert sit(table, seat_request(1)), "with one seat it is welcome"


def test_B6_all_see_whose_program_runs_each_seat():
    table, peer = host(4, several=True), newcomer(1)
    requests = company()
    assert table.sit(peer, sit_message_of(peer, requests, table), NOW) == {}
    shown = Draft.read(wired(table.draft.message()))
    assert shown.several
    assert [seat.kind for seat in shown.seats] == ["person", "person", "computer", "computer"]
    owners = [IDENTITIES[0].id, *[IDENTITIES[1].id] * 3]
    assert [seat.program for seat in shown.seats] == owners
    agreement, _ = agree(shown, wired(terms_message(table.propose(NOW))), requests)
    assert [seat.program for seat in agreement.terms.participants] == owners


@pytest.mark.parametrize(
    "others",
    [
        [seat_request(2)],
        [seat_request(2, kind="computer")],
        [computer_of(3, 2)],
        [replace(computer_of(1, 2), voucher=computer_of(1, 3).voucher)],
        [replace(computer_of(1, 2), voucher=b"")],
        [replace(computer_of(1, 2), machine=b"")],
        [replace(computer_of(1, 2), kind="")],
        [replace(computer_of(1, 2), kind="bot")],
    ],
)
def test_B6_a_guest_hides_from_nobody_that_a_further_seat_is_its_own(others):
    table, peer = host(4, several=True), newcomer(1)
    with pytest.raises(Malformed):
        table.sit(peer, sit_message_of(peer, [seat_request(1), *others], table), NOW)
    assert table.draft.taken == 1


def test_B6_nobody_sits_without_the_seat_of_its_own_key():
    table, peer = host(4, several=True), newcomer(1)
    for requests in ([seat_request(2)], [computer_of(1, 2)], [computer_of(1, 2), seat_request(1)]):
        with pytest.raises(Malformed):
            table.sit(peer, sit_message_of(peer, requests, table), NOW)


def test_a_person_at_another_machine_names_it_and_that_machine_has_vouched():
    """A phone: a program of its own, on the machine of another player."""
    table, machine = host(), IDENTITIES[0]
    voucher = vouch(machine, IDENTITIES[1].public)
    phone = seat_request(1, machine=machine.public, voucher=voucher)
    assert sit(table, phone)
    assert Draft.read(wired(table.draft.message())).seats[1].program == machine.id
    framed = seat_request(2, machine=machine.public, voucher=voucher)
    with pytest.raises(Malformed):
        sit(table, framed)
