"""The journal: our entries and their secrets, so that our seat can repeat them after a crash.

It is a file of records like the log, but never shared: `{"entry": bytes}` for our entries;
`{"held": bytes}` for entries of others on which one of ours may rest and which the log lacked then;
`{"deck": number, "chain": d0, "key": 32 bytes}` for a deck key; `{"sealed": step, "nonce": bytes,
"value": bytes}` for the value behind a commitment. A record is stored and synced before the entry
that it belongs to is sent.

The journal is written before the log. So after a crash between the two it has what our entries rest
on (decision 0016).
"""

from __future__ import annotations

from crypto.chance import Entropy
from crypto.errors import CryptoError
from crypto.group import Group
from crypto.masking import DeckKey, key_from_secret, new_key
from p2p.table.log import (
    ENTRY_LIMIT,
    LEAVE,
    are_signed,
    read_unsigned,
    record,
)
from p2p.table.tail import RECORD_LIMIT, joined, signed_records, split_records, whole_records
from p2p.table.terms import Terms
from p2p.wire import Malformed, shape, unpack

KINDS = (("entry",), ("held",), ("chain", "deck", "key"), ("nonce", "sealed", "value"))
"""The fields of the records of a journal."""


class Journal:
    """Our deck keys and the values behind our commitments; new ones wait to be stored."""

    def __init__(self) -> None:
        # by the head on which the keys of a deck are signed
        self._keys: dict[bytes, tuple[int, DeckKey]] = {}
        self._drawn: set[bytes] = set()
        """The heads of decks for which our key was made in this process."""
        self._committed: dict[int, tuple[bytes, bytes]] = {}
        self._new: list[bytes] = []
        self.held: dict[bytes, None] = {}
        """Entries of others on which entries of ours rest, in order."""

    def __repr__(self) -> str:
        """Show the counts, but no secret."""
        return f"<Journal: {len(self._keys)} deck keys, {len(self._committed)} commitments>"

    def copy(self) -> Journal:
        """Return a copy for another branch.

        Both use one dict of deck keys, so wiping either wipes both.
        """
        copy = Journal()
        copy._keys, copy._committed = self._keys, dict(self._committed)
        return copy

    def deck_key(self, group: Group, chain: bytes, number: int, entropy: Entropy) -> DeckKey:
        """Return our key for a deck, made at the first call; it is signed on the head `chain`."""
        if chain not in self._keys:
            key = new_key(group, entropy)
            self._keys[chain] = (number, key)
            self._drawn.add(chain)
            self._new.append(
                record({"deck": number, "chain": chain, "key": group.scalar_bytes(key.secret)})
            )
        return self._keys[chain][1]

    def known_key(self, chain: bytes) -> DeckKey | None:
        """Return our key for a deck, if we still have it."""
        return self._keys[chain][1] if chain in self._keys else None

    def remembers(self, chain: bytes) -> bool:
        """Whether we know all uses of our key for a deck, because it was made in this process."""
        return chain in self._drawn

    def note_committed(self, step: int, nonce: bytes, value: bytes) -> None:
        """Remember the value behind a commitment of ours."""
        self._committed[step] = (nonce, value)
        self._new.append(record({"sealed": step, "nonce": nonce, "value": value}))

    def committed(self, step: int) -> tuple[bytes, bytes] | None:
        """Return the nonce and value behind our commitment of this step."""
        return self._committed.get(step)

    def forget(self, step: int) -> None:
        """Wipe the values behind commitments of earlier steps.

        Deck keys stay: we may have to go back.
        """
        self._committed = {at: found for at, found in self._committed.items() if at >= step}

    def wipe(self) -> None:
        """Forget the secrets: the match is sealed. Records that wait to be stored stay."""
        self._keys.clear()
        self._committed.clear()

    def note_entry(self, data: bytes) -> None:
        """Add an entry of ours."""
        self._new.append(record({"entry": data}))

    def note_held(self, data: bytes) -> None:
        """Add an entry of another seat, once.

        An entry of ours rests on it, and our log does not have it yet.
        """
        if data not in self.held:
            self.held[data] = None
            self._new.append(record({"held": data}))

    @property
    def unstored(self) -> bool:
        """Whether anything waits to be stored."""
        return bool(self._new)

    def to_store(self) -> list[bytes]:
        """Return the records that are new since the last call."""
        new, self._new = self._new, []
        return new

    def read(self, group: Group, journal: bytes) -> list[bytes]:
        """Read a journal without its torn tail, and return our entries.

        Raises Malformed.
        """
        found, _torn = split_records(journal)
        entries = []
        for item in found:
            value = unpack(item, RECORD_LIMIT)
            match sorted(value) if type(value) is dict else None:
                case ["entry"]:
                    entries.append(shape(value, entry=bytes)["entry"])
                case ["held"]:
                    self.held[shape(value, held=bytes)["held"]] = None
                case ["chain", "deck", "key"]:
                    fields = shape(value, deck=int, chain=bytes, key=bytes)
                    self._keys[fields["chain"]] = (fields["deck"], _key(group, fields["key"]))
                case ["nonce", "sealed", "value"]:
                    fields = shape(value, sealed=int, nonce=bytes, value=bytes)
                    self._committed[fields["sealed"]] = (fields["nonce"], fields["value"])
                case _:
                    raise Malformed("this is no journal of ours")
        return entries


def leaves_in(journal: bytes, terms: Terms) -> list[bytes]:
    """Return the leaves in a journal, of its seat and of others. Raises Malformed."""
    found = (item for item in split_records(journal)[0] if _is_record(item))
    entries = (data for item in found for data in _entries(item))
    return [data for data in entries if read_unsigned(terms, terms.match, data).kind == LEAVE]


def sound_journal(data: bytes, terms: Terms) -> bytes:
    """Return a journal without an incomplete last addition. Raises Damaged.

    A secret that was cut off may still look like one. So if anything is cut off, secrets after our
    last entry go too: nothing that rests on them was sent.
    """
    records = signed_records(
        whole_records(data, _is_record), lambda item: are_signed(terms, _entries(item))
    )
    if len(joined(records)) < len(data):
        while records and "entry" not in unpack(records[-1], RECORD_LIMIT):
            records.pop()
    return joined(records)


def _is_record(data: bytes) -> bool:
    try:
        value = unpack(data, RECORD_LIMIT)
        if type(value) is not dict or tuple(sorted(value)) not in KINDS:
            return False
        for entry in _entries(data):
            if type(entry) is not bytes:
                return False
            unpack(entry, ENTRY_LIMIT)
    except Malformed:
        return False
    return True


def _entries(item: bytes) -> list[bytes]:
    value = unpack(item, RECORD_LIMIT)
    return [value[name] for name in ("entry", "held") if name in value]


def _key(group: Group, secret: bytes) -> DeckKey:
    try:
        return key_from_secret(group, group.scalar(secret))
    except (CryptoError, ValueError):
        # Chain nothing: the cause's message could repeat the secret.
        raise Malformed("this is no journal of ours: a deck key that cannot be") from None
