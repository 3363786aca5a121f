"""How a session gets into a browser and back: the options, the key of the full screen, signals; and
that nobody else loads it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio

from client.session.status import Status
from client.storage.settings import Settings
from client.ui.browser import loop
from client.ui.browser.access import Gate
from client.ui.screen.kept import KeptState
from client.ui.screen.state import ScreenState
from engine.bots import MODULES
from tests.browser.chromium import PATIENCE_MS
from tests.client.ui.screen.glass import spend


@pytest.mark.parametrize(
    ("begins", "later"),
    [
        (
            "client.ui.choose",
            ["asyncio", "zeroconf", "ifaddr", "cryptography", "client.session.match"],
        ),
        ("client.commands.play", ["zeroconf", "cryptography"]),
    ],
)
def test_the_first_picture_waits_for_no_computer_player_and_no_terminal(begins, later):
    """A computer player is loaded when it sits down, prompt_toolkit on a terminal, the sessions
    when the lobby is seen."""
    code = f"import sys, {begins}; from client.ui.browser import loop; loop.load(); "
    code += "print([name for name in sys.argv[1:] if name in sys.modules])"
    heavy = [
        *MODULES.values(),
        "prompt_toolkit",
        "segno",
        "webbrowser",
        "client.session.analysis",
        "client.ui.screen.sessions",
        *later,
    ]
    done = subprocess.run(
        [sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_the_full_screen_goes_to_a_browser_and_comes_back(tmp_path, monkeypatch):
    """The key `b` in the lobby. The address is on the screen; afterwards nobody answers there."""
    opened = []

    def open_window(_gate: Gate, address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(loop, "open_window", open_window)

    async def script(sight):
        await sight.sees("Settings")
        sight.type("b")
        await sight.sees("Sobremesa is in your browser")
        while not opened:
            await trio.sleep(0.01)
        (address,) = opened
        port = int(address.partition("/#")[0].rpartition(":")[2])
        await sight.sees(f"http://127.0.0.1:{port}/#")
        # the one that a browser was started with is another
        assert address not in sight.text.replace("\n", "")
        await (await trio.open_tcp_stream("127.0.0.1", port)).aclose()
        sight.type("s")  # keys of the page mean nothing here
        sight.type("b")
        await sight.sees("Play against the computer")
        with pytest.raises(OSError, match="127"):
            await trio.open_tcp_stream("127.0.0.1", port)
        sight.type("q")

    state = ScreenState(kept=KeptState(settings=Settings(nick="Ane"), movable=True))
    assert spend(tmp_path / "home", script, state=state, move=loop.move)[0] == Status.OK


@pytest.fixture
def common() -> Iterator[Path]:
    """A folder that every user of this machine may enter; those of pytest are for one."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def started(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a program with home, temporary files and a browser in a folder; the browser writes its
    arguments down."""
    (folder / "opened").unlink(missing_ok=True)
    browser = folder / "browser"
    browser.write_text(
        f'#!/bin/sh\necho "$@" > {folder}/opened.new\nmv {folder}/opened.new {folder}/opened\n',
        encoding="utf-8",
    )
    browser.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-m", "client", *words, "--browser", "--lang", "en"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "HOME": str(folder),
            "SOBREMESA_HOME": str(folder / "home"),
            "TMPDIR": str(folder),
            "BROWSER": str(browser),
        },
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def opened(folder: Path) -> str:
    """Return the arguments of the browser, when it was started."""
    for _ in range(PATIENCE_MS // 50):
        if (folder / "opened").exists():
            return (folder / "opened").read_text(encoding="utf-8").strip()
        time.sleep(0.05)
    raise AssertionError("no browser was started")


def led_to(page: Path) -> tuple[str, str, str]:
    """Return the parts of the address to which a file leads."""
    found = re.search(r'url=([^"]*)"', page.read_text(encoding="utf-8"))
    assert found is not None
    return found[1].partition("/open/")


def files_read_by_others(folder: Path) -> list[str]:
    """Return the names of the files in a folder that another user can read."""
    other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    found = subprocess.run(
        [*other, "find", str(folder), "-type", "f", "-readable"],
        capture_output=True,
        text=True,
        check=False,
    )
    return sorted(Path(line).name for line in found.stdout.splitlines())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the browser is a script")
@pytest.mark.parametrize("words", [["host", "escoba"], ["join"], ["watch"]])
def test_the_address_of_a_session_is_kept_nowhere(common, words):
    with started(common, *words, "--interface", "127.0.0.1") as process:
        assert process.stdout is not None
        printed = [process.stdout.readline().strip() for _ in range(2)][1]
        page = Path(opened(common).removeprefix("file://"))
        (common / "opened").unlink()
        assert (page.stat().st_mode & 0o777, page.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        origin, _, token = led_to(page)
        assert printed.partition("/#")[0] == origin
        ask = urllib.request.Request(f"{origin}/enter", token.encode(), {"origin": origin})
        with urllib.request.urlopen(ask) as answer:
            assert answer.status == 200
        assert not page.parent.exists()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(ask)
        own = Path(f"/proc/{process.pid}/cmdline")
        assert not own.exists() or token not in own.read_text(encoding="utf-8")
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=PATIENCE_MS / 1000)
        assert token not in out + errors
        kept = [path.read_bytes() for path in common.rglob("*") if path.is_file()]
        assert not [
            secret
            for secret in (token, printed.partition("/#")[2])
            if any(secret.encode() in data for data in kept)
        ]


@pytest.mark.slow
@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act as another user"
)
def test_another_user_reads_neither_home_nor_a_replay_page(common):
    log = Path(__file__).parents[2] / "docs" / "example.sobremesa"
    with started(common, "replay", str(log)):
        page = Path(opened(common).removeprefix("file://"))
        assert page.read_bytes().startswith(b"<!DOCTYPE html>")
        assert page.is_relative_to(common)
        assert files_read_by_others(common) == ["browser", "opened"]
    with started(common, "host", "escoba", "--interface", "127.0.0.1"):
        opened(common)
        assert any(path.is_file() for path in (common / "home").rglob("*"))
        assert files_read_by_others(common) == ["browser", "opened"]
