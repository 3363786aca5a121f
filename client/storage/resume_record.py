"""Resume records: for each unfinished match a small file that leads back into it.

The file is beside the journals; it is written before the first entry is sent, and deleted with
them. It holds the signed terms, the seats of this process with the keys of its computer players,
and the addresses of this process and its peers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from client.i18n.translation import _
from client.storage import error_log
from client.storage.home import (
    RESUMABLE,
    SEED_BYTES,
    Home,
    StoreError,
    match_name,
    reading,
    write_private,
    writing,
)
from client.storage.regular import read_regular
from crypto.chance import Entropy
from crypto.errors import CryptoError
from crypto.identity import Identity
from engine.core.moves import Seat
from engine.core.options import BadOption
from engine.games import UnknownGame
from p2p.net.addresses import Address
from p2p.table.lobby import (
    Agreement,
    Endpoint,
    SeatRequest,
    TableRefused,
    encode_endpoints,
    of_participants,
    read_endpoints,
    request_of,
)
from p2p.table.terms import OtherVersion, Terms
from p2p.wire import MOST_ANNOUNCED, Malformed, pack, shape, unpack

OWN_NAME = re.compile(rf"[0-9a-f]{{32}}{re.escape(RESUMABLE)}")
"""The names that this program gives to such files."""
VERSION = 1
"""The version of such a file."""
LIMIT_BYTES = 1 << 16
"""The most bytes of such a file."""


@dataclass(frozen=True)
class ResumeRecord:
    """A match that can be resumed.

    `seeds` are the keys of our seats: empty for the home's own, 32 bytes for computers.
    `signatures` are in seat order; missing ones are empty. `characters` are the names of those that
    play our seats. `host` is the peer that opened the table, empty if our program did, or if
    unknown.
    """

    terms: Terms
    signatures: tuple[bytes, ...]
    seeds: Mapping[Seat, bytes] = field(repr=False)
    nodes: tuple[Endpoint, ...]
    port: int
    characters: Mapping[Seat, str] = field(default_factory=dict)
    host: bytes = b""
    private: bool = True
    """Whether the table needed an invite."""
    broken_off_by: bytes = b""
    """The id of the other player of a two-player match, if that player left first at the end of the
    last session in which both took part; else empty."""

    @property
    def name(self) -> str:
        """The match's id, as in its file names."""
        return match_name(self.terms.match)

    @property
    def opponent(self) -> bytes:
        """The id of the other player of a two-player match; else empty."""
        others = [
            one.id for seat, one in enumerate(self.terms.participants) if seat not in self.seeds
        ]
        return others[0] if others and len(self.terms.participants) == 2 else b""

    @property
    def alone(self) -> bool:
        """Whether all seats are ours: only computer players of this program play with us."""
        return len(self.seeds) == len(self.terms.participants)

    def seat_requests(self, home: Home, entropy: Entropy) -> dict[Seat, SeatRequest]:
        """Return the seat requests of this process by seat. StoreError if none is ours."""
        seat_requests: dict[Seat, SeatRequest] = {}
        for seat, seed in self.seeds.items():
            place = self.terms.participants[seat]
            identity = Identity.from_seed(seed) if seed else home.identity
            if identity.id != place.id:
                raise self._not_ours()
            seat_requests[seat] = request_of(place, identity, entropy)
        if home.identity.id not in {one.identity.id for one in seat_requests.values()}:
            raise self._not_ours()
        return seat_requests

    def agreement(self, seat_requests: Sequence[SeatRequest]) -> Agreement:
        """Return the terms with their signatures, at least ours.

        StoreError for a bad signature, or a match of another version.
        """
        try:
            self.terms.check_game()
            agreement = Agreement(self.terms, seat_requests)
            for seat, signature in enumerate(self.signatures):
                if signature:
                    agreement.receive(
                        {
                            "t": "sign",
                            "match": agreement.match,
                            "seat": seat,
                            "signature": signature,
                        }
                    )
        except OtherVersion as error:
            raise StoreError(
                _(
                    "match {match} is of another version of Sobremesa: only that version can "
                    "resume it"
                ).format(match=self.name)
            ) from error
        except (Malformed, TableRefused) as error:
            raise self._not_ours() from error
        return agreement

    def _character(self, seat: Seat) -> list[str]:
        return [self.characters[seat]] if self.characters.get(seat) else []

    def _not_ours(self) -> StoreError:
        return StoreError(
            _("match {match} does not belong to this folder's player").format(match=self.name)
        )

    def save(self, home: Home) -> None:
        """Write the record, synced and readable for us only. Raises StoreError."""
        value = {
            "sobremesa": VERSION,
            "terms": self.terms.encode(),
            "signatures": list(self.signatures),
            "seats": [[seat, seed, *self._character(seat)] for seat, seed in self.seeds.items()],
            "nodes": encode_endpoints(self.nodes),
            "port": self.port,
            "host": self.host,
            "private": self.private,
            "broken_off_by": self.broken_off_by,
        }
        write_private(home.journals / f"{self.name}{RESUMABLE}", pack(value))

    def forget(self, home: Home) -> None:
        """Delete the record, because nobody plays that match. Raises StoreError."""
        path = home.journals / f"{self.name}{RESUMABLE}"
        with writing(path):
            path.unlink(missing_ok=True)


def nodes_reached(
    told: Sequence[Endpoint], reached: Mapping[bytes, Address | None]
) -> tuple[Endpoint, ...]:
    """Return the endpoints of peers: addresses of present links first, then the announced ones."""
    known = {node.id: node for node in told}
    for peer, address in reached.items():
        if address is not None and address[1]:
            before = known[peer].addresses if peer in known else ()
            known[peer] = Endpoint(
                peer, address[1], tuple(dict.fromkeys((address[0], *before)))[:MOST_ANNOUNCED]
            )
    return tuple(known.values())


def look_through(home: Home) -> tuple[list[ResumeRecord], list[StoreError]]:
    """Return the matches that can be resumed, the newest first, and the unreadable ones' errors.

    A file with an unusual name is a copy, and is ignored. StoreError if the folder cannot be read.
    """
    with reading(home.journals):
        paths = [path for path in home.journals.iterdir() if path.name.endswith(RESUMABLE)]
        paths.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
    found: list[ResumeRecord] = []
    damaged: list[StoreError] = []
    for path in paths:
        try:
            record = _read(path)
            if OWN_NAME.fullmatch(path.name):
                found.append(record)
        except StoreError as error:
            damaged.append(error)
        except Exception as error:  # noqa: BLE001 -- one record cannot be resumed; others can
            error_log.note(home.path, error)
            damaged.append(_damaged(path))
    return found, damaged


def _read(path: Path) -> ResumeRecord:
    try:
        with reading(path):
            value = unpack(read_regular(path, LIMIT_BYTES), LIMIT_BYTES)
        kinds = {"terms": bytes, "signatures": list, "seats": list, "nodes": list, "host": bytes}
        kinds |= {"broken_off_by": bytes}
        fields = shape(value, sobremesa=int, port=int, private=bool, **kinds)
        terms = _playable(fields["terms"], fields["sobremesa"])
        seats = [_seat(terms, item) for item in fields["seats"]]
        seeds = {seat: seed for seat, seed, _name in seats}
        characters = {seat: name for seat, _seed, name in seats if name}
        port = fields["port"] if 0 <= fields["port"] < 65536 else 0
        return ResumeRecord(
            terms,
            tuple(fields["signatures"]),
            seeds,
            of_participants(terms, read_endpoints(fields["nodes"])),
            port,
            characters,
            _peer(terms, fields["host"]),
            fields["private"],
            _peer(terms, fields["broken_off_by"]),
        )
    except (Malformed, CryptoError):
        raise _damaged(path) from None  # a cause might show a key


def _damaged(path: Path) -> StoreError:
    return StoreError(_("{path} is damaged: that match cannot be resumed").format(path=path))


def _playable(data: bytes, version: int) -> Terms:
    """Read the terms in a record of this version, which some program can play. Raises Malformed."""
    if version != VERSION:
        raise Malformed("a later version has written it")
    terms = Terms.decode(data)
    try:
        terms.check_game()
    except OtherVersion:
        pass  # a resume reports it
    except (BadOption, UnknownGame) as error:
        raise Malformed("no program plays by these terms") from error
    return terms


def _peer(terms: Terms, peer: bytes) -> bytes:
    """Return the id of a peer; empty if unknown. Raises Malformed."""
    if len(peer) not in (0, len(terms.participants[0].id)):
        raise Malformed("no peer has such an id")
    return peer


def _seat(terms: Terms, item: object) -> tuple[Seat, bytes, str]:
    """Return a seat, its key, and its character's name, which may be empty.

    Raises Malformed.
    """
    parts = [type(part) for part in item] if type(item) is list else []
    if (
        type(item) is not list
        or parts not in ([int, bytes], [int, bytes, str])
        or len(item[1]) not in (0, SEED_BYTES)
    ):
        raise Malformed("a seat is its number, its key, and perhaps its character")
    if not 0 <= item[0] < len(terms.participants):
        raise Malformed("there is no such seat")
    return item[0], item[1], item[2] if len(item) == 3 else ""
