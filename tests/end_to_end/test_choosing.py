"""`join` without a name while several tables are open: a person chooses one or quits; a computer
player gets their names."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest

from crypto.identity import Identity
from p2p.net.discovery import open_discovery
from p2p.net.sighting import Advert
from p2p.wire import PROTOCOL
from tests.end_to_end.processes import LOOPBACK, Player, common, eventually
from tests.end_to_end.stranger import ends, waited
from tests.sample import sample


@asynccontextmanager
async def two_tables(name: str) -> AsyncIterator[list[str]]:
    """Announce two tables on ports 1 and 2, where no program listens; yield their names."""
    facts = {
        "nick": "Ane",
        "game": "escoba",
        "seats_taken": 1,
        "seats": 2,
        "state": "open",
        "protocol": PROTOCOL,
    }
    names = [f"{name}-{port}" for port in (1, 2)]
    async with open_discovery(LOOPBACK) as one, open_discovery(LOOPBACK) as two:
        for port, (table, discovery) in enumerate(zip(names, (one, two), strict=True), 1):
            await discovery.advertise(
                Advert(id=Identity.from_seed(os.urandom(32)).id, table=table, port=port, **facts)
            )
        yield names


async def sees_both(start: Callable[[], Player]) -> Player:
    """Start a player until one finds both tables in time. A player that finds one only dials it,
    and reaches nobody."""
    for _ in range(10):
        player = await waited(start)
        if await waited(partial(has_a_choice, player)):
            return player
        assert await ends(player) == 4
    raise AssertionError("no player has found both tables in time")


def has_a_choice(player: Player) -> bool:
    """Wait until a player has found tables, and return whether it found both."""

    def several() -> object:
        return re.search("several tables|Which table", player.out + player.err)

    eventually(
        lambda: several() or player.process.poll() is not None, "a table", story=player._story
    )
    return bool(several())


async def test_computer_player_is_told_the_names_of_several_tables(machine):
    async with two_tables("several") as names:
        player = await sees_both(lambda: machine.player("mary", "join", *common("mary", auto=True)))
        assert await ends(player) == 2
        assert re.search(
            f"several tables are open; name one: .*{'.*'.join(names)}", player.sentence()
        )


@pytest.mark.parametrize("how", sample(["number", "key", "signal", "end of input"], 2))
async def test_person_chooses_among_several_tables_or_quits(machine, how):
    async with two_tables(f"choose-{how[0]}") as names:
        guest: Any = await sees_both(
            lambda: machine.person("jon", "join", *common("jon", auto=False))
        )
        await waited(lambda: guest.reads(r"Which table \(1 to \d+\)\?"))
        assert all(name in guest.out for name in names)
        if how == "key":
            guest.press(b"\x03")
        elif how == "signal":
            guest.interrupt()
        elif how == "end of input":
            guest.press(b"\x04")
        else:
            for wrong in ("0", "x", "0001", "99"):
                guest.type(wrong)
                await waited(lambda: guest.reads(r"Which table \(1 to \d+\)\?"))
            guest.type(re.search(rf"(\d+)\. {names[1]} ", guest.out)[1])
        status = await ends(guest)
    if how == "number":
        assert status == 4
        assert guest.sentence().startswith(
            f"Nobody can be reached at {LOOPBACK}:2: no program listens there"
        )
    elif how == "end of input":
        assert (status, guest.sentence()) == (2, "no table was chosen")
    else:
        assert (status, guest.err) == (130, "")
