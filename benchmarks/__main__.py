"""`python -m benchmarks`: the figures of the cryptography and the protocol on this machine.

Each figure stands beside the limit of its work.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from benchmarks import (
    backends,
    browser,
    deals,
    inside,
    leaving,
    phones,
    players,
    proofs,
    screens,
    waits,
)
from benchmarks.cost import UnitCosts
from benchmarks.settings import BenchSettings, Row, cores
from client.__main__ import Parser
from client.commands.common import number, read_game
from client.i18n.translation import either
from client.session.characters import plain
from client.session.status import Status, Stop, UsageError
from client.storage.version import version
from client.ui.plain.color import GREEN, RED, colorful, painted
from client.ui.plain.printing import ProgressLine, complain, say
from engine.games import GAMES

PROGRAM = "python -m benchmarks"


@dataclass(frozen=True)
class Section:
    """A kind of figures: its name, its measurement, and its words."""

    about: str
    measure: Callable[[BenchSettings], dict[str, Any]]
    rows: Callable[[dict[str, Any]], Iterator[Row]]


SECTIONS: dict[str, Section] = {
    "shuffle": Section("Shuffles and their proofs", proofs.shuffle, proofs.shuffle_rows),
    "claims": Section("Claims about hidden cards", proofs.claims, proofs.claims_rows),
    "backends": Section(
        "All arithmetic backends on this machine",
        backends.side_by_side,
        backends.side_by_side_rows,
    ),
    "start": Section("The start of a match", waits.start, waits.start_rows),
    "moves": Section("From a move until every peer has judged it", waits.moves, waits.moves_rows),
    "deals": Section(
        "From a deal's last move to the next deal's first turn",
        deals.deals,
        deals.deals_rows,
    ),
    "passes": Section(
        "From a domino pass until every peer has verified it",
        deals.passes,
        deals.passes_rows,
    ),
    "leaving": Section(
        "From a seat's leave until the others play on", leaving.leaving, leaving.leaving_rows
    ),
    "ticker": Section("A ticker of 5 ms in the event loop", inside.ticker, inside.ticker_rows),
    "engine": Section("The rules alone, with open cards", inside.engine, inside.engine_rows),
    "verify": Section("Verifying a log", inside.verify, inside.verify_rows),
    "screens": Section("A redraw of the whole screen", screens.screens, screens.screens_rows),
    "window": Section(
        "The full screen: its start, and its cost when idle",
        screens.window,
        screens.window_rows,
    ),
    "browser": Section("The page in a browser", browser.browser, browser.browser_rows),
    "phones": Section("Phones that play through this program", phones.phones, phones.phones_rows),
    "memory": Section("Memory of a peer over a match", waits.memory, waits.memory_rows),
}


def main(words: Sequence[str] | None = None) -> int:
    """Measure what the words ask for, and print it; return the exit status."""
    parser = Parser(PROGRAM, description="Measure this program on this machine.")
    _add_arguments(parser)
    try:
        return _run(parser.parse_args(words))
    except Stop as error:
        complain(error, "benchmarks")
        return error.status


def _add_arguments(parser: ArgumentParser) -> None:
    about = f"measure only these (docs/benchmarks.md explains them): {', '.join(SECTIONS)}"
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--only", metavar="SECTION", nargs="+", choices=list(SECTIONS), help=about)
    games = ", ".join(GAMES)
    about = f"only play matches of this game's strongest computer player against another: {games}"
    what.add_argument("--players", metavar="GAME", help=about)
    about = f"only let all characters of this game play against each other: {games}"
    what.add_argument("--league", metavar="GAME", help=about)
    about = (
        "the opponent for --players: chance (the default: picks random legal moves), a character, "
        "or the strongest player with one fixed habit; a wrong name lists all of them"
    )
    parser.add_argument("--against", metavar="NAME", default="", help=about)
    about = "number of matches of each pair for --players and --league (default: 400)"
    parser.add_argument("--matches", metavar="N", type=number(2, 100_000), help=about)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="measure everything once: a smoke test, with rough figures",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object at the end, and nothing else"
    )


def _run(args: Namespace) -> int:
    sections = _sections(args)
    progress = ProgressLine()
    settings = BenchSettings(quick=args.quick)
    found = _machine(settings)
    if not args.json:
        say(_introduction(found), flush=True)
    for name, section in sections.items():
        told = replace(settings, say=_teller(progress, section.about))
        told.say("")
        found[name] = section.measure(told)
        progress.clear()
        if not args.json:
            on = colorful("auto", sys.stdout)
            say(
                "",
                section.about,
                *table_lines(section.rows(found[name]), on=on),
                colored=on,
                flush=True,
            )
    found["load_after"] = _load()
    if args.json:
        say(json.dumps(found))
    return Status.OK


def _sections(args: Namespace) -> dict[str, Section]:
    """Return what is to be measured, in order."""
    if args.against and not args.players:
        raise UsageError("--against belongs to --players")
    if args.matches and not (args.players or args.league):
        raise UsageError("--matches belongs to --players and --league")
    matches = args.matches or 400
    if args.players:
        game = read_game(args.players).name
        measure = partial(
            players.players, game=game, matches=matches, against=_against(game, args.against)
        )
        return {
            "players": Section(
                "The strongest player and another, with open cards",
                measure,
                players.players_rows,
            )
        }
    if args.league:
        measure = partial(players.league, game=read_game(args.league).name, matches=matches)
        return {
            "league": Section(
                "All characters of the game, with open cards", measure, players.league_rows
            )
        }
    return {
        name: section for name, section in SECTIONS.items() if not args.only or name in args.only
    }


def _against(game: str, typed: str) -> str:
    """Return the opponent that is meant; capitals and accents need not be typed. UsageError."""
    known = players.opponents(game)
    found = next((name for name in known if plain(name) == plain(typed or "chance")), None)
    if found is None:
        sentence = "{game} has no opponent {name!r}: there is {known}"
        raise UsageError(sentence.format(game=game, name=typed, known=either(known)))
    return found


def _teller(progress: ProgressLine, title: str) -> Callable[[str], None]:
    """Return a function that shows where we are in a section."""
    return lambda what: progress.show(f"{title}: {what} …" if what else f"{title} …")


def _machine(settings: BenchSettings) -> dict[str, Any]:
    """Return what the figures depend on."""
    costs = UnitCosts(settings.group)
    for _again in range(settings.times(20)):
        costs.sample()
    return {
        "program": version(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "backend": settings.group.backend.name,
        "cores": cores(),
        "quick": settings.quick,
        "load_before": _load(),
        "units_us": costs.units,
    }


def _load() -> list[float] | None:
    """Return the load of the last 1, 5 and 15 minutes; None where the system does not say.

    The load is the number of processes that wanted to run.
    """
    return [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None


def _introduction(found: dict[str, Any]) -> str:
    load = found["load_before"]
    units = ", ".join(f"{kind} {cost:.1f}" for kind, cost in found["units_us"].items())
    lines = [
        "Sobremesa {program}, Python {python}, {system}, {cores} cores, {backend}".format(**found),
        f"Busy with other things: {'?' if load is None else load[0]}",
        f"One operation of the group, in microseconds: {units}",
        (
            "The limit is the cost of the counted operations on this machine; the ratio is the "
            "measured time over that cost."
        ),
    ]
    return "\n".join(lines)


def table_lines(rows: Iterator[Row], *, on: bool) -> Iterator[str]:
    """Return a table, its head first."""
    shown = [Row("what", "took", "limit", aim="aim"), *rows]
    cells = [
        (row.name, row.took, row.limit, "" if row.ratio is None else f"{row.ratio:.2f}", row.aim)
        for row in shown
    ]
    cells[0] = (*cells[0][:3], "ratio", cells[0][4])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row, (name, *others) in zip(shown, cells, strict=True):
        numbers = [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
        yield "  ".join(("", name.ljust(widths[0]), *numbers, _mark(row, on=on))).rstrip()


def _mark(row: Row, *, on: bool) -> str:
    if row.missed is None:
        return ""
    return painted("missed", RED, on=on) if row.missed else painted("reached", GREEN, on=on)


if __name__ == "__main__":
    sys.exit(main())
