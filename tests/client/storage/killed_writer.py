"""A process that replaces a file and is killed before its n-th call to the system.

It is started by `python -m tests.client.storage.killed_writer`.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from client.storage.home import replace_file


def main() -> None:
    path, new, calls = Path(sys.argv[1]), Path(sys.argv[2]).read_bytes(), [int(sys.argv[3])]

    def counted(call: Any) -> Any:
        def counting(*args: Any, **options: Any) -> Any:
            if calls[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            calls[0] -= 1
            return call(*args, **options)

        return counting

    for name in ("open", "fdopen", "fsync", "replace", "close"):
        setattr(os, name, counted(getattr(os, name)))
    replace_file(path, new)


if __name__ == "__main__":
    main()
