"""What all tests share: figures that a passing test shows too, and Ctrl-C."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that runs us in the background ignores Ctrl-C in our name, and the programs that tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Tell what has been measured, in one line: they all stand before pytest's summary, with several workers too."""
    return partial(record_property, "figure")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for kind in terminalreporter.stats.values() for report in kind if isinstance(report, pytest.TestReport)]
    lines = [
        f"{report.nodeid.rpartition('/')[2]}: {text}"
        for report in reports
        if report.when == "call"
        for name, text in report.user_properties
        if name == "figure"
    ]
    reasons = Counter(report.longrepr[2] for report in reports if report.skipped and isinstance(report.longrepr, tuple))
    skipped = [f"{count} skipped: {reason.removeprefix('Skipped: ')}" for reason, count in reasons.items()]
    if lines or skipped:
        terminalreporter.section("figures")
        for line in [*sorted(lines), *skipped]:
            terminalreporter.write_line(line)
