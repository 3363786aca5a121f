"""What stays on disk: who we are, the logs of matches, and our journals of unfinished ones.

A home is one folder (`SOBREMESA_HOME`, else where the system keeps a user's data). It is used by one process at a time:
two would sign contradictory things in one name. Whatever is written here is synced at once.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from crypto.errors import CryptoError
from crypto.identity import Identity

SEED = 32


class StoreError(Exception):
    """Something could not be read from disk, or written and synced; the sentence says what and why."""


class HomeInUse(StoreError):
    """Another Sobremesa is running with this home."""


class Home:
    """One player's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.logs = path / "logs"
        self.journals = path / "journals"
        try:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.logs.mkdir(exist_ok=True)
            self.journals.mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            raise StoreError(f"{path} cannot be used: {_reason(error)}") from error

    def identity(self) -> Identity:
        """Return who we are; the key is made at the first call, and never leaves this folder."""
        path = self.path / "identity.key"
        try:
            seed = bytes.fromhex(path.read_text(encoding="ascii"))
        except FileNotFoundError:
            seed = secrets.token_bytes(SEED)
            _write_private(path, seed.hex().encode())
        except (OSError, ValueError) as error:
            raise StoreError(f"{path} cannot be read: {_reason(error)}") from error
        try:
            return Identity.from_seed(seed)
        except (CryptoError, ValueError) as error:
            raise StoreError(f"{path} holds no key") from error

    def pem(self) -> Path:
        """Return the file with our key and certificate, as TLS wants them."""
        path, content = self.path / "identity.pem", self.identity().pem()
        try:
            known = path.read_bytes()
        except FileNotFoundError:
            known = b""
        except OSError as error:
            raise StoreError(f"{path} cannot be read: {_reason(error)}") from error
        if known != content:
            path.unlink(missing_ok=True)
            _write_private(path, content)
        return path

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Use the home alone. HomeInUse if another process does."""
        path = self.path / "lock"
        try:
            file = path.open("a+b")
        except OSError as error:
            raise StoreError(f"{path} cannot be used: {_reason(error)}") from error
        with file:
            try:
                _lock(file)
            except OSError as error:
                raise HomeInUse(f"another Sobremesa is running with the folder {self.path}") from error
            yield


class MatchFiles:
    """The log of one match, and the journals of our seats in it."""

    def __init__(self, home: Home, match: bytes, seats: tuple[int, ...]) -> None:
        name = match.hex()[:32]
        self.log = home.logs / f"{name}.sobremesa"
        self._journals = {seat: home.journals / f"{name}.p{seat + 1}.journal" for seat in seats}
        self._files: dict[Path, IO[bytes]] = {}

    def write_journal(self, seat: int, data: bytes) -> None:
        """Add to a seat's journal, and sync it; only then may what it holds be sent. StoreError if the disk does not take it."""
        self._append(self._journals[seat], data, 0o600)

    def write_log(self, data: bytes) -> None:
        """Add to the log, and sync it. StoreError if the disk does not take it."""
        self._append(self.log, data, 0o644)

    def close(self, *, finished: bool) -> None:
        """Close the files; the journals of a finished match, which hold secrets, are deleted."""
        for file in self._files.values():
            file.close()
        self._files.clear()
        if finished:
            for path in self._journals.values():
                path.unlink(missing_ok=True)

    def _append(self, path: Path, data: bytes, mode: int) -> None:
        if not data:
            return
        try:
            self._append_and_sync(path, data, mode)
        except OSError as error:
            raise StoreError(f"nothing more can be stored ({_reason(error)}); play stops before anything is lost") from error

    def _append_and_sync(self, path: Path, data: bytes, mode: int) -> None:
        if path not in self._files:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), mode)
            self._files[path] = os.fdopen(descriptor, "ab", buffering=0)
        file = self._files[path]
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) or 0 :]
        os.fsync(file.fileno())


def open_home() -> Home:
    """Return the home that the environment names, or the user's own."""
    named = os.environ.get("SOBREMESA_HOME")
    if named:
        return Home(Path(named))
    from platformdirs import user_data_path  # noqa: PLC0415 (only where it is needed: start-up time)

    return Home(user_data_path("sobremesa", appauthor=False))


def _write_private(path: Path, content: bytes) -> None:
    """Write a file that only we may read, whole or not at all."""
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {_reason(error)}") from error


def _lock(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 (there is no such module elsewhere)

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 (there is no such module on Windows)

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
