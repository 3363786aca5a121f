"""The secrets that admit a phone to its visitor: a file in the visitor's home."""

from __future__ import annotations

import os
import re
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


def have_expired(home: Path, now: float) -> bool:
    """Whether the secrets of a home have expired; false if there are none.

    The time of their file is that of their last use. `now` is in seconds since 1970.
    """
    return _age(home, now) > UNUSED_S


def note_use(home: Path, now: float) -> None:
    """Note that the secrets are used now. If that fails, the phone needs a code sooner."""
    if _age(home, now) > NOTE_S:
        with suppress(OSError):
            os.utime(home / NAME, (now, now))


def _age(home: Path, now: float) -> float:
    try:
        return now - (home / NAME).stat().st_mtime
    except OSError:
        return 0.0


def _read(spelled: bytes) -> bytes | None:
    return None if spelled == b"-" else bytes.fromhex(spelled.decode())


def _spelled(secret: bytes | None) -> str:
    return "-" if secret is None else secret.hex()
