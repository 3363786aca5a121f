"""A machine that floods the loopback interface of its network namespace with forged adverts, and a
program that looks for tables.

    unshare --net sh -c 'ip link set lo up && exec python -m tests.net.advert_flood KIND'

After two seconds of the flood a stranger and a known player open a table each; both answer for
their keys. It prints one line of JSON: after how many seconds each was seen (null if not within two
and a half minutes), how many tables are shown, and the cost. Kinds:

- `names`: services that nothing can be learned about;
- `own`: whole services, all at the flooder's own address;
- `everywhere`: whole services, each at another address, where nobody is;
- `beside`: whole services, all at the address of the honest tables, where nobody listens for them;
- `poison`: the honest tables' own services, with a port where nobody listens.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import socket
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import trio

from crypto.identity import Identity
from p2p.net.discovery import Discovery, open_discovery
from p2p.net.mesh import open_mesh
from p2p.net.sighting import SERVICE, Advert, instance, txt_of

HOME = "127.0.0.1"
RATE = 300
"""Forged services a second."""
LEAD = 2.0
LONGEST = float(os.environ.get("ADVERT_FLOOD_SECONDS", "150"))
FLOODER = "127.0.0.66"
STRANGER, FRIEND = (Identity.from_seed(bytes([number]) * 32) for number in (71, 72))


def forged(kind: str, chance: random.Random, targets: list[bytes]) -> list[bytes]:
    """One forged service, as packets."""
    import zeroconf  # noqa: PLC0415 -- in the flooder's process alone

    player = chance.choice(targets) if kind == "poison" else chance.randbytes(32)
    name = f"{instance(player)}.{SERVICE}"
    out = zeroconf.DNSOutgoing(0x8400)
    out.add_answer_at_time(zeroconf.DNSPointer(SERVICE, 12, 1, 4500, name), 0)
    if kind != "names":
        advert = Advert(
            player, "!", "escoba", f"forged-{chance.randrange(10**9)}", 1, 2, "open", 47747, 1
        )
        text = b"".join(
            bytes([len(item)]) + item
            for key, value in txt_of(advert).items()
            for item in [f"{key}={value}".encode()]
        )
        server = f"{instance(player)}.local."
        host = (
            f"127.{chance.randrange(1, 255)}.{chance.randrange(256)}.7"
            if kind == "everywhere"
            else HOME
            if kind == "beside"
            else FLOODER
        )
        out.add_answer_at_time(
            zeroconf.DNSService(
                name, 33, 0x8001, 4500, 0, 0, chance.randrange(47000, 48000), server
            ),
            0,
        )
        out.add_answer_at_time(zeroconf.DNSText(name, 16, 0x8001, 4500, text), 0)
        out.add_answer_at_time(
            zeroconf.DNSAddress(server, 1, 0x8001, 4500, socket.inet_aton(host)), 0
        )
    return out.packets()


def flood(kind: str, targets: list[bytes]) -> None:
    chance = random.Random(1)
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(HOME))
    line.bind((FLOODER, 0))
    began, sent = time.monotonic(), 0
    while time.monotonic() < began + LEAD + LONGEST:
        for packet in forged(kind, chance, targets):
            line.sendto(packet, ("224.0.0.251", 5353))
        sent += 1
        time.sleep(max(0.0, began + sent / RATE - time.monotonic()))


async def opened(stack: AsyncExitStack, who: Identity, table: str, folder: Path) -> Discovery:
    """Open a table: something that proves its key, and the advert of it."""
    pem = folder / f"{table}.pem"
    pem.write_bytes(who.pem())
    mesh = await stack.enter_async_context(open_mesh(who, pem, interface=HOME, port=0))
    discovery = await stack.enter_async_context(open_discovery(HOME))
    await discovery.advertise(Advert(who.id, "Zoe", "escoba", table, 1, 2, "open", mesh.port, 1))
    return discovery


def megabytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


async def look(kind: str, options: dict[str, Any]) -> dict[str, Any]:
    flooder = multiprocessing.get_context("fork").Process(
        target=flood, args=(kind, [STRANGER.id, FRIEND.id]), daemon=True
    )
    flooder.start()
    found: dict[str, Any] = {"kind": kind, "stranger": None, "friend": None}
    before, cpu = megabytes(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        async with open_discovery(HOME, **options) as ours, AsyncExitStack() as stack:
            await trio.sleep(LEAD)
            ports = {}
            for who, table in ((STRANGER, "stranger"), (FRIEND, "friend")):
                theirs = await opened(stack, who, table, Path(folder))
                ports[who.id] = theirs.advert.port if theirs.advert else 0
            began = trio.current_time()
            most = 0
            while trio.current_time() < began + LONGEST and None in (
                found["stranger"],
                found["friend"],
            ):
                seen = ours.seen()
                most = max(most, len(seen))
                for who, table in ((STRANGER, "stranger"), (FRIEND, "friend")):
                    if found[table] is None and (HOME, ports[who.id]) in getattr(
                        seen.get(who.id), "addresses", ()
                    ):
                        found[table] = round(trio.current_time() - began, 2)
                await trio.sleep(0.05)
            took = trio.current_time() - began + LEAD
            shown = list(ours.seen())
            found |= {
                "most": most,
                "megabytes": round(megabytes() - before, 1),
                "cpu": round((time.process_time() - cpu) / took, 2),
            }
            found["still"] = [
                table
                for who, table in ((STRANGER, "stranger"), (FRIEND, "friend"))
                if who.id in shown
            ]
    flooder.terminate()
    return found


if __name__ == "__main__":
    options = {"known": frozenset({FRIEND.id})} if "--old" not in sys.argv else {}
    sys.stdout.write(json.dumps(trio.run(look, sys.argv[1], options)) + "\n")
