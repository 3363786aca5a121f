"""Keys lead out of a match: Ctrl-C, leaving, a match that is over, and spectators.

No single key does a thing that costs.
"""

from __future__ import annotations

import pytest

from client.session.messages import Leave, News, Quit, Stored
from client.session.status import Status
from client.ui.games import words_of
from client.ui.screen import pages
from client.ui.screen.messages import Rise
from client.ui.screen.state import Page, ScreenState
from engine.games import GAMES
from p2p.table.events import Differs, Gone
from tests.client.ui.screen.menus import acts, chosen, on_menu
from tests.screens.stage import Stage, view_of


def test_ctrl_c_in_a_match_asks_first_and_the_second_one_ends(stage):
    stage.press("c-c")
    assert stage.state.overlay.kind == "quit"
    assert "When you start it again, its lobby opens." in stage.state.overlay.lines[-1]
    assert stage.commands == []
    stage.press("c-c")
    assert stage.commands == [Quit(Status.INTERRUPTED)]


@pytest.mark.parametrize("before", [("escape",), (":", "p"), ("f1",), ("f2",)])
def test_ctrl_c_is_heard_whatever_lies_on_the_table(stage, before):
    stage.press(*before, "c-c")
    assert stage.state.overlay.kind == "quit"
    assert stage.state.typed is None


def test_ctrl_c_after_the_match_ends_at_once(over):
    over.commands.clear()
    assert over.press("c-c").commands == [Quit(Status.INTERRUPTED)]


def test_leaving_shows_its_price_and_is_done_by_the_second_enter_only(stage):
    chosen(stage, "leave")
    assert stage.state.overlay.kind == "leave"
    assert "the match is over" in " ".join(stage.state.overlay.lines)
    assert stage.commands == []
    stage.press("enter")
    assert [command for command in stage.commands if isinstance(command, Leave)] == [Leave()]


def test_a_match_that_ends_takes_the_question_about_it_away():
    for question in ("leave", "aside"):
        stage = Stage("escoba", 2, target=1).until(lambda stage: stage.state.match.asked)
        chosen(stage, question)
        stage.commands.clear()
        stage.until(lambda stage: stage.over)
        assert stage.state.overlay is None
        assert not [
            command
            for command in stage.press("enter", "enter").commands
            if isinstance(command, Quit)
        ]
    stage = Stage("escoba", 2, target=1).until(lambda stage: stage.state.match.asked).press("c-c")
    assert stage.until(lambda stage: stage.over).state.overlay is None


def out_of_it() -> Stage:
    """A match of three that goes on without us."""
    stage = Stage("siete-y-media", 3).until(lambda stage: stage.state.match.asked).tick(30)
    stage.tell(News(Gone(0, "left"), view_of(stage.state), (1,), last=True))
    stage.commands.clear()
    return stage


def diverged() -> Stage:
    """A match that stops, since good proofs have given a card that is none."""
    stage = Stage("siete-y-media", 3).until(lambda stage: stage.state.match.asked).tick(30)
    stage.tell(News(Differs(None, 7, b"", b"b" * 32), view_of(stage.state), (1,), last=True)).press(
        "enter"
    )
    stage.commands.clear()
    return stage


def written_down() -> Stage:
    """A match that is written down before it is over."""
    stage = (
        Stage("siete-y-media", 3)
        .until(lambda stage: stage.state.match.asked)
        .tick(30)
        .tell(Stored("/x", sealed=False))
    )
    stage.commands.clear()
    return stage


@pytest.mark.parametrize("how", [out_of_it, diverged, written_down])
def test_a_match_that_goes_no_further_with_us_is_left_like_one_that_is_over(how):
    assert how().press("l").commands == [Rise()]
    assert how().press("enter").commands == []
    assert how().press("c-c").commands == [Quit(Status.INTERRUPTED)]
    assert chosen(how(), "rise").commands == [Rise()]
    assert "leave" not in on_menu(how())
    shown = how()
    assert "Your turn" not in pages.title(shown.state)
    assert "l to the lobby" in shown.foot()
    assert "waits for you" not in shown.press("escape").text()
    assert acts(how().press("1", "2", "enter")) == []


def spectator(game: str = "escoba") -> Stage:
    """A match of others."""
    return Stage(game, min(GAMES[game].allowed_players), None).step().step().tick(30)


def test_the_menu_of_a_spectator_offers_nothing_that_only_players_have():
    stage = spectator()
    assert not set(on_menu(stage)) & {"leave", "say", "mute", "words", "hint"}
    assert "waits for you" not in stage.press("escape").text()


@pytest.mark.parametrize("game", GAMES)
def test_closing_and_leaving_for_good_are_called_by_different_words(game):
    leaving = words_of(game).leaving
    assert "If you leave for good, " in leaving
    for players in {2, 3, 4} & set(GAMES[game].allowed_players):
        stage = Stage(game, players).press("escape", "c-c")
        assert stage.state.overlay is not None
        said = stage.state.overlay.lines[0]
        assert said.startswith("You do not leave for good: ")
        end = "end the match" if stage.state.match.ends_without(0) else "go on"
        assert (f"may vote to {end} without you" in said) is (players > 2)
        assert stage.text(60, 20).splitlines()[-1] == " Enter close  Esc stay"
    asked = (
        Stage(game, max(GAMES[game].allowed_players))
        .until(lambda stage: stage.game.may_leave(0))
        .type("leave")
    )
    assert asked.state.overlay is not None
    assert asked.state.overlay.lines[1] == "If you only close the program, the match waits for you."
    assert asked.text(60, 20).splitlines()[-1] == " Enter leave  Esc stay"


@pytest.mark.parametrize("game", GAMES)
def test_a_spectator_reads_that_it_watches_and_a_replay_waits_for_nobody(game):
    stage = spectator(game)
    line = next(line for line in stage.text(60, 20).splitlines() if "you watch ·" in line)
    assert "waiting for" in line
    player = Stage(game, len(stage.state.match.players))
    assert "you watch" not in player.step().step().tick(30).text(60, 20)
    steps = ((stage.state.match, ()),)
    replay = ScreenState(page=Page.REPLAY, match=stage.state.match, steps=steps)
    text = pages.draw(replay, 60, 20).text()
    assert "you watch" not in text
    assert "waiting for" not in text


def test_enter_pressed_too_often_after_the_last_count_leaves_the_rematch_on_the_screen():
    stage = Stage("escoba", 2, target=5, hold=True).until(lambda stage: stage.over)
    stage.commands.clear()
    assert stage.state.count
    stage.press("enter", "enter", "enter", "enter")
    assert stage.commands == []
    assert "a play again" in stage.foot()
    assert stage.press("l").commands == [Rise()]
