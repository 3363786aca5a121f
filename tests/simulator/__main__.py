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
from collections import Counter
from collections.abc import Callable
from functools import partial

from tests.simulator.crash_points import LEAVER
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
    kind = {
        "real": args.real,
        "longer": args.longer,
        "nobody_goes": args.nobody_goes,
        "going_on": args.going_on,
    }
    flags = "".join(f" --{name.replace('_', '-')}" for name, on in kind.items() if on)
    flags += f" --liars {args.liars}" if args.liars is not None else ""
    flags += f' --planted "{args.planted}"' if args.planted else ""
    plays: list[tuple[str, Callable[[], Outcome]]] = []
    for seed in range(args.first, args.first + args.seeds):
        play = partial(in_a_storm, args.game, seed, **kind, bug=args.planted)
        if args.liars is not None:
            more = {"liars": args.liars, "going_on": args.going_on, "bug": args.planted}
            play = partial(with_liars, args.game, seed, real=args.real, **more)
        plays.append((f"--first {seed} --seeds 1{flags}", play))
    return played(args.game, plays)


def crashes(args: argparse.Namespace) -> int:
    """Play a match for each point at which somebody can die; with `--departures` for each at which
    one has left too."""
    plays: list[tuple[str, Callable[[], Outcome]]] = []
    if args.departures:
        for leaving, point in departures(args.game, real=args.real):
            name = f"--departures: p{LEAVER + 1} leaves after {leaving} records, {point}"
            play = partial(with_a_departure, args.game, leaving, point, real=args.real)
            plays.append((name, play))
    else:
        for point in crash_points(args.game, real=args.real):
            play = partial(with_a_crash, args.game, point, real=args.real)
            plays.append((f"--crash-points: {point}", play))
    return played(args.game, plays[:: args.every])


def played(game: str, plays: list[tuple[str, Callable[[], Outcome]]]) -> int:
    """Play matches, name each that goes wrong, and sum them up; 1 if one went wrong."""
    outcomes: list[Outcome] = []
    for name, play in plays:
        outcomes.append(play())
        if wrong := outcomes[-1].wrong:
            print(f"{wrong}\n  python -m tests.simulator {game} {name}", flush=True)
    bad = sum(bool(item.wrong) for item in outcomes)
    told = dict(sum((item.told for item in outcomes), Counter[str]()))
    count = total(item.count for item in outcomes)
    print(
        f"{game}: {len(outcomes)} matches, {bad} of them wrong; {count}; lies: {told}", flush=True
    )
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
