"""Several processes in one lobby, wired in memory: in any order in which they come, go and are
heard, those who stay agree."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.session.setup_rules import LocalPlayer
from crypto.identity import Identity
from p2p.table.lobby import SeatRequest, TableRefused
from tests.client.session.processes import Lan, Process, agreed, comes, opened, replace_link, sits
from tests.table.lobbies import draft, messages, wired


def signed_by_two(number: int = 1) -> tuple[Lan, Random, Process, Process]:
    """Return a table of two at which host and guest have signed; `number` is the guest's."""
    lan, random = Lan(), Random(1)
    host = opened(lan, 2)
    guest = comes(lan, host, number)
    lan.settle(random)
    assert len(agreed(host, guest)) == 1
    return lan, random, host, guest


@pytest.mark.parametrize("seed", range(20))
def test_those_who_come_agree(seed):
    lan, random = Lan(), Random(seed)
    host = opened(lan, 4, bots=1)
    guests = [comes(lan, host, number) for number in (1, 2)]
    lan.settle(random)
    assert len(agreed(host, *guests)) == 1
    assert all(host.setup.members | {host.id} >= {guest.id} for guest in guests)
    assert guests[0].id in guests[1].kept
    assert all(guest.told[-1].seats[0].nick == "nick0" for guest in guests)


def test_one_too_many_is_refused():
    lan, random = Lan(), Random(1)
    host = opened(lan, 2)
    guests = [comes(lan, host, number) for number in (1, 2)]
    lan.settle(random)
    stays = [guest for guest in guests if guest.refused is None]
    assert len(agreed(host, *stays)) == len(stays) == 1
    assert [guest.refused.id for guest in guests if guest.refused] in (["full"], ["playing"])


IMPOSTOR = {"who": "nick2", "trusted": "AAAA", "present": "BBBB"}


def no_impostor(places):
    if any(place and place.nick == "nick2" for place in places):
        raise TableRefused("changed-key", **IMPOSTOR)


def test_a_host_that_learns_who_is_who_lets_the_pretender_sit_no_longer_and_others_come():
    lan, random = Lan(), Random(1)
    host = opened(lan, 4)
    guests = [comes(lan, host, 1), comes(lan, host, 2)]
    lan.settle(random)
    host.check = no_impostor
    host.setup.check_again()
    lan.settle(random)
    assert guests[1].refused.id == "changed-key"
    assert host.setup.members == {guests[0].id}
    guests += [comes(lan, host, 3), comes(lan, host, 4)]
    lan.settle(random)
    assert len(agreed(host, guests[0], *guests[2:])) == 1


def test_a_guest_does_not_sit_down_with_whom_it_will_not_have():
    lan, random = Lan(), Random(1)
    host = opened(lan, 3)
    comes(lan, host, 2)
    lan.settle(random)
    guest = Process(lan, 1)
    guest.check = no_impostor
    guest.setup.seek(host.id, b"")
    lan.link(guest, host)
    lan.settle(random)
    assert guest.refused.facts == IMPOSTOR
    assert guest.id not in host.setup.members


def test_a_stranger_is_told_nothing_by_anybody():
    lan, random = Lan(), Random(1)
    host = opened(lan, 3, secret=b"12345")
    guests = [comes(lan, host, 1, b"12345")]
    while not host.setup.members:
        assert lan.deliver(random)
    guests.append(comes(lan, host, 2, b"12345"))
    while not all(guest.setup.agreement for guest in guests):
        lan.dial_kept()
        assert lan.deliver(random)
    eve = Process(lan, 9)
    heard = []
    eve.setup.message = lambda peer, message, nonces: heard.append(message)
    for process in (host, *guests):
        lan.link(eve, process)  # when terms are about, and after
    lan.settle(random)
    for process in (host, *guests):
        lan.cut(eve.id, process.id)
        lan.link(eve, process)
    lan.settle(random)
    assert heard == []
    agreed(host, *guests)


def test_when_all_have_signed_nothing_changes_any_more():
    lan, random, host, guest = signed_by_two()
    (match,) = agreed(host, guest)
    lan.cut(host.id, guest.id)
    assert agreed(host, guest) == {match}
    lan.link(host, guest)
    late = comes(lan, host, 2)
    lan.settle(random)
    assert late.refused.id == "playing"
    host.hears(guest.id, {"t": "stand"})
    host.hears(guest.id, sits(guest, host))
    guest.hears(host.id, {"t": "refuse", "why": "full"})
    assert agreed(host, guest) == {match}


def test_a_table_opened_again_behind_our_back_is_noticed():
    lan, random = Lan(), Random(1)
    host = opened(lan, 2)
    guest = comes(lan, host, 1)
    lan.settle(random)
    with pytest.raises(TableRefused, match="reopened"):
        guest.setup.message(host.id, draft(2).message(), guest.nonces_to(host.id))


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4), data=st.data())
def test_in_any_order_those_who_stay_agree(seed, seats, data):
    """Guests come, go, and lose their links in any order; then all who are there and have a seat
    agree on one table."""
    lan, random = Lan(), Random(seed)
    host = opened(lan, seats)
    number = 0
    guests: list[Process] = []
    for _ in range(data.draw(st.integers(0, 12))):
        here = [guest for guest in guests if guest.id in lan.processes and not host.setup.agreed]
        what = data.draw(st.sampled_from(["comes", "goes", "again", "hear", "hear", "hear"]))
        if what == "comes" and number < 9:
            number += 1
            guests.append(comes(lan, host, number))
        elif what == "goes" and here:
            lan.end(data.draw(st.sampled_from(here)))
        elif what == "again" and here:
            replace_link(lan, host, data.draw(st.sampled_from(here)))
        else:
            for _ in range(data.draw(st.integers(1, 6))):
                lan.dial_kept()
                lan.deliver(random)
    lan.settle(random)
    while not host.setup.agreed:
        before = len([guest for guest in guests if guest.id in lan.processes])
        number += 1
        assert number < 40, "the table never fills"
        guests.append(comes(lan, host, number))
        lan.settle(random)
        assert (
            host.setup.agreed
            or len([guest for guest in guests if guest.id in lan.processes]) > before
        )
    stayed = [guest for guest in guests if guest.id in lan.processes]
    members = host.setup.members
    seated = [guest for guest in stayed if guest.id in members]
    assert agreed(host, *seated) == {host.setup.agreement.match} or not seated
    for guest in stayed:
        assert guest in seated or guest.refused
    assert all(process.dropped == [] for process in (host, *guests))
    assert {guest.refused.id for guest in guests if guest.refused} <= {
        "full",
        "playing",
        "reopened",
        "host-gone",
    }


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_any_message_of_a_peer_ends_in_good_order(seed, data):
    """A hostile guest, or a hostile host, says anything at any moment: it is dropped or refused,
    and nothing breaks."""
    lan, random = Lan(), Random(seed)
    host = opened(lan, 3)
    guest = comes(lan, host, 1)
    eve = Process(lan, 5)
    eve.setup.seek(host.id, b"")
    lan.link(eve, host)
    for _ in range(data.draw(st.integers(0, 8))):
        lan.deliver(random)
    good = [
        {"t": "look", "secret": b""},
        {"t": "stand"},
        {"t": "refuse", "why": "full"},
        sits(eve, host),
        wired(draft(3).message()),
        {"t": "terms", "terms": b"", "nodes": []},
        {"t": "sign", "match": bytes(32), "seat": 1, "signature": bytes(64)},
    ]
    if host.setup.agreement is not None:
        good.append(host.setup.agreement.messages()[0])
        good.append({"t": "terms", "terms": host.setup.agreement.terms.encode(), "nodes": []})
    for _ in range(data.draw(st.integers(1, 4))):
        message = data.draw(messages(*good))
        if data.draw(st.booleans()):
            host.hears(eve.id, message)
        else:
            guest.hears(host.id if data.draw(st.booleans()) else eve.id, message)
        for _ in range(data.draw(st.integers(0, 3))):
            lan.deliver(random)


def test_a_guest_does_not_sign_what_it_was_not_shown_when_it_sat_down():
    for change in (
        {"options": {**draft(2).options, "target": 101}},
        {"limit": 1},
        {"spectators": True},
    ):
        lan, random = Lan(), Random(1)
        host = opened(lan, 3)
        guest = comes(lan, host, 1)
        lan.settle(random)
        shown = host.setup.host.draft
        guest.hears(host.id, replace(shown, **change).message())
        assert guest.refused is not None
        assert guest.refused.id == "not-as-shown"


# Being ready.


def test_a_guest_sees_the_table_before_it_sits_down():
    lan, random = Lan(), Random(4)
    host = opened(lan, 2)
    guest = Process(lan, 1, held=True)
    guest.setup.seek(host.id, b"")
    lan.link(guest, host)
    lan.settle(random)
    assert guest.told[-1].seats[1] is None
    assert host.told[-1].seats[1] is None
    guest.setup.ready()
    lan.settle(random)
    assert len(agreed(host, guest)) == 1


def test_a_host_calls_computer_players_to_its_table():
    lan, random = Lan(), Random(5)
    host = Process(lan, 0, held=True)
    host.setup.open(draft(3), b"")
    guest = comes(lan, host, 1)
    lan.settle(random)
    host.setup.seat_computers(
        [LocalPlayer(SeatRequest(Identity.from_seed(b"b" * 32), "bot", random.randbytes), bot=True)]
    )
    lan.settle(random)
    assert [seat.bot for seat in host.told[-1].seats] == [False, True, False]
    host.setup.ready()
    lan.settle(random)
    assert len(agreed(host, guest)) == 1


def test_the_first_seat_moves_on_when_the_same_people_play_again():
    lan, random = Lan(), Random(6)
    host = Process(lan, 0)
    keys = {host.identity.public: 1, Identity.from_seed(bytes([2]) * 32).public: 0}
    host.setup.open(draft(2), b"", keys)
    guest = comes(lan, host, 1)
    lan.settle(random)
    assert len(agreed(host, guest)) == 1
    assert [seat.nick for seat in guest.told[-1].seats] == ["nick1", "nick0"]
