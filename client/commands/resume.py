"""`sobremesa resume`: return to a match after a crash or a closed window, with the same hand."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.seat import add_seat_arguments
from client.i18n.translation import _
from client.session.resuming import resume_match
from client.session.status import UsageError
from client.storage.home import Home
from client.storage.resume_record import ResumeRecord, look_through
from client.ui.choose import open_context, run_session
from client.ui.plain.printing import complain

EXAMPLE = "sobremesa resume"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `resume`."""
    about = _(
        "the beginning of a match's id, which is the name of its log file (default: the newest "
        "unfinished match)"
    )
    parser.add_argument("match", metavar=_("MATCH"), nargs="?", help=about)
    add_seat_arguments(parser, nick=False)


def run(args: Namespace) -> int:
    """Play until the match is over."""
    context = open_context(args)
    with context.home.locked():
        resume_record = pick(context.home, args.match)
        return run_session(
            args,
            context,
            lambda player: resume_match(
                context, player, resume_record, auto=args.auto, at_once=args.at_once
            ),
        )


def pick(home: Home, name: str | None) -> ResumeRecord:
    """Return the match to resume: the newest one, or the one with this name.

    UsageError if there is none, or not just one with the name; StoreError if it may be a damaged
    one. Without a name, complain about each damaged record and skip it.
    """
    waiting, damaged = look_through(home)
    meant = [
        resume_record
        for resume_record in waiting
        if name is None or resume_record.name.startswith(name)
    ]
    if damaged and not meant:
        raise damaged[0]
    if not waiting:
        raise UsageError(_("there is no unfinished match to resume"))
    if name is None:
        for error in damaged:
            complain(error)
        return waiting[0]
    if len(meant) != 1:
        names = ", ".join(resume_record.name for resume_record in waiting)
        raise UsageError(
            _("{match!r} is not the beginning of one unfinished match; there is {known}").format(
                match=name, known=names
            )
        )
    return meant[0]
