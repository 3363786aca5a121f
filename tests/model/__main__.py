"""`python -m tests.model`: search the model of protocol 3, and print what was covered."""

from __future__ import annotations

import argparse
import time
from collections import Counter

from tests.model.bugs import BUGS
from tests.model.member import Broken
from tests.model.search import SMALL, Search, small_numbers, walk

TABLES = [(3, 1), (4, 1), (4, 2), (5, 1), (5, 2), (3, 2), (5, 3)]
"""Seats and liars of random walks."""


def explore(states: int, seed: int, drains: int, worlds: list[int]) -> None:
    for small in (SMALL[place] for place in worlds):
        begin = time.monotonic()
        found = Search(small, seed).run(states, drains)
        covered = "all there are" if found.whole else "cut off"
        spent = time.monotonic() - begin
        print(f"{found.states} states ({covered}), {found.members} members, {spent:.0f} s: {small}")
        print(f"    met: {dict(found.met)}", flush=True)


def wander(walks: int) -> None:
    for seats, liars in TABLES:
        actions, limits, met = 0, Counter[int](), Counter[str]()
        for number in range(walks):
            one = walk(seats, liars, f"walk {number}", number % 3)
            actions, met = actions + one.actions, met + one.met
            limits[one.limits] += 1
        print(f"{walks} walks, {actions} actions: {seats} seats, {liars} liars")
        print(f"    drains by time limits: {sorted(limits.items())}, met: {dict(met)}", flush=True)


def hunt(walks: int, names: list[str]) -> bool:
    found_all = True
    for bug in BUGS:
        if names and bug.name not in names:
            continue
        found = None
        for seed in range(walks):
            try:
                bug.walk(seed)
            except Broken as broken:
                found = f"found in walk {seed}: {str(broken).split(';')[0]}"
                break
        found_all &= found is not None
        print(f"{bug.name}: {found or 'NOT FOUND'}", flush=True)
    return found_all


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.model")
    parser.add_argument("--states", type=int, default=0, help="for each small world")
    parser.add_argument("--drains", type=int, default=200, help="one of so many is drained")
    parser.add_argument("--worlds", type=int, nargs="*", default=range(len(SMALL)))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--walks", type=int, default=0, help="for each number of seats and liars")
    parser.add_argument("--hunt", type=int, default=0, help="walks for each planted bug")
    parser.add_argument("bugs", nargs="*", help="names of planted bugs")
    args = parser.parse_args()
    with small_numbers():
        try:
            if args.states:
                explore(args.states, args.seed, args.drains, args.worlds)
            if args.walks:
                wander(args.walks)
        except Broken as broken:
            print(f"VIOLATION {broken}")
            return 1
        return int(args.hunt > 0 and not hunt(args.hunt, args.bugs))


if __name__ == "__main__":
    raise SystemExit(main())
