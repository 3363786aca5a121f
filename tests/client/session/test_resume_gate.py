"""When a player that comes back may speak again."""

from client.session.resume_gate import GRACE_S, LINKED_S, ResumeGate

ANE, JON, MARY = b"ane", b"jon", b"mary"


def test_when_all_others_have_been_heard_out_it_is_over_at_once():
    back = ResumeGate()
    back.shown(ANE, 5.0)
    assert not back.over({ANE, JON}, {JON}, 5.0, 7)
    back.shown(JON, 5.5)
    assert back.over({ANE, JON}, set(), 5.5, 7)


def test_a_player_that_is_away_is_waited_for_only_a_while():
    back = ResumeGate()
    back.shown(ANE, 5.0)
    back.shown(MARY, 7.0)
    assert not back.over({ANE, JON, MARY}, {JON}, 5.0 + GRACE_S - 0.01, 7)
    assert back.over({ANE, JON, MARY}, {JON}, 5.0 + GRACE_S, 7)


def test_a_liar_that_answers_first_does_not_decide_for_those_that_are_there():
    """They may be slow, or their links may have come only later."""
    back = ResumeGate()
    back.shown(ANE, 5.0)
    assert not back.over({ANE, JON, MARY}, {MARY}, 5.0 + GRACE_S, 7)
    assert not back.over({ANE, JON, MARY}, set(), 5.0 + LINKED_S - 0.01, 7)
    assert back.over({ANE, JON, MARY}, set(), 5.0 + LINKED_S, 7)


def test_an_empty_answer_counts_for_nothing_while_its_peer_names_a_later_head():
    back = ResumeGate()
    back.named(ANE, 9)
    back.shown(ANE, 5.0)
    assert not back.over({ANE}, set(), 1e9, 8)
    assert back.over({ANE}, set(), 5.0, 9)


def test_a_peer_that_names_what_it_does_not_show_does_not_hold_up_the_others():
    back = ResumeGate()
    back.named(ANE, 1 << 40)
    back.shown(ANE, 5.0)
    back.shown(JON, 5.0)
    assert not back.over({ANE, JON}, set(), 5.0, 7)
    assert back.over({ANE, JON}, set(), 5.0 + LINKED_S, 7)
