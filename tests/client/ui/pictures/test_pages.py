"""Golden pictures of every page and sheet; nothing outside of the window, nothing in two places."""

from __future__ import annotations

from itertools import combinations

import pytest

from client.ui.drawing.picture import Area, Picture, as_data
from client.ui.pictures.parts import ROW
from client.ui.screen.state import Page, ScreenState
from client.ui.view.views import VIEWS
from tests.client.ui.pictures.cast import MUTING, PAGES, SHEETS, SIZES, STATES, picture
from tests.client.ui.pictures.compare import golden
from tests.client.ui.screen.boxes import reading, states
from tests.sample import pairs, sample

WINDOWS = (
    *SIZES,
    (200, 200),
    (320, 480),
    (640, 360),
    (959, 700),
    (960, 700),
    (1920, 1080),
    (8000, 200),
    (200, 8000),
)
"""Windows of all kinds, in pixels; the first ones and 1920x1080 are those that must look good."""
LANGUAGES = ("eu", "es", "is")


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", STATES)
def test_every_page_and_sheet_is_as_it_was(name, size):
    golden(name, picture(STATES[name](), *size))


@pytest.mark.parametrize(
    ("language", "name"),
    [("es", "leave")],
)
def test_they_are_as_they_were_in_other_languages(language, name):
    with reading(language):
        golden(f"{name}-{language}", picture(STATES[name](), *SIZES[0]))


def test_every_page_but_the_table_and_every_sheet_is_among_them():
    shown = {state().page for state in STATES.values()}
    assert shown == set(Page) - set(VIEWS)
    kinds = {
        "menu",
        "phrases",
        MUTING,
        "settings",
        "text",
        "count",
        "lesson",
        "alarm",
        "quit",
        "leave",
    }
    drawn = {panel.id for name in SHEETS for panel in picture(SHEETS[name](), *SIZES[0]).panels}
    assert {f"sheet:{kind}" for kind in (*kinds, "rise", "without")} <= drawn
    assert not {
        panel.id
        for name in PAGES
        for panel in picture(PAGES[name](), *SIZES[0]).panels
        if panel.modal
    }


@pytest.mark.parametrize("size", WINDOWS, ids=str)
@pytest.mark.parametrize("name", STATES)
def test_nothing_lies_outside_of_the_window_or_upon_anything(name, size):
    check(picture(STATES[name](), *size))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "size"),
    sample(pairs(["is", "eu", "es", "en"], [(360, 640), (1920, 1080)]), 4, rows=True),
    ids=str,
)
def test_nor_in_any_language(language, size):
    with reading(language):
        for state in states(language).values():
            check(picture(state, *size))


def check(shown: Picture) -> None:
    """See that all lies in the window, between heading and buttons, and no panel upon another."""
    assert shown.head + shown.bar <= shown.height
    space = Area(0, shown.head, shown.width, shown.height - shown.head - shown.bar)
    bodies = [panel for panel in shown.panels if not panel.modal]
    for panel in shown.panels:
        area = panel.area
        assert area.x >= 0 <= area.width
        assert area.right <= shown.width
        assert area.height >= 0
        if panel.modal:
            assert shown.head <= area.y <= area.bottom <= shown.height - shown.bar
    assert all(space.y <= panel.area.y <= panel.area.bottom <= space.bottom for panel in bodies)
    for one, other in combinations([panel.area for panel in bodies], 2):
        beside = one.right <= other.x or other.right <= one.x
        assert beside or one.bottom <= other.y or other.bottom <= one.y, (one, other)


@pytest.mark.parametrize("name", STATES)
def test_ids_are_names_of_one_thing(name):
    shown = picture(STATES[name](), *SIZES[0])
    ids = [
        *(panel.id for panel in shown.panels),
        *(row.id for panel in shown.panels for row in panel.rows),
    ]
    ids += [control.id for control in shown.controls]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", STATES)
def test_a_page_that_is_shown_has_at_most_one_sheet_and_something_to_click(name):
    shown = picture(STATES[name](), *SIZES[0])
    assert sum(panel.modal for panel in shown.panels) <= 1
    assert shown.clicks()
    assert "keys" not in str(as_data(shown)["controls"])


@pytest.mark.parametrize("name", STATES)
def test_a_list_on_a_telephone_shows_several_items_at_once(name):
    for panel in picture(STATES[name](), 360, 640).panels:
        assert panel.area.height >= min(len(panel.rows), 3) * ROW


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_state_is_the_same_page_and_sheet_in_every_language(language):
    """Its keys are letters of words, which differ."""
    english = {name: _sort(state()) for name, state in STATES.items()}
    with reading(language):
        assert {name: _sort(state()) for name, state in STATES.items()} == english


def _sort(state: ScreenState) -> tuple[object, ...]:
    return state.page, state.overlay and state.overlay.kind, state.typing
