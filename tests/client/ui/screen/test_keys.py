"""Keys change the state at a table: typed lines, sheets and talk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import Advise, Advised, Speak
from client.session.patience import TALK_CHARACTERS
from client.ui.plain.lines import completions
from client.ui.screen import settings, sheets
from client.ui.screen.messages import Key, Save
from client.ui.screen.state import Page
from client.ui.update import TYPED_LIMIT
from tests.client.ui.screen.menus import acts, chosen
from tests.screens.stage import Stage

# Lines that are typed.


def test_tab_completes_what_all_moves_have_in_common(stage):
    stage.press(":", "p", "l", "tab")
    assert stage.state.typed == "play "
    moves = completions(stage.state.match)
    stage.press(*moves[0][5:-1], "tab")
    assert any(move.startswith(stage.state.typed) for move in moves)


def test_pasted_text_becomes_one_line_within_the_limit(stage):
    stage.press(":").tell(Key("paste", "play\n7o" + "x" * 10_000))
    assert stage.state.typed.startswith("play 7o")
    assert len(stage.state.typed) == TYPED_LIMIT


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


@pytest.mark.parametrize("name", [name for name in sheets.MENU if name not in sheets.OF_LESSONS])
def test_everything_on_the_menu_leads_somewhere(stage, name):
    if name in ("without", "rise"):
        stage = Stage("escoba", 3).until(lambda stage: stage.state.match.asked)
        stage.state = replace(stage.state, match=replace(stage.state.match, late=frozenset({1})))
    stage.state = replace(stage.state, movable=True)
    before = stage.press("escape").press("escape").state
    chosen(stage, name)
    assert stage.state != before or stage.commands


def test_settings_change_at_a_table_one_after_the_other(stage):
    before = stage.state.settings
    chosen(stage, "settings")
    names = [item.id for item in sheets.choices(stage.state, stage.state.overlay)]
    assert set(names) == set(settings.TERMINAL) - {"nick"}, "the others know us by our nick"
    for name in ("motion", "sound"):
        place = names.index(name) - stage.state.overlay.cursor
        stage.press(*["down" if place > 0 else "up"] * abs(place), "enter")
    assert (before.motion, stage.state.settings.motion) == ("calm", "brisk")
    assert stage.state.settings.sound is not before.sound
    saved = [command for command in stage.commands if isinstance(command, Save)]
    assert saved[-1] == Save(stage.state.settings)
    assert stage.press("escape").state.overlay is None
    assert stage.state.page is Page.PLAY


def test_the_rules_are_scrolled_and_put_away(stage):
    first = stage.press("f1").text()
    assert "▼" in first
    assert stage.press("pagedown").text() != first
    assert stage.press("pageup").text() == first
    assert stage.press("escape").state.overlay is None
    assert acts(stage) == []


def counted() -> Stage:
    """A match of Escoba whose first deal has just been counted."""
    return Stage("escoba", 2, target=21).until(lambda stage: bool(stage.state.count))


def test_the_count_is_scrolled_without_going_away():
    stage = counted().press("down")
    assert stage.state.overlay.kind == "count"
    assert stage.state.overlay.lines
    assert stage.press("enter").state.overlay is None


# Talk.


def talking(stage: Stage, words: str) -> Stage:
    """Say something in words of one's own."""
    return stage.press("f2", "up", "enter").tell(Key("paste", words)).press("enter")


@pytest.mark.parametrize(
    "words",
    [
        "x" * 300,
        "ẋ" * 300,
        "x\u0323\u0307" * 300,
        "\u0958" * 300,
        "hm" + "\u200d" * 300,
        "\udce9" * 5 + "hm",
    ],
)
def test_our_talk_is_cut_to_its_limit(stage, words):
    talking(stage, words)
    (command,) = stage.commands
    assert 0 < len(command.text) <= TALK_CHARACTERS
    command.text.encode()


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_typed_talk_says_that_no_more_fits_and_nothing_of_it_is_cut_later(stage, size):
    full = "No room for more: a remark has at most 120 characters."
    stage.press("f2", "up", "enter").tell(Key("paste", "x" * 120))
    assert full not in stage.text(*size)
    assert full in stage.press("y").text(*size)
    assert full not in stage.press("backspace").text(*size)
    stage.press("enter")
    assert stage.commands == [Speak("x" * 119, phrase=False)]
    stage.press("f2", "up", "enter").tell(Key("paste", "好" * 61))
    assert stage.state.typed == "好" * 60
    assert full in stage.text(*size)


def test_a_typed_line_has_only_characters_that_all_terminals_draw_alike(stage):
    stage.press("f2", "up", "enter").tell(
        Key("paste", "\U0001f44b\U0001f3fd \U0001f1ea\U0001f1f8 ")
    )
    assert stage.state.typed == "\U0001f44b ES "
    stage.press("enter")
    assert stage.commands == [Speak("\U0001f44b ES", phrase=False)]


def test_muted_players_stay_so_until_heard_again(stage):
    chosen(stage, "mute").press("enter")
    assert stage.state.match.muted == {stage.state.match.players[1].fingerprint}
    assert "not heard" in stage.text()
    assert stage.press("enter").state.match.muted == set()


# Keys in the last line.


def test_the_way_to_the_menu_is_always_named(stage):
    for columns in range(60, 121):
        assert stage.foot(columns).rstrip().endswith("Esc menu")
