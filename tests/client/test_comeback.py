"""When who comes back may speak again."""

from client.comeback import GRACE, Comeback

ANE, JON, MARY = b"ane", b"jon", b"mary"


def test_when_all_others_have_been_heard_out_it_is_over_at_once():
    back = Comeback()
    back.shown(ANE, 5.0)
    assert not back.over({ANE, JON}, 5.0)
    back.shown(JON, 5.5)
    assert back.over({ANE, JON}, 5.5)


def test_who_is_away_is_waited_for_only_a_while():
    back = Comeback()
    back.shown(ANE, 5.0)
    back.shown(MARY, 7.0)
    assert not back.over({ANE, JON, MARY}, 5.0 + GRACE - 0.01)
    assert back.over({ANE, JON, MARY}, 5.0 + GRACE)


def test_while_nobody_was_heard_it_is_never_over():
    assert not Comeback().over({ANE}, 1e9)


def test_where_nobody_else_is_left_nobody_is_waited_for():
    assert Comeback().over(set(), 0.0)
