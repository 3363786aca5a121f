"""Find a table on a network without multicast: dial the last known addresses of our contacts."""

from __future__ import annotations

from dataclasses import dataclass

import trio

from client.session.context import Context
from client.storage.contacts import Contact, Trust
from p2p.net.addresses import Address
from p2p.net.probe import Prober, open_prober
from p2p.table.lobby import Draft, TableRefused
from p2p.wire import Malformed

AT_ONCE = 4
"""The most contacts dialled at a time."""


@dataclass(frozen=True, slots=True)
class KnownTable:
    """An open table of a contact."""

    contact: Contact
    addresses: tuple[Address, ...]
    draft: Draft


async def table_of_known(context: Context, name: str | None) -> KnownTable | None:
    """Ask all contacts for an open table, and return the first one with a free seat.

    If `name` is given, ask only for a table of that name. Others may have these addresses now, so
    nobody learns who asks.
    """
    known = [
        contact
        for contact in context.contacts.all().values()
        if contact.trust is not Trust.BLOCKED and contact.addresses
    ]
    if not known:
        return None
    async with open_prober() as prober:
        return await _ask_all(prober, known[::-1], name)


async def _ask_all(prober: Prober, known: list[Contact], name: str | None) -> KnownTable | None:
    """Ask these contacts, a few at a time, until one of them shows a table."""
    limit = trio.CapacityLimiter(AT_ONCE)
    found: list[KnownTable] = []

    async def ask(contact: Contact) -> None:
        async with limit:
            answer = await prober.ask(contact.id, contact.addresses)
        if answer.address is not None and (draft := _open_table(answer.value, name)):
            found.append(KnownTable(contact, (answer.address,), draft))
            nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        for contact in known:
            nursery.start_soon(ask, contact)
    return found[0] if found else None


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
