"""`sobremesa verify`: check logs without any keys; print players, result, gaps and faults.

This works on any machine.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from client.commands.common import log_named, read_file, screen_columns
from client.i18n.sentences import english, said
from client.i18n.translation import _, later, listed, outside
from client.session.status import Status, UsageError
from client.storage.broken_off import broken_off
from client.storage.departure import DEPARTURE, BadDeparture, left_after
from client.storage.home import StoreError, home_path, open_home
from client.storage.match_log import match_logs
from client.storage.regular import LOG_BYTES
from client.storage.version import version
from client.ui.model import Names, shown_nicks
from client.ui.plain.color import GREEN, RED, YELLOW, colorful, painted
from client.ui.plain.printing import ProgressLine, complain, say
from client.ui.plain.verdicts import compared, convicted, game_of, open_ends, proven
from client.ui.seats import broken_off_line
from client.ui.wrap import wrapped
from crypto.errors import CryptoError
from crypto.identity import fingerprint
from engine.core.moves import Seat
from p2p.table.compare import compare_logs
from p2p.table.events import Event
from p2p.table.faults import BadSignature
from p2p.table.replay import BadLog, Departure, Missing, OtherLog, Verdict, add_leaves, verify_log
from p2p.table.seen import SeenFaces
from p2p.table.table import Table

EXAMPLE = "sobremesa verify MATCH.sobremesa"
COLOURS = {Status.OK: GREEN, Status.INCOMPLETE: YELLOW}
PAGE_BEGINS = b"<"
"""The first byte of a replay page. A log begins with a length, so with a zero byte."""
PAGE_NAMES = (".html", ".htm", ".shtml", ".shtm")
"""A browser shows any file with such a name as a page. A valid log can be one too: a nick may
contain markup, and so may the end of the file."""
STATUSES: dict[Status, str] = {
    Status.OK: later("good and complete"),
    Status.INCOMPLETE: later("good, but not complete, or resting on votes"),
    Status.VERSION: later("not checked: of another version"),
    Status.USAGE: later("wrong usage, or a file that cannot be read"),
    Status.BAD_LOG: later("not good"),
}
"""The statuses of logs, the worst last; the command returns that of the worst log."""
_SEVERITY = tuple(STATUSES)
MISSING: dict[Missing, str] = {
    "": "",
    "convicts": "it only convicts",
    "torn": "the last record is incomplete",
    "seals": "the match is over, but not all have signed its end",
    "end": "the match is not over",
    "beginning": "the match has not begun",
}
"""The reasons in JSON why a log is incomplete."""
PROGRESS_S = 0.7
"""Seconds before progress is shown, and between two updates."""


@dataclass(frozen=True)
class PageReport:
    """The findings about a replay page whose log verifies."""

    made_by: str
    """The version that made it."""
    seat: Seat | None
    shows: bool | None
    """Whether it shows its log; None if another version made it, so that this one cannot say."""


@dataclass
class Report:
    """The findings about one file."""

    file: str
    status: Status
    error: str = ""
    said: str = ""
    """The same in the reader's language."""
    damaged: bool = False
    """Whether a signature is invalid, which is no error of a player."""
    verdict: Verdict | None = field(default=None, repr=False)
    data: bytes = field(default=b"", repr=False)
    """The log."""
    page: PageReport | None = None
    """The findings about the page, if the log is inside one."""
    departure: BadDeparture | None = None
    """Why the departure beside the log is invalid."""

    def as_json(self) -> dict[str, Any]:
        """Return the object that `--json` prints."""
        found: dict[str, Any] = {
            "file": self.file,
            "status": self.status,
            "ok": self.status is Status.OK,
            "complete": False,
        }
        if self.page is not None:
            found["page"] = {
                "made_by": self.page.made_by,
                "seat": self.page.seat,
                "shows_its_log": self.page.shows,
            }
        if self.verdict is None:
            return {**found, "error": self.error}
        table = self.verdict.table
        terms, game = table.terms, table.run.game
        seats = list(enumerate(terms.participants))
        found |= {
            "complete": self.verdict.complete,
            "game": terms.game,
            "match": terms.match.hex(),
            "players": [
                {
                    "seat": seat,
                    "nick": place.nick,
                    "id": fingerprint(place.id),
                    "kind": place.kind,
                    "program": fingerprint(place.program),
                }
                for seat, place in seats
            ],
            "options": dict(terms.options),
            "winners": list(game.winners),
            "score": list(game.score),
            "checked": dict(self.verdict.checked),
            "gone": [
                *(_departure(one) for one in self.verdict.gone),
                *({"seat": seat, "how": "left", "step": None} for seat in self.verdict.left),
            ],
            "faults": [
                {"seat": fault.seat, "kind": fault.id, "why": fault.why}
                for fault in self.verdict.faults
            ],
        }
        if self.verdict.complete:
            return found
        if self.departure is not None:
            found["departure"] = {
                "file": str(_beside(self.file)),
                "error": english(self.departure),
            }
        return found | {
            "missing": MISSING[self.verdict.missing],
            "waiting": list(self.verdict.waiting),
        }


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `verify`."""
    about = _(
        "the log of a match: a file, a replay page with a log inside, or an id that `sobremesa "
        "history` shows (default: your newest log; -: standard input); give two logs of one match "
        "to compare them"
    )
    parser.add_argument("logs", metavar=_("LOG"), nargs="*", help=about)
    parser.add_argument("--json", action="store_true", help=_("print a line of JSON for each log"))
    lines = [f"{status:d}  {_(text)}" for status, text in sorted(STATUSES.items())]
    parser.add_argument_group(_("Exit status"), "\n".join(lines))


def _departure(one: Departure) -> dict[str, Any]:
    found: dict[str, Any] = {"seat": one.seat, "how": one.how, "step": one.record}
    return found | (
        {"voters": list(one.voters), "electorate": one.electorate} if one.how == "voted" else {}
    )


def _last_log() -> str:
    """Return the newest log on this machine. UsageError if there is none."""
    logs = [path for path in match_logs(home_path() / "logs") if path.is_file()]
    if not logs:
        raise UsageError(_("no match has been played here yet: name a log"))
    return str(logs[0])


def run(args: Namespace) -> int:
    """Check each log; if there are two, compare them."""
    worst, on = Status.OK, colorful(args.color, sys.stdout)
    reports = []
    for number, name in enumerate(args.logs or [_last_log()]):
        report = check(name)
        reports.append(report)
        worst = max(worst, report.status, key=_SEVERITY.index)
        if args.json:
            say(json.dumps(report.as_json()), flush=True)
        elif report.status is Status.USAGE:
            complain(report.error)
        else:
            found = [part for line in _lines(report) for part in wrapped(line, screen_columns())]
            found[0] = painted(found[0], COLOURS.get(report.status, RED), on=on)
            say(*[""] * bool(number), *found, colored=on, flush=True)
    if len(reports) == 2:
        worst = max(worst, _compare(reports[0], reports[1], as_json=args.json), key=_SEVERITY.index)
    return worst


def _compare(one: Report, other: Report, *, as_json: bool) -> Status:
    """Print where two valid logs of one match differ.

    They cannot both be the match, so that is as bad as an invalid log.
    """
    if one.verdict is None or other.verdict is None:
        return Status.OK
    found = compare_logs(one.data, other.data)
    if as_json:
        facts = (
            {
                "differ": found.differ,
                "shared": found.shared,
                "twice": list(found.twice),
                "both": list(found.both),
            }
            if found
            else {}
        )
        say(
            json.dumps(
                {"compared": [one.file, other.file], "one_match": found is not None, **facts}
            ),
            flush=True,
        )
    else:
        say(
            "",
            *(
                part
                for line in compared((one.file, other.file), found)
                for part in wrapped(line, screen_columns())
            ),
            flush=True,
        )
    return Status.BAD_LOG if found is not None and found.differ else Status.OK


def check(name: str) -> Report:
    """Check a log or a replay page, by its file or the match's id; errors are in the report."""
    try:
        name = log_named(name)
        data = read_file(name, LOG_BYTES)
    except UsageError as error:
        return Report(name, Status.USAGE, str(error), str(error))
    if data.startswith(PAGE_BEGINS):
        return _check_page(name, data)
    if Path(name).suffix.lower() in PAGE_NAMES:
        why = BadLog("named-as-page")
        return Report(name, Status.BAD_LOG, english(why), said(why))
    report = _check_log(name, data)
    return report if name == "-" else _with_departure(report)


def _with_departure(report: Report) -> Report:
    """Add the leaves in the file beside a log that ends before them."""
    if report.verdict is None:
        return report
    try:
        add_leaves(report.verdict, partial(left_after, Path(report.file)))
    except BadDeparture as error:
        return replace(report, status=Status.BAD_LOG, departure=error)
    return report


def _beside(file: str) -> Path:
    return Path(file).with_suffix(DEPARTURE)


def _check_page(name: str, data: bytes) -> Report:
    """Check the log inside a page, then whether the page shows it."""
    from client.ui.replay_page.page import NoPage, read_page, shows_its_log  # noqa: PLC0415 - loads all drawings

    try:
        page = read_page(data)
    except NoPage as error:
        return Report(name, Status.BAD_LOG, english(error), said(error))
    seen = SeenFaces(page.seat, page.shares)
    report = _check_log(name, page.log, seen.take)
    if report.verdict is None:
        return report
    if seen.unfit:
        why = NoPage("unfit-share")
        return Report(name, Status.BAD_LOG, english(why), said(why))
    shows = shows_its_log(page) if page.made_by == version() else None
    status = {True: report.status, False: Status.BAD_LOG, None: Status.VERSION}[shows]
    return replace(report, status=status, page=PageReport(page.made_by, page.seat, shows))


def _check_log(
    name: str, data: bytes, watch: Callable[[Table, list[Event]], None] | None = None
) -> Report:
    with_progress = _Progress(name)
    try:
        verdict = verify_log(data, progress=with_progress, watch=watch)
    except OtherLog as error:
        return Report(name, Status.VERSION, english(error), said(error))
    except BadLog as error:
        return Report(
            name,
            Status.BAD_LOG,
            english(error),
            said(error),
            damaged=isinstance(error.__cause__, (BadSignature, CryptoError)),
        )
    finally:
        with_progress.clear()
    return Report(
        name, Status.OK if verdict.complete else Status.INCOMPLETE, verdict=verdict, data=data
    )


class _Progress:
    """Shows progress on a terminal if a log takes long."""

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._name, self._clock = name, clock
        self._next = clock() + PROGRESS_S
        self._line = ProgressLine()

    def __call__(self, done: int, all_: int) -> None:
        if self._clock() >= self._next:
            self._next = self._clock() + PROGRESS_S
            self._line.show(
                _("{file}: {percent} %").format(
                    file=outside(self._name), percent=100 * done // all_
                )
            )

    def clear(self) -> None:
        """Remove the line."""
        self._line.clear()


def _lines(report: Report) -> list[str]:
    file = outside(report.file)
    if report.page is not None:
        return _page_lines(report)
    if report.status is Status.VERSION:
        return [_("{file}: NOT CHECKED: {why}").format(file=file, why=outside(report.said))]
    if report.verdict is None:
        found = [_("{file}: NOT GOOD").format(file=file), "  " + outside(report.said)]
        damaged = _(
            "Somebody changed the file, or it was damaged, after it was written. This is no "
            "evidence against any player."
        )
        return [*found, "  " + damaged] if report.damaged else found
    guilty = convicted(report.verdict)
    if report.verdict.complete and guilty:
        head = _("{file}: good and complete; convicted: {who}")
    elif report.verdict.complete:
        head = _("{file}: good and complete")
    elif report.verdict.convicts:
        head = _("{file}: a valid verdict; it is not the log of a whole match")
    else:
        head = _("{file}: good as far as it goes, NOT COMPLETE")
    found = [head.format(file=file, who=listed(guilty))]
    if report.departure is not None:
        bad = _(
            "The file beside the log, {file}, is NOT GOOD, and says nothing about the match: {why}."
        )
        beside, why = outside(_beside(report.file)), said(report.departure)
        found.append("  " + bad.format(file=beside, why=why))
    said_of = (*_of_match(report.verdict), *_broken_off(report.verdict))
    return [*found, *("  " + line for line in said_of)]


def _of_match(verdict: Verdict) -> list[str]:
    return [*open_ends(verdict), game_of(verdict), *proven(verdict)]


def _broken_off(verdict: Verdict) -> list[str]:
    """Return a line for each player who, by our own logs, broke off matches with us."""
    try:
        if not (home_path() / "journals").is_dir():
            return []
        counts = broken_off(open_home(), int(time.time()))
    except StoreError:  # without a home there are no logs of ours
        return []
    places = verdict.table.terms.participants
    names = Names(tuple(shown_nicks([place.nick for place in places])))
    lines = [
        broken_off_line(names[seat], counts.get(place.id, 0)) for seat, place in enumerate(places)
    ]
    return [line for line in lines if line]


def _page_lines(report: Report) -> list[str]:
    """Return first whether the page shows its log, then the findings about the log."""
    page, verdict, file = report.page, report.verdict, outside(report.file)
    assert page is not None, "of a page"
    assert verdict is not None, "of a page whose log verifies"
    seen = (
        _("as all saw it")
        if page.seat is None
        else _("as p{number} saw it").format(number=page.seat + 1)
    )
    if page.shows is None:
        head = _(
            "{file}: the page is NOT CHECKED: Sobremesa {made_by} made it, and this is {version}"
        )
        first = head.format(file=file, made_by=outside(page.made_by), version=version())
    elif page.shows:
        head = (
            _("{file}: the page shows the match of its log, {seen}")
            if verdict.complete
            else _("{file}: the page shows the match of its log, {seen}; the match is NOT COMPLETE")
        )
        first = head.format(file=file, seen=seen)
    else:
        head = _(
            "{file}: this page is NOT THE ONE that this build makes of its log: it was changed, or "
            "another build of Sobremesa made it"
        )
        first = head.format(file=file)
    good = _("The log inside is good:")
    return [first, "  " + good, *("  " + line for line in _of_match(verdict))]
