"""`python -m tests.fuzz.seeded TARGET --seconds 600`: inputs that are functions of their numbers.

Nothing but the tests' packages is needed. Each input is random bytes, or for the targets with a
corpus a kept input that is damaged. The first thing that goes wrong is shown with the number of
its input. At the end a line has the maxima: the slowest input, memory, and the counts of the
target, such as sentences on the screen and addresses dialled.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter
from collections.abc import Sequence
from random import Random

from tests.fuzz.targets import CORPUS, SECONDS, corpus, load

SEEDED = {
    "roles": 400,
    "announcements": 500,
    "greetings": 300,
    "files": 400,
    "frames": 300,
    "entries": 300,
    "logs": 300,
}
"""The targets, each with the bytes of its longest random input."""
SLOWEST = 8 * SECONDS
"""Seconds of processor time that an input of these targets may take: it is many messages."""
MEBIBYTES = 192
"""By how much the process may grow after its first inputs."""
WARM = 20
"""Inputs after which what is made once has been made."""


def input_of(target: str, number: int) -> bytes:
    """Return the input with this number."""
    random = Random(f"{target} {number}")
    kept = corpus(target) if (CORPUS / target).is_dir() else []
    if not kept or number % 2:
        return random.randbytes(random.randrange(4, SEEDED[target]))
    data = random.choice(kept).read_bytes()
    for _ in range(random.randrange(4)):
        at = random.randrange(len(data) + 1)
        data = data[:at] + random.randbytes(random.randrange(9)) + data[at + random.randrange(9) :]
    return data


def run(target: str, first: int, count: float, seconds: float) -> str:
    """Run inputs until there are so many, or the time is over; return the maxima in one line."""
    module = load(target)
    began, number, slowest, early = time.monotonic(), first, 0.0, 0
    while number < first + count and time.monotonic() - began < seconds:
        at = time.process_time()
        try:
            module.one_input(input_of(target, number))
        except BaseException as error:
            error.add_note(
                f"{target}: input {number}, `python -m tests.fuzz.seeded {target} "
                f"--first {number} --count 1` repeats it"
            )
            raise
        took = time.process_time() - at
        if number - first > WARM:
            slowest = max(slowest, took)
            assert took < SLOWEST, f"{target}: input {number} took {took:.1f} s"
        else:
            early = peak()
        number += 1
    grew = peak() - early
    assert grew < MEBIBYTES, f"{target}: memory grew by {grew} MiB"
    counted: Counter[str] = getattr(module, "maxima", Counter())
    most = "".join(f"{name} {count}, " for name, count in sorted(counted.items()))
    return (
        f"{target}: {number - first} inputs; at most: {most}{slowest:.2f} s of processor time; "
        f"memory grew by {grew} MiB"
    )


def peak() -> int:
    """Return the most memory that this process has had at once, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main(words: Sequence[str] | None = None) -> int:
    """Run a target; its first error comes out."""
    parser = argparse.ArgumentParser("python -m tests.fuzz.seeded", description=__doc__)
    parser.add_argument("target", choices=SEEDED)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input; 0")
    parser.add_argument("--count", type=float, default=float("inf"), help="how many; no limit")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="how long; no limit")
    args = parser.parse_args(words)
    print(run(args.target, args.first, args.count, args.seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
