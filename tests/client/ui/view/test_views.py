"""Golden views of every page that has one and of the sheets above it; a click acts on the
thing that was seen, or on nothing."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
import segno

from client.i18n.translation import letter
from client.session.messages import Act, Quit, Vouch
from client.ui.browser.shown import shown
from client.ui.games import lessons
from client.ui.games.screen import CHOOSE
from client.ui.games.siete_y_media.screen import STAND
from client.ui.screen import history
from client.ui.screen.messages import (
    Abandon,
    Computers,
    Delete,
    Ended,
    FieldSet,
    Join,
    Look,
    Open,
    Ready,
    Resume,
    Rise,
    Save,
    Watch,
)
from client.ui.screen.opening import LENGTHS
from client.ui.screen.react import react
from client.ui.screen.state import Page
from client.ui.view.games import TABLES as VIEWED
from client.ui.view.parts import as_data
from client.ui.view.views import VIEWS, view_of
from engine.core.cards import JOKER
from engine.games import GAMES, complete_options
from tests.client.ui.screen.boxes import HISTORY, reading
from tests.client.ui.view.acts import INVITE, bare, met, pressed
from tests.client.ui.view.cast import STATES
from tests.client.ui.view.text import as_text
from tests.screens.stage import UPDATE, Stage

GOLDEN = Path(__file__).parent / "golden"


def golden(name: str) -> None:
    """Compare a view with `golden/NAME.txt`."""
    path, text = GOLDEN / f"{name}.txt", as_text(view_of(STATES[name.partition("@")[0]]()))
    if os.environ.get(UPDATE):
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path.name} is missing: run with {UPDATE}=1 and look at it"
    assert text == path.read_text(encoding="utf-8"), f"{path.name} differs: look at the changes"


@pytest.mark.parametrize("name", STATES)
def test_every_page_and_sheet_says_what_it_said(name):
    golden(name)


def test_the_lobby_says_it_in_other_languages():
    with reading("eu"):
        golden("lobby@eu")


def test_every_page_that_has_a_view_is_among_them():
    assert {state().page for state in STATES.values()} == {*VIEWS, Page.PLAY, Page.REPLAY}


@pytest.mark.parametrize("name", STATES)
def test_ids_are_names_of_one_thing_and_every_click_does_something(name):
    state = STATES[name]()
    view = view_of(state)
    ids = [one.id for one in view.tools] + [part.id for part in view.sections]
    ids += [item.id for part in view.sections for item in part.items]
    assert len(set(ids)) == len(ids)
    for thing, (keys, label) in view.clicks().items():
        assert label
        fills_in = thing.startswith("field:") or keys == (CHOOSE + state.chosen,)
        assert fills_in or pressed(state, keys) != (replace(state, notice=""), ()), thing


@pytest.mark.parametrize("name", STATES)
def test_a_page_learns_ids_and_no_keys(name):
    data = json.dumps(as_data(view_of(STATES[name]())))
    assert '"keys"' not in data
    assert '"="' not in data


@pytest.mark.parametrize("game", VIEWED)
def test_a_table_does_not_depend_on_cards_that_our_seat_has_not_seen(game):
    stage = Stage(game, 4)
    for _move in range(40):
        if stage.over:
            break
        assert view_of(stage.state) == view_of(stage.with_unseen_permuted())
        stage.step()


@pytest.mark.parametrize("game", VIEWED)
def test_a_spectator_sees_no_hidden_card(game):
    stage = Stage(game, min(GAMES[game].allowed_players), seat=None)
    for _move in range(40):
        if stage.over:
            break
        table = view_of(stage.state).table
        lying = [one for seat in table.seats for one in seat.cards]
        lying += [*table.hand, *(one for zone in table.zones for one in zone.cards)]
        faces = {JOKER if one.face.startswith(JOKER) else one.face for one in lying if one.face}
        assert faces <= set(stage.game.faces.values())
        stage.step()


def test_a_card_that_is_picked_twice_is_played_and_one_that_was_seen_before_is_not_meant():
    state = STATES["escoba-take"]()
    picked = next(one for one in view_of(state).table.hand if one.state == "picked")
    assert isinstance(pressed(state, picked.keys)[1][0], Act)
    before = shown(STATES["escoba"]())[1][picked.id]
    assert before != shown(state)[1][picked.id]


@pytest.mark.parametrize("name", ["siete-6", "siete-8"])
def test_a_button_that_says_what_it_does_makes_one_move_at_one_click(name):
    """In the second state stakes are raised, and the key alone makes the move."""
    assert [type(one) for one in done(STATES[name](), f"key:{letter(STAND)}")] == [Act]


def test_the_count_lies_on_the_table_as_it_stood_and_one_button_puts_both_away():
    state = STATES["escoba-count"]()
    assert state.held
    after = done_to(state, "key:enter")
    assert (after.held, after.count) == ((), ())


def test_below_a_sheet_nothing_can_be_clicked():
    state = STATES["learn"]()
    assert set(view_of(state).clicks()) == {"key:escape", *(f"sheet:{name}" for name in lessons())}


def test_a_button_leads_where_its_words_say():
    state = STATES["lobby"]()
    commands = {
        label: type(pressed(state, keys)[1][0])
        for keys, label in view_of(state).clicks().values()
        if label in ("Join", "Watch", "Go on", "End Sobremesa")
    }
    assert commands == {"Join": Join, "Watch": Watch, "Go on": Resume, "End Sobremesa": Quit}


def test_a_phone_is_not_offered_the_end_of_the_program_also_after_a_match():
    state = replace(STATES["lobby"](), on_phone=True)
    for lobby in (state, react(state, Ended())[0]):
        assert "history" in view_of(lobby).clicks()
        assert "quit" not in view_of(lobby).clicks()


def test_a_question_is_answered_by_its_buttons_and_its_sheet_waits_for_nothing_else():
    state = STATES["abandon"]()
    waiting = next(summary.match for summary in HISTORY if summary.unfinished)
    clicks = view_of(state).clicks()
    assert pressed(state, clicks["key:enter"][0])[1] == (Abandon(waiting),)
    assert pressed(state, clicks["key:escape"][0])[0].overlay is None
    assert set(clicks) == {"key:enter", "key:escape"}


def test_a_past_match_is_opened_stepped_through_and_deleted():
    state = STATES["history"]()
    match = HISTORY[2]
    opened, commands = pressed(state, view_of(state).clicks()[f"match:{match.match}"][0])
    assert (opened.chosen, commands) == (match.match, ())
    clicks = view_of(opened).clicks()
    assert pressed(opened, clicks["go"][0])[1] == (Look(match.path),)
    asked = pressed(opened, clicks[f"end:{letter(history.DELETE)}"][0])[0]
    (delete,) = pressed(asked, view_of(asked).clicks()["key:enter"][0])[1]
    assert delete == Delete(match.match)


def test_a_match_that_waits_is_played_on_or_left():
    state = replace(STATES["history"](), chosen=HISTORY[1].match)
    clicks = view_of(state).clicks()
    assert pressed(state, clicks["go"][0])[1] == (Resume(HISTORY[1].match),)
    assert pressed(state, clicks[f"end:{letter(history.LEAVE)}"][0])[0].overlay.kind == "abandon"


def test_the_code_of_an_invite_is_a_drawing_that_a_strict_policy_allows():
    sheet = view_of(STATES["invite"]()).sheet
    drawing = fromstring(sheet.svg)
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    for banned in ("style", "script", "class", "<?xml", "href"):
        assert banned not in sheet.svg
    assert sheet.svg.count("http") == 1
    assert sheet.lines[-1] == INVITE


def test_the_code_of_an_invite_has_its_modules():
    sheet = view_of(STATES["invite"]()).sheet
    drawing = fromstring(sheet.svg)
    dark = [path for path in drawing.iter() if path.get("stroke") == "#000"]
    side = int(drawing.attrib["viewBox"].split()[-1])
    runs = re.findall(r"h(\d+)", dark[0].attrib["d"])
    code = segno.make(INVITE, error="l", micro=False)
    assert side == len(code.matrix) + 2 * 4, "with the quiet zone that the standard asks for"
    assert sum(map(int, runs)) == sum(map(sum, code.matrix))


def test_a_table_is_filled_and_begun_by_clicks():
    host, full, guest = (STATES[f"setup-{name}"]() for name in ("host", "full", "guest"))
    assert done(host, "key:+") == (Computers(2),)
    assert done(host, "key:-") == (Computers(0),)
    assert done(full, "key:enter") == (Ready(),)
    assert done(guest, "key:escape") == (Rise(),)
    assert done(STATES["close"](), "key:enter") == (Rise(),)


def done_to(state, thing):
    """Return the state after a click."""
    return pressed(state, view_of(state).clicks()[thing][0])[0]


def done(state, thing):
    """Return what a click does."""
    return pressed(state, view_of(state).clicks()[thing][0])[1]


def test_a_person_is_trusted_by_a_button_of_their_own():
    assert done(met(), "trust:JJJJ") == (Vouch("JJJJ"),)
    trusted = {"trust:MMMM", "sheet:JJJJ", "sheet:MMMM"}
    assert not trusted & set(view_of(met()).clicks())


def test_a_player_is_muted_and_heard_again_by_a_button_that_says_so():
    state = STATES["people"]()
    (button,) = [one for one in view_of(state).clicks() if one.startswith("mute:")]
    words = []
    for _click in range(3):
        words.append(view_of(state).clicks()[button][1])
        state = done_to(state, button)
    assert words == ["mute", "hear again", "mute"]


def test_while_something_is_waited_for_only_esc_can_be_clicked():
    view = view_of(STATES["lobby-busy"]())
    assert set(view.clicks()) == {"key:escape"}
    assert view.sheet is not None
    assert view.sheet.title == "Going to the table …"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("language", "xx"), ("language", 1), ("scheme", True), ("motion", "on"), ("motion", True),
        ("theme", ""), ("large_cards", "True"),
        ("nick", ""), ("nick", True), ("colours", "none"), ("no such", "x"), ("nick", "\u202e"),
    ],
)  # fmt: skip
def test_a_value_that_a_field_cannot_have_changes_nothing(field, value):
    state = STATES["settings"]()
    assert react(state, FieldSet(field, value)) == (state, ())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("game", "bridge"), ("game", True), ("seats", "5"), ("seats", 9), ("length", "endless"),
        ("company", "nobody"), ("option:target", 0), ("option:target", "-1"), ("length", True),
        ("option:capture", "no such"), ("option:teams", "True"), ("option:no such", 1),
        ("bots", "1"), ("table", "patio"), ("typed", "1"), ("options", "x"), ("option:", "x"),
    ],
)  # fmt: skip
def test_a_value_that_a_form_cannot_have_changes_nothing(field, value):
    """Against computers alone, there are no other computers and no name of a table."""
    state = STATES["form"]()
    assert react(state, FieldSet(field, value)) == (state, ())


@pytest.mark.parametrize("name", [name for name in STATES if name.startswith("form")])
def test_every_value_that_a_form_offers_can_be_chosen_and_is_shown(name):
    state = STATES[name]()
    fields = {one.id: one for part in view_of(state).sections for one in part.fields}
    for field in fields.values():
        values: list[str | bool | int] = [value for value, _word in field.choices]
        if field.kind == "switch":
            values = [not field.on]
        elif not values:
            values = [field.least, str(field.limit)] if field.kind == "number" else ["patio-7", ""]
        for value in values:
            after, commands = react(state, FieldSet(field.id, value))
            now = {one.id: one for part in view_of(after).sections for one in part.fields}[field.id]
            assert (now.on if field.kind == "switch" else now.value) == (
                value if field.kind == "switch" else str(value)
            ), field.id
            assert commands == ()


@pytest.mark.parametrize("game", GAMES)
def test_a_form_opens_the_table_that_its_fields_say(game):
    state = STATES["form"]()
    for field, value in (("game", game), ("company", "network"), ("length", "quick")):
        state = react(state, FieldSet(field, value))[0]
    state = react(state, FieldSet("seats", str(max(GAMES[game].allowed_players))))[0]
    state = react(state, FieldSet("table", " patio-7 "))[0]
    (opened,) = done(state, "key:enter")
    assert isinstance(opened, Open)
    assert (opened.form.game, opened.form.company, opened.form.name) == (game, "network", "patio-7")
    assert opened.form.seats == max(GAMES[game].allowed_players)
    assert opened.form.options == LENGTHS[game]["quick"]
    for length, options in LENGTHS[game].items():
        complete = complete_options(game, opened.form.seats, options)
        usual = complete_options(game, opened.form.seats, {})
        assert (complete == usual) == (length == "usual")


def test_the_name_of_a_table_that_cannot_be_is_refused_and_says_why():
    state = react(STATES["form-others"](), FieldSet("table", "the patio"))[0]
    assert state.form.name == ""
    assert "at most 32 letters" in "".join(view_of(state).sections[-1].lines)


def test_partners_go_with_the_seats_that_they_need():
    state = STATES["form-partners"]()
    assert done(state, "key:enter")
    fewer = react(state, FieldSet("seats", "3"))[0]
    assert "option:partners" not in fewer.form.options
    assert done(fewer, "key:enter")


def test_a_form_that_cannot_be_says_why_and_its_button_is_off():
    view = view_of(STATES["form-wrong"]())
    assert "key:enter" not in view.clicks()
    assert view.sections[-1].lines == ("partners are for 4 or 6 players, not 2",)


@pytest.mark.parametrize(
    ("value", "step"), [(9, 9), (0, 0), (99, 11), (-1, 0), ("9", 7), (True, 7)]
)
def test_a_match_is_stepped_through_to_any_step(value, step):
    state = STATES["escoba-step"]()
    assert "field:step" in view_of(state).clicks()
    assert react(state, FieldSet("step", value))[0].step == step
    assert done_to(state, "key:escape").page is Page.HISTORY


def test_the_log_beside_a_step_has_all_that_came_before():
    state = STATES["escoba-step"]()
    told = tuple((model, (f"line {place}",)) for place, (model, _told) in enumerate(state.steps))
    log = view_of(replace(state, steps=told, step=2)).table.log
    assert log == ("line 0", "line 1", "line 2")


def test_a_field_is_set_only_where_it_is_seen():
    still = FieldSet("motion", "none")
    state, commands = react(STATES["settings"](), still)
    assert commands == (Save(state.settings),)
    assert state.settings.motion == "none"
    for name in ("lobby", "learn", "log"):
        assert react(STATES[name](), still) == (STATES[name](), ())
    at_a_table = react(STATES["settings-at-table"](), still)[0]
    assert (at_a_table.settings.motion, at_a_table.overlay.kind) == ("none", "settings")
    named = FieldSet("nick", "Zoe")  # the others know us by our nick
    assert react(STATES["settings-at-table"](), named) == (STATES["settings-at-table"](), ())
    typing = replace(STATES["settings"](), typed="", typing="nick")
    assert react(typing, still) == (typing, ())


def test_a_table_that_another_version_plays_has_no_button():
    items = {item.id: item for item in view_of(STATES["lobby"]()).sections[0].items}
    other = [item for item in items.values() if "er version" in " ".join(item.lines)]
    assert len(other) == 2
    assert not any(item.actions for item in other)


def test_a_game_that_a_key_names_is_the_one_that_is_seen():
    tiles = view_of(bare()).sections[1].items
    for tile in tiles:
        there = pressed(bare(), tile.keys)[0]
        assert (there.page, there.form.game) == (Page.OPEN, tile.game) or tile.id == "learn"
        by_key = pressed(bare(), [tile.key])[0]
        assert (by_key.page, by_key.form) == (there.page, there.form)


def test_the_same_thing_under_another_sheet_means_something_else():
    meanings = [shown(STATES[name]())[1]["key:escape"] for name in ("learn", "about", "join")]
    assert len(set(meanings)) == 3
