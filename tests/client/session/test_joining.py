"""Getting to a table over a bad network: some failures are tried again, others are not."""

from contextlib import asynccontextmanager
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from client.session import reaching
from client.session.joining import RETRY_S, Guest
from client.session.messages import Message, Notice
from client.session.reaching import FOUND, PASSING, TRIES, reach
from client.session.route import Route
from client.session.status import NetworkError
from p2p.net.errors import NetError, TooSlow, Unreachable
from p2p.net.invite import ID, SECRET
from p2p.net.sighting import Sighting, seat_advert
from p2p.table.lobby import TableRefused
from p2p.wire import PROTOCOL

WAY = Route((("192.168.1.4", 47747),))
HOST = b"h" * 32
CONTEXT: Any = SimpleNamespace(interface=None, note_error=None)
INVITED = Route(WAY.addresses, HOST[:ID], bytes(SECRET), found="invite")


class BadNetwork:
    """Of so many tries this is what goes wrong."""

    def __init__(self, *errors: NetError) -> None:
        self.errors, self.tries = list(errors), 0
        self.told: list[Message] = []
        self.dialled: list[Any] = []
        self.slow = 0
        """Seconds that each try takes."""

    async def dial(self, addresses, expect):
        self.tries += 1
        self.dialled.append(tuple(addresses))
        await trio.sleep(self.slow)
        await trio.lowlevel.checkpoint()
        if self.errors:
            raise self.errors.pop(0)
        return HOST


def slow() -> NetError:
    return TooSlow("192.168.1.4:47747", 3)


async def test_a_host_that_never_answers_is_given_up_with_its_error():
    net = BadNetwork(*[slow() for _ in range(TRIES)])
    with pytest.raises(TooSlow):
        await reach(CONTEXT, net, WAY, net.told.append)
    assert net.tries == TRIES


@pytest.mark.parametrize("hint", PASSING)
async def test_a_first_packet_that_was_lost_is_tried_again_and_the_player_hears_of_it(hint):
    net = BadNetwork(*[Unreachable("192.168.1.4:47747", hint)] * 2)
    assert await reach(CONTEXT, net, WAY, net.told.append) == HOST
    assert net.told == [Notice("try-again", {})] * 2


async def test_where_nobody_is_nothing_is_tried_again():
    net = BadNetwork(Unreachable("192.168.1.4:47747", "refused"))
    with pytest.raises(Unreachable):
        await reach(CONTEXT, net, WAY, net.told.append)
    assert (net.tries, net.told) == (1, [])


class Lan:
    """Discovery that sees these players, one after another, a second apart."""

    def __init__(self, *seen: Sighting) -> None:
        self.seen = seen

    @asynccontextmanager
    async def open(self, _interface, failed):
        yield self

    async def sightings(self, *, seats):
        assert seats
        for sighting in self.seen:
            await trio.sleep(1)
            yield sighting
        await trio.sleep_forever()


def seen(player: bytes, host: str) -> Sighting:
    return Sighting(**asdict(seat_advert(player, 47747, PROTOCOL)), addresses=((host, 47747),))


async def test_the_host_of_an_invite_is_found_where_it_is_now(monkeypatch, autojump_clock):
    lan = Lan(seen(b"x" * 32, "192.168.1.66"), seen(HOST, "192.168.1.9"))
    monkeypatch.setattr(reaching, "open_discovery", lan.open)
    net = BadNetwork(Unreachable("192.168.1.4:47747", "refused"))
    assert await reach(CONTEXT, net, INVITED, net.told.append) == HOST
    assert net.dialled == [WAY.addresses, (*WAY.addresses, ("192.168.1.9", 47747))]


async def test_forged_adverts_bring_few_addresses_and_none_in_place_of_those_of_the_invite(
    monkeypatch, autojump_clock
):
    forged = [seen(HOST, f"192.168.1.{number}") for number in range(100, 150)]
    lan = Lan(*forged, seen(HOST, "192.168.1.9"))
    monkeypatch.setattr(reaching, "open_discovery", lan.open)
    net = BadNetwork(Unreachable("192.168.1.4:47747", "silent"))
    net.slow = 60
    assert await reach(CONTEXT, net, INVITED, net.told.append) == HOST
    assert len(net.dialled[-1]) == len(WAY.addresses) + FOUND
    assert set(net.dialled[-1]) > {*WAY.addresses, ("192.168.1.9", 47747)}


# The next match.


class Company:
    """A host at whose next table a guest wants to sit, and the end of each try: a reason to wait,
    or a status."""

    def __init__(self, *tries: str | int) -> None:
        self.tries = list(tries)
        self.up = {HOST: object()}
        self.match_session = SimpleNamespace(
            router=SimpleNamespace(presence=SimpleNamespace(parted=set())), linger=self.linger
        )
        self.gone = trio.Event()

    def links(self):
        return self.up

    async def sit(self, *, again):
        assert again
        await trio.lowlevel.checkpoint()
        result = self.tries.pop(0)
        if isinstance(result, str):
            raise TableRefused(result)
        return result

    async def linger(self):
        """Listen to the links: the only event is that the host quits."""
        await self.gone.wait()
        self.match_session.router.presence.parted.add(HOST)
        await trio.sleep_forever()

    async def wait(self) -> int:
        guest: Any = SimpleNamespace(
            player=self, admission=SimpleNamespace(mesh=self), peer=HOST, sit=self.sit
        )
        return await Guest.sit_when_open(guest)


async def test_a_player_that_wants_another_match_waits_for_the_table(autojump_clock):
    assert await Company("playing", "no-table", "no-answer", "host-gone", 0).wait() == 0


async def test_host_that_quits_between_two_tries_is_not_waited_for(autojump_clock):
    company = Company(*["playing"] * 9)
    async with trio.open_nursery() as nursery:

        @nursery.start_soon
        async def goes() -> None:
            await trio.sleep(RETRY_S * 1.5)
            company.up.clear()
            company.gone.set()

        with trio.fail_after(60), pytest.raises(NetworkError, match="has gone"):
            await company.wait()


@pytest.mark.parametrize("why", ["full", "changed-key", "not-as-shown"])
async def test_a_lasting_refusal_is_told(autojump_clock, why):
    with pytest.raises(TableRefused) as caught:
        await Company(why, 0).wait()
    assert caught.value.id == why


@pytest.mark.parametrize("other", [KeyboardInterrupt(), OSError("the disk is full")])
async def test_an_error_beside_a_refusal_is_not_swallowed(autojump_clock, other):
    company = Company()

    async def sit(*, again):
        await trio.lowlevel.checkpoint()
        raise BaseExceptionGroup("a session", [TableRefused("playing"), other])

    company.sit = sit
    with trio.fail_after(60), pytest.raises(BaseExceptionGroup) as caught:
        await company.wait()
    assert other in caught.value.exceptions
