"""The table before the match: seats, proofs, the terms that all sign, and messages of any kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.escoba.rules import Escoba
from p2p.table.admission import FIRST_WAIT_MS
from p2p.table.host import MOST_SITS, Host
from p2p.table.lobby import (
    Agreement,
    Draft,
    Endpoint,
    SeatRequest,
    TableRefused,
    agree,
    encode_endpoints,
    read_endpoints,
    sit_message,
)
from p2p.table.terms import NICK_BYTES, Participant, Terms
from p2p.wire import MOST_ANNOUNCED, MOST_SEATS, PROTOCOL, Malformed
from tests.table.lobbies import (
    IDENTITIES,
    NOW,
    OPTIONS,
    computer_of,
    draft,
    host,
    newcomer,
    seat_request,
    sit,
    sit_message_of,
    terms_message,
    visit_of,
    wired,
)

# The host.


def test_a_key_sits_once():
    table, peer = host(several=True), newcomer(2)
    for other in (0, 2):
        twice = [seat_request(2), computer_of(2, other)]
        with pytest.raises((TableRefused, Malformed)):
            table.sit(peer, sit_message_of(peer, twice, table), NOW)
    bots = [seat_request(2), computer_of(2, 3), computer_of(2, 3)]
    with pytest.raises(TableRefused, match="already-seated"):
        table.sit(peer, sit_message_of(peer, bots, table), NOW)
    assert table.draft.taken == 1


# A seat is given to its key alone.


def test_a_guest_proves_each_of_its_keys():
    table, peer = host(4, several=True), newcomer(1)
    company = [seat_request(1), computer_of(1, 2), computer_of(1, 3)]
    good = sit_message_of(peer, company, table)
    for seat in range(3):
        for signature in (bytes(64), b"", "x", None, good["seats"][(seat + 1) % 3][-1]):
            bad = wired(good)
            bad["seats"][seat][-1] = signature
            with pytest.raises(Malformed):
                table.sit(peer, bad, NOW)
    without = {**good, "seats": [seat[:-1] for seat in good["seats"]]}
    with pytest.raises(Malformed):
        table.sit(peer, without, NOW)
    assert table.draft.taken == 1
    assert table.sit(peer, good, NOW) == {}
    assert [place.nick for place in table.draft.seats] == ["nick0", "nick1", "nick2", "nick3"]


@pytest.mark.parametrize(
    ("seats", "error"),
    [
        ([], Malformed),
        ([seat_request(1), *[computer_of(1, 2)] * 16], Malformed),
        ([seat_request(2)], Malformed),
        ([computer_of(1, 2)], Malformed),
        ([seat_request(1), seat_request(2)], Malformed),
        ([seat_request(1), computer_of(3, 2)], Malformed),
        ([seat_request(1), *[computer_of(1, 2)] * 2], TableRefused),
    ],
    ids=[
        "no seat",
        "17 seats",
        "another's seat",
        "a computer alone",
        "another person",
        "another's computer",
        "a seat twice",
    ],
)
def test_a_guest_asks_for_its_own_seat_and_those_of_its_computers(seats, error):
    table, peer = host(4, several=True), newcomer(1)
    message = wired(sit_message(seats, b"", visit_of(peer, table)))
    with pytest.raises(error):
        table.sit(peer, message, NOW)
    assert table.draft.taken == 1


def test_where_a_guest_takes_one_seat_it_brings_no_computers():
    table, peer = host(4), newcomer(1)
    with pytest.raises(TableRefused, match="one-seat"):
        table.sit(peer, sit_message_of(peer, [seat_request(1), computer_of(1, 2)], table), NOW)


@pytest.mark.parametrize("seat", [None, 7, "seat", [], {}])
def test_a_value_that_is_no_seat_is_malformed(seat):
    table, peer = host(), newcomer(1)
    message = sit_message_of(peer, [seat_request(1)], table)
    with pytest.raises(Malformed):
        table.sit(peer, {**message, "seats": [seat]}, NOW)


@pytest.mark.parametrize("what", ["table", "host", "guest", "host_nonce", "guest_nonce"])
def test_a_proof_is_for_one_guest_at_one_table_over_one_link(what):
    table, peer = host(), newcomer(1)
    good = visit_of(peer, table)
    other = replace(good, **{what: "yours" if what == "table" else bytes(len(getattr(good, what)))})
    with pytest.raises(Malformed):
        table.sit(peer, wired(sit_message([seat_request(1)], b"", other)), NOW)
    assert table.sit(peer, wired(sit_message([seat_request(1)], b"", good)), NOW) == {}


def test_a_guest_that_comes_twice_sits_where_it_came_last():
    table, two = host(several=True), newcomer(2)
    sit(table, seat_request(1))
    both = [seat_request(2), computer_of(2, 1)]
    assert table.sit(two, sit_message_of(two, both, table), NOW) == {
        IDENTITIES[1].id: "already-seated"
    }
    assert table.guests.keys() == {IDENTITIES[2].id}
    assert [place.nick for place in table.draft.seats] == ["nick0", "nick2", "nick1"]


def test_a_guest_that_comes_twice_does_not_take_back_a_proposal():
    table, two = host(2, several=True), newcomer(2)
    sit(table, seat_request(1))
    table.propose(NOW)
    both = [seat_request(2), computer_of(2, 1)]
    with pytest.raises(TableRefused, match="already-seated"):
        table.sit(two, sit_message_of(two, both, table), NOW)
    assert table.full


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_guest_whom_nobody_could_dial_is_no_guest(port):
    # The others would find no way in its node, and blame the host.
    with pytest.raises(Malformed):
        sit(host(), seat_request(1), port=port)


def test_nonces_that_were_proposed_are_not_proposed_again():
    table, one, two = host(), seat_request(1), seat_request(2)
    sit(table, one)
    sit(table, two)
    first = table.propose(NOW)
    Agreement(first, table.seat_requests)
    assert table.draft.seats == first.participants, (
        "as long as they stand, the table is shown as it is proposed"
    )
    assert table.stand_up(two.identity.id, NOW)
    assert table.draft.seats[0].nonce != first.participants[0].nonce
    sit(table, two, now=NOW + FIRST_WAIT_MS)
    assert table.draft.taken == 3
    assert not table.full, "the first guest has yet to sit down anew"
    one.nonce = b""
    assert sit(table, one)
    assert table.full
    second = {place.nonce for place in table.propose(NOW).participants}
    assert second.isdisjoint(place.nonce for place in first.participants[:2])


# The terms.


def full_table(seats: int = 2) -> tuple[Host, list[SeatRequest]]:
    table, guests = host(seats), [seat_request(number) for number in range(1, seats)]
    for guest in guests:
        sit(table, guest)
    return table, guests


def test_all_sign_and_hear_each_other():
    table, guests = full_table(3)
    shown, endpoints = table.draft, encode_endpoints(table.endpoints())
    terms = table.propose(NOW)
    sides = [Agreement(terms, table.seat_requests)]
    for guest in guests:
        agreement, known = agree(shown, wired(terms_message(terms, endpoints)), [guest])
        assert known == table.endpoints()
        sides.append(agreement)
    for speaker in sides:
        for message in speaker.messages():
            for hearer in sides:
                new = message["seat"] not in hearer.signatures
                assert hearer.receive(wired(message)) == new
    for side in sides:
        assert side.complete
        terms.check_signatures(side.ordered())
    assert len({side.ordered() for side in sides}) == 1


def test_a_nonce_is_signed_with_once():
    table, (guest,) = full_table()
    terms = table.propose(NOW)
    agree(table.draft, terms_message(terms), [guest])
    assert guest.nonce == b""
    with pytest.raises(TableRefused, match="not-as-shown"):
        agree(table.draft, terms_message(terms), [guest])


@pytest.mark.parametrize(
    "change",
    [
        {"options": {**OPTIONS, "target": 101}},
        *({"options": {**OPTIONS, key: value}} for key, value in [("teams", 0), ("target", True)]),
        *({"limit": 61}, {"spectators": True}),
        {"rules": Escoba.version + 1},
        {"game": "domino"},
        {"protocol": PROTOCOL + 1},
    ],
)
def test_terms_other_than_shown_are_not_signed(change):
    table, (guest,) = full_table()
    terms = table.propose(NOW)
    changed = Terms(**{**vars(terms), **change})
    with pytest.raises(TableRefused, match="not-as-shown"):
        agree(table.draft, terms_message(changed), [guest])
    assert guest.nonce, "nothing was signed"


def test_seats_in_another_order_or_of_others_are_not_signed():
    table, (guest,) = full_table()
    terms = table.propose(NOW)
    others = (Participant(IDENTITIES[5].public, "nick0", bytes(16)), terms.participants[1])
    for places in (terms.participants[::-1], others, (*terms.participants, others[0])):
        with pytest.raises(TableRefused, match="not-as-shown"):
            agree(
                table.draft,
                terms_message(Terms(**{**vars(terms), "participants": places})),
                [guest],
            )
    with pytest.raises(TableRefused, match="not-as-shown"):
        agree(draft(2), terms_message(terms), [guest])  # a table that was never shown to be full


def test_a_signature_is_checked():
    table, (guest,) = full_table()
    agreement = Agreement(table.propose(NOW), table.seat_requests)
    good = {
        "t": "sign",
        "match": agreement.match,
        "seat": 1,
        "signature": agreement.terms.sign(guest.identity),
    }
    assert not agreement.receive({**good, "match": bytes(32)})
    for bad in (
        {"seat": 2},
        {"seat": -1},
        {"seat": True},
        {"signature": bytes(64)},
        {"signature": b""},
        {"signature": agreement.terms.sign(IDENTITIES[4])},
        {"match": "x"},
        {"more": 1},
    ):
        with pytest.raises(Malformed):
            agreement.receive({**good, **bad})
    assert not agreement.complete
    assert agreement.receive(good)
    assert not agreement.receive(good)
    assert agreement.complete


# Impossible tables, seats and nodes.

GOOD = seat_request(1).participant().encode()


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"seats": []}, Malformed),
        ({"seats": [[]] * 17}, Malformed),
        ({"seats": [0, 0]}, Malformed),
        ({"seats": [None, []]}, Malformed),
        ({"seats": [GOOD] * 2}, Malformed),
        ({"seats": [GOOD[:3], []]}, Malformed),
        ({"seats": [[bytes(31), *GOOD[1:]], []]}, Malformed),
        ({"seats": [[GOOD[0], "", *GOOD[2:]], []]}, Malformed),
        ({"seats": [[GOOD[0], "a" * (NICK_BYTES + 1), *GOOD[2:]], []]}, Malformed),
        ({"seats": [[*GOOD[:3], "bot", b"", b""], []]}, Malformed),
        ({"seats": [[*GOOD[:4], GOOD[0], bytes(64)], []]}, Malformed),
        ({"seats": [[*GOOD[:4], b"", bytes(64)], []]}, Malformed),
        ({"several": 1}, Malformed),
        ({"seats": [[]] * 5}, TableRefused),
        ({"table": "x" * 65}, Malformed),
        ({"table": b"x"}, Malformed),
        ({"game": "mus"}, TableRefused),
        ({"rules": Escoba.version + 1}, TableRefused),
        ({"protocol": PROTOCOL + 1}, TableRefused),
        ({"rules": True}, Malformed),
        ({"options": {}}, Malformed),
        ({"options": {**OPTIONS, "target": 102}}, TableRefused),
        ({"options": {**OPTIONS, "target": [1]}}, TableRefused),
        ({"options": {**OPTIONS, "more": 1}}, TableRefused),
        ({"more": 1}, Malformed),
        ({"limit": -1}, Malformed),
        ({"limit": 86401}, Malformed),
    ],
)
def test_a_table_that_cannot_be(change, error):
    with pytest.raises(error):
        Draft.read({**draft(2).message(), **change})


@pytest.mark.parametrize(
    "endpoint",
    [
        [bytes(31), 1, []],
        [bytes(32), 0, []],
        [bytes(32), 65536, []],
        [bytes(32), True, []],
        [bytes(32), 1, ["a"] * (MOST_ANNOUNCED + 1)],
        [bytes(32), 1, ["a" * 65]],
        [bytes(32), 1, [b"a"]],
        [bytes(32), 1],
        None,
    ],
)
def test_an_impossible_endpoint_is_refused(endpoint):
    with pytest.raises(Malformed):
        read_endpoints([endpoint])


def test_endpoints_are_few():
    one = [bytes(32), 1, []]
    assert len(read_endpoints([one] * MOST_SEATS)) == MOST_SEATS
    with pytest.raises(Malformed):
        read_endpoints([one] * (MOST_SEATS + 1))


# Anything at all.


# Wishes, and computer players that come and go.


def test_a_guest_gets_the_seat_that_it_wishes_for_if_it_is_free():
    wishes = {IDENTITIES[0].public: 2, IDENTITIES[1].public: 0}
    table = Host(draft(), [seat_request(0)], b"", wishes)
    assert [place and place.nick for place in table.draft.seats] == [None, None, "nick0"]
    sit(table, seat_request(2))
    assert [place and place.nick for place in table.draft.seats] == ["nick2", None, "nick0"]
    sit(table, seat_request(1))
    assert [place.nick for place in table.draft.seats] == ["nick1", "nick2", "nick0"]


def test_computer_players_come_and_go_as_long_as_there_are_seats():
    table = host()
    sit(table, seat_request(1))
    table.reseat([seat_request(0), seat_request(3)], NOW)
    assert [place.nick for place in table.draft.seats] == ["nick0", "nick3", "nick1"]
    with pytest.raises(TableRefused, match="full"):
        table.reseat([seat_request(0), seat_request(3), seat_request(4)], NOW)
    table.reseat([seat_request(0)], NOW)
    assert [place and place.nick for place in table.draft.seats] == ["nick0", "nick1", None]


def test_only_players_of_the_match_are_peers_of_it_each_once():
    table, (guest,) = full_table()
    terms = table.propose(NOW)
    where = [Endpoint(one.id, 4000 + n, ("192.0.2.7",)) for n, one in enumerate(IDENTITIES)]
    where += [replace(where[0], port=5000)]
    message = {**terms_message(terms), "nodes": encode_endpoints(where)}
    _agreement, endpoints = agree(table.draft, message, [guest])
    assert endpoints == tuple(where[: len(terms.participants)])


def test_a_guest_cannot_sit_down_again_and_again():
    table, guest = host(), seat_request(1)
    for number in range(MOST_SITS):
        assert sit(table, replace(guest, nick=f"nick {number}"))
    with pytest.raises(TableRefused, match="too-soon"):
        sit(table, replace(guest, nick="again"))
    assert sit(table, seat_request(2)), "others can"


def test_a_source_of_randomness_that_gives_too_little_is_refused():
    """A short secret would be easy to guess, and a short nonce is refused only by others."""
    table = host(secret=b"s" * 16)
    for request in (seat_request(1), table.seat_requests[0]):
        request.entropy, request.nonce = (lambda size: bytes(size - 1)), b""
        with pytest.raises(ValueError, match="source of randomness"):
            request.participant()
    with pytest.raises(ValueError, match="source of randomness"):
        table.renew()
    assert table.secret == b"s" * 16
