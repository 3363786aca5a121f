"""ristretto255 from libsodium, rbcl's or the system's, by ctypes with every return code checked.

Callers must pass elements of 32 bytes: libsodium reads 32 bytes from any pointer.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import tempfile
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from crypto.errors import InvalidEncoding, NoBackend
from crypto.plain import GENERATOR, IDENTITY, Row

SYSTEM_NAMES = ("libsodium.so.26", "libsodium.so.23")
"""Names that only Linux uses and looks for in its own folders; macOS would look in the current
folder too."""

ANY = bytes.fromhex("6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919")
"""An arbitrary element: twice the generator."""

_Element = ctypes.c_char * 32


class Sodium:
    """libsodium's ristretto255, one operation at a time.

    NoBackend if this is no libsodium, or lacks ristretto255 (before 1.0.18). Products are
    constant-time, except that a scalar 0 is a special case here.
    """

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        self.name = name
        try:
            library.sodium_init.argtypes = []
            started = library.sodium_init()
            self._is_valid = _function(library, "crypto_core_ristretto255_is_valid_point", 1)
            self._from_hash = _function(library, "crypto_core_ristretto255_from_hash", 2)
            self._add = _function(library, "crypto_core_ristretto255_add", 3)
            self._sub = _function(library, "crypto_core_ristretto255_sub", 3)
            self._mult = _function(library, "crypto_scalarmult_ristretto255", 3)
            self._base = _function(library, "crypto_scalarmult_ristretto255_base", 2)
        except AttributeError as error:
            raise NoBackend(f"{name} lacks ristretto255: {error}") from error
        if started < 0:
            raise NoBackend(f"{name} does not work here")

    def valid(self, data: bytes) -> bool:
        """Whether these bytes encode one or more elements."""
        # libsodium 1.0.18 ignores the highest bit, and so accepts a second encoding of each
        # element.
        elements = [data[at : at + 32] for at in range(0, len(data), 32)]
        return bool(elements) and all(
            len(p) == 32 and p[31] < 128 and self._is_valid(p) == 1 for p in elements
        )

    def add(self, p: bytes, q: bytes) -> bytes:
        """Add two elements."""
        out = _Element()
        if self._add(out, p, q):
            raise InvalidEncoding("libsodium was given something that is no element to add")
        return out.raw

    def sub(self, p: bytes, q: bytes) -> bytes:
        """Subtract the second element from the first."""
        out = _Element()
        if self._sub(out, p, q):
            raise InvalidEncoding("libsodium was given something that is no element to subtract")
        return out.raw

    def mult(self, k: int, p: bytes) -> bytes:
        """Multiply an element by k."""
        # libsodium reports the identity as an error, like an invalid element.
        if k == 0 or p == IDENTITY:
            return IDENTITY
        out = _Element()
        if self._mult(out, k.to_bytes(32, "little"), p):
            raise InvalidEncoding("libsodium was given something that is no element to multiply")
        return out.raw

    def base(self, k: int) -> bytes:
        """Multiply the generator by k."""
        if k == 0:
            return IDENTITY
        out = _Element()
        if self._base(out, k.to_bytes(32, "little")):
            raise InvalidEncoding("libsodium refused a multiple of the generator")
        return out.raw

    def total(self, elements: Sequence[bytes]) -> bytes:
        """Add elements."""
        total = IDENTITY
        for p in elements:
            total = p if total == IDENTITY else self.add(total, p)
        return total

    def combine(self, rows: Sequence[Row]) -> list[bytes]:
        """Return the sum of k P over each row."""
        return [self._sum_of(scalars, elements) for scalars, elements in rows]

    combine_public = combine

    def mask(self, p: bytes, scalars: Sequence[int], elements: Sequence[bytes]) -> list[bytes]:
        """Return Q + k P for each k and its Q."""
        times = self.base if p == GENERATOR else lambda k: self.mult(k, p)
        return [self.add(q, times(k)) for k, q in zip(scalars, elements, strict=True)]

    def from_uniform(self, data: bytes) -> bytes:
        """Map 64 uniform bytes to an element."""
        if len(data) != 64:
            raise InvalidEncoding(f"{len(data)} bytes where 64 are mapped to an element")
        out = _Element()
        if self._from_hash(out, data):
            raise InvalidEncoding("libsodium refused to map these bytes")
        return out.raw

    def _sum_of(self, scalars: Sequence[int], elements: Sequence[bytes]) -> bytes:
        """Return the sum of k P over the terms, in two buffers.

        libsodium rejects the identity as a factor; replacing it keeps the time the same.
        """
        mult, base, add = self._mult, self._base, self._add
        total, term = _Element(), _Element()
        out = total
        for k, p in zip(scalars, elements, strict=True):
            if k == 0:
                continue
            spelled = k.to_bytes(32, "little")
            factor = ANY if p == IDENTITY else p
            if base(out, spelled) if p == GENERATOR else mult(out, spelled, factor):
                raise InvalidEncoding(
                    "libsodium was given something that is no element to multiply"
                )
            if factor is ANY:
                out.raw = IDENTITY
            # libsodium reads both operands before it writes the sum, so the sum may replace one.
            if out is term and add(total, total, term):
                raise InvalidEncoding("libsodium was given something that is no element to add")
            out = term
        return total.raw


def bundled() -> Sodium:
    """Load the libsodium inside rbcl.

    Importing rbcl writes a copy of it to the temporary directory, which we delete.
    """
    try:
        with warnings.catch_warnings():
            # rbcl leaves closing a file to the garbage collector.
            warnings.simplefilter("ignore", ResourceWarning)
            import rbcl  # noqa: PLC0415 - takes 55 ms, and commands that need no group do not load it
    except (ImportError, RuntimeError) as error:
        raise NoBackend(f"rbcl cannot be imported: {error}") from error
    except OSError as error:
        # The temporary directory allows no execution: the message begins with the path of the copy.
        _forget(Path(str(error).partition(": ")[0]))
        raise NoBackend(f"rbcl's libsodium cannot be loaded: {error}") from error
    library: ctypes.CDLL = rbcl._sodium  # noqa: SLF001 - the handle of the library; rbcl's functions ignore return codes
    _forget(Path(library._name))  # noqa: SLF001 - ctypes has no other name for where it was loaded from
    return Sodium(library, "libsodium of rbcl")


def system() -> Sodium:
    """Load a libsodium that is installed on this system."""
    for name in SYSTEM_NAMES:
        # This name does not exist here; the next one may.
        with suppress(OSError):
            return Sodium(ctypes.CDLL(name), "libsodium of the system")
    found = ctypes.util.find_library("sodium")
    if found is None:
        raise NoBackend("this system has no libsodium")
    try:
        return Sodium(ctypes.CDLL(found), "libsodium of the system")
    except OSError as error:
        raise NoBackend(f"{found} cannot be loaded: {error}") from error


def sweep(directory: Path, size: int) -> None:
    """Delete the copies of `size` bytes that earlier runs left in the temporary directory.

    Systems that lock loaded libraries leave such copies.
    """
    for stale in directory.glob("tmp*.pyd"):
        # A copy that another process has loaded cannot be deleted; a later start will do it.
        with suppress(OSError):
            if stale.stat().st_size == size:
                stale.unlink()


def _forget(copy: Path) -> None:
    """Delete a library that lies in the temporary directory: it is a copy."""
    if copy.suffix not in {".so", ".pyd"} or copy.parent != Path(tempfile.gettempdir()):
        return
    if os.name == "nt":
        # Windows cannot delete a loaded library, so each start deletes what earlier ones left.
        size = copy.stat().st_size
        sweep(copy.parent, size)
    else:
        copy.unlink(missing_ok=True)


def _function(library: ctypes.CDLL, name: str, arguments: int) -> Callable[..., int]:
    function = getattr(library, name)
    function.argtypes = [ctypes.c_char_p] * arguments
    function.restype = ctypes.c_int
    return function  # type: ignore[no-any-return]  # ctypes cannot know what it has loaded
