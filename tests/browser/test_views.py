"""Every view in a real Chromium: nothing is cut, covered, outside or too small, at any size, in any
language; axe-core finds nothing; the keyboard leads everywhere."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from client.i18n.translation import languages
from client.ui.screen.state import ScreenState
from client.ui.view.views import view_of
from tests.browser.chromium import needs_chromium
from tests.browser.viewed import LYING_PHONES, PHONES, viewed
from tests.client.ui.view.cast import STATES
from tests.client.ui.view.tables import TABLES
from tests.sample import sample
from tests.screens.stage import Stage

pytestmark = [needs_chromium, pytest.mark.slow]
__all__ = ["viewed"]

SIZES = ((360, 640), (390, 844), (844, 390), (768, 1024), (1024, 600), (1093, 530), (1280, 800))
SIZES += ((1920, 1080), (500, 900), (700, 420))
LOOKS = [(SIZES[0], "is"), (SIZES[2], "eu"), (SIZES[6], "is"), (SIZES[5], "es")]
LOOKS += [(SIZES[1], "eu"), (SIZES[3], "es"), (SIZES[4], "is"), (SIZES[7], "en")]
LOOKS += [(SIZES[8], "en"), (SIZES[9], "es")]
LOOKS += [(size, lang) for size in SIZES for lang in languages() if (size, lang) not in LOOKS]
"""Sizes of windows, and languages: each size once, then the others; and those in which there is
least room first."""
ALIKE = {"escoba", "escoba-3", "escoba-6", "escoba-watched", "siete-2", "siete-3", "siete-8"}
ALIKE |= {"truco-6", "truco-watched", "domino-4", "domino-watched"}
"""Tables on which nothing stands for axe-core that others have not."""
COLOURS = [(SIZES[0], "dark"), (SIZES[6], "light"), (SIZES[0], "light"), (SIZES[6], "dark")]


@pytest.mark.parametrize("viewed", sample(LOOKS, len(SIZES)), indirect=True, ids=str)
def test_nothing_is_cut_covered_outside_or_too_small(viewed):
    assert viewed.faults({name: state() for name, state in STATES.items()}) == {}


@pytest.mark.parametrize(
    "viewed",
    sample([(size, "en", {"color_scheme": colours}) for size, colours in COLOURS], 2),
    indirect=True,
    ids=str,
)
def test_axe_finds_nothing(viewed):
    for name, state in STATES.items():
        if name in ALIKE:
            continue
        viewed.show(state())
        viewed.accessible()
        assert viewed.wrong == [], name


LARGE = {"large_letters": True, "large_cards": True}
"""Settings with which there is least room."""


@pytest.mark.parametrize("viewed", sample(LOOKS, 2), indirect=True, ids=str)
def test_nothing_is_cut_covered_or_outside_where_letters_and_cards_are_large(viewed):
    large = {name: with_settings(state(), **LARGE) for name, state in STATES.items()}
    assert viewed.faults(large) == {}


def with_settings(state: ScreenState, **chosen: object) -> ScreenState:
    """Return the state of a player with other settings."""
    return replace(state, kept=replace(state.kept, settings=replace(state.kept.settings, **chosen)))


INK = "getComputedStyle(document.querySelector('{}')).{}"


@pytest.mark.parametrize(
    ("setting", "value", "name", "measured"),
    [
        ("theme", "dark", "settings", INK.format("body", "backgroundColor")),
        ("large_letters", True, "settings", INK.format("h2", "fontSize")),
        ("large_cards", True, "escoba", INK.format(".hand .card", "height")),
        ("four_colours", True, "settings", INK.format("[data-suit=french-d]", "color")),
        ("scheme", "colour-blind", "settings", INK.format("[data-suit=french-d]", "color")),
        ("motion", "brisk", "settings", "rate()"),
    ],
)
@pytest.mark.parametrize("viewed", [((1280, 800), "en")], indirect=True, ids=str)
def test_each_setting_changes_what_it_says(viewed, setting, value, name, measured):
    plain = STATES[name]()
    other = with_settings(plain, **{setting: value})
    found = []
    for state in (plain, other, plain):
        viewed.show(state, motion=True)
        viewed.page.wait_for_timeout(50)  # drawings come
        found.append(viewed.page.evaluate(measured))
    assert found[0] == found[2] != found[1]


FOCUS = "document.activeElement.closest('[data-id]')?.dataset.id"


@pytest.mark.parametrize("viewed", [((1280, 800), "en")], indirect=True, ids=str)
def test_the_focus_goes_into_a_sheet_and_comes_back(viewed):
    viewed.show(STATES["lobby"]())
    viewed.page.locator("[data-id='learn'].tile").focus()
    viewed.show(STATES["learn"]())
    assert viewed.page.evaluate("document.activeElement.getAttribute('role')") == "dialog"
    for _ in range(8):  # never below the sheet
        viewed.page.keyboard.press("Tab")
        assert viewed.page.evaluate("document.activeElement.closest('[inert]') === null")
    viewed.show(STATES["lobby"]())
    assert viewed.page.evaluate(FOCUS) == "learn"
    viewed.show(STATES["join"]())
    assert viewed.page.evaluate("document.activeElement.id") == "line"
    assert viewed.page.input_value("#line") == "192.168.1.23"


TAKING = """() => document.querySelector("#fly .taking") && [
    [...document.querySelectorAll("#fly .card use")].map((one) => one.getAttribute("href")),
    document.querySelectorAll(".spread .taken").length,
]"""
"""The faces that fly, and how many cards glow, in one look: they do so for a moment only."""


@pytest.mark.parametrize("viewed", [((1280, 800), "en")], indirect=True, ids=str)
def test_taken_cards_go_face_up_to_the_pile(viewed):
    stage = Stage("escoba", 2, first=1)
    before = stage.state
    while not (view_of(stage.state).table.trace and view_of(stage.state).table.trace.taken):
        before = stage.state
        stage.step()
    after = stage.state
    viewed.show(before, motion=True)
    viewed.show(after, motion=True)
    faces, taken = viewed.page.wait_for_function(TAKING).json_value()
    trace = view_of(after).table.trace
    assert faces == [f"#spanish-{trace.played[0].face}"]
    assert taken == len(trace.taken)
    viewed.page.locator("#fly > *").last.wait_for(state="detached")
    viewed.show(after)
    assert viewed.page.locator(".spread .taken").count() == 0
    assert viewed.unusable() == []


@pytest.mark.parametrize("viewed", [((1280, 800), "en")], indirect=True, ids=str)
def test_the_end_of_a_match_is_shown_again_while_cards_may_move(viewed):
    """A page that meets an error there answers nobody any more."""
    for name in TABLES:
        if name.endswith(("-end", "-count", "-step")):
            for _ in range(2):
                viewed.show(TABLES[name](), motion=True)
            viewed.page.wait_for_function("!acting")
            assert (name, viewed.wrong) == (name, [])


@pytest.mark.parametrize("viewed", [((1280, 800), "en")], indirect=True, ids=str)
def test_a_move_that_cannot_be_drawn_is_shown_without_motion(viewed):
    viewed.show(TABLES["escoba"](), motion=True)
    viewed.page.evaluate("() => { glide = () => { throw new Error('no way'); }; }")
    viewed.show(TABLES["escoba-watched"](), motion=True)
    viewed.show(TABLES["escoba-end"](), motion=True)
    viewed.page.locator("[data-id='ending']").wait_for()
    assert viewed.page.locator("body.dealing").count() == 0
    assert viewed.wrong == ["no way"]


LINES = 300
LAID = "lines => lines.map(([row, first, ends, size]) => largest(row, first, ends, size))"


def a_line(chance: random.Random) -> list[tuple[int, int]]:
    """Return the numbers of the tiles of a line from left to right; each double lies there once."""
    row = [(end := chance.randrange(7), chance.randrange(7))]
    for _tile in range(chance.randrange(27)):
        end = row[-1][1]
        double = (end, end) not in row and chance.random() < 0.4
        others = [number for number in range(7) if number != end]
        row.append((end, end if double else chance.choice(others)))
    return row


@pytest.mark.parametrize("viewed", [((1280, 800), "en")], indirect=True, ids=str)
def test_a_line_of_tiles_is_connected_and_lies_within_its_box(viewed):
    chance, lines = random.Random(1), []
    for _line in range(LINES):
        row = a_line(chance)
        size = {"width": chance.randint(300, 1400), "height": chance.randint(120, 600)}
        ends = {"left": [row[0][0], 7], "right": [row[-1][1], 7]} if chance.random() < 0.5 else {}
        lines.append((row, chance.randrange(len(row)), ends, size))
    for (row, _first, _ends, size), laid in zip(
        lines, viewed.page.evaluate(LAID, lines), strict=True
    ):
        assert len(laid["tiles"]) == len(row)
        tiles = [one for one in (laid["left"], *laid["tiles"], laid["right"]) if one]
        boxes = [
            (one["x"] - wide, one["y"] - high, one["x"] + wide, one["y"] + high)
            for one in tiles
            for wide, high in [(1, 0.5) if one["turn"] % 180 else (0.5, 1)]
        ]
        assert (
            laid["unit"] * (max(box[2] for box in boxes) - min(box[0] for box in boxes))
            <= (size["width"])
        )
        assert (
            laid["unit"] * (max(box[3] for box in boxes) - min(box[1] for box in boxes))
            <= (size["height"])
        )
        for one, other in combinations(boxes, 2):
            assert min(in_common(one, other)) <= 0, row
        for one, other in pairwise(boxes):
            assert min(in_common(one, other)) == 0 < max(in_common(one, other)), row


def in_common(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, float]:
    """Return how much two boxes have in common, across and along; less than 0 if apart."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    along = min(one[3], other[3]) - max(one[1], other[1])
    return across, along


@pytest.mark.parametrize("viewed", [((1280, 800), "en")], indirect=True, ids=str)
def test_names_from_outside_are_text(viewed):
    state = STATES["lobby-crowded"]()
    viewed.show(state)
    viewed.page.evaluate(
        "setView({page: 'lobby', heading: '<img src=x onerror=1>', sections: []}, null)"
    )
    assert viewed.page.locator("#view img").count() == 0
    assert viewed.page.locator("h1", has_text="<img").count() == 1


MARK_OVER_TILE = """(end) => {
  const box = (one) => one.getBoundingClientRect();
  const mark = box(document.querySelector(`.endmark[data-end=${end}]`));
  const shared = (tile, least, most) =>
    Math.max(0, Math.min(mark[most], tile[most]) - Math.max(mark[least], tile[least]));
  const covered = [...document.querySelectorAll(".chain .slot")].map(box)
    .map((tile) => shared(tile, "left", "right") * shared(tile, "top", "bottom"));
  return Math.max(...covered) / (mark.width * mark.height);
}"""
"""How much of the number at an end lies over a tile, from 0 to 1."""


@pytest.mark.parametrize(
    "viewed", [(size, "en") for size in ((390, 844), (1280, 800))], indirect=True, ids=str
)
@pytest.mark.parametrize("name", ["domino", "domino-4", "domino-nine", "domino-nine-line"])
def test_the_number_at_an_end_of_the_line_hides_no_pip(viewed, name):
    viewed.show(STATES[name]())
    for end in ("left", "right"):
        assert viewed.page.evaluate(MARK_OVER_TILE, end) < 0.25


IN_SIGHT = """(name) => [...document.querySelectorAll(name)].filter((node) => node.checkVisibility()
    && node.getBoundingClientRect().bottom <= innerHeight).length"""


@pytest.mark.parametrize("viewed", [PHONES[1], LYING_PHONES[2]], indirect=True, ids=str)
def test_a_phone_shows_who_is_away_what_was_answered_and_whose_points_they_are(viewed):
    viewed.show(STATES["truco-asleep"]())
    assert viewed.page.evaluate(IN_SIGHT, ".place .tag small > :first-child") == 5
    assert viewed.page.evaluate(IN_SIGHT, ".place .held .slot") == 15
    viewed.show(STATES["truco-watched"]())
    assert viewed.page.evaluate(IN_SIGHT, ".me > .bubble") == 1
    assert viewed.page.evaluate(IN_SIGHT, ".score .disc") == 4


@pytest.mark.parametrize("viewed", [PHONES[1], LYING_PHONES[2]], indirect=True, ids=str)
def test_the_count_of_dominoes_has_a_row_for_the_points_of_the_deal(viewed):
    viewed.show(STATES["domino-count"]())
    row = viewed.page.locator(".count .grand")
    assert "Nekane" in row.inner_text()
    assert "+2" in row.inner_text()
    assert "Nekane" not in row.locator("th").inner_text()


@pytest.mark.parametrize("viewed", [((844, 390), "is")], indirect=True, ids=str)
def test_a_phone_on_its_side_shows_the_chips_of_all_eight(viewed):
    viewed.show(STATES["siete-8"]())
    assert viewed.page.evaluate(IN_SIGHT, ".spot .tag small > :nth-child(2)") == 7
    assert viewed.unusable() == []


SIZES_OF_SEATS = [(390, 844), (360, 640), (844, 390), (667, 375), (1280, 800)]
COUNTED = ["kinaskak-asleep", "kinaskak-lay", "kinaskak-6", "siete-3", "siete-6", "siete-8"]
COUNTED += ["siete-late", "siete-phones"]
"""Tables on which each seat says how many cards or chips it has."""


@pytest.mark.parametrize(
    "viewed",
    [(size, lang) for size in SIZES_OF_SEATS for lang in ("en", "eu")],
    indirect=True,
    ids=str,
)
def test_a_seat_shows_its_cards_or_chips_at_every_size(viewed):
    """Also one whose phone is asleep, or that is slow."""
    for name in COUNTED:
        state = STATES[name]()
        viewed.show(state)
        place = 0 if name.startswith("kinaskak") else -1
        me, *others = [
            [line for line in seat.lines if line[0].isdigit()][place]
            for seat in view_of(state).table.seats
        ]
        shown = viewed.page.locator(".seat .tag small").all()
        for seat, count in zip(shown, [*others, me], strict=True):
            assert count in seat.inner_text(), name


BESIDE = """() => [...document.querySelectorAll(".board .seat")].filter((seat) => {
    const [disc, name, more] = [".disc", ".name", "small"].map((one) =>
        seat.querySelector(one).getBoundingClientRect());
    return disc.right > name.left + 2 || disc.top > more.bottom || name.top > disc.bottom
        || name.left - disc.right > 24;
}).map((seat) => seat.textContent)"""


@pytest.mark.parametrize(
    "viewed", [(size, "es") for size in SIZES_OF_SEATS], indirect=True, ids=str
)
def test_a_disc_stands_beside_its_name_at_every_size(viewed):
    for name in (*COUNTED, "kinaskak-3", "siete-2", "siete-seven"):
        viewed.show(STATES[name]())
        assert viewed.page.evaluate(BESIDE) == [], name


HOLLOW = """() => [...document.querySelectorAll(".mat:not(.empty)")].map((one) =>
    one.getBoundingClientRect().bottom - Math.max(...[...one.querySelectorAll(".mini")]
        .map((card) => card.getBoundingClientRect().bottom)))"""
"""The room below the cards in the box of each player."""


@pytest.mark.parametrize("viewed", [((390, 844), "en"), ((360, 640), "es")], indirect=True, ids=str)
def test_the_box_of_a_player_with_melds_is_as_high_as_they_are(viewed):
    for name in ("kinaskak-meld", "kinaskak-lay", "kinaskak-shown", "kinaskak-6"):
        viewed.show(STATES[name]())
        assert max(viewed.page.evaluate(HOLLOW)) < 16, name


PAPER_ON_WORDS = """() => {
    const all = document.querySelector(".ours"), size = 19;
    if (all === null) return null;
    const area = all.getBoundingClientRect();
    const paper = getComputedStyle(all, "::after").backgroundPosition.split(",").map((place) => {
        const [x, y] = place.trim().split(" ").map((part) => parseFloat(part) / 100);
        return [area.left + x * (area.width - size), area.top + y * (area.height - size)];
    });
    const words = [...all.querySelectorAll("h2, .how, .btn")].filter((node) => {
        const said = document.createRange();
        said.selectNodeContents(node);
        const { left, right, top, bottom } = said.getBoundingClientRect();
        return paper.some(([x, y]) => x + size > left && x < right && y + size > top && y < bottom);
    });
    return words.map((node) => node.textContent);
}"""


@pytest.mark.parametrize("viewed", sample(LOOKS, 4), indirect=True, ids=str)
def test_no_paper_lies_on_words_at_the_end(viewed):
    ends = {name: state() for name, state in STATES.items() if name.endswith("-end")}
    found = viewed.each(ends.values(), PAPER_ON_WORDS)
    assert any(words is not None for words in found)
    assert {name: words for name, words in zip(ends, found, strict=True) if words} == {}


OUR_SEAT = """() => document.querySelector(".me .disc").checkVisibility({ visibilityProperty: 1 })
    && [...document.querySelectorAll(".warn > strong, .warn > span")].every((node) => {
        const { top, bottom, left, right } = node.getBoundingClientRect();
        const others = document.querySelectorAll(".seating > *, .me > *, .hand > *, .actions > *");
        return [...others].every((other) => {
            const box = other.getBoundingClientRect();
            return box.bottom <= top + 1 || box.top >= bottom - 1 || box.right <= left + 1
                || box.left >= right - 1;
        });
    })"""


@pytest.mark.parametrize("viewed", sample(LYING_PHONES, 2), indirect=True, ids=str)
def test_our_seat_stays_beside_the_words_about_a_player_that_is_late(viewed):
    for name in ("escoba-late", "siete-late"):
        viewed.show(STATES[name]())
        assert viewed.page.evaluate(OUR_SEAT), name


@pytest.mark.parametrize("viewed", sample(PHONES, 2), indirect=True, ids=str)
def test_the_lobby_of_a_phone_begins_with_two_tables_and_the_games(viewed):
    viewed.show(STATES["lobby-crowded"]())
    assert viewed.page.evaluate(IN_SIGHT, ".near .list-card") == 2
    assert viewed.page.evaluate(IN_SIGHT, ".games .tile-fan") >= 2
    viewed.page.locator(".all > summary").click()
    near = next(one for one in view_of(STATES["lobby-crowded"]()).sections if one.id == "near")
    assert viewed.page.locator(".near .list-card:visible").count() == len(near.items)


@pytest.mark.parametrize("viewed", [((390, 844), "en")], indirect=True, ids=str)
def test_an_invite_is_copied_by_a_button(viewed):
    page, state = viewed.page, STATES["invite"]()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    viewed.show(state)
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == state.invite


GAUGES = """() => [...document.querySelectorAll(".race li")].map((line) => {
    const boxes = [...line.querySelectorAll(".gauge i")].map((one) => one.getBoundingClientRect());
    const name = line.querySelector(".name");
    return {
        points: Number(line.lastChild.textContent),
        drawn: boxes.reduce((sum, {width, height}) => sum + width * height, 0),
        whole: name.scrollWidth <= name.clientWidth + 1,
    };
})"""
"""Of the bars below a count: the points of each, its area, and whether its name is whole."""


@pytest.mark.parametrize(
    "viewed", [((390, 844), "en"), ((844, 390), "en"), ((1280, 800), "en")], indirect=True, ids=str
)
@pytest.mark.parametrize("name", ["escoba-count-4", "truco-count", "domino-count"])
def test_the_bars_of_a_count_are_as_long_as_the_points_and_have_whole_names(viewed, name):
    viewed.show(STATES[name]())
    found = viewed.page.evaluate(GAUGES)
    assert all(one["whole"] for one in found)
    by_points = sorted(found, key=lambda one: one["points"])
    assert all((one["drawn"] > 0) is (one["points"] > 0) for one in found)
    assert all(less["drawn"] <= more["drawn"] for less, more in pairwise(by_points))


@pytest.mark.parametrize("viewed", [((390, 844), "en"), ((844, 390), "en")], indirect=True, ids=str)
def test_a_heading_of_the_rules_is_reached_by_its_button(viewed):
    viewed.show(STATES["escoba-rules"]())
    button = viewed.page.locator(".jumps .btn:visible").last
    heading = viewed.page.get_by_role("heading", name=button.inner_text())
    shown = "(node) => node.getBoundingClientRect().bottom < innerHeight - 60"
    assert not heading.evaluate(shown)
    button.click()
    assert heading.evaluate(shown)


@pytest.mark.parametrize("viewed", [((390, 844), "is")], indirect=True, ids=str)
def test_past_matches_stand_below_their_month_in_the_language_of_the_reader(viewed):
    viewed.show(STATES["history-results"]())
    assert viewed.page.locator(".matches h2").all_inner_texts() == ["Nóvember 2026"]
    assert "21.\xa0nóvember" in viewed.page.locator(".match small").first.inner_text()
