"""A second Noise, written from the specification (revision 34) and the RFCs alone, in plain Python.

Any pattern of ephemeral keys and pre-shared keys, both roles; slow, and for tests only. On it
stands a second page: the initiator of the channel of `docs/decisions/0035`.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable

PATTERNS = {"NNpsk0": [["psk", "e"], ["e", "ee"]]}
P = 2**255 - 19


class Wrong(Exception):
    """A message that does not fit."""


# RFC 7748, 5.


def x25519(k: bytes, u: bytes) -> bytes:
    number = int.from_bytes(k, "little")
    number = number % 2**255 & ~7 | 1 << 254
    x_1 = int.from_bytes(u, "little") % 2**255 % P
    x_2, z_2, x_3, z_3, swap = 1, 0, x_1, 1, 0
    for t in reversed(range(255)):
        k_t = number >> t & 1
        swap ^= k_t
        if swap:
            x_2, x_3, z_2, z_3 = x_3, x_2, z_3, z_2
        swap = k_t
        a, b, c, d = x_2 + z_2, x_2 - z_2, x_3 + z_3, x_3 - z_3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        e = aa - bb
        x_3, z_3 = (da + cb) ** 2 % P, x_1 * (da - cb) ** 2 % P
        x_2, z_2 = aa * bb % P, e * (aa + 121665 * e) % P
    if swap:
        x_2, z_2 = x_3, z_3
    return (x_2 * pow(z_2, P - 2, P) % P).to_bytes(32, "little")


def public(k: bytes) -> bytes:
    return x25519(k, (9).to_bytes(32, "little"))


# RFC 8439, 2.1 to 2.8.


def _rotate(word: int, by: int) -> int:
    return (word << by | word >> 32 - by) & 0xFFFFFFFF


def _quarter(s: list[int], a: int, b: int, c: int, d: int) -> None:
    for x, y, z, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[x] = s[x] + s[y] & 0xFFFFFFFF
        s[z] = _rotate(s[z] ^ s[x], by)


def chacha20_block(key: bytes, counter: int, nonce: bytes) -> bytes:
    constants = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
    start = [*constants, *struct.unpack("<8I", key), counter, *struct.unpack("<3I", nonce)]
    s = list(start)
    for _ in range(10):
        for at in range(4):
            _quarter(s, at, 4 + at, 8 + at, 12 + at)
        for at in range(4):
            _quarter(s, at, 4 + (at + 1) % 4, 8 + (at + 2) % 4, 12 + (at + 3) % 4)
    return struct.pack("<16I", *(x + y & 0xFFFFFFFF for x, y in zip(s, start, strict=True)))


def chacha20(key: bytes, counter: int, nonce: bytes, data: bytes) -> bytes:
    stream = b"".join(
        chacha20_block(key, counter + at // 64, nonce) for at in range(0, len(data), 64)
    )
    return bytes(x ^ y for x, y in zip(data, stream, strict=False))


def poly1305(key: bytes, data: bytes) -> bytes:
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for at in range(0, len(data), 16):
        total = (total + int.from_bytes(data[at : at + 16] + b"\1", "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


def _tag(key: bytes, nonce: bytes, ad: bytes, hidden: bytes) -> bytes:
    filled = ad + bytes(-len(ad) % 16) + hidden + bytes(-len(hidden) % 16)
    sizes = struct.pack("<QQ", len(ad), len(hidden))
    return poly1305(chacha20_block(key, 0, nonce)[:32], filled + sizes)


def aead_encrypt(key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    hidden = chacha20(key, 1, nonce, data)
    return hidden + _tag(key, nonce, ad, hidden)


def aead_decrypt(key: bytes, nonce: bytes, ad: bytes, sealed: bytes) -> bytes:
    hidden, tag = sealed[:-16], sealed[-16:]
    if len(sealed) < 16 or _tag(key, nonce, ad, hidden) != tag:
        raise Wrong
    return chacha20(key, 1, nonce, hidden)


# RFC 2104; Noise 4.3.


def hmac(key: bytes, data: bytes) -> bytes:
    key = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + data).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def hkdf(chaining_key: bytes, material: bytes, outputs: int) -> list[bytes]:
    temp_key = hmac(chaining_key, material)
    made = [hmac(temp_key, b"\1")]
    while len(made) < outputs:
        made.append(hmac(temp_key, made[-1] + bytes([len(made) + 1])))
    return made


def derived(root: bytes, info: bytes, length: int) -> bytes:
    """HKDF of RFC 5869 with our salt, of one block."""
    return hmac(hmac(b"sobremesa/phone/1", root), info + b"\1")[:length]


# Noise 5.1 to 5.3.


class CipherState:
    def __init__(self, key: bytes | None = None) -> None:
        self.k, self.n = key, 0

    def _nonce(self) -> bytes:
        self.n += 1
        return bytes(4) + struct.pack("<Q", self.n - 1)

    def encrypt_with_ad(self, ad: bytes, plaintext: bytes) -> bytes:
        return plaintext if self.k is None else aead_encrypt(self.k, self._nonce(), ad, plaintext)

    def decrypt_with_ad(self, ad: bytes, ciphertext: bytes) -> bytes:
        return ciphertext if self.k is None else aead_decrypt(self.k, self._nonce(), ad, ciphertext)


class HandshakeState:
    """A handshake; the patterns here have no static keys."""

    def __init__(
        self,
        pattern: str,
        role: str,
        prologue: bytes,
        psks: list[bytes],
        ephemeral: bytes,
        shown: bytes | None = None,
    ) -> None:
        """Set up; `shown` is a key of small order to send in place of our own."""
        name = f"Noise_{pattern}_25519_ChaChaPoly_SHA256".encode()
        self.h = name.ljust(32, b"\0") if len(name) <= 32 else hashlib.sha256(name).digest()
        self.ck, self.cipher = self.h, CipherState()
        self._messages = [list(tokens) for tokens in PATTERNS[pattern]]
        self._with_psk = "psk" in pattern
        self._initiator, self._psks, self._secret = role == "initiator", list(psks), ephemeral
        self._shown, self._theirs = shown or public(ephemeral), b""
        self._honest = shown is None
        self._mix_hash(prologue)

    def write_message(self, payload: bytes) -> bytes:
        buffer = b""
        for token in self._messages.pop(0):
            if token == "e":
                buffer += self._shown
                self._mix_ephemeral(self._shown)
            else:
                self._token(token)
        sealed = self.cipher.encrypt_with_ad(self.h, payload)
        self._mix_hash(sealed)
        return buffer + sealed

    def read_message(self, message: bytes) -> bytes:
        for token in self._messages.pop(0):
            if token == "e":
                self._theirs, message = message[:32], message[32:]
                if len(self._theirs) < 32:
                    raise Wrong
                self._mix_ephemeral(self._theirs)
            else:
                self._token(token)
        payload = self.cipher.decrypt_with_ad(self.h, message)
        self._mix_hash(message)
        return payload

    def split(self) -> tuple[CipherState, CipherState]:
        """Return the ciphers to send and to receive with."""
        first, second = (CipherState(key) for key in hkdf(self.ck, b"", 2))
        return (first, second) if self._initiator else (second, first)

    def _token(self, token: str) -> None:
        if token == "psk":
            self.ck, temp_h, temp_k = hkdf(self.ck, self._psks.pop(0), 3)
            self._mix_hash(temp_h)
            self.cipher = CipherState(temp_k)
            return
        shared = x25519(self._secret, self._theirs) if self._honest else bytes(32)
        if shared == bytes(32) and self._honest:
            raise Wrong
        self._mix_key(shared)

    def _mix_hash(self, data: bytes) -> None:
        self.h = hashlib.sha256(self.h + data).digest()

    def _mix_key(self, material: bytes) -> None:
        self.ck, temp_k = hkdf(self.ck, material, 2)
        self.cipher = CipherState(temp_k)

    def _mix_ephemeral(self, key: bytes) -> None:
        self._mix_hash(key)
        if self._with_psk:
            self._mix_key(key)


# The channel of a phone, from the table of decision 0035.


class SecondPage:
    """The page's end of a channel."""

    def __init__(
        self, kind: int, root: bytes, host: str, secret: bytes, shown: bytes | None = None
    ) -> None:
        ident = derived(root, b"id" + bytes([kind]), 8)
        prologue = b"sobremesa/phone/1\0" + bytes([kind]) + ident + host.encode()
        psk = derived(root, b"psk" + bytes([kind]), 32)
        self._handshake = HandshakeState("NNpsk0", "initiator", prologue, [psk], secret, shown)
        self.first = bytes([1, kind]) + ident + self._handshake.write_message(b"")

    def finish(self, answer: bytes) -> bytes:
        files = self._handshake.read_message(answer)
        self.sending, self.receiving = self._handshake.split()
        return files

    @property
    def digits(self) -> str:
        return str(int(self._handshake.h.hex(), 16))[-4:]

    def seal(self, text: str) -> bytes:
        data = text.encode()
        return self.seal_bytes(data + b" " * (-len(data) % 128))

    def seal_bytes(self, data: bytes) -> bytes:
        return self.sending.encrypt_with_ad(b"", data)

    def unseal(self, frame: bytes) -> str:
        return self.receiving.decrypt_with_ad(b"", frame).decode().rstrip(" ")

    def hear(self, frames: Iterable[bytes]) -> str:
        """Return the text that ends in the last of these frames, and in none before."""
        *parts, last = map(self.unseal, frames)
        if last.endswith("+") or not all(part.endswith("+") for part in parts):
            raise Wrong
        return "".join(part[:-1] for part in parts) + last
