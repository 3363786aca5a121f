"""A guest whose link to the host breaks, or ends, before all have signed."""

from __future__ import annotations

from random import Random

import pytest

from client.session.host_link import HOST_LOST_S
from client.session.messages import Notice
from p2p.net.errors import Unreachable
from p2p.table.lobby import TableRefused
from tests.client.session.processes import Lan, agreed, comes, opened


@pytest.mark.parametrize("seed", range(5))
def test_a_guest_whose_link_to_the_host_breaks_sits_down_again(seed):
    """Wherever the link breaks: before the table is shown, before the terms, before the match."""
    lan, random = Lan(), Random(seed)
    host = opened(lan, 3)
    guests = [comes(lan, host, 1)]
    for _message in range(random.randrange(4)):
        lan.deliver(random)
    lan.cut(guests[0].id, host.id)
    assert guests[0].notices == [Notice("host-lost", {"seconds": 30})]
    lan.now += HOST_LOST_S - 1
    guests[0].setup.mind_host(5)
    lan.dial_kept()
    guests.append(comes(lan, host, 2))
    for _message in range(random.randrange(12)):
        lan.deliver(random)
    if (guests[1].id, host.id) in lan.links and not guests[1].setup.agreed:
        lan.cut(guests[1].id, host.id)
    for _second in range(20):  # the host lets a guest wait that went after the terms
        lan.settle(random)
        lan.now += 1
        for guest in guests:
            guest.setup.mind_host(5)
    assert len(agreed(host, *guests)) == 1
    assert guests[0].notices[1:] == [Notice("host-back")]


def test_a_guest_gives_up_when_the_link_to_the_host_stays_away():
    lan, random = Lan(), Random(1)
    host = opened(lan, 3)
    guest = comes(lan, host, 1)
    lan.settle(random)
    guest.loses(host.id)
    guest.setup.away(host.id, Unreachable("192.0.2.0:4000", "silent"))
    lan.now += HOST_LOST_S - 1
    guest.setup.mind_host(5)
    lan.now += 1
    with pytest.raises(TableRefused, match="host-lost"):
        guest.setup.mind_host(5)


def test_a_guest_gives_up_when_its_host_listens_no_more():
    lan, random = Lan(), Random(1)
    host = opened(lan, 3)
    guest = comes(lan, host, 1)
    lan.settle(random)
    guest.loses(host.id)
    with pytest.raises(TableRefused, match="host-gone"):
        guest.setup.away(host.id, Unreachable("192.0.2.0:4000", "refused"))
