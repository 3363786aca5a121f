"""Contact sheets of pages in a real Chromium: `python -m tests.browser.sheets FOLDER [NAME ...]`.

Of each state of tests/client/ui/view/cast.py, or of those whose names begin with one of these, it
writes a picture for every size of window, light and dark, and two sheets with all of them.
"""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path

from playwright.sync_api import Browser

from client.ui.screen.state import ScreenState
from tests.browser.chromium import chromium
from tests.browser.viewed import Viewed
from tests.client.ui.view.cast import STATES

SIZES = ((1280, 800), (1920, 1080), (768, 1024), (390, 844), (844, 390), (360, 640), (1024, 600))
SCHEMES = ("light", "dark")
WIDE, HIGH = 420, 420
"""Pixels of a picture on a sheet, at most."""


def pictures(
    browser: Browser, states: Iterable[tuple[str, ScreenState]], folder: Path, scheme: str
) -> None:
    """Write the pictures of states in one colour scheme, and say what cannot be used there."""
    for width, height in SIZES:
        window = Viewed(browser, width, height, color_scheme=scheme)
        for name, state in states:
            window.show(state)
            window.page.wait_for_timeout(50)  # drawings come
            window.page.screenshot(path=_path(folder, name, width, height, scheme))
            for wrong in window.unusable():  # it scrolls
                print(f"{name} {width}x{height}: {wrong}")
        window.close()


def sheet(browser: Browser, name: str, folder: Path, scheme: str) -> None:
    """Write the sheet with all sizes of a state."""
    page = browser.new_page(viewport={"width": 1740, "height": 900})
    cells = []
    for width, height in SIZES:
        drawn = b64encode(_path(folder, name, width, height, scheme).read_bytes()).decode()
        scale = min(WIDE / width, HIGH / height)
        cells.append(
            f'<img width="{width * scale:.0f}" height="{height * scale:.0f}" '
            f'src="data:image/png;base64,{drawn}">'
        )
    page.set_content(f'<body style="display:flex;flex-wrap:wrap;gap:8px">{"".join(cells)}')
    page.screenshot(path=folder / f"{name}-{scheme}.png", full_page=True)
    page.close()


def _path(folder: Path, name: str, width: int, height: int, scheme: str) -> Path:
    return folder / f"{name}-{width}x{height}-{scheme}.png"


def main() -> None:
    """Write them."""
    folder, *begin = sys.argv[1:]
    names = [name for name in STATES if name.startswith(tuple(begin) or "")]
    Path(folder).mkdir(parents=True, exist_ok=True)
    states = [(name, STATES[name]()) for name in names]
    with chromium() as browser:
        for scheme in SCHEMES:
            pictures(browser, states, Path(folder), scheme)
            for name in names:
                sheet(browser, name, Path(folder), scheme)


if __name__ == "__main__":
    main()
