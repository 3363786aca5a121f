"""The replay page in a real Chromium, from its file: steps, deals, languages, sizes; no request,
and no complaint."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from client.ui.replay_page.match import read_match
from client.ui.replay_page.page import make_page, page_of
from p2p.table.log import split_records
from p2p.table.tail import joined
from tests.browser.chromium import PATIENCE_MS, needs_chromium
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


def test_it_plays_by_itself_and_pauses(opened, file):
    shown, page = opened.open(file), opened.page
    page.get_by_label("Speed").select_option("4")
    page.locator("#table, main").first.focus()
    page.keyboard.press("Space")
    shown.until("parseInt(document.getElementById('where').textContent) > 2")
    page.keyboard.press("Space")
    there = shown.step
    page.wait_for_timeout(900)
    assert shown.step == there
    page.keyboard.press("End")
    page.get_by_role("button", name="play").click()
    assert shown.step < 5


def test_four_languages_are_inside(opened, file):
    shown, page = opened.open(file), opened.page
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    seen = set()
    for code, name in (("eu", "euskara"), ("es", "español"), ("is", "íslenska"), ("en", "English")):
        page.get_by_role("combobox").nth(2).select_option(label=name)
        assert page.evaluate("document.documentElement.lang") == code
        assert shown.step == 13
        seen.add(page.locator("#view").inner_text())
        page.locator("#more").click()
        assert "sobremesa verify PAGE.html" in page.locator("#about").inner_text()
        seen.add(page.locator("#about").inner_text())
        page.keyboard.press("Escape")
    assert len(seen) == 8


def test_the_corners_of_french_cards_are_in_the_language_of_the_page(opened, tmp_path):
    ring = Ring("kinaskak", 3, seed="corners", last_contract=1)
    ring.play(moves=3)
    file = tmp_path / "match.html"
    file.write_bytes(make_page(ring.logs[0], 0))
    page = opened.open(file).page
    page.keyboard.press("End")
    for name, queen, ten in (
        ("íslenska", "D", "10"),
        ("English", "Q", "10"),
        ("íslenska", "D", "10"),
    ):
        page.get_by_role("combobox").nth(2).select_option(label=name)
        corners = page.locator("#french-index-Q text, #french-index-T text")
        assert sorted(set(corners.all_text_contents())) == sorted({queen, ten})
        assert corners.count() == 4
    assert page.locator(".hand .card use").count() >= 13


def test_a_browser_in_another_language_begins_in_it(browser, file):
    context = browser.new_context(locale="is-IS")
    shown = Opened(context.new_page()).open(file)
    assert shown.page.evaluate("document.documentElement.lang") == "is"
    context.close()


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
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
        page.locator("#more").click()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        page.keyboard.press("Escape")


@pytest.mark.parametrize("size", SIZES)
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
def test_no_text_of_a_step_is_cut_and_no_button_covered(
    opened, tmp_path, game, players, options, size
):
    ring = Ring(game, players, seed="steps", **options)
    ring.play(moves=40)
    path = tmp_path / "match.html"
    path.write_bytes(make_page(ring.logs[0], 0))
    page = opened.open(path).page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for _step in range(6):
        for _again in range(7):
            page.keyboard.press("ArrowRight")
        assert page.evaluate(WRONG) == []


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
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_it_opens_with_the_players_the_result_and_a_button_that_plays(opened, file):
    page = opened.open(file, looking=False).page
    start = page.locator("#start")
    assert start.locator("h2").inner_text() == page.evaluate("labels.title")
    said = start.inner_text()
    assert "score: " in said
    assert "Points to win: 21" in said
    assert "target" not in said
    assert "target" not in page.locator("#about").inner_text()
    assert "target" not in str(page.evaluate("inTongue(data.said)"))
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    start.get_by_role("button", name="Watch the match").click()
    assert not start.is_visible()
    assert opened.step == 1
    opened.until("step > 0")


def test_a_card_that_is_gone_when_it_is_copied_flies_nowhere(opened, file):
    """A reader who hurries on takes it away while the cards that are taken still glow."""
    gone = "toPile([copy(at.view.querySelector('[data-card]').cloneNode(true))], 0)"
    shown = opened.open(file)
    shown.page.keyboard.press("End")
    shown.page.wait_for_selector("[data-card]")
    shown.page.evaluate(gone)
    assert opened.page.locator("#fly .card").count() == 0
    assert opened.wrong == []


def test_a_step_on_is_seen_to_go_and_the_play_button_has_a_name(browser, file):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")
    shown = Opened(context.new_page()).open(file)
    page = shown.page
    assert page.get_by_role("button", name="play").count() == 1
    assert page.get_by_label("Deal", exact=True).input_value() == "0"
    for _step in range(data_of(file.read_bytes())["deals"][0]["step"] + 3):
        page.keyboard.press("ArrowRight")
    page.evaluate("readAt = 0")
    page.keyboard.press("ArrowRight")
    shown.until("document.getAnimations().length > 0")
    page.get_by_role("button", name="play").click()
    assert page.get_by_role("button", name="pause").count() == 1
    context.close()
    assert shown.wrong == []


def test_a_page_opens_in_a_second(opened, file):
    page = opened.open(file).page
    entry = page.evaluate("performance.getEntriesByName('shown')[0]?.startTime")
    assert entry is not None
    assert entry < 1000
