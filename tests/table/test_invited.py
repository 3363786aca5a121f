"""The secrets of invites: the guests to whom a host shows its table and gives a seat."""

from __future__ import annotations

import pytest

from p2p.table.admission import MOST_REMEMBERED, Invited
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


def test_one_secret_lets_all_guests_in_until_it_is_renewed():
    table = host(secret=b"12345")
    assert sit(table, seat_request(1), b"12345")
    assert sit(table, seat_request(2), b"12345")
    table.stand_up(IDENTITIES[2].id, NOW)
    table.renew()
    assert len(table.secret) == 5
    assert table.secret != b"12345"
    with pytest.raises(TableRefused, match="not-invited"):
        sit(table, seat_request(3), b"12345")
    assert sit(table, seat_request(2), b"12345")  # it has come with the invite before
    table.stand_up(IDENTITIES[2].id, NOW)
    assert sit(table, seat_request(3), table.secret)


@pytest.mark.parametrize("private", [True, False])
def test_a_guest_that_has_come_with_an_invite_may_come_again_to_the_next_table(private):
    invited = Invited()
    first = Host(draft(), [seat_request(0)], b"first", None, invited, private=private)
    assert sit(first, seat_request(1), b"first")
    second = Host(draft(), [seat_request(0)], b"later", None, invited, private=private)
    assert sit(second, seat_request(1), b"first")
    with pytest.raises(TableRefused, match="not-invited" if private else "other-table"):
        sit(second, seat_request(2), b"first")


def test_a_peer_that_has_only_watched_with_an_invite_gets_no_seat_once_it_is_renewed():
    """It would come unseen: the host reads of a guest that it has come with the invite."""
    table = host(secret=b"12345")
    spy = IDENTITIES[1].id
    assert table.may_watch(spy, b"12345")
    assert table.news_of(spy, b"12345"), "as a guest it has not come yet"
    assert not table.news_of_spectator(spy, b"12345")
    table.renew()
    assert table.may_watch(spy, b"12345")
    for secret in (b"", b"12345"):
        with pytest.raises(TableRefused, match="not-invited"):
            sit(table, seat_request(1), secret)
    assert sit(table, seat_request(1), table.secret)
    assert not table.news_of(spy, table.secret)


def test_a_flood_of_keys_with_an_invite_puts_nobody_out_that_came_before():
    invited = Invited()
    table = Host(draft(), [seat_request(0)], b"first", None, invited)
    assert sit(table, seat_request(1), b"first")
    assert table.may_watch(b"friend", b"first")
    for number in range(2 * MOST_REMEMBERED):
        key = number.to_bytes(32, "big")
        invited.add_guest(key)
        assert table.may_watch(key, b"first")
    assert len(invited.guests) == len(invited.spectators) == MOST_REMEMBERED
    later = Host(draft(), [seat_request(0)], b"later", None, invited)
    assert sit(later, seat_request(1), b"first")
    assert later.may_watch(b"friend", b"first")
    table.stand_up(IDENTITIES[1].id, NOW)
    assert sit(table, seat_request(2), b"first"), "the present invite lets others in all the same"
    assert table.news_of(IDENTITIES[3].id, b"first")


def test_a_guest_with_a_seat_may_come_again_after_a_flood_and_a_renewal():
    invited = Invited()
    for number in range(MOST_REMEMBERED):
        invited.add_guest(number.to_bytes(32, "big"))
    table = Host(draft(), [seat_request(0)], b"first", None, invited)
    assert sit(table, seat_request(1), b"first")
    table.renew()
    table.stand_up(IDENTITIES[1].id, NOW)
    assert sit(table, seat_request(1), b"first")
    with pytest.raises(TableRefused, match="not-invited"):
        sit(table, seat_request(2), b"first")


def test_a_welcome_guest_needs_no_invite_and_others_do():
    table = Host(draft(), [seat_request(0)], b"12345", welcome=[IDENTITIES[1].id])
    with pytest.raises(TableRefused, match="not-invited"):
        sit(table, seat_request(2), b"")
    assert sit(table, seat_request(1), b"")
    assert table.secret == b"12345"
