"""ristretto255 from curve25519-dalek: the fastest backend, in the optional package `crypto/native`.

The package checks every length, element and scalar. Products with secret scalars take constant
time; `combine_public` does not. It releases the interpreter's lock, and wipes its lists of scalars.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from crypto.errors import InvalidEncoding, NoBackend
from crypto.plain import Row


class Dalek:
    """The functions of the package, with arguments as bytes. NoBackend if it lacks one."""

    name = "curve25519-dalek"

    def __init__(self, library: Any) -> None:
        try:
            self.valid: Callable[[bytes], bool] = library.valid
            self.add = _raising(library.add)
            self.sub = _raising(library.sub)
            self.from_uniform = _raising(library.from_uniform)
            self._mult = _raising(library.mult)
            self._base = _raising(library.base)
            self._total = _raising(library.total)
            self._combine = _raising(library.combine)
            self._combine_public = _raising(library.combine_public)
            self._mask = _raising(library.mask)
        except AttributeError as error:
            raise NoBackend(f"sobremesa_native is of another version: {error}") from error

    def mult(self, k: int, p: bytes) -> bytes:
        """Multiply an element by k."""
        return self._mult(k.to_bytes(32, "little"), p)

    def base(self, k: int) -> bytes:
        """Multiply the generator by k."""
        return self._base(k.to_bytes(32, "little"))

    def total(self, elements: Sequence[bytes]) -> bytes:
        """Add elements."""
        return self._total(b"".join(elements))

    def combine(self, rows: Sequence[Row]) -> list[bytes]:
        """Return the sum of k P over each row, in constant time."""
        return _split(self._combine(*_terms(rows)))

    def combine_public(self, rows: Sequence[Row]) -> list[bytes]:
        """Return the sum of k P over each row, in variable time."""
        return _split(self._combine_public(*_terms(rows)))

    def mask(self, p: bytes, scalars: Sequence[int], elements: Sequence[bytes]) -> list[bytes]:
        """Return Q + k P for each k and its Q."""
        return _split(self._mask(p, _spelled(scalars), b"".join(elements)))


def installed() -> Dalek:
    """Load the package. NoBackend if it is not installed, or fails to load in any way."""
    try:
        import sobremesa_native  # noqa: PLC0415 - commands that need no group do not load it
    except Exception as error:
        raise NoBackend(f"sobremesa_native cannot be imported: {error}") from error
    return Dalek(sobremesa_native)


def _raising(function: Callable[..., bytes]) -> Callable[..., bytes]:
    """Return a function that raises our error for bytes that the package rejects."""

    def call(*arguments: object) -> bytes:
        try:
            return function(*arguments)
        except ValueError as error:
            raise InvalidEncoding(f"curve25519-dalek was given {error}") from error

    return call


def _terms(rows: Sequence[Row]) -> tuple[list[int], bytes, bytes]:
    """Return the number of terms of each row, all scalars, and all elements."""
    scalars = _spelled(k for row, _ in rows for k in row)
    return [len(row) for row, _ in rows], scalars, b"".join([p for _, row in rows for p in row])


def _spelled(scalars: Iterable[int]) -> bytes:
    return b"".join([k.to_bytes(32, "little") for k in scalars])


def _split(data: bytes) -> list[bytes]:
    return [data[at : at + 32] for at in range(0, len(data), 32)]
