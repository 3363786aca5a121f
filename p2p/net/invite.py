"""Invites: a table's addresses, the key to expect there and a one-time secret, as one string.

People paste the string or read it aloud.

`SBM1-` and Crockford base32 in groups of four: one byte of flags (how many IPv4 and IPv6
addresses), the addresses, the port, ten bytes of the opener's id, five of the secret, zero bits up
to the next character; then four check characters, the number before them modulo the largest prime
below 2^20. That finds every single wrong character and every swap of two neighbours, and all but
one of a million other mishaps.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field

from p2p.net.addresses import Address, ip_address
from p2p.net.errors import NotAnInvite

PREFIX = "SBM1"
ID = 10
SECRET = 5
MOST_ADDRESSES = 2

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUES = {letter: value for value, letter in enumerate(_ALPHABET)} | {"O": 0, "I": 1, "L": 1}
_CHECK = 1048573
_CHECK_LENGTH = 4
_MOST_LETTERS = 100
"""With its check characters; of this version an invite has 84 at most, of a later one perhaps some
more."""


@dataclass(frozen=True, slots=True)
class Invite:
    """An invite: where a table is, which id must answer there, and a secret.

    The invite has the first ten bytes of the id. The secret is for admission over the link.

    One or two IP addresses (no names, no scopes). ValueError if a part has not its length.
    """

    hosts: tuple[str, ...]
    port: int
    id_prefix: bytes
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        """Require the lengths, and put the addresses in the order and spelling of a read invite."""
        if not 1 <= len(self.hosts) <= MOST_ADDRESSES or any(
            "%" in host or ip_address(host) is None for host in self.hosts
        ):
            raise ValueError("an invite has one or two IP addresses")
        if len(self.id_prefix) != ID or len(self.secret) != SECRET or not 0 < self.port < 65536:
            raise ValueError("an invite has a port, ten bytes of an id and five of a secret")
        ips = sorted((ipaddress.ip_address(host) for host in self.hosts), key=lambda ip: ip.version)
        object.__setattr__(self, "hosts", tuple(str(ip) for ip in ips))

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The addresses to dial."""
        return tuple((host, self.port) for host in self.hosts)

    def __str__(self) -> str:
        """Spell it, in groups of four. The secret is in it: for the player's eyes, not for logs."""
        ips = [ipaddress.ip_address(host) for host in self.hosts]
        flags = sum(1 if ip.version == 4 else 4 for ip in ips)
        parts = [
            bytes([flags]),
            *(ip.packed for ip in ips),
            self.port.to_bytes(2, "big"),
            self.id_prefix,
            self.secret,
        ]
        data = b"".join(parts)
        length = -(-len(data) * 8 // 5)
        number = int.from_bytes(data, "big") << (length * 5 - len(data) * 8)
        text = _spell(number, length) + _spell(number % _CHECK, _CHECK_LENGTH)
        return "-".join([PREFIX, *(text[at : at + 4] for at in range(0, len(text), 4))])


def looks_like_invite(text: str) -> bool:
    """Whether somebody meant this to be an invite.

    Then its errors are to be told, and it is no host's name.
    """
    return _plain(text).startswith(PREFIX)


def parse_invite(text: str) -> Invite:
    """Read an invite: any case, with or without dashes and spaces, O for 0, I and L for 1.

    Raises NotAnInvite.
    """
    letters = _plain(text)
    if not letters.startswith(PREFIX):
        raise NotAnInvite("start")
    letters = letters[len(PREFIX) :]
    # first of all: to read a long number takes the square of its length
    if len(letters) > _MOST_LETTERS:
        raise NotAnInvite("check")
    if not letters.isascii() or any(letter not in _VALUES for letter in letters):
        raise NotAnInvite("letter")
    body, check = letters[:-_CHECK_LENGTH], letters[-_CHECK_LENGTH:]
    number = _number(body)
    size, spare = divmod(len(body) * 5, 8)
    if (
        len(check) < _CHECK_LENGTH
        or number % _CHECK != _number(check)
        or number & ((1 << spare) - 1)
    ):
        raise NotAnInvite("check")
    data = (number >> spare).to_bytes(size, "big")
    four, six = (data[0] & 3, data[0] >> 2) if data else (0, 0)
    if not 1 <= four + six <= MOST_ADDRESSES or size != 1 + 4 * four + 16 * six + 2 + ID + SECRET:
        raise NotAnInvite("version")
    hosts, at = [], 1
    for width in [4] * four + [16] * six:
        hosts.append(str(ipaddress.ip_address(data[at : at + width])))
        at += width
    port = int.from_bytes(data[at : at + 2], "big")
    if not port:
        raise NotAnInvite("version")
    return Invite(tuple(hosts), port, data[at + 2 : at + 2 + ID], data[-SECRET:])


def _plain(text: str) -> str:
    return "".join(text.split()).replace("-", "").upper()


def _spell(number: int, length: int) -> str:
    return "".join(_ALPHABET[number >> 5 * place & 31] for place in range(length - 1, -1, -1))


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number << 5 | _VALUES[letter]
    return number
