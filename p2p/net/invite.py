"""Invites: a table's addresses, its host's key and a secret, as one string to paste or read aloud.

`SBM1-` and Crockford base32 in groups of four: a byte of flags (the numbers of IPv4 and IPv6
addresses), the addresses, the port, ten bytes of the host's id, five of the secret, and zero bits
up to the next character; then four check characters, the number before them modulo the largest
prime below 2^20. The check finds every single wrong character, every swap of two neighbours, and
all but one in a million other errors.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field

from crypto.base32 import ALPHABET, VALUES, number_of, spell
from p2p.net.addresses import Address, ip_address
from p2p.net.errors import NotAnInvite
from p2p.net.text import clean

PREFIX = "SBM1"
ID = 10
SECRET = 5
MOST_ADDRESSES = 2

_ONES = str.maketrans("IL", "11")
_CHECK = 1048573
_CHECK_LENGTH = 4
_GROUP = 4
_MOST_GROUPS = 4
"""The most groups to name as possibly wrong."""
_MOST_LETTERS = 100
"""The most characters, including the check. This version has at most 84; a later one may have more.
"""


@dataclass(frozen=True, slots=True)
class Invite:
    """An invite: a table's addresses, the first ten bytes of its host's id, and a secret.

    The host admits a guest that sends the secret. There are one or two IP addresses, without names
    or scopes. ValueError if a part has the wrong length.
    """

    hosts: tuple[str, ...]
    port: int
    id_prefix: bytes
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        """Check the lengths, and normalise the addresses as `parse_invite` does."""
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
        """Write the invite in groups of four. It contains the secret, so never log it."""
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
        text = spell(number, length) + spell(number % _CHECK, _CHECK_LENGTH)
        return "-".join([PREFIX, *(text[at : at + 4] for at in range(0, len(text), 4))])


def looks_like_invite(text: str) -> bool:
    """Whether the text is meant as an invite, perhaps with an error in its first group.

    If so, report an invite's errors, and do not treat it as a host name.
    """
    found = _letters(text)
    return _begins(found) or (
        len(found) >= len(PREFIX) + min(_LENGTHS) and all(letter in VALUES for _at, letter in found)
    )


def parse_invite(text: str) -> Invite:
    """Read an invite: any case, with or without dashes and spaces, O for 0, I and L for 1.

    Raises NotAnInvite.
    """
    found = _letters(text)
    if not _begins(found):
        raise NotAnInvite("start")
    del found[: len(PREFIX)]
    # First of all: parsing a long number takes quadratic time.
    if len(found) > _MOST_LETTERS:
        raise NotAnInvite("length", length=len(found), expected=_expected(found))
    for number, (at, letter) in enumerate(found):
        if letter not in VALUES:
            shown = clean(letter, 2) or f"U+{ord(letter):04X}"
            raise NotAnInvite("letter", at + 1, str(number // _GROUP + 1), shown)
    letters = "".join(letter for _at, letter in found)
    if not _checks(letters):
        raise _mistake(text, found, letters)
    return _read(letters)


def _read(letters: str) -> Invite:
    """Read the characters after the prefix, whose check is valid. Raises NotAnInvite."""
    body = letters[:-_CHECK_LENGTH]
    size, spare = divmod(len(body) * 5, 8)
    data = (number_of(body) >> spare).to_bytes(size, "big")
    four, six = (data[0] & 3, data[0] >> 2) if data else (0, 0)
    if not 1 <= four + six <= MOST_ADDRESSES or size != _size(four, six):
        raise NotAnInvite("version")
    hosts, at = [], 1
    for width in [4] * four + [16] * six:
        hosts.append(str(ipaddress.ip_address(data[at : at + width])))
        at += width
    port = int.from_bytes(data[at : at + 2], "big")
    if not port:
        raise NotAnInvite("version")
    return Invite(tuple(hosts), port, data[at + 2 : at + 2 + ID], data[-SECRET:])


def _checks(letters: str) -> bool:
    """Whether the check characters match, and the bits after the last byte are zero."""
    body, check = letters[:-_CHECK_LENGTH], letters[-_CHECK_LENGTH:]
    number, spare = number_of(body), len(body) * 5 % 8
    return (
        len(check) == _CHECK_LENGTH
        and number % _CHECK == number_of(check)
        and not number & ((1 << spare) - 1)
    )


# The mistake in a text whose check fails.


def _mistake(text: str, found: list[tuple[int, str]], letters: str) -> NotAnInvite:
    """Return the error for a failed check, as near to the mistake as possible."""
    if len(letters) in _LENGTHS:
        groups = sorted({at // _GROUP for at in _suspects(letters)})
        if not 1 <= len(groups) <= _MOST_GROUPS:
            return NotAnInvite("check")
        last = found[: (groups[0] + 1) * _GROUP][-1][0]
        named = ", ".join(str(group + 1) for group in groups)
        return NotAnInvite("group" if len(groups) == 1 else "groups", last + 1, named)
    parts = list(re.finditer(r"[^-\s]+", text[found[0][0] :])) if found else []
    # a group read or typed wrongly; the last one may be shorter
    for number, part in enumerate(parts[:-1], 1):
        if len(part[0]) != _GROUP:
            return NotAnInvite("part", found[0][0] + part.end(), str(number), length=len(part[0]))
    return NotAnInvite("length", length=len(letters), expected=_expected(found))


def _suspects(letters: str) -> set[int]:
    """Return the indexes of wrong or swapped characters that explain the mistake.

    Neighbouring groups can explain the same mistake: 32 ** 4 is 3 modulo the prime. Any other index
    is an accident of one in a million for each repair.
    """
    body, check = letters[:-_CHECK_LENGTH], letters[-_CHECK_LENGTH:]
    excess = number_of(body) - number_of(check)
    repaired: dict[str, set[int]] = {}
    for at, letter in enumerate(letters):
        weight = (
            pow(32, len(body) - 1 - at, _CHECK)
            if at < len(body)
            else -(32 ** (len(letters) - 1 - at))
        )
        value = (VALUES[letter] - excess * pow(weight, -1, _CHECK)) % _CHECK
        for one in (value, value - _CHECK):
            if 0 <= one < len(ALPHABET):
                repaired[letters[:at] + ALPHABET[one] + letters[at + 1 :]] = {at}
        repaired[letters[:at] + letters[at : at + 2][::-1] + letters[at + 2 :]] = {at, at + 1}
    return {at for text, places in repaired.items() if _is_invite(text) for at in places}


def _is_invite(letters: str) -> bool:
    if not _checks(letters):
        return False
    try:
        _read(letters)
    except NotAnInvite:
        return False
    return True


def _expected(found: list[tuple[int, str]]) -> int:
    """Return how many characters this invite should have, or the nearest possible length."""
    first, second = ([VALUES.get(letter, 0) for _at, letter in found] + [0, 0])[:2]
    flags = first << 3 | second >> 2
    if 1 <= (flags & 3) + (flags >> 2) <= MOST_ADDRESSES:
        return _length(flags & 3, flags >> 2)
    return min(_LENGTHS, key=lambda length: abs(length - len(found)))


def _size(four: int, six: int) -> int:
    """Return the number of bytes of an invite with these numbers of addresses."""
    return 1 + 4 * four + 16 * six + 2 + ID + SECRET


def _length(four: int, six: int) -> int:
    """Return the number of its characters after the prefix."""
    return -(-_size(four, six) * 8 // 5) + _CHECK_LENGTH


_LENGTHS = tuple(
    _length(four, six)
    for four in range(MOST_ADDRESSES + 1)
    for six in range(MOST_ADDRESSES + 1)
    if 1 <= four + six <= MOST_ADDRESSES
)


def _letters(text: str) -> list[tuple[int, str]]:
    """Return the significant characters in capitals, each with its index in the text."""
    return [
        (at, letter.upper())
        for at, letter in enumerate(text)
        if letter != "-" and not letter.isspace()
    ]


def _begins(found: list[tuple[int, str]]) -> bool:
    """Whether these characters begin with the prefix of an invite."""
    prefix = "".join(letter for _at, letter in found[: len(PREFIX)])
    return prefix[:-1] + prefix[-1:].translate(_ONES) == PREFIX
