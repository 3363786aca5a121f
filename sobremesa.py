"""`python -m sobremesa`: the wheel has this file beside the packages.

The program in one file begins here too.
"""

from __future__ import annotations

import os
import sys


def begin(words: list[str]) -> int | None:
    """Carry out the command line, or be an inner process of the program in one file.

    The one file unpacks its libraries, and lets the system look for them there first
    (`LD_LIBRARY_PATH`). A browser that we start must not.
    """
    if getattr(sys, "frozen", False):
        before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
        os.environ.pop("LD_LIBRARY_PATH", None)
        if before is not None:
            os.environ["LD_LIBRARY_PATH"] = before
        from client.session.python_process import INNER, run_inner  # noqa: PLC0415 - only there

        if words[:1] == [INNER]:
            return run_inner(*words[1:])
    from client.__main__ import main  # noqa: PLC0415 - an inner process has a main of its own

    return main(words)


if __name__ == "__main__":
    sys.exit(begin(sys.argv[1:]))
