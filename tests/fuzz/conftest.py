import pytest

from engine.games import GAMES
from tests.engine.tiny_game import Tiny
from tests.fuzz.targets import load


@pytest.fixture(scope="module", autouse=True)
def matches_are_made():
    """Make things that are made once, so that no input is charged with them. The small game is in
    the catalogue while these tests run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES.books, "tiny", Tiny)
        for target in ("entries", "logs", "frames"):
            load(target).one_input(b"\1\0\1")
        yield
