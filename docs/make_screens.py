"""Draw the screens in docs/screens/ anew, from the program itself: `python -m docs.make_screens`.

Every game in the middle of a seeded match, at three sizes as text, and as a Chromium shows it, if
there is one; the lobby; and one screen of the terminal as a picture.
"""

from __future__ import annotations

import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path
from shutil import which

from client.i18n.translation import SOURCE, set_language
from client.session.messages import FoundTable
from client.storage.settings import Settings
from client.ui.drawing.canvas import Canvas, columns_of
from client.ui.screen import pages
from client.ui.screen.kept import KeptState
from client.ui.screen.state import ScreenState
from engine.games import GAMES
from p2p.wire import PROTOCOL
from tests.screens.stage import SIZES, Stage

FOLDER = Path(__file__).parent / "screens"
SEATS = {"escoba": 3, "domino": 4, "siete-y-media": 4, "truco": 4, "kinaskak": 4}
MOVES = {"escoba": 12, "domino": 9, "siete-y-media": 9, "truco": 5, "kinaskak": 24}
"""How many moves all have made at least, before it is our turn again and the screen is drawn."""
PICTURE = ("escoba", 80, 24)
TABLE = (1280, 800)
"""Pixels of the pictures of games."""
TRANSLATED = {"es": "truco", "eu": "escoba", "is": "kinaskak"}
"""The game on the page about playing in each language."""
PACKED = """async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const { width, height } = image;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.86).split(",")[1];
}"""
"""Turn a picture into one of a fifth of its size."""

COLUMN, ROW = 9, 19
"""Pixels of a character in the picture."""
PAPER, INK = "#1d1f21", "#d8d8d2"
COLOURS = {
    "golds": "#f0c64d", "cups": "#e5655e", "swords": "#6ea8e8", "clubs": "#7fbf6a",
    "red": "#e5655e", "turn": "#7fbf6a", "good": "#7fbf6a", "wait": "#f0c64d", "warn": "#f0c64d",
    "bad": "#e5655e", "moment": "#d08ad0", "joker": "#d08ad0", "line": "#77787a", "dim": "#8b8c8e",
    "back": "#6ea8e8", "barred": "#8b8c8e",
}  # fmt: skip
BOLD = {
    "title",
    "key",
    "strong",
    "turn",
    "moment",
    "golds",
    "cups",
    "swords",
    "clubs",
    "red",
    "black",
    "legal",
    "pips",
}
REVERSED = {"title", "foot", "choice", "picked", "cursor"}


def play_state(game: str) -> ScreenState:
    """Return the state of a player in mid-match, whose turn it is."""
    stage = Stage(game, SEATS[game], settings=Settings(nick="Ane"), seed=7)
    for _move in range(MOVES[game]):
        stage.step()
    stage.until(lambda stage: stage.state.match.asked)
    return replace(stage.state, moment=None, count=replace(stage.state.count, lines=()))


def lobby_state() -> ScreenState:
    """Return the state of somebody who looks for company."""
    tables = (
        FoundTable(
            b"\1" * 32,
            "Miren",
            "escoba",
            "apple-12",
            2,
            3,
            "open",
            PROTOCOL,
            "192.168.1.23:47747",
            "trusted",
        ),
        FoundTable(
            b"\2" * 32, "Jon", "truco", "lemon-40", 4, 4, "playing", PROTOCOL, "192.168.1.31:47747"
        ),
    )
    return ScreenState(
        kept=KeptState(settings=Settings(nick="Ane"), fingerprint="7K3M-Q2XD-9TCA-4HWE"),
        tables=tables,
    )


def texts() -> Iterator[tuple[str, str]]:
    """Give every file of text: its name and its contents."""
    for columns, rows in SIZES:
        yield f"lobby-{columns}x{rows}.txt", pages.draw(lobby_state(), columns, rows).text()
    for game in GAMES:
        state = play_state(game)
        for columns, rows in SIZES:
            yield f"{game}-{columns}x{rows}.txt", pages.draw(state, columns, rows).text()


def pictures() -> Iterator[tuple[str, bytes]]:
    """Give the picture of every game, WebP: its name and its contents.

    Those of other languages have the language in their names.
    """
    from tests.browser.chromium import chromium  # noqa: PLC0415 - the texts need no browser
    from tests.browser.viewed import Viewed  # noqa: PLC0415 - the same

    with chromium() as browser:
        named = [(SOURCE, game, game) for game in GAMES]
        named += [(code, game, f"{game}-{code}") for code, game in TRANSLATED.items()]
        for code, game, name in named:
            set_language(code)
            window = Viewed(browser, *TABLE)
            window.show(play_state(game))
            window.page.wait_for_timeout(300)  # drawings come
            png = b64encode(window.page.screenshot()).decode()
            yield f"{name}.webp", b64decode(window.page.evaluate(PACKED, png))
        set_language(SOURCE)


def picture() -> str:
    """Return the picture, an SVG that needs nothing but a font of equal widths."""
    game, columns, rows = PICTURE
    return svg(pages.draw(play_state(game), columns, rows))


def svg(canvas: Canvas) -> str:
    """Return a drawn screen as SVG."""
    width, height = canvas.width * COLUMN + 16, canvas.height * ROW + 16
    found = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        '<g font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" '
        'font-size="15">',
    ]
    for number, row in enumerate(canvas.rows()):
        x, y = 8, 8 + number * ROW
        for style, text in row:
            wide = columns_of(text) * COLUMN
            found += _piece(x, y, wide, style, text)
            x += wide
    return "\n".join([*found, "</g>", "</svg>", ""])


def _piece(x: int, y: int, wide: int, style: str, text: str) -> Iterator[str]:
    names = style.split()
    ink = next((COLOURS[name] for name in reversed(names) if name in COLOURS), INK)
    paper = PAPER
    if REVERSED.intersection(names):
        paper, ink = ink, PAPER
        yield f'<rect x="{x}" y="{y}" width="{wide}" height="{ROW}" fill="{paper}"/>'
    if text.strip():
        weight = ' font-weight="bold"' if BOLD.intersection(names) else ""
        yield (
            f'<text x="{x}" y="{y + 14}" textLength="{wide}" xml:space="preserve" '
            f'fill="{ink}"{weight}>{escape(text)}</text>'
        )


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in (*texts(), ("table.svg", picture())):
        (FOLDER / name).write_text(text, encoding="utf-8")
    if which("chromium") is None:
        sys.stderr.write("no chromium here: the pictures of games stay as they are\n")
        return
    for name, drawn in pictures():
        (FOLDER / name).write_bytes(drawn)


if __name__ == "__main__":
    main()
