"""Keys change the state at a table: typed lines, sheets and talk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import Advise, Advised, Speak
from client.session.patience import TALK_CHARACTERS
from client.ui.plain.lines import completions
from client.ui.screen import settings, sheets
from client.ui.screen.messages import Key, Save
from client.ui.screen.react import react
from client.ui.screen.state import Overlay, Page, ScreenState
from client.ui.update import TYPED_LIMIT
from tests.client.ui.screen.menus import acts, chosen, on_menu
from tests.screens.stage import Stage

# Lines that are typed.


def test_a_move_is_typed_in_the_notation(stage):
    move = next(iter(completions(stage.state.match)))
    stage.type(move)
    assert len(acts(stage)) == 1
    assert stage.state.typed is None


def test_tab_completes_what_all_moves_have_in_common(stage):
    stage.press(":", "p", "l", "tab")
    assert stage.state.typed == "play "
    moves = completions(stage.state.match)
    stage.press(*moves[0][5:-1], "tab")
    assert any(move.startswith(stage.state.typed) for move in moves)


def test_the_list_of_commands_begins_a_line(stage):
    stage.press(":", *"help", "enter")
    assert stage.state.overlay.kind == "help"
    stage.press(":")
    assert stage.state.overlay is None
    assert (stage.state.typed, stage.state.typing) == ("", "move")


def test_tab_leaves_alone_what_nothing_begins_with(stage):
    assert stage.press(":", "z", "z", "tab").state.typed == "zz"


def test_a_line_is_corrected_and_thrown_away(stage):
    assert stage.press(":", "a", "b", "backspace").state.typed == "a"
    assert stage.press("c-u").state.typed == ""
    assert stage.press("escape").state.typed is None
    assert stage.commands == []


def test_an_empty_line_does_nothing(stage):
    before = stage.state
    assert stage.press(":", " ", "enter").state == replace(
        before, moment=None, notice="", typing="move"
    )
    assert stage.commands == []


def test_pasted_text_becomes_one_line_within_the_limit(stage):
    stage.press(":").tell(Key("paste", "play\n7o" + "x" * 10_000))
    assert stage.state.typed.startswith("play 7o")
    assert len(stage.state.typed) == TYPED_LIMIT


def test_letters_of_a_line_play_no_card(stage):
    stage.press(":", *"123")
    assert stage.state.typed == "123"
    assert acts(stage) == []
    assert stage.state.picked.cards == ()


def test_an_illegal_move_is_refused_with_the_reason(stage):
    stage.type("play 1o take 1c 2c 3c")
    assert "Not allowed" in stage.state.notice
    assert acts(stage) == []


def test_nonsense_is_answered_and_the_answer_goes_with_the_next_key(stage):
    assert "neither a move nor a command" in stage.type("paly 7o").state.notice
    assert stage.press("left").state.notice == ""


def test_a_nick_is_typed_and_kept():
    state = ScreenState(page=Page.SETTINGS, typed="", typing="nick")
    for key in "Ane":
        state, commands = react(state, Key(key, key))
    state, commands = react(state, Key("enter"))
    assert state.settings.nick == "Ane"
    assert commands == (Save(state.settings),)


# Sheets.


def test_a_hint_stands_above_the_keys_and_plays_nothing(stage):
    stage.press("?")
    assert "Hint: " in stage.text()
    assert acts(stage) == []


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


def test_a_player_that_is_not_late_cannot_be_gone_on_without(stage):
    stage.press("escape")
    assert "without" not in [item.id for item in sheets.choices(stage.state, stage.state.overlay)]


def test_leaving_for_good_stands_below_the_harmless_ways_to_go(stage):
    stage.press("escape")
    names = [item.id for item in sheets.choices(stage.state, stage.state.overlay)]
    assert names[-1] == "leave"
    assert names[-2] in ("aside", "rise")


def test_the_menu_goes_round(stage):
    stage.press("escape", "up")
    items = sheets.choices(stage.state, stage.state.overlay)
    assert stage.state.overlay.cursor == len(items) - 1
    assert stage.press("down").state.overlay.cursor == 0


def test_the_rules_are_scrolled_and_put_away(stage):
    first = stage.press("f1").text()
    assert "▼" in first
    assert stage.press("pagedown").text() != first
    assert stage.press("pageup").text() == first
    assert stage.press("escape").state.overlay is None
    assert acts(stage) == []


def test_home_and_end_lead_to_the_ends_of_a_sheet(stage):
    first = stage.press("f1").text()
    last = stage.press("end").text()
    assert "▲" in last
    assert "▼" not in last
    assert "▼" in stage.press("up").text()
    assert stage.press("down").text() == last
    assert stage.press("home").text() == first
    stage.press("escape", "escape", "end")
    assert stage.state.overlay.cursor == len(sheets.choices(stage.state, stage.state.overlay)) - 1
    assert stage.press("home").state.overlay.cursor == 0


def test_only_a_sheet_that_is_longer_than_the_window_offers_to_scroll(stage):
    foot = chosen(stage, "table").text().splitlines()[-1]
    assert "scroll" not in foot
    assert "back" in foot
    assert "scroll" in stage.press("escape", "f1").text().splitlines()[-1]


def test_a_sheet_takes_keys_from_the_table(stage):
    picked = stage.state.picked
    assert stage.press("f1", "1").state.picked == picked
    assert acts(stage) == []


def test_the_log_is_read_from_its_end(stage):
    chosen(stage, "log")
    assert stage.state.overlay.lines == stage.state.log
    assert stage.state.log[-1].split()[0] in stage.text()


def counted() -> Stage:
    """A match of Escoba whose first deal has just been counted."""
    return Stage("escoba", 2, target=21).until(lambda stage: bool(stage.state.count))


def test_the_count_stays_until_a_key_and_that_key_plays_nothing():
    stage = counted().tick(30)
    assert stage.state.count
    stage.press("1")
    assert stage.state.count == ()
    assert stage.state.picked.cards == ()
    assert acts(stage) == []


def test_the_count_is_scrolled_without_going_away():
    stage = counted().press("down")
    assert stage.state.overlay.kind == "count"
    assert stage.state.overlay.lines
    assert stage.press("enter").state.overlay is None


# Talk.


def test_a_phrase_is_said_by_its_id(stage):
    assert stage.press("f2", "enter").commands == [Speak("hello", phrase=True)]
    assert stage.state.remarks[-1].seat == 0


def test_own_words_are_said_as_they_are(stage):
    stage.press("f2", "up", "enter")
    assert stage.state.typing == "talk"
    assert stage.press(*"aupa!", "enter").commands == [Speak("aupa!", phrase=False)]


def talking(stage: Stage, words: str) -> Stage:
    """Say something in words of one's own."""
    return stage.press("f2", "up", "enter").tell(Key("paste", words)).press("enter")


def test_our_talk_is_seen_and_kept(stage):
    assert "Ane: “Hello!”" in stage.press("f2", "enter").text()
    talking(stage, "aupa!")
    assert stage.state.log[-2:] == ("Ane: “Hello!”", "Ane: “aupa!”")
    assert "aupa!" in stage.text()


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


def test_typed_talk_ends_at_its_limit(stage):
    stage.press("f2", "up", "enter").tell(Key("paste", "x" * 300))
    assert len(stage.state.typed) == TALK_CHARACTERS


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


def test_words_that_show_nothing_are_not_said(stage):
    assert talking(stage, "\u200d" * 20).commands == []


def test_muted_players_stay_so_until_heard_again(stage):
    chosen(stage, "mute").press("enter")
    assert stage.state.match.muted == {stage.state.match.players[1].fingerprint}
    assert "not heard" in stage.text()
    assert stage.press("enter").state.match.muted == set()


def test_with_computers_alone_there_is_nobody_to_talk_to_or_to_compare_words_with(stage):
    players = tuple(
        replace(player, bot=seat != 0) for seat, player in enumerate(stage.state.match.players)
    )
    assert {"say", "mute", "words"} <= set(on_menu(stage))
    stage.state = replace(stage.state, match=replace(stage.state.match, players=players))
    assert not {"say", "mute", "words"} & set(on_menu(stage))
    assert stage.press("f2").state.overlay is None


def test_computers_cannot_be_muted():
    stage = Stage("siete-y-media", 3).until(lambda stage: stage.state.match.asked)
    players = tuple(
        replace(player, bot=seat == 1) for seat, player in enumerate(stage.state.match.players)
    )
    stage.state = replace(stage.state, match=replace(stage.state.match, players=players))
    assert [item.id for item in sheets.choices(stage.state, Overlay("mute"))] == [
        players[2].fingerprint
    ]


# Keys in the last line.


def test_the_way_to_the_menu_is_always_named(stage):
    for columns in range(60, 121):
        assert stage.foot(columns).rstrip().endswith("Esc menu")


def test_picked_cards_are_put_back_before_there_is_a_menu(stage):
    assert stage.press("1").foot().rstrip().endswith("Esc put back")
    assert stage.press("escape").foot().rstrip().endswith("Esc menu")


def test_talking_is_offered_where_somebody_listens(stage):
    assert "F2 say" in stage.foot(120)
    players = tuple(
        replace(player, bot=seat != 0) for seat, player in enumerate(stage.state.match.players)
    )
    stage.state = replace(stage.state, match=replace(stage.state.match, players=players))
    assert "F2 say" not in stage.foot(120)
