"""A phone's player sits down at the table of the owner of its machine by one tap.

Any other table is shown first, with those who sit there and its terms.
"""

from __future__ import annotations

from typing import Any

import pytest

from client.session.context import Context
from client.session.lan import Lan
from client.storage.home import open_home
from client.ui.screen import sessions
from client.ui.screen.messages import Join
from client.ui.screen.sessions import session_of


@pytest.fixture
def owner(tmp_path):
    return open_home(tmp_path / "owner").identity


async def waits(monkeypatch: pytest.MonkeyPatch, context: Context, where: str | bytes) -> bool:
    """Whether the table at this place waits until our player has seen it."""
    found = []

    async def join_table(*_args: Any, held: bool) -> int:
        found.append(held)
        return 0

    monkeypatch.setattr(sessions, "join_table", join_table)
    player: Any = None
    await session_of(context, Join(where), "Jon", Lan(context))(player)
    (held,) = found
    return held


async def test_the_table_of_the_owner_is_sat_down_at_by_one_tap(monkeypatch, tmp_path, owner):
    context = Context(open_home(tmp_path / "jon"), machine=owner.public)
    assert not await waits(monkeypatch, context, owner.id)


async def test_another_table_is_seen_first(monkeypatch, tmp_path, owner):
    context = Context(open_home(tmp_path / "jon"), machine=owner.public)
    assert await waits(monkeypatch, context, open_home(tmp_path / "mary").identity.id)
    assert await waits(monkeypatch, context, "SBM1-0000")
