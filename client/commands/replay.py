"""Step through a match that has been played: what became public, or as one seat saw it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass

from client.commands.common import read_file, screen_columns
from client.messages import News, Seated
from client.model import Model
from client.plain import lines
from client.status import BadLogError, Status, UsageError
from client.update import update
from client.words import _
from engine.moves import Face, NotAMove, Seat, Slot
from engine.notation import read_seat
from engine.view import view_for
from p2p.table.events import Dealt, Event, Moved, Opened
from p2p.table.replay import BadLog, replay_log
from p2p.table.table import Table

EXAMPLE = "sobremesa replay match.sobremesa --seat p2"
LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True)
class Page:
    """What one step of a match shows."""

    lines: tuple[str, ...]


def add_arguments(parser: ArgumentParser) -> None:
    """Let a parser take what `replay` takes."""
    parser.add_argument("log", metavar="LOG", help=_("the log of a match"))
    about = _("as this seat (p1, p2, …) saw it, as far as its cards became public later")
    parser.add_argument("--seat", metavar="SEAT", help=about)


def run(args: Namespace) -> int:
    """Show the match, step by step on a terminal, otherwise all at once."""
    data = read_file(args.log, LIMIT)
    try:
        pages = read_pages(data, args.seat)
    except BadLog as error:
        raise BadLogError(_("{file} does not verify: {error}").format(file=args.log, error=error)) from error
    if sys.stdin.isatty() and sys.stdout.isatty():
        _step(pages)
    else:
        for page in pages:
            print("\n".join(page.lines))
    return Status.OK


def read_pages(data: bytes, seat_text: str | None) -> list[Page]:
    """Verify and play a log; return a page for each step that shows anything. BadLog, or UsageError for a seat it has not."""
    faces = _faces_in(data) if seat_text is not None else {}
    pages: list[Page] = []
    model = Model()
    seat: Seat | None = None
    for table, events in replay_log(data):
        shown: list[str] = []
        if not pages:
            seat = _seat(seat_text, len(table.terms.places))
            before, (model, _commands) = model, update(model, Seated(table.terms, seat, table.match.hex(), auto=True))
            shown += lines(before, Seated(table.terms, seat, table.match.hex(), auto=True), model, screen_columns())
        for place, event in enumerate(events, 1):
            news = _news(table, _seen(event, seat, faces), seat, faces, last=place == len(events))
            before, (model, _commands) = model, update(model, news)
            shown += lines(before, news, model, screen_columns())
        if shown:
            pages.append(Page(tuple(shown)))
    if not table.sealed:
        pages.append(Page((_("The log ends here, without the seals of all: `sobremesa verify` says what is missing."),)))
    return pages


def _news(table: Table, event: Event, seat: Seat | None, faces: dict[Slot, Face], *, last: bool) -> News:
    return News(event, view_for(table.run, seat, faces), table.waiting, last)


def _seen(event: Event, seat: Seat | None, faces: dict[Slot, Face]) -> Event:
    """Return an event as a seat saw it: with its own cards, where they became public later."""
    if isinstance(event, Dealt) and seat is not None:
        return Dealt(event.to, {slot: faces[slot] for slot in event.to.get(seat, ()) if slot in faces})
    return event


def _faces_in(data: bytes) -> dict[Slot, Face]:
    """Return every face that became public in the course of a match."""
    faces: dict[Slot, Face] = {}
    for _table, events in replay_log(data):
        for event in events:
            if isinstance(event, Moved):
                faces.update(event.shown)
            elif isinstance(event, Opened):
                faces.update(event.faces)
    return faces


def _seat(text: str | None, players: int) -> Seat | None:
    if text is None:
        return None
    try:
        return read_seat(text, players)
    except NotAMove as error:
        raise UsageError(_("there is no seat {seat} in this match").format(seat=text)) from error


def _step(pages: list[Page]) -> None:
    """Go back and forth by single keys and Enter."""
    place = 0
    while True:
        print("\n".join(pages[place].lines))
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
