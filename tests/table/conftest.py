import pytest

from engine.games import GAMES
from tests.engine.tiny_game import Tiny


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setitem(GAMES.books, "tiny", Tiny)
