import pytest

from tests.engine.tiny_game import listing
from tests.fuzz.targets import load


@pytest.fixture(scope="module", autouse=True)
def matches_are_made():
    """Make things that are made once, so that no input is charged with them. The small game is in
    the catalogue while these tests run."""
    with listing():
        for target in ("entries", "logs", "frames"):
            load(target).one_input(b"\1\0\1")
        yield
