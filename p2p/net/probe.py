"""Ask at an advertised address for the owner of a key, or for its table.

A probe is a connection and TLS, nothing more. Adverts of strangers are probed in a crowd. The host
is asked about its table if announcements differ. We use a key made for this alone, so nobody learns
who asks, and the player's links stay untouched. The other side must speak first: a stranger's
advert may name the port of a printer.
"""

from __future__ import annotations

import os
import tempfile
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import trio

from crypto.identity import Identity
from p2p.net.addresses import Address, origin, show_address
from p2p.net.dial import Me, connect, greeted
from p2p.net.errors import NetError, Unreachable, VersionMismatch
from p2p.net.link import Link
from p2p.net.rate import Turns
from p2p.net.timeouts import LIMITS, TIMEOUTS
from p2p.net.tls import secure

PATIENCE = replace(TIMEOUTS, connect_s=2.0, certificate_s=2.0, handshake_s=3.0)

MODEST = replace(LIMITS, rate=LIMITS.stranger_rate, burst=LIMITS.stranger_burst)
"""A host that we ask has the allowance of a stranger."""

TRIED = 96
"""The most addresses tried of one advert; those that refuse cost nothing."""
PAUSE_S = 120.0
"""Seconds for which an address where a key was not found is tried last."""
REMEMBERED = 8192
"""The most such pairs of a key and an address."""
LONGEST = 5.0
"""Seconds for all addresses."""
STAGGER = 0.1
"""Seconds between two addresses of a host."""


BURST, RATE = 128, 8
"""Limit on connections to one machine: a burst, and a rate a second, for all adverts together."""


class Proof(NamedTuple):
    """The result of a probe: the address at which the key was proven, or None.

    `silent`: nothing answered at any address.
    """

    address: Address | None
    silent: bool
    tried: bool = True
    """Whether any address was tried; the rate limit may have forbidden it."""


class Answer(NamedTuple):
    """A host's answer to a `look`, and the address at which it proved its key.

    Without an address, nobody proved the key. `version` is that of a host with another protocol.
    """

    address: Address | None
    value: Any = None
    version: int | None = None


class Prober:
    """Probes hosts with a key of its own; made by `open_prober`."""

    def __init__(self, identity: Identity, pem_path: Path) -> None:
        self._identity, self._pem_path = identity, pem_path
        self._turns = Turns(BURST, RATE)
        self._failed: OrderedDict[tuple[bytes, Address], float] = OrderedDict()
        """When the pause for a key at an address ends."""

    def untried(self, player: bytes, addresses: Sequence[Address]) -> list[Address]:
        """Return the addresses at which we did not recently fail to find this key."""
        now = trio.current_time()
        return [one for one in addresses if self._failed.get((player, one), now) <= now]

    async def prove(self, player: bytes, addresses: Sequence[Address]) -> Proof:
        """Probe these addresses in turn for the owner of this id's key."""
        silent, tried = True, not addresses
        with trio.move_on_after(LONGEST):
            for address in addresses[:TRIED]:
                if not self._turns.take(origin(address[0]), trio.current_time()):
                    continue
                tried = True
                try:
                    stream = await connect(address, PATIENCE)
                except Unreachable as error:
                    silent = silent and error.hint != "refused"
                    self._note_failure(player, address)
                    continue
                silent = False
                if await self._proves(player, stream, address):
                    return Proof(address, silent=False)
                self._note_failure(player, address)
        return Proof(None, silent, tried)

    async def ask(self, player: bytes, addresses: Sequence[Address]) -> Answer:
        """Ask the owner of this id's key for its table, at the first address where it answers.

        The addresses are dialled in a staggered race; those of recent failures come last.
        """
        me = Me(self._identity, self._pem_path, timeouts=PATIENCE, limits=MODEST)
        answers: list[Answer] = []
        turn = trio.Lock()  # a host with two addresses is asked over one link

        async def attempt(address: Address) -> None:
            try:
                async with greeted(address, me, player, turn) as link:
                    answers.append(Answer(address, await _answer(link)))
            except VersionMismatch as error:
                answers.append(Answer(address, version=error.theirs))
            except NetError:
                self._note_failure(player, address)
                return
            nursery.cancel_scope.cancel()

        with trio.move_on_after(LONGEST):
            async with trio.open_nursery() as nursery:
                ordered = dict.fromkeys((*self.untried(player, addresses), *addresses))
                for address in list(ordered)[:TRIED]:
                    if self._turns.take(origin(address[0]), trio.current_time()):
                        nursery.start_soon(attempt, address)
                        await trio.sleep(STAGGER)
        return answers[0] if answers else Answer(None)

    def _note_failure(self, player: bytes, address: Address) -> None:
        self._failed[player, address] = trio.current_time() + PAUSE_S
        self._failed.move_to_end((player, address))
        if len(self._failed) > REMEMBERED:
            self._failed.popitem(last=False)

    async def _proves(self, player: bytes, stream: trio.SocketStream, address: Address) -> bool:
        try:
            with trio.move_on_after(PATIENCE.handshake_s):
                await secure(
                    stream,
                    self._identity,
                    server_side=False,
                    pem_path=self._pem_path,
                    expect=player,
                    address=show_address(address),
                    timeouts=PATIENCE,
                )
                return True
        except NetError:
            return False
        finally:
            await trio.aclose_forcefully(stream)
        return False


async def _answer(link: Link) -> Any:
    """Ask a host for its table over a link, and close the link; None without an answer."""
    found: list[Any] = []

    async def deliver(value: Any) -> None:
        if isinstance(value, dict) and value["t"] in ("table", "refuse"):
            found.append(value)
            link.close()

    link.send({"t": "look", "secret": b""})
    with trio.move_on_after(PATIENCE.handshake_s):
        await link.run(deliver)
    await link.abort()
    return found[0] if found else None


@asynccontextmanager
async def open_prober() -> AsyncIterator[Prober]:
    """Make a key, and forget it when the body ends."""
    identity = Identity.from_seed(os.urandom(32))
    with tempfile.TemporaryDirectory(prefix="sobremesa-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "probe.pem"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(identity.pem())
        yield Prober(identity, path)
