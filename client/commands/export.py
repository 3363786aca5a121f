"""Share a played match as a page, an open-deck scenario, or JSON for other programs."""

from __future__ import annotations

import os
import stat
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

from client.commands.common import log_help, log_named, read_file
from client.commands.replay import analysed, read_own_seat, shares_of
from client.i18n.translation import _, ngettext, outside
from client.session.status import Status, UsageError
from client.storage.hardening import is_theirs, own_way
from client.storage.home import StoreError, replace_file
from client.storage.transcript import Transcript, as_json, as_scenario, read_transcript
from client.ui.plain.printing import complain, pour, say
from client.ui.plain.verdicts import bad_log
from engine.core.moves import Seat
from p2p.net.names import clean_name
from p2p.table.replay import BadLog

EXAMPLE = "sobremesa export match.sobremesa --to html -o match.html"
LIMIT_BYTES = 64 * 1024 * 1024


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `export`."""
    parser.add_argument("log", metavar=_("LOG"), help=log_help())
    about = _("the format to write: a page that works offline, a scenario, or JSON")
    parser.add_argument("--to", choices=("html", "scenario", "json"), required=True, help=about)
    parser.add_argument(
        "-o",
        "--output",
        metavar=_("FILE"),
        type=Path,
        help=_("write to this file (default: standard output)"),
    )
    shown = _(
        "with --to html: show the match as this seat (p1, p2, … or a nick) saw it: your own seat "
        "with all its cards, another as far as its cards later became public"
    )
    parser.add_argument("--seat", metavar=_("SEAT"), help=shown)
    about = _(
        "with --to html: compare the choices of the seat named by --seat with the strongest "
        "computer player's, with links to the costliest moments"
    )
    parser.add_argument("--analysis", action="store_true", help=about)
    anyway = _(
        "with --to html: make a page even if the log does not verify; it shows the match up to the "
        "error, and says so in red"
    )
    parser.add_argument("--anyway", action="store_true", help=anyway)


def run(args: Namespace) -> int:
    """Verify the log and write it in another format."""
    _require_sense(args)
    path = log_named(args.log)
    data = read_file(path, LIMIT_BYTES)
    try:
        text = _page(args, data) if args.to == "html" else _told(args.to, path, data)
    except BadLog as error:
        raise bad_log(path, error) from error
    if args.output is None:
        if args.to == "html":
            pour(text.encode())
        else:
            say(text, end="")
        return Status.OK
    _write(args.output, text.encode(), path, 0o600 if args.seat is not None else 0o644)
    return Status.OK


def _write(output: Path, data: bytes, log: str, mode: int) -> None:
    """Write a file atomically, but never in place of the log. Raises UsageError.

    A page of a seat may show our own cards, so no other user of this machine may read it. Pipes and
    devices are written directly. A link, pipe or device of another user is refused: it may lead to
    a file of ours.
    """
    try:
        place = own_way(output)
        if place is None:
            raise _theirs(output)
        if output.exists():
            if log != "-" and output.samefile(log):
                sentence = _("{file} is the log itself: name another file")
                raise UsageError(sentence.format(file=outside(output)))
            if not output.is_file():
                _write_into(output, data)
                return
        replace_file(place, data, mode)
    except StoreError as error:
        raise UsageError(outside(error)) from error
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(
            _("{file} cannot be written: {why}").format(file=outside(output), why=why)
        ) from error


def _write_into(output: Path, data: bytes) -> None:
    """Write to a pipe or a device. OSError; UsageError if another user has just replaced it."""
    wanted = os.O_WRONLY | getattr(os, "O_BINARY", 0)  # this does not truncate a file of ours
    with os.fdopen(os.open(output, wanted), "wb") as file:
        found = os.fstat(file.fileno())
        if stat.S_ISREG(found.st_mode) or (stat.S_ISFIFO(found.st_mode) and is_theirs(found)):
            raise _theirs(output)
        file.write(data)


def _theirs(output: Path) -> UsageError:
    sentence = _("{file} belongs to another user of this machine: name another file")
    return UsageError(sentence.format(file=outside(output)))


def _require_sense(args: Namespace) -> None:
    """Reject options that do not fit the format. Raises UsageError."""
    of_page = {"--seat": args.seat, "--anyway": args.anyway, "--analysis": args.analysis}
    for option, value in of_page.items():
        if value and args.to != "html":
            raise UsageError(
                _("{option} does not work with --to {format}").format(option=option, format=args.to)
            )
    if args.analysis and args.seat is None:
        raise UsageError(_("an analysis is of one seat: name it with --seat"))
    if args.analysis and args.anyway:
        raise UsageError(
            _("only a log that verifies is analysed: --analysis and --anyway exclude each other")
        )
    if args.to == "html" and args.output is None and sys.stdout.isatty():
        raise UsageError(_("this format is not for a terminal: name a file with -o FILE"))


def _page(args: Namespace, data: bytes) -> str:
    """Return the page. Raises BadLog or UsageError."""
    from client.ui.replay_page.match import read_match  # noqa: PLC0415 - loads all drawings, which the other formats need not
    from client.ui.replay_page.page import page_of  # noqa: PLC0415 - loads all drawings, which the other formats need not

    seat: Seat | None = read_own_seat(data, args.seat)
    shares = shares_of(data, args.seat)
    match = read_match(data, seat, anyway=args.anyway, shares=shares)
    if match.shares:
        line = _("it shows cards of yours that never became public; without --seat it does not")
        complain(line)
    if args.analysis and seat is not None:
        match = replace(match, analysis=analysed(data, seat, shares))
    return page_of(match, data).decode()


def _told(form: str, path: str, data: bytes) -> str:
    """Return the scenario, or the JSON, of a log; `path` is for a warning. Raises BadLog."""
    transcript = read_transcript(data)
    short = _("the log ends before all have signed the end, and the export ends there too")
    if not transcript.table.sealed:
        complain(f"{outside(path)}: {short}")
    return (
        as_json(transcript) if form == "json" else as_scenario(transcript, *_comments(transcript))
    )


def _comments(transcript: Transcript) -> list[str]:
    """Return comments with the source of a scenario, and its unknown parts."""
    terms = transcript.table.terms
    nicks = ", ".join(clean_name(place.nick) for place in terms.participants)
    found = [_("Match {id}, played by {nicks}").format(id=terms.match.hex()[:16], nicks=nicks)]
    if transcript.unseen:
        line = ngettext(
            "{count} card never became public: it stands where it may have lain.",
            "{count} cards never became public: they stand where they may have lain.",
            transcript.unseen,
        )
        found.append(line.format(count=transcript.unseen))
    if not transcript.table.sealed:
        found.append(_("The log ends here: not all have signed the end."))
    return found
