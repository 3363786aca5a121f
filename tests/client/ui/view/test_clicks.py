"""Clicks on views reach every legal move, and each does what its words say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import pytest

from client.i18n.translation import letter
from client.session.messages import Act, Compare, Words
from client.ui.screen import history, lobby, phones, play, sheets, table_setup
from client.ui.screen.menu import MENU
from client.ui.screen.messages import NAMED, Key, Tick
from client.ui.screen.overlay import QuestionSheet
from client.ui.screen.react import react
from client.ui.screen.reading import RulesSheet
from client.ui.screen.state import Page, ScreenState
from client.ui.view import menu
from client.ui.view.sentences import aloud
from client.ui.view.views import view_of
from engine.games import GAMES
from tests.client.ui.screen.boxes import reading
from tests.client.ui.view.acts import pressed, told
from tests.client.ui.view.cast import STATES
from tests.client.ui.view.tables import TABLES
from tests.client.ui.view.text import as_text
from tests.screens.stage import Stage


@pytest.mark.parametrize("game", ["escoba", "truco", "domino", "siete-y-media"])
def test_clicks_reach_every_legal_move(game):
    """From each question that our seat is asked, clicks that only pick, and then one that plays,
    give every legal line."""
    stage = Stage(game, 2)
    for _move in range(40):
        if stage.over:
            break
        if stage.state.match.asked and len(wanted := _legal(stage)) > 1:
            wanted = {line for line in wanted if not line.startswith(("bet ", "raise "))}
            assert _reached(stage) >= wanted, as_text(view_of(stage.state))
        stage.step()


@pytest.mark.parametrize("game", GAMES)
def test_a_card_that_is_dragged_to_the_table_does_what_its_words_say(game):
    """The picking and the main button in one: it shows that card, and nothing else is picked
    after it; a card that may not be played is not taken."""
    stage, dragged = Stage(game, min(GAMES[game].allowed_players)), 0
    for _move in range(60):
        if stage.over:
            break
        view = view_of(stage.state)
        for card in view.table.hand if stage.state.match.asked and not view.sheet else ():
            slot = int(card.id.removeprefix("slot:"))
            for drag in card.drags:
                _after, commands = pressed(stage.state, view.clicks()[drag.id][0])
                (act,) = (one for one in commands if isinstance(one, Act))
                faces = stage.table.view(0).faces
                assert faces[slot] in [faces[shown] for shown in act.move.shows], as_text(view)
                dragged += 1
        stage.step()
    assert (dragged > 5) is (game != "siete-y-media")


def test_nothing_is_dragged_while_a_sheet_lies_above_or_others_play():
    stage = Stage("escoba", 2)
    stage.until(lambda now: now.state.match.asked)
    assert any(one.drags for one in view_of(stage.state).table.hand)
    under = view_of(pressed(stage.state, ["f1"])[0])
    assert not any(name.startswith("drag:") for name in under.clicks())


def test_every_item_of_the_menu_has_a_group_in_the_window():
    """But for typed commands, and for the way to a browser."""
    assert sorted(chain(*menu.GROUPS.values())) == sorted({*MENU} - {"help", "browser"})


def test_a_tile_that_fits_both_ends_is_put_back_by_a_second_tap():
    stage = TABLES["domino-ends"]()
    picked = next(one for one in view_of(stage).table.hand if one.state == "picked")
    after, commands = pressed(stage, view_of(stage).clicks()[picked.id][0])
    assert (commands, after.notice) == ((), "")
    assert not any(one.state == "picked" for one in view_of(after).table.hand)


def _legal(stage: Stage) -> set[str]:
    view = stage.table.view(0)
    faces = {**view.game.faces, **view.faces}
    return {stage.game.write(move, faces) for move in view.options or ()}


def _reached(stage: Stage) -> set[str]:
    """Return the lines that clicks lead to; none makes two moves."""
    view = stage.table.view(0)
    faces = {**view.game.faces, **view.faces}
    found: set[str] = set()
    known, waiting = set(), [stage.state]
    while waiting and len(known) < 400:
        state = waiting.pop(0)
        for keys, _said in view_of(state).clicks().values():
            if {"f1", "f2", "?"} & set(keys):
                continue
            after, lines = state, []
            for key in keys:
                after, commands = react(after, Key(key, key if len(key) == 1 else ""))
                acts = [command for command in commands if isinstance(command, Act)]
                lines += [stage.game.write(act.move, faces) for act in acts]
            assert len(lines) < 2, keys
            found |= {*lines}
            mark = repr((after.picked, after.proposed))
            if mark not in known and after.match.asked and after.overlay is None:
                known.add(mark)
                waiting.append(after)
    return found


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("escoba", "so you must take"),
        ("truco", "A call waits for your answer"),
        ("domino", "must be played now"),
    ],
)
def test_a_pale_card_that_is_clicked_says_why_it_cannot_be_played(game, why):
    stage = Stage(game, 2, seed=1)
    while not (pale := [one for one in view_of(stage.state).table.hand if one.state == "barred"]):
        stage.step()
    stage.press(*pale[0].keys)
    assert stage.state.match.asked
    assert pale[0] in view_of(stage.state).table.hand  # and does not look chosen
    assert why in as_text(view_of(stage.state))


@pytest.mark.parametrize("click", ["key:t", "stock:draw"])
def test_a_tile_is_drawn_by_one_click(click):
    """On the graveyard as well as on the button."""
    stage = Stage("domino", 2)
    stage.until(lambda now: "stock:draw" in view_of(now.state).clicks())
    before, keys = len(stage.game.hands[0]), view_of(stage.state).clicks()[click][0]
    stage.press(*keys)
    assert len(stage.game.hands[0]) == before + 1


KEYS = {
    "Enter": "enter",
    "Esc": "escape",
    **{f"F{number}": f"f{number}" for number in range(1, 13)},
}
CURSOR = {"Tab", "Space", "PgUp", "PgDn", "Home", "End", "←", "→"}
"""Keys that go from thing to thing: a click is on the thing itself."""
LINES = (":",)
"""The key of a line that is typed; and a match is left from the list of past matches."""
ELSEWHERE = (Page.OPEN, Page.SETTINGS, Page.REPLAY)
"""Pages whose native controls set values, of which other tests know."""


def pairs_of(state: ScreenState) -> list[tuple[str, str]]:
    """Return the pairs of the last line of the full screen, as they are now."""
    of_page = {
        Page.LOBBY: lobby.keys, Page.TABLE_SETUP: table_setup.keys, Page.HISTORY: history.keys,
        Page.PHONES: phones.keys,
    }  # fmt: skip
    return sheets.keys(state) or of_page.get(state.page, play.keys)(state)


@pytest.mark.parametrize("name", STATES)
def test_every_key_of_the_last_line_that_does_something_can_be_clicked(name):
    state = STATES[name]()
    if state.page in ELSEWHERE and not sheets.shown(state):
        return
    view = view_of(state)
    if view.sheet is not None and view.sheet.id in ("count", "help", "settings"):
        return  # a count is read first; nothing is typed in a browser; a form has fields
    if view.table is not None and view.table.prompt and view.table.prompt.style == "lesson":
        return  # it is read in parts, each with a button of its own
    clicks = view.clicks()
    reached = {letter(history.LEAVE), *LINES}
    reached |= {key for keys, _said in clicks.values() for key in keys}
    for shown, about in pairs_of(state) if state.typed is None else [("Enter", ""), ("Esc", "")]:
        for word in shown.split():
            names = [KEYS.get(one, one) for one in word.split("/")]
            free = word in CURSOR or "-" in word[1:-1] or "–" in word or {*word} <= {*"↑↓←→"}
            after = [
                react(state, Key(one, one if len(one) == 1 else ""))
                for one in names
                if len(one) == 1 or one in NAMED
            ]
            does = any(then or view_of(one).clicks() != clicks for one, then in after)
            assert free or word.isdecimal() or reached & {*names} or not does, (shown, about)


@pytest.mark.parametrize(
    ("name", "plays"),
    [
        ("escoba-take", True),
        ("escoba-6", True),
        ("truco-picked", True),
        ("kinaskak-6", False),
        ("kinaskak-lay", False),
        ("domino-ends", False),
    ],
)
def test_a_picked_card_says_in_its_name_what_another_click_does(name, plays):
    state = STATES[name]()
    table = view_of(state).table
    assert table is not None
    card, *_more = [one for one in table.hand if one.state == "picked"]
    assert card.name.endswith("once more plays it" if plays else "once more puts it back")
    after, commands = pressed(state, card.keys)
    assert any(isinstance(one, Act) for one in commands) is plays
    again = view_of(after).table
    assert again is not None
    assert card.id not in {one.id for one in again.hand if one.state == "picked"}


def test_the_help_of_a_window_leads_to_the_rules():
    state = STATES["help"]()
    keys, _title = view_of(state).clicks()["help:rules"]
    assert isinstance(pressed(state, keys)[0].overlay, RulesSheet)


def test_where_nothing_is_to_be_compared_no_seat_promises_words_and_the_sheet_fills_by_itself():
    state = STATES["no-words"]()
    view = view_of(state)
    (seats,) = (one.items for one in view.sections if one.id == "seats")
    assert not any(one.mark for one in seats)
    assert view.sheet is not None
    assert "Jon" in str(view.sheet.lines)
    assert state.timed
    assert react(state, Tick(1.0))[1] == (Compare(more=True),)
    state = told(state, Words({"JJJJ": "walnut trumpet elephant"}))
    sheet = view_of(state).sheet
    assert sheet is not None
    assert [one.title for one in sheet.items] == ["Jon"]
    assert not state.timed
    assert react(state, Tick(1.0))[1] == ()


def test_every_match_that_waits_has_a_way_back_in_the_lobby():
    state = STATES["lobby-crowded"]()
    waiting = {f"go:back:{one.match}" for one in state.kept.history if one.unfinished}
    assert len(waiting) > 2
    assert waiting <= {*view_of(state).clicks()}


def kinds_of(kind: type[QuestionSheet]) -> Iterator[type[QuestionSheet]]:
    for one in kind.__subclasses__():
        yield one
        yield from kinds_of(one)


QUESTIONS = sorted({kind.NAME for kind in kinds_of(QuestionSheet)})


@pytest.mark.parametrize("language", ["en", "eu", "es", "is"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_has_its_answers_as_buttons(language, name):
    with reading(language):
        state = STATES[name]()
        sheet = view_of(state).sheet
        assert sheet is not None
        assert {("enter",), ("escape",)} <= {one.keys for one in sheet.actions}
        assert sheet.actions[-1].role == "main"
        assert len({*(one.label for one in sheet.actions), ""}) == 1 + len(sheet.actions)
        assert len(sheet.actions) == (3 if name == "leave" else 2), "one may go for now too"
        assert sheet.lines
        assert not any("Enter" in aloud(line) for line in sheet.lines), "the buttons say so"
        assert pressed(state, ["escape"])[0].overlay is None


@pytest.mark.parametrize("name", ["log", "rules", "say", "undo"])
def test_the_way_back_from_a_sheet_of_the_menu_leads_to_the_menu(name):
    stage = Stage("escoba", 2).press("escape")
    stage.press(*view_of(stage.state).clicks()[f"sheet:{name}"][0])
    sheet = view_of(stage.state).sheet
    assert sheet.id != "menu"
    assert sheet.end is (name == "log")
    (back,) = (one for one in sheet.actions if one.key == "escape")
    stage.press(*back.keys)
    assert stage.state.overlay.NAME == "menu"
    stage.press("escape")
    assert stage.state.overlay is None
