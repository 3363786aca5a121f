"""The proportions of a table in a real Chromium: its things are large, near or apart enough."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.viewed import viewed
from tests.client.ui.view.cast import STATES

pytestmark = [needs_chromium, pytest.mark.slow]
__all__ = ["viewed"]

LYING, DESKTOP = ((844, 390), "en"), ((1280, 800), "en")
UPRIGHT = ((390, 844), "en")

OVERLAPS = """() => [...document.querySelectorAll(".board .bubble")].flatMap((bubble) => {
  const said = bubble.getBoundingClientRect();
  const others = [...document.querySelectorAll(".board :is(.lane .card, .name)")];
  return others.filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < said.right - 1 && right > said.left + 1
      && top < said.bottom - 1 && bottom > said.top + 1;
  }).map((one) => `${bubble.textContent}: ${one.textContent || one.dataset.card}`);
})"""
"""The words of others that lie on a card that is seen, or on a name."""


@pytest.mark.parametrize(
    "viewed",
    [((390, 844), "es"), ((844, 390), "es"), ((360, 640), "is"), ((740, 360), "eu")],
    indirect=True,
    ids=str,
)
def test_words_at_a_table_lie_on_no_card_and_no_name(viewed):
    for name in ("truco-said", "truco-said-6", "truco-watched"):
        viewed.show(STATES[name]())
        assert viewed.page.locator(".board .bubble").count()
        assert viewed.page.evaluate(OVERLAPS) == [], name


@pytest.mark.parametrize("viewed", [((844, 390), "en")], indirect=True, ids=str)
def test_the_leader_wears_a_crown_and_the_dealer_has_a_sign(viewed):
    viewed.show(STATES["escoba-3"]())
    seats = viewed.page.locator(".seat", has=viewed.page.locator(".disc > .icon"))
    assert seats.evaluate_all("(all) => all.map((one) => one.dataset.seat)") == ["1"]
    assert viewed.page.locator(".deals").evaluate_all(
        "(all) => all.map((one) => [one.closest('.seat').dataset.seat, one.title])"
    ) == [["1", "dealer"]]
    assert seats.locator(".tag").text_content().count("dealer") == 1


@pytest.mark.parametrize(
    "viewed",
    [UPRIGHT, LYING, DESKTOP, ((360, 640), "es"), ((667, 375), "is")],
    indirect=True,
    ids=str,
)
def test_the_side_that_leads_has_one_crown_and_partners_are_named(viewed):
    viewed.show(STATES["escoba-6"]())
    assert viewed.page.locator(".icon:has([href$=crown])").count() == 1
    assert viewed.page.locator(".score .team-b .icon:visible").count() == 1
    partners = viewed.page.locator(".board .team-a small:visible").all_inner_texts()
    assert len(partners) == 2
    assert all(partners)


@pytest.mark.parametrize("viewed", [UPRIGHT, LYING, ((667, 375), "is")], indirect=True, ids=str)
def test_the_boxes_of_six_are_equally_wide(viewed):
    viewed.show(STATES["escoba-6"]())
    widths = viewed.page.locator(".board .seat").evaluate_all(
        "(all) => all.map((one) => Math.round(one.getBoundingClientRect().width))"
    )
    assert max(widths) - min(widths) <= 1


@pytest.mark.parametrize(
    "viewed",
    [UPRIGHT, LYING, DESKTOP, ((360, 640), "es"), ((667, 375), "es")],
    indirect=True,
    ids=str,
)
def test_a_player_that_knocks_still_shows_how_many_tiles_are_left(viewed):
    viewed.show(STATES["domino-nine"]())
    assert viewed.page.locator(".board .bubble").count() == 1
    assert viewed.page.evaluate(APART, [".bubble", ".board small > :first-child", 0]) == 0
    assert viewed.page.locator(".board small > :first-child:visible").count() == 3
    assert viewed.page.locator(".stock.asleep .card:visible").count() > 0
    if viewed.page.viewport_size["width"] > viewed.page.viewport_size["height"]:
        assert viewed.page.locator(".me .name:visible").count() == 1


@pytest.mark.parametrize("viewed", [DESKTOP], indirect=True, ids=str)
def test_two_players_at_the_sides_sit_at_one_height(viewed):
    viewed.show(STATES["domino-nine"]())
    tops = viewed.page.locator(":is(.seat-w, .seat-e) .disc").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().top)"
    )
    assert abs(tops[0] - tops[1]) < 2


@pytest.mark.parametrize("viewed", [DESKTOP], indirect=True, ids=str)
def test_the_pips_of_a_count_stand_near_their_tiles(viewed):
    viewed.show(STATES["domino-count"]())
    columns = viewed.page.locator(".count thead th").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect()).map(({ left }) => left)"
    )
    assert columns[1] - columns[0] < 250


WIDTHS = """(name) => Math.min(...[...document.querySelectorAll(name)]
    .map((one) => one.getBoundingClientRect().width))"""


@pytest.mark.parametrize(
    ("viewed", "name", "cards", "least"),
    [
        (LYING, "truco-picked", ".lane .card", 84),
        (LYING, "truco-bets", ".lane .wins .card", 66),
        (LYING, "escoba", ".spread .card", 88),
        (LYING, "siete-2", ".spot .card", 80),
        (LYING, "siete-2", ".hand .card", 76),
        (((390, 844), "en"), "siete-2", ".spot .card", 124),
        (LYING, "truco-6", ".hand .card", 76),
        (LYING, "kinaskak-6", ".mat .meld .mini", 24),
        (LYING, "kinaskak-6", ".middle .card", 44),
        (LYING, "kinaskak", ".middle .card", 72),
        (LYING, "kinaskak-phones", ".middle .card", 72),
        (((667, 375), "en"), "kinaskak-3", ".middle .card", 60),
        (LYING, "truco-asleep", ".board .held .card", 35),
        (DESKTOP, "truco-asleep", ".board .held .card", 60),
        (UPRIGHT, "kinaskak-meld", ".mat .meld .mini", 32),
        (UPRIGHT, "kinaskak-6", ".mat .meld .mini", 34),
        (UPRIGHT, "kinaskak-3", ".hand .card", 68),
        (UPRIGHT, "kinaskak-3", ".middle .card", 72),
        (((360, 640), "en"), "kinaskak-lay", ".mat .meld .mini", 20),
        (((360, 640), "en"), "kinaskak-taught", ".middle .card", 48),
        (DESKTOP, "kinaskak-3", ".middle .card", 110),
        (DESKTOP, "kinaskak-3", ".hand .card", 80),
        (DESKTOP, "domino-nine", ".hand .card", 58),
        (LYING, "escoba-step", ".hand .card", 72),
        (LYING, "truco-step", ".hand .card", 72),
        (DESKTOP, "escoba-step", ".spread .card", 130),
        (DESKTOP, "siete-2", ".spot .card", 130),
        (DESKTOP, "siete-3", ".spot .card", 120),
    ],
    indirect=["viewed"],
)
def test_cards_have_the_height_of_the_window(viewed, name, cards, least):
    viewed.show(STATES[name]())
    assert viewed.page.evaluate(WIDTHS, cards) >= least


@pytest.mark.parametrize("viewed", [LYING, DESKTOP], indirect=True, ids=str)
def test_a_picked_card_is_lit(viewed):
    viewed.show(STATES["kinaskak-6"]())
    shades = viewed.page.locator(".hand .card").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).boxShadow)"
    )
    assert len({*shades[:2]}) == 1
    assert shades[0] not in shades[2:]


CUT = """() => [...document.querySelectorAll(".board .name")].filter((name) =>
  name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 5
).map((name) => name.textContent)"""
"""The names of the others that are cut."""


@pytest.mark.parametrize("viewed", [LYING, DESKTOP, UPRIGHT], indirect=True, ids=str)
def test_of_one_whose_turn_it_is_there_is_one_sign_and_names_are_whole(viewed):
    for name in ("kinaskak", "kinaskak-6", "kinaskak-phones", "kinaskak-asleep", "truco-4"):
        viewed.show(STATES[name]())
        assert viewed.page.locator(".seat.turn").count() == 1, name
        assert viewed.page.evaluate(CUT) == [], name


@pytest.mark.parametrize("viewed", [LYING, DESKTOP], indirect=True, ids=str)
def test_partners_stand_in_the_score_in_the_order_of_the_table(viewed):
    viewed.show(STATES["truco-watched"]())
    discs = "(all) => all.sort((one, other) => one.x - other.x).map(({ letter }) => letter)"
    found = viewed.page.locator(".score .disc").evaluate_all(
        "(all) => all.map((one) => ({ letter: one.textContent, x: one.getBoundingClientRect().x }))"
    )
    assert viewed.page.evaluate(discs, found) == ["A", "N", "G", "W"]
    assert viewed.page.get_by_text("Ane", exact=True).locator("visible=true").count() == 1


@pytest.mark.parametrize("viewed", [LYING], indirect=True, ids=str)
def test_the_piles_of_a_step_are_counted(viewed):
    viewed.show(STATES["escoba-step"]())
    assert viewed.page.locator(".pile b:visible").count() == 2


@pytest.mark.parametrize("viewed", [((1280, 800), "en")], indirect=True, ids=str)
def test_the_place_of_a_spectator_is_lit_as_nobodys(viewed):
    shown = "[getComputedStyle(one, '::after').opacity, getComputedStyle(one).backgroundColor]"
    for name, lit in (("domino-watched", "0"), ("domino-draw", "1")):
        viewed.show(STATES[name]())
        assert viewed.page.locator(".me.turn").count() == 1
        mine, said = (viewed.page.locator(one) for one in (".mine", ".say strong"))
        assert mine.evaluate(f"(one) => {shown}")[0] == lit
        ground = said.evaluate(f"(one) => {shown}")[1]
        assert (ground == "rgba(0, 0, 0, 0)") == (lit == "0")


@pytest.mark.parametrize(
    ("viewed", "name", "line", "most"),
    [
        (((844, 390), "en"), "truco-4", ".place .tag b", 26),
        (((844, 390), "en"), "escoba-3", ".where small", 26),
        (((1093, 530), "es"), "domino-phones", ".where small", 26),
        (((844, 390), "en"), "escoba-3", ".trace > span:last-child", 26),
        (((844, 390), "en"), "kinaskak-meld", ".want.ready .meld", 34),
    ],
    indirect=["viewed"],
)
def test_words_that_have_room_stand_in_one_line(viewed, name, line, most):
    viewed.show(STATES[name]())
    heights = viewed.page.locator(line).evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert heights, line
    assert max(heights) < most


@pytest.mark.parametrize("viewed", [LYING], indirect=True, ids=str)
def test_the_name_in_the_last_move_stands_out(viewed):
    viewed.show(STATES["escoba-3"]())
    said = viewed.page.locator(".trace > span:last-child")
    assert said.text_content().startswith("Nekane Agirrezabalaga lays")
    assert said.locator("b").all_text_contents() == ["Nekane Agirrezabalaga"]


@pytest.mark.parametrize("viewed", [DESKTOP, ((1920, 1080), "en")], indirect=True, ids=str)
@pytest.mark.parametrize("name", ["kinaskak", "kinaskak-3", "kinaskak-meld"])
def test_thirteen_cards_lie_side_by_side_on_a_desktop(viewed, name):
    viewed.show(STATES[name]())
    edges = viewed.page.locator(".hand .card").evaluate_all(
        "(all) => all.map((one) => [one.getBoundingClientRect().left, one.clientWidth])"
    )
    assert len(edges) > 5
    assert all(left + width < after + 1 for (left, width), (after, _) in pairwise(edges))
    tops = viewed.page.locator(".actions > *").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().top)"
    )
    assert max(tops) - min(tops) < 1


@pytest.mark.parametrize("viewed", [((360, 640), "es")], indirect=True, ids=str)
def test_the_strips_of_a_small_phone_are_whole(viewed):
    viewed.show(STATES["kinaskak-phones"]())
    assert viewed.page.locator(".mat").count() == 5
    assert viewed.page.locator(".mats.cut").count() == 0
    viewed.show(STATES["kinaskak-meld"]())
    beyond = """(all) => all.map((one) => one.getBoundingClientRect().bottom
        - one.closest(".mat").getBoundingClientRect().bottom)"""
    assert max(viewed.page.locator(".mat .meld").evaluate_all(beyond)) <= 0


@pytest.mark.parametrize("viewed", [LYING, ((390, 844), "en")], indirect=True, ids=str)
@pytest.mark.parametrize("name", ["truco-6", "escoba-6"])
def test_a_panel_says_who_plays_with_whom(viewed, name):
    viewed.show(STATES[name]())
    grounds = {
        side: viewed.page.locator(f".seating > .team-{side}").evaluate_all(
            "(all) => all.map((one) => getComputedStyle(one).backgroundColor)"
        )
        for side in "ab"
    }
    assert all(len(all_) > 1 and len(set(all_)) == 1 for all_ in grounds.values())
    assert grounds["a"][0] != grounds["b"][0]


STRAY = """() => {
  const box = (one) => one.getBoundingClientRect(), found = [];
  const places = [...document.querySelectorAll(".place")];
  const RIVALS = ".place :is(.lane > .slot, .name, small, .bubble)";
  const panels = getComputedStyle(places[0]).backgroundColor !== "rgba(0, 0, 0, 0)";
  const shared = (one, other) => Math.min(
    Math.min(one.right, other.right) - Math.max(one.left, other.left),
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
  for (const place of places) {
    const own = box(place);
    for (const card of place.querySelectorAll(".lane > :is(.slot, .bed), .held .slot")) {
      const { left, right, top, bottom } = box(card), name = card.ariaLabel ?? card.className;
      if (!card.checkVisibility()) continue;
      if (left < own.left || right > own.right || top < own.top || bottom > own.bottom)
        found.push(`${name} leaves its box`);
      for (const other of document.querySelectorAll(RIVALS))
        if (!(place.contains(other) && other.matches(".slot")) && other.checkVisibility()
          && other.textContent + other.ariaLabel && shared(box(card), box(other)) > 1)
          found.push(`${name} covers ${other.ariaLabel ?? other.textContent}`);
    }
    for (const name of place.querySelectorAll(".name"))
      if (name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 5)
        found.push(`${name.textContent} is cut`);
  }
  if (panels && new Set(places.map((one) => Math.round(box(one).width))).size > 1)
    found.push("panels of two widths");
  return found;
}"""
"""The cards of Truco that leave the box of their seat, or cover something of another seat; names
that are cut, and panels of several widths."""


@pytest.mark.parametrize(
    "viewed",
    [
        *(((390, 844), "es"), ((360, 640), "eu"), ((844, 390), "is"), ((667, 375), "eu")),
        *((size, "en") for size in ((1280, 800), (1024, 768), (1920, 1080), (768, 1024))),
        *((size, "is") for size in ((1024, 600), (740, 360), (500, 900), (700, 420))),
    ],
    indirect=True,
    ids=str,
)
def test_every_card_of_truco_lies_in_the_box_of_its_seat(viewed):
    for name in ("truco-4", "truco-6", "truco-bets", "truco-said-6", "truco-asleep"):
        viewed.show(STATES[name]())
        assert viewed.page.evaluate(STRAY) == [], name


@pytest.mark.parametrize("viewed", [LYING], indirect=True, ids=str)
def test_our_cards_and_those_of_the_bank_lie_above_each_other(viewed):
    viewed.show(STATES["siete-2"]())
    middle = """(all) => all.map((one) => one.getBoundingClientRect())
        .map(({ left, right }) => (left + right) / 2)"""
    cards = viewed.page.locator(":is(.spot, .hand) .card").evaluate_all(middle)
    assert len(cards) == 2
    assert abs(cards[0] - cards[1]) < 4


OUT = """() => [...document.querySelectorAll(".spot .card")].filter((card) => {
  if (!card.checkVisibility()) return false;
  const box = card.closest(".spot").getBoundingClientRect(), one = card.getBoundingClientRect();
  return one.left < box.left - 1 || one.right > box.right + 1 || one.bottom > box.bottom + 8;
}).map((card) => card.dataset.card)"""
"""The cards of siete y media that leave the box of their seat."""


@pytest.mark.parametrize(
    "viewed",
    [
        *(((390, 844), "es"), ((360, 640), "eu"), ((844, 390), "is"), ((667, 375), "eu")),
        ((768, 1024), "en"),
    ],
    indirect=True,
    ids=str,
)
def test_a_box_of_siete_y_media_has_all_of_its_player(viewed):
    """Also the last card of one who went over; our total and the question are said beside them."""
    for name in ("siete-3", "siete-6", "siete-8", "siete-late", "siete-phones"):
        viewed.show(STATES[name]())
        assert viewed.page.evaluate(OUT) == [], name
        assert (
            viewed.page.locator(".over .total:visible").count()
            == viewed.page.locator(".spot.over").count()
        )
        assert viewed.page.locator(".say > .sum:visible").count() == 1, name
    viewed.show(STATES["siete-2"]())
    assert viewed.page.locator(".say > span:not(.sum):visible").count() == 1


APART = """([first, second, room]) => [...document.querySelectorAll(first)].flatMap((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return [...document.querySelectorAll(second)].map((other) => other.getBoundingClientRect())
    .filter((box) => left < box.right && right > box.left
      && top < box.bottom + room && bottom + room > box.top);
}).length"""
"""How many of two kinds of things lie on each other, or have less room between them."""


@pytest.mark.parametrize(
    ("viewed", "name", "first", "second", "room"),
    [
        (((390, 844), "en"), "truco-4", ".banner", ".lane > *", 0),
        (((390, 844), "en"), "truco-asleep", ".board .through", ".board .name", 0),
        (((844, 390), "en"), "kinaskak-asleep", ".board .through", ".board .name", 0),
        (((360, 640), "en"), "kinaskak-asleep", ".board .through", ".board .name", 0),
        (((844, 390), "en"), "truco-step", ".trace", ".me .disc", 6),  # a ring
        (((844, 390), "en"), "truco-taught", ".say > *", ".board", 0),
        (((844, 390), "en"), "siete-8", ".trace", ".spot", 1),
        (((844, 390), "en"), "siete-8", ".me .purse", ".me .disc", 6),
        (((390, 844), "en"), "siete-8", ".me .purse", ".me .disc", 6),
    ],
    indirect=["viewed"],
)
def test_badges_and_banners_hide_no_names_and_cards(viewed, name, first, second, room):
    viewed.show(STATES[name]())
    assert viewed.page.locator(first).count()
    assert viewed.page.evaluate(APART, [first, second, room]) == 0


@pytest.mark.parametrize("viewed", [UPRIGHT, LYING, ((390, 844), "es")], indirect=True, ids=str)
@pytest.mark.parametrize(
    "name", ["truco-phones", "truco-asleep", "siete-phones", "kinaskak-phones"]
)
def test_the_sign_of_a_phone_covers_neither_a_letter_nor_a_name(viewed, name):
    viewed.show(STATES[name]())
    shown = ".board .name, .board .disc > span:first-child"
    assert viewed.page.locator(".board .through").count()
    assert (
        viewed.page.evaluate(APART, [".board .through", shown, -4]) == 0
    )  # lines are higher than letters


@pytest.mark.parametrize("viewed", [UPRIGHT, LYING, DESKTOP], indirect=True, ids=str)
@pytest.mark.parametrize("name", ["siete-taught", "truco-taught"])
def test_a_lesson_says_that_it_is_our_turn_beside_its_advice(viewed, name):
    viewed.show(STATES[name]())
    assert viewed.page.locator(".coach > strong:visible").count() == 1
    assert viewed.page.locator(".coach > span:last-child:visible").count() == 1
    if name == "siete-taught":  # the chip of the advice alone is lit
        lit = viewed.page.locator(".chip").evaluate_all(
            "(all) => all.filter((one) => getComputedStyle(one).boxShadow != 'none')"
            ".map((one) => one.dataset.id)"
        )
        assert "bet:1" not in lit
        assert viewed.page.locator(".chip:has(> .pointer)").get_attribute("data-id") == "bet:2"


@pytest.mark.parametrize("viewed", [DESKTOP, ((1024, 768), "es")], indirect=True, ids=str)
def test_of_six_at_truco_each_name_stands_at_the_left_of_its_own_cards(viewed):
    viewed.show(STATES["truco-6"]())
    edges = viewed.page.locator(".board .place").evaluate_all(
        "(all) => all.map((one) => [one, one.querySelector('.name'),"
        " one.querySelector('.lane')].map((part) => part.getBoundingClientRect())"
        ".flatMap(({ left, right, top }) => [left, right, top]))"
    )
    board = viewed.page.locator(".cloth").bounding_box()
    for left, right, top, began, ended, _name, first, last, _lane in edges:
        assert left <= began < ended <= first + 4 < last <= right
        assert top >= board["y"] + 6
    assert len(edges) == 6


@pytest.mark.parametrize("viewed", [((1024, 768), "is"), ((1093, 700), "eu")], indirect=True)
def test_a_truco_of_six_hides_no_button_on_a_small_desktop(viewed):
    for name in ("truco-6", "truco", "truco-bets"):
        viewed.show(STATES[name]())
        assert viewed.unusable() == [], name


BROKEN = """() => [...document.querySelectorAll(".count tbody .name")].flatMap((name) => {
  const [text] = name.childNodes, words = [...name.textContent.matchAll(/\\p{L}+/gu)];
  return words.filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  }).map(([word]) => word);
})"""
"""The words of the names in a count that are broken over two lines."""


@pytest.mark.parametrize(
    "viewed", [LYING, UPRIGHT, ((360, 640), "es"), ((667, 375), "es")], indirect=True, ids=str
)
def test_no_name_of_a_count_is_broken_inside_a_word(viewed):
    viewed.show(STATES["siete-count"]())
    assert viewed.page.evaluate(BROKEN) == []


@pytest.mark.parametrize("viewed", [UPRIGHT, DESKTOP, ((390, 844), "es")], indirect=True, ids=str)
def test_why_a_deal_was_won_is_seen_below_a_count_as_wide_as_its_bars(viewed):
    viewed.show(STATES["domino-count"]())
    count, race, notes, button = (
        viewed.page.locator(name).last.bounding_box()
        for name in (".count", ".race", ".notes > p", ".sheet > footer")
    )
    assert abs(count["width"] - race["width"]) < 2
    assert notes["y"] + notes["height"] <= button["y"] + 2
