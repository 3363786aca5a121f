"""The tables on this network: known players first, and in a crowd nobody who has not proven a
key."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio

from client.commands import join
from client.session.context import Context
from client.session.lan import Lan
from client.session.messages import Tables
from client.session.status import NetworkError, UsageError
from client.storage.contacts import Contacts, Trust
from client.storage.home import Home
from p2p.net.errors import NoDiscovery
from p2p.net.sighting import Sighting, TableGone

TRUSTED, KNOWN, BLOCKED, PROVEN, STRANGER = (bytes([number]) * 32 for number in range(1, 6))


def sighting(player: bytes, nick: str, *, proven: bool = False) -> Sighting:
    at = (("10.0.0.1", 5),)
    return Sighting(
        player,
        nick,
        "escoba",
        f"table-{player[0]}",
        1,
        2,
        "open",
        5,
        1,
        addresses=at,
        proven=proven,
    )


SEEN = [
    sighting(STRANGER, "!Anybody"),
    sighting(PROVEN, "Bea", proven=True),
    sighting(BLOCKED, "Carl", proven=True),
    sighting(KNOWN, "Yon"),
    sighting(TRUSTED, "Zoe"),
]


class FoundTable:
    """A discovery that has seen these, and nothing else."""

    def __init__(self, seen: list[Sighting], *, crowded: bool) -> None:
        self._seen, self._crowded = seen, crowded

    def crowded(self) -> bool:
        return self._crowded

    def sightings(self) -> trio.MemoryReceiveChannel[Sighting | TableGone]:
        tell, heard = trio.open_memory_channel[Sighting | TableGone](100)
        for seen in self._seen:
            tell.send_nowait(seen)
        tell.close()
        return heard


@pytest.fixture
def home(tmp_path) -> Home:
    home = Home(tmp_path)
    contacts = Contacts(home.path)
    for player, trust in ((TRUSTED, Trust.TRUSTED), (KNOWN, Trust.KNOWN), (BLOCKED, Trust.BLOCKED)):
        contacts.meet(player, f"nick{player[0]}", None, 1, trust)
    return home


async def test_the_lobby_shows_contacts_first_and_then_proven_hosts(home, monkeypatch) -> None:
    told: list[Tables] = []
    asked: list[set[bytes]] = []

    @asynccontextmanager
    async def discovery(
        _interface: object, _tell: object, known: Iterator[bytes]
    ) -> AsyncIterator[FoundTable]:
        asked.append(set(known))
        yield FoundTable(SEEN, crowded=True)

    monkeypatch.setattr("client.session.running.discovery_or_none", discovery)
    await Lan(Context(home)).discover(told.append)
    assert [table.nick for table in told[-1].tables] == ["Zoe", "Yon", "Bea", "!Anybody"]
    assert asked == [{TRUSTED, KNOWN}]
    assert {table.trust for table in told[-1].tables} == {""}, "anybody can announce a key"


async def test_the_lobby_calls_a_host_trusted_that_has_proven_its_key(home, monkeypatch) -> None:
    told: list[Tables] = []

    @asynccontextmanager
    async def discovery(*_words: object) -> AsyncIterator[FoundTable]:
        yield FoundTable([replace(seen, proven=True) for seen in SEEN], crowded=False)

    monkeypatch.setattr("client.session.running.discovery_or_none", discovery)
    await Lan(Context(home)).discover(told.append)
    shown = {table.nick: table.trust for table in told[-1].tables}
    assert shown == {"Zoe": "trusted", "Yon": "known", "Bea": "", "!Anybody": ""}


async def test_without_discovery_or_contacts_the_lobby_is_told_the_reason(
    home, monkeypatch, autojump_clock
):
    told: list[Tables] = []
    monkeypatch.setattr("client.session.running.open_discovery", no_network)
    with trio.move_on_after(1):
        await Lan(Context(home)).discover(told.append)
    (home.path / "peers.json").write_text("damaged")
    await Lan(Context(home)).discover(told.append)
    assert [(tables.tables, tables.blind.id) for tables in told if tables.blind] == [
        ((), "no-discovery"),
        ((), "no-contacts"),
    ]


@asynccontextmanager
async def no_network(*_args: object) -> AsyncIterator[None]:
    raise NoDiscovery("no network")
    yield


@pytest.fixture
def look(home) -> Callable[..., Sighting]:
    async def run(seen: list[Sighting], where: str | None = None, *, crowded: bool) -> Sighting:
        args = Namespace(where=where, wait=1, auto=True, interface=None)
        return await join.look_for(
            FoundTable(seen, crowded=crowded), args, Contacts(home.path), join.is_wanted, "join"
        )

    return run


async def test_join_believes_nobody_unproven_in_a_crowd(look) -> None:
    forged = [sighting(bytes([number]) * 32, "!") for number in range(100, 110)]
    assert (await look([*forged, SEEN[1]], crowded=True)).id == PROVEN
    assert (await look([*forged, SEEN[3]], crowded=True)).id == KNOWN
    with pytest.raises(NetworkError):
        await look([*forged, SEEN[2]], crowded=True)
    with pytest.raises(UsageError, match="several tables"):
        await look([*forged, SEEN[1]], crowded=False)


async def test_a_name_that_was_typed_is_not_taken_by_somebody_unproven_in_a_crowd(look) -> None:
    forged = sighting(STRANGER, "!")
    assert (await look([forged], forged.table, crowded=False)).id == STRANGER
    with pytest.raises(NetworkError):
        await look([forged], forged.table, crowded=True)
    assert (await look([SEEN[4]], SEEN[4].table, crowded=True)).id == TRUSTED


async def test_a_name_that_was_typed_is_not_taken_by_the_first_who_uses_it(look) -> None:
    """A stranger that hears a table's name can open another one under it, and answer sooner."""
    name = SEEN[4].table
    copied = [replace(seen, table=name) for seen in (SEEN[0], SEEN[1])]
    with pytest.raises(UsageError, match=f"several tables are called {name}"):
        await look(copied, name, crowded=False)
    assert (await look([*copied, SEEN[4]], name, crowded=False)).id == TRUSTED
    assert (await look([copied[0], SEEN[3]], name, crowded=False)).id == STRANGER


async def test_join_takes_no_table_of_a_blocked_player(look, autojump_clock) -> None:
    seen = [replace(sighting(who, "Jon"), table="oak") for who in (BLOCKED, STRANGER)]
    assert (await look(seen, "oak", crowded=False)).id == STRANGER
