"""The time of a computer player's answer, chosen before it computes.

So the time tells nothing about its cards.

An answer leaves at the chosen time after the question. If the computation takes longer, it leaves
at the next multiple of that time: only how many multiples there were can be seen, and a computation
seldom takes longer than the shortest time.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from crypto.chance import Entropy, below

T = TypeVar("T")
SHORTEST_MS, LONGEST_MS = 500, 900
"""Milliseconds between a question and the answer of a computer player. A person can follow that,
and need not wait."""
SHARED_MS = 6000
"""As many more where a person may answer in its place, as a partner of a person at Truco."""


def answer_time(entropy: Entropy, *, shared: bool = False) -> float:
    """Draw the seconds from a question to its answer.

    `shared` is whether a person may answer the question too, and then settles it.
    """
    return (SHORTEST_MS + below(LONGEST_MS - SHORTEST_MS + 1, entropy) + SHARED_MS * shared) / 1000


async def at_chosen_time(
    compute: Callable[[], Awaitable[T]], entropy: Entropy, *, shared: bool = False
) -> T:
    """Draw a time, compute, and return the result at that time or at its next multiple.

    The time counts from now.
    """
    seconds, began = answer_time(entropy, shared=shared), trio.current_time()
    found = await compute()
    times = max(1, math.ceil((trio.current_time() - began) / seconds))
    await trio.sleep_until(began + times * seconds)
    return found
