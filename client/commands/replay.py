"""Step through a played match: its public part, or as one seat saw it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass

from client.commands.common import read_file, screen_columns
from client.i18n.translation import _
from client.session.status import Status, UsageError
from client.ui.plain.printing import say
from client.ui.plain.verdicts import bad_log
from client.ui.replay import LIMIT_BYTES, steps
from engine.core.moves import NotAMove, Seat
from engine.core.notation import read_seat
from p2p.table.replay import BadLog, read_form

EXAMPLE = "sobremesa replay match.sobremesa --seat p2"


@dataclass(frozen=True)
class ReplayPage:
    """The lines of one step of a match."""

    lines: tuple[str, ...]


def add_arguments(parser: ArgumentParser) -> None:
    """Let a parser take what `replay` takes."""
    parser.add_argument("log", metavar=_("LOG"), help=_("the log of a match"))
    about = _("show the match as this seat (p1, p2, …) saw it, as far as its cards later became public")
    parser.add_argument("--seat", metavar=_("SEAT"), help=about)


def run(args: Namespace) -> int:
    """Show the match, step by step on a terminal, otherwise all at once."""
    data = read_file(args.log, LIMIT_BYTES)
    try:
        pages = read_pages(data, args.seat)
    except BadLog as error:
        raise bad_log(args.log, error) from error
    if sys.stdin.isatty() and sys.stdout.isatty():
        _step(pages)
    else:
        for page in pages:
            say(*page.lines)
    return Status.OK


def read_pages(data: bytes, seat_text: str | None) -> list[ReplayPage]:
    """Verify and play a log; return a page for each step that shows anything. BadLog, or UsageError for a seat it has not."""
    players = len(read_form(data).terms.participants)
    return [ReplayPage(shown) for _model, shown in steps(data, _seat(seat_text, players), screen_columns())]


def _seat(text: str | None, players: int) -> Seat | None:
    if text is None:
        return None
    try:
        return read_seat(text, players)
    except NotAMove as error:
        raise UsageError(_("there is no seat {seat} in this match").format(seat=text)) from error


def _step(pages: list[ReplayPage]) -> None:
    """Go back and forth by single keys and Enter."""
    place = 0
    while True:
        say(*pages[place].lines)
        keys = _("Enter next, b back, g NUMBER go to, q quit")
        try:
            text = input(f"[{place + 1}/{len(pages)}] {keys}: ").strip().lower()
        except EOFError:
            return
        word, _space, rest = text.partition(" ")
        if word == "q":
            return
        if word == "b":
            place = max(place - 1, 0)
        elif word == "g" and rest.strip().isascii() and rest.strip().isdecimal():
            place = min(max(int(rest[:9]) - 1, 0), len(pages) - 1)
        elif place + 1 < len(pages):
            place += 1
        else:
            return
