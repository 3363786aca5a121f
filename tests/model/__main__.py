"""`python -m tests.model`: search the model and print what was covered."""

from __future__ import annotations

import argparse
import time
from typing import Any

from p2p.table.membership import Membership
from tests.model.bugs import BUGS
from tests.model.member import Members
from tests.model.search import Search
from tests.model.world import Bounds, World

SCHEDULES = {3: ((0, 1, 2), (0,), (1, 2)), 4: ((0, 1, 2, 3), (0,), (1, 3), (2,))}
ALIKE = {3: ((0, 1, 2), (0, 1), (2,)), 4: ((0, 1, 2, 3), (0, 1, 2), (3,), (0, 1))}


def search_for(
    members: int,
    liar: int | None,
    schedule: tuple[tuple[int, ...], ...],
    bounds: Bounds,
    bug: type | None = None,
    seed: int = 0,
) -> Search:
    """A search with one class of the model, or of the checked code, replaced."""
    parts: dict[type, Any] = {
        base: bug if bug is not None and issubclass(bug, base) else base
        for base in (World, Members, Membership)
    }
    world = parts[World](members, liar, schedule, bounds, parts[Membership])
    return Search(world, seed, parts[Members])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.model")
    parser.add_argument("--members", type=int, default=3, choices=(3, 4))
    parser.add_argument("--liar", action="store_true")
    parser.add_argument("--states", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    for name in ("votes", "leaves", "crashes", "lies", "views", "stories"):
        parser.add_argument(f"--{name}", type=int, default=getattr(Bounds(), name))
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--alike", action="store_true")
    parser.add_argument("--breadth", type=float, default=0.2)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--bug", choices=[bug.what.__name__ for bug in BUGS])
    args = parser.parse_args()
    bounds = Bounds(args.votes, args.leaves, args.crashes, args.lies, args.views, args.stories)
    liar = args.members - 1 if args.liar else None
    bug = next((bug for bug in BUGS if bug.what.__name__ == args.bug), None)
    schedule = (ALIKE if args.alike else SCHEDULES)[args.members][: args.steps]
    schedule = bug.schedule if bug is not None and bug.schedule else schedule
    search = search_for(
        args.members, liar, schedule, bounds, bug.what if bug is not None else None, args.seed
    )
    begin = time.monotonic()
    report = search.run(args.states, args.breadth, args.seconds)
    spent = time.monotonic() - begin
    print(f"{args.members} members, {'one liar' if args.liar else 'no liar'}, {bounds}")
    covered = (
        f"all there are, to depth {report.depth}"
        if report.whole
        else f"all to depth {report.full_depth}, some to {report.depth}"
    )
    print(
        f"{report.states} states ({covered}), {report.left} of them not gone on from, "
        f"{report.kinds} kinds of state"
    )
    print(
        f"{len(search.members.locals)} members, {spent:.1f} s, {report.states / spent:.0f} states/s"
    )
    print(
        "changes met: " + ", ".join(f"{count} {name}" for name, count in sorted(search.met.items()))
    )
    if report.violation:
        print(f"VIOLATION {report.violation}")
        for number, line in enumerate(report.trace, 1):
            print(f"{number:3} {line}")
    return int(report.violation is not None)


if __name__ == "__main__":
    raise SystemExit(main())
