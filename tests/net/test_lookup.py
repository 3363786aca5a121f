"""The claims about a service: none takes another one away, and any number of them costs little."""

from __future__ import annotations

import asyncio
import ipaddress
import time

import trio
import zeroconf

from p2p.net.lookup import BY_CHANCE, NEWEST, PLACES, TEXTS, Claims, Lookup
from p2p.net.sighting import SERVICE, instance

OWN = instance(bytes(32))
NAME, SERVER = f"{OWN}.{SERVICE}", f"{OWN}.local."
TRUE = "10.0.0.1"


def srv(port: int = 5, server: str = SERVER) -> zeroconf.DNSService:
    return zeroconf.DNSService(NAME, 33, 1, 4500, 0, 0, port, server)


def txt(text: bytes = b"") -> zeroconf.DNSText:
    return zeroconf.DNSText(NAME, 16, 1, 4500, text)


def at(host: str, server: str = SERVER, age: float = 0.0) -> zeroconf.DNSAddress:
    packed = ipaddress.ip_address(host).packed
    created = zeroconf.current_time_millis() - 1000 * age
    return zeroconf.DNSAddress(
        server, 1 if len(packed) == 4 else 28, 1, 4500, packed, created=created
    )


def denial() -> zeroconf.DNSNsec:
    return zeroconf.DNSNsec(SERVER, 47, 1, 4500, SERVER, [33])


async def looked(
    *packets: list[zeroconf.DNSRecord],
    then: list[zeroconf.DNSRecord] | None = None,
    old: list[zeroconf.DNSRecord] | None = None,
) -> Claims | None:
    """Read what these packets say, and a last one that comes while the network is asked."""
    server = await trio.to_thread.run_sync(lambda: zeroconf.Zeroconf(interfaces=["127.0.0.1"]))

    def receive(records: list[zeroconf.DNSRecord]) -> None:
        packet = zeroconf.DNSOutgoing(0x8400)
        for record in records:
            packet.add_answer_at_time(record, 0)
        for data in packet.packets():
            server.record_manager.async_updates_from_response(zeroconf.DNSIncoming(data))

    async def read() -> Claims | None:
        for records in packets:
            receive(records)
            await asyncio.sleep(0.01)
        server.cache.async_add_records(old or [])
        if then is not None:
            server.loop.call_later(0.1, receive, then)
        return await Lookup(NAME).read(server, 0.0 if then is None else 1.0)

    def run() -> Claims | None:
        return asyncio.run_coroutine_threadsafe(read(), server.loop).result(30)

    try:
        return await trio.to_thread.run_sync(run)
    finally:
        await trio.to_thread.run_sync(server.close)


async def test_a_service_is_whole_with_a_port_a_text_and_an_address() -> None:
    assert await looked([srv(), txt(b"a"), at(TRUE)]) == Claims([b"a"], [TRUE], [5])
    for missing in ([srv(), txt()], [srv(), at(TRUE)], [txt(), at(TRUE)]):
        assert await looked(missing) is None


async def test_a_denial_ends_no_question() -> None:
    found = await looked([srv(), txt(), denial()], then=[at(TRUE)])
    assert found is not None
    assert found.hosts == [TRUE]


async def test_an_address_whose_time_has_passed_is_none() -> None:
    """It may stay in the cache for ten seconds more."""
    found = await looked([srv(), txt(), at(TRUE)], old=[at("10.0.0.2", age=4600)])
    assert found is not None
    assert found.hosts == [TRUE]


async def test_a_host_that_somebody_names_takes_no_host_away() -> None:
    found = await looked(
        [srv(), txt(), at(TRUE)], [srv(5, "other.local."), at("10.0.0.9", "other.local.")]
    )
    assert found == Claims([b""], ["10.0.0.9", TRUE], [5])


async def test_the_newest_claims_come_first_and_of_addresses_those_of_ipv4() -> None:
    found = await looked(
        [srv(5), txt(b"a"), at(TRUE)], [srv(6), txt(b"b"), at("10.0.0.2")], [at("fd00::1")]
    )
    assert found == Claims([b"b", b"a"], ["10.0.0.2", TRUE, "fd00::1"], [6, 5])


async def test_any_number_of_claims_costs_little_and_of_old_ones_chance_decides() -> None:
    forged = [at(f"10.1.{number // 250}.{number % 250}") for number in range(5000)]
    ports = [srv(1000 + number) for number in range(2000)]
    texts = [txt(bytes([number])) for number in range(50)]
    began = time.process_time()
    found = [await looked([*forged, *ports, *texts, at(TRUE)], [at("10.0.0.2")]) for _ in range(2)]
    assert time.process_time() - began < 5  # zeroconf's own reading takes longer for one
    for claims in found:
        assert claims is not None
        assert len(claims.hosts) == NEWEST + BY_CHANCE
        assert claims.hosts[0] == "10.0.0.2"
        assert (len(claims.ports), len(claims.texts)) == (PLACES, TEXTS)
    assert set(found[0].hosts) != set(found[1].hosts)
