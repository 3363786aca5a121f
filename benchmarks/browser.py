"""The page in a real browser: start, time from a key to a painted picture, frames, size, idle cost.

It needs a Chromium, and playwright to drive it: tests need both, players neither. Without them
nothing is measured.
"""

from __future__ import annotations

import json
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

from benchmarks.settings import BenchSettings, Row, ms
from client.session.python_process import own_environment, own_program
from client.storage.settings import Settings, write_settings

KEY, FIRST, PAGE, IDLE, FRAME = 50.0, 500.0, 300.0, 1.0, 32.0
"""The aims: milliseconds from a key to its picture, and from the command to the first one;
kilobytes; per cent of a core; milliseconds of a frame."""
SLOWER = 4
"""By how much slower the page's processor is made while its frames are counted."""
MOVES = 4
FRAMES = ["cc", "benchmark"]
"""Categories of Chromium's trace with a PipelineReporter for each frame."""
SIZE: Any = {"width": 1280, "height": 800}
KEYS = 30
PAINTED = """async (key) => {
  const isOpen = () => document.querySelector(".sheet") !== null;
  const before = isOpen(), began = performance.now();
  const painted = new Promise((resolve) => {
    const watcher = new MutationObserver(() => {
      if (isOpen() === before) return;
      watcher.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - began));
    });
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
watcher.observe(document.body, all);
  });
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  return await painted;
}"""
"""Press a key that opens or closes a sheet; return the milliseconds until the frame after it."""
FIRST_PICTURE = """() => new Promise((resolve) => {
  const look = () => {
    if (!document.querySelector("#view button")) return;
    watcher.disconnect();
    requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document.body, { subtree: true, childList: true });
  look();
})"""
"""Give back the time of the first frame with buttons, in milliseconds since 1970."""


def browser(settings: BenchSettings) -> dict[str, Any]:
    """Open the lobby and a table in a browser window, press keys, and leave it alone."""
    chromium = shutil.which("chromium")
    if chromium is None or find_spec("playwright") is None or sys.platform == "win32":
        return {}
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may not be there

    with sync_playwright() as driver:
        window = driver.chromium.launch(
            executable_path=chromium, args=[] if os.geteuid() else ["--no-sandbox"]
        )
        settings.say("start")
        starts = [_start(window) for _again in range(settings.times(5))]
        found = {"first_ms": round(median(starts), 1)}
        with _program() as (process, address):
            page = window.new_page(viewport=SIZE)
            sizes: list[int] = []
            page.on(
                "response",
                lambda response: sizes.append(len(response.body())) if response.ok else None,
            )
            page.goto(address)
            page.wait_for_selector("#view button")
            page.wait_for_timeout(1000)  # no key counts before the page has been quiet for a moment
            settings.say("keys")
            lobby = [
                page.evaluate(PAINTED, key)
                for _again in range(settings.times(KEYS // 2))
                for key in ("F1", "Escape")
            ]
            page.keyboard.press("1")
            page.wait_for_selector("body[data-page=open]")
            page.keyboard.press("Enter")
            page.wait_for_selector(".hand button")
            page.wait_for_timeout(1500)  # until all cards lie where they glide to
            table = [page.evaluate(PAINTED, "Escape") for _again in range(settings.times(KEYS))]
            settings.say("waiting")
            pause = 1.0 if settings.quick else 10.0
            before = spent(process.pid)
            page.wait_for_timeout(1000 * pause)
            idle = spent(process.pid) - before
            settings.say("moves")
            frames = _frames(window, page, settings.times(MOVES))
            found |= {
                "frame_ms": round(median(frames), 1),
                "worst_frame_ms": round(max(frames), 1),
                "lobby_ms": round(median(lobby), 1),
                "table_ms": round(median(table), 1),
                "page_kb": round(sum(sizes) / 1000, 1),
                "idle": round(100 * idle / pause, 2),
            }
        window.close()
    return found


def _start(window: Any) -> float:
    """Return the milliseconds from the command to its first picture in a running browser.

    The page itself says when it was painted: the driver hears of it later.
    """
    page = window.new_page(viewport=SIZE)
    began = 1000 * time.time()
    with _program() as (_process, address):
        page.goto(address)
        took = float(page.evaluate(FIRST_PICTURE)) - began
    page.close()
    return took


def _frames(window: Any, page: Any, moves: int) -> list[float]:
    """Play some moves on a slower processor; return the milliseconds of each frame of motion.

    A frame lasts until the next one is shown; pauses in which none was wanted are left out.
    """
    slow = page.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    window.start_tracing(page=page, categories=FRAMES)
    for _move in range(moves):
        page.wait_for_selector(".say.turn", timeout=60_000)
        page.keyboard.press("1")
        page.wait_for_timeout(300)
        page.keyboard.press("Enter")
        page.wait_for_timeout(2500)
    trace = json.loads(window.stop_tracing())["traceEvents"]
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    frames = [one for one in trace if (one["name"], one["ph"]) == ("PipelineReporter", "b")]
    return list(frame_times(frames))


def frame_times(trace: list[dict[str, Any]]) -> Iterator[float]:
    """Yield the milliseconds from each frame that was shown to the next one of the same motion.

    A frame that was wanted and dropped is in the trace, so motion ended where numbers are left out.
    """
    shown, number = None, 0
    for event in sorted(trace, key=lambda event: event["ts"]):
        frame = event["args"]["frame_reporter"]
        state, before, number = frame["state"], number, frame["frame_sequence"]
        moves = frame["has_compositor_animation"] or frame["has_main_animation"]
        if number > before + 1:
            shown = None
        if state == "STATE_NO_UPDATE_DESIRED" or not moves:
            shown = None
        elif state.startswith("STATE_PRESENTED"):
            if shown is not None and event["ts"] > shown:
                yield (event["ts"] - shown) / 1000
            shown = event["ts"]


@contextmanager
def _program() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the program in a home of its own; yield the process and the address that it prints."""
    with tempfile.TemporaryDirectory() as home:
        # a name is asked for once, before the first table
        write_settings(Path(home), Settings(nick="Ane"))
        around = own_environment(SOBREMESA_HOME=home)
        words = own_program("--browser", "--no-open", "--interface", "127.0.0.1")
        with subprocess.Popen(  # noqa: S603 - our own program
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=around, text=True
        ) as process:
            assert process.stdout is not None
            address = next(line.strip() for line in process.stdout if "http://" in line)
            try:
                yield process, address
            finally:
                process.terminate()


def spent(pid: int) -> float:
    """Return the seconds of a processor that a process has had; of systems that do not tell, 0."""
    if sys.platform == "win32":
        return 0.0
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123 - no file of a disk
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def browser_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Give the rows for the page."""
    if not found:
        yield Row("a page in a browser", "not measured: it needs Chromium and playwright")
        return
    first, page, idle = found["first_ms"], found["page_kb"], found["idle"]
    yield Row("the first picture after the command", ms(first), aim=ms(FIRST), missed=first > FIRST)
    for name, about in (
        ("lobby_ms", "a key in the lobby, until it is painted"),
        ("table_ms", "the same at a table"),
    ):
        yield Row(about, ms(found[name]), aim=ms(KEY), missed=found[name] > KEY)
    yield Row("a frame while cards move, on a processor four times slower", ms(found["frame_ms"]))
    worst = found["worst_frame_ms"]
    yield Row("the longest of these frames", ms(worst), aim=ms(FRAME), missed=worst > FRAME)
    yield Row("the files of the page", f"{page:.0f} KB", aim=f"{PAGE:.0f} KB", missed=page > PAGE)
    yield Row(
        "a table in a browser, waiting for its player",
        f"{idle:.2f} %",
        aim=f"{IDLE:.0f} %",
        missed=idle > IDLE,
    )
