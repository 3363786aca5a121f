"""The page of past matches: its list, their totals, and matches that are left or deleted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.ui.plain.history import LACKING, deletion_of
from client.ui.screen.messages import Abandon, Delete, Ended, MatchHistory, OpenLog
from client.ui.screen.state import Page
from tests.client.storage.pasts import of_each_kind
from tests.screens.hand import Hand
from tests.screens.stage import golden


def test_past_matches_are_shown_with_result_score_and_ending():
    history = of_each_kind()
    hand = Hand().tell(MatchHistory(history, unread=3)).press("p", "down")
    golden("history", hand)


def test_the_totals_of_past_matches_lie_on_a_sheet():
    hand = Hand().tell(MatchHistory(of_each_kind())).press("p", "t")
    golden("history-totals", hand)
    assert hand.press("escape").state.page is Page.HISTORY


def test_an_unfinished_match_is_left_for_good_from_the_list_once_that_is_confirmed():
    history = of_each_kind()
    hand = Hand().tell(MatchHistory(history)).press("p", "x")
    assert "leave for good" in hand.text()
    assert "will not be listed as unfinished" in " ".join(hand.text().split())
    assert hand.press("escape").commands == []
    assert hand.press("x", "x", "enter").commands == [Abandon(history[0].match)]
    assert Hand().tell(MatchHistory(history)).press("p", "down", "x", "enter").commands == [
        OpenLog(history[1].path)
    ]


def test_an_ended_match_is_deleted_from_the_list_once_that_is_confirmed():
    history = of_each_kind()
    hand = Hand().tell(MatchHistory(history)).press("p", "down", "d")
    said = " ".join(hand.text().split())
    assert "won 21:15" in said
    assert "This deletes the whole match from this machine" in said
    assert "That cannot be undone." in said
    assert "It no longer counts in your totals." in said
    assert "cannot get it from you any more" not in said, "all have its end"
    assert hand.press("escape").commands == []
    assert hand.press("d", "d", "enter").commands == [Delete(history[1].match)]
    rest = (history[0], *history[2:])
    after = hand.tell(Ended()).tell(MatchHistory(rest))
    assert after.state.page is Page.HISTORY
    assert after.press("enter").commands[-1:] == [OpenLog(history[2].path)], (
        "its neighbour is chosen"
    )


@pytest.mark.parametrize("computer", [False, True])
def test_only_people_can_lack_the_end_of_a_match_that_is_deleted(computer):
    summary = next(one for one in of_each_kind() if one.ending in LACKING and one.facts)
    assert summary.facts is not None
    players = tuple(
        replace(player, computer=computer and seat != summary.facts.seat)
        for seat, player in enumerate(summary.facts.players)
    )
    left = replace(summary, facts=replace(summary.facts, players=players))
    assert ("Players who have not received its end" in " ".join(deletion_of(left))) is not computer


def test_a_match_that_waits_for_us_cannot_be_deleted():
    hand = Hand().tell(MatchHistory(of_each_kind())).press("p", "d")
    assert hand.state.overlay is None
    assert "delete" not in hand.text()


@pytest.mark.parametrize(("key", "first"), [("d", 1), ("x", 0)])
def test_the_question_is_about_one_match_whatever_comes_above_it_meanwhile(key, first):
    kinds = of_each_kind()
    other = replace(kinds[first], match="ff" * 16)
    hand = Hand().tell(MatchHistory(kinds[first : first + 1])).press("p", key)
    hand = hand.tell(MatchHistory((other, kinds[first]))).press("enter")
    assert [command.match for command in hand.commands] == [kinds[first].match]
