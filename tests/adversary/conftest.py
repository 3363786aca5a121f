import pytest

from tests.adversary.liar import list_games


@pytest.fixture(autouse=True)
def games(monkeypatch):
    list_games(monkeypatch)
