"""A disk that notes every call which changes it, and from a chosen call on is full, or has lost its
power.

POSIX promises little: synced bytes of a file stay, and so do the names of a synced folder. Of all
else anything may be there after a loss of power: nothing, bytes cut off or zero, a name that was
given or taken away.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

LOSSES = ("nothing", "half", "zeros", "late names", "all")
"""The part of all unsynced bytes and names that stays: nothing; all names, but half of the bytes of
each file, or zeros in their place; the last change of names, without those before it; all, as when
a process is killed."""


@dataclass
class Inode:
    """A file without its name."""

    synced: bytes = b""
    unsynced: bytes = b""

    def left(self, loss: str) -> bytes:
        """Return its bytes after a loss of power."""
        kept = {
            "nothing": b"",
            "half": self.unsynced[: len(self.unsynced) // 2],
            "zeros": bytes(len(self.unsynced)),
        }
        return self.synced + kept.get(loss, self.unsynced)


Names = dict[str, Inode]
Change = Callable[[Names], object]


@dataclass
class Folders:
    """The names of all files below a folder."""

    synced: Names
    """Those that outlive a loss of power."""
    unsynced: list[tuple[str, Change]] = field(default_factory=list)
    """The later changes, each with its folder."""

    @property
    def names(self) -> Names:
        """The names as they are now."""
        return self._after(self.unsynced)

    def change(self, path: str, change: Change) -> None:
        """Give or take away a name."""
        self.unsynced.append((str(Path(path).parent), change))

    def sync(self, folder: str) -> None:
        """Let the names in a folder outlive a loss of power."""
        self.synced = self._after([one for one in self.unsynced if one[0] == folder])
        self.unsynced = [one for one in self.unsynced if one[0] != folder]

    def left(self, loss: str) -> dict[str, bytes]:
        """Return the files that a loss of power leaves, with their bytes."""
        kept = {"nothing": [], "late names": self.unsynced[-1:]}.get(loss, self.unsynced)
        return {name: inode.left(loss) for name, inode in self._after(kept).items()}

    def _after(self, changes: list[tuple[str, Change]]) -> Names:
        names = dict(self.synced)
        for _folder, change in changes:
            change(names)
        return names


class PowerLost(BaseException):
    """The machine is gone, and our program with it."""


class FaultyDisk:
    """The files below a folder. After `good` calls it fails: it has no space, or with a `loss` no
    power."""

    def __init__(self, root: Path, good: int | None = None, loss: str = "") -> None:
        self.root, self.calls, self.failed = root, 0, False
        self._good, self._loss = good, loss
        self._folders = Folders(
            {str(path): Inode(path.read_bytes()) for path in root.rglob("*") if path.is_file()}
        )
        self._open_files: dict[int, Inode] = {}
        self._open_folders: dict[int, str] = {}
        self._os = {
            name: getattr(os, name) for name in ("open", "fdopen", "fsync", "replace", "unlink")
        }

    @property
    def lost_power(self) -> bool:
        """Whether it has failed for want of power."""
        return self.failed and bool(self._loss)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Stand between the program and the disk."""
        with pytest.MonkeyPatch.context() as patched:
            for name in self._os:
                patched.setattr(os, name, getattr(self, f"_{name}"))
            yield

    def come_up(self) -> None:
        """Lay down what the loss of power has left."""
        left = self._folders.left(self._loss)
        for path in [path for path in self.root.rglob("*") if path.is_file()]:
            path.unlink()
        for name, data in left.items():
            Path(name).write_bytes(data)

    def _next_call(self, *, wants_space: bool) -> None:
        if self.calls == self._good and self._loss:
            self.failed = True
            raise PowerLost
        if self._good is not None and self.calls >= self._good and wants_space:
            self.failed = True
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.calls += 1

    def _has(self, name: str) -> bool:
        return Path(name).is_relative_to(self.root)

    # In place of the calls of `os`.

    def _open(self, path: Any, flags: int, mode: int = 0o777) -> int:
        name = os.fspath(path)
        fresh = self._has(name) and bool(flags & os.O_CREAT) and not Path(name).exists()
        if fresh:
            self._next_call(wants_space=True)
        descriptor: int = self._os["open"](path, flags, mode)
        self._open_folders.pop(descriptor, None)
        self._open_files.pop(descriptor, None)
        if Path(name).is_dir():
            self._open_folders[descriptor] = name
        elif self._has(name) and flags & (os.O_WRONLY | os.O_RDWR):
            if fresh:
                inode = Inode()
                self._folders.change(name, lambda names: names.update({name: inode}))
            self._open_files[descriptor] = self._folders.names[name]
        return descriptor

    def _fdopen(self, descriptor: int, mode: str = "r", **options: Any) -> Any:
        written = descriptor in self._open_files
        file = self._os["fdopen"](
            descriptor, mode, **options | ({"buffering": 0} if written else {})
        )
        return Written(self, file) if written else file

    def write(self, file: Any, data: bytes) -> int:
        """Add bytes to a file. A full disk takes the half of them; of a loss of power `Inode.left`
        says how many stay."""
        inode = self._open_files[file.fileno()]
        try:
            self._next_call(wants_space=True)
        except OSError:
            data = data[: len(data) // 2]
            raise
        finally:
            file.write(data)
            inode.unsynced += data
        return len(data)

    def _fsync(self, descriptor: int) -> None:
        folder, inode = self._open_folders.get(descriptor), self._open_files.get(descriptor)
        if inode is None and (folder is None or not self._has(folder)):
            self._os["fsync"](descriptor)
            return
        self._next_call(wants_space=inode is not None and bool(inode.unsynced))
        if folder is not None:
            self._folders.sync(folder)
        elif inode is not None:
            inode.synced, inode.unsynced = inode.synced + inode.unsynced, b""

    def _replace(self, old: Any, new: Any) -> None:
        before, after = os.fspath(old), os.fspath(new)
        if not self._has(after):
            self._os["replace"](old, new)
            return
        inode = self._folders.names[before]
        self._next_call(wants_space=False)

        def change(names: Names) -> None:
            names.pop(before, None)
            names[after] = inode

        self._os["replace"](old, new)
        self._folders.change(after, change)

    def _unlink(self, path: Any) -> None:
        name = os.fspath(path)
        if not self._has(name):
            self._os["unlink"](path)
            return
        self._next_call(wants_space=False)
        self._os["unlink"](path)
        self._folders.change(name, lambda names: names.pop(name, None))


class Written:
    """A file that is written through a faulty disk."""

    def __init__(self, disk: FaultyDisk, file: Any) -> None:
        self._disk, self._file = disk, file

    def write(self, data: Any) -> int:
        return self._disk.write(self._file, bytes(data))

    def flush(self) -> None:
        """Everything has been given to the system."""

    def fileno(self) -> int:
        return int(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Written:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
