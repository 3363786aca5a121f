"""The peers that are here, the seats that are late, and the time of our own player."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from client.session.messages import Away, Back, InTime, Late, Notice, TimeLeft
from client.session.presence import (
    DISPLACED_TIMES,
    SPEAKS_WITHIN_S,
    STAYS_AWAY_S,
    Presence,
)
from client.session.time_limits import RESTARTS
from client.session.work import Wait

HERE, THERE = b"here", b"there"
JON, MARY = b"jon", b"mary"


def waits(
    *seats: int, at: bytes = HERE, changing: bool = False, staying: tuple[int, ...] = (0, 1, 2)
) -> Wait:
    return Wait(
        seats,
        at,
        changing,
        votes_needed=2,
        staying=staying,
        gone=(),
        done=False,
        steps=1,
        head=HERE,
        begun=True,
    )


def begun(limit: int = 60, *seats: int) -> Presence:
    """Return the presence at a table of three; our player has seat 0. The table waits for these
    seats."""
    presence = Presence()
    presence.keep(JON)
    presence.keep(MARY)
    participants = [SimpleNamespace(id=one, nick=one.decode()) for one in (b"own", JON, MARY)]
    terms: Any = SimpleNamespace(participants=participants, limit=limit)
    presence.begin(terms, 0, (0,), waits(*seats))
    return presence


def looked(presence: Presence, now: float, wait: Wait) -> list[object]:
    presence.note(wait)
    return [*presence.tick(now)]


def test_a_seat_is_late_after_the_limit_and_that_is_told_once():
    presence = begun()
    assert looked(presence, 0, waits(1, 2)) == []
    assert looked(presence, 59, waits(2)) == []
    assert looked(presence, 60, waits(2)) == [Late((2,), 60)]
    assert looked(presence, 61, waits(2)) == []


def test_a_wish_is_about_the_point_at_which_the_seat_was_late():
    presence = begun()
    looked(presence, 0, waits(2))
    looked(presence, 60, waits(2))
    presence.note(waits(2, at=THERE))  # it has answered, and owes another entry; nobody has looked
    presence.go_on(60.5)
    assert (presence.votes, presence.at) == ([2], HERE)
    assert looked(presence, 61, waits(2, at=THERE)) == [InTime((2,))]
    assert (presence.votes, presence.at) == ([], THERE)


def test_a_wish_holds_through_a_view_change_in_which_the_seat_says_nothing():
    presence = begun()
    looked(presence, 0, waits(1, 2))
    looked(presence, 60, waits(1, 2))
    presence.go_on(60)
    looked(presence, 61, waits(2, at=THERE, changing=True))
    assert presence.votes == [2]


def back(presence: Presence, peer: bytes) -> list[object]:
    presence.up(peer)
    return [*presence.spoke(peer)]


def test_the_time_of_a_player_begins_anew_when_it_is_back():
    presence = begun()
    back(presence, JON)
    looked(presence, 0, waits(1, 2))
    assert presence.down(JON) == [Away(1)]
    assert looked(presence, 60, waits(1, 2)) == [Late((1, 2), 60)]
    presence.go_on(60)
    assert presence.votes == [1, 2]
    assert back(presence, JON) == [Back(1, anew=True), InTime((1,))]
    assert presence.votes == [2], "the wish was about the absence that is over"
    assert presence.down(JON) == [Away(1)]
    assert looked(presence, 61, waits(1, 2)) == []
    assert looked(presence, 120, waits(1, 2)) == []
    presence.go_on(120)
    assert presence.votes == [2]
    assert looked(presence, 121, waits(1, 2)) == [Late((1,), 60)]


def test_a_player_that_comes_and_goes_for_ever_is_late_in_the_end():
    presence, now = begun(), 0
    back(presence, JON)
    looked(presence, now, waits(1))
    for _time in range(RESTARTS):
        now += 50
        presence.down(JON)
        assert back(presence, JON) == [Back(1, anew=True)]
        assert looked(presence, now, waits(1)) == []
    presence.down(JON)
    assert back(presence, JON) == [Back(1)]
    assert looked(presence, now + 60, waits(1)) == [Late((1,), 60)]
    assert looked(presence, now + 61, waits(1, at=THERE)) == [InTime((1,))]
    presence.down(JON)
    assert back(presence, JON) == [Back(1, anew=True)], "at the next point it has done something"


def test_our_player_is_told_at_half_time_and_thirty_seconds_before_the_end():
    presence = begun(120)
    told = [(now, message) for now in range(130) for message in looked(presence, now, waits(0))]
    assert told == [(60, TimeLeft(60)), (90, TimeLeft(30))]


def test_a_player_that_has_left_for_good_is_not_said_to_be_gone_for_now():
    presence = begun()
    assert presence.down(MARY) == [Away(2)]
    left = replace(waits(2), leaving=(1,))
    assert looked(presence, 0, left) == [Away(1, leaving=True)]  # its program is still linked
    assert looked(presence, 1, left) == []
    assert presence.down(JON) == []
    presence.up(JON)
    assert presence.spoke(JON) == []
    presence.up(MARY)
    assert presence.spoke(MARY) == [Back(2, anew=True)]


def test_computer_players_go_on_without_late_seats_that_are_away():
    presence = begun()
    looked(presence, 0, waits(1))
    looked(presence, 60, waits(1))
    assert not presence.all_late_are_away(60)
    assert presence.down(JON) == [Away(1)]
    assert presence.all_late_are_away(60)


def test_a_first_link_is_expected_for_a_while_and_a_lost_one_is_missed_at_once():
    presence = begun()
    assert presence.missing == presence.sought == {JON, MARY}
    presence.up(JON)
    assert presence.give_up() == [Away(2)]
    assert presence.down(JON) == [Away(1)]
    assert presence.silent(JON) == []
    presence.up(JON)
    assert presence.spoke(JON) == [Back(1, anew=True)]
    assert presence.sought == {MARY}
    presence.note(waits(staying=(0, 1)))
    assert presence.sought == set()


def test_a_link_alone_does_not_bring_a_player_back():
    presence = begun()
    presence.up(JON)
    presence.spoke(JON)
    assert presence.down(JON) == [Away(1)]
    presence.up(JON)
    assert presence.elsewhere(JON) == [Away(1, elsewhere=True)]
    assert presence.at_other_tables == {JON}
    assert presence.elsewhere(JON) == []
    assert presence.spoke(JON) == [Back(1, anew=True)]
    assert presence.elsewhere(JON) == [], "once over a link: it cannot fill the screen"
    assert presence.at_other_tables == set()


def test_a_linked_player_that_says_nothing_of_our_match_is_away_after_a_while():
    presence = begun()
    presence.up(JON)
    assert presence.tick(0) == []
    assert presence.tick(SPEAKS_WITHIN_S - 1) == []
    assert presence.tick(SPEAKS_WITHIN_S) == [Away(1)]
    assert presence.tick(SPEAKS_WITHIN_S + 1) == []
    assert presence.spoke(JON) == [Back(1, anew=True)]
    assert presence.tick(3 * SPEAKS_WITHIN_S) == []


def test_nobody_speaks_if_all_have_links_and_none_has_ever_spoken_of_our_match():
    presence = begun()
    presence.up(JON)
    for now in (0, SPEAKS_WITHIN_S):
        presence.tick(now)
        assert not presence.nobody_speaks, "Mary has no link"
    presence.up(MARY)
    presence.tick(SPEAKS_WITHIN_S)
    assert not presence.nobody_speaks
    presence.tick(2 * SPEAKS_WITHIN_S)
    assert presence.nobody_speaks


COPIED = Notice("copied-home", {"who": "jon"})


def test_a_player_whose_links_go_to_another_program_with_its_key_is_told_so_once():
    presence, told = begun(), []
    # five within half a minute for the first time at 122
    for now in (0, 20, 40, 60, 80, 110, 113, 116, 119, 122, 125):
        presence.down(JON)
        presence.displaced(JON, now)
        presence.up(JON)
        presence.spoke(JON)
        told.append(presence.tick(now + 1))
    assert told == [*[[]] * 9, [COPIED], []]


def test_one_link_that_went_there_is_enough_if_no_other_comes_for_long():
    """Where packets are lost, the peer may have the other of two new links, and we have none."""
    presence = begun()
    presence.down(JON)
    presence.displaced(JON, 10)
    assert presence.tick(10 + STAYS_AWAY_S - 1) == []
    assert presence.tick(10 + STAYS_AWAY_S) == [COPIED]


@pytest.mark.parametrize("times", [1, DISPLACED_TIMES])
def test_a_player_that_goes_at_the_end_of_a_match_shows_no_other_program(times):
    presence = begun()
    presence.end()
    for _ in range(times):
        presence.down(JON)
        presence.displaced(JON, 10)
        presence.up(JON)
    presence.down(JON)
    assert presence.tick(10 + 2 * STAYS_AWAY_S) == []


COMPUTER = b"computer of jon"


def with_computer(*peers: bytes, host: bytes | None = None, program: bytes = COMPUTER) -> Presence:
    """Return the presence at a table of our player in seat 0, these peers, and a computer player,
    which has no link of its own and sits in this program."""
    presence = Presence()
    for peer in peers:
        presence.keep(peer)
        presence.up(peer)
    ids = (b"own", *peers, COMPUTER)
    terms: Any = SimpleNamespace(
        participants=[
            SimpleNamespace(id=one, nick=one.decode(), program=program if one == COMPUTER else one)
            for one in ids
        ],
        limit=60,
    )
    staying = tuple(range(len(ids)))
    presence.begin(terms, 0, (0,), waits(*staying[1:], staying=staying), host)
    for peer in peers:
        presence.spoke(peer)
    return presence


def test_a_computer_player_is_away_with_its_program():
    presence = with_computer(JON)
    assert presence.down(JON) == [Away(1), Away(2)]
    assert back(presence, JON) == [Back(1, anew=True), Back(2, anew=True)]


def test_computer_players_sit_in_the_program_of_the_host():
    presence = with_computer(JON, MARY, host=JON)
    assert presence.down(MARY) == [Away(2)]
    assert presence.down(JON) == [Away(1), Away(3)]
    presence.tick(0)
    assert presence.all_late_are_away(60)


def test_a_computer_player_of_a_guest_is_away_with_that_guest():
    presence = with_computer(JON, MARY, host=JON, program=MARY)
    assert presence.down(JON) == [Away(1)]
    assert presence.down(MARY) == [Away(2), Away(3)]


def test_a_program_is_needed_as_long_as_its_computer_player_plays():
    presence = with_computer(JON)
    presence.note(waits(2, staying=(0, 2)))
    assert presence.needed == {JON}
    assert presence.down(JON) == [Away(2)]
    presence.note(waits(staying=(0,)))
    assert presence.needed == frozenset()


def test_the_seats_are_told_that_a_late_seat_waits_for_by_its_own_fresh_word():
    presence = begun()
    looked(presence, 0, waits(1, 2))
    presence.says(MARY, (0, 2, 7), 30)
    presence.says(JON, (0, 1, 2, 7), 58)
    presence.says(b"a spectator", (0,), 58)
    assert looked(presence, 60, waits(1, 2)) == [Late((1, 2), 60, ((1, (0, 2)),))]
