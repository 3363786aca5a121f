"""The example in the package's docstring runs, so its statement about importing the package alone
is true."""

from __future__ import annotations

import doctest

import crypto


def test_the_example_of_the_room_runs() -> None:
    result = doctest.testmod(crypto)
    assert result.attempted > 10
    assert result.failed == 0
