"""Sums that all tables of one process share: every check of the same proof over the same values has
the same answer.

Real peers each check for themselves; here that would be the same computation once for every seat.
Only proofs that passed are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from typing import Any
from unittest.mock import patch

from p2p.table import log, masks, rounds

CHECKS = (
    (log, "verify"),
    (rounds, "verify_shuffle"),
    (masks, "verify_shares"),
    (masks, "verify_one_of"),
)
KEPT = 4096
"""Answers that are remembered of each: more than a match has."""


@contextmanager
def shared_sums() -> Iterator[None]:
    """Within this, each check is made once."""
    with ExitStack() as patches:
        for module, name in CHECKS:
            patches.enter_context(patch.object(module, name, _shared(getattr(module, name))))
        yield


def _shared(check: Callable[..., Any]) -> Callable[..., Any]:
    remembered = lru_cache(maxsize=KEPT)(check)

    def checked(*values: Any) -> Any:
        return remembered(*(tuple(value) if isinstance(value, list) else value for value in values))

    return checked
