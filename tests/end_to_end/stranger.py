"""A peer made by hand: it has a key and a mesh of its own, and says whatever a test wants it to
say."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio

from crypto.identity import Identity
from engine.games import complete_options
from engine.games.escoba.rules import Escoba
from p2p.net.events import LinkDown, LinkUp, Received
from p2p.net.mesh import Mesh, open_mesh
from p2p.table.admission import Visit
from p2p.table.lobby import Draft, SeatRequest, sit_message
from tests.end_to_end.processes import LOOPBACK, Player
from tests.patience import PATIENCE


class Stranger:
    """All that it has heard, in order: (peer, value) for each message, (peer, reason) as text for
    each link that ended."""

    def __init__(self, identity: Identity, mesh: Mesh) -> None:
        self.identity, self.mesh = identity, mesh
        self.seat_request = SeatRequest(identity, "Stranger", os.urandom)
        self.heard: list[tuple[bytes, Any]] = []
        self.linked: list[bytes] = []

    async def listen(self, answer: Callable[[Stranger, bytes, Any], None] | None) -> None:
        async for event in self.mesh.events:
            match event:
                case Received(peer, value):
                    self.heard.append((peer, value))
                    if answer:
                        answer(self, peer, value)
                case LinkUp(peer):
                    self.linked.append(peer)
                case LinkDown(peer, reason):
                    self.heard.append((peer, f"down: {reason}"))

    async def hears(self, check: Callable[[Any], object]) -> Any:
        """Wait for something that passes a check."""
        with trio.fail_after(PATIENCE):
            while not (found := [value for _peer, value in self.heard if check(value)]):
                await trio.sleep(0.02)
        return found[0]

    async def dial(self, port: int) -> bytes:
        return await self.mesh.dial([(LOOPBACK, port)])

    async def sit(self, peer: bytes, seat_request: SeatRequest | None = None) -> None:
        """Look at the table of a peer, and ask for a seat as an honest program does."""
        self.mesh.send(peer, look())
        shown = await self.hears(kind("table"))
        ours, theirs = self.mesh.links()[peer].nonces
        visit = Visit(shown["table"], peer, self.identity.id, theirs, ours)
        self.mesh.send(peer, sit_message([seat_request or self.seat_request], b"", visit))


@asynccontextmanager
async def stranger(
    folder: Path,
    answer: Callable[[Stranger, bytes, Any], None] | None = None,
    *,
    name: str = "stranger",
    **options: Any,
) -> AsyncIterator[Stranger]:
    """Open the mesh of a stranger who answers each message as told."""
    identity = Identity.from_seed(os.urandom(32))
    pem = folder / f"{name}.pem"
    pem.touch(0o600)
    pem.write_bytes(identity.pem())
    async with open_mesh(
        identity, pem, interface=LOOPBACK, port=0, program="9.9", **options
    ) as mesh:
        made = Stranger(identity, mesh)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(made.listen, answer)
            yield made
            nursery.cancel_scope.cancel()


def kind(name: str) -> Callable[[Any], bool]:
    """Return a check for messages of a kind."""
    return lambda value: isinstance(value, dict) and value.get("t") == name


def refusal(why: str) -> Callable[[Any], bool]:
    """Return a check for a refusal with this reason."""
    return lambda value: value == {"t": "refuse", "why": why}


def look(secret: bytes = b"") -> dict[str, Any]:
    return {"t": "look", "secret": secret}


async def waited(call: Callable[[], Any]) -> Any:
    """Wait for a process in a thread, so that the test's own peers go on meanwhile."""
    return await trio.to_thread.run_sync(call)


async def ends(player: Player) -> int:
    return await waited(player.ends)


def draft(**changes: Any) -> Draft:
    """Return a table of two with nobody at it."""
    options = complete_options("escoba", 2, {"target": 1})
    facts = {
        "table": "mine",
        "game": "escoba",
        "rules": Escoba.version,
        "options": options,
        "limit": 60,
        "spectators": False,
    }
    return Draft(**{**facts, "seats": (None, None), **changes})
