"""The secrets of invites: the guests to whom a host shows its table and gives a seat."""

from __future__ import annotations

import pytest

from p2p.table.host import Host
from p2p.table.lobby import TableRefused
from tests.table.lobbies import IDENTITIES, NOW, draft, host, seat_request, sit


def test_a_private_table_shows_itself_only_for_the_secret():
    table = host(secret=b"12345")
    for secret in (b"", b"12344", b"123456", "ä".encode()):
        with pytest.raises(TableRefused, match="not-invited"):
            table.look(b"guest", {"t": "look", "secret": secret})
        with pytest.raises(TableRefused, match="not-invited"):
            sit(table, seat_request(1), secret)
    assert table.look(b"guest", {"t": "look", "secret": b"12345"}) == table.draft.message()
    assert sit(table, seat_request(1), b"12345")


def test_a_table_for_all_refuses_only_the_secret_of_another_table():
    table = Host(draft(), [seat_request(0)], b"12345", private=False)
    with pytest.raises(TableRefused, match="other-table"):
        table.look(b"guest", {"t": "look", "secret": b"12344"})
    with pytest.raises(TableRefused, match="other-table"):
        sit(table, seat_request(1), b"12344")
    for secret in (b"", b"12345"):
        assert table.look(b"guest", {"t": "look", "secret": secret}) == table.draft.message()
    assert sit(table, seat_request(1), b"12345")
    assert sit(table, seat_request(2), b"12345"), "the invite to it lets all in"


def test_a_secret_lets_one_guest_in():
    table = host(secret=b"12345")
    assert sit(table, seat_request(1), b"12345")
    assert len(table.secret) == 5
    for number, secret in ((2, b"12345"), (1, b""), (2, b"")):
        with pytest.raises(TableRefused, match="not-invited"):
            sit(table, seat_request(number), secret)
    table.stand(IDENTITIES[1].id, NOW)
    assert sit(table, seat_request(1), b"12345")  # it is who the secret let in
    assert sit(table, seat_request(2), table.secret)


def test_an_invite_that_has_let_somebody_in_lets_the_same_peer_in_again_at_the_next_table():
    spent: dict[bytes, bytes] = {}
    first = Host(draft(), [seat_request(0)], b"first", None, spent)
    assert sit(first, seat_request(1), b"first")
    second = Host(draft(), [seat_request(0)], first.secret, None, spent)
    assert sit(second, seat_request(1), b"first")
    with pytest.raises(TableRefused, match="not-invited"):
        sit(second, seat_request(2), b"first")


def test_a_welcome_guest_needs_no_invite_and_others_do():
    table = Host(draft(), [seat_request(0)], b"12345", welcome=[IDENTITIES[1].id])
    with pytest.raises(TableRefused, match="not-invited"):
        sit(table, seat_request(2), b"")
    assert sit(table, seat_request(1), b"")
    assert table.secret == b"12345"
