"""Which seats are late, from when on, and when that is forgotten; and how our own time is counted."""

from client.session.messages import Notice
from client.session.presence import STAYS_AWAY_S, Absence, Countdown, Presence
from client.session.work import Wait
from tests.ring import identities, terms_for

HERE, THERE = b"here", b"there"


def test_a_seat_is_late_after_the_limit_and_that_is_told_once():
    absence = Absence(60)
    assert absence.look([1, 2], HERE, 0) == ((), ())
    assert absence.look([2], HERE, 59) == ((), ())
    assert absence.look([2], HERE, 60) == ((2,), ())
    assert absence.look([2], HERE, 61) == ((), ())
    assert absence.late(61) == (2,)


def test_a_seat_that_has_spoken_begins_anew():
    absence = Absence(60)
    absence.look([2], HERE, 0)
    absence.look([2], HERE, 60)
    assert absence.go_on(60) == (2,)
    assert absence.look([], THERE, 61) == ((), (2,))
    assert absence.without == frozenset()
    assert absence.look([2], THERE, 62) == ((), ())
    assert absence.late(121) == ()
    assert absence.look([2], THERE, 122) == ((2,), ())


def test_a_seat_that_is_waited_for_elsewhere_has_spoken_between_two_looks():
    absence = Absence(60)
    absence.look([2], HERE, 0)
    absence.look([2], HERE, 60)
    absence.go_on(60)
    assert absence.look([2], THERE, 61) == ((), (2,))
    assert absence.without == frozenset()
    assert absence.look([2], THERE, 120) == ((), ())


def test_a_wish_holds_through_a_view_change_in_which_the_seat_says_nothing():
    absence = Absence(60)
    absence.look([1, 2], HERE, 0)
    absence.look([1, 2], HERE, 60)
    absence.go_on(60)
    absence.look([2], THERE, 61, changing=True)
    assert absence.without == {2}


def test_nobody_is_gone_on_without_before_the_limit():
    absence = Absence(60)
    absence.look([1], HERE, 0)
    assert absence.go_on(59) == ()
    assert absence.without == frozenset()


def test_our_player_is_told_at_half_time_and_thirty_seconds_before_the_end():
    countdown = Countdown(120)
    told = [(now, left) for now in range(130) if (left := countdown.look(HERE, now)) is not None]
    assert told == [(60, 60), (90, 30)]


def test_a_short_time_is_told_of_once():
    countdown = Countdown(40)
    assert [now for now in range(60) if countdown.look(HERE, now) is not None] == [20]


def test_our_time_begins_anew_at_every_point():
    countdown = Countdown(120)
    countdown.look(HERE, 0)
    assert countdown.look(THERE, 70) is None
    assert countdown.look(None, 80) is None
    assert countdown.look(HERE, 90) is None
    assert countdown.look(HERE, 149) is None
    assert countdown.look(HERE, 150) == 60


JON = identities(2)[1].id
COPIED = Notice("copied-home", {"who": "nick1"})


def playing() -> Presence:
    presence = Presence()
    wait = Wait(seats=(), at=HERE, changing=False, votes_needed=0, staying=(0, 1), done=False)
    presence.begin(terms_for("escoba", 2), 0, [0], wait)
    return presence


def test_a_player_whose_links_go_to_another_program_with_its_key_is_told_so_once():
    presence, told = playing(), []
    for now in (0, 70, 75, 140, 145, 150, 155):  # three within a minute for the first time at 150
        presence.down(JON)
        presence.displaced(JON, now)
        presence.up(JON)
        told.append(presence.look(now + STAYS_AWAY_S))
    assert told == [[], [], [], [], [], [COPIED], []]


def test_one_link_that_went_there_is_enough_if_no_other_comes():
    presence = playing()
    presence.down(JON)
    presence.displaced(JON, 10)
    assert presence.look(10 + STAYS_AWAY_S / 2) == []
    assert presence.look(10 + STAYS_AWAY_S) == [COPIED]
