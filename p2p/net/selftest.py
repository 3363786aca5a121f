"""Check that multicast leaves and reaches this machine.

It announces a service for a moment, and listens for it.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass

from p2p.net.discovery import interfaces_for
from p2p.net.mdns import in_thread, require_zeroconf

TEST = "_sobremesa-test._udp.local."
"""Not the type of tables: nobody is to see one where there is none."""
ALL_TYPES = "_services._dns-sd._udp.local."
PATIENCE = 3.0
"""Seconds to hear ourselves; the answer takes some milliseconds."""
MORE = 1.5
"""Seconds that others are listened for after that."""


@dataclass(frozen=True, slots=True)
class Echo:
    """A self-test result: whether we heard ourselves, and how many kinds of others' services.

    Such kinds are printers, loudspeakers, tables.
    """

    ourselves: bool
    others: int


async def listen_for_ourselves(interface: str | None) -> Echo:
    """Announce something and listen for it, and for others, on `interface` alone or on all.

    NoDiscovery.
    """
    require_zeroconf()
    return await in_thread(lambda: _listen(interface))


def _listen(interface: str | None) -> Echo:
    """Do it, in a worker thread: it takes about two seconds."""
    from zeroconf import ServiceBrowser, ServiceInfo, Zeroconf  # noqa: PLC0415 -- loaded already

    name = f"{secrets.token_hex(8)}.{TEST}"
    received, types = threading.Event(), set[str]()

    def note(found: str) -> None:
        if found == name:
            received.set()

    interfaces = interfaces_for(interface)
    speaker = Zeroconf(interfaces, use_asyncio=False)
    try:
        listener = Zeroconf(interfaces, use_asyncio=False)
        try:
            ServiceBrowser(listener, TEST, handlers=[lambda name, **_: note(name)])
            ServiceBrowser(listener, ALL_TYPES, handlers=[lambda name, **_: types.add(name)])
            speaker.register_service(
                ServiceInfo(TEST, name, port=9, server=f"{name[:16]}.local."),
                cooperating_responders=True,
            )
            ourselves = received.wait(PATIENCE)
            threading.Event().wait(MORE)
            return Echo(ourselves, len(types - {TEST}))
        finally:
            listener.close()
    finally:
        speaker.close()
