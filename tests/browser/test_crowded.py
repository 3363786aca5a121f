"""Tables that are full in a real Chromium: of words, of melds, of cards that move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.ui.screen.state import Remark
from tests.browser.chromium import needs_chromium
from tests.browser.viewed import viewed
from tests.client.ui.view.cast import STATES

pytestmark = [needs_chromium, pytest.mark.slow]
__all__ = ["viewed"]

SEATS = """() => [...document.querySelectorAll(
    ".board :is(.disc, .name, .slot, .pile, .mini, small > span)")].map((node) => {
  const { left, top, width, height } = node.getBoundingClientRect();
  return [node.textContent, left, top, width, height,
    node.checkVisibility({ visibilityProperty: true })];
})"""
"""Where all things of a table are, and which of them are seen."""
HIDING = """() => [...document.querySelectorAll(".board .bubble")].flatMap((bubble) => {
  const said = bubble.getBoundingClientRect(), seat = bubble.closest(".seat");
  const away = said.left < 0 || said.right > innerWidth || said.top < 0 ? ["outside"] : [];
  return away.concat([...seat.querySelectorAll(".disc, .name, small > span")].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return one.checkVisibility() && left < said.right - 1 && right > said.left + 1
      && top < said.bottom - 1 && bottom > said.top + 1;
  }).map((one) => one.textContent));
})"""
"""The things of a seat that the words of its player hide."""


@pytest.mark.parametrize(
    "viewed",
    [((390, 844), "is"), ((360, 640), "es"), ((844, 390), "is"), ((1280, 800), "en")],
    indirect=True,
    ids=str,
)
def test_a_long_remark_moves_nothing_of_a_table_and_hides_nothing_of_its_seat(viewed):
    games = ("escoba", "escoba-3", "escoba-4", "siete-2", "siete-3", "kinaskak-3", "truco")
    for name in (*games, "domino", "domino-4"):
        state = STATES[name]()
        viewed.show(state)
        before = viewed.page.evaluate(SEATS)
        others = [
            seat for seat, _player in enumerate(state.match.players) if seat != state.match.seat
        ]
        for text in ("¡Hola!", "¿Qué tal, Jón? Hace frío hoy en Reikiavik, ¿verdad?"):
            remarks = tuple(Remark(seat, text, phrase=False) for seat in others)
            viewed.show(replace(state, remarks=remarks))
            assert viewed.page.locator(".board .bubble").count() == len(others)
            assert viewed.page.evaluate(SEATS) == before, name
            assert viewed.page.evaluate(HIDING) == [], name


MELDS = """() => {
  const box = document.querySelector(".mats"), edge = box.getBoundingClientRect();
  const across = (one, other) => {
    const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
    return Math.min(a.right, b.right) - Math.max(a.left, b.left);
  };
  return {
    cut: box.scrollHeight > box.clientHeight + 1,
    narrow: Math.min(...[...box.querySelectorAll(".mini")].map((one) => one.clientWidth)),
    over: Math.max(...[...box.querySelectorAll(".meld")].map(
      (one) => across(one.querySelector(".which"), one.querySelector(".mini")))),
    badge: Math.max(...[...box.querySelectorAll(".disc")].map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one.firstChild);
      return across(range, one.querySelector(".mark"));
    })),
  };
}"""
"""Of the list of players with melds: whether it is cut, how wide its cards are, and how far a
number lies over a card and a badge over a letter."""


@pytest.mark.parametrize("viewed", [((390, 844), "is"), ((412, 915), "es")], indirect=True, ids=str)
def test_all_melds_of_four_computers_are_seen_above_a_hand_of_three_rows(viewed):
    message, other = (viewed.message(STATES[name]()) for name in ("kinaskak-phones", "kinaskak-6"))
    table, theirs = message["set"]["view"]["table"], other["set"]["view"]["table"]
    laid = [zone for zone in theirs["zones"] if zone["kind"] == "meld"]
    for number, zone in enumerate(laid):
        zone.update(seats=[number // 2 + 1], count=number + 3)
    laid[1]["cards"] *= 3
    table["zones"] += laid
    table["hand"] += theirs["hand"][:2]
    for seat in table["seats"][1:]:
        seat["mark"] = "computer"
    viewed.page.evaluate("(message) => { tell(''); show(message); }", message)
    found = viewed.page.evaluate(MELDS)
    assert not found["cut"]
    assert found["narrow"] >= 16
    assert found["over"] <= 0
    assert found["badge"] <= 0


WATCH = """() => {
  globalThis.flown = [];
  const [played, copied] = [play, copy];
  const note = (node) => { if (node.closest(".open")) flown.push(node.outerHTML); };
  play = (node, ...more) => { note(node); return played(node, ...more); };
  copy = (node) => { note(node); return copied(node); };
}"""
"""Notes all cards of the open pile that are moved."""


@pytest.mark.parametrize(
    "viewed", [((390, 844), "is"), ((1280, 800), "en")], indirect=True, ids=str
)
def test_a_card_that_is_uncovered_lies_where_it_lay(viewed):
    first, second = (viewed.message(STATES["kinaskak-6"](), motion=True) for _ in range(2))
    table = second["set"]["view"]["table"]
    pile = next(zone for zone in table["zones"] if zone["kind"] == "open")
    bought = pile["cards"].pop()
    table["hand"].append(bought)
    table["trace"]["number"] += "+"
    table["trace"].pop("played", None)
    viewed.page.evaluate(WATCH)
    for message in (first, second):
        viewed.page.evaluate("(message) => show(message)", message)
    viewed.page.wait_for_function("!acting")
    assert viewed.page.evaluate("flown") == []
    assert viewed.page.locator(f".hand [data-card='{bought['id']}']").count() == 1
    assert viewed.wrong == []
