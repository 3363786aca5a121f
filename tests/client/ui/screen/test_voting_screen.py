"""A vote on the full screen: its price, the seats that have cast one, the time left; and putting a
match of two aside."""

from __future__ import annotations

import pytest

from client.session.messages import Away, Back, InTime, Late, News, Without
from client.ui.screen import sheets
from client.ui.screen.messages import Ring, Rise
from p2p.table.events import Gone, Voted, WasLate
from tests.screens.stage import Stage, theirs, view_of


def test_of_two_one_who_is_away_is_waited_for_or_the_match_is_put_aside():
    stage = theirs().tell(Away(1)).tick(25)
    assert "Jon: away. Wait, or put it aside (Esc)." in stage.text()
    stage.tell(Late((1,), 60)).commands.clear()
    assert "Jon: away. Put it aside (Esc), or wait." in stage.text()
    assert stage.press("W").commands == []
    assert stage.state.notice.startswith("Two players cannot vote.")
    stage.press("escape")
    kinds = [item.id for item in sheets.choices(stage.state, stage.state.overlay)]
    assert "aside" in kinds
    assert not {"without", "rise"} & set(kinds)
    stage.press(str(1 + kinds.index("aside")))
    assert stage.state.overlay.title == "Put the match aside?"
    assert stage.press("enter").commands[-1:] == [Rise()]


def voting(*votes: int) -> Stage:
    """A match of three in which Jon is late, and these have voted to go on without him."""
    stage = theirs(3).tick(30)
    stage.tell(Late((1,), 60))
    for cast, seat in enumerate(votes, 1):
        stage.tell(
            News(
                Voted(seat, 1, cast, 2),
                view_of(stage.state),
                (1,),
                last=True,
                votes={1: votes[:cast]},
            )
        )
    stage.commands.clear()
    return stage


def test_a_late_player_can_be_voted_out_and_not_before():
    stage = theirs(3).tick(30)
    stage.commands.clear()
    assert stage.press("W").commands == []
    assert stage.state.overlay is None
    stage = voting()
    assert "Jon: slow. W: vote to end the match (0 of 2)." in stage.text()
    assert "Jon: away. W: vote to end the match (0 of 2)." in stage.tell(Away(1)).text()
    assert "`W`: vote to end the match without Jon; 2 votes are needed" in " ".join(stage.state.log)


def test_a_vote_says_what_it_takes_and_is_cast_with_enter_only():
    stage = voting(2)
    assert "Jon: slow. W: vote to end the match (1 of 2)." in stage.text()
    assert stage.press("W").commands == []
    assert stage.state.overlay.kind == "without"
    assert "To end the match without Jon takes 2 votes; cast so far: 1." in stage.text()
    assert stage.press("escape").commands == []
    assert stage.state.overlay is None
    assert Without() in stage.press("W", "enter").commands


def test_the_question_says_whether_the_rules_end_the_match_then():
    assert voting(2).press("W").state.overlay.title == "End the match without Jon?"
    stage = Stage("siete-y-media", 3).until(lambda stage: stage.state.match.turn == (1,)).tick(30)
    stage.tell(Late((1,), 60))
    assert "vote to go on without" in stage.text()
    stage.press("W")
    assert stage.state.overlay.title == "Go on without Jon?"
    assert "To go on without Jon takes 2 votes" in stage.text()
    stage.tell(News(Gone(1, "voted", (0, 2), 3), view_of(stage.state), (), last=True))
    assert "you and Miren have voted (2 of 3) to go on without Jon." in stage.state.log


def test_a_vote_that_is_cast_is_counted_and_not_cast_again():
    stage = voting(0)
    assert "Jon: 1 of 2 votes to end the match." in stage.text()
    assert stage.press("W").commands == []
    assert stage.state.notice == (
        "You have voted. The match ends as soon as enough others have voted."
    )


def test_a_player_who_moves_takes_the_question_away():
    stage = voting(2).press("W")
    stage.tell(InTime((1,)))
    assert stage.state.overlay is None
    assert Without() not in stage.press("enter").commands


def test_a_vote_against_us_rings_and_is_counted():
    stage = Stage("escoba", 3, leaving="end").until(lambda stage: stage.state.match.asked)
    stage.commands.clear()
    stage.tell(News(Voted(2, 0, 1, 2), view_of(stage.state), (0,), last=True, votes={0: (2,)}))
    assert "vote to end the match without you: 1 of 2 (Miren)" in stage.text()
    assert (
        stage.state.notice
        == "Miren votes to end the match without you: 1 of 2 votes. Move, and they count no more."
    )
    assert Ring() in stage.commands


def out_by_votes() -> Stage:
    """A match of three that goes on without us, told to us when we come back."""
    stage = Stage("siete-y-media", 3).until(lambda stage: stage.state.match.asked)
    for event in (Voted(1, 0, 1, 2), Voted(2, 0, 2, 2), Gone(0, "voted", (1, 2), 3)):
        stage.tell(News(event, view_of(stage.state), (), last=True))
    return stage


def test_a_player_who_comes_back_too_late_is_not_told_to_move():
    stage = out_by_votes()
    assert stage.state.notice == ""
    assert stage.state.log[-1] == (
        "Jon and Miren have voted (2 of 3) to go on without you: you are out of this match."
    )
    assert stage.state.log[-2] == "Miren votes to go on without you: 2 of 2 votes."
    stage.tell(News(Voted(2, 0, 2, 2), view_of(stage.state), (), last=True))
    assert stage.state.notice == ""
    assert stage.state.log[-1] == "Miren votes to go on without you: 2 of 2 votes."
    assert "Move, and they count no more" not in " ".join(stage.text().split())


def left_alone(*votes: int) -> Stage:
    """A match of three in which both others are late and away; these have voted on Jon before."""
    stage = voting(*votes).tell(Late((2,), 60))
    return stage.tell(Away(1)).tell(Away(2))


def test_a_vote_that_nobody_here_can_decide_is_not_offered():
    stage = left_alone()
    assert "Jon and Miren: away. Too few are here to vote; the match waits." in stage.text()
    assert "W: vote" not in stage.text()
    assert "Jon and Miren: away. Too few are here to vote" in left_alone(0).text()
    assert "Jon and Miren: away. Too few are here to vote" not in left_alone(2).text()
    stage.tell(Back(2))
    assert "W: vote to end the match" in stage.text()


@pytest.mark.parametrize(
    ("row", "calls", "said"),
    [
        (1, 1, "After 3 times in a row, or 9 in a match, a player is removed."),
        (2, 3, "late twice in a row: a third time removes {who}."),
        (1, 8, "late 8 times in this match: the next time removes {who}."),
    ],
)
@pytest.mark.parametrize(("seat", "who"), [(0, "you"), (1, "Jon")])
def test_it_is_said_who_was_late_and_how_near_that_is_to_a_removal(row, calls, said, seat, who):
    stage = Stage("escoba", 3, leaving="end").until(lambda stage: stage.state.match.asked)
    stage.commands.clear()
    stage.tell(News(WasLate(seat, row, calls), view_of(stage.state), (), last=True))
    assert stage.state.log[-1].endswith(said.format(who=who))
    assert (stage.state.notice == stage.state.log[-1]) is (seat == 0)
    assert (Ring() in stage.commands) is (seat == 0)
