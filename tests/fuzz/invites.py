"""Invites and addresses, as people paste them: NotAnInvite or BadAddress, else what was read is
spelled and read again."""

from __future__ import annotations

from p2p.net.addresses import parse_address, show_address
from p2p.net.errors import BadAddress, NotAnInvite
from p2p.net.invite import Invite, looks_like_invite, parse_invite

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CHECK = 1048573
CHECKED = 0
"""An input that begins with this byte is the inside of an invite, whose check characters are put
right; any other is the text."""


def one_input(data: bytes) -> None:
    text = (
        checked(data[1:])
        if data[:1] == bytes([CHECKED])
        else data.decode("utf-8", "surrogateescape")
    )
    read_invite(text)
    read_address(text)


def checked(data: bytes) -> str:
    """Spell bytes in base32 with the check characters that belong there, in lines of the text's own
    choosing."""
    letters = -(-len(data) * 8 // 5)
    number = int.from_bytes(data, "big") << (letters * 5 - len(data) * 8)
    return "SBM1-" + spell(number, letters) + spell(number % CHECK, 4)


def spell(number: int, letters: int) -> str:
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(letters - 1, -1, -1))


def read_invite(text: str) -> None:
    try:
        invite = parse_invite(text)
    except NotAnInvite:
        return
    assert looks_like_invite(text)
    assert (
        parse_invite(str(invite))
        == invite
        == Invite(invite.hosts, invite.port, invite.id_prefix, invite.secret)
    )
    assert repr(invite.secret) not in repr(invite)
    for address in invite.addresses:
        assert parse_address(show_address(address)) == (address,)


def read_address(text: str) -> None:
    try:
        found = parse_address(text)
    except BadAddress:
        return
    for address in found:
        assert parse_address(show_address(address)) == (address,)
