"""The homes of visitors, in our own: each is that of a player with a phone and no program."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from client.i18n.translation import _
from client.storage import phone_secrets
from client.storage.hardening import foreign
from client.storage.home import VISITORS, StoreError, open_home, using, write_private
from client.storage.nicks import fit_nick
from client.storage.regular import read_regular
from client.storage.settings import read_settings, write_settings

MOST = 8
"""The most visitors of one home: each takes 60 MB of memory while it runs."""
PORT, ADDRESS = "port", "address"
"""The files with the last address and port for phones, which keep their secret for these."""
GOING = ".deleted"
"""The suffix of a home that is being deleted."""


@dataclass(frozen=True)
class VisitorHome:
    """A visitor's home."""

    path: Path

    @property
    def nick(self) -> str:
        """The present name of the visitor, who may change it on the phone."""
        return read_settings(self.path).nick

    @property
    def has_had_a_phone(self) -> bool:
        """Whether a phone ever got a secret for it; otherwise nobody has anything here."""
        return (self.path / phone_secrets.NAME).exists()

    def rename(self, nick: str) -> None:
        """Rename the visitor. StoreError while it runs: then its player can do it."""
        with _opened(self.path):
            _name(self.path, nick)

    def shut_out(self) -> None:
        """Make its phone's secret invalid. StoreError, also while it runs."""
        with _opened(self.path):
            phone_secrets.write_secrets(
                self.path, phone_secrets.Secrets(secrets.token_bytes(32), None)
            )

    def delete(self) -> None:
        """Delete the visitor with its key and all of its matches. StoreError while it runs."""
        with _opened(self.path):
            going = self.path.with_name(self.path.name + GOING)
        with using(self.path):
            self.path.rename(going)
        _remove(going)


def last_place(home: Path) -> tuple[str, int | None]:
    """Return the last address and port for phones of a home: empty and None if there are none."""
    address, port = "", None
    with suppress(OSError, ValueError):
        address = read_regular(home / VISITORS / ADDRESS, 50).decode("ascii").strip()
    with suppress(OSError, ValueError):
        port = int(read_regular(home / VISITORS / PORT, 10))
    return address, port


class Visitors:
    """The visitors of a home. Only the process that locked the home may use them."""

    def __init__(self, home: Path) -> None:
        """Find the visitors, and finish interrupted deletions. Raises StoreError."""
        self._folder = home / VISITORS
        for path in self._paths():
            if path.name.endswith(GOING):
                _remove(path)

    def all(self) -> list[VisitorHome]:
        """Return all visitors, the oldest first. Raises StoreError."""
        return [VisitorHome(path) for path in self._paths() if not path.name.endswith(GOING)]

    def keep_place(self, address: str, port: int) -> None:
        """Remember the address and the port for phones. Raises StoreError."""
        if (address, port) != last_place(self._folder.parent):
            self._make()
            write_private(self._folder / PORT, b"%d\n" % port)
            write_private(self._folder / ADDRESS, f"{address}\n".encode("ascii"))

    def create(self, nick: str) -> VisitorHome:
        """Make a home for a new visitor. StoreError, also if there are too many."""
        known = self.all()
        if len(known) >= MOST:
            raise StoreError(
                _("there is room for {count} phones: delete one first").format(count=MOST)
            )
        last = max((int(visitor.path.name.split("-")[0]) for visitor in known), default=0)
        path = self._folder / f"{last + 1:03}-{secrets.token_hex(4)}"
        self._make()
        with _opened(path):
            _name(path, nick)
        return VisitorHome(path)

    def _make(self) -> None:
        with using(self._folder):
            self._folder.mkdir(exist_ok=True, mode=0o700)

    def _paths(self) -> list[Path]:
        found: list[Path] = []
        with using(self._folder), suppress(FileNotFoundError):
            found = sorted(path for path in self._folder.iterdir() if path.is_dir())
        # a link would lead elsewhere, and others have no business here
        ours = [path for path in found if not path.is_symlink() and foreign([path]) is None]
        return [path for path in ours if path.name.split("-")[0].isdecimal()]


@contextmanager
def _opened(path: Path) -> Iterator[None]:
    """Make or open a home, and lock it."""
    with open_home(path).locked():
        yield


def _name(path: Path, nick: str) -> None:
    write_settings(path, replace(read_settings(path), nick=fit_nick(nick)))


def _remove(path: Path) -> None:
    with using(path):
        shutil.rmtree(path)
