"""Networks that come and go under a running match: nobody has to do anything, and play goes on."""

from __future__ import annotations

import time

import pytest

from tests.end_to_end.processes import eventually
from tests.networks.lan import LONG, NAMES, Guest, Lan, in_mid_match, stories

AWAY = 25.0
"""Seconds until somebody who is not heard is told to be away; other work shares the machine."""
AGAIN = 25.0
"""Seconds from the network's return until play goes on."""


HOLE = 30.0
STILL = 3.0
"""Seconds in which nobody moves any more, if the one in the hole is missed."""


def hole(net: Lan, guests: list[Guest], lost: int, seconds: float = HOLE) -> float:
    """Take one host off the network in mid-match and bring it back; return after how many seconds
    all saw a move again."""
    begun = net.weather(cut=[lost])
    time.sleep(max(0.0, begun + seconds - time.monotonic()))
    before = [len(guest.moves()) for guest in guests]
    still = max(guest.moves()[-1].at for guest in guests)
    assert still < begun + seconds - STILL, "the table had not missed the one who was in the hole"
    back = net.weather(cut=[])

    def gone_on() -> bool:
        return all(len(guest.moves()) > seen for guest, seen in zip(guests, before, strict=True))

    eventually(gone_on, "a move after the hole", 20, lambda: stories(guests))
    return max(guest.moves()[seen].at for guest, seen in zip(guests, before, strict=True)) - back


def goes_on(guests: list[Guest], since: float, moves: int = 5, seconds: float = 30) -> float:
    """Wait for moves after a moment; return how long after it everybody had seen the first of
    them."""

    def later(guest: Guest) -> list[float]:
        return [line.at for line in guest.moves() if line.at > since]

    eventually(
        lambda: all(len(later(guest)) >= moves for guest in guests),
        "play",
        seconds,
        lambda: stories(guests),
    )
    return max(later(guest)[0] for guest in guests) - since


@pytest.mark.slow
@pytest.mark.soak
def test_a_hole_of_thirty_seconds(net, figure):
    guests = net.four(*LONG)
    in_mid_match(guests)
    took = hole(net, guests, 2)
    goes_on(guests, time.monotonic(), moves=20)
    figure(f"a hole of 30 s: play went on {took:.2f} s after the network's return")
    assert took < AGAIN
    # two of them may still be without a link of their own: they have played through the others
    for guest in guests:
        eventually(
            lambda guest=guest: guest.out.count("is away") == guest.out.count("is back") > 0,
            "all to be back",
        )


@pytest.mark.slow
@pytest.mark.soak
def test_words_that_only_one_of_two_hears_go_round_by_the_others(net, figure):
    guests = net.four(*LONG)
    in_mid_match(guests)
    # mary's frames never reach ane; ane's frames reach mary
    deaf = net.weather(deaf=[[2, 0]])
    ane, mary = guests[0], guests[2]
    at = [
        ane.sees(r"mary is away", after=deaf).at - deaf,
        mary.sees(r"ane is away", after=deaf).at - deaf,
    ]
    gap = goes_on(guests, deaf, moves=20)
    figure(
        f"one direction lost: away after {at[0]:.1f} s and {at[1]:.1f} s; the next move reached "
        f"all after {gap:.2f} s"
    )
    assert max(at) < AWAY
    assert gap < AGAIN
    healed = net.weather(deaf=[])
    for guest, other in ((ane, "mary"), (mary, "ane")):
        guest.sees(f"{other} is back", after=healed)
    goes_on(guests, time.monotonic())


@pytest.mark.slow
def test_one_direction_of_everything_is_lost(net, figure):
    guests = net.four(*LONG)
    in_mid_match(guests)
    deaf = net.weather(deaf=[[2, 0], [2, 1], [2, 3]])
    mary, others = guests[2], [guest for guest in guests if guest is not guests[2]]
    at = [guest.sees(r"mary is away", after=deaf).at - deaf for guest in others]
    at += [mary.sees(f"{NAMES[host]} is away", after=deaf).at - deaf for host in (0, 1, 3)]
    healed = net.weather(deaf=[])
    took = goes_on(guests, healed)
    figure(
        f"nobody hears one of four: away after {max(at):.1f} s at most; play went on {took:.2f} s "
        f"after the return"
    )
    assert max(at) < AWAY
    assert took < AGAIN
