"""One service in mDNS records: all claims about it, bounded. It runs in zeroconf's thread.

zeroconf's `ServiceInfo` takes the host and port of the last speaker, stops if somebody denies that
an address exists, and needs quadratic time in the number of addresses. Anybody on the network can
forge all that. So here every claim counts and denials do not. If there are too many, the newest
count, and a random sample of the others.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from typing import NamedTuple, TypeVar

from zeroconf import (
    DNSAddress,
    DNSCache,
    DNSOutgoing,
    DNSQuestion,
    DNSRecord,
    DNSService,
    DNSText,
    RecordUpdate,
    RecordUpdateListener,
    Zeroconf,
    current_time_millis,
)

K = TypeVar("K")

NEWEST, BY_CHANCE = 8, 8
"""The addresses used: the newest, and a random sample of the others."""
PLACES = 256
"""The most pairs of a host and a port, half of them the newest."""
TEXTS = 8
"""The most differing texts read, the newest first."""
KEPT = 1024
"""The most claims of each kind kept during a query."""
ASKED_AT = (0.0, 0.25, 1.3)
"""Seconds at which the network is asked; the answers to the first question come to us alone."""
_A, _TXT, _AAAA, _SRV, _IN, _UNICAST = 1, 16, 28, 33, 1, 0x8000


class Claims(NamedTuple):
    """The claims about a service, the newest first."""

    texts: list[bytes]
    hosts: list[str]
    """IPv4 addresses first."""
    ports: list[int]


class Lookup(RecordUpdateListener):
    """Collects the claims about one service."""

    def __init__(self, name: str) -> None:
        self._name = name.lower()
        own = f"{self._name.partition('.')[0]}.local."
        self._texts: dict[bytes, float] = {}
        self._places: dict[tuple[str, int], float] = {}
        self._hosts: dict[str, dict[tuple[bytes, int], float]] = {own: {}}
        """The addresses of each host, with the number of their interface. A table's own host has
        the name of its service; others were named by somebody."""
        self._whole = asyncio.Event()

    async def read(self, zeroconf: Zeroconf, seconds: float) -> Claims | None:
        """Return the claims in the cache, or else those that the network answers in `seconds`."""
        self._read_cache(zeroconf.cache)
        if self._claims() is None and seconds:
            zeroconf.async_add_listener(self, None)
            try:
                await self._ask(zeroconf, seconds)
            finally:
                zeroconf.async_remove_listener(self)
            self._read_cache(zeroconf.cache)
        return self._claims()

    async def _ask(self, zeroconf: Zeroconf, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        for at, then in zip(ASKED_AT, (*ASKED_AT[1:], seconds), strict=True):
            zeroconf.async_send(self._question(alone=not at))
            left = began + min(then, seconds) - loop.time()
            try:
                await asyncio.wait_for(self._whole.wait(), max(left, 0.0))
            except TimeoutError:
                continue
            return

    def _question(self, *, alone: bool) -> DNSOutgoing:
        out = DNSOutgoing(0)
        wanted = [(self._name, _SRV), (self._name, _TXT)]
        for host in list(self._hosts)[:2]:
            wanted += [(host, _A), (host, _AAAA)]
        for name, kind in wanted:
            out.add_question(DNSQuestion(name, kind, _IN | (_UNICAST if alone else 0)))
        return out

    def async_update_records(self, zc: Zeroconf, now: float, records: list[RecordUpdate]) -> None:
        """Take the claims from a packet."""
        del zc
        heard = [update.new for update in records]
        self._take(heard, now)
        if self._texts and self._places and any(self._hosts.values()):
            self._whole.set()

    def async_update_records_complete(self) -> None:
        """Do nothing more."""

    def _read_cache(self, cache: DNSCache) -> None:
        now = current_time_millis()
        for kind in (_SRV, _TXT):
            self._take(cache.async_all_by_details(self._name, kind, _IN), now)
        for host in list(self._hosts):
            for kind in (_A, _AAAA):
                self._take(cache.async_all_by_details(host, kind, _IN), now)

    def _take(self, records: Iterable[DNSRecord], now: float) -> None:
        """Keep the claims among these records: the host names first, then their addresses."""
        addresses: list[DNSAddress] = []
        for record in records:
            if record.is_expired(now):
                continue
            if isinstance(record, DNSAddress):
                addresses.append(record)
            elif record.key != self._name:
                continue
            elif isinstance(record, DNSText):
                _keep(self._texts, record.text, _since(record))
            elif isinstance(record, DNSService):
                _keep(self._places, (record.server_key, record.port), _since(record))
                if len(self._hosts) < PLACES:
                    self._hosts.setdefault(record.server_key, {})
        for one in addresses:
            if (found := self._hosts.get(one.key)) is not None:
                _keep(found, (one.address, one.scope_id or 0), _since(one))

    def _claims(self) -> Claims | None:
        """Return the claims; None without a text, a port or an address."""
        addresses = {
            address: created for found in self._hosts.values() for address, created in found.items()
        }
        if not (self._texts and self._places and addresses):
            return None
        chosen = _some(addresses, NEWEST, BY_CHANCE)
        places = _some(self._places, PLACES // 2, PLACES // 2)
        return Claims(
            _some(self._texts, TEXTS, 0),
            [_host(*one) for one in sorted(chosen, key=lambda one: len(one[0]))],
            list(dict.fromkeys(port for _server, port in places)),
        )


def _keep(claims: dict[K, float], claim: K, created: float) -> None:
    """Keep a claim; if there are too many, it replaces a random one."""
    if claim not in claims and len(claims) >= KEPT:
        del claims[random.choice(list(claims))]  # noqa: S311 -- fair, not secret
    claims[claim] = max(created, claims.get(claim, created))


def _some(claims: Mapping[K, float], newest: int, by_chance: int) -> list[K]:
    """Return the newest claims, and a random sample of the others."""
    ordered = sorted(claims, key=lambda claim: claims[claim])[::-1]
    others = ordered[newest:]
    return ordered[:newest] + random.sample(others, min(by_chance, len(others)))


def _since(record: DNSRecord) -> float:
    """Return the time from which a record counts, in milliseconds.

    zeroconf lets a replaced record live for another second (RFC 6762, 10.2).
    """
    return record.created - (1000 if record.ttl <= 1 else 0)


def _host(address: bytes, scope: int) -> str:
    ip = ip_address(address)
    return f"{ip}%{scope}" if scope and ip.is_link_local else str(ip)
