"""Phones: from a scanned code to the lobby, from a tap to its picture, and eight idle visitors.

The first two need a Chromium, and playwright to drive it, as the page in a browser does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import trio

from benchmarks.browser import FIRST_PICTURE, PAINTED, spent
from benchmarks.settings import BenchSettings, Row, ms
from client.session.python_process import own_environment, own_program
from client.session.signals import run_trio
from client.storage.visitors import MOST, Visitors
from client.ui.phone.messages import Begin, MakeCode
from client.ui.phone.page import files
from client.ui.phone.process import VisitorProcess

SCAN, TAP, MEMORY, IDLE = 3000.0, 60.0, 700_000_000, 3.0
"""The aims: milliseconds from a code to the lobby, and from a tap to its picture; bytes of eight
visitors; their per cent of a core."""
TAPS = 20
TAPPED = "F1", "Escape"
"""Keys, as taps press them."""
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
IDLE_S = 10.0
NEXT_MS = 100
"""Milliseconds until a key is pressed again that the page may not have heeded."""


def phones(settings: BenchSettings) -> dict[str, Any]:
    """Let a phone come, tap on it, and leave eight visitors alone."""
    found: dict[str, Any] = {}
    chromium = shutil.which("chromium")
    if chromium is not None and find_spec("playwright") is not None:
        settings.say("a phone")
        found |= _phone(settings, chromium)
    if sys.platform == "linux":
        settings.say(f"{MOST} visitors")
        with tempfile.TemporaryDirectory() as home:
            found |= run_trio(_eight, Path(home), 1.0 if settings.quick else IDLE_S)
    return found


def _phone(settings: BenchSettings, chromium: str) -> dict[str, Any]:
    if sys.platform == "win32":  # the program is ended by a signal
        return {}
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may not be there

    scans, taps = [], []
    with sync_playwright() as driver:
        arguments = [] if os.geteuid() else ["--no-sandbox"]
        window = driver.chromium.launch(executable_path=chromium, args=arguments)
        for _again in range(settings.times(5)):
            with _laptop() as address:
                context = window.new_context(**PHONE)
                page = context.new_page()
                began = 1000 * time.time()
                page.goto(address)
                scans.append(float(page.evaluate(FIRST_PICTURE)) - began)
                page.wait_for_selector("#line")  # it is asked for a name
                while page.locator("#line").count():  # a page heeds no key in its first moment
                    page.keyboard.press("Escape")
                    page.wait_for_timeout(NEXT_MS)
                for _tap in range(settings.times(TAPS // 2)):
                    taps += [page.evaluate(PAINTED, key) for key in TAPPED]
                context.close()
        window.close()
    return {"scan_ms": round(median(scans), 1), "tap_ms": round(median(taps), 1)}


@contextmanager
def _laptop() -> Iterator[str]:
    """Run the program of an owner; give the address with its code when its visitor runs."""
    with tempfile.TemporaryDirectory() as home:
        words = own_program("phone", "--plain", "--interface", "127.0.0.1")
        around = own_environment(SOBREMESA_HOME=home, PYTHONUNBUFFERED="1")
        with subprocess.Popen(  # noqa: S603 - our own program
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=around, text=True
        ) as process:
            assert process.stdout is not None
            address = next(line.strip() for line in process.stdout if "://" in line and "#" in line)
            try:
                yield address
            finally:
                process.terminate()


async def _eight(home: Path, pause: float) -> dict[str, Any]:
    """Start as many visitors as a home has; return their memory, and their work when idle."""
    visitors, running = Visitors(home), list[VisitorProcess]()
    begin = Begin("127.0.0.1:47757", files(), "127.0.0.1", b"", b"")
    try:
        for number in range(MOST):
            process = await VisitorProcess.start(visitors.create(f"P{number}").path)
            running.append(process)
            await process.send(begin)
            await process.send(MakeCode())
            await process.receive()
        await trio.sleep(pause)  # they load what a lobby needs
        before = sum(spent(process.pid) for process in running)
        await trio.sleep(pause)
        used = sum(spent(process.pid) for process in running) - before
        held = sum(_held(process.pid) for process in running)
    finally:
        for process in running:
            await process.end()
    return {"visitors_bytes": held, "visitors_idle": round(100 * used / pause, 2)}


def _held(pid: int) -> int:
    """Return the bytes of memory that a process has; of shared ones its share (Pss)."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
        if line.startswith("Pss:"):
            return 1024 * int(line.split()[1])
    return 0


def phones_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Give the rows for people."""
    if "scan_ms" in found:
        for name, key, aim in (
            ("from a scanned code to the lobby", "scan_ms", SCAN),
            ("from a tap to its picture", "tap_ms", TAP),
        ):
            yield Row(name, ms(found[key]), aim=ms(aim), missed=found[key] > aim)
    else:
        yield Row("a phone", "not measured: it needs Chromium and playwright")
    if "visitors_bytes" in found:
        held, idle = found["visitors_bytes"], found["visitors_idle"]
        name = f"{MOST} visitors: their memory"
        yield Row(name, _mb(held), aim=_mb(MEMORY), missed=held > MEMORY)
        name = f"{MOST} visitors: their share of a core when idle"
        yield Row(name, f"{idle:.2g} %", aim=f"{IDLE:g} %", missed=idle > IDLE)


def _mb(count: int) -> str:
    return f"{count / 1e6:.0f} MB"
