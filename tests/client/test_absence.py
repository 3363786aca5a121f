"""Who is late, from when on, and when that is forgotten."""

from client.absence import Absence


def test_who_is_waited_for_is_late_after_the_limit_and_that_is_told_once():
    absence = Absence(60)
    assert absence.look([1, 2], 0) == ()
    assert absence.look([2], 59) == ()
    assert absence.look([2], 60) == (2,)
    assert absence.look([2], 61) == ()
    assert absence.late(61) == (2,)


def test_who_is_heard_again_starts_anew():
    absence = Absence(60)
    absence.look([2], 0)
    absence.look([2], 60)
    assert absence.go_on(60) == (2,)
    absence.look([], 61)
    assert absence.without == frozenset()
    assert absence.look([2], 62) == ()
    assert absence.late(121) == ()
    assert absence.look([2], 122) == (2,)


def test_nobody_is_gone_on_without_before_he_is_late():
    absence = Absence(60)
    absence.look([1], 0)
    assert absence.go_on(59) == ()
    assert absence.without == frozenset()
