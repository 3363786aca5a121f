"""Figures that tests have measured stand before pytest's summary, with several workers too, and so
do skipped tests with their reasons."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TESTS = """
import pytest

def test_measured(figure):
    figure("a hole of 30 s")
    figure("and another")

def test_measured_and_failed(figure):
    figure("too slow")
    assert False

def test_quiet():
    print("a lot")

@pytest.fixture
def net():
    pytest.skip("No network here")

@pytest.mark.parametrize("number", range(3))
def test_skipped(net, number):
    pass
"""


@pytest.mark.parametrize("workers", ["0", "2"])
def test_figures_and_skipped_tests_stand_before_the_summary(tmp_path, workers):
    (tmp_path / "test_some.py").write_text(TESTS, encoding="utf-8")
    shown = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "tests.conftest",
            "-p",
            "no:cacheprovider",
            "-n",
            workers,
            "-ra",
            str(tmp_path),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = shown.stdout.splitlines()
    (begin,) = (number for number, line in enumerate(lines) if line.strip("=") == " figures ")
    assert lines[begin + 1 : begin + 5] == [
        "test_some.py::test_measured: a hole of 30 s",
        "test_some.py::test_measured: and another",
        "test_some.py::test_measured_and_failed: too slow",
        "3 skipped: No network here",
    ]
    assert "short test summary info" in lines[begin + 5]
    assert "1 failed, 2 passed, 3 skipped" in lines[-1]
