"""Keys change the state at a table: typed lines, sheets, talk, the rules; and they lead out of a
match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import (
    Advise,
    Advised,
    Leave,
    News,
    Quit,
    Seated,
    Speak,
    Stored,
    Vouch,
    Words,
)
from client.session.status import Status
from client.ui.plain.lines import completions
from client.ui.screen import menu, pages, reading
from client.ui.screen.messages import Key, Rise
from client.ui.screen.state import Page, Replay, ScreenState
from client.ui.update import TYPED_LIMIT
from engine.games import GAMES
from p2p.table.events import Differs, Gone
from tests.client.ui.screen.menus import acts, chosen, on_menu
from tests.screens.stage import NICKS, Stage, terms_of, view_of

# Lines that are typed.


def test_a_line_is_completed_corrected_thrown_away_and_makes_a_move():
    stage = Stage("escoba", 2, seed=1).until(lambda now: now.state.match.asked).tick(30)
    stage.commands.clear()
    assert stage.press(":", "p", "l", "tab").state.typed.text == "play "
    assert stage.press("z", "tab").state.typed.text == "play z"
    assert stage.press("backspace", "backspace").state.typed.text == "play"
    assert stage.press("c-u").state.typed.text == ""
    assert stage.press("escape").state.typed is None
    assert stage.commands == []
    assert "neither a move nor a command" in stage.type("paly 7o").state.notice
    stage.type(next(iter(completions(stage.state.match))))
    assert len(acts(stage)) == 1


def test_pasted_text_becomes_one_line_within_the_limit(stage):
    stage.press(":").tell(Key("paste", "play\n7o" + "x" * 10_000))
    assert stage.state.typed.text.startswith("play 7o")
    assert len(stage.state.typed.text) == TYPED_LIMIT


# Sheets.


def test_a_hint_of_another_process_is_shown_when_it_comes(stage):
    here = stage.press("?").state.notice
    move = stage.state.match.reply[0].params["move"]
    match = replace(stage.state.match, apart=True, hinted=None)
    stage.state = replace(stage.state, notice="", match=match)
    assert stage.press("?").state.notice == ""
    assert isinstance(stage.commands[-1], Advise)
    assert stage.tell(Advised(move)).state.notice == here
    stage.state = replace(stage.state, notice="", match=replace(stage.state.match, asked=False))
    assert stage.tell(Advised(move)).state.notice == ""


@pytest.mark.parametrize("name", [name for name in menu.MENU if name not in menu.OF_LESSONS])
def test_everything_on_the_menu_leads_somewhere(stage, name):
    if name in ("without", "rise"):
        stage = Stage("escoba", 3).until(lambda stage: stage.state.match.asked)
        stage.state = replace(stage.state, match=replace(stage.state.match, late=frozenset({1})))
    stage.state = replace(stage.state, kept=replace(stage.state.kept, movable=True))
    before = stage.press("escape").press("escape").state
    chosen(stage, name)
    assert stage.state != before or stage.commands


def test_the_rules_are_scrolled_and_put_away(stage):
    first = stage.press("f1").text()
    assert "▼" in first
    assert stage.press("pagedown").text() != first
    assert stage.press("pageup").text() == first
    assert stage.press("escape").state.overlay is None
    assert acts(stage) == []


# Talk.


def test_a_phrase_is_said_by_its_id_and_own_words_as_they_are(stage):
    assert stage.press("f2", "enter").commands == [Speak("hello", phrase=True)]
    assert stage.press("f2", "up", "enter").state.typed.kind == "talk"
    assert stage.press(*"aupa!", "enter").commands[1:] == [Speak("aupa!", phrase=False)]
    assert stage.state.log[-2:] == ("Ane: “Hello!”", "Ane: “aupa!”")
    players = tuple(
        replace(player, bot=seat != 0) for seat, player in enumerate(stage.state.match.players)
    )
    stage.state = replace(stage.state, match=replace(stage.state.match, players=players))
    assert not {"say", "mute", "words"} & set(on_menu(stage)), "nobody listens"
    assert stage.press("f2").state.overlay is None


def test_a_digit_that_no_phrase_has_begins_words_of_ones_own(stage):
    stage.press("f2", "0")
    assert (stage.state.typed.text, stage.commands) == ("0", [])


def test_a_typed_line_has_only_characters_that_all_terminals_draw_alike(stage):
    stage.press("f2", "up", "enter").tell(
        Key("paste", "\U0001f44b\U0001f3fd \U0001f1ea\U0001f1f8 ")
    )
    assert stage.state.typed.text == "\U0001f44b ES "
    stage.press("enter")
    assert stage.commands == [Speak("\U0001f44b ES", phrase=False)]


def test_muted_players_stay_so_until_heard_again(stage):
    chosen(stage, "mute").press("enter")
    assert stage.state.match.muted == {stage.state.match.players[1].fingerprint}
    assert "not heard" in stage.text()
    assert stage.press("enter").state.match.muted == set()


def test_f1_at_a_table_shows_the_options_of_that_table():
    stage = Stage("truco", 2, target=12).press("f1")
    assert stage.state.overlay is not None
    lines = stage.state.overlay.lines
    assert lines[lines.index("At this table:") + 1] == "  Points to win: 12"
    assert "At this table:" not in reading.rules_sheet("truco").lines


def test_the_person_that_is_chosen_stays_chosen_where_the_seats_change():
    stage = Stage("siete-y-media", 3).tick(30)
    jon, miren = (player.fingerprint for player in stage.state.match.players[1:])
    terms = terms_of("siete-y-media", 3, NICKS, {})
    own, *others = terms.participants
    for wanted, keys in ((jon, ()), (miren, ("down",))):
        stage.tell(Words({jon: "apple river ten", miren: "lemon hotel jazz"})).press(*keys)
        for seats in (others[::-1], others):
            moved = replace(terms, participants=(own, *seats))
            stage.tell(Seated(moved, 0, moved.match.hex()))
            stage.commands.clear()
            assert stage.press("t").commands == [Vouch(wanted)]


def test_ctrl_c_in_a_match_asks_first_and_the_second_one_ends(stage):
    stage.press("c-c")
    assert stage.state.overlay.NAME == "quit"
    assert "When you start it again, its lobby opens." in stage.state.overlay.lines[-1]
    assert stage.commands == []
    stage.press("c-c")
    assert stage.commands == [Quit(Status.INTERRUPTED)]


@pytest.mark.parametrize("before", [("escape",), (":", "p"), ("f1",), ("f2",)])
def test_ctrl_c_is_heard_whatever_lies_on_the_table(stage, before):
    stage.press(*before, "c-c")
    assert stage.state.overlay.NAME == "quit"
    assert stage.state.typed is None


def test_leaving_shows_its_price_and_is_done_by_the_second_enter_only(stage):
    chosen(stage, "leave")
    assert stage.state.overlay.NAME == "leave"
    assert "the match ends" in " ".join(stage.state.overlay.lines)
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


@pytest.mark.parametrize("game", GAMES)
def test_a_spectator_reads_that_it_watches_and_a_replay_waits_for_nobody(game):
    stage = spectator(game)
    line = next(line for line in stage.text(60, 20).splitlines() if "you watch ·" in line)
    assert "waiting for" in line
    player = Stage(game, len(stage.state.match.players))
    assert "you watch" not in player.step().step().tick(30).text(60, 20)
    steps = ((stage.state.match, ()),)
    replay = ScreenState(page=Page.REPLAY, match=stage.state.match, replay=Replay(steps=steps))
    text = pages.draw(replay, 60, 20).text()
    assert "you watch" not in text
    assert "waiting for" not in text


def test_enter_pressed_too_often_after_the_last_count_leaves_the_rematch_on_the_screen():
    stage = Stage("escoba", 2, target=5, hold=True).until(lambda stage: stage.over)
    stage.commands.clear()
    assert stage.state.count.lines
    stage.press("enter", "enter", "enter", "enter")
    assert stage.commands == []
    assert "a play again" in stage.foot()
    assert stage.press("l").commands == [Rise()]


def test_to_the_lobby_asks_while_others_would_wait():
    stage = Stage("escoba", 3).until(lambda stage: stage.state.match.asked)
    stage.commands.clear()
    chosen(stage, "rise")
    assert stage.state.overlay.NAME == "rise"
    assert stage.commands == []
    assert stage.press("enter").commands == [Rise()]
