"""Shared fixtures of the network tests: identities, their key files, meshes on loopback, and a
clock that skips waiting."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from crypto.identity import Identity
from p2p.net.link import Link
from p2p.net.mesh import Mesh, open_mesh
from tests.net.links import greet_both

MeshOf = Callable[..., AbstractAsyncContextManager[Mesh]]


@pytest.fixture(scope="session")
def identities() -> list[Identity]:
    """Four players, the one with the smallest id first."""
    return sorted(
        (Identity.from_seed(bytes([number]) * 32) for number in range(4)),
        key=lambda identity: identity.id,
    )


@pytest.fixture
def pem(tmp_path: Path) -> Callable[[Identity], Path]:
    def write(identity: Identity) -> Path:
        path = tmp_path / f"{identity.id.hex()}.pem"
        path.touch(0o600)
        path.write_bytes(identity.pem())
        return path

    return write


@pytest.fixture
def mesh_of(pem: Callable[[Identity], Path]) -> MeshOf:
    def open_one(identity: Identity, **options: Any) -> AbstractAsyncContextManager[Mesh]:
        return open_mesh(
            identity,
            pem(identity),
            **{"interface": "127.0.0.1", "port": 0, "program": "0.1", **options},
        )

    return open_one


@pytest.fixture
def skipping_clock() -> trio.testing.MockClock:
    """Jumps to the next deadline when nothing has happened for 30 ms: enough for sockets on
    loopback to be heard first."""
    return trio.testing.MockClock(autojump_threshold=0.03)


class Wire:
    """Two links over memory, one at each end, greeted or not."""

    def __init__(self, identities: list[Identity], **options: Any) -> None:
        ours, theirs = trio.testing.memory_stream_pair()
        a, b = identities[:2]
        self.streams = (ours, theirs)
        self.links = (
            Link(ours, b.id, b.public, own=a.id, dialled=True, address=("b", 1), **options),
            Link(theirs, a.id, a.public, own=b.id, dialled=False, address=("a", 2), **options),
        )


@pytest.fixture
def wire(identities: list[Identity]) -> Callable[..., Wire]:
    return lambda **options: Wire(identities, **options)


@pytest.fixture
async def greeted(wire: Callable[..., Wire]) -> Wire:
    """Two links of which both ends have greeted."""
    made = wire()
    assert await greet_both(made) == [None, None]
    return made
