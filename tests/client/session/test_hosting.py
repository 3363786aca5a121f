"""A table on the network: the invites to its matches, and its announcements."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from client.session import hosting
from client.session.hosting import Opening, host_at
from client.session.messages import Notice
from p2p.net.errors import NoDiscovery
from p2p.net.invite import parse_invite
from p2p.net.sighting import seat_advert
from tests.table.lobbies import draft

SECRETS = [b"first", b"later"]
ME: Any = SimpleNamespace(at_once=False, seat_request=SimpleNamespace(nick="ane"))


class Network:
    """Zeroconf that fails at first, so many times."""

    def __init__(self, fails: int = 0) -> None:
        self.fails = fails
        self.adverts: list[Any] = []

    async def advertise(self, advert) -> None:
        await trio.lowlevel.checkpoint()
        if self.fails:
            self.fails -= 1
            raise NoDiscovery("no network")
        self.adverts.append(advert)


class Session:
    """A match session that shows its table once."""

    def __init__(self, _context, _mesh, _local_players, _tell, rules) -> None:
        self.rules = rules
        self.setup = SimpleNamespace(local_players=[], agreement=None)

    def follow_on(self, before) -> None:
        pass

    async def host(self, draft, secret, _wishes) -> None:
        begins = False
        self.rules.changed(draft, secret, begins)
        await trio.sleep(1)


class HostedTable:
    """A host that plays so many matches at one table; `told` has what it hears of them."""

    def __init__(self, monkeypatch, network: Network, matches: int = 2) -> None:
        self.told: list[Notice] = []
        secrets = iter(SECRETS)
        self.announcers: list[int] = []
        """How many tasks announced the table at the end of each match."""
        self._left = matches
        self._network = network
        self._admission: Any = SimpleNamespace(
            context=SimpleNamespace(
                entropy=lambda _size: next(secrets),
                identity=SimpleNamespace(id=b"i" * 32),
                interface=None,
            ),
            mesh=SimpleNamespace(addresses=lambda: [("192.0.2.1", 47747)], port=47747),
            check_guests=None,
            remembering=lambda: None,
            tell=self.tell,
        )
        monkeypatch.setattr(hosting, "discovery_or_none", self._discovery)
        monkeypatch.setattr(hosting, "MatchSession", Session)
        monkeypatch.setattr(hosting, "play_match", self._play)
        monkeypatch.setattr(hosting, "once_more", self._again)
        monkeypatch.setattr(hosting, "_company", lambda *_args: [])

    def tell(self, message) -> None:
        self.told.append(message)

    async def host(self, *, private: bool) -> None:
        player: Any = self
        await host_at(self._admission, player, ME, Opening("escoba", 2, name="t", private=private))

    @asynccontextmanager
    async def _discovery(self, *_args):
        yield self._network

    async def _play(self, _session, _player, enter, *_args) -> int:
        await enter()
        return 0

    async def _again(self, _player) -> bool:
        self.announcers.append(_of_the_host(trio.lowlevel.current_root_task()))
        self._left -= 1
        return self._left > 0


def _of_the_host(task) -> int:
    """Return how many tasks of the host are below this one."""
    below = [child for nursery in task.child_nurseries for child in nursery.child_tasks]
    return sum(
        child.name.startswith("client.session.hosting.") + _of_the_host(child) for child in below
    )


async def test_every_match_at_a_private_table_opens_with_an_invite_of_its_own(
    monkeypatch, autojump_clock
):
    hosted = HostedTable(monkeypatch, Network())
    await hosted.host(private=True)
    shown = [
        (told.id, parse_invite(told.params["invite"]).secret)
        for told in hosted.told
        if told.id != "table-open"
    ]
    assert shown == [
        ("invite", b"first"),
        ("invite", b"later"),
    ]


async def test_one_task_announces_a_public_table_however_many_matches_are_played(
    monkeypatch, autojump_clock
):
    hosted = HostedTable(monkeypatch, Network(), matches=2)
    await hosted.host(private=False)
    assert hosted.announcers == [1, 1]


async def test_of_a_private_table_only_the_key_of_its_host_is_announced(
    monkeypatch, autojump_clock
):
    network = Network()
    announcer = hosting.Announcer(HostedTable(monkeypatch, network)._admission, "ane", network)  # type: ignore[arg-type] # it stands for discovery
    for taken in (1, 2):
        seats: Any = ("ane", "jon")[:taken]
        announcer.changed(replace(draft(2), seats=(*seats, None)[:2], private=True), begins=False)
        with trio.move_on_after(1):
            await announcer.run()
    (advert,) = network.adverts
    assert advert == seat_advert(advert.id, advert.port, advert.protocol)


@pytest.mark.parametrize("fails", [1, 3])
async def test_an_announcement_that_failed_is_tried_again_and_told_once(
    monkeypatch, autojump_clock, fails
):
    network = Network(fails)
    hosted = HostedTable(monkeypatch, network, matches=1)
    play = hosting.play_match

    async def play_long(*args) -> int:
        status = await play(*args)
        await trio.sleep(fails * 10)
        return status

    monkeypatch.setattr(hosting, "play_match", play_long)
    await hosted.host(private=False)
    assert [advert.table for advert in network.adverts] == ["t"]
    assert [told.id for told in hosted.told] == ["table-open", "invite", "no-discovery"]


async def test_a_table_is_announced_as_full_until_its_match_begins(monkeypatch, autojump_clock):
    network = Network()
    admission = HostedTable(monkeypatch, network)._admission
    announcer = hosting.Announcer(admission, "ane", network)  # type: ignore[arg-type] # it stands for discovery
    seats: Any = ("ane", "jon")
    for taken, begins in ((1, False), (2, False), (2, True), (1, False)):
        table = replace(draft(2), seats=(*seats[:taken], None)[:2])
        announcer.changed(table, begins)
        with trio.move_on_after(1):
            await announcer.run()
    assert [advert.state for advert in network.adverts] == ["open", "full", "playing", "open"]
