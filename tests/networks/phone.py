"""Phones: browsers with touch on a host of the LAN."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser
from playwright.sync_api import TimeoutError as TooLate

from tests.browser.chromium import CHROMIUM, Window, chromium
from tests.networks.lan import Lan

LOST = "#lost"


@contextmanager
def chromium_on(net: Lan, host: int, folder: Path) -> Iterator[Browser]:
    """Start a browser on a host, by a script in a folder."""
    with chromium(_script(net, host, folder)) as found:
        yield found


@contextmanager
def another_on(browser: Browser, net: Lan, host: int, folder: Path) -> Iterator[Browser]:
    """Start a second browser, on another host."""
    args = ["--no-sandbox"] if os.geteuid() == 0 else []
    path = _script(net, host, folder)
    found = browser.browser_type.launch(executable_path=path, args=args)
    yield found
    found.close()


def _script(net: Lan, host: int, folder: Path) -> str:
    script = folder / f"browser-{host}"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(net.inside(host))} {CHROMIUM} "$@"\n')
    script.chmod(0o755)
    return str(script)


@contextmanager
def phone(browser: Browser, origin: str, locale: str = "en-GB", **more: Any) -> Iterator[Window]:
    """Open a window on a phone. Nothing may have gone wrong in it at the end."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale=locale,
        **more,
    )  # fmt: skip
    found = Window(context, origin)
    yield found
    assert found.wrong == [], found.wrong
    context.close()


def reads(window: Window, words: str) -> None:
    """Wait for a sentence above everything else."""
    try:
        window.page.locator(LOST, has_text=words).wait_for()
    except TooLate as error:
        raise AssertionError(window.page.locator(LOST).inner_text()) from error


def sees_the_lobby(window: Window) -> None:
    """Wait for the lobby of the program."""
    window.on("lobby")
    window.until("!document.body.classList.contains('away')")
