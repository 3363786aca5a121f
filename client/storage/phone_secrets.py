"""The secrets that admit a phone to its visitor: a file in the visitor's home."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from client.i18n.translation import _
from client.storage.home import StoreError, read_stored, write_private

NAME = "phone.key"
UNUSED_S = 30 * 86_400.0
"""Seconds without use after which a secret expires."""
NOTE_S = 3600.0
"""The least seconds between two notes of use."""
_FORM = re.compile(rb"current ([0-9a-f]{64}|-)\ncoming ([0-9a-f]{64}|-)\n")


@dataclass(frozen=True)
class Secrets:
    """The secrets that admit a phone, of 32 bytes each."""

    current: bytes | None = field(default=None, repr=False)
    coming: bytes | None = field(default=None, repr=False)
    """One that was sent to a phone, which has not confirmed yet that it stored it."""


def read_secrets(home: Path) -> Secrets:
    """Return the secrets of a home; none if no phone ever came. Raises StoreError."""
    path = home / NAME
    data = read_stored(path, 1000)
    if data is None:
        return Secrets()
    found = _FORM.fullmatch(data)
    if found is None:
        raise StoreError(
            _("{path} is damaged: repair it, or remove it to begin anew").format(path=path)
        )
    return Secrets(*map(_read, found.groups()))


def write_secrets(home: Path, secrets: Secrets) -> None:
    """Write the secrets atomically, and sync them. Raises StoreError."""
    text = f"current {_spelled(secrets.current)}\ncoming {_spelled(secrets.coming)}\n"
    write_private(home / NAME, text.encode())


class LastUse:
    """The last use of the secrets of a home: the time of their file."""

    def __init__(self, home: Path, clock: Callable[[], float]) -> None:
        """`clock` gives the time of day, in seconds since 1970."""
        self._path, self._clock = home / NAME, clock

    @property
    def is_long_ago(self) -> bool:
        """Whether the secrets have expired; false if there are none."""
        return self._age > UNUSED_S

    def note(self) -> None:
        """Note that they are used now. If that fails, the phone needs a code sooner."""
        if self._age > NOTE_S:
            with suppress(OSError):
                os.utime(self._path, (self._clock(), self._clock()))

    @property
    def _age(self) -> float:
        try:
            return self._clock() - self._path.stat().st_mtime
        except OSError:
            return 0.0


def _read(spelled: bytes) -> bytes | None:
    return None if spelled == b"-" else bytes.fromhex(spelled.decode())


def _spelled(secret: bytes | None) -> str:
    return "-" if secret is None else secret.hex()
