"""`sobremesa verify`: check logs on any machine, without any keys, and print players, result, gaps and faults."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from client.commands.common import read_file, screen_columns
from client.i18n.sentences import FAULTS, GONE, english, said
from client.i18n.translation import _, listed, ngettext, outside
from client.session.status import Status, UsageError
from client.storage.home import home_path
from client.storage.match_log import match_logs
from client.ui.games import shown_options, words_of
from client.ui.model import Names, shown_nicks
from client.ui.plain.color import GREEN, RED, YELLOW, colorful, painted
from client.ui.plain.printing import ProgressLine, complain, say
from client.ui.plain.verdicts import compared, open_ends
from client.ui.wrap import wrapped
from crypto.errors import CryptoError
from crypto.identity import fingerprint
from p2p.table.compare import compare_logs
from p2p.table.faults import BadSignature
from p2p.table.replay import BadLog, Departure, OtherLog, Verdict, verify_log

EXAMPLE = "sobremesa verify MATCH.sobremesa"
LIMIT_BYTES = 64 * 1024 * 1024
"""Bytes of a log; a match of Escoba has about one million."""
COLOURS = {Status.OK: GREEN, Status.INCOMPLETE: YELLOW}
PROGRESS_S = 0.7
"""Seconds before progress is shown, and between two showings of it."""


@dataclass
class Report:
    """The findings about one file."""

    file: str
    status: Status
    error: str = ""
    said: str = ""
    """The same in the reader's language."""
    damaged: bool = False
    """Whether a signature does not fit what stands there: no error of a player."""
    verdict: Verdict | None = field(default=None, repr=False)
    data: bytes = field(default=b"", repr=False)
    """The content of the file."""

    def as_json(self) -> dict[str, Any]:
        """Return the object that `--json` prints."""
        found: dict[str, Any] = {"file": self.file, "status": self.status, "ok": self.status is Status.OK, "complete": False}
        if self.verdict is None:
            return {**found, "error": self.error}
        table = self.verdict.table
        terms, game = table.terms, table.run.game
        seats = list(enumerate(terms.participants))
        found |= {
            "complete": self.verdict.complete,
            "game": terms.game,
            "match": terms.match.hex(),
            "players": [{"seat": seat, "nick": place.nick, "id": fingerprint(place.id)} for seat, place in seats],
            "options": dict(terms.options),
            "winners": list(game.winners),
            "score": list(game.score),
            "checked": dict(self.verdict.checked),
            "gone": [_departure(one) for one in self.verdict.gone],
            "faults": [{"seat": fault.seat, "kind": fault.id, "why": fault.why} for fault in self.verdict.faults],
        }
        if self.verdict.complete:
            return found
        return found | {"missing": self.verdict.missing, "waiting": list(self.verdict.waiting)}


def add_arguments(parser: ArgumentParser) -> None:
    """Take the logs."""
    about = _("the log of a match (default: your last one); - is standard input; two logs of the same match are compared")
    parser.add_argument("logs", metavar=_("LOG"), nargs="*", help=about)
    parser.add_argument("--json", action="store_true", help=_("print one JSON object a line for each log"))


def _departure(one: Departure) -> dict[str, Any]:
    found: dict[str, Any] = {"seat": one.seat, "how": one.how, "step": one.record}
    return found | ({"voters": list(one.voters), "electorate": one.electorate} if one.how == "voted" else {})


def _last_log() -> str:
    """Return the log on this machine that was written last. UsageError if there is none."""
    logs = match_logs(home_path() / "logs")
    if not logs:
        raise UsageError(_("no match has been played here yet: name a log"))
    return str(logs[0])


SEVERITY = (Status.OK, Status.INCOMPLETE, Status.VERSION, Status.USAGE, Status.BAD_LOG)
"""The statuses of logs, the worst last: that of the worst log is the command's."""


def run(args: Namespace) -> int:
    """Check each log, and compare two if two are named."""
    worst, on = Status.OK, colorful(args.color, sys.stdout)
    reports = []
    for number, name in enumerate(args.logs or [_last_log()]):
        report = check(name)
        reports.append(report)
        worst = max(worst, report.status, key=SEVERITY.index)
        if args.json:
            say(json.dumps(report.as_json()), flush=True)
        elif report.status is Status.USAGE:
            complain(f"sobremesa: {report.error}")
        else:
            found = [part for line in _lines(report) for part in wrapped(line, screen_columns())]
            found[0] = painted(found[0], COLOURS.get(report.status, RED), on=on)
            say(*[""] * bool(number), *found, colored=on, flush=True)
    if len(reports) == 2:
        worst = max(worst, _compare(reports[0], reports[1], as_json=args.json), key=SEVERITY.index)
    return worst


def _compare(one: Report, other: Report, *, as_json: bool) -> Status:
    """Say where two good logs of one match part. They cannot both be the match: that is as bad as a log that is not good."""
    if one.verdict is None or other.verdict is None:
        return Status.OK
    found = compare_logs(one.data, other.data)
    if as_json:
        facts = (
            {"differ": found.differ, "shared": found.shared, "twice": list(found.twice), "both": list(found.both)}
            if found
            else {}
        )
        say(json.dumps({"compared": [one.file, other.file], "one_match": found is not None, **facts}), flush=True)
    else:
        say(
            "",
            *(part for line in compared((one.file, other.file), found) for part in wrapped(line, screen_columns())),
            flush=True,
        )
    return Status.BAD_LOG if found is not None and found.differ else Status.OK


def check(name: str) -> Report:
    """Check one file; nothing that is in it, or not in it, raises."""
    try:
        data = read_file(name, LIMIT_BYTES)
    except UsageError as error:
        return Report(name, Status.USAGE, str(error), str(error))
    with_progress = _Progress(name)
    try:
        verdict = verify_log(data, progress=with_progress)
    except OtherLog as error:
        return Report(name, Status.VERSION, english(error), said(error))
    except BadLog as error:
        return Report(
            name, Status.BAD_LOG, english(error), said(error), damaged=isinstance(error.__cause__, (BadSignature, CryptoError))
        )
    finally:
        with_progress.clear()
    return Report(name, Status.OK if verdict.complete else Status.INCOMPLETE, verdict=verdict, data=data)


class _Progress:
    """Says on a terminal how far we are, when it takes long."""

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._name, self._clock = name, clock
        self._next = clock() + PROGRESS_S
        self._line = ProgressLine()

    def __call__(self, done: int, all_: int) -> None:
        if self._clock() >= self._next:
            self._next = self._clock() + PROGRESS_S
            self._line.show(_("{file}: {percent} %").format(file=outside(self._name), percent=100 * done // all_))

    def clear(self) -> None:
        """Take the line away again."""
        self._line.clear()


def _lines(report: Report) -> list[str]:
    file = outside(report.file)
    if report.status is Status.VERSION:
        return [_("{file}: NOT CHECKED: {why}").format(file=file, why=outside(report.said))]
    if report.verdict is None:
        found = [_("{file}: NOT GOOD").format(file=file), "  " + outside(report.said)]
        damaged = _("The file was damaged, or changed by somebody, after it was written. That accuses no player.")
        return [*found, "  " + damaged] if report.damaged else found
    if report.verdict.complete:
        head = _("{file}: good and complete")
    elif report.verdict.sentence_only:
        head = _("{file}: a verdict, and it holds; it is no log of the whole match")
    else:
        head = _("{file}: good as far as it goes, NOT COMPLETE")
    return [head.format(file=file), *("  " + line for line in (*open_ends(report.verdict), *_verdict(report.verdict)))]


def _verdict(verdict: Verdict) -> list[str]:
    """Say what a log proves."""
    table = verdict.table
    terms, game = table.terms, table.run.game
    nicks = shown_nicks([place.nick for place in terms.participants])
    names, words = Names(tuple(nicks)), words_of(terms.game)
    options = shown_options(terms.game, terms.options)
    found = [
        _("game: {game} ({options})").format(game=_(words.title) if words.title else terms.game, options=options),
        _("match: {id}").format(id=terms.match.hex()),
    ]
    for seat, place in enumerate(terms.participants):
        found.append(_("p{number}: {nick}, {id}").format(number=seat + 1, nick=nicks[seat], id=fingerprint(place.id)))
    found += [names.say(one.seat, *GONE[one.how]) for one in verdict.gone if one.how != "voted"]
    found += [_(FAULTS[fault.id]).format(who=names[fault.seat]) for fault in verdict.faults]
    score = words.scores(names, game, tuple(game.score))
    found.append(_("score: {score}; deals: {deals}").format(score=score, deals=game.round))
    if game.winners:
        winners = listed([nicks[seat] for seat in game.winners])
        found.append(ngettext("won by {who}", "won by {who}", len(game.winners)).format(who=winners))
    checked = {name: verdict.checked[name] for name in ("steps", "shuffles", "moves", "claims")}
    found.append(_("checked: {steps} steps, {shuffles} shuffles, {moves} moves, {claims} claims; all good").format(**checked))
    return found
