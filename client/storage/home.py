"""The home folder on disk: our key, the logs of matches with the shares of our cards, and journals.

A home is one folder (`SOBREMESA_HOME`, else in the system's place for user data). Only one process
may use it at a time: two would sign contradictions under one key. Every write here is synced at
once.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import IO

from client.i18n.translation import _, later
from client.storage.hardening import forbid_core_dumps, foreign, theirs, tighten
from client.storage.regular import read_regular
from crypto.errors import CryptoError
from crypto.identity import Identity
from p2p.table.tail import Damaged

SEED_BYTES = 32
KEY_FILE_BYTES = 1000
"""No key file is as long as this."""
OTHER_FILES = (
    "lock",
    "peers.lock",
    "settings.toml",
    "history.index",
    "broken-off.index",
    "errors.log",
)
"""The files in a home without secrets."""
VISITORS = "visitors"
"""The folder in a home with the homes of its visitors (`client.storage.visitors`)."""
RESUMABLE, JOURNAL = ".match", ".journal"
"""The suffixes of the record of a match that can be resumed, and of the journals of our seats."""
FRESH = ".new"
"""The suffix of a file that is being written, and will replace another."""
LEFT = f"*.{'[0-9a-f]' * 8}{FRESH}"
"""The names of such files."""


class StoreError(Exception):
    """A failure to read something from disk, or to write and sync it.

    The message says what failed and why.
    """


class Home:
    """One player's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.logs = path / "logs"
        self.journals = path / "journals"
        self.cards = path / "cards"
        with using(path):
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            _require_ours([path])  # before anything is made in it
            self.logs.mkdir(exist_ok=True)
            self.journals.mkdir(exist_ok=True, mode=0o700)
            self.cards.mkdir(exist_ok=True, mode=0o700)
            _require_ours([self.logs, self.journals, self.cards])  # links, too
            _require_ours([*self.secret(), *self._others_that_are_theirs()])
            tighten(self.secret())

    def secret(self) -> list[Path]:
        """Return the folders and files that only we may read, as far as they exist."""
        named = [
            self.path / name for name in ("identity.key", "identity.pem", "peers.json", "phone.key")
        ]
        # they may be links; files are not
        folders = [folder.resolve() for folder in (self.path, self.journals, self.cards)]
        return [*folders, *named, *self.journals.iterdir(), *self.cards.iterdir()]

    def _others_that_are_theirs(self) -> list[Path]:
        """Return the other files that we write or wait for, if another user made them.

        A link could redirect what we write, and a lock could be held for ever.
        """
        return [path for path in map(self.path.joinpath, OTHER_FILES) if theirs(path)]

    @cached_property
    def identity(self) -> Identity:
        """Our identity. The key is read or made at the first use, and never leaves this folder.

        StoreError also if it is missing although there are matches, which belong to the old key.
        """
        path = self.path / "identity.key"
        text = read_stored(path, KEY_FILE_BYTES)
        if text is None:
            self._require_new(path)
            text = secrets.token_bytes(SEED_BYTES).hex().encode()
            write_private(path, text)
        try:
            return Identity.from_seed(bytes.fromhex(text.decode("ascii")))
        except (CryptoError, ValueError):
            # a cause might show a part of the key
            raise StoreError(_("{path} contains no key").format(path=path)) from None

    def _require_new(self, path: Path) -> None:
        """Require that nobody has played in this folder. Raises StoreError."""
        if any(True for folder in (self.logs, self.journals) for _file in folder.iterdir()):
            sentence = _(
                "{path} is missing, and the matches in this folder belong to that key. Restore it, "
                "or use another folder"
            )
            raise StoreError(sentence.format(path=path))

    def pem(self) -> Path:
        """Return the file with our key and certificate, as TLS requires it."""
        path, content = self.path / "identity.pem", self.identity.pem()
        if read_stored(path) != content:
            write_private(path, content)
        return path

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the home, and delete the leftovers of a killed process.

        StoreError, also if another process uses it.
        """
        try:
            file = open_locked(self.path / "lock", wait=False)
        except StoreError as error:
            if not isinstance(error.__cause__, BlockingIOError):
                raise
            line = _(
                "another Sobremesa is running with the folder {path}: close it, or set "
                "SOBREMESA_HOME to another folder"
            )
            raise StoreError(line.format(path=self.path)) from error
        with file:
            self._tidy()
            yield

    def _tidy(self) -> None:
        """Delete files whose writing or deletion was interrupted by a kill.

        They may hold secrets.
        """
        for folder in (self.path, self.logs, self.cards, self.journals):
            with using(folder):
                paths = list(folder.iterdir())
                left = [path for path in paths if path.match(LEFT)]
                if folder == self.journals:
                    names = {path.name.split(".")[0] for path in paths if path.suffix == RESUMABLE}
                    ended = [path for path in paths if path.name.split(".")[0] not in names]
                    left += [path for path in ended if path.suffix == JOURNAL]
                for path in left:
                    path.unlink(missing_ok=True)


class Appender:
    """A file, opened or created at the first addition; each addition is synced."""

    def __init__(self, path: Path, mode: int) -> None:
        self.path, self._mode = path, mode
        self._file: IO[bytes] | None = None
        self._failed: OSError | None = None
        """Why an addition failed: part of it may be in the file, so nothing may follow."""

    def append(self, data: bytes) -> None:
        """Append to the file, and sync it. StoreError on failure."""
        if not data:
            return
        try:
            if self._failed is not None:
                raise self._failed
            self._append_and_sync(data)
        except OSError as error:
            self._failed = error
            raise StoreError(
                _("nothing more can be stored ({why}); play stops before anything is lost").format(
                    why=_reason(error)
                )
            ) from error

    def close(self) -> None:
        """Close the file; the next addition opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _append_and_sync(self, data: bytes) -> None:
        if self._file is None:
            descriptor = os.open(
                self.path,
                os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0),
                self._mode,
            )
            self._file = os.fdopen(descriptor, "ab", buffering=0)
            sync_folder(self.path.parent)
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) or 0 :]
        os.fsync(self._file.fileno())


def home_path() -> Path:
    """Return the home that the environment names, or the user's own.

    StoreError if there is neither, such as for a user without a home folder.
    """
    named = os.environ.get("SOBREMESA_HOME")
    if named:
        return Path(named)
    from platformdirs import user_data_path  # noqa: PLC0415 (only where it is needed: start-up time)

    with suppress(RuntimeError):  # earlier versions return a path that begins with ~
        path = user_data_path("sobremesa", appauthor=False)
        if path.is_absolute():
            return path
    raise StoreError(_("this user has no home folder: name a folder in SOBREMESA_HOME"))


def open_home(path: Path | None = None) -> Home:
    """Open a home, by default our user's; create it if there is none.

    From here on a crash leaves no core dump.
    """
    forbid_core_dumps()
    return Home(home_path() if path is None else path)


@contextmanager
def _failing(sentence: str, path: Path) -> Iterator[None]:
    """Turn the error of a file or folder into a StoreError with this sentence."""
    try:
        yield
    except OSError as error:
        raise StoreError(_(sentence).format(path=path, why=_reason(error))) from error


reading = partial(_failing, later("{path} cannot be read: {why}"))
using = partial(_failing, later("{path} cannot be used: {why}"))
writing = partial(_failing, later("{path} cannot be written: {why}"))


def read_stored(path: Path, most: int | None = None) -> bytes | None:
    """Return the bytes of a file, at most so many; None if there is no file. Raises StoreError."""
    with reading(path):
        try:
            return read_regular(path, most)
        except FileNotFoundError:
            return None


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only we may read, whole or not at all. Raises StoreError."""
    replace_file(path, content, 0o600)


def replace_file(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Replace a file atomically: a kill at any moment leaves the old one. Raises StoreError."""
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}{FRESH}")
    wanted = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with writing(path):
        try:
            with os.fdopen(os.open(fresh, wanted, mode), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
            sync_folder(path.parent)
        except OSError:
            with suppress(OSError):  # it may not exist
                fresh.unlink()
            raise


def match_name(match: bytes) -> str:
    """Return the name of a match's files, without suffixes."""
    return match.hex()[:32]


def take_up_file(path: Path, sound: Callable[[bytes], bytes]) -> bytes:
    """Truncate a file to its sound part, and return that; empty without a file.

    Raises StoreError or Malformed.
    """
    try:
        with reading(path):
            data = read_regular(path) if path.exists() else b""
            kept = sound(data)
            if kept != data:
                with path.open("r+b") as file:
                    file.truncate(len(kept))
                    os.fsync(file.fileno())
    except Damaged as error:
        sentence = _(
            "{path} is damaged at byte {byte}, before its end. Restore an undamaged copy; or move "
            "it away and resume: the others send the entries that they have"
        )
        # a cause might show a key
        raise StoreError(sentence.format(path=path, byte=error.at)) from None
    return kept


def sync_folder(path: Path) -> None:
    """Make sure that changes of names in a folder survive a power failure. Raises OSError.

    Windows does this by itself.
    """
    if sys.platform != "win32":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def open_locked(path: Path, *, wait: bool) -> IO[bytes]:
    """Open a file, and lock it for this process until it is closed.

    StoreError if it cannot be opened, its disk has no locks, or another has it and we do not
    `wait`: then the cause is a BlockingIOError.
    """
    with using(path), ExitStack() as opened:
        file = opened.enter_context(path.open("a+b"))
        _lock(file, wait=wait)
        opened.pop_all()
    return file


def _lock(file: IO[bytes], *, wait: bool) -> None:
    """Lock an open file. OSError; BlockingIOError if another has it."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 (there is no such module elsewhere)

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except PermissionError as error:  # this means that another has it
            raise BlockingIOError(error.errno, error.strerror) from error
    else:
        import fcntl  # noqa: PLC0415 (there is no such module on Windows)

        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _require_ours(paths: Iterable[Path]) -> None:
    """Require that no other user owns one of these, or a link to one.

    Raises StoreError or OSError.
    """
    if (path := foreign(paths)) is not None:
        sentence = _(
            "{path} belongs to another user of this machine: name a folder of your own in "
            "SOBREMESA_HOME"
        )
        raise StoreError(sentence.format(path=path))


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
