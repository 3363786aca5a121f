"""Others cannot flood the screen with sentences, and one cause silences no other."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio

from client.session.messages import Away, Back, Lobby, Notice, Parted, Seated, Stored
from client.session.tell_limit import (
    ALL_BURST,
    ALL_RATE,
    BURST,
    FROM_OUTSIDE,
    LOBBY_BURST,
    LOBBY_RATE,
    STATE_BURST,
    STATE_RATE,
    TellLimit,
)
from tests.ring import terms_for

EVE, JON = b"e" * 32, b"j" * 32
TABLE = Lobby("escoba", {}, (None, None), (), 60, "goiz")
CAUSES = sorted(FROM_OUTSIDE)


def ids(told):
    return [message.id for message in told if isinstance(message, Notice)]


@pytest.mark.parametrize("cause", CAUSES)
async def test_a_flood_of_one_peer_silences_neither_another_peer_nor_another_cause(
    cause, autojump_clock
):
    told = []
    tell = TellLimit(told.append)
    for _ in range(1000):
        tell(Notice(cause, {"error": "another version"}, EVE))
    assert ids(told) == [cause] * BURST + ["not-shown"]
    tell(Notice(cause, about=JON))
    tell(Notice("desync", {"path": "x"}))
    tell(Away(1))
    tell(Notice(next(iter(FROM_OUTSIDE - {cause})), about=EVE))
    assert len(told) == BURST + 5
    await trio.sleep(20)
    tell(Notice(cause, about=EVE))
    assert told[-1] == Notice(cause), "there is a turn again"


@pytest.mark.parametrize("cause", CAUSES)
async def test_a_stranger_with_many_keys_is_cut_off_too(cause, autojump_clock):
    told = []
    tell = TellLimit(told.append)
    for second in range(100):
        for number in range(50):
            tell(Notice(cause, about=bytes([second, number])))
        await trio.sleep(1)
    assert ids(told).count("not-shown") == 1
    assert len(told) <= 1 + ALL_BURST + 100 * ALL_RATE


async def test_of_a_table_that_changes_too_fast_the_newest_state_is_shown(autojump_clock, nursery):
    told = []
    tell = TellLimit(told.append)
    nursery.start_soon(tell.run)
    for number in range(2000):
        tell(replace(TABLE, limit=number))
        await trio.sleep(0.01)
    await trio.sleep(3)
    assert told[-1] == replace(TABLE, limit=1999)
    assert ids(told) == ["not-shown"]
    assert len(told) <= LOBBY_BURST + 25 * LOBBY_RATE


async def test_a_link_that_flaps_is_not_told_of_each_time(autojump_clock, nursery):
    told = []
    tell = TellLimit(told.append)
    nursery.start_soon(tell.run)
    for _ in range(1000):
        tell(Away(1))
        tell(Back(1))
        tell(Notice("host-lost", {"seconds": 30}))
        tell(Notice("host-back"))
        tell(Parted(2))
        await trio.sleep(0.1)
    tell(Away(1))
    tell(Away(3))
    assert told[-1] == Away(3), "another seat is told of at once"
    await trio.sleep(30)
    assert [message for message in told if message in (Away(1), Back(1))][-1] == Away(1)
    assert ids(told)[-1] == "host-back"
    assert told.count(Parted(2)) <= STATE_BURST + 130 * STATE_RATE
    states = sum(isinstance(message, Away | Back) for message in told)
    assert states <= 2 + STATE_BURST + 130 * STATE_RATE


async def test_a_table_that_is_held_back_is_not_shown_after_the_match_has_begun(
    autojump_clock, nursery
):
    told = []
    tell = TellLimit(told.append)
    nursery.start_soon(tell.run)
    for number in range(100):
        tell(replace(TABLE, limit=number))
    begun = Seated(terms_for("escoba", 2), 0, "00")
    tell(begun)
    await trio.sleep(10)
    assert told[-1] is begun
    tell(Stored("log"))
    assert told[-1] == Stored("log")
