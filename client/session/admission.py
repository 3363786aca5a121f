"""Admission: recognise contacts, reject blocked and impersonated players, and remember the players we meet."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from client.session.messages import Lobby, Message, Notice, Seated, Trusted, Words
from client.session.refusals import kept_out
from client.storage.contacts import Contacts, Trust
from client.storage.home import Home, StoreError
from crypto.identity import fingerprint
from p2p.net.link import Link
from p2p.net.mesh import Mesh
from p2p.table.lobby import TableRefused
from p2p.table.terms import Participant

MOST_TOLD = 20
"""Rejected strangers of whom our player is told, at most."""


def contacts_of(home: Home, tell: Callable[[Message], None]) -> Contacts:
    """Return the contacts. A damaged file does not stop play: it is renamed, and our player is told."""
    contacts = Contacts(home.path)
    if (aside := contacts.put_aside_if_damaged()) is not None:
        tell(Notice("contacts-damaged", {"path": str(aside)}))
    return contacts


class Admission:
    """The check of players against our contacts. `tell` takes the messages for our player."""

    def __init__(self, home: Home, tell: Callable[[Message], None]) -> None:
        self.contacts = contacts_of(home, tell)
        self._own = home.identity().id
        self._tell = tell
        self._told: set[tuple[str, ...]] = set()
        self._said = False
        """Whether our player was told that the contacts cannot be read or written."""
        self._mesh: Mesh | None = None
        self._nicks: dict[str, str] = {}
        """The nicks of the players at this table, by fingerprint."""
        self._words: dict[str, str] = {}
        """The words that our player saw last, by fingerprint."""

    def check_guests(self, places: Sequence[Participant | None]) -> None:
        """Check the guests at our own table. Raise Refused for a rejected guest, and tell our player of it once."""
        try:
            self.contacts.check(places, self._own)
        except TableRefused as refused:
            if refused.details not in self._told and len(self._told) < MOST_TOLD:
                self._told.add(refused.details)
                self._tell(Notice("turned-away", {"error": kept_out(refused)}))
            raise

    def check_table(self, places: Sequence[Participant | None]) -> None:
        """Check the players at a table that we would join. Refused."""
        self.contacts.check(places, self._own)

    def remembering(self, mesh: Mesh) -> Callable[[Message], None]:
        """Return a function that passes messages on, adds the trust in each player, and remembers linked players."""
        self._mesh = mesh
        missing: dict[bytes, str] = {}

        def tell(message: Message) -> None:
            if isinstance(message, Lobby):
                trust = self._trust()
                seats = (seat and replace(seat, trust=trust.get(seat.fingerprint, "")) for seat in message.seats)
                message = replace(message, seats=tuple(seats))
                self._nicks = {seat.fingerprint: seat.nick for seat in message.seats if seat}
            elif isinstance(message, Seated):
                self._nicks = {fingerprint(place.id): place.nick for place in message.terms.participants}
                message = replace(message, trust={who: trust for who, trust in self._trust().items() if who in self._nicks})
                missing.update({place.id: place.nick for place in message.terms.participants if place.id != self._own})
            links = mesh.links() if missing else {}
            for peer in missing.keys() & links.keys():
                try:
                    self.contacts.meet(peer, missing.pop(peer), links[peer].address, int(time.time()))
                except StoreError as error:
                    self._say_once(error)  # no reason to end a match
            self._tell(message)

        return tell

    def compare(self) -> None:
        """Tell the words of each link to a player at this table."""
        links = self._links()
        self._words = {who: links[who][1].words for who in self._nicks if who in links}
        self._tell(Words(dict(self._words)))

    def trust(self, who: str) -> None:
        """Trust the key with this fingerprint, if our player has seen the words of its present link; else tell them."""
        peer, link = self._links().get(who, (b"", None))
        if link is None or who not in self._nicks:
            self._tell(Notice("no-link", {"id": who}))
        elif self._words.get(who) != link.words:
            self.compare()
        elif self._trust().get(who) == Trust.BLOCKED:
            self._tell(Notice("blocked", {"who": self._nicks[who], "id": who}))
        else:
            try:
                self.contacts.meet(peer, self._nicks[who], link.address, int(time.time()), Trust.TRUSTED)
            except StoreError as error:
                self._tell(Notice("not-remembered", {"error": str(error)}))
            else:
                self._tell(Trusted(who))

    def _links(self) -> dict[str, tuple[bytes, Link]]:
        """Return the linked peers, by fingerprint."""
        links = self._mesh.links() if self._mesh is not None else {}
        return {fingerprint(peer): (peer, link) for peer, link in links.items()}

    def _trust(self) -> dict[str, str]:
        """Return the trust in each contact, by fingerprint; empty if the contacts cannot be read."""
        try:
            return {fingerprint(contact.id): str(contact.trust) for contact in self.contacts.all().values()}
        except StoreError as error:
            self._say_once(error)
            return {}

    def _say_once(self, error: StoreError) -> None:
        if not self._said:
            self._said = True
            self._tell(Notice("not-remembered", {"error": str(error)}))
