"""Keeping a link to one peer, over real sockets on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from p2p.net import keep, probe
from p2p.net.errors import Unreachable
from p2p.net.events import LinkUp
from tests.end_to_end.namespaces import empty_network
from tests.net.meshes import next_event

ROOT = Path(__file__).parent.parent.parent


async def test_a_new_address_is_tried_while_nobody_answers_at_the_old_one(identities, mesh_of):
    """All machines have moved: at the old address somebody else is, who takes connections and says
    nothing."""
    a, b = identities[:2]
    silent = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
    async with mesh_of(a) as one, mesh_of(b) as two, silent:
        one.keep(b.id, [silent.socket.getsockname()])
        async with await silent.accept():  # the try has begun, and takes three seconds
            with trio.fail_after(1):
                one.keep(b.id, two.addresses())
                await next_event(one, LinkUp)


async def test_addresses_that_others_tell_are_dialled_only_so_often(
    identities, mesh_of, monkeypatch
):
    """A host could send its guests wherever it likes."""
    dialled = []

    async def dial(addresses, _me, *, expect):
        dialled.extend(addresses)
        raise Unreachable("there", "refused")

    monkeypatch.setattr(keep, "dial", dial)
    async with mesh_of(identities[0]) as mesh:
        for number in range(15):
            told = [("127.0.0.1", 1000 + 8 * number + place) for place in range(8)]
            mesh.keep(bytes([number]) * 32, told)
        await trio.sleep(2)
    assert keep.TOLD_BURST <= len(dialled) <= keep.TOLD_BURST + 3 * keep.TOLD_RATE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "burst", "rate"),
    [("told", keep.TOLD_BURST, keep.TOLD_RATE), ("adverts", probe.BURST, probe.RATE)],
)
def test_false_addresses_draw_few_connections_from_a_machine(kind, burst, rate, figure):
    """The system counts them, in a network namespace."""
    words = [*empty_network(loopback=True), sys.executable, "-m", "tests.net.dials", kind]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT)
    found = json.loads(done.stdout)
    figure(f"{kind}: {found}")
    assert burst / 2 < found["dials"] <= burst + rate * (found["seconds"] + 1)
