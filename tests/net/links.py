"""Links in tests: both ends greet, and one runs in a nursery."""

from __future__ import annotations

import trio

from p2p.net.greeting import Hello


async def greet_both(wire, *hellos):
    hellos = hellos or (Hello("0.1", 1), Hello("0.2", 2))
    results = [None, None]

    async def greet(side):
        try:
            await wire.links[side].greet(hellos[side])
        except Exception as error:  # noqa: BLE001 -- handed to the test
            results[side] = error

    async with trio.open_nursery() as nursery:
        nursery.start_soon(greet, 0)
        nursery.start_soon(greet, 1)
    return results


class Running:
    """A link that runs in a nursery, with all that it delivered and why it ended."""

    def __init__(self, nursery, link, deliver=None):
        self.link = link
        self.got = []
        self.reason = None
        self.done = trio.Event()
        self.deliver = deliver or self.take
        nursery.start_soon(self.run)

    async def take(self, value):
        self.got.append(value)

    async def run(self):
        self.reason = await self.link.run(self.deliver)
        self.done.set()
