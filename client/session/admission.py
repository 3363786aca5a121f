"""Admission: recognise contacts, reject blocked and impersonated players, remember players met."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import trio

from client.i18n.sentences import said
from client.session.context import Context
from client.session.messages import Lobby, Message, Notice, Seated, Trusted, Words
from client.session.tell_limit import TellLimit
from client.storage.broken_off import broken_off
from client.storage.contacts import Trust
from client.storage.home import StoreError
from crypto.identity import fingerprint
from p2p.net.link import Link
from p2p.net.mesh import Mesh
from p2p.net.rate import Turns
from p2p.net.tasks import background, containing
from p2p.table.lobby import TableRefused
from p2p.table.terms import Participant

Meeting = tuple[Callable[[], None], Callable[[], object] | None]
"""The write of a player to the contacts, and the next step if our player now trusts that player."""


@asynccontextmanager
async def online(context: Context, tell: Callable[[Message], None]) -> AsyncIterator[Admission]:
    """Listen, without links to blocked players, and yield the admission.

    A damaged contacts file does not stop play: it is renamed, and our player is told. Raises
    NetError or StoreError.
    """
    if (aside := context.contacts.put_aside_if_damaged()) is not None:
        tell(Notice("contacts-damaged", {"path": str(aside)}))
    async with context.open_mesh(context.contacts.blocked()) as mesh, background() as nursery:
        limit = TellLimit(tell)
        nursery.start_soon(limit.run)
        admission = Admission(context, mesh, limit)
        nursery.start_soon(admission.remember)
        nursery.start_soon(admission.count)
        try:
            yield admission
        finally:
            admission.close()


class Admission:
    """The check of players against our contacts, over open links.

    `tell` takes the messages for our player. Checks read the small contacts file at once, because
    their result decides what to send next. `remember` writes it in a worker thread: a write is
    synced, and may wait for another program with the same home.
    """

    def __init__(self, context: Context, mesh: Mesh, tell: Callable[[Message], None]) -> None:
        self.context, self.mesh, self.contacts, self.tell = context, mesh, context.contacts, tell
        self._told = Turns(1, 0)
        """Each rejection is reported once."""
        self._met_in, self._met = trio.open_memory_channel[Meeting](math.inf)
        self._said = False
        """Whether our player was told that the contacts cannot be read or written."""
        self._closed = False
        self._nicks: dict[str, str] = {}
        """The nicks of the players at this table, by fingerprint."""
        self._broken_off: dict[str, int] = {}
        """How many matches players broke off while behind, by fingerprint."""
        self._words: dict[str, str] = {}
        """The words that our player saw last, by fingerprint."""

    def check_guests(self, places: Sequence[Participant | None]) -> None:
        """Check the guests at our own table.

        TableRefused for a rejected guest, which our player is told once.
        """
        try:
            self.check_table(places)
        except TableRefused as refused:
            if self._told.take(str(refused), 0.0):
                about = next((place.id for place in places if place is not None), b"")
                self.tell(Notice("turned-away", {"error": said(refused)}, about))
            raise

    def check_table(self, places: Sequence[Participant | None]) -> None:
        """Check the players at a table that we would join. Raises TableRefused."""
        self.contacts.check(places, self.context.identity.id)

    def remembering(self) -> Callable[[Message], None]:
        """Return a function that passes messages on with the trust in each player.

        It also remembers linked players.
        """
        missing: dict[bytes, str] = {}

        def tell(message: Message) -> None:
            if isinstance(message, Lobby):
                trust = self._trust()
                seats = (
                    seat
                    and replace(
                        seat,
                        trust=trust.get(seat.fingerprint, ""),
                        broken_off=self._broken_off.get(seat.fingerprint, 0),
                    )
                    for seat in message.seats
                )
                message = replace(message, seats=tuple(seats))
                self._nicks = {seat.fingerprint: seat.nick for seat in message.seats if seat}
            elif isinstance(message, Seated):
                self._nicks = {
                    fingerprint(place.id): place.nick for place in message.terms.participants
                }
                message = replace(
                    message,
                    trust={
                        who: trust for who, trust in self._trust().items() if who in self._nicks
                    },
                )
                missing.update(
                    {
                        place.id: place.nick
                        for place in message.terms.participants
                        if place.id != self.context.identity.id
                    }
                )
            links = self.mesh.links() if missing else {}
            for peer in missing.keys() & links.keys():
                self._meet(peer, missing.pop(peer), links[peer])
            self.tell(message)

        return tell

    async def count(self) -> None:
        """Count the matches that players broke off while behind; logs are verified in a thread.

        An unexpected error with a log is written down; then nothing is counted.
        """
        now, counts = int(time.time()), dict[bytes, int]()
        with containing(self.context.note_error):
            counts = await trio.to_thread.run_sync(
                broken_off, self.context.home, now, abandon_on_cancel=True
            )
        self._broken_off = {fingerprint(who): count for who, count in counts.items()}

    async def remember(self) -> None:
        """Write the players that we meet to the contacts, until `close`; cancelling loses none."""
        with trio.CancelScope(shield=True):
            async for meet, then in self._met:
                try:
                    await trio.to_thread.run_sync(meet)
                except StoreError as error:  # no reason to end a match
                    if then is None:
                        self._say_once(error)
                    else:
                        self.tell(Notice("not-remembered", {"error": str(error)}))
                else:
                    if then is not None and not self._closed:
                        then()

    def close(self) -> None:
        """Let `remember` end once all players are written."""
        self._closed = True
        self._met_in.close()

    def compare(self, *, more: bool = False) -> None:
        """Tell the words of each link to a player at this table.

        With `more` tell them only if a player has come to those whose words our player sees. Their
        words stay: nothing changes below a finger that is about to trust.
        """
        links = self._links()
        words = {who: links[who][1].words for who in self._nicks if who in links}
        if more and words.keys() <= self._words.keys():
            return
        self._words = words | self._words if more else words
        self.tell(Words(dict(self._words)))

    def trust(self, who: str, then: Callable[[], object]) -> None:
        """Trust the key with this fingerprint if our player has seen its present link's words.

        Otherwise show our player these words. `then` is called once the trust is written.
        """
        peer, link = self._links().get(who, (b"", None))
        if link is None or who not in self._nicks:
            self.tell(Notice("no-link", {"id": who}))
        elif self._words.get(who) != link.words:
            self.compare()
        elif self._trust().get(who) == Trust.BLOCKED:
            self.tell(Notice("blocked", {"who": self._nicks[who], "id": who}))
        else:

            def trusted() -> None:
                self.tell(Trusted(who))
                then()

            self._meet(peer, self._nicks[who], link, trusted)

    def _meet(
        self, peer: bytes, nick: str, link: Link, then: Callable[[], object] | None = None
    ) -> None:
        """Let `remember` write a player to the contacts: as trusted, if something follows."""
        trust, now = Trust.TRUSTED if then is not None else None, int(time.time())
        meet = partial(self.contacts.meet, peer, nick, link.address, now, trust)
        self._met_in.send_nowait((meet, then))

    def _links(self) -> dict[str, tuple[bytes, Link]]:
        """Return the linked peers, by fingerprint."""
        return {fingerprint(peer): (peer, link) for peer, link in self.mesh.links().items()}

    def _trust(self) -> dict[str, str]:
        """Return the trust in each contact, by fingerprint; empty if contacts are unreadable."""
        try:
            return {
                fingerprint(contact.id): str(contact.trust)
                for contact in self.contacts.all().values()
            }
        except StoreError as error:
            self._say_once(error)
            return {}

    def _say_once(self, error: StoreError) -> None:
        if not self._said:
            self._said = True
            self.tell(Notice("not-remembered", {"error": str(error)}))
