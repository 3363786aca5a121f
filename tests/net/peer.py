"""An honest peer of the flood tests, as a process: it keeps links to the others, says what it is
told, and tells what it hears.

    python -m tests.net.peer NUMBER

On standard input it takes one line with the four ports, then lines with a number to say.

It prints its port, then `up` when it has three links, `said NUMBER TIME` and `heard NUMBER TIME` by
a clock that all processes of this machine share; after an empty line how many of the links it has;
at the end of its input the most memory that it ever used, in KiB.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path

import trio

from crypto.identity import Identity
from p2p.net.events import LinkUp, Received
from p2p.net.mesh import Mesh, open_mesh

LOOPBACK = "127.0.0.1"


def identity(number: int) -> Identity:
    return Identity.from_seed(bytes([number + 100]) * 32)


def most_memory() -> int:
    """The most memory this process has had, in kB; `ru_maxrss` would count that of the process that
    started it."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1])


async def main(number: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        pem = Path(folder, "key.pem")
        pem.touch(0o600)
        pem.write_bytes(identity(number).pem())
        async with (
            open_mesh(identity(number), pem, interface=LOOPBACK, port=0) as mesh,
            trio.open_nursery() as nursery,
        ):
            print(mesh.port, flush=True)
            others = {identity(other).id for other in range(4) if other != number}
            for other, port in enumerate((await _line()).split()):
                if other != number:
                    mesh.keep(identity(other).id, [(LOOPBACK, int(port))])
            nursery.start_soon(_listen, mesh, others)
            while (line := await _line()).strip():
                mesh.broadcast(
                    {"t": "entry", "number": int(line), "more": bytes(300)},
                    skip=set(mesh.links()) - others,
                )
                print("said", line.strip(), time.monotonic(), flush=True)
            print("links", len(set(mesh.links()) & others), flush=True)
            await _line()
            print("most", most_memory(), flush=True)
            nursery.cancel_scope.cancel()


async def _listen(mesh: Mesh, others: set[bytes]) -> None:
    told = False
    async for event in mesh.events:
        if isinstance(event, Received) and event.peer in others:
            print("heard", event.value["number"], time.monotonic(), flush=True)
        elif isinstance(event, LinkUp) and not told and others <= set(mesh.links()):
            told = True
            print("up", flush=True)


async def _line() -> str:
    return await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)


if __name__ == "__main__":
    trio.run(main, int(sys.argv[1]))
