"""`python -m sobremesa`: the wheel has this file beside the packages.

The program in one file begins here too.
"""

from __future__ import annotations

import sys


def begin(words: list[str]) -> int | None:
    """Carry out the command line, or be an inner process of the program in one file."""
    if getattr(sys, "frozen", False):
        from client.session.python_process import (  # noqa: PLC0415 - only there
            INNER,
            keep_libraries,
            run_inner,
        )

        keep_libraries()
        if words[:1] == [INNER]:
            return run_inner(*words[1:])
    from client.__main__ import main  # noqa: PLC0415 - an inner process has a main of its own

    return main(words)


if __name__ == "__main__":
    sys.exit(begin(sys.argv[1:]))
