"""The operations of a group, and the choice of a backend on this machine.

In order of choice: curve25519-dalek, if the package `sobremesa_native` is installed; the libsodium
that `rbcl` bundles; a libsodium of the system; plain Python. All give the same bytes. Operations
take elements as 32 bytes that were validated before (`Group.element` does so once, at the border)
and scalars in 0 .. L-1. An invalid element raises InvalidEncoding, but with libsodium not always:
it ignores the highest bit, and skips an element that is multiplied by 0 or is alone in a sum.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Protocol

from crypto import dalek, sodium
from crypto.errors import NoBackend, WrongAnswers
from crypto.plain import IDENTITY, L, Plain, Row
from crypto.transcript import digest


class Backend(Protocol):
    """The operations of a group of prime order L.

    Elements are 32 bytes; the identity is 32 zero bytes. Scalars may be secret in all operations
    except `combine_public`; `docs/threat-model.md` says which backends take constant time.
    """

    @property
    def name(self) -> str:
        """The library that computes."""

    def valid(self, data: bytes) -> bool:
        """Whether these bytes encode one or more elements, each in 32 bytes.

        The identity is an element.
        """

    def add(self, p: bytes, q: bytes) -> bytes:
        """Add two elements."""

    def sub(self, p: bytes, q: bytes) -> bytes:
        """Subtract the second element from the first."""

    def mult(self, k: int, p: bytes) -> bytes:
        """Multiply an element by k."""

    def base(self, k: int) -> bytes:
        """Multiply the generator by k."""

    def total(self, elements: Sequence[bytes]) -> bytes:
        """Add elements; the identity if there are none."""

    def combine(self, rows: Sequence[Row]) -> list[bytes]:
        """Return the sum of k P over each row; the identity for an empty row."""

    def combine_public(self, rows: Sequence[Row]) -> list[bytes]:
        """Do as `combine`, in a time that may depend on all scalars and elements.

        None of them may be secret.
        """

    def mask(self, p: bytes, scalars: Sequence[int], elements: Sequence[bytes]) -> list[bytes]:
        """Return Q + k P for each k and its Q."""

    def from_uniform(self, data: bytes) -> bytes:
        """Map 64 uniform bytes to an element."""


MANY = 200
"""A number of terms above 190, where curve25519-dalek switches to another method."""

LENGTHS = (4, 16, 53, 105)
"""The other lengths of sums in the known question."""

ANSWERS = {
    2: "95d9133515a81bb1553f47bf3dcee427ba79a3bd5f7d11db359ed00b30b7ef19",
    MANY: "6285ef4643f7b542808cbcc884b28be102f7d24e275b448bb14088c6e8c694b7",
}
"""The hash of all answers to the known question, by the length of its longest sums."""


@lru_cache(maxsize=1)
def best() -> Backend:
    """Return the best backend on this machine; the others are not tried."""
    return next(available())


@lru_cache(maxsize=1)
def backends() -> tuple[Backend, ...]:
    """Return every backend that works here, best first; plain Python always does."""
    return tuple(available())


def native() -> Backend:
    """Return curve25519-dalek.

    NoBackend if its package is not installed, does not load, or computes wrongly.
    """
    return _answering(dalek.installed(), MANY)


def answers(backend: Backend, terms: int) -> str:
    """Ask a backend the known question, and hash the answers.

    The known question is a fixed set of operations with their special cases. The longest sums have
    `terms` terms, at least 2. Shorter ones include those of the proofs of a deck of 52 cards, and
    one in a call of its own.
    """
    g, p, q = (
        backend.base(1),
        backend.from_uniform(bytes(range(64))),
        backend.from_uniform(bytes(range(64, 128))),
    )
    k, m = (int.from_bytes(digest("known", name)[:32], "little") % L for name in "km")
    elements = ([p, q] * terms)[:terms]
    scalars = [k * power % L for power in range(terms)]
    lengths = [*(n for n in LENGTHS if n < terms), terms]
    rows: list[Row] = [
        ((k, m), (p, g)),
        ((m, k), (g, q)),
        ((k,), (g,)),
        ((m, k, 3), (q, p, IDENTITY)),
        ((1, L - 1), (p, p)),
        ((), ()),
    ]
    rows += [(scalars[-n:], elements[:n]) for n in lengths]
    found = [
        *(
            g,
            p,
            q,
            backend.base(0),
            backend.base(k),
            backend.base(L - 1),
            backend.mult(k, p),
            backend.mult(0, p),
        ),
        *(
            backend.add(p, q),
            backend.add(p, IDENTITY),
            backend.sub(p, q),
            backend.sub(p, p),
            backend.mult(m, IDENTITY),
        ),
        *(backend.total([]), backend.total([p, q, g])),
        *(backend.total(elements[:n]) for n in lengths),
        *(
            made
            for combine in (backend.combine, backend.combine_public)
            for asked in (rows, rows[:1])
            for made in combine(asked)
        ),
        *(
            made
            for base in (g, p)
            for n in (1, 9, min(terms, 53))
            for made in backend.mask(base, [k] * (n - 1) + [m], [q] * n)
        ),
    ]
    return digest("known answers", found, _validity(backend, g, p, q))[:32].hex()


def _validity(backend: Backend, g: bytes, p: bytes, q: bytes) -> list[int]:
    """Return whether a backend accepts some valid and invalid encodings, as 1 or 0."""
    wrong = bytes([g[0] ^ 1]) + g[1:]
    return [
        int(backend.valid(data))
        for data in (
            g,
            p + q + IDENTITY,
            b"",
            g[:31],
            wrong,
            p + wrong,
            g[:31] + bytes([g[31] | 128]),
        )
    ]


def available() -> Iterator[Backend]:
    """Load one backend after the other, best first; skip those that do not work here.

    Warn of one that computes wrongly: it was changed, or this machine is broken.
    """
    loaders: tuple[Callable[[], Backend], ...] = (native, bundled, _system, Plain)
    for load in loaders:
        try:
            yield load()
        except WrongAnswers as error:
            warnings.warn(f"{error}, and is not used", RuntimeWarning, stacklevel=2)
        except NoBackend:  # not installed, or it does not load: the next one is tried
            continue


def bundled() -> Backend:
    """Return libsodium of rbcl if its answers are right. Raises NoBackend or WrongAnswers."""
    return _answering(sodium.bundled(), 2)


def _system() -> Backend:
    return _answering(sodium.system(), 2)


def _answering(backend: Backend, terms: int) -> Backend:
    """Return a backend if its answers are right.

    NoBackend if it has none, WrongAnswers if one is wrong.
    """
    try:
        right = answers(backend, terms) == ANSWERS[terms]
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the native package is no Exception
        raise NoBackend(f"{backend.name} does not work here: {error}") from error
    if not right:
        raise WrongAnswers(f"{backend.name} computes wrongly here")
    return backend
