import pytest

from engine.games import GAMES
from tests.engine.tiny_game import Tiny


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    # by the same tool as in the tests that replace it, so that all is undone in order
    monkeypatch.setitem(GAMES.classes, "tiny", Tiny)
