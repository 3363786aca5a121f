"""Secrets kept from other users of this machine: modes of files and folders, and no core dumps."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

OTHERS = 0o077
"""The mode bits of group and others."""
MOST_LINKS = 40
"""The most links to follow for one name, as in Linux."""
_SET_DUMPABLE = 4
"""PR_SET_DUMPABLE of Linux, prctl(2)."""


def forbid_core_dumps() -> None:
    """Prevent crashes of this process from writing its memory to disk, as far as possible.

    On Linux a dump that is piped to a program ignores the limit, so the process is also marked as
    not dumpable. That ends with the next program it executes, and also keeps debuggers of the same
    user from attaching. If the system refuses, a dump stays possible.
    """
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 (there is no such module on Windows)

    _soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 (only where it is needed: start-up time)

        ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def foreign(paths: Iterable[Path]) -> Path | None:
    """Return the first of these files and folders that belongs to another user, or None.

    The owner of a folder may put files in it, and the owner of a link may redirect it at any time.
    """
    if sys.platform == "win32":
        return None
    for path in paths:
        with suppress(FileNotFoundError):
            if theirs(path) or path.stat().st_uid != os.geteuid():
                return path
    return None


def theirs(path: Path) -> bool:
    """Whether another user, except root, owns the file, folder or link of this name.

    No link is followed.
    """
    try:
        return is_theirs(path.lstat())
    except FileNotFoundError:
        return False


def is_theirs(found: os.stat_result) -> bool:
    """Whether another user, except root, owns the file with these facts."""
    return sys.platform != "win32" and found.st_uid not in (0, os.geteuid())


def own_way(path: Path) -> Path | None:
    """Return the name that a name leads to by links of ours or of root; itself if it is no link.

    None if it leads to a link, pipe, device or folder of another user, who may redirect it at any
    time. It may be another user's regular file: writing under another name and renaming follows no
    link that the user creates meanwhile. Raises OSError.
    """
    if sys.platform == "win32":
        return path.resolve()
    for _link in range(MOST_LINKS):
        try:
            found = path.lstat()
        except FileNotFoundError:
            return path
        if is_theirs(found) and not stat.S_ISREG(found.st_mode):
            return None
        if not stat.S_ISLNK(found.st_mode):
            return path
        path = path.parent / path.readlink()
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))


def tighten(paths: Iterable[Path]) -> None:
    """Remove the permissions of group and others on these files and folders, where possible."""
    for path, mode in _wide(paths):
        try:
            path.chmod(mode & ~OTHERS)
        except OSError:
            continue  # another's file, or a disk without modes: `doctor` reports what stays wide


def wide(paths: Iterable[Path]) -> list[Path]:
    """Return which of these files and folders others may use."""
    return [path for path, _mode in _wide(paths)]


def _wide(paths: Iterable[Path]) -> Iterator[tuple[Path, int]]:
    if os.name != "posix":
        return
    for path in paths:
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            continue
        # such as /tmp: files in it have modes of their own
        shared = stat.S_ISDIR(mode) and mode & stat.S_ISVTX
        if (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and not shared and mode & OTHERS:
            yield path, stat.S_IMODE(mode)
