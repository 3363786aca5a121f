"""Clicks are keys: every action of a page or a sheet can be clicked, and a click does what its key
does."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from client.i18n.translation import letter
from client.session.messages import Act, Command, Quit
from client.ui.drawing.picture import CHOOSE, Panel, Picture
from client.ui.games import words_of
from client.ui.pictures.controls import ARROWS, NAMES, controls, pressed
from client.ui.pictures.draw import picture_of
from client.ui.screen import (
    history,
    lobby,
    opening,
    play,
    settings,
    sheets,
    table_setup,
    table_words,
)
from client.ui.screen.messages import (
    NAMED,
    Rise,
)
from client.ui.screen.state import Page, ScreenState
from engine.games import GAMES
from tests.client.ui.pictures.cast import (
    PAGES,
    SHEETS,
    STATES,
    picture,
)
from tests.client.ui.pictures.cast import pressed as after
from tests.client.ui.screen.boxes import match_states, reading, states
from tests.sample import sample
from tests.screens.learner import Learner
from tests.screens.stage import Stage

Result = tuple[ScreenState, tuple[Command, ...]]
PAIRS = {
    ("Enter", "play"): ["enter"],
    ("1/Enter", "play"): ["enter"],
    ("m/Enter", "mazo"): ["m"],
    ("Esc", "put back"): ["escape"],
    ("F1", "rules"): ["f1"],
    ("Tab", "other ways"): ["tab"],
    ("Space", "pick"): [" "],
    ("?", "hint"): ["?"],
    ("N", "no to all"): ["N"],
    ("+ -", "computers"): ["+", "-"],
    ("PgUp PgDn", "ten steps"): ["pageup", "pagedown"],
    ("Home End", "ends"): ["home", "end"],
    ("←", "at the left"): ["left"],
    ("→", "at the right"): ["right"],
    ("t", "trust"): ["t"],
    ("↑↓", "choose"): [],
    ("↑↓", "scroll"): [],
    ("←→", "change"): [],
    ("1 2 3", "choose a card"): [],
    ("1", "choose a tile"): [],
    ("1-9", "choose a tile"): [],
    ("0-9", "how much"): [],
    ("a-z", "type a name"): [],
    ("a–z", "in your own words …"): [],
    ("a b c", "take one by one"): [],
}
"""Pairs of each form, and the keys that have a button."""


def test_cards_under_a_sheet_do_not_look_as_if_they_could_be_played():
    learner = Learner("escoba")
    shown = picture_of(learner.state, 1280, 800)
    assert shown.pieces
    assert not [piece for piece in shown.pieces if piece.keys or "legal" in piece.state]
    while sheets.shown(learner.state):
        learner.press("enter")
    assert [
        piece
        for piece in picture_of(learner.state, 1280, 800).pieces
        if piece.keys and "legal" in piece.state
    ]


def click(state: ScreenState, thing: str, *, shown: Picture | None = None) -> Result:
    """Click on something by its id."""
    return after(state, (shown or picture(state, 360, 640)).clicks()[thing])


def top(shown: Picture) -> list[Panel]:
    """Return the panels that can be clicked: the sheet, or those of the page."""
    return [panel for panel in shown.panels if panel.modal] or list(shown.panels)


def page_keys(state: ScreenState) -> list[tuple[str, str]]:
    """Return the pairs of the last line of the full screen, as they are now."""
    if shown := sheets.keys(state):
        return shown
    of_page = {
        Page.LOBBY: lobby.keys,
        Page.OPEN: opening.keys,
        Page.TABLE_SETUP: table_setup.keys,
        Page.HISTORY: history.keys,
        Page.REPLAY: history.step_keys,
        Page.SETTINGS: settings.keys,
    }
    return of_page.get(state.page, play.keys)(state)


def each(shown: str) -> list[str]:
    """Return every key that a name in the last line stands for, as the terminal calls it; of two
    that do the same the one that has the button."""
    if shown in ARROWS:
        return [NAMES[arrow] for arrow in shown]
    if span := re.fullmatch(r"(\w)[-–](\w)", shown):
        return [chr(code) for code in range(ord(span[1]), ord(span[2]) + 1)]
    found = []
    for word in shown.split():
        other, _slash, name = word.rpartition("/")
        found.append(name if not other or other.isdecimal() else other)
    return [NAMES.get(name, name) for name in found]


# The rule.


@pytest.mark.parametrize(("pair", "keys"), PAIRS.items(), ids=str)
def test_a_pair_gives_a_button_for_each_key_that_stands_for_something(pair, keys):
    found = controls([pair])
    assert [control.keys for control in found] == [(key,) for key in keys]
    assert all(control.label == pair[1] for control in found)


def test_arrows_give_buttons_where_there_is_no_cursor():
    assert [
        (control.key, control.keys) for control in controls([("←→", "step")], cursor=False)
    ] == [
        ("←", ("left",)),
        ("→", ("right",)),
    ]


def test_a_key_that_something_drawn_presses_has_no_button():
    pairs = [("Enter", "go"), ("Esc", "back")]
    assert [control.keys for control in controls(pairs, {"enter"})] == [("escape",)]
    phrases = picture(SHEETS["phrases"](), 360, 640)
    assert "enter" in pressed(phrases.panels)
    assert "key:enter" not in phrases.clicks()


def test_a_key_that_stands_in_two_pairs_has_one_button():
    assert len(controls([("Esc", "put back"), ("Esc", "menu")])) == 1


def all_pairs(language: str) -> set[tuple[str, str]]:
    """Return every pair that occurs: of all pages, sheets and games, at many tables."""
    found = {pair for state in states(language).values() for pair in page_keys(state)}
    with reading(language):
        found |= {pair for make in STATES.values() for pair in page_keys(make())}
    for game in GAMES:
        tables = match_states(language, game, min(GAMES[game].allowed_players)).values()
        with reading(language):
            found |= {pair for state in tables for pair in play.keys(state)}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", sample(["is", "en", "eu", "es"], 1))
def test_the_rule_knows_every_pair_that_occurs(language):
    pairs = all_pairs(language)
    assert len(pairs) > 40
    for shown, about in pairs:
        named = {control.keys[0] for control in controls([(shown, about)])}
        for key in each(shown):
            assert len(key) == 1 or key in NAMED, f"the terminal gives no key {key}"
            free = (
                shown in ARROWS
                or key.isdecimal()
                or "-" in shown[1:-1]
                or "–" in shown
                or len(shown.split()) > 1
            )
            assert key in named or (free and key not in "+-"), (shown, about)
        assert named <= set(each(shown))


# Everything can be clicked.


@pytest.mark.parametrize("name", STATES)
def test_every_key_that_does_something_can_be_clicked(name):
    state = STATES[name]()
    if state.page is Page.PLAY and not sheets.shown(state):
        return  # the line that is typed over a table
    shown = picture(state, 360, 640)
    reached = {keys[-1] for keys in shown.clicks().values()}
    for names, about in page_keys(state) if state.typed is None else [("Enter", ""), ("Esc", "")]:
        for key in each(names):
            if names == "↑↓":
                rows = {row.id for panel in top(shown) for row in panel.rows}
                assert rows <= shown.clicks().keys(), (
                    "each row that a cursor goes to can be clicked"
                )
            elif names in ("0-9", "a-z", "a–z"):
                assert {"left", "right"} <= reached or f"{CHOOSE}talk" in str(
                    shown.clicks().values()
                )
            else:
                gone = after(state, [key]) == (state, ())  # as at the ends of a replay
                assert (
                    key in reached
                    or gone
                    or (key in ("left", "right") and state.chosen in ("nick", "table"))
                ), (names, about)


@pytest.mark.parametrize("name", STATES)
def test_a_button_does_what_its_key_does(name):
    state = STATES[name]()
    shown = picture(state, 360, 640)
    assert shown.controls
    for control in shown.controls:
        assert len(control.keys) == 1
        assert control.keys[0] == NAMES.get(control.key, control.key)
        done = after(state, control.keys)
        assert control.enabled is (done != (replace(state, notice=""), ())), control
        if control.enabled:
            assert click(state, control.id, shown=shown) == done


@pytest.mark.parametrize("name", STATES)
def test_a_row_does_what_the_arrows_and_its_key_do(name):
    state = STATES[name]()
    shown = picture(state, 360, 640)
    rows = [row for panel in top(shown) for row in panel.rows]
    for number, row in enumerate(rows):
        for keys in (row.keys, row.less, row.more):
            if keys:
                there = at(state, rows, number, keys[0].removeprefix(CHOOSE))
                assert key_of(after(state, keys)) == key_of(after(there, keys[1:]))


def at(state: ScreenState, rows: list, number: int, item: str) -> ScreenState:
    """Return the state after as many arrows as lead to an item; the notice is gone, as after any
    key."""
    steps = number - next((place for place, row in enumerate(rows) if row.chosen), 0)
    moved = after(state, ["down" if steps > 0 else "up"] * abs(steps) or ["down", "up"])[0]
    chosen = moved.overlay.cursor if moved.overlay else moved.chosen
    assert chosen in (number, item) or (chosen == "" and number == 0), "the arrows lead there"
    return moved


def key_of(result: Result) -> Result:
    """Return a result without the way there: a first item may be chosen by its name or by none."""
    state, commands = result
    if state.overlay is not None or state.page in (
        Page.LOBBY,
        Page.HISTORY,
        Page.OPEN,
        Page.SETTINGS,
    ):
        state = replace(state, chosen="")
    return state, commands


def test_a_sheet_leaves_nothing_below_it_to_be_clicked():
    for name in SHEETS:
        state = SHEETS[name]()
        shown = picture(state, 360, 640)
        below = {row.id for panel in shown.panels if not panel.modal for row in panel.rows}
        assert not below & shown.clicks().keys()
        assert {thing for thing in shown.clicks() if thing.startswith("key:")} == {
            control.id for control in shown.controls
        }


@pytest.mark.parametrize("name", ["talk", "move", "alarm-over-move"])
def test_while_a_line_is_typed_only_its_end_can_be_clicked(name):
    shown = picture(STATES[name](), 360, 640)
    assert shown.entry is not None
    assert shown.entry.label
    assert not shown.entry.label.endswith((":", " "))
    assert shown.clicks().keys() == {"key:enter", "key:escape"}


# The effects of clicks.


@pytest.mark.parametrize("language", ["en", "eu", "es", "is"])
@pytest.mark.parametrize(
    "name", [name for name in sheets.GOING if name not in ("abandon", "delete", "close")]
)
def test_a_question_has_its_two_answers_as_buttons(language, name):
    with reading(language):
        state = asked(name)
        shown = picture(state, 360, 640)
        assert [control.keys for control in shown.controls] == [("enter",), ("escape",)]
        first, second = (control.label for control in shown.controls)
        assert len({first, second, ""}) == 3
        (panel,) = [panel for panel in shown.panels if panel.modal]
        assert panel.lines
        assert not any("Enter" in span.text for line in panel.lines for span in line), (
            "the buttons say so"
        )
        assert click(state, "key:escape")[0].overlay is None


def asked(name: str) -> ScreenState:
    """Return a table at which this is asked, in the language of now."""
    if name != "without":
        return SHEETS[name]()
    away = (
        Stage("escoba", 3)
        .until(lambda stage: stage.state.match.turn not in ((), (0,)))
        .tick(30)
        .state
    )
    late = replace(away.match, late=frozenset(away.match.turn), waiting=away.match.turn)
    return after(
        replace(away, match=late, count=(), held=(), moment=None), [letter(table_words.VOTE)]
    )[0]


def test_a_question_that_is_answered_by_a_click_is_answered():
    assert isinstance(click(asked("quit"), "key:enter")[1][0], Quit)
    assert click(asked("rise"), "key:enter")[1] == (Rise(),)
    assert click(asked("leave"), "key:enter")[1]
    assert click(asked("without"), "key:enter")[1]


def test_phrases_and_people_are_clicked():
    said = click(SHEETS["phrases"](), "sheet:thanks")[0]
    assert said.remarks[-1].text == "thanks"
    assert click(SHEETS["phrases"](), "sheet:talk")[0].typing == "talk"
    (who,) = [
        row.id for panel in picture(SHEETS["people"](), 360, 640).panels for row in panel.rows
    ]
    assert click(SHEETS["people"](), who)[0].match.muted == {who.removeprefix("sheet:")}


def test_a_match_is_stepped_through_by_clicks():
    state = PAGES["replay"]()
    steps = {
        thing: click(state, f"key:{thing}")[0].step
        for thing in ("home", "pageup", "left", "right", "pagedown", "end")
    }
    assert steps == {"home": 0, "pageup": 1, "left": 10, "right": 12, "pagedown": 21, "end": 24}
    assert click(state, "key:escape")[0].page is Page.HISTORY


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_followed_by_clicks_on_the_cards_and_buttons_that_its_pages_name(game):
    learner, steps = Learner(game), 0
    while not learner.lesson.over:
        learner.read_on()
        advice, page = learner.model.advice, learner.state.lesson[-1][-1].replace("\u00a0", " ")
        learner.press("enter")
        for label in re.findall(r"(?:Choose: |, then )([^()]+) \(", page):
            steps += 1
            # a bet has buttons for more and less
            while not (things := named(learner.state, label)):
                learner.press(*picture_of(learner.state, 360, 640).clicks()["key:+"])
            learner.press(*picture_of(learner.state, 360, 640).clicks()[things[0]])
            if learner.state.proposed[0]:
                learner.press(
                    *picture_of(learner.state, 360, 640).clicks()[named(learner.state, label)[0]]
                )
        assert [command.move for command in learner.commands if isinstance(command, Act)][
            -1
        ] == advice, page
    assert steps > 6


def named(state: ScreenState, label: str) -> list[str]:
    """Return the ids of the cards and buttons of a table that are named so; a button may leave out
    the card that is played."""
    shown = picture_of(state, 360, 640)
    *words, card = label.split()
    shown_as, hand = words_of(state.match.game).shown, dict(table_words.scene_of(state).hand)
    found = [control.id for control in shown.controls if control.label == label]
    found += [
        control.id
        for control in shown.controls
        if card in map(shown_as, hand.values()) and control.label == " ".join(words)
    ]
    return found + [
        piece.id
        for piece in shown.pieces
        if piece.keys and piece.face and shown_as(piece.face) == card
    ]
