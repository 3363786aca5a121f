"""A spectator follows a table from match to match, and a liar there has it do little."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from client.session.context import Context
from client.session.spectator import watching
from client.session.spectator.match import SpectatorSession
from client.session.spectator.watching import LEAST_S, watch_match
from client.storage.home import Home
from tests.client.session.linked_player import Network

HOST = b"h" * 32
SECONDS = 60.0


class Held(Network):
    """Notes the peers to which links are held."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: set[bytes] = set()

    def keep(self, peer: bytes, addresses: Any = ()) -> None:
        self.kept.add(peer)

    def forget(self, peer: bytes) -> None:
        self.kept.discard(peer)


class Fake:
    """Stands for a session: each match is over at once, and the next one is shown at once."""

    def __init__(self, mesh: Held) -> None:
        self.begun: list[float] = []
        self.mesh = mesh
        self.kept: list[set[bytes]] = []

    def session(self, context: Context, mesh: Any, tell: Any, secret: bytes) -> Any:
        self.begun.append(trio.current_time())
        self.kept.append(set(self.mesh.kept))
        return Session(self, SpectatorSession(context, mesh, tell, secret))


class Session:
    def __init__(self, fake: Fake, session: SpectatorSession) -> None:
        self._fake, self._session = fake, session
        self.release = session.release

    async def run(self, peer: bytes, *_more: Any) -> bool:
        await trio.lowlevel.checkpoint()
        for player in (peer, len(self._fake.begun).to_bytes(32, "big")):
            self._session.keep(player)
        return True

    async def next_match(self) -> tuple[bytes, dict[str, Any]]:
        await trio.lowlevel.checkpoint()
        return HOST, {"t": "match"}


async def test_matches_of_a_liar_that_holds_all_seats_are_followed_only_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    mesh, player = Held(), SimpleNamespace(tell=lambda _message: None, again=trio.sleep_forever)
    fake = Fake(mesh)

    @asynccontextmanager
    async def online(_context: Context, tell: Any) -> AsyncIterator[Any]:
        yield SimpleNamespace(mesh=mesh, tell=tell)

    async def reach(*_words: Any) -> bytes:
        await trio.lowlevel.checkpoint()
        return HOST

    async def find() -> Any:
        await trio.lowlevel.checkpoint()
        return SimpleNamespace(secret=b"")

    monkeypatch.setattr(watching, "online", online)
    monkeypatch.setattr(watching, "reach", reach)
    monkeypatch.setattr(watching, "SpectatorSession", fake.session)
    with trio.move_on_after(SECONDS):
        await watch_match(Context(Home(tmp_path)), player, find, auto=True)  # type: ignore[arg-type] # it stands for a person
    assert 2 < len(fake.begun) <= 1 + SECONDS / LEAST_S
    assert set(map(len, fake.kept)) == {0}, "players of an earlier match are looked for no more"
