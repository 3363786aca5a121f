"""ristretto255 in plain Python (RFC 9496): the last choice of backend, and the oracle of the tests.

It is slower than libsodium, about 30 times for one product and 5 times for a long sum of products,
and not constant-time. Points are extended twisted Edwards coordinates (X, Y, Z, T) with x = X/Z, y
= Y/Z, x y = T/Z, as integers modulo p.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from crypto.errors import InvalidEncoding

Point: TypeAlias = tuple[int, int, int, int]
Row: TypeAlias = tuple[Sequence[int], Sequence[bytes]]
"""The terms of a sum of products: scalars, and as many elements."""

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
ONE_MINUS_D_SQ = (1 - D * D) % P
D_MINUS_ONE_SQ = (D - 1) ** 2 % P

ZERO: Point = (0, 1, 1, 0)
GENERATOR = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
IDENTITY = bytes(32)
WORTH_A_TABLE = 8
"""The number of products by one element from which a table of its multiples pays off."""


class Plain:
    """The group operations on 32-byte encodings; each decodes, computes and encodes."""

    name = "plain Python"

    def valid(self, data: bytes) -> bool:
        """Whether these bytes are one or more canonical encodings of elements."""
        try:
            for at in range(0, len(data), 32):
                _decode(data[at : at + 32])
        except InvalidEncoding:
            return False
        return bool(data)

    def add(self, p: bytes, q: bytes) -> bytes:
        """Add two elements."""
        return _encode(add_points(_decode(p), _decode(q)))

    def sub(self, p: bytes, q: bytes) -> bytes:
        """Subtract the second element from the first."""
        return _encode(add_points(_decode(p), negative(_decode(q))))

    def mult(self, k: int, p: bytes) -> bytes:
        """Multiply an element by k."""
        return _encode(_sum((k,), (p,)))

    def base(self, k: int) -> bytes:
        """Multiply the generator by k."""
        return _encode(_times(GENERATOR, k))

    def total(self, elements: Sequence[bytes]) -> bytes:
        """Add elements."""
        total = ZERO
        for p in elements:
            total = add_points(total, _decode(p))
        return _encode(total)

    def combine(self, rows: Sequence[Row]) -> list[bytes]:
        """Return the sum of k P over each row."""
        return [_encode(_sum(scalars, elements)) for scalars, elements in rows]

    combine_public = combine

    def mask(self, p: bytes, scalars: Sequence[int], elements: Sequence[bytes]) -> list[bytes]:
        """Return Q + k P for each k and its Q."""
        if p == GENERATOR or len(scalars) >= WORTH_A_TABLE:
            return [
                _encode(add_points(_decode(q), _times(p, k)))
                for k, q in zip(scalars, elements, strict=True)
            ]
        return [
            _encode(add_points(_decode(q), _sum((k,), (p,))))
            for k, q in zip(scalars, elements, strict=True)
        ]

    def from_uniform(self, data: bytes) -> bytes:
        """Map 64 uniform bytes to an element, RFC 9496 section 4.3.4."""
        if len(data) != 64:
            raise InvalidEncoding(f"{len(data)} bytes where 64 are mapped to an element")
        return _encode(add_points(_map(data[:32]), _map(data[32:])))


def _sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """Return whether u/v is a square, and the non-negative root of u/v or of i u/v.

    RFC 9496 section 4.2.
    """
    v3 = v * v % P * v % P
    r = u * v3 % P * pow(u * v3 % P * v3 % P * v % P, (P - 5) // 8, P) % P
    check = v * r % P * r % P
    u %= P
    correct = check == u
    flipped = check == P - u
    if flipped or check == (P - u) * SQRT_M1 % P:
        r = r * SQRT_M1 % P
    return correct or flipped, _absolute(r)


def _absolute(x: int) -> int:
    return P - x if x & 1 else x


@lru_cache(maxsize=4096)
def _decode(data: bytes) -> Point:
    """Decode an element, RFC 9496 section 4.3.1.

    InvalidEncoding if it is not one. Results are cached, since elements are public.
    """
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or s & 1:
        raise InvalidEncoding("not the canonical encoding of an element")
    ss = s * s % P
    u1 = (1 - ss) % P
    u2 = (1 + ss) % P
    u2_squared = u2 * u2 % P
    v = (-(D * u1 % P * u1) - u2_squared) % P
    square, inverse = _sqrt_ratio(1, v * u2_squared % P)
    den_x = inverse * u2 % P
    den_y = inverse * den_x % P * v % P
    x = _absolute(2 * s * den_x % P)
    y = u1 * den_y % P
    t = x * y % P
    if not square or t & 1 or y == 0:
        raise InvalidEncoding("not the encoding of an element")
    return x, y, 1, t


def _encode(point: Point) -> bytes:
    """Encode a point as its element, RFC 9496 section 4.3.2."""
    x, y, z, t = point
    u1 = (z + y) * (z - y) % P
    u2 = x * y % P
    _, inverse = _sqrt_ratio(1, u1 * u2 % P * u2 % P)
    den1 = inverse * u1 % P
    den2 = inverse * u2 % P
    z_inverse = den1 * den2 % P * t % P
    den_inverse = den2
    if t * z_inverse % P & 1:
        x, y = y * SQRT_M1 % P, x * SQRT_M1 % P
        den_inverse = den1 * INVSQRT_A_MINUS_D % P
    if x * z_inverse % P & 1:
        y = -y
    return _absolute(den_inverse * (z - y) % P).to_bytes(32, "little")


def _map(data: bytes) -> Point:
    """Map 32 bytes to a point, RFC 9496 section 4.3.4 (MAP)."""
    t = int.from_bytes(data, "little") % 2**255 % P
    r = SQRT_M1 * t % P * t % P
    u = (r + 1) * ONE_MINUS_D_SQ % P
    v = (-1 - r * D) * (r + D) % P
    square, s = _sqrt_ratio(u, v)
    c = -1
    if not square:
        s = -_absolute(s * t % P) % P
        c = r
    n = (c * (r - 1) % P * D_MINUS_ONE_SQ - v) % P
    w0 = 2 * s * v % P
    w1 = n * SQRT_AD_MINUS_ONE % P
    w2 = (1 - s * s) % P
    w3 = (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def add_points(p: Point, q: Point) -> Point:
    """Return P + Q."""
    x1, y1, z1, t1 = p
    x2, y2, z2, t2 = q
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = 2 * D * t1 % P * t2 % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(p: Point) -> Point:
    """Return 2 P."""
    x, y, z, _ = p
    a = x * x % P
    b = y * y % P
    h = a + b
    e = h - (x + y) ** 2
    g = a - b
    f = 2 * z * z + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def negative(p: Point) -> Point:
    """Return -P."""
    x, y, z, t = p
    return -x % P, y, z, -t % P


def _multiples(p: Point) -> list[Point]:
    """Return the multiples 0 .. 15 of a point."""
    table = [ZERO, p]
    for _ in range(14):
        table.append(add_points(table[-1], p))
    return table


def _sum(scalars: Sequence[int], elements: Sequence[bytes]) -> Point:
    """Return the sum of k P over the terms, by Straus's method with 4-bit windows.

    All terms share the doublings. The generator uses its table.
    """
    terms = list(zip(scalars, elements, strict=True))
    tables = [(k, _multiples(_decode(p))) for k, p in terms if p != GENERATOR]
    total = ZERO
    for shift in range(252, -1, -4):
        if total is not ZERO:
            total = double(double(double(double(total))))
        for k, table in tables:
            digit = k >> shift & 15
            if digit:
                total = add_points(total, table[digit])
    for k, p in terms:
        if p == GENERATOR:
            total = add_points(total, _times(p, k))
    return total


def _times(p: bytes, k: int) -> Point:
    """Multiply an element by k, using its table."""
    total = ZERO
    for row in _table(p):
        total = add_points(total, row[k & 15])
        k >>= 4
    return total


@lru_cache(maxsize=4)
def _table(p: bytes) -> list[list[Point]]:
    """Return the multiples 0 .. 15 of 16**i times an element, for i = 0 .. 63."""
    rows = []
    point = _decode(p)
    for _ in range(64):
        row = _multiples(point)
        rows.append(row)
        point = add_points(row[15], point)
    return rows
