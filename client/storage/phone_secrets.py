"""The secrets by which a phone comes to its visitor: a file in the visitor's home."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from client.i18n.translation import _
from client.storage.home import FRESH, StoreError, write_private
from client.storage.regular import read_regular

NAME = "phone.key"
UNUSED_S = 30 * 86_400.0
"""Seconds without use after which a secret is void."""
NOTE_S = 3600.0
"""Seconds between two notes of use, at least."""
_FORM = re.compile(rb"current ([0-9a-f]{64}|-)\ncoming ([0-9a-f]{64}|-)\n")


@dataclass(frozen=True)
class Secrets:
    """The secrets by which a phone may come, of 32 bytes each."""

    current: bytes | None = field(default=None, repr=False)
    coming: bytes | None = field(default=None, repr=False)
    """One that was sent to a phone that has not said yet that it keeps it."""


def read_secrets(home: Path) -> Secrets:
    """Return the secrets of a home; none where no phone has ever come. StoreError.

    Call it with the home locked: leftovers of a killed process are deleted.
    """
    path = home / NAME
    try:
        for left in home.glob(f"{NAME}.*{FRESH}"):
            left.unlink()
        data = read_regular(path, 1000)
    except FileNotFoundError:
        return Secrets()
    except OSError as error:
        raise StoreError(
            _("{path} cannot be read: {why}").format(path=path, why=error.strerror or "")
        ) from error
    found = _FORM.fullmatch(data)
    if found is None:
        raise StoreError(
            _("{path} is damaged: repair it, or remove it to begin anew").format(path=path)
        )
    return Secrets(*map(_read, found.groups()))


def write_secrets(home: Path, secrets: Secrets) -> None:
    """Write the secrets, whole or not at all, and synced. StoreError."""
    text = f"current {_spelled(secrets.current)}\ncoming {_spelled(secrets.coming)}\n"
    write_private(home / NAME, text.encode())


class LastUse:
    """The last use of the secrets of a home: the time of their file."""

    def __init__(self, home: Path, clock: Callable[[], float]) -> None:
        """Set up; `clock` gives the time of day, in seconds since 1970."""
        self._path, self._clock = home / NAME, clock

    @property
    def is_long_ago(self) -> bool:
        """Whether they are void by now; not where there are none."""
        return self._age > UNUSED_S

    def note(self) -> None:
        """Note that they are used now. Without that a phone needs a code earlier than it should."""
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
