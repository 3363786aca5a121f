"""Noise_NNpsk0_25519_ChaChaPoly_SHA256 (Noise Protocol Framework, revision 34): the responder.

Each side proves that it has a pre-shared key of 32 bytes. Two ephemeral X25519 keys protect the
messages from an attacker who learns the pre-shared key later. `cryptography` does the arithmetic;
this file has only the protocol.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from crypto.chance import Entropy, fresh
from crypto.errors import CryptoError

NAME = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256"
KEY_BYTES, TAG_BYTES = 32, 16
EMPTY_BYTES = KEY_BYTES + TAG_BYTES
"""Bytes of a handshake message without a payload."""
LAST_NONCE = 2**64 - 2
"""The greatest nonce of a message (revision 34, 5.1)."""


class Broken(CryptoError):
    """A message is not the other side's next one, or an earlier message was not."""


class Cipher:
    """A key with its next nonce (CipherState, 5.1). Unusable after a failure."""

    def __init__(self, key: bytes) -> None:
        """Start with a key of 32 bytes and nonce 0."""
        self._cipher = ChaCha20Poly1305(key)
        self.nonce = 0

    def encrypt(self, data: bytes, bound: bytes = b"") -> bytes:
        """Encrypt data, adding 16 bytes, and authenticate `bound` too. Raises Broken."""
        return self._cipher.encrypt(self._next(), data, bound)

    def decrypt(self, data: bytes, bound: bytes = b"") -> bytes:
        """Decrypt data. Broken if the other side did not encrypt it next."""
        try:
            return self._cipher.decrypt(self._next(), data, bound)
        except InvalidTag:
            self.end()
            raise Broken("a wrong tag") from None

    def end(self) -> None:
        """Make this cipher unusable."""
        self.nonce = LAST_NONCE + 1

    def _next(self) -> bytes:
        if self.nonce > LAST_NONCE:
            raise Broken("ended, or no nonce is left")
        nonce = bytes(4) + self.nonce.to_bytes(8, "little")
        self.nonce += 1
        return nonce


class Symmetric:
    """The state of a handshake (SymmetricState, 5.2)."""

    def __init__(self, prologue: bytes) -> None:
        """Start with the bytes that both sides must already share."""
        self.hash = hashlib.sha256(NAME).digest()
        """The hash of everything sent so far (h); not secret."""
        self._chaining, self._cipher = self.hash, Cipher(bytes(KEY_BYTES))
        self.mix_hash(prologue)

    def mix_hash(self, data: bytes) -> None:
        """Bind the handshake to data (MixHash)."""
        self.hash = hashlib.sha256(self.hash + data).digest()

    def mix_key(self, material: bytes) -> None:
        """Make all later keys depend on material (MixKey)."""
        self._chaining, key = self._expand(material, 2)
        self._cipher = Cipher(key)

    def mix_key_and_hash(self, material: bytes) -> None:
        """Mix material into the keys and the hash (MixKeyAndHash)."""
        self._chaining, bound, key = self._expand(material, 3)
        self.mix_hash(bound)
        self._cipher = Cipher(key)

    def encrypt(self, payload: bytes) -> bytes:
        """Encrypt a payload of a handshake (EncryptAndHash)."""
        sealed = self._cipher.encrypt(payload, self.hash)
        self.mix_hash(sealed)
        return sealed

    def decrypt(self, sealed: bytes) -> bytes:
        """Decrypt a payload of a handshake (DecryptAndHash). Raises Broken."""
        payload = self._cipher.decrypt(sealed, self.hash)
        self.mix_hash(sealed)
        return payload

    def split(self) -> tuple[Cipher, Cipher]:
        """Return the ciphers of both directions: the initiator's, and ours (Split)."""
        first, second = self._expand(b"", 2)
        return Cipher(first), Cipher(second)

    def _expand(self, material: bytes, count: int) -> list[bytes]:
        """Return keys of 32 bytes: HKDF of 4.3 is that of RFC 5869 without `info`."""
        size = KEY_BYTES * count
        made = HKDF(SHA256(), size, self._chaining, b"").derive(material)
        return [made[at : at + KEY_BYTES] for at in range(0, size, KEY_BYTES)]


class Agreed(NamedTuple):
    """The result of a handshake."""

    payload: bytes
    """That of the first message."""
    message: bytes
    """The second message, for the initiator."""
    receiving: Cipher
    sending: Cipher
    hash: bytes
    """The handshake hash, 32 bytes, unique to this handshake (11.2)."""

    def __repr__(self) -> str:
        return "<Agreed>"


def respond(psk: bytes, prologue: bytes, first: bytes, payload: bytes, entropy: Entropy) -> Agreed:
    """Answer a first message with a second one that has a payload.

    Both are 48 bytes longer than their payloads. `psk` has 32 bytes. Broken if the first message
    was not made with this key and prologue, or if its X25519 key makes every shared secret 0 (RFC
    7748, 6.1).
    """
    if len(first) < EMPTY_BYTES:
        raise Broken("a first message that is too short")
    theirs = first[:KEY_BYTES]
    state = Symmetric(prologue)
    state.mix_key_and_hash(psk)
    _mix_public(state, theirs)
    said = state.decrypt(first[KEY_BYTES:])
    own = X25519PrivateKey.from_private_bytes(fresh(entropy, KEY_BYTES))
    public = own.public_key().public_bytes_raw()
    _mix_public(state, public)
    try:
        state.mix_key(own.exchange(X25519PublicKey.from_public_bytes(theirs)))
    except ValueError:  # `cryptography` reports so that the secret is 0
        raise Broken("a key of small order") from None
    sealed = state.encrypt(payload)
    return Agreed(said, public + sealed, *state.split(), state.hash)


def _mix_public(state: Symmetric, public: bytes) -> None:
    """Mix in an X25519 key: with a pre-shared key, as a key too (9.2)."""
    state.mix_hash(public)
    state.mix_key(public)
