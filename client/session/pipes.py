"""The pipes of a process that another one of ours started, and its silenced standard streams."""

from __future__ import annotations

import os
from typing import BinaryIO


def own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes from and to our parent; nothing that is printed goes there."""
    pipes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)
    return pipes
