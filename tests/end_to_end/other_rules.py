"""The program with a mistake in its rules of Escoba: from the second deal on it takes p1 for the
seat that plays first."""

from __future__ import annotations

import sys

from client.__main__ import main
from engine.core.run import Run


def mistaken(run: Run, right: object = Run.fingerprint) -> bytes:
    """Return the fingerprint of another state."""
    if run.game.round >= 2:
        run.game.eldest = 0  # type: ignore[attr-defined] # only of Escoba
    return right(run)  # type: ignore[operator, no-any-return] # a method as it was


if __name__ == "__main__":
    Run.fingerprint = mistaken  # type: ignore[method-assign, assignment] # this program is to be another
    sys.exit(main())
