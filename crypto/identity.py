"""A player's key: its signatures, its id and fingerprint, and its certificate.

Ed25519 (RFC 8032). Each signature is for one purpose. A certificate is a pure function of the key:
its bytes are built here and compared with the expected ones, so that nothing parses a stranger's
certificate before it is known to be one of ours.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from crypto.base32 import spell
from crypto.errors import InvalidEncoding, InvalidSignature
from crypto.plain import L, P
from crypto.wordlist import WORDS

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

PLAYER_CONTEXT = b"sobremesa/v1/player\0"
SIGN_CONTEXT = b"sobremesa/v1/sign\0"
SMALL_ORDER = frozenset(
    {
        0,
        1,
        P - 1,
        2707385501144840649318225287225658788936804267575313519463743609750303402022,
        55188659117513257062467267217118295137698188065244968500265048394206261417927,
    }
)
"""The y of the eight points of order 1, 2, 4, 8: keys under which one signature fits many messages.
"""


@dataclass(frozen=True)
class Identity:
    """A player's key pair. Its repr shows only the id."""

    seed: bytes = field(repr=False)
    public: bytes = field(repr=False)
    id: bytes

    @staticmethod
    def from_seed(seed: bytes) -> Identity:
        """Return the identity of a seed of 32 random bytes. ValueError for another length."""
        public = private_key(seed).public_key().public_bytes_raw()
        return Identity(seed, public, player_id(public))

    def __repr__(self) -> str:
        return f"<Identity {fingerprint(self.id)}>"

    def sign(self, context: str, data: bytes) -> bytes:
        """Sign data for the purpose `context`; return 64 bytes, always the same."""
        return private_key(self.seed).sign(_message(context, data))

    def certificate(self) -> bytes:
        """Return the self-signed X.509 certificate (DER) of this key: always the same bytes."""
        body = certificate_body(self.public)
        return certificate_of(body, private_key(self.seed).sign(body))

    def pem(self) -> bytes:
        """Return private key (PKCS 8) and certificate as PEM, in one file for `ssl`.

        Keep it as secret as the seed.
        """
        key = _der(0x30, _INTEGER_0, _ED25519, _der(0x04, _der(0x04, self.seed)))
        return _pem("PRIVATE KEY", key) + _pem("CERTIFICATE", self.certificate())


def verify(public: bytes, context: str, data: bytes, signature: bytes) -> None:
    """Check a signature over data for this purpose.

    InvalidEncoding if the key is invalid, InvalidSignature if the signature does not match.
    """
    verify_plain(public, _message(context, data), signature)


def player_id(public: bytes) -> bytes:
    """Return the id of the player with this key: 32 bytes. Raises InvalidEncoding."""
    return hashlib.sha256(PLAYER_CONTEXT + _require_key(public)).digest()


def fingerprint(player: bytes) -> str:
    """Write the first 80 bits of an id as `AB12-CD34-EF56-GH78`.

    Finding a key with the same fingerprint is infeasible.
    """
    letters = spell(int.from_bytes(player[:10], "big"), 16)
    return "-".join(letters[at : at + 4] for at in range(0, 16, 4))


def words(player: bytes) -> str:
    """Write the first 64 bits of an id as eight words, to be read aloud."""
    return " ".join(WORDS[byte] for byte in player[:8])


def public_of_certificate(der: bytes) -> bytes:
    """Return the key of a certificate that `certificate` made.

    InvalidEncoding for another, InvalidSignature for a forgery.
    """
    public = der[_KEY_AT : _KEY_AT + 32]
    body = certificate_body(_require_key(public))
    if der != certificate_of(body, der[-64:]):
        raise InvalidEncoding("not a certificate of a player's key")
    verify_plain(public, body, der[-64:])
    return public


def _message(context: str, data: bytes) -> bytes:
    name = context.encode()
    return SIGN_CONTEXT + len(name).to_bytes(2, "big") + name + data


def verify_plain(public: bytes, message: bytes, signature: bytes) -> None:
    """Check a signature as docs/protocol.md section 1 specifies.

    Libraries differ in which encodings they accept. Encodings are checked here first, so the
    library decides only the equation without the cofactor, and every library that computes that one
    agrees.
    """
    _require_key(public)
    if type(signature) is not bytes or len(signature) != 64:
        raise InvalidSignature("a signature has 64 bytes")
    if int.from_bytes(signature[32:], "little") >= L:
        raise InvalidSignature("a signature that is not in its one spelling")
    if not _is_plain_point(signature[:32]):
        raise InvalidSignature("a signature whose R is of small order or not canonical")
    check_equation(public, message, signature)


def check_equation(public: bytes, message: bytes, signature: bytes) -> None:
    """Compute S B - k A and compare it with R, as bytes.

    InvalidSignature if they differ, or A is not on the curve.
    """
    from cryptography.exceptions import InvalidSignature as NoMatch  # noqa: PLC0415 - 35 ms that most commands do not need

    try:
        _public_key(public).verify(signature, message)
    except NoMatch as error:
        raise InvalidSignature("the signature does not fit") from error


def _require_key(public: bytes) -> bytes:
    if type(public) is not bytes or len(public) != 32:
        raise InvalidEncoding("a public key has 32 bytes")
    if not _is_plain_point(public):
        raise InvalidEncoding("a public key that no player can have")
    return public


def _is_plain_point(data: bytes) -> bool:
    """Whether y is reduced and not that of a point of small order.

    Whether a point with this y exists is left to the equation. Any sign is valid, since only points
    of small order have x = 0.
    """
    y = int.from_bytes(data, "little") % 2**255
    return y < P and y not in SMALL_ORDER


@lru_cache(maxsize=64)
def _public_key(public: bytes) -> Ed25519PublicKey:
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - as above

    return ed25519.Ed25519PublicKey.from_public_bytes(public)


def private_key(seed: bytes) -> Ed25519PrivateKey:
    """Return the private key of a seed."""
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - as above

    return ed25519.Ed25519PrivateKey.from_private_bytes(seed)


# The certificate, RFC 5280 and RFC 8410: version 3, serial 1, issuer and subject "sobremesa",
# 2000-01-01 to 9999-12-31.


def _der(tag: int, *content: bytes) -> bytes:
    data = b"".join(content)
    if len(data) < 128:
        return bytes([tag, len(data)]) + data
    size = len(data).to_bytes((len(data).bit_length() + 7) // 8, "big")
    return bytes([tag, 128 + len(size)]) + size + data


_INTEGER_0 = _der(0x02, b"\0")
_ED25519 = _der(0x30, _der(0x06, bytes([0x2B, 0x65, 0x70])))
_NAME = _der(
    0x30, _der(0x31, _der(0x30, _der(0x06, bytes([0x55, 0x04, 0x03])), _der(0x0C, b"sobremesa")))
)
_VALIDITY = _der(0x30, _der(0x17, b"000101000000Z"), _der(0x18, b"99991231235959Z"))
_TRUE = _der(0x01, b"\xff")
_EXTENSIONS = _der(
    0xA3,
    _der(
        0x30,
        # Basic constraints: no authority. Key usage: digital signature. Both critical.
        _der(0x30, _der(0x06, bytes([0x55, 0x1D, 0x13])), _TRUE, _der(0x04, _der(0x30))),
        _der(0x30, _der(0x06, bytes([0x55, 0x1D, 0x0F])), _TRUE, _der(0x04, _der(0x03, b"\7\x80"))),
    ),
)


def certificate_body(public: bytes) -> bytes:
    """Return the part of a key's certificate that is signed."""
    version, serial = _der(0xA0, _der(0x02, b"\2")), _der(0x02, b"\1")
    key = _der(0x30, _ED25519, _der(0x03, b"\0", public))
    return _der(0x30, version, serial, _ED25519, _NAME, _VALIDITY, _NAME, key, _EXTENSIONS)


def certificate_of(body: bytes, signature: bytes) -> bytes:
    """Return a certificate: its body with the signature."""
    return _der(0x30, body, _ED25519, _der(0x03, b"\0", signature))


_KEY_AT = certificate_of(certificate_body(b"?" * 32), bytes(64)).index(b"?" * 32)


def _pem(label: str, der: bytes) -> bytes:
    text = base64.b64encode(der).decode()
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""]).encode()
