"""Play matches in simulated weather, and say which went wrong, each with the command that plays it
again.

    python -m tests.simulator escoba --seeds 2000           --real: over ristretto255
    python -m tests.simulator escoba --first 17 --seeds 1   one of them again
    python -m tests.simulator escoba --crash-points         a crash at every store and send
    python -m tests.simulator escoba --departures           the same while somebody leaves
    python -m tests.simulator escoba --going-on --liars 0   the others go on, among liars
    python -m tests.simulator escoba --planted "a skipped proof" --seeds 20

Every match is a function of its game and its seed. `--longer` takes matches of several deals
instead of one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial

from tests.simulator.crash_points import LEAVER, Point
from tests.simulator.planted import BUGS
from tests.simulator.run import (
    NAMES,
    Outcome,
    crash_points,
    departures,
    in_a_storm,
    simulating,
    total,
    with_a_crash,
    with_a_departure,
    with_liars,
)


def main() -> int:
    """Play them all, and print a summary."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=NAMES)
    parser.add_argument("--seeds", type=int, default=100, help="how many matches")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument(
        "--real", action="store_true", help="over ristretto255 instead of the stand-in group"
    )
    parser.add_argument("--longer", action="store_true", help="matches of several deals")
    parser.add_argument(
        "--liars",
        type=int,
        help="a coalition of so many lies; 0: of 1 to all but one, as the seed says",
    )
    parser.add_argument(
        "--going-on",
        action="store_true",
        help="matches that the others play on, in which many leave",
    )
    parser.add_argument(
        "--nobody-goes", action="store_true", help="no player leaves, none is voted out"
    )
    parser.add_argument("--planted", choices=BUGS, default="", help="with this bug")
    parser.add_argument("--crash-points", action="store_true")
    parser.add_argument("--departures", action="store_true")
    parser.add_argument(
        "--every", type=int, default=1, help="of the crash points only every so many"
    )
    args = parser.parse_args()
    with simulating():
        return crashes(args) if args.crash_points or args.departures else storms(args)


def storms(args: argparse.Namespace) -> int:
    """Play a match for each seed."""
    began = time.monotonic()
    outcomes: list[Outcome] = []
    kind = {
        "real": args.real,
        "longer": args.longer,
        "nobody_goes": args.nobody_goes,
        "going_on": args.going_on,
    }
    flags = "".join(f" --{name.replace('_', '-')}" for name, on in kind.items() if on)
    flags += f" --liars {args.liars}" if args.liars is not None else ""
    flags += f' --planted "{args.planted}"' if args.planted else ""
    for seed in range(args.first, args.first + args.seeds):
        if args.liars is not None:
            outcomes.append(
                with_liars(
                    args.game,
                    seed,
                    real=args.real,
                    liars=args.liars,
                    going_on=args.going_on,
                    bug=args.planted,
                )
            )
        else:
            outcomes.append(in_a_storm(args.game, seed, **kind, bug=args.planted))
        if wrong := outcomes[-1].wrong:
            print(
                f"seed {seed}: {wrong}\n  python -m tests.simulator {args.game} --first {seed} "
                f"--seeds 1{flags}",
                flush=True,
            )
    print(
        f"{args.game}, seeds {args.first} to {args.first + args.seeds - 1}: "
        f"{summary(args, outcomes, began)}",
        flush=True,
    )
    return any(item.wrong for item in outcomes)


def crashes(args: argparse.Namespace) -> int:
    """Play a match for each point at which somebody can die; with `--departures` for each at which
    one has left too."""
    began = time.monotonic()
    outcomes: list[Outcome] = []
    plays: list[tuple[Point, str, Callable[[], Outcome]]] = []
    if args.departures:
        plays = [
            (
                point,
                f"p{LEAVER + 1} leaves after {leaving} records, {point}",
                partial(with_a_departure, args.game, leaving, point, real=args.real),
            )
            for leaving, point in departures(args.game, real=args.real)
        ]
    else:
        plays = [
            (point, str(point), partial(with_a_crash, args.game, point, real=args.real))
            for point in crash_points(args.game, real=args.real)
        ]
    flag = "departures" if args.departures else "crash-points"
    for _, name, play in plays[:: args.every]:
        outcomes.append(play())
        if wrong := outcomes[-1].wrong:
            real = " --real" * args.real
            print(
                f"{name}: {wrong}\n  python -m tests.simulator {args.game} --{flag}{real}",
                flush=True,
            )
    found = [point for point, _, _ in plays]
    kinds = Counter(point.name for point in found)
    names = ", ".join(f"{number} {name}" for name, number in sorted(kinds.items()))
    print(
        f"{args.game}: {len(outcomes)} of {len(found)} crash points ({names}): "
        f"{summary(args, outcomes, began)}",
        flush=True,
    )
    return any(item.wrong for item in outcomes)


def summary(args: argparse.Namespace, outcomes: list[Outcome], began: float) -> str:
    """Say how it went."""
    seconds = time.monotonic() - began
    count = total(item.count for item in outcomes)
    bad = sum(bool(item.wrong) for item in outcomes)
    rate = 60 * len(outcomes) / seconds
    group = "ristretto255" if args.real else "the stand-in group"
    told = sum((item.told for item in outcomes), Counter[str]())
    lies = "".join(f"{number} {name}, " for name, number in sorted(told.items()))
    if lies:
        lies = (
            f"lies: {lies}honest tables split in {sum(item.split for item in outcomes)} matches; "
        )
    return (
        f"{len(outcomes)} matches over {group}, {bad} of them wrong; {count.events} events, "
        f"{count.crashes} crashes, {count.cuts} links lost, {count.leaves} leaves, {count.votes} "
        f"votes, {count.went_on} matches went on without somebody, {count.refused} forgeries "
        f"refused; {lies}{seconds:.0f} s, {rate:.0f} matches a minute"
    )


if __name__ == "__main__":
    sys.exit(main())
