"""The findings of `doctor`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """The finding of one check.

    If it is not `ok`, or could be better, `do` names one thing to do.
    """

    check: str
    ok: bool
    says: str
    do: str = ""


def fine(check: str, says: str, do: str = "") -> Finding:
    """Return a finding that keeps nobody from playing."""
    return Finding(check, ok=True, says=says, do=do)


def trouble(check: str, says: str, do: str) -> Finding:
    """Return a finding that keeps people from playing."""
    return Finding(check, ok=False, says=says, do=do)
