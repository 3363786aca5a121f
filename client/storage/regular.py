"""Open a file that somebody else may have replaced by a pipe, which would block us for ever."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def read_regular(path: Path, limit: int = -1) -> bytes:
    """Return the bytes of a file, at most `limit`. OSError if it is no regular file."""
    with open_regular(path) as file:
        return file.read(limit)


def open_regular(path: Path) -> BinaryIO:
    """Open a file to read its bytes. OSError if it is no regular file, or cannot be opened."""
    wanted = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, wanted)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    return os.fdopen(descriptor, "rb")
