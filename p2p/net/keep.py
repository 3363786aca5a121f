"""Keep a link to one peer: dial, redial after a delay, and report a peer that stays away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import trio

from p2p.net.addresses import Address, nearest_first
from p2p.net.dial import Me, dial
from p2p.net.errors import NetError
from p2p.net.events import Event, PeerAway
from p2p.net.link import Link
from p2p.net.rate import Turns
from p2p.wire import MOST_ANNOUNCED

TOLD_BURST, TOLD_RATE = 48, 8
"""Limit on dialling addresses that other peers announced and that never led to a link: a burst, and
a rate a second, for all peers together. They may belong to somebody else."""
LED = 2
"""The most addresses kept besides because we reached the peer there. Announced addresses, perhaps
false, do not displace these."""

GROWTH = 1.6


class Keeper:
    """A task that keeps a link to `peer`.

    It passes each link it makes to `adopt`. Its owner reports links with `up` and `down`.
    """

    def __init__(
        self,
        peer: bytes,
        me: Me,
        adopt: Callable[[Link], None],
        emit: Callable[[Event], Awaitable[None]],
        told: Turns | None = None,
    ) -> None:
        self.peer = peer
        self.why: NetError | None = None
        """The error of the last attempt."""
        self._me = replace(
            me,
            timeouts=replace(
                me.timeouts, handshake_s=me.timeouts.attempt_s, connect_s=me.timeouts.attempt_s
            ),
        )
        self._adopt, self._emit = adopt, emit
        self._told = told or Turns(TOLD_BURST, TOLD_RATE)
        self._addresses: list[Address] = []
        self._led: list[Address] = []
        self._untried: list[Address] = []
        self._trying = 0
        """The number of attempts under way."""
        self._linked = False
        self._reported = False
        self._since = trio.current_time()  # since when it is linked, or not
        self._pause = 0.0
        self._changed = trio.Event()
        self._scope = trio.CancelScope()

    def learn(self, addresses: Sequence[Address]) -> None:
        """Remember MOST_ANNOUNCED addresses, the newest first.

        New ones are dialled at once, even while an attempt is under way.
        """
        new = [address for address in addresses if address not in [*self._led, *self._addresses]]
        self._addresses = list(dict.fromkeys([*addresses, *self._addresses]))[:MOST_ANNOUNCED]
        if new:
            self._untried = new[:MOST_ANNOUNCED]
            self.wake()

    def up(self, address: Address) -> None:
        """Note a link. `address` is where the peer can be dialled; port 0 means nowhere."""
        if address[1]:
            self._led = list(dict.fromkeys([address, *self._led]))[:LED]
        self._linked = True
        self._reported = False
        self._since = trio.current_time()
        self._changed_now()

    def down(self, *, reported: bool) -> None:
        """Note that the link ended. `reported`: the owner knows of the absence already."""
        now = trio.current_time()
        if now - self._since > self._me.timeouts.settle_s:
            # A link that ends at once leaves the pause as it is: no tight loop of dialling.
            self._pause = 0.0
        self._linked = False
        self._reported = reported
        self._since = now
        self._changed_now()

    def wake(self) -> None:
        """Try now: conditions may have improved."""
        self._pause = 0.0
        self._changed_now()

    def stop(self) -> None:
        """Stop keeping the link."""
        self._scope.cancel()

    async def run(self) -> None:
        """Run until stopped."""
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._dial)
                nursery.start_soon(self._dial_new)
                nursery.start_soon(self._watch)

    async def _dial(self) -> None:
        timeouts = self._me.timeouts
        while True:
            if self._linked:
                await self._changed.wait()
                continue
            wait = self._pause or (timeouts.courtesy_s if self._me.identity.id > self.peer else 0.0)
            if wait and await self._news_within(wait):
                continue
            self._pause = min(max(self._pause * GROWTH, timeouts.redial_s), timeouts.redial_most_s)
            addresses = [*self._led, *self._addresses]
            if not addresses:
                await self._changed.wait()
                continue
            self._untried = []
            if await self._try(addresses):
                await self._news_within(timeouts.redial_s)

    async def _dial_new(self) -> None:
        """Dial new addresses while the old ones are dialled.

        After a change of network, dialling the old ones takes long.
        """
        while True:
            addresses, self._untried = self._untried, []
            if addresses and not self._linked and self._trying:
                await self._try(addresses)
            else:
                await self._changed.wait()

    async def _try(self, addresses: Sequence[Address]) -> bool:
        """Dial; return whether we made a link."""
        now = trio.current_time()
        addresses = [one for one in addresses if one in self._led or self._told.take("", now)]
        if not addresses:
            return False
        self._trying += 1
        try:
            link = await dial(nearest_first(addresses), self._me, expect=self.peer)
        except NetError as error:
            self.why = error
            return False
        finally:
            self._trying -= 1
        self.why = None
        self._adopt(link)
        return True

    async def _watch(self) -> None:
        """Report once if the peer has been away for `timeouts.away_s`."""
        while True:
            left = self._since + self._me.timeouts.away_s - trio.current_time()
            if self._linked or self._reported:
                await self._changed.wait()
            elif left > 0:
                await self._news_within(left)
            else:
                self._reported = True
                await self._emit(PeerAway(self.peer, self.why))

    def _changed_now(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def _news_within(self, seconds: float) -> bool:
        with trio.move_on_after(seconds):
            await self._changed.wait()
            return True
        return False
