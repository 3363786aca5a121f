"""One strict verification, with any library: docs/protocol.md section 1, "Signatures".

Every edge case is made here from the mathematics, with the oracle `strict` beside it: points of
mixed and small order are sums of a multiple of the base point and a point of the torsion group,
which has order 8.
"""

from __future__ import annotations

import ctypes
import hashlib
import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
import rbcl
from cryptography.exceptions import InvalidSignature as NoMatch
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from crypto import identity
from crypto.errors import CryptoError, InvalidSignature
from crypto.identity import SMALL_ORDER, Identity, public_of_certificate
from crypto.plain import SQRT_M1, ZERO, D, L, P, Point, add_points, double, negative

SECRET = 0x1234567890ABCDEF % L
NONCE = 0xFEDCBA0987654321 % L


# Curve arithmetic on Ed25519's own encoding: y, and the lowest bit of x at the top.


def recover(y: int, sign: int) -> Point | None:
    """The point with this y and this lowest bit of x, or None. With x = 0 the sign is ignored."""
    ratio = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(ratio, (P + 3) // 8, P)
    if x * x % P != ratio:
        x = x * SQRT_M1 % P
    if x * x % P != ratio:
        return None
    if x & 1 != sign:
        x = -x % P
    return x, y % P, 1, x * y % P


def encode(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data: bytes) -> Point | None:
    number = int.from_bytes(data, "little")
    y, sign = number % 2**255, number >> 255
    point = recover(y, sign) if y < P else None
    return point if point is not None and encode(point) == data else None


def times(k: int, point: Point) -> Point:
    total = ZERO
    for bit in bin(k)[2:]:
        total = double(total)
        if bit == "1":
            total = add_points(total, point)
    return total


def known_base() -> Point:
    point = recover(4 * pow(5, -1, P) % P, 0)
    assert point is not None
    return point


BASE = known_base()


def torsion() -> list[Point]:
    """The eight points of small order: multiples of L times a point that is not in the subgroup."""
    for y in itertools.count(2):
        point = recover(y, 0)
        if point is not None:
            eighth = times(L, point)
            if encode(times(4, eighth)) != encode(ZERO):
                return [times(k, eighth) for k in range(8)]
    raise AssertionError


TORSION = torsion()


def challenge(r: bytes, a: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + a + message).digest(), "little") % L


def strict(a: bytes, message: bytes, signature: bytes) -> bool:
    """The verification that the protocol specifies, without any library."""
    if len(a) != 32 or len(signature) != 64:
        return False
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    key, nonce = decode(a), decode(r)
    if s >= L or key is None or nonce is None:
        return False
    if any(encode(times(8, point)) == encode(ZERO) for point in (key, nonce)):
        return False
    k = challenge(r, a, message)
    return encode(add_points(times(s, BASE), negative(times(k, key)))) == r


def with_cofactor(a: bytes, message: bytes, signature: bytes) -> bool:
    """The other verification of RFC 8032: points that differ by one of small order are the same."""
    key, nonce = decode(a), decode(signature[:32])
    if key is None or nonce is None:
        return False
    k = challenge(signature[:32], a, message)
    left = times(int.from_bytes(signature[32:], "little"), BASE)
    return encode(times(8, left)) == encode(times(8, add_points(nonce, times(k, key))))


# The edge cases.


class Case(NamedTuple):
    name: str
    public: bytes
    message: bytes
    signature: bytes
    good: bool


def spell(r: bytes, s: int) -> bytes:
    return r + s.to_bytes(32, "little")


def message_with(r: bytes, a: bytes, fits: Callable[[int], bool]) -> tuple[bytes, int]:
    """A message whose challenge fits, and the challenge."""
    for n in itertools.count():
        k = challenge(r, a, b"message %d" % n)
        if fits(k):
            return b"message %d" % n, k
    raise AssertionError


def made(
    name: str,
    twist_a: int,
    twist_r: int,
    *,
    equal: bool,
    good: bool,
    nonce: int = NONCE,
    secret: int = SECRET,
) -> Case:
    """A signature by a key and a nonce that are off the subgroup by so many eighths.

    `equal`: the equation without the cofactor holds.
    """
    a = encode(add_points(times(secret, BASE), TORSION[twist_a]))
    r = encode(add_points(times(nonce, BASE), TORSION[twist_r]))
    message, k = message_with(r, a, lambda k: ((twist_r + k * twist_a) % 8 == 0) is equal)
    return Case(name, a, message, spell(r, (nonce + k * secret) % L), good)


def other_spellings() -> Iterator[bytes]:
    """The spellings of points of small order that are not theirs: y not reduced, or the sign of an
    x that is 0."""
    proper = {encode(point) for point in TORSION}
    for y, sign in itertools.product(SMALL_ORDER, (0, 1)):
        for spelled in (y, y + P):
            data = (spelled | sign << 255).to_bytes(32, "little") if spelled < 2**255 else b""
            if data and data not in proper:
                yield data


def spelled_point(data: bytes) -> Point:
    """The point that a lax reader takes such bytes for."""
    number = int.from_bytes(data, "little")
    point = recover(number % 2**255 % P, number >> 255)
    assert point is not None
    return point


def cases_of_mixed_order() -> Iterator[Case]:
    # Mixed order is no reason to refuse: the equation without the cofactor decides.
    for twist in range(1, 8):
        kinds: dict[str, tuple[int, int, bool, bool, dict[str, int]]] = {
            "A of mixed order, the equation holds": (twist, 0, True, True, {}),
            "A and R of mixed order that cancel out": (twist, twist, True, True, {}),
            "A and R of mixed order, the cofactor alone": (twist, twist, False, False, {}),
            "R of mixed order, the cofactor alone": (0, twist, False, False, {}),
            "A and R of small order": (twist, twist, True, False, {"nonce": 0, "secret": 0}),
            "R of small order under a key of mixed order": (1, twist, True, False, {"nonce": 0}),
            "A of small order": (twist, 0, True, False, {"secret": 0}),
        }
        if twist % 2:
            kinds["A of mixed order, the cofactor alone"] = (twist, 0, False, False, {})
        for name, (a, r, equal, good, more) in kinds.items():
            yield made(f"{name}, {twist}/8", a, r, equal=equal, good=good, **more)


def cases() -> Iterator[Case]:
    a = encode(times(SECRET, BASE))
    yield made("honest", 0, 0, equal=True, good=True)
    yield from cases_of_mixed_order()
    yield made("R the identity", 0, 0, equal=True, good=False, nonce=0)
    yield made("A the identity", 0, 0, equal=True, good=False, secret=0)
    yield made("A and R the identity", 0, 0, equal=True, good=False, nonce=0, secret=0)
    for n, data in enumerate(other_spellings()):
        # R is another spelling of a small point: decoded, it satisfies the equation of a mixed key.
        twist = next(
            at for at, point in enumerate(TORSION) if encode(point) == encode(spelled_point(data))
        )
        mixed = encode(add_points(times(SECRET, BASE), TORSION[1]))
        message, k = message_with(data, mixed, lambda k, twist=twist: (twist + k) % 8 == 0)
        yield Case(
            f"R not canonical ({n})", mixed, message, spell(data, k * SECRET % L), good=False
        )
        # A is one: the equation holds where the challenge cancels it.
        r = encode(times(NONCE, BASE))
        message, k = message_with(r, data, lambda k, twist=twist: k * twist % 8 == 0)
        yield Case(f"A not canonical ({n})", data, message, spell(r, NONCE), good=False)
    for y in range(19):
        # Every other y with a second spelling. Nobody knows their logarithms, so no equation holds.
        for sign in (0, 1):
            data = (y + P | sign << 255).to_bytes(32, "little")
            yield Case(
                f"A has y = {y} + p and sign {sign}", data, b"", spell(encode(BASE), 1), good=False
            )
            yield Case(f"R has y = {y} + p and sign {sign}", a, b"", spell(data, 1), good=False)
    honest = made("", 0, 0, equal=True, good=True)
    s = int.from_bytes(honest.signature[32:], "little")
    r = honest.signature[:32]
    for name, wrong in (
        ("S + L", s + L),
        ("S + 8 L", s + 8 * L),
        ("the top bit of S", s | 1 << 255),
        ("S = L", L),
    ):
        yield Case(name, a, honest.message, spell(r, wrong), good=False)
    yield Case("S + 1", a, honest.message, spell(r, (s + 1) % L), good=False)
    yield Case("another message", a, honest.message + b".", honest.signature, good=False)


CASES = list(cases())


# The libraries.


def openssl(public: bytes, message: bytes, signature: bytes) -> None:
    """The answer of the package `cryptography`, by itself."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (NoMatch, ValueError) as error:
        raise InvalidSignature("no match") from error


def libsodium(public: bytes, message: bytes, signature: bytes) -> None:
    """The answer of libsodium, by itself."""
    function = rbcl._sodium.crypto_sign_ed25519_verify_detached  # noqa: SLF001 - a library's
    function.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulonglong, ctypes.c_char_p]
    function.restype = ctypes.c_int
    if function(signature, message, len(message), public):
        raise InvalidSignature("no match")


LIBRARIES = {"openssl": openssl, "libsodium": libsodium}


def accepts(verify: Callable[[bytes, bytes, bytes], None], case: Case) -> bool:
    try:
        verify(case.public, case.message, case.signature)
    except CryptoError:
        return False
    return True


def test_the_cases_are_what_they_are_called() -> None:
    assert len({encode(point) for point in TORSION}) == 8
    assert {int.from_bytes(encode(point), "little") % 2**255 for point in TORSION} == SMALL_ORDER
    assert len(list(other_spellings())) == 6
    for case in CASES:
        assert strict(case.public, case.message, case.signature) is case.good, case.name
        if "cofactor alone" in case.name:
            assert with_cofactor(case.public, case.message, case.signature), case.name


def test_the_libraries_by_themselves_do_not_agree() -> None:
    """Otherwise nothing here would show that the checks before them are made."""
    split = [case.name for case in CASES if accepts(openssl, case) != accepts(libsodium, case)]
    assert "R the identity" in split
    assert [case.name for case in CASES if accepts(openssl, case) and not case.good]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_library_gives_the_specified_result_of_verification(
    case: Case, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "check_equation", LIBRARIES[library])
    assert accepts(identity.verify_plain, case) is case.good


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_program_verifies_as_specified(case: Case) -> None:
    assert accepts(identity.verify_plain, case) is case.good


def test_a_certificate_signed_with_the_identity_as_nonce_is_refused() -> None:
    """The owner of a key can make one, and libraries disagree about it: half of a table would
    link."""
    me = Identity.from_seed(bytes(range(32)))
    digest = bytearray(hashlib.sha512(me.seed).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    secret = int.from_bytes(digest, "little")
    assert encode(times(secret, BASE)) == me.public
    body = identity.certificate_body(me.public)
    r = encode(ZERO)
    signature = spell(r, challenge(r, me.public, body) * secret % L)
    openssl(me.public, body, signature)
    with pytest.raises(InvalidSignature):
        public_of_certificate(identity.certificate_of(body, signature))
