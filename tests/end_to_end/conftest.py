"""Fixtures that the tests with whole processes share."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.processes import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """Where players live; those still running when the test is done are ended."""
    made = Machine(tmp_path)
    try:
        yield made
    finally:
        made.end()


@pytest.fixture
def shim(tmp_path: Path) -> Path:
    """A library that makes the clocks of a process wrong: see `clock.c`."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("there is no C compiler here (cc) to make a wrong clock with")
    library = tmp_path / "clock.so"
    source = Path(__file__).with_name("clock.c")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"],
        check=True,
        capture_output=True,
    )
    return library
