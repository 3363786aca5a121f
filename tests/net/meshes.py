"""Meshes in tests: their events, and waiting."""

from __future__ import annotations

import trio

from p2p.net.events import LinkUp


async def next_event(mesh, *kinds):
    """The next event of these kinds."""
    with trio.fail_after(60):
        async for event in mesh.events:
            if isinstance(event, kinds):
                return event
    raise AssertionError("the mesh was closed")


def waiting(mesh):
    """All events that wait, without waiting for more."""
    events = []
    while True:
        try:
            events.append(mesh.events.receive_nowait())
        except trio.WouldBlock:
            return events


async def join(*meshes):
    """Link them all, each pair once, and take the events of that away."""
    for number, mesh in enumerate(meshes):
        for other in meshes[number + 1 :]:
            await mesh.dial(other.addresses())
    for mesh in meshes:
        for _ in range(len(meshes) - 1):
            await next_event(mesh, LinkUp)


async def until(condition):
    with trio.fail_after(60):
        while not condition():
            await trio.sleep(0.01)


async def received(stream):
    try:
        return await stream.receive_some()
    except trio.BrokenResourceError:
        return b""
