"""Rooms and sheets in a real Chromium: where their buttons lie, and how large they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.viewed import viewed
from tests.client.ui.view.cast import STATES

pytestmark = [needs_chromium, pytest.mark.slow]
__all__ = ["viewed"]

QUESTIONS = ("abandon", "close", "delete", "end-visitor", "first-name", "invite", "join", "leave")
QUESTIONS += ("phone-asks", "phone-late", "quit", "rise", "talk", "without")
ANSWERS = """() => [...document.querySelectorAll(".sheet > footer > .btn")].map((node) => {
    const {left, right, top, bottom, width} = node.getBoundingClientRect();
    return {main: node.matches(".main"), left, right, top, bottom, width};
})"""


@pytest.mark.parametrize(
    "viewed", [((1280, 800), "en"), ((390, 844), "is"), ((844, 390), "es")], indirect=True, ids=str
)
def test_the_main_answer_of_a_question_lies_last_and_is_as_wide_as_a_phone(viewed):
    viewed.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for name in QUESTIONS:
        viewed.show(STATES[name]())
        found = viewed.page.evaluate(ANSWERS)
        (main,) = (one for one in found if one["main"])
        others = [one for one in found if not one["main"]]
        wide = viewed.page.viewport_size["width"]
        if wide == 1280:
            assert all(one["right"] < main["left"] for one in others), name
        else:
            assert all(one["bottom"] < main["top"] for one in others), name
            assert wide > 390 or main["width"] > 340, name


COUNTS = ("escoba-count", "escoba-count-4", "truco-count", "truco-flor-count", "domino-count")
LAID = """() => {
    const box = (node) => node.getBoundingClientRect();
    const body = document.querySelector(".sheet > .body");
    const button = box(document.querySelector(".sheet > footer > .btn"));
    const beyond = (one) => one.right <= button.left || one.bottom <= button.top
        || one.left >= button.right || one.top >= button.bottom;
    const covered = [...body.querySelectorAll("p, li, td > *")].map(box)
        .filter((one) => one.width && !beyond(one)).length;
    const tight = [...body.querySelectorAll(".count td:has(.got) + td > span")].map((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return box(range).left - box(node.parentNode.previousSibling.querySelector(".got")).right;
    });
    const more = body.scrollHeight - body.clientHeight;
    return {more, covered, gap: Math.min(99, ...tight)};
}"""
"""Of a sheet: the pixels below its fold, the things under its button, the room after a mark."""


@pytest.mark.parametrize("viewed", [((844, 390), "en"), ((844, 390), "es")], indirect=True, ids=str)
def test_a_count_is_whole_on_a_phone_on_its_side(viewed):
    for game in COUNTS:
        viewed.show(STATES[game]())
        found = viewed.page.evaluate(LAID)
        assert found["more"] <= 0, game
        assert found["covered"] == 0, game
        assert found["gap"] >= 8, game


BESIDE = """() => [...document.querySelectorAll(".count td > span:not(:empty) + .got")]
    .map((one) => [one, one.previousSibling].map((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return range.getBoundingClientRect();
    })).map(([mark, value]) => mark.left - value.right)"""
"""How far the marks of a count stand from the values that have won them."""


@pytest.mark.parametrize(
    "viewed", [((1280, 800), "en"), ((360, 640), "is"), ((844, 390), "es")], indirect=True, ids=str
)
def test_a_point_stands_beside_what_has_won_it(viewed):
    for game in ("escoba-count", "escoba-count-4", "truco-flor-count"):
        viewed.show(STATES[game]())
        apart = viewed.page.evaluate(BESIDE)
        assert apart, game
        assert min(apart) >= 0, game
        assert max(apart) < 26, game
    viewed.show(STATES["siete-count"]())
    heights = viewed.page.locator(".count thead th").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert max(heights) < 36


FILLED = """() => {
    const boxes = [...document.querySelectorAll(".end-in > *")]
        .map((one) => one.getBoundingClientRect());
    const above = Math.min(...boxes.map(({top}) => top));
    const below = Math.max(...boxes.map(({bottom}) => bottom));
    return (below - above) / document.querySelector(".end-in").clientHeight;
}"""
"""How much of the height of a table is used by the end of a match."""


@pytest.mark.parametrize("viewed", [((844, 390), "en"), ((844, 390), "is")], indirect=True, ids=str)
def test_the_end_of_a_match_fills_a_phone_on_its_side(viewed):
    for game in ("escoba", "truco", "domino", "siete", "kinaskak"):
        viewed.show(STATES[f"{game}-end"]())
        assert viewed.page.evaluate(FILLED) >= 0.62, game


@pytest.mark.parametrize(
    "viewed",
    [((844, 390), "en"), ((844, 390), "is"), ((1024, 600), "eu"), ((1093, 530), "es")],
    indirect=True,
    ids=str,
)
def test_the_menu_of_a_low_window_is_whole_and_has_its_headings(viewed):
    viewed.show(STATES["escoba-menu"]())
    assert viewed.page.evaluate(LAID)["more"] <= 0
    assert viewed.page.locator(".sheet .prose h2:visible").count() == 4


@pytest.mark.parametrize(
    "viewed", [((1280, 800), "en"), ((390, 844), "en"), ((844, 390), "en")], indirect=True, ids=str
)
def test_the_digits_of_a_phone_are_read_from_afar(viewed):
    viewed.show(STATES["phone-asks"]())
    digits = viewed.page.locator(".sheet code")
    assert digits.evaluate("(node) => parseFloat(getComputedStyle(node).fontSize)") >= 56


@pytest.mark.parametrize("viewed", [((1280, 800), "en")], indirect=True, ids=str)
def test_the_table_that_fills_takes_most_of_a_desktop(viewed):
    viewed.show(STATES["setup-guest"]())
    assert viewed.page.locator("ul.sits").bounding_box()["width"] > 760
    lowest = viewed.page.locator(".sit.free").bounding_box()
    host = viewed.page.locator(".sit:not(.free)").bounding_box()
    assert lowest["y"] > host["y"], "the seat that we may take is the nearest one"


@pytest.mark.parametrize(
    "viewed",
    [((360, 640), "eu"), ((390, 844), "is"), ((844, 390), "is"), ((1280, 800), "is")],
    indirect=True,
    ids=str,
)
def test_levels_and_names_of_computers_are_not_broken(viewed):
    for name in ("form-others", "form-kinaskak"):
        viewed.show(STATES[name]())
        choices = viewed.page.locator(
            ':is([data-id="row:computers"], [data-id="row:who"]) label > span'
        )
        heights = [one.bounding_box()["height"] for one in choices.all()]
        assert max(heights) < 50, "each stands on one line"
        beyond = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).length"
        assert viewed.page.locator(".pick b").evaluate_all(beyond) == 0, (
            "no name of a game is broken"
        )


FITS = "() => document.scrollingElement.scrollHeight <= innerHeight"


@pytest.mark.parametrize(
    "viewed",
    [((1280, 800), "en"), ((1280, 800), "eu"), ((1280, 800), "es"), ((1280, 800), "is")],
    indirect=True,
    ids=str,
)
def test_a_lobby_that_fits_a_desktop_does_not_scroll(viewed):
    for name in ("lobby-crowded", "lobby-gone"):
        viewed.show(STATES[name]())
        assert viewed.page.evaluate(FITS), name


@pytest.mark.parametrize("viewed", [((844, 390), "en"), ((844, 390), "is")], indirect=True, ids=str)
def test_waiting_rooms_do_not_scroll_on_a_phone_on_its_side(viewed):
    viewed.show(STATES["setup-away"]())
    assert viewed.page.evaluate(FITS)
    viewed.show(STATES["phones-none"]())
    assert viewed.page.evaluate(FITS)


@pytest.mark.parametrize("viewed", [((390, 844), "en"), ((360, 640), "es")], indirect=True, ids=str)
def test_the_ways_to_others_stand_above_the_games_only_when_nobody_is_near(viewed):
    above = """() => document.querySelector(".near > .open-own").getBoundingClientRect().top
        < document.querySelector(".games").getBoundingClientRect().top"""
    for name, wanted in (("lobby-alone", True), ("lobby-blind", True), ("lobby-crowded", False)):
        viewed.show(STATES[name]())
        assert viewed.page.evaluate(above) is wanted, name


@pytest.mark.parametrize("viewed", [((390, 844), "en")], indirect=True, ids=str)
def test_a_mistyped_invite_is_marked_and_its_mistake_stands_in_the_color_of_its_border(viewed):
    colors = """() => [getComputedStyle(document.querySelector("#line")).borderTopColor,
        getComputedStyle(document.querySelector("#line-hint")).color]"""
    viewed.show(STATES["join"]())
    border, hint = viewed.page.evaluate(colors)
    assert border != hint
    viewed.show(STATES["join-wrong"]())
    border, hint = viewed.page.evaluate(colors)
    assert border == hint
    assert viewed.page.locator("#line[aria-invalid=true]").count() == 1


@pytest.mark.parametrize("viewed", [((390, 844), "en"), ((360, 640), "is")], indirect=True, ids=str)
def test_words_keep_their_distance_from_the_picture_of_a_code(viewed):
    gap = """() => document.querySelector(".prose p").getBoundingClientRect().top
        - document.querySelector(".plot svg").getBoundingClientRect().bottom"""
    for name in ("invite", "phone-code", "phone-silent"):
        viewed.show(STATES[name]())
        assert viewed.page.evaluate(gap) >= 16, name


def boxes(viewed, selector):
    """Return the boxes of all that match."""
    return [one.bounding_box() for one in viewed.page.locator(selector).all()]


@pytest.mark.parametrize(
    "viewed", [((844, 390), "es"), ((390, 844), "es"), ((360, 640), "en")], indirect=True, ids=str
)
def test_the_mark_of_a_seat_is_one_line_beside_small_cards(viewed):
    viewed.show(STATES["setup-teams"]())
    for mark in boxes(viewed, ".sit > .badge"):
        assert mark["height"] < 30
    (cards,), (table,) = boxes(viewed, ".seats > .tile-top"), boxes(viewed, "ul.sits")
    assert cards["width"] < table["width"] / 5


@pytest.mark.parametrize("viewed", [((844, 390), "en"), ((844, 390), "is")], indirect=True, ids=str)
def test_the_greeting_of_a_phone_on_its_side_has_a_line_with_the_name_of_the_program(viewed):
    viewed.show(STATES["lobby"]())
    (hello,), (back,), (brand,) = (
        boxes(viewed, one) for one in (".hello h1", ".back .list-card", ".brand")
    )
    assert hello["y"] + hello["height"] <= back["y"]
    assert hello["x"] >= brand["x"] + brand["width"] + 16
    assert back["x"] == brand["x"]


@pytest.mark.parametrize("viewed", [((1280, 800), "en")], indirect=True, ids=str)
def test_the_page_of_phones_fills_more_than_half_of_a_desktop(viewed):
    viewed.show(STATES["phones"]())
    ((found,), (about,)) = boxes(viewed, "section.phones"), boxes(viewed, "section.about")
    assert found["height"] > 400
    assert about["x"] + about["width"] - found["x"] > 900


@pytest.mark.parametrize(
    "viewed", [((844, 390), "en"), ((844, 390), "es"), ((1280, 800), "eu")], indirect=True, ids=str
)
def test_the_totals_have_heads_of_one_line_and_their_plot_begins_beside_them(viewed):
    viewed.show(STATES["totals"]())
    heads, (plot,) = boxes(viewed, ".sheet thead th"), boxes(viewed, ".sheet div.plot")
    assert max(one["height"] for one in heads) < 40
    assert abs(plot["y"] - heads[0]["y"]) < 16


@pytest.mark.parametrize(
    "viewed", [((1280, 800), "en"), ((844, 390), "en")], indirect=True, ids=str
)
def test_sheets_to_read_are_equally_wide(viewed):
    widths = set()
    for name in ("about", "analysis", "escoba-rules", "words"):
        viewed.show(STATES[name]())
        widths |= {one["width"] for one in boxes(viewed, ".sheet")}
    assert len(widths) == 1


@pytest.mark.parametrize("viewed", [((844, 390), "en"), ((844, 390), "eu")], indirect=True, ids=str)
def test_a_lobby_on_its_side_names_its_tables_and_shows_its_games_whole(viewed):
    viewed.show(STATES["lobby"]())
    (back,), (near,), (every,) = (
        boxes(viewed, one) for one in (".back .list-card", ".near h2", ".near .all")
    )
    assert back["y"] + back["height"] + 11 <= near["y"]
    assert every["y"] + every["height"] / 2 == pytest.approx(near["y"] + near["height"] / 2, abs=4)
    assert all(tile["y"] + tile["height"] <= 390 for tile in boxes(viewed, ".tile"))


@pytest.mark.parametrize("viewed", [((844, 390), "es"), ((390, 844), "es")], indirect=True, ids=str)
def test_a_notice_on_a_phone_lies_on_nothing(viewed):
    viewed.show(STATES["lobby-gone"]())
    (toast,), (back,) = (boxes(viewed, one) for one in (".toast", ".back .list-card"))
    assert toast["y"] + toast["height"] <= back["y"]


@pytest.mark.parametrize("viewed", [((1280, 800), "en")], indirect=True, ids=str)
def test_the_help_of_a_desktop_keeps_what_is_typed_behind_its_last_line(viewed):
    viewed.show(STATES["help"]())
    table, last = viewed.page.locator(".sheet table"), viewed.page.locator(".sheet summary")
    assert not table.is_visible()
    assert last.bounding_box()["y"] > boxes(viewed, ".sheet .prose p")[-1]["y"]
    last.press("Enter")
    assert table.is_visible()


APART = """() => {
    const box = (one) => one.getBoundingClientRect(), table = box(document.querySelector(".sits"));
    const parts = [...document.querySelectorAll(".sit")].map((sit) => [...sit.children].map(box));
    const cards = [...document.querySelectorAll(".seats > .tile-top .card")].map(box);
    const meet = (one, other) => one.left + 1 < other.right && other.left + 1 < one.right
        && one.top + 1 < other.bottom && other.top + 1 < one.bottom;
    const all = [...parts, cards].flatMap((group, place) => group.map((one) => [one, place]));
    const met = all.flatMap(([one, place], number) => all.slice(number + 1)
        .filter(([other, there]) => there !== place && meet(one, other)));
    const beyond = parts.flat().filter((one) => one.left < table.left || one.right > table.right
        || one.top < table.top || one.bottom > table.bottom);
    const bar = document.querySelector(".terms");
    const over = getComputedStyle(bar).position === "sticky";
    return {seats: parts.length, cards: cards.filter(({width}) => width).length, met: met.length,
        beyond: beyond.length, room: (over ? box(bar).top : innerHeight) - table.bottom};
}"""
"""Of a table that fills: parts that lie on others or beyond it, and the pixels below it."""


@pytest.mark.parametrize(
    "viewed",
    [
        ((390, 844), "en"),
        ((360, 640), "es"),
        ((667, 375), "es"),
        ((844, 390), "es"),
        ((844, 390), "is"),
    ],
    indirect=True,
    ids=str,
)
def test_many_sit_round_their_cards_on_a_phone_and_all_are_seen(viewed):
    for name, count in (("setup-six", 6), ("setup-eight", 8), ("setup-long", 8)):
        viewed.show(STATES[name]())
        found = viewed.page.evaluate(APART)
        assert found["seats"] == count, name
        assert found["cards"], name
        assert (found["met"], found["beyond"]) == (0, 0), name
        assert found["room"] >= 0, name


@pytest.mark.parametrize("viewed", [((1280, 800), "en")], indirect=True, ids=str)
def test_our_seat_has_the_same_colour_at_every_table(viewed):
    match = STATES["escoba-3"]()
    assert match.match.seat == 0
    moved = replace(match, match=replace(match.match, seat=2))
    table = STATES["setup-host"]()
    lobby = replace(table.match.lobby, mine=(1,))
    sits = replace(
        table, match=replace(table.match, lobby=lobby, players=table.match.players[::-1])
    )
    nearest = {
        "match": ".me .disc",
        "moved": ".me .disc",
        "table": ".sit .disc",
        "sits": ".sit .disc",
    }
    states = {"match": match, "moved": moved, "table": table, "sits": sits}
    for name, state in states.items():
        viewed.show(state)
        assert viewed.page.locator(nearest[name]).first.get_attribute("data-n") == "0", name


@pytest.mark.parametrize("viewed", [((390, 844), "en")], indirect=True, ids=str)
def test_an_alarm_has_a_head_of_its_own_colour_and_says_first_what_to_do(viewed):
    head = "(node) => getComputedStyle(node.parentNode).backgroundColor"
    viewed.show(STATES["leave"]())
    usual = viewed.page.locator("#sheet-title").evaluate(head)
    for name in ("alarm", "alarm-no-card"):
        viewed.show(STATES[name]())
        assert viewed.page.locator("#sheet-title").evaluate(head) != usual
        weights = viewed.page.locator(".sheet .prose > p").evaluate_all(
            "(all) => all.map((one) => getComputedStyle(one).fontWeight)"
        )
        assert weights[0] == "600" not in weights[1:]


@pytest.mark.parametrize("viewed", [((844, 390), "en"), ((844, 390), "is")], indirect=True, ids=str)
def test_the_head_of_an_alarm_is_as_wide_as_its_sheet(viewed):
    for name in ("alarm", "alarm-rule", "alarm-no-card"):
        viewed.show(STATES[name]())
        (head,), (sheet,) = boxes(viewed, ".sheet > .head"), boxes(viewed, ".sheet")
        assert head["width"] == pytest.approx(sheet["width"], abs=1), name


@pytest.mark.parametrize("viewed", [((360, 640), "is"), ((360, 640), "eu")], indirect=True, ids=str)
def test_names_of_games_and_days_of_matches_are_whole_in_large_letters(viewed):
    viewed.show(STATES["form"]())
    viewed.page.evaluate("() => { document.documentElement.dataset.letters = 'large'; }")
    (one_word,) = boxes(viewed, ".pick:last-child b")
    assert one_word["height"] < 24
    viewed.show(STATES["history-results"]())
    days = viewed.page.locator(".match small > span:last-child")
    assert days.first.evaluate("(node) => node.getClientRects().length") == 1
    assert not any("·" in text for text in days.all_text_contents())


@pytest.mark.parametrize("viewed", [((390, 844), "en")], indirect=True, ids=str)
def test_the_next_letter_goes_on_with_a_line_and_replaces_only_a_proposal(viewed):
    for name, marked in (("talk", 0), ("move", 0), ("first-name", 3)):
        viewed.show(STATES["lobby"]())
        viewed.show(STATES[name]())
        length, chosen = viewed.page.locator("#line").evaluate(
            "(line) => [line.value.length, line.selectionEnd - line.selectionStart]"
        )
        assert length
        assert chosen == marked, name


@pytest.mark.parametrize(
    "viewed", [((1280, 800), "en"), ((844, 390), "en")], indirect=True, ids=str
)
def test_seats_that_face_each_other_are_equally_high_whatever_their_marks(viewed):
    for name, pairs in (("setup-host", [(1, 2)]), ("setup-teams", [(1, 3)])):
        viewed.show(STATES[name]())
        discs = boxes(viewed, ".sit > .disc")
        for one, other in pairs:
            assert discs[one]["y"] == pytest.approx(discs[other]["y"], abs=1), name


@pytest.mark.parametrize(
    "viewed", [((1280, 800), "en"), ((844, 390), "is"), ((390, 844), "en")], indirect=True, ids=str
)
def test_the_meaning_of_the_totals_is_seen_without_scrolling(viewed):
    viewed.show(STATES["totals"]())
    (said,), (body,) = boxes(viewed, ".sheet .prose"), boxes(viewed, ".sheet > .body")
    assert said["y"] + said["height"] <= body["y"] + body["height"]


@pytest.mark.parametrize(
    "viewed", [((1280, 800), "en"), ((1280, 800), "is")], indirect=True, ids=str
)
def test_settings_at_a_table_are_seen_all_at_once_in_a_large_window(viewed):
    viewed.show(STATES["settings-at-table"]())
    hidden = "(body) => body.scrollHeight - body.clientHeight"
    assert viewed.page.locator(".sheet > .body").evaluate(hidden) <= 1


@pytest.mark.parametrize(
    "viewed", [((1280, 800), "en"), ((1280, 800), "eu")], indirect=True, ids=str
)
def test_the_facts_of_past_matches_stand_below_each_other(viewed):
    for name in ("history", "history-results"):
        viewed.show(STATES[name]())
        for part in ("> span:nth-child(2) > b", "small > :first-child:not(:last-child)"):
            assert len({one["x"] for one in boxes(viewed, f".list-card {part}")}) == 1, (name, part)
        for part in ("small > span:last-child", ".badge", "> .btn"):
            found = boxes(viewed, f".match {part}")
            assert len({round(one["x"] + one["width"]) for one in found}) <= 1, (name, part)


AT_ITS_END = (
    "(body) => body.scrollHeight > body.clientHeight"
    " && body.scrollTop + body.clientHeight >= body.scrollHeight - 1"
)


@pytest.mark.parametrize("viewed", [((360, 640), "en")], indirect=True, ids=str)
def test_the_match_so_far_opens_at_its_newest_line(viewed):
    state = STATES["log"]()
    assert state.overlay is not None
    lines = tuple(f"Ane plays {number}." for number in range(60))
    long = replace(state, overlay=replace(state.overlay, lines=lines))
    viewed.show(replace(state, overlay=state.overlay.opener))
    viewed.show(long)
    assert viewed.page.locator(".sheet > .body").evaluate(AT_ITS_END)
