"""The advert of a table on the LAN, as a TXT record and back (sans-I/O).

An advert is anybody's claim: it is read strictly, cleaned, and believed only after WELCOME on a
link to that very id. Keys: v protocol, n nick, g game, t table, s seats ("2/4"), st state, l
language, fp the first 16 characters of the fingerprint (for readers with other tools).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from crypto.errors import CryptoError
from crypto.identity import fingerprint, player_id
from p2p.net.addresses import Address
from p2p.net.names import NICK_COLUMNS, clean_name
from p2p.net.text import bare
from p2p.wire import MOST_SEATS, PROTOCOL, Malformed

SERVICE = "_sobremesa._tcp.local."
TXT_LIMIT = 400
SEAT = "seat"
"""The state in the advert of a player who sits in a match and lost others of it."""

_FORMS = {
    "v": re.compile(r"[0-9]{1,4}"),
    "g": re.compile(r"[a-z][a-z0-9-]{0,23}"),
    "t": re.compile(r"[A-Za-z0-9_-]{1,64}"),
    "s": re.compile(r"[0-9]{1,2}/[0-9]{1,2}"),
    "st": re.compile(r"[a-z]{1,12}"),
    "l": re.compile(r"[a-z]{2,3}([-_][A-Za-z]{2,4})?"),
    "fp": re.compile(r"[0-9A-Z]{16}"),
}
_FACTS = ("nick", "game", "table", "seats_taken", "seats", "state", "protocol")
"""The fields of an advert that say something of the table."""


@dataclass(frozen=True, slots=True)
class Advert:
    """The announcement of our table.

    `state` is a word such as "open", "full" or "playing". Private tables are not advertised. With
    the state SEAT it announces no table: see `seat_advert`.
    """

    id: bytes
    nick: str
    game: str
    table: str
    seats_taken: int
    seats: int
    state: str
    port: int
    protocol: int
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Sighting(Advert):
    """Another player's advert, and the addresses at which it may be dialled."""

    addresses: tuple[Address, ...] = ()
    proven: bool = False
    """Whether the owner of this id's key answered at the first address."""
    contested: bool = False
    """Whether ports or texts differ at the same time, or no text can be read."""

    @property
    def facts(self) -> tuple[object, ...]:
        """All that the text says of the table."""
        return tuple(getattr(self, name) for name in _FACTS)

    def with_facts_of(self, other: Advert) -> Sighting:
        """Return this sighting with another one's facts about the table."""
        facts: dict[str, Any] = {name: getattr(other, name) for name in _FACTS}
        return replace(self, **facts)


def seat_advert(player: bytes, port: int, protocol: int) -> Advert:
    """Return the advert of a player who lost others of its match.

    It has a key and a port, and nothing else.
    """
    return Advert(player, "", "none", "-", 0, 1, SEAT, port, protocol, "en")


@dataclass(frozen=True, slots=True)
class TableGone:
    """The table of this id is no longer announced.

    A link to its host may still be up, and counts for more.
    """

    id: bytes


def instance(player: bytes) -> str:
    """Return the instance name of a player: its id in base32, 52 characters, never the nick."""
    return base64.b32encode(player).decode().lower().rstrip("=")


def player_of(name: str) -> bytes:
    """Return the player's id in a service name. Raises Malformed."""
    label, _, service = name.partition(".")
    if service.lower() != SERVICE or not re.fullmatch(r"[a-z2-7]{52}", label):
        raise Malformed("no player's service name")
    try:
        player = base64.b32decode(label.upper() + "====")
    except binascii.Error as error:
        raise Malformed("no player's service name") from error
    if instance(player) != label:
        raise Malformed("a service name in another spelling")
    return player


def txt_of(advert: Advert) -> dict[str, str]:
    """Return the TXT record of an advert, with a clean nick; ValueError if it breaks a limit."""
    try:
        as_read(advert)
    except Malformed as error:
        raise ValueError(str(error)) from error
    return _spelled(advert)


def as_read(advert: Advert) -> Sighting:
    """Return an advert as others read it, without addresses. Malformed if it breaks a limit."""
    txt = {key.encode(): value.encode() for key, value in _spelled(advert).items()}
    return sighting_of(advert.id, txt, advert.port, ())


def _spelled(advert: Advert) -> dict[str, str]:
    return {
        "v": str(advert.protocol),
        "n": bare(advert.nick, NICK_COLUMNS),
        "g": advert.game,
        "t": advert.table,
        "s": f"{advert.seats_taken}/{advert.seats}",
        "st": advert.state,
        "l": advert.language,
        "fp": fingerprint(advert.id).replace("-", ""),
    }


def sighting_of(
    player: bytes, txt: Mapping[bytes, bytes | None], port: int | None, addresses: tuple[str, ...]
) -> Sighting:
    """Read a TXT record.

    Malformed if a key is missing or has the wrong form; unknown keys are for later versions.
    """
    if sum(len(key) + len(value or b"") + 2 for key, value in txt.items()) > TXT_LIMIT:
        raise Malformed("a TXT record over the limit")
    found = {key: _read(txt, key) for key in (*_FORMS, "n")}
    for key, form in _FORMS.items():
        if not form.fullmatch(found[key]):
            raise Malformed(f"{key} is not of its form")
    taken, seats = (int(number) for number in found["s"].split("/"))
    if not (0 <= taken <= seats <= MOST_SEATS and seats > 0):
        raise Malformed("more seats than a table has")
    if found["fp"] != fingerprint(player).replace("-", ""):
        raise Malformed("another's fingerprint")
    if port is None or not 0 < port < 65536:
        raise Malformed("no port")
    return Sighting(
        id=player,
        nick=clean_name(found["n"]),
        game=found["g"],
        table=found["t"],
        seats_taken=taken,
        seats=seats,
        state=found["st"],
        port=port,
        protocol=int(found["v"]),
        language=found["l"],
        addresses=tuple((host, port) for host in addresses),
    )


def told_by_host(claim: Sighting, answer: Any) -> Sighting:
    """Return a claim, corrected by its host's answer to a `look` over a link.

    A host that plays does not show its table. Raises Malformed.
    """
    claim = replace(claim, protocol=PROTOCOL)
    match answer:
        case {"t": "refuse", "why": "playing"}:
            return replace(claim, state="playing", seats_taken=claim.seats)
        case {"t": "refuse", "why": "no-table"}:
            return replace(claim, state=SEAT)
        case {"t": "table", "game": str(game), "table": str(table), "seats": list(seats)}:
            places = [seat for seat in seats if seat]
            nick = next((nick for nick in map(partial(_nick, claim.id), places) if nick), "")
            told = replace(
                claim,
                nick=nick,
                game=game,
                table=table,
                seats_taken=len(places),
                seats=len(seats),
                state="open" if len(places) < len(seats) else "full",
            )
            return claim.with_facts_of(as_read(told))
    raise Malformed("no answer to a look")


def _nick(player: bytes, place: Any) -> str:
    """Return the nick at a seat of a table, if the seat is this player's."""
    match place:
        case [bytes(public), str(nick), *_]:
            try:
                return nick if player_id(public) == player else ""
            except CryptoError:
                return ""
    return ""


def _read(txt: Mapping[bytes, bytes | None], key: str) -> str:
    value = txt.get(key.encode())
    if value is None or len(value) > 4 * NICK_COLUMNS:
        raise Malformed(f"{key} is missing or too long")
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise Malformed(f"{key} is no text") from error
