"""Players that are away: the countdown, and its end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import (
    Away,
    Back,
    News,
    Stored,
)
from p2p.table.events import Asked, Gone, Over, Sealed
from tests.screens.stage import theirs, view_of


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


def test_a_player_that_has_left_for_good_is_gone_though_others_have_still_to_learn_it():
    stage = theirs(4).tell(Away(1)).tell(Away(2)).tell(Away(2, leaving=True))
    assert "Miren has left the match for good. Those who are away learn it when" in stage.text()
    assert "Miren ✗ gone" in stage.text()
    assert (stage.state.match.away, stage.state.match.votes_needed) == ({1}, 2)
    assert stage.state.match.can_be_decided(1)  # by the two that are here, of the three that stay
