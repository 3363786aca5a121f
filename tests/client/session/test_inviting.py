"""The invite to a table, while the addresses of the machine change."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio

from client.session.inviting import LOOK_S, Inviter
from p2p.net.invite import parse_invite

HOME, AWAY, MORE = "192.168.1.7", "10.0.0.7", "fd00::7"


class Told:
    """Notices, in short: each id, and for an invite its addresses and its secret."""

    def __init__(self) -> None:
        self.said: list[Any] = []

    def __call__(self, notice: Any) -> None:
        if "invite" not in notice.params:
            self.said.append(notice.id)
            return
        invite = parse_invite(notice.params["invite"])
        self.said.append((notice.id, *invite.hosts, invite.secret))

    def take(self) -> list[Any]:
        said, self.said = self.said, []
        return said


@pytest.fixture
def here() -> list[str]:
    return [HOME]


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
async def inviter(here, told, nursery) -> Inviter:
    mesh: Any = SimpleNamespace(addresses=lambda: [(host, 5) for host in here], port=5)
    made = Inviter(mesh, b"i" * 32, told)
    made.open("olive-12", b"first")
    made.changed(table(1), b"first")
    nursery.start_soon(made.run)
    return made


def table(taken: int, *, watched: bool = False) -> Any:
    return SimpleNamespace(taken=taken, seats=(None, None), private=watched, spectators=watched)


async def while_looked_at() -> None:
    await trio.sleep(2 * LOOK_S)


async def test_the_same_invite_is_told_once(inviter, told, autojump_clock):
    await while_looked_at()
    inviter.changed(table(1), b"first")
    assert told.take() == ["table-open", ("invite", HOME, b"first")]


async def test_an_invite_that_leads_nowhere_any_more_is_called_so(
    inviter, told, here, autojump_clock
):
    told.take()
    here[:] = [AWAY]
    await while_looked_at()
    assert told.take() == ["moved", ("invite", AWAY, b"first")]


async def test_without_a_network_there_is_no_invite_until_it_is_back(
    inviter, told, here, autojump_clock
):
    told.take()
    here.clear()
    await while_looked_at()
    await while_looked_at()
    assert told.take() == ["no-invite"]
    here[:] = [HOME]
    await while_looked_at()
    assert told.take() == [("invite", HOME, b"first")]


async def test_a_table_that_only_this_machine_reaches_is_called_so_once(
    inviter, told, here, autojump_clock
):
    told.take()
    here[:] = ["127.0.0.1"]
    inviter.open("olive-12", b"later")
    inviter.changed(table(1), b"third")
    await while_looked_at()
    assert told.take() == [
        "table-open",
        "moved",
        "only-here",
        ("invite", "127.0.0.1", b"later"),
        "renewed",
        ("invite", "127.0.0.1", b"third"),
    ]
    inviter.open("olive-12", b"forth")
    assert told.take() == ["table-open", "only-here", ("invite", "127.0.0.1", b"forth")]


async def test_a_full_private_table_has_an_invite_for_spectators(inviter, told, autojump_clock):
    told.take()
    inviter.changed(table(2, watched=True), b"first")
    assert told.take() == [("watch-invite", HOME, b"first")]
    await while_looked_at()
    assert told.take() == []
