"""Single matches by name and seed, with their mistakes: for the command line and for pytest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from crypto.group import Group
from engine.games import GAMES
from tests.engine.tiny_game import listing
from tests.simulator.coalition import Conspiracy
from tests.simulator.crash_points import Calm, Point, moments_to_leave, points
from tests.simulator.matches import SHORT, Kind, kind_of, smallest, smallest_of_three
from tests.simulator.planted import BUGS
from tests.simulator.sums import shared_sums
from tests.simulator.weather import Storm
from tests.simulator.world import Count
from tests.standin import standin_group

NAMES = ("tiny", *GAMES)
"""The games, and the tests' own, which awaits everything that there is to await."""


@dataclass
class Outcome:
    """How a match went: its mistake, or nothing."""

    wrong: str
    count: Count
    told: Counter[str] = field(default_factory=Counter)
    """The entries of the liars, by the attack that they amount to."""
    split: bool = False
    """Whether liars have split the honest."""


@contextmanager
def simulating() -> Iterator[None]:
    """Within this, matches can be played; Tiny too."""
    with listing(), shared_sums():
        yield


def in_a_storm(
    game: str,
    seed: int,
    *,
    real: bool = False,
    longer: bool = False,
    nobody_goes: bool = False,
    going_on: bool = False,
    bug: str = "",
) -> Outcome:
    """Play the match of this seed in the weather of this seed, perhaps with a planted bug.

    `going_on`: a match that the others play on, in which many leave.
    """
    with ExitStack() as planted:
        liars = BUGS[bug].liars if bug else {}
        if bug:
            planted.enter_context(BUGS[bug].plant())
        return outcome(
            Storm(
                kind_of(game, seed, longer=longer, going_on=going_on),
                seed,
                group(real=real),
                liars,
                nobody_goes=nobody_goes,
                many_go=going_on,
            )
        )


def with_liars(
    game: str,
    seed: int,
    *,
    kind: Kind | None = None,
    real: bool = False,
    liars: int = 0,
    going_on: bool = False,
    bug: str = "",
) -> Outcome:
    """Play the match of this seed, or of this kind, with a coalition of so many liars, 0: as many
    as the seed says. `going_on`: as in a storm."""
    with ExitStack() as planted:
        if bug:
            planted.enter_context(BUGS[bug].plant())
        played = kind or kind_of(game, seed, going_on=going_on)
        return outcome(Conspiracy(played, seed, group(real=real), liars, many_go=going_on))


def crash_points(game: str, *, real: bool = False) -> list[Point]:
    """List the moments of a game's smallest match at which somebody can die."""
    return list(points(smallest(game), SHORT.get(game, 0), group(real=real)))


def with_a_crash(game: str, point: Point, *, real: bool = False) -> Outcome:
    """Play a game's smallest match with a crash at this point."""
    return outcome(Calm(smallest(game), SHORT.get(game, 0), group(real=real), point))


def departures(game: str, *, every: int = 1, real: bool = False) -> list[tuple[int, Point]]:
    """List after how many whole records somebody may leave a short match, each with the moments to
    die at then.

    `every`: only every so many of the first.
    """
    kind, seed, using = smallest_of_three(game), SHORT.get(game, 0), group(real=real)
    steps = moments_to_leave(kind, seed, using)
    steps = steps[min(every, len(steps)) // 2 :: every]
    return [(leaving, point) for leaving in steps for point in points(kind, seed, using, leaving)]


def with_a_departure(game: str, leaving: int, point: Point, *, real: bool = False) -> Outcome:
    """Play that match: one leaves, and one dies at this point."""
    return outcome(
        Calm(smallest_of_three(game), SHORT.get(game, 0), group(real=real), point, leaving=leaving)
    )


def outcome(world: Storm | Calm) -> Outcome:
    """Play, and catch whatever goes wrong: it is to be told with the seed that shows it."""
    wrong = ""
    try:
        world.play()
    except Exception as error:  # noqa: BLE001 - of any kind: the match that shows it is to be named
        wrong = f"{type(error).__name__}: {error}"
    world.count.went_on = bool(world.watch.broken_off)
    if isinstance(world, Conspiracy):
        return Outcome(wrong, world.count, world.told, split=world.split)
    return Outcome(wrong, world.count)


def group(*, real: bool) -> Group | None:
    """Return the stand-in group, or None: the real one."""
    return None if real else standin_group()


def total(counts: Iterable[Count]) -> Count:
    """Add up what has happened."""
    counts = list(counts)
    return Count(
        **{
            name: sum(getattr(count, name) for count in counts)
            for name in Count.__dataclass_fields__
        }
    )
