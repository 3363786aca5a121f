"""The connections that false addresses can make a program open, counted by the system.

    unshare --net sh -c 'ip link set lo up && exec python -m tests.net.dials KIND'

It prints one line of JSON: the connections that this network namespace has opened, and the seconds
that it took. Kinds: `told`, the addresses of 15 players that a host or a resume record names, 120
new ones ten times a second; `adverts`, those of invented players, all at one machine.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import trio

from crypto.identity import Identity
from p2p.net.mesh import open_mesh
from p2p.net.probe import open_prober

HOME = "127.0.0.1"
SECONDS = 6.0


def opened() -> int:
    """Return how many connections programs here have opened (RFC 4022, tcpActiveOpens)."""
    names, values = (
        line.split()
        for line in Path("/proc/net/snmp").read_text(encoding="ascii").splitlines()
        if line.startswith("Tcp:")
    )
    return int(values[names.index("ActiveOpens")])


async def told() -> None:
    """Let somebody name addresses of players, each time others."""
    who = Identity.from_seed(bytes([91]) * 32)
    with tempfile.TemporaryDirectory() as folder:
        pem = Path(folder) / "key.pem"
        pem.touch(0o600)
        pem.write_bytes(who.pem())
        async with open_mesh(who, pem, interface=HOME, port=0) as mesh:
            for turn in range(int(SECONDS * 10)):
                for number in range(15):
                    first = 2000 + (turn * 120 + number * 8) % 40000
                    addresses = [(HOME, first + place) for place in range(8)]
                    mesh.keep(bytes([number]) * 32, addresses)
                await trio.sleep(0.1)


async def adverts() -> None:
    """Ask invented players for proofs, all at one machine."""
    async with open_prober() as prober:
        with trio.move_on_after(SECONDS):
            for number in range(10**6):
                player = number.to_bytes(32, "big")
                ports = [2000 + (number * 8 + place) % 40000 for place in range(8)]
                await prober.prove(player, [(HOME, port) for port in ports])
                await prober.ask(player, [(HOME, port) for port in ports])
                await trio.sleep(0.01)


async def count(kind: str) -> dict[str, float]:
    before, began = opened(), trio.current_time()
    await {"told": told, "adverts": adverts}[kind]()
    return {"dials": opened() - before, "seconds": trio.current_time() - began}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(trio.run(count, sys.argv[1])) + "\n")
