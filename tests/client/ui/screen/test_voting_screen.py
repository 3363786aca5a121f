"""A vote on the full screen: its price, the seats that have cast one, the time left; and putting a
match of two aside."""

from __future__ import annotations

import pytest

from client.session.messages import Away, Back, InTime, Late, News, TimeLeft, Without
from client.ui.screen import sheets
from client.ui.screen.messages import Ring, Rise
from p2p.table.events import Gone, OutOfKeys, Voted, WasLate
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


@pytest.mark.parametrize(
    ("game", "options", "over"),
    [("escoba", {"leaving": "end"}, True), ("escoba", {}, False), ("siete-y-media", {}, False)],
)
def test_the_menu_says_whether_the_rules_end_the_match_then(game, options, over):
    stage = Stage(game, 3, **options).until(lambda stage: stage.state.match.turn == (1,)).tick(30)
    stage.tell(Late((1,), 60)).press("escape")
    ends = "Vote to end the match without a late player" in stage.text()
    going = "Vote to go on without a late player" in stage.text()
    assert (ends, going) == (over, not over)


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


def test_a_player_who_comes_back_takes_the_question_away_and_is_named():
    stage = voting(2).tell(Away(1)).press("W")
    assert stage.state.overlay.kind == "without"
    stage.tell(Back(1, anew=True)).tell(InTime((1,)))
    assert stage.state.overlay is None
    assert stage.state.notice == "The vote is off: Jon is back."
    assert Without() not in stage.press("enter", "W", "enter").commands


def test_a_question_is_asked_anew_when_another_player_is_late_too():
    stage = Stage("siete-y-media", 3).until(lambda stage: stage.state.match.turn == (1,)).tick(30)
    stage.tell(Late((1,), 60)).press("W").tell(Late((2,), 60))
    assert Without() not in stage.press("enter").commands
    assert stage.state.overlay.title == "End the match without Jon and Miren?"
    assert Without() in stage.press("enter").commands


def test_a_question_about_two_players_is_asked_anew_when_one_of_them_is_back():
    stage = voting()
    stage.tell(News(Voted(0, 1, 0, 2), view_of(stage.state), (1, 2), last=True))
    stage.tell(Late((1, 2), 60)).commands.clear()
    assert "Miren" in " ".join(stage.press("W").state.overlay.lines)
    stage.tell(Back(2, anew=True)).tell(InTime((2,)))
    assert stage.state.overlay is None
    assert "Miren" not in " ".join(stage.press("W").state.overlay.lines)


def test_our_own_time_is_counted_down_from_half_of_it_where_the_others_can_vote():
    stage = Stage("escoba", 3, leaving="end").until(lambda stage: stage.state.match.asked)
    stage.commands.clear()
    assert "30 s" not in stage.text()
    assert "Your turn · 30 s" in stage.tick(300).text()
    stage.tell(TimeLeft(30))
    said = " ".join(stage.text().split())
    assert "In 30 s the others may vote to end the match without you." in said
    assert Ring() in stage.commands
    assert "Your turn · 1 s" in stage.tick(290).text()
    assert "Your turn · the others may vote now" in stage.tick(10).text()


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


def test_of_two_our_own_time_is_nobodys_business():
    stage = Stage("escoba", 2).until(lambda stage: stage.state.match.asked).tick(300)
    assert not stage.state.timed
    assert " 30 s" not in stage.text()


def test_a_player_that_was_voted_out_reads_the_voters():
    stage = Stage("escoba", 3, leaving="end").until(lambda stage: stage.state.match.asked)
    stage.tell(News(Gone(0, "voted", (1, 2), 3), view_of(stage.state), (), last=True))
    assert (
        "Jon and Miren have voted (2 of 3) to end the match without you: "
        "you are out of this match." in stage.state.log
    )
    assert "You are out of this match." in stage.text()


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


def test_before_the_limit_too_nobody_is_promised_a_vote_that_cannot_be_decided():
    stage = theirs(3).tell(Away(1)).tell(Away(2)).tick(25)
    assert "Jon: away. Too few are here to vote; the match waits." in stage.text()


def test_the_log_and_the_question_say_that_too_few_are_here():
    stage = theirs(3).tick(30).tell(Away(1)).tell(Away(2)).tell(Late((1,), 60))
    said = "Not enough others are here to decide: the match waits for Jon."
    assert stage.state.log[-1] == said
    assert said in " ".join(stage.press("W").state.overlay.lines)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
def test_the_key_of_a_vote_stands_among_the_keys_while_it_does_something(size):
    assert "W vote" not in theirs(3).tick(30).foot(*size)
    assert "W vote" in voting().foot(*size)
    assert "W vote" in voting(2).foot(*size)
    assert "W vote" not in voting(0).foot(*size), "ours is cast"
    assert "W vote" not in theirs().tell(Late((1,), 60)).foot(*size), "two players cannot vote"
    assert "W vote" not in voting().tell(InTime((1,))).foot(*size)


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


def test_it_is_said_for_whom_a_late_player_waits_as_its_program_says():
    stage = theirs(3).tick(30).tell(Late((1,), 60, ((1, (0, 2)),)))
    assert "Jon says: waiting for you and Miren." in stage.state.log


@pytest.mark.parametrize(
    ("players", "rest"), [(2, "leave it for good."), (3, "vote to go on without you.")]
)
def test_a_player_whose_program_began_anew_too_often_is_told_to_leave(players, rest):
    stage = theirs(players)
    stage.tell(News(OutOfKeys(2), view_of(stage.state), (0,), last=True))
    assert stage.state.overlay.kind == "alarm"
    (line,) = stage.state.overlay.lines
    assert line.startswith("Your program began anew too often while this deck was made")
    assert line.endswith(rest)
