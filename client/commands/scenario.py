"""`sobremesa scenario`: play open-deck scenario files, and print one JSON object a line."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from client.commands.common import read_file
from client.i18n.translation import _
from client.session.status import UsageError
from client.ui.plain.printing import say
from engine.scenario import HOLDS, NO_SCENARIO, report

EXAMPLE = "sobremesa scenario tests/scenarios/escoba-basics.toml"
LIMIT = 4 * 1024 * 1024


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `scenario`."""
    parser.add_argument(
        "files", metavar=_("FILE"), nargs="+", help=_("a scenario in TOML (-: standard input)")
    )


def run(args: Namespace) -> int:
    """Play each file, and return the highest status.

    0: all expectations hold. 1: some do not. 2: a file is no scenario.
    """
    highest = HOLDS
    for name in args.files:
        status, result = _result(name)
        highest = max(highest, status)
        say(json.dumps(result), flush=True)
    return highest


def _result(name: str) -> tuple[int, dict[str, Any]]:
    """Return the status and the object of a file; an unreadable file is no scenario either."""
    try:
        return report(name, read_file(name, LIMIT))
    except UsageError as error:
        return NO_SCENARIO, {"file": name, "ok": False, "error": str(error)}
