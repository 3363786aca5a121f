"""Write the manual page and the shell completions anew: `python -m docs.make_share`.

They are made from the parsers.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

import shtab
from argparse_manpage.manpage import Manpage

from client.__main__ import COMMANDS, PROGRAM, add_global_options, add_lobby_options
from client.i18n.translation import _, set_language
from engine.games import GAMES

SHARE = Path(__file__).parent / "share"
"""Laid out as in a system's `share` folder: the wheel installs it there."""
COMPLETIONS = {
    "bash": f"bash-completion/completions/{PROGRAM}",
    "zsh": f"zsh/site-functions/_{PROGRAM}",
    "fish": f"fish/vendor_completions.d/{PROGRAM}.fish",
}
MANUAL = f"man/man1/{PROGRAM}.1"
FILES = {"log", "logs", "files"}
"""Positional arguments that are paths."""


def parser() -> ArgumentParser:
    """Return one parser for all commands. The program makes a parser for the typed command only."""
    whole = ArgumentParser(
        PROGRAM, description=_("Cards and dominoes with the people in the same building.")
    )
    add_lobby_options(whole)
    add_global_options(whole)
    verbs = whole.add_subparsers(metavar=_("COMMAND"))
    for verb, about in COMMANDS.items():
        command = import_module(f"client.commands.{verb}")
        one = verbs.add_parser(
            verb, help=_(about), description=_(about), prog=f"{PROGRAM} {verb}", allow_abbrev=False
        )
        command.add_arguments(one)
        for action in one._actions:  # noqa: SLF001 - argparse lists the arguments of a parser nowhere else
            if action.dest in FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]  # where shtab looks
            elif action.dest == "game":
                action.choices = tuple(GAMES)
        add_global_options(one)
    return whole


def pages() -> dict[str, str]:
    """Return every generated file by its path in `share`.

    The text is English, at 80 columns and without a date.
    """
    set_language("en")
    with patch.dict(os.environ, {"COLUMNS": "80", "SOURCE_DATE_EPOCH": "0"}):
        found = {path: shtab.complete(parser(), shell) for shell, path in COMPLETIONS.items()}
        found[MANUAL] = _manual()
    return {path: text.rstrip() + "\n" for path, text in found.items()}


def _manual() -> str:
    page = Manpage(parser())
    page.description = _("cards and dominoes with the people in the same building")
    page.synopsis[-2:] = ["[COMMAND", "...]"]
    page.manual = page.source = "Sobremesa"
    page.date = ""
    return str(page)


def main() -> None:
    """Write the files."""
    for path, text in pages().items():
        target = SHARE / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
