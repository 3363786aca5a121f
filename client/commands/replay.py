"""`sobremesa replay`: step through a played match, as all saw it or as one seat did."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from client.commands.common import log_help, log_named, read_file, screen_columns
from client.i18n.translation import _, listed, outside
from client.session.analysis import Analysis, NoAnalysisError, Progress, analyse
from client.session.status import Status, UsageError
from client.storage.home import StoreError, home_path
from client.storage.regular import LOG_BYTES
from client.ui.analysis import progress_line, refusal, told
from client.ui.interactive import interactive
from client.ui.model import Names, shown_nicks
from client.ui.plain.printing import ProgressLine, complain, say
from client.ui.plain.verdicts import bad_log
from client.ui.replay import NONE, Shares, numbered_steps, own_shares, steps
from client.ui.wrap import wrapped
from engine.core.moves import NotAMove, Seat
from engine.core.notation import read_seat
from p2p.net.names import clean_name
from p2p.table.replay import BadLog, read_form

EXAMPLE = "sobremesa replay match.sobremesa --seat p2"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `replay`."""
    parser.add_argument("log", metavar=_("LOG"), help=log_help())
    about = _(
        "show the match as this seat (p1, p2, … or a nick) saw it: your own seat with all its "
        "cards, another as far as its cards later became public"
    )
    parser.add_argument("--seat", metavar=_("SEAT"), help=about)
    about = _(
        "compare the choices of the seat named by --seat with those of the strongest computer "
        "player, and name the costliest moments"
    )
    parser.add_argument("--analysis", action="store_true", help=about)
    parser.add_argument(
        "--browser",
        action="store_true",
        help=_("show the match as a page in the browser, and remove the page afterwards"),
    )
    parser.add_argument(
        "--no-open",
        action="store_true",
        help=_("with --browser: name the file of the page, but open no window"),
    )


def run(args: Namespace) -> int:
    """Show the match, step by step on a terminal, otherwise all at once."""
    path = log_named(args.log)
    data = read_file(path, LOG_BYTES)
    try:
        if args.analysis and args.seat is None:
            raise UsageError(_("an analysis is of one seat: name it with --seat"))
        if args.browser:
            return _show(data, args.seat, analysed=args.analysis, opens=not args.no_open)
        if args.analysis:
            return _analyse(data, args.seat)
        log = Path(path) if path != "-" else None
        pages = read_pages(data, args.seat, log, shares_of(data, args.seat))
    except BadLog as error:
        raise bad_log(path, error) from error
    if interactive():
        _step(pages)
    else:
        for page in pages:
            say(*page)
    return Status.OK


def read_pages(
    data: bytes, seat_text: str | None, log: Path | None = None, shares: Shares = NONE
) -> list[tuple[str, ...]]:
    """Verify and replay a log; return a page for each step that shows anything.

    `log` is its file, if it has one, and `shares` are kept shares of the seat. BadLog; UsageError
    for an unknown seat.
    """
    seat = read_own_seat(data, seat_text)
    return [shown for _model, shown in steps(data, seat, screen_columns(), log, shares)]


def shares_of(data: bytes, seat_text: str | None) -> Shares:
    """Return the shares in our home of our cards in a log's match; complain if unreadable.

    There are none if no seat's view was asked for. Raises BadLog.
    """
    if seat_text is None:
        return NONE
    try:
        home = home_path()
    except StoreError:  # without a home there are no shares
        return NONE
    shares, wrong = own_shares(read_form(data).terms.match, home)
    if wrong:
        complain(wrong)
    return shares


def read_own_seat(data: bytes, text: str | None) -> Seat | None:
    """Return the seat whose view was asked for; None for that of all.

    BadLog; UsageError for an unknown seat.
    """
    places = read_form(data).terms.participants
    return None if text is None else seat_named(text, [clean_name(place.nick) for place in places])


def seat_named(text: str, nicks: Sequence[str]) -> Seat:
    """Return the seat with this name, `p1` or a nick. UsageError unless there is exactly one.

    The notation goes first: otherwise a player called `p1` would show its view as another's. An
    exact nick goes before one that differs in case, and that before one that begins so.
    """
    with suppress(NotAMove):
        return read_seat(text, len(nicks))
    folded, few = [nick.casefold() for nick in nicks], text.casefold()
    for like in (
        [nick == text for nick in nicks],
        [nick == few for nick in folded],
        [bool(few) and nick.startswith(few) for nick in folded],
    ):
        if any(like):
            if like.count(True) == 1:
                return like.index(True)
            break
    seats = listed([f"p{seat} ({nick})" for seat, nick in enumerate(nicks, 1)])
    wrong = _("there is no seat {seat} in this match; there is {seats}")
    raise UsageError(wrong.format(seat=outside(text), seats=seats))


def analysed(data: bytes, seat: Seat, shares: Shares = NONE) -> Analysis:
    """Return the analysis of a seat, with progress on a terminal.

    `shares` are kept shares of the seat. BadLog; UsageError if it cannot be analysed.
    """
    with progress_shown() as progress:
        return analyse(data, seat, progress, shares=shares)


@contextmanager
def progress_shown() -> Iterator[Progress]:
    """Give a function that shows an analysis's progress; NoAnalysisError becomes UsageError."""
    line = ProgressLine()
    try:
        yield lambda done, whole: line.show(progress_line(done, whole))
    except NoAnalysisError as error:
        raise UsageError(refusal(error)) from error
    finally:
        line.clear()


def _analyse(data: bytes, seat_text: str) -> Status:
    """Print the analysis. Steps are counted as in `replay` without it."""
    seat = read_own_seat(data, seat_text)
    assert seat is not None
    shares = shares_of(data, seat_text)
    found = analysed(data, seat, shares)
    records = (
        [record for record, _step in numbered_steps(data, seat, screen_columns(), shares=shares)]
        if found.costliest
        else []
    )
    names = Names(
        tuple(shown_nicks([place.nick for place in read_form(data).terms.participants])), None
    )
    say(*(part for line in told(found, records, names) for part in wrapped(line, screen_columns())))
    return Status.OK


def _show(data: bytes, seat_text: str | None, *, analysed: bool, opens: bool) -> Status:
    """Make the page, open it, and remove it when our player has finished.

    Raises BadLog or UsageError.
    """
    from client.ui.replay_page.page import make_page  # noqa: PLC0415 - loads all drawings, which a terminal need not
    from client.ui.replay_page.window import show_page  # noqa: PLC0415 - loads all drawings, which a terminal need not

    seat, shares = read_own_seat(data, seat_text), shares_of(data, seat_text)
    with progress_shown() as progress:
        page = make_page(data, seat, analysed=analysed, progress=progress, shares=shares)
    show_page(page, opens=opens)
    return Status.OK


def _step(pages: list[tuple[str, ...]]) -> None:
    """Step back and forth by single letters and Enter."""
    place = 0
    while True:
        say(*pages[place])
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
