"""Elements and scalars of a group of prime order: strict decoding, arithmetic, operation counts.

An element is its 32 bytes, a scalar an int in 0 .. order-1. `element` and `scalar` are the border:
values that passed them are not checked again. The group is an argument of everything in this
package, so that tests can use a cheaper one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from crypto.backend import Backend, best
from crypto.chance import Entropy, fresh
from crypto.errors import InvalidEncoding
from crypto.plain import IDENTITY, L, Row
from crypto.transcript import expand_message

KINDS = (
    *("decode", "hash", "add", "addend", "mult", "term", "base_term", "base"),
    *("public", "public_term", "public_base_term", "mask", "base_mask"),
)
"""The kinds of operations that a group counts, equal for every backend. `decode` and `hash` return
an element, `add` a sum or difference of two; `addend` is each further element of a longer sum. A
sum of products is one `mult`, then a `term` for each further product, or a `base_term` if it is one
of the generator; without secrets, these are `public` instead. `base` is a product of the generator
alone. `mask` is one Q + k P, `base_mask` the same with the generator."""


class Group:
    """A group of prime order over a backend.

    The counts are exact if one thread at a time uses it.
    """

    order = L
    identity = IDENTITY

    def __init__(self, backend: Backend) -> None:
        self.generator = backend.base(1)
        self.backend = backend
        self._families: dict[tuple[bytes, bytes], tuple[bytes, ...]] = {}
        self._counts = dict.fromkeys(KINDS, 0)

    def __repr__(self) -> str:
        return f"<Group: {self.backend.name}>"

    @property
    def counts(self) -> Counter[str]:
        """How many operations of each kind were done so far."""
        return Counter(self._counts)

    def element(self, data: bytes, *, identity: bool = False) -> bytes:
        """Accept 32 bytes as an element.

        InvalidEncoding if they are none, or the identity unless that is allowed.
        """
        return self.elements(data, 1, identity=identity)[0]

    def elements(self, data: bytes, n: int, *, identity: bool = False) -> list[bytes]:
        """Accept n elements, one after another.

        InvalidEncoding if they are not n, or one is invalid.
        """
        if type(data) is not bytes or len(data) != 32 * n:
            raise InvalidEncoding(f"not the length of {n} elements")
        if n == 0:
            return []
        self._counts["decode"] += n
        if not self.backend.valid(data):
            raise InvalidEncoding("not the encoding of an element")
        found = [data[at : at + 32] for at in range(0, 32 * n, 32)]
        if not identity and IDENTITY in found:
            raise InvalidEncoding("the identity, where it has no meaning")
        return found

    def scalar(self, data: bytes) -> int:
        """Accept 32 bytes, little endian, as a scalar.

        InvalidEncoding if the length is wrong, or it is not below L.
        """
        return self.scalars(data, 1)[0]

    def scalars(self, data: bytes, n: int) -> list[int]:
        """Accept n scalars, one after another.

        InvalidEncoding if they are not n, or one is invalid.
        """
        if type(data) is not bytes or len(data) != 32 * n:
            raise InvalidEncoding(f"not the length of {n} scalars")
        found = [int.from_bytes(data[at : at + 32], "little") for at in range(0, 32 * n, 32)]
        if found and max(found) >= self.order:
            raise InvalidEncoding("a scalar that is not reduced")
        return found

    def scalar_bytes(self, k: int) -> bytes:
        """Encode a scalar in 32 bytes, little endian. ValueError if it is not in 0 .. L-1."""
        if not 0 <= k < self.order:
            raise ValueError("not a reduced scalar")
        return k.to_bytes(32, "little")

    def random_scalar(self, entropy: Entropy) -> int:
        """Draw from 1 .. L-1, with a bias under 2**-250."""
        return 1 + int.from_bytes(fresh(entropy, 64), "little") % (self.order - 1)

    def add(self, p: bytes, q: bytes) -> bytes:
        """Add two elements."""
        self._counts["add"] += 1
        return self.backend.add(p, q)

    def sub(self, p: bytes, q: bytes) -> bytes:
        """Subtract the second element from the first; counted as an addition."""
        self._counts["add"] += 1
        return self.backend.sub(p, q)

    def mult(self, k: int, p: bytes) -> bytes:
        """Multiply an element by any int k."""
        self._counts["mult"] += 1
        return self.backend.mult(k % self.order, p)

    def base(self, k: int) -> bytes:
        """Multiply the generator by any int k."""
        self._counts["base"] += 1
        return self.backend.base(k % self.order)

    def sum(self, elements: Iterable[bytes]) -> bytes:
        """Add elements; the identity if there are none."""
        summands = list(elements)
        self._counts["addend"] += max(0, len(summands) - 1)
        return self.backend.total(summands)

    def combine_each(self, rows: Iterable[Row]) -> list[bytes]:
        """Return the sum of k P over each row of scalars, any ints, and elements.

        Everything may be secret except the number of elements, and which are equal.
        """
        return self.backend.combine(self._reduced(rows, "mult", "term", "base_term"))

    def combine_each_public(self, rows: Iterable[Row]) -> list[bytes]:
        """Do as `combine_each`, but faster; no scalar or element may be secret."""
        return self.backend.combine_public(
            self._reduced(rows, "public", "public_term", "public_base_term")
        )

    def mask(self, p: bytes, scalars: Sequence[int], elements: Sequence[bytes]) -> list[bytes]:
        """Return Q + k P for each k, any int, and its Q; all but P may be secret."""
        if len(scalars) != len(elements):
            raise ValueError(f"{len(scalars)} scalars for {len(elements)} elements")
        self._counts["base_mask" if p == self.generator else "mask"] += len(scalars)
        return self.backend.mask(p, [k % self.order for k in scalars], elements)

    def _reduced(
        self, rows: Iterable[Row], first: str, further: str, of_generator: str
    ) -> list[Row]:
        """Reduce the scalars of rows, and count their products.

        Equal elements are merged: so a sum over the starting deck, where every A is the generator,
        costs one product.
        """
        order, generator, counts = self.order, self.generator, self._counts
        reduced: list[Row] = []
        for row in rows:
            scalars, elements = row
            if len(scalars) != len(elements):
                raise ValueError(f"{len(scalars)} scalars for {len(elements)} elements")
            if len(set(elements)) != len(elements):
                together = dict.fromkeys(elements, 0)
                for k, p in zip(scalars, elements, strict=True):
                    together[p] += k
                scalars, elements = list(together.values()), list(together)
            reduced.append(([k % order for k in scalars], elements))
            others = len(elements)
            if generator in elements:
                others -= 1
                counts[of_generator if others else "base"] += 1
            if others:
                counts[first] += 1
                counts[further] += others - 1
        return reduced

    def hash_to_group(self, dst: bytes, message: bytes) -> bytes:
        """Hash a message to an element whose logarithm nobody knows.

        This is hash_to_ristretto255, RFC 9380 appendix B.
        """
        self._counts["hash"] += 1
        return self.backend.from_uniform(expand_message(message, dst, 64))

    def family(self, dst: bytes, name: bytes, n: int) -> tuple[bytes, ...]:
        """Hash (name, 0) to (name, n-1) to elements under one tag; the results are cached.

        The message is the length of the name in 8 bytes, the name, and the index in 8 bytes, both
        big endian.
        """
        known = self._families.get((dst, name), ())
        if len(known) < n:
            start = len(name).to_bytes(8, "big") + name
            known += tuple(
                self.hash_to_group(dst, start + j.to_bytes(8, "big")) for j in range(len(known), n)
            )
            self._families[dst, name] = known
        return known[:n]


@lru_cache(maxsize=1)
def ristretto255() -> Group:
    """Return the group for matches, on the best backend of this machine."""
    return Group(best())
