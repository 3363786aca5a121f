"""The limits of a visitor: where it dials, and how much of the disk it fills."""

from __future__ import annotations

import pytest

from client.session.context import Context
from client.session.lan import Lan
from client.session.status import UsageError
from client.storage.home import Home, StoreError
from client.ui.phone.limits import INVITES, MOST_BYTES, VisitorLimits
from client.ui.screen.messages import Join, Open, Resume
from client.ui.screen.sessions import session_of
from client.ui.screen.state import Form
from p2p.net.invite import Invite

ID, SECRET = bytes(range(10)), bytes(5)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def invite(*hosts: str) -> str:
    return str(Invite(hosts, 47747, ID, SECRET))


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def limits(tmp_path, clock):
    return VisitorLimits(tmp_path, clock)


@pytest.mark.parametrize("typed", ["192.168.1.5", "127.0.0.1:80", "localhost", "[::1]:80", "a.b"])
def test_no_typed_address_is_a_way(limits, typed):
    with pytest.raises(UsageError, match="only invites"):
        limits.route(typed)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "1.1.1.1", "2606:4700::1", "::ffff:10.0.0.1"])
def test_an_invite_that_leads_out_of_the_network_is_not_followed(limits, host):
    with pytest.raises(UsageError, match="out of this network"):
        limits.route(invite(host))


def test_of_an_invite_the_addresses_of_this_network_are_dialled(limits):
    route = limits.route(invite("10.0.0.7", "127.0.0.1"))
    assert route.addresses == [("10.0.0.7", 47747)]
    assert (route.expect, route.secret, route.found) == (ID, SECRET, "invite")


def test_a_few_invites_a_minute_are_followed(limits, clock):
    for _time in range(INVITES):
        assert limits.route(invite("10.0.0.7"))
    with pytest.raises(UsageError, match="too many invites"):
        limits.route(invite("10.0.0.7"))
    clock.now = 10.0
    assert limits.route(invite("10.0.0.7"))
    with pytest.raises(UsageError, match="too many invites"):
        limits.route(invite("10.0.0.7"))


async def test_in_a_full_home_nothing_new_begins_and_a_match_goes_on(tmp_path, limits):
    limits.begin()
    with (tmp_path / "much").open("wb") as file:
        file.truncate(MOST_BYTES)  # without content, so that the test needs no room
    context = Context(Home(tmp_path), "127.0.0.1", limits=limits)
    for command in (Open(Form("escoba")), Join(b"table")):
        with pytest.raises(StoreError, match="no more room"):
            await session_of(context, command, "Jon", Lan(context))(None)
    with pytest.raises(UsageError, match="no unfinished match"):
        await session_of(context, Resume("one"), "Jon", Lan(context))(None)
