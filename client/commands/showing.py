"""Arguments of the commands that show a session: in the terminal, or in a browser."""

from __future__ import annotations

from argparse import ArgumentParser

from client.i18n.translation import _


def add_browser_arguments(parser: ArgumentParser) -> None:
    """Add `--browser` and `--no-open` to a parser."""
    parser.add_argument(
        "--browser",
        action="store_true",
        help=_("show everything in a browser window on this machine"),
    )
    parser.add_argument(
        "--no-open",
        action="store_true",
        help=_("with --browser: print the address, but open no window"),
    )
