"""The replay page in a real Chromium, from its file: steps, deals, sizes, its analysis; no request,
and no complaint."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from client.storage.home import Home
from client.ui.replay_page.match import read_match
from client.ui.replay_page.page import make_page, page_of, read_page, shows_its_log
from engine.bots import RATERS
from engine.bots.player import Rated, Ratings
from engine.core.moves import Choose
from engine.core.view import View
from p2p.table.tail import joined, split_records
from tests.browser.chromium import (
    PATIENCE_MS,
    Window,
    needs_chromium,
    program,
    violations,
    window,
)
from tests.browser.viewed import WRONG
from tests.client.ui.replay_page.pages import data_of
from tests.ring import Ring
from tests.sample import sample

pytestmark = [needs_chromium, pytest.mark.slow]


SIZES = [(360, 640), (1280, 800), (1920, 1080)]


@pytest.fixture(scope="module")
def log() -> bytes:
    ring = Ring("escoba", 2, seed="browser", target=21)
    ring.play(moves=44)
    return ring.logs[0]


@pytest.fixture(scope="module")
def file(log: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("page") / "match.html"
    path.write_bytes(make_page(log, 0))
    return path


class Opened:
    """A page that is open, and its errors."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.wrong: list[str] = []
        self.requests: list[str] = []
        page.set_default_timeout(10_000)
        page.on(
            "console", lambda message: self.wrong.append(f"console {message.type}: {message.text}")
        )
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("request", lambda request: self.requests.append(request.url))
        page.add_init_script(
            "document.addEventListener('securitypolicyviolation', (event) => console.error('CSP', "
            "event.violatedDirective))"
        )

    def open(self, path: Path, *, looking: bool = True) -> Opened:
        """Open the page, and unless its first view is looked at put that away."""
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("body.ready")
        if looking:
            self.page.keyboard.press("Escape")
            self.page.keyboard.press("Home")
        return self

    def until(self, expression: str) -> None:
        """Wait until this holds. playwright would evaluate it in the page, and its policy forbids
        that."""
        for _ in range(PATIENCE_MS // 50):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(expression)

    @property
    def step(self) -> int:
        found = re.match(r"\d+", self.page.locator("#where").inner_text())
        assert found is not None
        return int(found[0])

    def table(self) -> tuple[str, list[str]]:
        """Return all that the table says, and its cards, which may lie in other places."""
        cards = self.page.locator("#view [data-card]").evaluate_all(
            "found => found.map((one) => one.dataset.card + one.innerHTML)"
        )
        return self.page.locator("#view").inner_text(), sorted(cards)


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, locale="en", reduced_motion="reduce"
    )
    found = Opened(context.new_page())
    yield found
    context.close()
    assert found.wrong == []
    assert len(found.requests) == 1


def test_keys_and_buttons_go_from_step_to_step_and_from_deal_to_deal(opened, file):
    shown, page = opened.open(file), opened.page
    data = data_of(file.read_bytes())
    steps, second = len(data["steps"]), data["deals"][1]["step"] + 1
    assert shown.step == 1
    first = data["deals"][0]["step"] + 1
    keys = [
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", steps),
        ("ArrowRight", steps),
        ("Home", 1),
    ]
    keys += [
        ("ArrowLeft", 1),
        ("PageDown", first),
        ("PageDown", second),
        ("ArrowRight", second + 1),
        ("PageUp", second),
    ]
    for key, there in [*keys, ("PageUp", first), ("PageUp", 1)]:
        page.keyboard.press(key)
        assert shown.step == there, key
    page.keyboard.press("Home")
    page.get_by_role("button", name="a step on").click()
    assert shown.step == 2
    page.get_by_role("button", name="a step back").click()
    assert page.get_by_role("button", name="a step back").is_disabled()
    page.get_by_label("Deal", exact=True).select_option(label="Deal 2")
    assert shown.step == second
    page.get_by_role("slider").fill(str(second + 2))
    assert shown.step == second + 3


def test_a_step_looks_the_same_from_before_and_from_behind(opened, file):
    shown, page = opened.open(file), opened.page
    pictures = []
    for _step in range(25):
        pictures.append(shown.table())
        page.keyboard.press("ArrowRight")
    assert len(set(map(str, pictures))) > 20
    for picture in reversed(pictures):
        page.keyboard.press("ArrowLeft")
        assert shown.table() == picture


@pytest.mark.parametrize("scheme", sample(["light", "dark"], 1))
def test_nothing_runs_off_any_window_and_axe_finds_nothing(opened, file, scheme):
    opened.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    shown = opened.open(file)
    page = shown.page
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        shown.until("document.documentElement.scrollWidth <= innerWidth")
        box, bar = (page.locator(one).bounding_box() for one in (".table", ".player"))
        assert box is not None
        assert bar is not None
        assert (bar["x"], bar["width"]) == (0, width)
        assert box["y"] + box["height"] <= bar["y"] + 1
        assert bar["y"] + bar["height"] <= height + 1
        assert box["height"] > 0.55 * height
        for key in ("Home", "ArrowRight", "PageDown", "End"):
            page.keyboard.press(key)
            assert violations(page) == []
        page.locator("#more").click()
        assert violations(page) == []
        page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        ("escoba", 4, {"target": 5}),
        ("siete-y-media", 3, {"deals": 2}),
        ("kinaskak", 3, {}),
        ("truco", 4, {}),
        ("domino", 4, {}),
    ],
)
def test_no_text_of_a_step_is_cut_and_no_button_covered(opened, tmp_path, game, players, options):
    ring = Ring(game, players, seed="steps", **options)
    ring.play(moves=40)
    path = tmp_path / "match.html"
    path.write_bytes(make_page(ring.logs[0], 0))
    page = opened.open(path).page
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.keyboard.press("Home")
        for _step in range(6):
            for _again in range(7):
                page.keyboard.press("ArrowRight")
            assert page.evaluate(WRONG) == [], width


def test_a_log_that_does_not_verify_is_red_on_every_step(opened, log, tmp_path):
    records, _rest = split_records(log)
    records[-2] = records[-2][:-1] + bytes([records[-2][-1] ^ 1])
    bad = joined(records)
    path = tmp_path / "bad.html"
    path.write_bytes(page_of(read_match(bad, None, anyway=True), bad))
    page = opened.open(path).page
    for key in ("Home", "ArrowRight", "End"):
        page.keyboard.press(key)
        assert (
            page.get_by_role("alert").inner_text()
            == "This log does not verify. Do not believe this page."
        )
        assert page.get_by_role("alert").is_visible()
    assert violations(page) == []


IN_ORDER = """() => {
    const box = (id) => document.getElementById(id).getBoundingClientRect();
    const [all, title, text, button] = ["start", "start-title", "start-text", "watch"].map(box);
    return all.top < title.top && title.bottom <= text.top && text.bottom <= button.top
        && button.bottom < all.bottom;
}"""
"""Whether the title, the text and the button of the first view stand one below the other in it."""


def by_chance(view: View, choose: Choose) -> Ratings:
    moves = [Rated(move, choose(1000) / 1000) for move in view.options or ()]
    return Ratings("win", tuple(sorted(moves, key=lambda one: -one.value)))


@pytest.mark.parametrize(("width", "height"), sample([(360, 640), (1280, 800)], 1, rows=True))
def test_each_moment_leads_to_its_step(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int, height: int
) -> None:
    monkeypatch.setitem(RATERS, "escoba", by_chance)
    ring = Ring("escoba", 2, seed="browser", target=1)
    ring.play()
    path = tmp_path / "match.html"
    path.write_bytes(make_page(ring.logs[0], 0, analysed=True))
    page = browser.new_page(viewport={"width": width, "height": height})
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("body.ready")
    assert page.evaluate(IN_ORDER), "the first view begins with its title, and ends with its button"
    for place in range(3):
        if place:
            page.click("#more")
        button = page.locator(f"#{'about' if place else 'start'} button.step").nth(place)
        text = button.inner_text()
        found = re.match(r"Step (\d+), deal \d+: ", text)
        assert found, text
        if not place:
            assert violations(page) == []
        button.click()
        assert not page.locator("#about").is_visible()
        assert not page.locator("#start").is_visible()
        assert page.locator("#where").inner_text().startswith(f"{found[1]} ")
    page.close()
    assert wrong == []


NAMED = "logs/0123456789abcdef.sobremesa"


def home_with(log: bytes, folder: Path) -> Path:
    """Return a new home with the log of one match."""
    home = Home(folder / "home")
    (home.path / "identity.key").write_text("68" * 32)
    (home.path / NAMED).write_bytes(log)
    return home.path


def history_of(opened: Window) -> Window:
    """Go to the past matches, and open the one that is there."""
    opened.on("lobby").page.click("button[data-id=history]")
    opened.on("history").page.wait_for_selector("[data-id=share]")
    return opened


def test_a_past_match_is_saved_as_a_page_that_shows_what_everybody_saw(
    browser: Browser, opened: Opened, log: bytes, tmp_path: Path
) -> None:
    with program(home_with(log, tmp_path)) as running, window(browser, running) as shown:
        history_of(shown.open(running.address))
        other, taken = shown.page.context.new_page(), list[str]()
        other.on("download", lambda one: taken.append(one.suggested_filename))
        other.goto(running.origin)
        other.wait_for_selector("body[data-page=history]")
        with shown.page.expect_download() as saved:
            shown.page.click("[data-id=share]")
        shown.page.get_by_text("It shows what everybody saw").wait_for()
        other.get_by_text("It shows what everybody saw").wait_for()
        path = tmp_path / saved.value.suggested_filename
        saved.value.save_as(path)
    assert re.fullmatch(r"escoba-\d{4}-\d\d-\d\d\.html", path.name)
    assert taken == [], "the other window has not asked for it"
    page = read_page(path.read_bytes())
    assert (page.log, page.seat) == (log, None)
    assert shows_its_log(page)
    opened.open(path)


def test_a_second_past_match_is_saved_as_its_own_page(
    browser: Browser, log: bytes, tmp_path: Path
) -> None:
    home, ring = home_with(log, tmp_path), Ring("escoba", 2, seed="second", target=2)
    ring.play()
    (home / "logs" / "fedcba9876543210.sobremesa").write_bytes(ring.logs[0])
    saved = []
    with program(home) as running, window(browser, running) as shown:
        history_of(shown.open(running.address))
        for place in range(2):
            shown.page.locator(".match").nth(place).locator(".list-card").click()
            with shown.page.expect_download() as coming:
                shown.page.locator("[data-id=share]").click()
            saved.append(read_page(coming.value.path().read_bytes()).log)
            shown.page.get_by_text("It shows what everybody saw").wait_for()
    assert sorted(saved) == sorted([log, ring.logs[0]])


def test_no_page_is_made_of_a_log_that_does_not_hold(
    browser: Browser, log: bytes, tmp_path: Path
) -> None:
    home = home_with(log, tmp_path)
    with program(home) as running, window(browser, running) as shown:
        history_of(shown.open(running.address))
        damaged = bytearray(log)
        damaged[len(log) // 2] ^= 1
        (home / NAMED).write_bytes(damaged)
        taken = list[str]()
        shown.page.on("download", lambda one: taken.append(one.suggested_filename))
        shown.page.click("[data-id=share]")
        shown.until("document.querySelector('.toast')?.textContent.length > 10")
        assert "everybody saw" not in shown.page.locator(".toast").inner_text()
        assert taken == []
