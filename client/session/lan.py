"""The tables on this network, for the lobby: found by zeroconf or known from before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import trio

from client.session.context import Context
from client.session.messages import FoundTable, Message, Notice, Tables
from client.session.route import Route
from client.storage.contacts import Trust
from client.storage.home import StoreError
from p2p.net.addresses import on_no_network, show_address
from p2p.net.sighting import Sighting, TableGone
from p2p.net.tasks import background

AGAIN_S = 3.0
"""Seconds until a failed search for tables is tried again."""


class Lan:
    """The tables seen on the network of this machine."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._seen: dict[bytes, Sighting] = {}

    async def discover(self, tell: Callable[[Tables], None]) -> None:
        """Report the tables at every change, until cancelled.

        If no tables can be found or shown, report the reason, and try again every few seconds if
        that may help.
        """
        from client.session.running import discovery_or_none  # noqa: PLC0415 - zeroconf is loaded when the lobby is on the screen

        def blind(message: Message) -> None:
            if isinstance(message, Notice):
                tell(Tables((), message))

        try:
            contacts = self._context.contacts.all()
        except StoreError as error:  # blocked players are unknown too
            tell(Tables((), Notice("no-contacts", {"error": str(error)})))
            return
        known = {player: contact.trust for player, contact in contacts.items()}
        welcome = [player for player, trust in known.items() if trust is not Trust.BLOCKED]

        def show() -> None:
            tables = tuple(_in_order(self._seen.values(), known))
            alone = not tables and on_no_network(self._context.interface)
            tell(Tables(tables, Notice("no-network") if alone else None))

        while True:
            async with discovery_or_none(self._context, blind, welcome) as discovery:
                if discovery is not None:
                    show()
                    async with background() as nursery:
                        nursery.start_soon(self._mind_the_network, show)
                        async for news in discovery.sightings():
                            if isinstance(news, TableGone):
                                self._seen.pop(news.id, None)
                            else:
                                self._seen[news.id] = news
                            show()
                    return
            await trio.sleep(AGAIN_S)

    async def _mind_the_network(self, show: Callable[[], None]) -> None:
        """Show the tables again when this machine gets or loses its network."""
        before = on_no_network(self._context.interface)
        while True:
            await trio.sleep(AGAIN_S)
            now = on_no_network(self._context.interface)
            if now is not before:
                before = now
                show()

    def route_to(self, table: bytes) -> Route | None:
        """Return the route to a table that was seen."""
        seen = self._seen.get(table)
        return (
            Route(seen.addresses, seen.id, found="zeroconf")
            if seen is not None and seen.addresses
            else None
        )


def _in_order(seen: Iterable[Sighting], known: Mapping[bytes, Trust]) -> list[FoundTable]:
    """Return tables in order: trusted players, known ones, strangers with a proof, others."""

    def rank(sighting: Sighting) -> tuple[int, str, bytes]:
        trust = known.get(sighting.id)
        group = (
            0 if trust is Trust.TRUSTED else 1 if trust is not None else 2 if sighting.proven else 3
        )
        return group, sighting.nick, sighting.id

    shown = [one for one in seen if known.get(one.id) is not Trust.BLOCKED]
    return [_found(one, known.get(one.id)) for one in sorted(shown, key=rank)]


def _found(seen: Sighting, trust: Trust | None) -> FoundTable:
    """Return a table as the lobby shows it.

    Anybody can announce the key of a player whom we trust, so it counts only if proven.
    """
    address = show_address(seen.addresses[0]) if seen.addresses else ""
    seats = (seen.seats_taken, seen.seats)
    return FoundTable(
        seen.id,
        seen.nick,
        seen.game,
        seen.table,
        *seats,
        seen.state,
        seen.protocol,
        address,
        str(trust or "") if seen.proven else "",
    )
