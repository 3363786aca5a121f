"""Golden views of every page that has one and of the sheets above it; a click acts on the
thing that was seen, or on nothing."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from client.storage.version import version
from client.ui.games import words_of
from client.ui.games.screen import CHOOSE
from client.ui.plain.absence import voted_out
from client.ui.plain.ending import won
from client.ui.screen import sheets
from client.ui.screen.choosing import write
from client.ui.screen.going import AsideQuestion
from client.ui.screen.messages import (
    FieldSet,
    Open,
    Rise,
)
from client.ui.screen.obeying import LeaveQuestion
from client.ui.screen.opening import LENGTHS
from client.ui.screen.react import react
from client.ui.screen.state import DealCount, TypedLine
from client.ui.view.games import TABLES as VIEWED
from client.ui.view.parts import as_data
from client.ui.view.views import view_of
from engine.core.cards import JOKER
from engine.games import GAMES, complete_options
from tests.client.ui.view.acts import INVITE, pressed
from tests.client.ui.view.cast import STATES, form
from tests.client.ui.view.text import as_text
from tests.screens.stage import UPDATE, Stage

GOLDEN = Path(__file__).parent / "golden"


def golden(name: str) -> None:
    """Compare a view with `golden/NAME.txt`."""
    view = view_of(STATES[name.partition("@")[0]]())
    path, text = GOLDEN / f"{name}.txt", as_text(view).replace(version(), "VERSION")
    if os.environ.get(UPDATE):
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path.name} is missing: run with {UPDATE}=1 and look at it"
    assert text == path.read_text(encoding="utf-8"), f"{path.name} differs: look at the changes"


@pytest.mark.parametrize("name", STATES)
def test_every_page_and_sheet_says_what_it_said(name):
    golden(name)


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


def test_the_count_lies_on_the_table_as_it_stood_and_one_button_puts_both_away():
    state = STATES["escoba-count"]()
    assert state.held
    after = done_to(state, "key:enter")
    assert (after.held, after.count) == ((), DealCount())


def test_the_code_of_an_invite_is_a_drawing_that_a_strict_policy_allows():
    sheet = view_of(STATES["invite"]()).sheet
    drawing = fromstring(sheet.svg)
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    for banned in ("style", "script", "class", "<?xml", "href"):
        assert banned not in sheet.svg
    assert sheet.svg.count("http") == 1
    assert sheet.lines[-1] == INVITE


def done_to(state, thing):
    """Return the state after a click."""
    return pressed(state, view_of(state).clicks()[thing][0])[0]


def done(state, thing):
    """Return what a click does."""
    return pressed(state, view_of(state).clicks()[thing][0])[1]


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


def test_computers_are_chosen_by_strength_or_by_name_and_never_both():
    state = STATES["form-eight"]()
    for field, word, shown in (
        ("who", "Maite", ["", "Maite"]),
        ("computers", "weak", ["weak", ""]),
    ):
        state = react(state, FieldSet(field, word))[0]
        fields = {one.id: one.value for one in view_of(state).sections[0].fields}
        assert (state.kept.form.computers, [fields["computers"], fields["who"]]) == (word, shown)


def test_a_length_of_kinaskak_is_a_number_of_rounds():
    for first, wanted in ((1, ["quick · 4", "usual · 8"]), (5, ["quick", "usual · 4"])):
        view = view_of(form("kinaskak", **{"option:first_contract": str(first)})())
        (length,) = (one for part in view.sections for one in part.fields if one.id == "length")
        assert length.about == "Rounds in a match"
        assert [word for _value, word in length.choices] == wanted


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
    assert state.kept.form.name == ""
    assert "at most 32 letters" in "".join(view_of(state).sections[-1].lines)


@pytest.mark.parametrize("game", ["escoba", "siete-y-media", "domino"])
def test_the_last_count_says_who_wins_and_nobody_leads_any_more(game):
    stage = Stage(game, 3).until(lambda stage: stage.over)
    assert view_of(stage.state).sheet.count.standing == won(stage.state.match)


def test_an_alarm_leads_to_the_question_whether_to_leave():
    state = STATES["alarm-differs"]()
    keys, _label = view_of(state).clicks()["leave"]
    assert isinstance(pressed(state, keys)[0].overlay, LeaveQuestion)


def test_the_question_whether_to_leave_offers_to_put_the_match_aside():
    state = STATES["leave"]()
    (aside,) = [one for one in view_of(state).sheet.actions if one.role == "soft"]
    assert aside.label == "put the match aside"
    asks, nothing = pressed(state, aside.keys)
    assert isinstance(asks.overlay, AsideQuestion)
    assert nothing == ()
    assert pressed(asks, ["enter"])[1] == (Rise(),)


@pytest.mark.parametrize("name", ["alarm-no-card", "alarm-over-move"])
def test_an_alarm_that_advises_the_lobby_leads_there(name):
    state = STATES[name]()
    keys, _label = view_of(state).clicks()["lobby"]
    after, commands = pressed(state, keys)
    assert commands == (Rise(),)
    assert after.typed is None


def test_an_alarm_hides_the_line_being_typed_and_gives_it_back():
    state = pressed(STATES["alarm-over-move"](), ["y"])[0]
    assert view_of(state).sheet.id == "alarm"
    for key in ("enter", "escape"):
        after, commands = pressed(state, [key])
        assert not commands
        assert view_of(after).sheet.entry.text == "plya"


def test_without_a_network_nothing_loud_leads_to_others():
    for name, loud in (("lobby-alone", ["open"]), ("lobby-blind", [])):
        found = [one for part in view_of(STATES[name]()).sections for one in part.actions]
        assert [one.id for one in found if one.role == "main"] == loud


def test_a_vote_says_first_what_follows_from_it():
    said = view_of(STATES["without"]()).sheet.lines
    assert said[:2] == (
        "If the vote passes, the match is lost for Jon, for good.",
        "This deal ends, and the others play on with the next one.",
    )
    alone = Stage("escoba", 2, first=1).state.match
    assert voted_out(alone, [1], "Jon") == (
        "If the vote passes, the match ends at once, and the side of Jon loses it.",
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_typed_move_says_what_its_letters_mean(game):
    state = Stage(game, max(2, min(GAMES[game].allowed_players))).state
    sheet = view_of(replace(state, typed=TypedLine("move"))).sheet
    assert words_of(game).letters in sheet.entry.hint
    assert bool(sheet.lines) == bool(words_of(game).letters) == (game != "siete-y-media")
    for pairs in sheet.lines:
        faces = [card.face for card in pairs[1::2]]
        assert [code.split("`")[1] for code in pairs[::2]] == faces


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("pla", "You may: `play 4e take 1e 12c`"),
        ("play 4e take 1e 12c", "You play 4e and take 1e 12c."),
        ("play 1o", "Not allowed: "),
        ("play 7", "`play 7` is not a whole move."),
        ("xyz", "`xyz` is neither a move nor a command."),
        ("hint", "A computer player's move"),
    ],
)
def test_a_line_says_while_it_is_typed_what_it_would_do_or_why_it_cannot(typed, said):
    state = STATES["move"]()
    state = write(replace(state, typed=TypedLine("move")), typed)
    before = state.match
    assert sheets.entry_hint(state, state.typed).startswith(said)
    sheet = view_of(state).sheet
    assert sheet is not None
    drawn = isinstance(sheet.entry.hint, tuple)
    assert drawn == said.startswith(("You play", "Not allowed")), "not in lines to be typed"
    assert state.match == before


def test_on_no_network_nothing_can_be_pressed_that_needs_one():
    view = view_of(STATES["lobby-blind"]())
    near = next(one for one in view.sections if one.id == "near")
    assert [one.off for one in near.actions] == [True] * 3
    assert not {"open", "join", "phones"} & view.clicks().keys()
    assert {"open", "join", "phones"} <= view_of(STATES["lobby-alone"]()).clicks().keys()


def test_a_player_waiting_for_an_absent_one_has_a_button_for_getting_up():
    (terms,) = (part for part in view_of(STATES["setup-away"]()).sections if part.id == "terms")
    (rise,) = (one for one in terms.actions if one.id == "rise")
    assert pressed(STATES["setup-away"](), rise.keys)[1] == (Rise(),)
