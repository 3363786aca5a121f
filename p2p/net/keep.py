"""Keep a link to one peer: dial, redial after a delay, and report a peer that stays away.

If there is no link, it dials at once.
"""

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

TOLD_BURST, TOLD_RATE = 48, 8
"""Connections to addresses that others have told, and where no link has led yet: so many at once,
then so many a second, for all peers together: they may be those of somebody else."""
ADDRESSES = 8
"""How many addresses of a peer are remembered, the newest first."""
LED = 2
"""And so many more at which we have reached it: addresses told by others, perhaps false, do not
displace these."""

GROWTH = 1.6


class Keeper:
    """A task that wants a link to `peer`.

    It hands the links it makes to `adopt` and hears by `up` and `down` what became of them.
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
        """The result of the last try."""
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
        """How many tries to dial are under way."""
        self._linked = False
        self._reported = False
        self._since = trio.current_time()  # it is so, linked or not
        self._pause = 0.0
        self._changed = trio.Event()
        self._scope = trio.CancelScope()

    def learn(self, addresses: Sequence[Address]) -> None:
        """Remember addresses, before those known.

        New ones are tried at once, while others are perhaps still waited for.
        """
        new = [address for address in addresses if address not in [*self._led, *self._addresses]]
        self._addresses = list(dict.fromkeys([*addresses, *self._addresses]))[:ADDRESSES]
        if new:
            self._untried = new[:ADDRESSES]
            self.wake()

    def up(self, address: Address) -> None:
        """There is a link now, to where it can be dialled (port 0: nowhere)."""
        if address[1]:
            self._led = list(dict.fromkeys([address, *self._led]))[:LED]
        self._linked = True
        self._reported = False
        self._since = trio.current_time()
        self._changed_now()

    def down(self, *, reported: bool) -> None:
        """There is none any more; `reported` if its absence is already known to the owner."""
        now = trio.current_time()
        if now - self._since > self._me.timeouts.settle_s:
            # it was a good link; one that ends at once is not dialled in a tight circle
            self._pause = 0.0
        self._linked = False
        self._reported = reported
        self._since = now
        self._changed_now()

    def wake(self) -> None:
        """Try now: something has changed for the better, perhaps."""
        self._pause = 0.0
        self._changed_now()

    def stop(self) -> None:
        """Want no link any more."""
        self._scope.cancel()

    async def run(self) -> None:
        """Work until stopped."""
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

        When all machines have moved, nobody answers at the old ones for a long time.
        """
        while True:
            addresses, self._untried = self._untried, []
            if addresses and not self._linked and self._trying:
                await self._try(addresses)
            else:
                await self._changed.wait()

    async def _try(self, addresses: Sequence[Address]) -> bool:
        """Dial; return whether there is a link now that we have made."""
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
        """Report once when the peer has stayed away for `timeouts.away_s`."""
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
