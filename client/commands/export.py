"""Share a match that has been played: as an open-deck scenario, or as JSON for other programs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from client.commands.common import read_file
from client.i18n.translation import _, ngettext, outside
from client.session.status import Status, UsageError
from client.storage.transcript import Transcript, as_json, as_scenario, read_transcript
from client.ui.plain.printing import complain, say
from client.ui.plain.verdicts import bad_log
from p2p.net.names import clean_name
from p2p.table.replay import BadLog

EXAMPLE = "sobremesa export match.sobremesa --to scenario -o match.toml"
LIMIT_BYTES = 64 * 1024 * 1024


def add_arguments(parser: ArgumentParser) -> None:
    """Let a parser take what `export` takes."""
    parser.add_argument("log", metavar=_("LOG"), help=_("the log of a match"))
    parser.add_argument("--to", choices=("scenario", "json"), required=True, help=_("the format to write"))
    parser.add_argument("-o", "--output", metavar=_("FILE"), type=Path, help=_("write to this file (default: standard output)"))


def run(args: Namespace) -> int:
    """Verify the log and write it in its other form."""
    data = read_file(args.log, LIMIT_BYTES)
    try:
        transcript = read_transcript(data)
    except BadLog as error:
        raise bad_log(args.log, error) from error
    short = _("the log ends without all seals, and the export ends there too")
    if not transcript.table.sealed:
        complain(f"sobremesa: {outside(args.log)}: {short}")
    text = as_json(transcript) if args.to == "json" else as_scenario(transcript, *_comments(transcript))
    if args.output is None:
        say(text, end="")
        return Status.OK
    try:
        args.output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(_("{file} cannot be written: {why}").format(file=outside(args.output), why=error.strerror)) from error
    return Status.OK


def _comments(transcript: Transcript) -> list[str]:
    """Name the source of a scenario, and its unknown parts."""
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
        found.append(_("The log ends here, without the seals of all."))
    return found
