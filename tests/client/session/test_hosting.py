"""The announcements of a table on the network."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from client.session import hosting
from client.session.messages import Notice
from p2p.net.errors import NoDiscovery
from p2p.net.sighting import seat_advert
from tests.table.lobbies import draft


class Network:
    """Zeroconf that fails at first, so many times."""

    def __init__(self, fails: int = 0) -> None:
        self.fails = fails
        self.adverts: list[Any] = []
        self.told: list[Notice] = []

    async def advertise(self, advert) -> None:
        await trio.lowlevel.checkpoint()
        if self.fails:
            self.fails -= 1
            raise NoDiscovery("no network")
        self.adverts.append(advert)

    async def withdraw(self) -> None:
        await trio.lowlevel.checkpoint()
        self.adverts.append(None)

    async def shows(
        self, *states: tuple[int, bool] | None, private: bool = False, wait: float = 1
    ) -> None:
        """Let a table announce its states: how many seats are taken, and whether it begins.

        None is the end of its match.
        """
        admission: Any = SimpleNamespace(
            context=SimpleNamespace(identity=SimpleNamespace(id=b"i" * 32)),
            mesh=SimpleNamespace(port=47747),
            tell=self.told.append,
        )
        announcer = hosting.Announcer(admission, "ane", self)  # type: ignore[arg-type] # it stands for discovery
        seats: Any = ("ane", "jon")
        for state in states:
            if state is None:
                announcer.over()
            else:
                taken, begins = state
                table = replace(draft(2), seats=(*seats[:taken], None)[:2], private=private)
                announcer.changed(table, begins)
            with trio.move_on_after(wait):
                await announcer.run()


async def test_of_a_private_table_only_the_key_of_its_host_is_announced(autojump_clock):
    network = Network()
    await network.shows((1, False), (2, False), private=True)
    (advert,) = network.adverts
    assert advert == seat_advert(advert.id, advert.port, advert.protocol)


@pytest.mark.parametrize("fails", [1, 3])
async def test_an_announcement_that_failed_is_tried_again_and_told_once(autojump_clock, fails):
    network = Network(fails)
    await network.shows((1, False), wait=60)
    assert len(network.adverts) == 1
    assert [told.id for told in network.told] == ["no-discovery"]


async def test_a_table_is_announced_as_full_until_its_match_begins(autojump_clock):
    network = Network()
    await network.shows((1, False), (2, False), (2, True), (1, False))
    assert [advert.state for advert in network.adverts] == ["open", "full", "playing", "open"]


async def test_a_table_whose_match_is_over_is_announced_no_more_until_the_next(autojump_clock):
    network = Network()
    await network.shows((2, False), (2, True), None, (2, True))
    states = [advert and advert.state for advert in network.adverts]
    assert states == ["full", "playing", None, "playing"]
