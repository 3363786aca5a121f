"""The limits of a visitor, the tables at which it sits down at once, seats for those that wait."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from client.session.context import Context
from client.session.lan import Lan
from client.session.status import UsageError
from client.storage.home import Home, StoreError, open_home
from client.ui.phone.limits import INVITES, MOST_BYTES, VisitorLimits
from client.ui.screen import sessions
from client.ui.screen.kept import Form, PhonesShown, VisitorShown
from client.ui.screen.messages import Join, Open, Resume
from client.ui.screen.sessions import session_of
from client.ui.screen.state import ScreenState
from p2p.net.invite import Invite
from tests.client.ui.view.acts import bare, pressed

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


@pytest.fixture
def owner(tmp_path):
    return open_home(tmp_path / "owner").identity


async def waits(monkeypatch: pytest.MonkeyPatch, context: Context, where: str | bytes) -> bool:
    """Whether the table at this place waits until our player has seen it."""
    found = []

    async def join_table(*_args: Any, held: bool) -> int:
        found.append(held)
        return 0

    monkeypatch.setattr(sessions, "join_table", join_table)
    player: Any = None
    await session_of(context, Join(where), "Jon", Lan(context))(player)
    (held,) = found
    return held


async def test_the_table_of_the_owner_is_sat_down_at_by_one_tap(monkeypatch, tmp_path, owner):
    context = Context(open_home(tmp_path / "jon"), machine=owner.public)
    assert not await waits(monkeypatch, context, owner.id)


async def test_another_table_is_seen_first(monkeypatch, tmp_path, owner):
    context = Context(open_home(tmp_path / "jon"), machine=owner.public)
    assert await waits(monkeypatch, context, open_home(tmp_path / "mary").identity.id)
    assert await waits(monkeypatch, context, "SBM1-0000")


LOBBY = VisitorShown("001-a", page="lobby", here=True)
PLAYING = replace(LOBBY, id="002-b", page="play", game="truco", bound=True)
ASLEEP = replace(LOBBY, id="003-c", here=False)


def opened(*visitors: VisitorShown) -> ScreenState:
    """Return the form of a table for others, on a laptop that has these visitors."""
    phones = PhonesShown("192.168.1.2:47757", (), visitors)
    state = replace(bare(), kept=replace(bare().kept, phones=phones))
    return pressed(state, ["o: open a table for others"])[0]


@pytest.mark.parametrize(
    ("visitors", "seats"),
    [
        ((), 2),
        ((ASLEEP, PLAYING), 2),
        ((LOBBY, ASLEEP), 2),
        ((LOBBY, LOBBY), 3),
        ((LOBBY,) * 4, 6),
        ((LOBBY,) * 8, 6),
    ],
)
def test_a_table_for_others_has_seats_for_the_phones_that_wait(visitors, seats):
    assert opened(*visitors).kept.form.seats == seats


def test_of_an_invite_the_addresses_of_this_network_are_dialled(limits):
    route = limits.route(invite("10.0.0.7", "127.0.0.1"))
    assert route.addresses == [("10.0.0.7", 47747)]
    assert (route.expect, route.secret, route.found) == (ID, SECRET, "invite")
