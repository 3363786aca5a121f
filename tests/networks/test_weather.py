"""A match over a bad network: frames are lost, the others 0.1 to 0.3 s late, each by itself so that
they overtake.

In most tests the weather turns bad when all have seen a move.
"""

from __future__ import annotations

from statistics import median

import pytest

from client.session.status import Status
from tests.end_to_end.processes import eventually, same_logs
from tests.networks.lan import address_of, in_mid_match, latencies, stories


@pytest.mark.slow
@pytest.mark.soak
def test_loss_delay_and_disorder(net, figure):
    guests = net.four("--option", "target=1")
    in_mid_match(guests, moves=1)
    net.weather(loss=0.1, delay=0.2, jitter=0.1)
    for guest in reversed(guests):  # the host last: it waits for ever for a guest that has failed
        assert guest.ends(seconds=200) == 0, guest.err
    same_logs(*guests)
    found = latencies(guests)
    figure(
        f"10 % loss, 200 ± 100 ms: {len(found)} moves, median {median(found):.2f} s to all, the "
        f"slowest {max(found):.2f} s"
    )
    assert median(found) <= 1.0


@pytest.mark.slow
@pytest.mark.soak
def test_heavy_loss_shows_nobody_another_program_with_its_key(net):
    """Links are often lost and dialled anew, by both sides at once, and one of the two goes."""
    guests = net.four("--option", "target=1")
    in_mid_match(guests, moves=1)
    net.weather(loss=0.25, delay=0.2, jitter=0.1)
    for guest in reversed(guests):
        assert guest.ends(seconds=400) == 0, guest.err
        assert "another program with your key" not in guest.out


@pytest.mark.slow
def test_a_guest_that_loses_its_host_before_the_match_comes_back(net, figure):
    host = net.table("escoba", "--seats", "3", "--option", "target=1")
    jon = net.join(1, address_of(host))
    host.says("p2: jon")
    cut = net.weather(cut=[1])
    jon.sees("The link to the host is lost. Trying again for 30 seconds", after=cut)
    host.sees("p2 is free again", after=cut)
    healed = net.weather(cut=[])
    jon.sees("The link to the host is back", after=healed)
    back = host.sees("p2: jon", after=healed).at - healed
    figure(f"a guest is seated again {back:.1f} s after the return of its network")
    mary = net.join(2, address_of(host))
    assert [guest.ends() for guest in (host, jon, mary)] == [0, 0, 0]
    same_logs(host, jon, mary)


@pytest.mark.slow
@pytest.mark.parametrize("hosts", [2])
def test_a_guest_whose_host_stays_away_gives_up(net):
    host = net.table("escoba", "--seats", "3")
    jon = net.join(1, address_of(host))
    host.says("p2: jon")
    net.weather(cut=[1])
    assert jon.ends() == Status.REFUSED
    assert jon.sentence().startswith("the link to the host was lost, and there was no way back")


@pytest.mark.slow
@pytest.mark.soak
def test_guests_sit_down_in_bad_weather(net):
    """The weather is bad before anybody sits. All links must hold until the match begins.

    With 25 % of the frames lost this took more than 200 seconds once: links break too often there.
    """
    host = net.table("escoba", "--seats", "4", "--option", "target=1")
    net.weather(loss=0.1, delay=0.2, jitter=0.1)
    guests = [net.join(number, address_of(host)) for number in (1, 2, 3)]
    eventually(
        lambda: all("The match begins" in guest.out for guest in guests),
        "the match",
        200,
        lambda: stories((host, *guests)),
    )
    net.weather(loss=0.0, delay=0.0, jitter=0.0)
    assert [guest.ends(seconds=200) for guest in (*guests, host)] == [0] * 4
    same_logs(host, *guests)
