"""What the tests with whole processes share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.processes import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Where players live; those still running when the test is done are ended."""
    made = House(tmp_path)
    try:
        yield made
    finally:
        made.end()
