"""The contacts: the players that we have met, by key, and our trust in each key.

Trust in a key means that it belongs to its person. Only this file reads and writes `peers.json` in
the home. An id is the hash of a key, so a key cannot change; a name or an address can pass to
another key. If it was a trusted player's, the other key is rejected. Times are only for display.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from client.i18n.translation import _
from client.storage.home import StoreError, open_locked, read_stored, write_private, writing
from crypto.identity import fingerprint
from p2p.net.addresses import Address, parse_address, show_address
from p2p.net.errors import BadAddress
from p2p.net.names import clean_name, look_alike
from p2p.table.lobby import TableRefused
from p2p.table.terms import Participant

MOST = 512
"""The most contacts. Of those merely known, the ones not seen for longest are dropped."""
MOST_ADDRESSES = 4
LEAST_LETTERS = 4
"""The letters of a fingerprint that suffice to name a contact."""
_LIMIT_BYTES = 1 << 20


class Trust(StrEnum):
    """How far we trust that a key belongs to its person."""

    KNOWN = "known"
    """We have been at a table with them."""
    TRUSTED = "trusted"
    """We compared fingerprints or words: another key with this name or address is rejected."""
    BLOCKED = "blocked"
    """We accept no link to them."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A person that we met at a table: their last nick and addresses, the newest first.

    `first` and `last` are when we first and last met, in seconds since 1970 by our clock.
    """

    id: bytes
    nick: str
    first: int
    last: int
    trust: Trust = Trust.KNOWN
    addresses: tuple[Address, ...] = ()


class DamagedContacts(StoreError):
    """The file is no list of contacts."""


class Contacts:
    """The contacts of one home.

    Every call reads the file again: a command may change it during a match.
    """

    def __init__(self, home: Path) -> None:
        self._path = home / "peers.json"
        self._lock = home / "peers.lock"

    def all(self) -> dict[bytes, Contact]:
        """Return all contacts by id, those not seen for longest first.

        StoreError if the file cannot be read.
        """
        data = read_stored(self._path, _LIMIT_BYTES)
        if data is None:
            return {}
        try:
            return {contact.id: contact for contact in map(_read, json.loads(data)["peers"])}
        except (
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            RecursionError,
            BadAddress,
        ) as error:
            raise DamagedContacts(
                _("{path} is damaged: repair it, or remove it to begin anew").format(
                    path=self._path
                )
            ) from error

    def put_aside_if_damaged(self) -> Path | None:
        """Rename the file if it is damaged, and return its new path.

        No contacts are known after that. Raises StoreError.
        """
        try:
            self.all()
        except DamagedContacts:
            number = 1
            while (aside := self._path.with_name(f"{self._path.name}.damaged{number}")).exists():
                number += 1
            with writing(self._path):
                self._path.rename(aside)
            return aside
        return None

    def welcome(self) -> frozenset[bytes]:
        """Return the ids of all contacts that are not blocked."""
        return frozenset(
            contact.id for contact in self.all().values() if contact.trust is not Trust.BLOCKED
        )

    def blocked(self) -> frozenset[bytes]:
        """Return the ids of all blocked contacts."""
        return frozenset(
            contact.id for contact in self.all().values() if contact.trust is Trust.BLOCKED
        )

    def find(self, text: str) -> list[Contact]:
        """Return the contacts with this beginning of a fingerprint, or else with this nick."""
        known = self.all().values()
        found = [contact for contact in known if begins_so(fingerprint(contact.id), text)]
        return found or [contact for contact in known if look_alike(contact.nick, text)]

    def meet(
        self,
        player: bytes,
        nick: str,
        address: Address | None,
        now: int,
        trust: Trust | None = None,
    ) -> None:
        """Remember a player at our table, with the link's address (None: unknown) and our trust."""

        def change(known: dict[bytes, Contact]) -> None:
            contact = known.pop(player, None) or Contact(player, "", now, now)
            addresses = dict.fromkeys(
                ([address] if address and address[1] else []) + list(contact.addresses)
            )
            kept = tuple(addresses)[:MOST_ADDRESSES]
            met = replace(
                contact, nick=clean_name(nick), last=max(now, contact.first), addresses=kept
            )
            known[player] = replace(met, trust=trust or contact.trust)

        self._change(change)

    def trust(self, player: bytes, trust: Trust) -> None:
        """Trust, or block, a contact."""
        self._change(lambda known: known.update({player: replace(known[player], trust=trust)}))

    def forget(self, player: bytes) -> None:
        """Delete a contact."""
        self._change(lambda known: known.pop(player, None))

    def check(self, places: Iterable[Participant | None], own: bytes) -> None:
        """Check the players at a table, except ourselves (`own`).

        Raises TableRefused: "changed-key" (with nick, trusted and present fingerprint) if another
        key has a trusted contact's nick; "blocked" (with nick and fingerprint) for a blocked
        player.
        """
        known = self.all()
        trusted = _trusted(known)
        for place in places:
            if place is None or place.id == own:
                continue
            contact = known.get(place.id)
            if contact is not None and contact.trust is Trust.BLOCKED:
                raise TableRefused("blocked", who=clean_name(place.nick), id=fingerprint(place.id))
            if contact not in trusted:
                nick = place.nick
                _require_none([one for one in trusted if look_alike(one.nick, nick)], place.id)

    def check_address(self, dialled: Collection[Address], answered: bytes) -> None:
        """Check the peer at a typed address.

        TableRefused ("changed-key") if a trusted player with another key was there.
        """
        trusted = _trusted(self.all())
        if answered not in {one.id for one in trusted}:
            there = [one for one in trusted if not set(dialled).isdisjoint(one.addresses)]
            _require_none(there, answered)

    def _change(self, change: Callable[[dict[bytes, Contact]], Any]) -> None:
        """Read, change and write the file under a lock. Raises StoreError."""
        with open_locked(self._lock, wait=True):
            known = self.all()
            change(known)
            text = json.dumps(
                {"peers": [_spell(contact) for contact in _fitting(known)]},
                ensure_ascii=False,
                indent=1,
            )
            write_private(self._path, text.encode())


def _trusted(known: Mapping[bytes, Contact]) -> list[Contact]:
    return [contact for contact in known.values() if contact.trust is Trust.TRUSTED]


def _require_none(claimed: Sequence[Contact], player: bytes) -> None:
    """TableRefused if there is a trusted contact whose name or address this other key has."""
    if claimed:
        who, trusted = claimed[0].nick, fingerprint(claimed[0].id)
        raise TableRefused("changed-key", who=who, trusted=trusted, present=fingerprint(player))


def _fitting(known: Mapping[bytes, Contact]) -> list[Contact]:
    """Return the contacts there is room for."""
    spare = [player for player, contact in known.items() if contact.trust is Trust.KNOWN]
    gone = set(spare[: max(0, len(known) - MOST)])
    return [contact for player, contact in known.items() if player not in gone]


def begins_so(fingerprint: str, text: str) -> bool:
    """Whether a typed text is a long enough beginning of a fingerprint."""
    letters = text.replace("-", "").upper()
    return len(letters) >= LEAST_LETTERS and fingerprint.replace("-", "").startswith(letters)


def _spell(contact: Contact) -> dict[str, Any]:
    addresses = [show_address(address) for address in contact.addresses]
    facts = {
        "id": contact.id.hex(),
        "fingerprint": fingerprint(contact.id),
        "nick": contact.nick,
        "trust": contact.trust.value,
    }
    return {**facts, "first": contact.first, "last": contact.last, "addresses": addresses}


def _read(value: Any) -> Contact:
    """Read a contact.

    Raises ValueError, KeyError, TypeError, AttributeError or BadAddress.
    """
    player = bytes.fromhex(value["id"])
    if len(player) != 32 or not all(type(value[name]) is int for name in ("first", "last")):
        raise ValueError("no contact")
    addresses = tuple(parse_address(text)[0] for text in value["addresses"][:MOST_ADDRESSES])
    return Contact(
        player,
        clean_name(value["nick"]),
        value["first"],
        value["last"],
        Trust(value["trust"]),
        addresses,
    )
