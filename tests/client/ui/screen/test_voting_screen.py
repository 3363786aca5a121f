"""A vote on the full screen, players that are away, a match of two put aside, and another match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import (
    Away,
    Back,
    InTime,
    Late,
    Lobby,
    News,
    Speak,
    Stored,
    Talked,
    TimeLeft,
    Without,
)
from client.ui.screen.messages import Again, PhonesChanged, Ring, Rise, Tick
from client.ui.view.views import view_of as view_of_state
from p2p.table.events import Asked, Gone, Mixed, Over, Sealed, Voted
from tests.screens.stage import Stage, theirs, view_of


def test_of_two_one_who_is_away_is_waited_for_or_the_match_is_put_aside():
    stage = theirs().tell(Away(1)).tick(25)
    assert "Jon: away. Wait, or put it aside (Esc)." in stage.text()
    stage.tell(Late((1,), 60)).commands.clear()
    assert "Jon: away. Put it aside (Esc), or wait." in stage.text()
    assert stage.press("W").commands == []
    assert stage.state.notice.startswith("Two players cannot vote.")
    stage.press("escape")
    kinds = [item.id for item in stage.state.overlay.items(stage.state)]
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
    assert "Jon: taking a long time. W: vote to end the match (0 of 2)." in stage.text()
    assert "Jon: away. W: vote to end the match (0 of 2)." in stage.tell(Away(1)).text()
    assert "`W`: vote to end the match without Jon; 2 votes are needed" in " ".join(stage.state.log)


def test_a_vote_says_what_it_takes_and_is_cast_with_enter_only():
    stage = voting(2)
    assert "Jon: taking a long time. W: vote to end the match (1 of 2)." in stage.text()
    assert stage.press("W").commands == []
    assert stage.state.overlay.NAME == "without"
    assert "Ending the match without Jon takes 2 votes. Votes so far: 1." in stage.text()
    assert stage.press("escape").commands == []
    assert stage.state.overlay is None
    assert Without() in stage.press("W", "enter").commands


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


def test_a_player_that_is_away_is_counted_down_until_they_are_back():
    stage = theirs(3).tell(Away(1)).tick(25)
    assert "Jon: away. In 58 s you may vote to end the match." in stage.text()
    assert "Jon: away. In 48 s you may vote to end the match." in stage.tick(100).text()
    assert "you may vote" not in stage.tell(Back(1)).text()


def test_the_countdown_is_of_how_long_the_table_has_waited_and_begins_anew_on_a_return():
    stage = theirs(3).tick(250).tell(Away(1))
    assert "In 35 s" in stage.text()
    stage.tell(Back(1)).tick(50).tell(Away(1))
    assert "In 30 s" in stage.text()
    stage.tell(Back(1, anew=True)).tick(52).tell(Away(1))
    assert "In 55 s" in stage.text()


def test_time_passes_here_only_while_somebody_is_waited_for(stage):
    assert not stage.state.timed
    assert theirs().tick(30).state.timed
    computer = theirs().tick(30)
    players = tuple(
        replace(player, bot=seat == 1) for seat, player in enumerate(computer.state.match.players)
    )
    computer.state = replace(computer.state, match=replace(computer.state.match, players=players))
    computer.tell(News(Asked(), view_of(computer.state), (1,), last=True)).tick(30)
    assert not computer.state.timed


@pytest.mark.parametrize(
    ("how", "signers", "good"),
    [
        ("voted", "all but Jon", "all good"),
        ("left", "all", "all good"),
        ("convicted", "all but Jon", "all else is good"),
    ],
)
def test_the_end_names_the_seats_that_went_and_says_which_have_signed(how, signers, good):
    """So does `verify` say: a vote is the word of those who voted, and a leave is signed."""
    stage = theirs(3).tick(30)
    stage.tell(News(Gone(1, how, (0, 2), 3), view_of(stage.state), (0,), last=True))
    stage.tell(News(Over((0, 2), (1, 0, 1)), view_of(stage.state), (), last=True))
    stage.tell(News(Sealed(), view_of(stage.state), (), last=True)).tell(Stored("/x"))
    said = " ".join(stage.state.log)
    assert f" {signers} have signed the end" in said
    assert f"; {good}" in said
    assert f"The log is signed by {signers}: `sobremesa verify`" in said
    assert "not signed" not in said
    convicted = how == "convicted"
    assert (said.find("Jon was convicted and removed.") > said.find("The match is over")) is (
        convicted
    )
    shown = stage.tick(30).text()
    assert f"The log is signed by {signers}." in shown
    assert ("Jon was convicted and removed." in shown) is convicted


def test_r_after_the_match_asks_for_another_lets_the_others_know_and_says_that_it_waits(over):
    over.commands.clear()
    wish = [Speak("again"), Again()]
    assert over.press("a").commands == wish
    assert "Waiting for the others" in over.text()
    # once is enough: another one would be the wish for a third match
    assert over.press("a").commands == wish


def test_a_player_that_wants_to_play_again_stands_below_the_result_until_the_next_match(over):
    assert "wants to play again" not in over.text()
    over.tell(Talked(1, "again", phrase=True)).tell(Talked(1, "again", phrase=True)).tick(60)
    assert over.text().count("Jon wants to play again: a.") == 1
    over.tell(Stored("logs/0123.sobremesa"))
    over.tell(Lobby("escoba", {}, over.state.match.players, (0,), 120, hosting=True, held=True))
    assert "wants to play again" not in over.text()


def asleep(stage: Stage, *seats: int) -> Stage:
    """Tell a program that the phones at these seats are away."""
    keys = frozenset(stage.state.match.players[seat].fingerprint for seat in seats)
    return stage.tell(PhonesChanged(replace(stage.state.kept.phones, asleep=keys)))


def test_a_seat_whose_phone_is_away_says_so_to_all_and_as_long_as_it_lasts():
    stage = asleep(theirs(3), 1, 2)
    said = "Jon: phone offline. In 60 s you may vote to end the match."
    assert "Jon: phone offline." in stage.text()
    assert "Miren phone offline" in stage.text(120, 40)
    seats = view_of_state(stage.state).table.seats
    assert [("phone offline" in seat.lines, seat.state) for seat in seats] == [
        (False, ""),
        (True, "turn"),
        (True, "away"),
    ]
    assert view_of_state(stage.state).table.prompt.words == said
    assert "phone offline" not in asleep(stage).text()
    assert "waiting for Jon" in stage.text()


def test_a_table_with_a_phone_that_is_away_says_what_may_follow():
    two = view_of_state(asleep(theirs(2), 1).state).table.prompt.words
    assert two.startswith("Jon: phone offline. Wait, or put it aside")
    watched = theirs(3)
    watched.state = replace(watched.state, match=replace(watched.state.match, seat=None))
    words = view_of_state(asleep(watched, 1).state).table.prompt
    assert "Jon: phone offline. The table waits." in f"{words.words} {words.more}"


def test_a_seat_that_is_away_itself_needs_no_word_about_its_phone():
    stage = asleep(theirs(3).tell(Away(1)), 1)
    assert "phone offline" not in stage.text()


def test_a_late_player_is_late_because_of_the_phone():
    assert "Jon: phone offline. W: vote" in asleep(voting(), 1).text()


def test_in_a_window_a_vote_names_the_late_player_and_its_effect():
    view = view_of_state(voting(2).state)
    assert view.table.prompt.words == "Jon: taking a long time."
    assert view.table.prompt.more == (
        "If 2 of you vote for it, the match ends here for all. Votes so far: 1."
    )
    assert [one.label for one in view.table.actions] == ["vote to end the match"]
    stage = Stage("siete-y-media", 3).until(lambda stage: 1 in stage.state.match.turn)
    view = view_of_state(stage.tell(Late((1,), 60)).state)
    assert view.table.prompt.more == (
        "If 2 of you vote for it, the match goes on without Jon for good. Votes so far: 0."
    )
    assert [one.label for one in view.table.actions] == ["vote to go on without Jon"]


def test_a_warning_about_our_own_time_counts_down_and_ends_with_the_wait():
    stage = Stage("escoba", 3, leaving="end").until(lambda stage: stage.state.match.asked)
    for _second in range(30):
        stage.tell(Tick(1.0))
    stage.tell(TimeLeft(30))
    assert "In 30 s the others may vote to end the match without you." in stage.state.notice
    for _second in range(10):
        stage.tell(Tick(1.0))
    assert "In 20 s the others" in stage.state.notice
    stage.step()
    assert "may vote" not in stage.state.notice
    stage.until(lambda stage: stage.state.match.asked).tell(TimeLeft(30))
    stage.step()
    assert "may vote" not in stage.state.notice


def test_a_countdown_begins_anew_when_the_match_has_gone_on():
    """The program counts so. A time left over would be another one on each screen."""
    stage = theirs(3).tell(Away(1)).tick(105)
    assert "In 50 s you may vote" in stage.text()
    stage.tell(News(Mixed(1, 2), view_of(stage.state), (1,), last=True, at=b"on"))
    assert "In 60 s you may vote" in stage.text()
