"""A player that picks any legal move.

It is for tests, for measuring the others, and for games that have no better one.
"""

from __future__ import annotations

from engine.core.moves import Choose, Move
from engine.core.view import View


def play(view: View, choose: Choose) -> Move:
    """Return one of the options, each as likely as any other."""
    assert view.options is not None, "only a seat that is asked plays"
    options = list(view.options)
    return options[choose(len(options))]
