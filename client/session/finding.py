"""Find a table on a network without multicast: dial the last known addresses of our contacts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import trio

from client.session.context import Context
from client.storage.contacts import Contact, Trust
from p2p.net.addresses import Address
from p2p.net.errors import NetError
from p2p.net.events import LinkUp, Received
from p2p.net.mesh import Mesh
from p2p.table.lobby import Draft, TableRefused
from p2p.wire import Malformed

AT_ONCE = 4
"""Contacts dialled at a time."""
ANSWER_TIMEOUT_S = 3.0
"""Seconds in which a contact that has answered must show a table."""


@dataclass(frozen=True, slots=True)
class Known:
    """An open table of a contact."""

    contact: Contact
    addresses: tuple[Address, ...]
    draft: Draft


async def table_of_known(context: Context, name: str | None) -> Known | None:
    """Ask all contacts for an open table, and return the first one with a free seat.

    If `name` is given, ask only for a table of that name.

    The links made for this are closed on return.
    """
    known = [
        contact
        for contact in context.contacts.all().values()
        if contact.trust is not Trust.BLOCKED and contact.addresses
    ]
    if not known:
        return None
    async with replace(context, port=0).open_mesh() as mesh:
        return await _ask_all(mesh, known[::-1], name)


async def _ask_all(mesh: Mesh, known: list[Contact], name: str | None) -> Known | None:
    contacts = {contact.id: contact for contact in known}
    found: list[Known] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_dial_all, mesh, known, nursery.cancel_scope)
        async for event in mesh.events:
            if isinstance(event, LinkUp) and event.peer in contacts:
                mesh.send(event.peer, {"t": "look", "secret": b""})
            elif (
                isinstance(event, Received)
                and event.peer in contacts
                and (draft := _open_table(event.value, name))
            ):
                address = mesh.links()[event.peer].address if event.peer in mesh.links() else None
                contact = contacts[event.peer]
                found.append(Known(contact, (address,) if address else contact.addresses, draft))
                nursery.cancel_scope.cancel()
    return found[0] if found else None


async def _dial_all(mesh: Mesh, known: Iterable[Contact], scope: trio.CancelScope) -> None:
    """Dial these contacts, a few at a time, and then end the search.

    The search ends when all are dialled and have had time to answer.
    """
    limit = trio.CapacityLimiter(AT_ONCE)

    async def dial(contact: Contact) -> None:
        async with limit:
            try:
                await mesh.dial(list(contact.addresses), contact.id)
            except NetError:
                # not there now, or somebody else is: both are to be expected of old addresses
                return
            await trio.sleep(ANSWER_TIMEOUT_S)

    async with trio.open_nursery() as nursery:
        for contact in known:
            nursery.start_soon(dial, contact)
    scope.cancel()


def _open_table(answer: object, name: str | None) -> Draft | None:
    try:
        draft = (
            Draft.read(answer) if isinstance(answer, dict) and answer.get("t") == "table" else None
        )
    except (Malformed, TableRefused):
        return None
    if (
        draft is None
        or draft.taken == len(draft.seats)
        or (name is not None and draft.table != name)
    ):
        return None
    return draft
