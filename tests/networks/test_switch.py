"""The weather between the hosts does what it is asked for, and the same every time; no network is
needed for that."""

from __future__ import annotations

from random import Random
from statistics import mean

import pytest

from tests.networks.switch import Weather, mac, sinks

MULTICAST = bytes.fromhex("01005e0000fb") + mac(0) + bytes(50)
BROADCAST = b"\xff" * 6 + mac(0) + bytes(50)
TO_2 = mac(2) + mac(0) + bytes(50)


def fates(
    weather: Weather, frame: bytes = TO_2, source: int = 0, sink: int = 2, seed: int = 1
) -> list[float | None]:
    chance = Random(seed)
    return [weather.fate(source, sink, frame, chance) for _ in range(2000)]


def test_a_frame_goes_to_one_or_to_all_others():
    assert sinks(TO_2, 0, 4) == [2]
    assert sinks(BROADCAST, 1, 4) == sinks(MULTICAST, 1, 4) == [0, 2, 3]
    assert sinks(mac(9) + mac(0), 0, 4) == []


def test_in_fair_weather_all_arrives_at_once():
    assert set(fates(Weather())) == {0.0}


@pytest.mark.parametrize(
    ("source", "sink", "arrives"), [(0, 2, False), (2, 0, False), (2, 1, False), (0, 1, True)]
)
def test_a_host_that_is_cut_off_neither_sends_nor_hears(source, sink, arrives):
    assert set(fates(Weather(cut=[2]), source=source, sink=sink)) == ({0.0} if arrives else {None})


def test_one_direction():
    weather = Weather(deaf=[[2, 0]])
    assert set(fates(weather, source=2, sink=0)) == {None}
    assert set(fates(weather, source=0, sink=2)) == set(fates(weather, source=2, sink=1)) == {0.0}


def test_without_multicast_broadcast_still_passes():
    weather = Weather(multicast=False)
    assert set(fates(weather, MULTICAST)) == {None}
    assert set(fates(weather, BROADCAST)) == set(fates(weather)) == {0.0}


def test_loss_and_delay_by_the_seed():
    weather = Weather(loss=0.1, delay=0.2, jitter=0.1)
    found = fates(weather)
    late = [seconds for seconds in found if seconds is not None]
    assert 0.08 < found.count(None) / len(found) < 0.12
    assert 0.1 <= min(late) < 0.11
    assert 0.29 < max(late) <= 0.3
    assert 0.19 < mean(late) < 0.21
    assert found == fates(weather)
    assert found != fates(weather, seed=2)
