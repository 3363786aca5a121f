"""Shared by all tests: their order, compiled catalogues, figures that a passing test shows too, and
Ctrl-C."""

from __future__ import annotations

import gc
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache, partial, wraps
from pathlib import Path
from typing import Any

import pytest

from client.storage import error_log
from crypto import identity
from crypto.sodium import Sodium

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that runs us in the background ignores Ctrl-C in our name, and the programs that tests
    # start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def remember(owner: Any, name: str, most: int) -> None:
    """Replace a pure function by one that remembers its results; `__wrapped__` computes them."""
    function = getattr(owner, name)
    remembered = lru_cache(most)(function)

    @wraps(function)
    def recalled(*values: Any) -> Any:
        return remembered(*(tuple(value) if isinstance(value, list) else value for value in values))

    setattr(owner, name, recalled)


# Tables of one test, and tests of one match, sign, check and add up the same. tests/crypto, which
# compares the results of these functions, computes each anew.
remember(identity, "check_equation", 1 << 15)
remember(identity.Identity, "sign", 1 << 15)
remember(Sodium, "_sum_of", 1 << 13)
gc.disable()  # until all tests are collected: modules and tests stay
WAITING = ("tests/browser/", "tests/end_to_end/", "tests/net/", "tests/networks/")
"""Folders whose tests wait."""


def pytest_configure(config: pytest.Config) -> None:
    # once, before any worker starts: an installation compiles for itself alone
    if not hasattr(config, "workerinput"):
        from hatch_build import compile_all  # noqa: PLC0415 - no worker needs it

        compile_all(Path(__file__).parent.parent)


def in_order(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Order tests so that those that wait run beside those that compute: half of the workers begin
    with the waiting ones.

    pytest-xdist with `--dist worksteal` gives each worker one run of neighbours of this list, all
    of one length.
    """
    waiting = [item for item in items if waits(item)]
    others = [item for item in items if not waits(item)]
    half = workers // 2
    length = -(-len(items) // max(workers, 1))
    if not half or len(waiting) > half * length:
        return items
    ordered: list[pytest.Item] = []
    for worker in range(half):
        mine = waiting[worker::half]
        rest = length - len(mine)
        ordered += [*mine, *others[:rest]]
        others = others[rest:]
    return ordered + others


def waits(item: pytest.Item) -> bool:
    """Return whether a test waits most of the time: for other processes, a network or a screen."""
    return item.nodeid.startswith(WAITING) or item.get_closest_marker("slow") is not None


def pytest_collection_finish() -> None:
    gc.freeze()  # tests and modules stay: the collector need not look at them again and again
    # trees of source, matches and pictures are large, and hardly ever refer to themselves
    gc.set_threshold(20_000)
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Every worker collects the same tests, and must put them into the same order.
    items[:] = in_order(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")))


@pytest.fixture(autouse=True)
def contained(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[BaseException]]:
    """The unexpected errors that the program has written down. A test that wants one takes it out
    of the list; any other such error makes its test fail."""
    found: list[BaseException] = []
    note = error_log.note

    def noted(home: Path, error: BaseException) -> Path:
        found.append(error)
        return note(home, error)

    monkeypatch.setattr(error_log, "note", noted)
    yield found
    assert found == [], "an error was contained"


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Tell what has been measured, in one line: they all stand before pytest's summary, with
    several workers too."""
    return partial(record_property, "figure")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [
        report
        for kind in terminalreporter.stats.values()
        for report in kind
        if isinstance(report, pytest.TestReport)
    ]
    lines = [
        f"{report.nodeid.rpartition('/')[2]}: {text}"
        for report in reports
        if report.when == "call"
        for name, text in report.user_properties
        if name == "figure"
    ]
    reasons = Counter(
        report.longrepr[2]
        for report in reports
        if report.skipped and isinstance(report.longrepr, tuple)
    )
    skipped = [
        f"{count} skipped: {reason.removeprefix('Skipped: ')}" for reason, count in reasons.items()
    ]
    if lines or skipped:
        terminalreporter.section("figures")
        for line in [*sorted(lines), *skipped]:
            terminalreporter.write_line(line)
