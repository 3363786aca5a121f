"""The time of a computer player's answer, chosen before it computes.

So the time says nothing about its cards. An answer leaves at the chosen time after the question. A
process that only thinks has decided by then (`client.session.worker`). A thread of ours may need
longer: its answer leaves at the next multiple of that time, which reveals only the multiple.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from crypto.chance import Entropy, below

T = TypeVar("T")
SHORTEST_MS, LONGEST_MS = 500, 900
"""Milliseconds from a question to a computer player's answer: a person can follow, and need not
wait."""
SENDING_S = 0.03
"""Seconds before the chosen time at which the work ends, so that the move is ready."""


def answer_time(entropy: Entropy, *, wait: int = 0, slowness: float = 1.0) -> float:
    """Draw the seconds from a question to its answer.

    `wait` adds seconds in which a person may answer instead, such as a partner at Truco. A machine
    that is `slowness` times slower than ours gets so many times as long: its players are as strong,
    and the time depends on the machine, not on the hand.
    """
    drawn = SHORTEST_MS + below(LONGEST_MS - SHORTEST_MS + 1, entropy)
    return drawn * slowness / 1000 + wait


async def at_chosen_time(
    compute: Callable[[float], Awaitable[T]],
    entropy: Entropy,
    *,
    wait: int = 0,
    slowness: float = 1.0,
) -> T:
    """Draw a time, compute, and return the result at that time or at its next multiple.

    The time counts from now. `compute` is passed its number of seconds.
    """
    seconds, began = answer_time(entropy, wait=wait, slowness=slowness), trio.current_time()
    found = await compute(seconds - SENDING_S)
    times = max(1, math.ceil((trio.current_time() - began) / seconds))
    await trio.sleep_until(began + times * seconds)
    return found
