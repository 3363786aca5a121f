"""How soon play goes on when the network of one player comes back after a hole, measured with four
processes on four hosts.

    python -m tests.networks.hole --runs 20

It prints a line for each hole, then median and maximum of the seconds from the network's return to
the next move that everybody has seen. The holes are not all equally long, so that they end at any
moment between two tries to dial.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from tests.end_to_end.namespaces import lacking_for_a_lan
from tests.end_to_end.processes import eventually
from tests.networks.lan import Guest, Lan, in_mid_match, lan, stories

HOLE = 30.0
STILL = 3.0
"""Seconds in which nobody moves any more, if the one in the hole is missed."""
LONGER = 0.6
LONG = ("--option", "target=101")


def hole(net: Lan, guests: list[Guest], lost: int, seconds: float = HOLE) -> float:
    """Take one host off the network in mid-match and bring it back; return after how many seconds
    all saw a move again."""
    begun = net.weather(cut=[lost])
    time.sleep(max(0.0, begun + seconds - time.monotonic()))
    before = [len(guest.moves()) for guest in guests]
    still = max(guest.moves()[-1].at for guest in guests)
    assert still < begun + seconds - STILL, "the table had not missed the one who was in the hole"
    back = net.weather(cut=[])

    def gone_on() -> bool:
        return all(len(guest.moves()) > seen for guest, seen in zip(guests, before, strict=True))

    eventually(gone_on, "a move after the hole", 20, lambda: stories(guests))
    return max(guest.moves()[seen].at for guest, seen in zip(guests, before, strict=True)) - back


def holes(runs: int, seconds: float = HOLE) -> list[float]:
    """Measure so many holes, a few to a match, one host after the other."""
    found: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        while len(found) < runs:
            with lan(Path(folder) / str(len(found)), seed=len(found)) as net:
                guests = net.four(*LONG)
                for _ in range(min(4, runs - len(found))):
                    in_mid_match(guests, min(len(guest.moves()) for guest in guests) + 10)
                    # else it would always end at the same moment between two tries
                    long = seconds + LONGER * (len(found) % 7)
                    found.append(hole(net, guests, len(found) % 4, long))
                    print(
                        f"hole {len(found)} of {long:.1f} s: play went on {found[-1]:.2f} s after "
                        f"the network's return"
                    )
    return found


def main() -> int:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument(
        "--seconds", type=float, default=HOLE, help="how long each hole is at least"
    )
    args = parser.parse_args()
    if missing := lacking_for_a_lan():
        print(f"skipped: {missing}")
        return 1
    found = holes(args.runs, args.seconds)
    half, most = statistics.median(found), max(found)
    print(
        f"{len(found)} holes of {args.seconds:.0f} s and a little more: median {half:.2f} s, "
        f"maximum {most:.2f} s"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
