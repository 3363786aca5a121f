"""States at which several tests begin."""

from __future__ import annotations

import pytest

from tests.screens.stage import Stage


@pytest.fixture
def stage() -> Stage:
    """A match of Escoba in which we are asked; the bell for it has rung."""
    stage = Stage("escoba", 2, first=1).until(lambda stage: stage.state.match.asked).tick(30)
    stage.commands.clear()
    return stage


@pytest.fixture
def over() -> Stage:
    """A match that is over, its count put away."""
    stage = Stage("escoba", 2, target=5)
    return stage.until(lambda stage: stage.over).tick(30).press("enter")
