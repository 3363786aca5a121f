"""Real zeroconf, on the loopback interface alone.

Other tests may do the same at the same time, on the same group: so the ids here are new each time,
and others are passed over.
"""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from concurrent.futures import CancelledError
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
import trio
import zeroconf

from p2p.net import discovery as module
from p2p.net import search
from p2p.net.crowd import CLAIMS
from p2p.net.discovery import LATE, open_discovery
from p2p.net.errors import NoDiscovery
from p2p.net.sighting import (
    SEAT,
    SERVICE,
    Advert,
    Sighting,
    TableGone,
    instance,
    seat_advert,
    txt_of,
)
from p2p.wire import PROTOCOL
from tests.end_to_end.namespaces import empty_network
from tests.net.forged_text import FORGED
from tests.patience import PATIENCE
from tests.sample import sample

HOME = "127.0.0.1"
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def advert():
    return Advert(os.urandom(32), "Ane", "escoba", "goiz", 1, 2, "open", 47747, 1, "eu")


async def next_of(channel, *ids, until=lambda _news: True):
    """Return the next news of these players that is as is waited for: an answer under way may still
    tell of before."""
    with trio.fail_after(60):
        async for news in channel:
            if news.id in ids and until(news):
                return news
    raise AssertionError("the channel was closed")


def is_gone(news):
    return isinstance(news, TableGone)


def shows(**facts):
    """Return what tells whether a table is shown so."""
    return lambda news: (
        not is_gone(news) and all(getattr(news, name) == value for name, value in facts.items())
    )


@pytest.mark.slow
async def test_a_table_is_seen_changed_and_gone(advert):
    async with open_discovery(HOME) as ours, open_discovery(HOME) as theirs:
        news = theirs.sightings()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ours.advertise, advert)
            sighting = await next_of(news, advert.id)
        assert sighting.addresses == ((HOME, 47747),)
        assert (sighting.id, sighting.nick, sighting.seats_taken) == (advert.id, "Ane", 1)
        assert theirs.seen()[advert.id] == sighting
        assert advert.id not in ours.seen()  # not ourselves
        # who comes later is told as well
        assert await next_of(theirs.sightings(), advert.id) == sighting

        await ours.advertise(replace(advert, seats_taken=2, state="playing"))
        await next_of(news, advert.id, until=shows(seats_taken=2, state="playing"))

        await ours.withdraw()
        # until then zeroconf may answer an older question, and the table is seen once more
        await trio.sleep(LATE + 0.5)
        await next_of(news, advert.id, until=is_gone)
        await trio.sleep(1)
        assert advert.id not in theirs.seen()
        await ours.withdraw()  # nothing to say

        await ours.advertise(advert)  # and open again
        await next_of(news, advert.id, until=shows(state="open"))


async def test_a_player_that_vanished_without_a_word_is_found_gone(advert, monkeypatch):
    monkeypatch.setattr(search, "AGAIN", 0.1)
    async with open_discovery(HOME) as ours, open_discovery(HOME) as theirs:
        news = theirs.sightings()
        await ours.advertise(advert)
        await next_of(news, advert.id)
        monkeypatch.setattr(search, "read", no_answer)
        await next_of(news, advert.id, until=is_gone)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.ENETDOWN, "no network"), False),
        (OSError(errno.EIO, "something else"), True),
        (zeroconf.NotRunningException(), False),
        (CancelledError(), False),
    ],
)
async def test_while_we_cannot_look_nobody_is_found_gone(advert, monkeypatch, error, told):
    failures, tried = [], trio.Semaphore(0)

    async def fail(*_):
        tried.release()
        raise error

    monkeypatch.setattr(search, "AGAIN", 0.1)
    async with (
        open_discovery(HOME, failed=failures.append) as ours,
        open_discovery(HOME, failed=failures.append) as theirs,
    ):
        news = theirs.sightings()
        await ours.advertise(advert)
        await next_of(news, advert.id)
        monkeypatch.setattr(search, "read", fail)
        with trio.fail_after(PATIENCE):
            for _ in range(3):
                await tried.acquire()
        assert advert.id in theirs.seen()
        assert [failure.__cause__ for failure in failures[:1]] == [error] * told


async def test_a_forged_goodbye_does_not_hide_a_living_table(advert):
    async with open_discovery(HOME) as ours, open_discovery(HOME) as theirs:
        news = theirs.sightings()
        await ours.advertise(advert)
        await next_of(news, advert.id)
        await trio.to_thread.run_sync(ours.zeroconf.send, goodbye(advert))
        await trio.sleep(2)
        assert advert.id in theirs.seen()


async def test_a_table_that_its_own_host_does_not_hear_is_announced_again(advert, monkeypatch):
    async with open_discovery(HOME) as ours, open_discovery(HOME) as theirs:
        await ours.advertise(advert)
        await next_of(theirs.sightings(), advert.id)
        announced: list[object] = []
        monkeypatch.setattr(search, "read", no_answer)
        monkeypatch.setattr(ours.zeroconf, "send", announced.append)
        await trio.to_thread.run_sync(theirs.zeroconf.send, goodbye(advert))
        with trio.fail_after(PATIENCE):
            while not announced:
                await trio.sleep(0.05)


def goodbye(advert):
    out = zeroconf.DNSOutgoing(0x8400)
    name = f"{instance(advert.id)}.{SERVICE}"
    out.add_answer_at_time(zeroconf.DNSPointer(SERVICE, 12, 1, 0, name), 0)
    return out


async def no_answer(_zeroconf, players, _wait):
    return [None] * len(players)


async def spoof(server, advert, port=5, addresses=(HOME,), **changes):
    service = zeroconf.ServiceInfo(
        SERVICE,
        f"{instance(advert.id)}.{SERVICE}",
        port=port,
        properties=txt_of(advert) | changes,
        server="spoof.local.",
        parsed_addresses=list(addresses),
    )
    await trio.to_thread.run_sync(
        lambda: server.zeroconf.register_service(service, cooperating_responders=True)
    )


async def test_false_claims_are_not_shown(advert):
    false, true = os.urandom(32), os.urandom(32)
    async with open_discovery(HOME) as liar, open_discovery(HOME) as theirs:
        news = theirs.sightings()
        await spoof(liar, replace(advert, id=false), s="9/2")
        await spoof(
            liar,
            replace(advert, id=true),
            n="\x1b[31mJon",
            addresses=("8.8.8.8", "224.0.0.1", HOME),
        )
        sighting = await next_of(news, false, true)
        assert sighting.id == true
        assert sighting.nick == "Jon"
        assert sighting.addresses == ((HOME, 5),)  # not just anywhere that a stranger sends us
        assert false not in theirs.seen()


async def test_after_a_change_of_network_the_new_addresses_are_told(advert, monkeypatch):
    here = ["10.1.1.1"]
    monkeypatch.setattr(module, "LOOK", 0.1)
    monkeypatch.setattr(module, "own_networks", list)  # on no network: loopback is used
    monkeypatch.setattr(module, "own_addresses", lambda **_: list(here))
    async with open_discovery() as ours, open_discovery(HOME) as theirs:
        news = theirs.sightings()
        await ours.advertise(advert)
        assert (await next_of(news, advert.id)).addresses == (("10.1.1.1", 47747),)
        here[:] = ["10.2.2.2"]
        await next_of(
            news,
            advert.id,
            until=lambda seen: not is_gone(seen) and ("10.2.2.2", 47747) in seen.addresses,
        )


@pytest.mark.parametrize(
    ("error", "told"), [(OSError(errno.ENODEV, "no multicast"), False), (ValueError("a bug"), True)]
)
async def test_an_error_on_a_new_network_is_told_if_no_network_explains_it(
    monkeypatch, error, told
):
    failures, tried, numbers = [], trio.Semaphore(0), count(1)
    token = trio.lowlevel.current_trio_token()

    def fail(*_):
        token.run_sync_soon(tried.release)
        raise error

    monkeypatch.setattr(module, "LOOK", 0.1)
    monkeypatch.setattr(module, "own_networks", list)  # on no network: loopback is used
    monkeypatch.setattr(module, "own_addresses", lambda **_: [f"10.1.1.{next(numbers)}"])
    monkeypatch.setattr(zeroconf.Zeroconf, "update_interfaces", fail)
    with trio.fail_after(60):
        async with open_discovery(failed=failures.append):
            await tried.acquire()
            await tried.acquire()  # it is tried again
    assert (error in failures) == told


async def test_a_seat_that_has_lost_others_of_its_match_is_no_table(advert):
    mine = replace(advert, id=os.urandom(32))
    seat = seat_advert(advert.id, 47748, 2)
    async with (
        open_discovery(HOME) as ours,
        open_discovery(HOME) as mines,
        open_discovery(HOME) as theirs,
    ):
        tables, seats = theirs.sightings(), theirs.sightings(seats=True)
        await ours.advertise(seat)
        seen = await next_of(seats, advert.id)
        assert seen.addresses == ((HOME, 47748),)
        assert seen.nick == ""
        assert advert.id not in theirs.seen()
        # a later listener is told as well
        assert (await next_of(theirs.sightings(seats=True), advert.id)).state == SEAT
        await mines.advertise(mine)
        # the seat would have come before
        assert (await next_of(tables, advert.id, mine.id)).id == mine.id
        await mines.advertise(replace(seat, id=mine.id))
        while isinstance(news := await next_of(tables, mine.id), Sighting):
            assert news.state != SEAT
        assert news == TableGone(mine.id)


@pytest.mark.slow
async def test_a_sought_player_is_asked_for_every_second(advert, monkeypatch):
    asked = []
    monkeypatch.setattr(search, "ask", lambda _zeroconf: asked.append("who is there?"))
    # tables of other tests would be a crowd
    monkeypatch.setattr(search.Search, "receive_hint", lambda *_hint: None)
    async with open_discovery(HOME) as ours:
        while len(asked) < len(search.FIRST):
            await trio.sleep(0.1)
        asked.clear()
        ours.seek([advert.id])
        await trio.sleep(3.5)
        assert 2 <= len(asked) <= 4
        asked.clear()
        ours.seek(())
        await trio.sleep(2.5)
        assert asked == []


KINDS = ["poison", "everywhere", "names", "own", "beside"]


async def test_a_known_player_is_asked_for_a_proof(advert, mesh_of, identities):
    ane, jon = identities[:2]
    async with (
        mesh_of(ane) as mesh,
        open_discovery(HOME) as theirs,
        open_discovery(HOME) as false,
        open_discovery(HOME, known=[ane.id, jon.id]) as ours,
    ):
        channel = ours.sightings()
        await theirs.advertise(replace(advert, id=ane.id, port=mesh.port))
        await next_of(channel, ane.id, until=lambda news: news.proven)
        await false.advertise(replace(advert, id=jon.id, port=mesh.port))
        assert not (await next_of(channel, jon.id)).proven
        await trio.sleep(0.5)
        assert not ours.seen()[jon.id].proven


@pytest.mark.slow
@pytest.mark.parametrize("kind", sample(KINDS, 1))
def test_a_flood_of_forged_adverts_hides_nobody(kind, figure):
    words = [*empty_network(loopback=True), sys.executable, "-m", "tests.net.advert_flood", kind]
    longest = {**os.environ, "ADVERT_FLOOD_SECONDS": "600"}  # chance decides
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT, env=longest)
    found = json.loads(done.stdout)
    figure(f"{kind}: {found}")
    assert found["stranger"] is not None
    assert found["friend"] is not None
    assert found["still"] == ["stranger", "friend"]
    assert found["most"] <= 2 + CLAIMS
    assert found["megabytes"] < 80


@pytest.mark.slow
def test_a_forged_text_changes_nothing_that_a_table_says_of_itself(figure):
    """The host is asked over a link, and announces its table again when it hears the other text."""
    words = [*empty_network(loopback=True), sys.executable, "-m", "tests.net.forged_text"]
    runs = [
        subprocess.Popen([*words, kind], stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for kind in FORGED
    ]
    for run in runs:
        found = json.loads(run.communicate(timeout=2 * PATIENCE)[0])
        figure(str(found))
        assert found["listed"]
        assert {tuple(facts[:5]) for facts in found["while forged"]} == {
            ("Zoe", "goiz", 1, "open", PROTOCOL)
        }
        assert found["at last"] == ["Zoe", "goiz", 2, "full", PROTOCOL, True]
        assert 1 <= found["asked"] <= 12
        assert 1 <= found["announced"] <= 12


async def test_the_interface_must_be_ours():
    with pytest.raises(NoDiscovery, match="no network"):
        async with open_discovery("203.0.113.9"):
            pytest.fail("there is no such interface")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.EADDRINUSE, "taken"), "port"),
        (OSError(errno.EACCES, "no"), "forbidden"),
        (OSError(errno.ENODEV, "no multicast here"), "no network"),
        (RuntimeError("No interfaces to listen on"), "no network"),
        (zeroconf.EventLoopBlocked(), "failed"),
    ],
)
async def test_an_obstacle_to_zeroconf_is_said_in_words(monkeypatch, error, reason):
    def fail(*args, **options):
        raise error

    monkeypatch.setattr(zeroconf, "Zeroconf", fail)
    with pytest.raises(NoDiscovery) as caught:
        async with open_discovery(HOME):
            pytest.fail("it did not start")
    assert caught.value.reason == reason


def test_the_network_loads_neither_zeroconf_nor_x509():
    names = "('zeroconf', 'cryptography.x509')"
    code = (
        f"import sys, p2p.net.mesh, p2p.net.discovery; print([name for name in sys.modules if "
        f"name in {names}])"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "[]\n"
    )
