import pytest

from tests.engine.tiny_game import listing


@pytest.fixture(autouse=True)
def tiny():
    with listing():
        yield
