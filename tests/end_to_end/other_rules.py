"""The program with a mistake in its rules: from the second deal on its state has something in it that no other's has."""

from __future__ import annotations

import sys

from client.__main__ import main
from engine.run import Run


def mistaken(run: Run, right: object = Run.fingerprint) -> bytes:
    """Return the fingerprint of another state."""
    if run.game.round >= 2:
        run.game.mistake = "from the second deal on"  # type: ignore[attr-defined] # that is the mistake
    return right(run)  # type: ignore[operator, no-any-return] # a method as it was


if __name__ == "__main__":
    Run.fingerprint = mistaken  # type: ignore[method-assign, assignment] # this program is to be another
    sys.exit(main())
