"""Read a file that may have become a pipe, which would block us for ever, or one without an end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

LOG_BYTES = 64 << 20
"""Bytes of a log that is read, at most."""


def read_regular(path: Path, most: int | None = None) -> bytes:
    """Return the bytes of a file. OSError if it is no regular file, or has more than `most`."""
    with open_regular(path) as file:
        data = file.read(-1 if most is None else most + 1)
    if most is not None and len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


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
