"""Elements and scalars of a group of prime order, strictly decoded, and counted while one computes with them.

An element is its 32 bytes, a scalar an int in 0 .. order-1. `element` and `scalar` are the border:
values that have passed them are not examined again. The group is an argument of everything in this
package, so that the tests can put a cheaper one in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from crypto.backend import IDENTITY, Backend, best
from crypto.chance import Entropy, fresh
from crypto.errors import InvalidEncoding
from crypto.plain import L
from crypto.transcript import expand_message


class Group:
    """A group of prime order over a backend. The counts are exact while one thread at a time uses it."""

    order = L
    identity = IDENTITY

    def __init__(self, backend: Backend, name: str = "ristretto255") -> None:
        self.name = name
        self.generator = backend.base(1)
        self._backend = backend
        self._families: dict[tuple[bytes, bytes], tuple[bytes, ...]] = {}
        self._mult = self._base = self._add = self._decode = self._hash = 0

    def __repr__(self) -> str:
        return f"<Group {self.name}, {self._backend.name}>"

    @property
    def backend(self) -> str:
        """The name of the backend that computes."""
        return self._backend.name

    @property
    def counts(self) -> Counter[str]:
        """How many operations of each kind were done so far: mult, base, add (and sub), decode, hash."""
        return Counter(mult=self._mult, base=self._base, add=self._add, decode=self._decode, hash=self._hash)

    # The border.

    def element(self, data: bytes, *, identity: bool = False) -> bytes:
        """Accept 32 bytes as an element. InvalidEncoding if they are none, or the identity where that has no meaning."""
        self._decode += 1
        if type(data) is not bytes or len(data) != 32 or not self._backend.is_valid(data):
            raise InvalidEncoding("not the encoding of an element")
        if data == IDENTITY and not identity:
            raise InvalidEncoding("the identity, where it has no meaning")
        return data

    def elements(self, data: bytes, n: int, *, identity: bool = False) -> list[bytes]:
        """Accept n elements, one after another. InvalidEncoding if they are not n, or one is none."""
        if type(data) is not bytes or len(data) != 32 * n:
            raise InvalidEncoding(f"not the length of {n} elements")
        return [self.element(data[at : at + 32], identity=identity) for at in range(0, 32 * n, 32)]

    def scalar(self, data: bytes) -> int:
        """Accept 32 bytes, little endian, as a scalar. InvalidEncoding if there are more, fewer, or it is not below L."""
        if type(data) is not bytes or len(data) != 32:
            raise InvalidEncoding("not the length of a scalar")
        k = int.from_bytes(data, "little")
        if k >= self.order:
            raise InvalidEncoding("a scalar that is not reduced")
        return k

    def scalars(self, data: bytes, n: int) -> list[int]:
        """Accept n scalars, one after another. InvalidEncoding if they are not n, or one is none."""
        if type(data) is not bytes or len(data) != 32 * n:
            raise InvalidEncoding(f"not the length of {n} scalars")
        return [self.scalar(data[at : at + 32]) for at in range(0, 32 * n, 32)]

    def scalar_bytes(self, k: int) -> bytes:
        """Spell a scalar in 32 bytes, little endian. ValueError if it is not in 0 .. L-1."""
        if not 0 <= k < self.order:
            raise ValueError("not a reduced scalar")
        return k.to_bytes(32, "little")

    def random_scalar(self, entropy: Entropy) -> int:
        """Draw from 1 .. L-1, with a bias under 2**-250."""
        return 1 + int.from_bytes(fresh(entropy, 64), "little") % (self.order - 1)

    # Computing.

    def add(self, p: bytes, q: bytes) -> bytes:
        """Add two elements."""
        self._add += 1
        return self._backend.add(p, q)

    def sub(self, p: bytes, q: bytes) -> bytes:
        """Subtract an element from another; counted as an addition."""
        self._add += 1
        return self._backend.sub(p, q)

    def neg(self, p: bytes) -> bytes:
        """Turn an element about; counted as an addition."""
        return self.sub(IDENTITY, p)

    def mult(self, k: int, p: bytes) -> bytes:
        """Take an element k times, for any int k."""
        self._mult += 1
        return self._backend.mult(k % self.order, p)

    def base(self, k: int) -> bytes:
        """Take the generator k times, for any int k."""
        self._base += 1
        return self._backend.base(k % self.order)

    def sum(self, elements: Iterable[bytes]) -> bytes:
        """Add up elements; the identity if there are none."""
        total = IDENTITY
        for p in elements:
            total = p if total == IDENTITY else self.add(total, p)
        return total

    def combine(self, scalars: Iterable[int], elements: Iterable[bytes]) -> bytes:
        """Add k_i times P_i over both lists, for any ints k_i.

        Equal elements are taken together, the generator by its own faster product, and zero terms
        are left out: so a sum over the starting deck, where every A is the generator, costs one
        product.
        """
        together: dict[bytes, int] = {}
        for k, p in zip(scalars, elements, strict=True):
            together[p] = together.get(p, 0) + k
        together.pop(IDENTITY, None)
        of_generator = together.pop(self.generator, 0) % self.order
        order = self.order
        terms = [(reduced, p) for p, k in together.items() if (reduced := k % order)]
        if not terms:
            return self.base(of_generator)
        self._mult += len(terms)
        self._add += len(terms) - 1
        total = self._backend.combine(terms)
        return self.add(total, self.base(of_generator)) if of_generator else total

    # Hashing.

    def hash_to_group(self, dst: bytes, message: bytes) -> bytes:
        """Hash a message to an element of which nobody knows the logarithm: hash_to_ristretto255, RFC 9380 appendix B."""
        self._hash += 1
        return self._backend.from_uniform(expand_message(message, dst, 64))

    def family(self, dst: bytes, name: bytes, n: int) -> tuple[bytes, ...]:
        """Hash (name, 0), (name, 1), ... (name, n-1) to elements under one tag; made once and remembered.

        The message is the name, its length before it in 8 bytes, then the index in 8 bytes, both big endian.
        """
        known = self._families.get((dst, name), ())
        if len(known) < n:
            start = len(name).to_bytes(8, "big") + name
            known += tuple(self.hash_to_group(dst, start + j.to_bytes(8, "big")) for j in range(len(known), n))
            self._families[dst, name] = known
        return known[:n]


@lru_cache(maxsize=1)
def ristretto255() -> Group:
    """Give the group that matches are played in, on the best backend there is here."""
    return Group(best())
