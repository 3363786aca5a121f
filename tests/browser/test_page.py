"""The page in a real Chromium: from the lobby to a move, by clicks and by keys; reloads, tabs,
ends; nothing goes wrong."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Route, WebSocketRoute

from engine.games import GAMES
from tests.browser.chromium import (
    CARDS,
    SEEN_MS,
    SHEET,
    Program,
    Window,
    needs_chromium,
    program,
    window,
)
from tests.browser.test_matches import one_click

pytestmark = [needs_chromium, pytest.mark.slow]
SAID = "/You (play|lay|take|sweep)/.test(document.getElementById('announce').textContent)"
"""Our move is told: which one depends on the cards."""
PLAYED = ("escoba", "domino")
"""Games of cards and of tiles."""
TRIED = ["t", *(key for place in range(1, 8) for key in (str(place), "Enter"))]
"""Keys that take a tile or play: not every card can be played."""

every_table = pytest.mark.parametrize("game", PLAYED)


@pytest.fixture
def running(tmp_path) -> Iterator[Program]:
    with program(tmp_path / "home") as found:
        yield found


def begin(shown: Window, game: str) -> Window:
    """Begin a match by keys, from the lobby; wait until our player is asked."""
    shown.on("lobby").page.keyboard.press(str([*GAMES].index(game) + 1))
    shown.on("open").page.keyboard.press("Enter")
    shown.on("play").our_turn().page.wait_for_selector("text=/Your turn/i")
    return shown


@every_table
def test_a_match_is_begun_and_a_card_played_by_clicks_alone(browser, running, game):
    with window(browser, running) as shown:
        page = shown.open(running.address).on("lobby").page
        page.locator(f"[data-id='game:{game}'].tile").click()
        shown.on("open")
        page.get_by_role("button", name="Play").click()
        shown.on("play").our_turn()
        page.wait_for_selector("text=/Your turn/i")
        chance = random.Random(5)
        for _ in range(600):  # some cards are played at once, others by a button
            one_click(page, chance)
            page.wait_for_timeout(100)
            if page.evaluate(SAID):
                return
        raise AssertionError(page.locator("#announce").inner_text())


def test_a_form_is_filled_in_and_opens_the_table_that_it_says(browser, running):
    """Enter in a field sets its value, and opens no table."""
    with window(browser, running) as shown:
        page = shown.open(running.address).on("lobby").page
        page.get_by_role("button", name="Open a table").click()
        page = shown.on("open").page
        for name in ("Truco", "4", "Long · 30", "People I invite"):
            before = page.evaluate("seen")
            page.get_by_role("radio", name=name).click()
            shown.until(f"seen > {before}")
        page.get_by_text("House rules").click()
        points = page.get_by_label("Points to win")
        assert points.input_value() == "30"
        points.fill("400")  # the most that is possible stands beside the field
        points.press("Tab")
        shown.until("document.querySelector('.number').getAttribute('value') === '40'")
        assert points.input_value() == "40"
        assert page.get_by_text("5–40").is_visible()
        points.fill("33")
        points.press("Enter")
        shown.until("!document.querySelector('[name=length]:checked')")
        page.get_by_text("More about the table").click()
        page.get_by_label("Name of the table").fill("patio-7")
        page.get_by_role("button", name="Open the table").click()
        shown.on("table-setup").page.wait_for_selector("text=patio-7")
        assert page.locator(".sit").count() == 4
        page.wait_for_selector("text=/Points to win: 33/")


@every_table
def test_the_same_by_the_keyboard_alone(browser, running, game):
    with window(browser, running) as shown:
        page = shown.open(running.address).on("lobby").page
        page.keyboard.press(str([*GAMES].index(game) + 1))
        shown.on("open")
        page.keyboard.press("Enter")
        shown.on("play").our_turn()
        page.keyboard.press("Escape")
        page.locator(SHEET).get_by_text("The rules in short").wait_for()
        within = f"document.activeElement.closest('{SHEET}') !== null"
        assert page.evaluate(within)
        page.keyboard.press("Tab")
        assert page.evaluate(within)
        page.get_by_role("button", name="back").last.press("Enter")
        page.wait_for_selector(SHEET, state="hidden")
        page.keyboard.press("F1")
        page.wait_for_selector(SHEET)
        assert page.evaluate(within)
        page.keyboard.press("Escape")
        page.wait_for_selector(SHEET, state="hidden")
        page.wait_for_selector("text=/Your turn/i")
        shown.presses(TRIED, SAID)


def test_the_back_button_does_what_escape_does_and_leaves_no_lobby(browser, running):
    """Also after a reload, and after a match was begun: its menu opens, and goes again."""
    with window(browser, running) as shown:
        page = shown.open(running.address).on("lobby").page

        def goes_back() -> None:
            page.evaluate("history.back()")

        for _reload in range(2):
            page.keyboard.press("F1")
            page.wait_for_selector(SHEET)
            goes_back()
            page.wait_for_selector(SHEET, state="hidden")
            page.locator("button[data-id=history]").click()
            shown.on("history")
            goes_back()
            shown.on("lobby")
            for _press in range(3):
                goes_back()
                page.wait_for_timeout(100)
            assert page.url == f"{running.origin}/"
            shown.on("lobby")
            page.reload()
            shown.on("lobby").page.wait_for_timeout(SEEN_MS)
        begin(shown, "escoba")
        goes_back()
        page.wait_for_selector(SHEET)
        goes_back()
        page.wait_for_selector(SHEET, state="hidden")
        shown.our_turn()


@every_table
def test_a_reload_a_second_window_and_a_closed_one_change_nothing(browser, running, game):
    with window(browser, running) as shown:
        page = shown.open(running.address).page
        assert page.url == f"{running.origin}/"  # without the token
        cards = begin(shown, game).cards()
        page.reload()
        assert shown.on("play").our_turn().cards() == cards
        other = page.context.new_page()
        other.goto(running.address)  # used, but this browser is known
        with closing(other):
            other.wait_for_selector(CARDS)
            other.wait_for_timeout(SEEN_MS)
            other.keyboard.press("Escape")
            page.wait_for_selector(SHEET)
            page.keyboard.press("Escape")
            for seen in (other, page):
                seen.wait_for_selector(SHEET, state="hidden")
        assert shown.our_turn().cards() == cards
        assert running.process.poll() is None


def test_a_page_that_is_put_out_comes_back_by_a_new_address(browser, running):
    context, other = browser.new_context(), browser.new_context()
    page, second = context.new_page(), other.new_page()
    page.goto(running.address)
    page.wait_for_selector("body[data-page]")
    second.goto(running.address)
    page.wait_for_selector("text=was opened in a second browser")
    second.wait_for_selector("text=This window is not let in")
    assert running.process.stdout is not None
    address = next(line for line in running.process.stdout if "http://" in line).strip()
    assert address != running.address
    page.goto(address)
    page.wait_for_selector("body[data-page]")
    second.goto(running.address)  # a third use puts nobody out
    second.wait_for_selector("text=This window is not let in")
    assert page.locator("text=This window is not let in").count() == 0
    context.close()
    other.close()


def test_a_page_whose_program_has_ended_asks_no_more_after_half_a_minute(browser, running):
    """Another user of this machine may have the port next, and a browser sends that user the cookie
    of our next program too."""
    context = browser.new_context()
    page = context.new_page()
    page.clock.install()
    page.goto(running.address)
    page.wait_for_selector("body[data-page]")
    running.end(signal.SIGKILL)
    page.wait_for_selector("text=Sobremesa has ended")
    page.clock.fast_forward(31_000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(10_000)
    page.wait_for_timeout(500)
    assert asked == []
    assert page.locator("text=Sobremesa has ended").count() == 1
    context.close()


@pytest.mark.parametrize("lets_in", [True, False])
@pytest.mark.parametrize("seal", [None, "", "x" * 43])
def test_another_program_that_has_the_port_later_shows_nothing_in_our_page(
    browser, running, seal, lets_in
):
    """Another user of this machine waits for the end of our program, and takes its port."""
    context = browser.new_context()
    page = context.new_page()
    page.clock.install()
    frames: list[str | bytes] = []

    def take_in(frame: str | bytes) -> None:
        frames.append(frame)

    page.on("websocket", lambda one: one.on("framereceived", take_in))
    page.goto(running.address)
    page.wait_for_selector("body[data-page]")
    first, asked, tokens = json.loads(frames[0]), list[str](), list[str]()
    first["set"]["view"]["title"] = "Theirs"
    first["set"].pop("seal", None)
    if seal is not None:
        first["set"]["seal"] = seal

    def take(socket: WebSocketRoute) -> None:
        asked.append(socket.url)
        socket.on_message(lambda _pass: socket.send(json.dumps(first)))

    def enter(route: Route) -> None:
        tokens.append(route.request.post_data or "")
        route.fulfill(json={"pass": "theirs", "seal": seal})

    page.route("**/session", lambda route: route.fulfill(status=200 if lets_in else 403))
    page.route("**/enter", enter)
    page.route_web_socket("**/socket", take)
    running.end(signal.SIGKILL)
    for _ in range(20):
        page.clock.run_for(1_000)
        page.wait_for_timeout(50)
    assert (len(asked), tokens) == (int(lets_in), [])
    assert page.title() != "Theirs"
    sentence = "Sobremesa has ended" if lets_in else "opened in a second browser"
    assert page.locator(f"text={sentence}").count() == 1
    context.close()
