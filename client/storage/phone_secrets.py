"""The secrets by which a phone comes to its visitor: a file in the visitor's home."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from client.i18n.translation import _
from client.storage.home import FRESH, StoreError, write_private
from client.storage.regular import read_regular

NAME = "phone.key"
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


def _read(spelled: bytes) -> bytes | None:
    return None if spelled == b"-" else bytes.fromhex(spelled.decode())


def _spelled(secret: bytes | None) -> str:
    return "-" if secret is None else secret.hex()
