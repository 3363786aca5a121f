"""The examples in the docstrings of packages run."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

import crypto
import engine


@pytest.mark.parametrize("package", [crypto, engine], ids=lambda package: package.__name__)
def test_the_example_of_a_package_runs(package: ModuleType) -> None:
    result = doctest.testmod(package)
    assert result.attempted > 5
    assert result.failed == 0
