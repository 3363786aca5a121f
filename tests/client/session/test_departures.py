"""A player who has left a match of late is there for the others of it, in the lobby too."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
import trio

from client.session.context import Context
from client.session.departures import RECENT_S, show_departures
from client.storage.departure import DEPARTURE
from client.storage.home import Home
from p2p.net.discovery import open_discovery
from p2p.net.sighting import SEAT, TableGone

HOME = "127.0.0.1"


def left(context: Context, *, seconds: float) -> None:
    """Leave a match so long ago."""
    assert context.identity, "the key is made before the first match"
    context.home.logs.mkdir(parents=True, exist_ok=True)
    path = context.home.logs / f"{'ab' * 16}{DEPARTURE}"
    path.write_bytes(b"")
    when = time.time() - seconds
    os.utime(path, (when, when))


@pytest.mark.parametrize("seconds", [None, RECENT_S + 60])
async def test_without_a_recent_departure_the_lobby_listens_to_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float | None
) -> None:
    context = Context(Home(tmp_path), HOME, 0)
    if seconds is not None:
        left(context, seconds=seconds)
    opened = list[object]()
    monkeypatch.setattr(Context, "open_mesh", lambda *words: opened.append(words))
    with trio.fail_after(60):
        await show_departures(context)
    assert opened == []


@pytest.mark.slow
async def test_a_player_that_left_of_late_is_found_by_players_that_look_for_others(
    tmp_path: Path,
) -> None:
    context = Context(Home(tmp_path), HOME, 0)
    left(context, seconds=RECENT_S - 60)
    async with open_discovery(HOME) as theirs, trio.open_nursery() as nursery:
        seats = theirs.sightings(seats=True)
        nursery.start_soon(show_departures, context)
        with trio.fail_after(60):
            async for news in seats:
                if news.id == context.identity.id and not isinstance(news, TableGone):
                    break
        assert news.state == SEAT
        assert news.nick == ""
        nursery.cancel_scope.cancel()
