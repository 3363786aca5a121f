"""The whole system in one command: separate players on this machine find each other and play.

At the end every log is verified.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from client.commands.common import Choice, add_game, read_choice
from client.i18n.sentences import said
from client.i18n.translation import _, later, outside
from client.session.python_process import own_environment, own_program
from client.session.signals import exit_on_signals
from client.session.status import Status, Stop, UsageError
from client.storage.hardening import foreign
from client.ui.games import shown
from client.ui.plain.printing import say
from p2p.net.free import free_port
from p2p.table.replay import BadLog, verify_log

EXAMPLE = "sobremesa demo escoba --players 4 --keep homes"
LOOPBACK = "127.0.0.1"
ERRORS = "errors.txt"
"""The file in a player's home for its standard error."""
NAMES = ("Ane", "Lola", "Björn", "Mary", "Jon", "Inés")
"""The nicks of the players."""
LIMIT_S = 1800.0
"""Seconds after which a hanging demonstration is ended."""
POLL_S = 0.02
FIND_TIMEOUT_S = 20
"""Seconds in which zeroconf must find the table; after that it is joined by its address."""


@dataclass(frozen=True)
class Summary:
    """The result of the demonstration; --json prints it as one object."""

    game: str
    players: int
    found_by: str
    score: list[int]
    winners: list[str]
    shared: bool
    """Whether winners of several sides share the win."""
    seconds: float
    steps: int
    logs: list[str]
    """The paths of the logs, if kept."""
    verified: bool
    identical: bool


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `demo`."""
    add_game(parser, seats="--players", default="escoba")
    parser.add_argument(
        "--keep",
        metavar=_("FOLDER"),
        type=Path,
        help=_("keep the players' homes in FOLDER/p1, FOLDER/p2, …"),
    )
    parser.add_argument(
        "--json", action="store_true", help=_("print one JSON object at the end, and nothing else")
    )


def run(args: Namespace) -> int:
    """Play a whole match between processes, verify every log, and print the winner."""
    choice = read_choice(args)
    with _folder(args.keep) as folder:
        summary, nicks = _demonstrate(choice, folder, quiet=args.json)
        if args.json:
            # the folder is deleted soon
            kept = summary if args.keep else replace(summary, logs=[])
            say(json.dumps(asdict(kept)))
        else:
            _say(summary, nicks, kept=args.keep is not None)
    return Status.OK if summary.verified and summary.identical else Status.FAILED


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(
            prefix="sobremesa-demo-", ignore_cleanup_errors=True
        ) as folder:
            yield Path(folder)
        return
    if keep.exists() and not keep.is_dir():
        raise UsageError(_("{folder} is not a folder").format(folder=outside(keep)))
    if keep.is_dir() and any(keep.glob("p*/logs/*")):
        raise UsageError(
            _("{folder} already has matches in it; name an empty folder").format(
                folder=outside(keep)
            )
        )
    keep.mkdir(parents=True, exist_ok=True, mode=0o700)
    _require_ours([keep])
    yield keep


def _require_ours(folders: list[Path]) -> None:
    """Require that no other user owns one of these folders. Raises UsageError.

    Another user could have put links there that redirect what we write to files of ours.
    """
    if (folder := foreign(folders)) is not None:
        line = _("{folder} belongs to another user of this machine; name a folder of your own")
        raise UsageError(line.format(folder=outside(folder)))


class Players:
    """The processes of a demonstration, each with a home of its own.

    All are ended when it ends.
    """

    def __init__(self, choice: Choice, folder: Path, *, quiet: bool) -> None:
        self.choice, self.folder, self.quiet = choice, folder, quiet
        self.table = f"demo-{secrets.token_hex(4)}"
        self.port = free_port(LOOPBACK)
        self.running: dict[int, subprocess.Popen[str]] = {}

    def start(self, number: int, *words: str) -> None:
        """Start player `number`, counted from 1."""
        home = self.folder / f"p{number}"
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        _require_ours([home])
        environment = own_environment(SOBREMESA_HOME=str(home), PYTHONUNBUFFERED="1")
        command = own_program(
            *words, "--auto", "--at-once", "--plain", "--brief", "--interface", LOOPBACK
        )
        output = subprocess.DEVNULL if number > 1 or self.quiet else None
        sys.stdout.flush()
        (home / ERRORS).unlink(missing_ok=True)  # it may be a link
        with (home / ERRORS).open("x", encoding="utf-8") as errors:
            self.running[number] = subprocess.Popen(  # noqa: S603 - our own program, with words of ours
                [*command, "--nick", NAMES[(number - 1) % len(NAMES)]],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                text=True,
            )

    def host(self) -> None:
        """Let player 1 open the table."""
        options = [
            word
            for key, value in self.choice.options.items()
            for word in ("--option", f"{key}={shown(value)}")
        ]
        seats = ["--seats", str(self.choice.seats), "--port", str(self.port), "--table", self.table]
        self.start(1, "host", self.choice.game, *seats, *options)

    def ended(self) -> dict[int, int]:
        """Return the players that have ended, with their statuses."""
        polled = {number: process.poll() for number, process in self.running.items()}
        return {number: status for number, status in polled.items() if status is not None}

    def wait(self) -> None:
        """Wait for all players to succeed; Stop with the message of the first that fails."""
        wait_for_players(self.running, LIMIT_S, POLL_S, self._failure)

    def end(self) -> None:
        """End all running players."""
        for process in self.running.values():
            if process.poll() is None:
                process.terminate()
        for process in self.running.values():
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _failure(self, number: int, status: int) -> str:
        if status < 0:
            return _("player {number} was ended by signal {signal}").format(
                number=number, signal=-status
            )
        errors = (
            (self.folder / f"p{number}" / ERRORS)
            .read_text(encoding="utf-8", errors="replace")
            .strip()
        )
        last = errors.splitlines()[-1] if errors else "?"
        return _("player {number} ended with status {status}: {error}").format(
            number=number, status=status, error=last
        )


def _demonstrate(choice: Choice, folder: Path, *, quiet: bool) -> tuple[Summary, list[str]]:
    players = Players(choice, folder, quiet=quiet)
    began = time.monotonic()
    with exit_on_signals():  # a signal (`timeout`, a closing shell) ends the players too
        try:
            found_by = gather(players)
            players.wait()
        finally:
            players.end()
    seconds = time.monotonic() - began
    logs = [
        path
        for number in players.running
        for path in sorted((folder / f"p{number}" / "logs").glob("*.sobremesa"))
    ]
    if not quiet:
        say(_("Checking {count} logs …").format(count=len(logs)), flush=True)
    return _judge(choice, found_by, seconds, logs)


def gather(players: Players) -> str:
    """Start all players; return how the table was found."""
    players.host()
    for number in range(2, players.choice.seats + 1):
        players.start(number, "join", players.table, "--wait", str(FIND_TIMEOUT_S))
    by_address: set[int] = set()
    until = time.monotonic() + FIND_TIMEOUT_S + 10
    while time.monotonic() < until and not _begun(players):
        # Asked once a round: a player that ends a moment later is seen in the next round, and not
        # mistaken for another.
        ended = players.ended()
        if any(number == 1 or status != Status.NETWORK for number, status in ended.items()):
            break  # `wait` reports it
        for number in ended:  # no table was found, or the host does not listen yet
            players.start(number, "join", f"{LOOPBACK}:{players.port}")
            by_address.add(number)
        time.sleep(POLL_S)
    return "address" if by_address else "zeroconf"


def _begun(players: Players) -> bool:
    """Whether every player has a log, so that the match has begun."""
    return all(
        any((players.folder / f"p{number}" / "logs").glob("*.sobremesa"))
        for number in players.running
    )


def _judge(
    choice: Choice, found_by: str, seconds: float, logs: list[Path]
) -> tuple[Summary, list[str]]:
    contents = [path.read_bytes() for path in logs]
    try:
        verdicts = {content: verify_log(content) for content in set(contents)}
    except BadLog as error:
        raise Stop(_("a log does not verify: {error}").format(error=said(error))) from error
    if not contents:
        raise Stop(_("no log was written"))
    table = verdicts[contents[0]].table
    game = table.run.game
    summary = Summary(
        game=choice.game,
        players=choice.seats,
        found_by=found_by,
        score=list(game.score),
        winners=[f"p{seat + 1}" for seat in game.winners],
        shared=len(set(map(game.side, game.winners))) > 1,
        seconds=round(seconds, 2),
        steps=table.steps,
        logs=[str(path) for path in logs],
        verified=len(logs) == choice.seats
        and all(verdict.complete for verdict in verdicts.values()),
        identical=len(set(contents)) == 1,
    )
    return summary, [place.nick for place in table.terms.participants]


def _say(summary: Summary, nicks: list[str], *, kept: bool) -> None:
    ways = {
        "zeroconf": _("found by zeroconf on the loopback interface"),
        "address": _("joined by address: zeroconf did not answer"),
    }
    say(
        _("{players} separate players, {way}").format(
            players=summary.players, way=ways[summary.found_by]
        )
    )
    figures = {"steps": summary.steps, "seconds": summary.seconds, "count": len(summary.logs)}
    say(_("{steps} steps in {seconds} s").format(**figures))
    if summary.verified:
        say(_("All {count} logs verify: every shuffle, share, claim and move").format(**figures))
    if summary.identical:
        say(_("All {count} logs are the same, byte for byte").format(**figures))
    score = ", ".join(f"{nick} {points}" for nick, points in zip(nicks, summary.score, strict=True))
    winners = ", ".join(nick for seat, nick in enumerate(nicks, 1) if f"p{seat}" in summary.winners)
    say(_("Score: {score}").format(score=score))
    won = later("Win shared by {winners}") if summary.shared else later("Won by {winners}")
    say(_(won).format(winners=winners))
    for path in summary.logs if kept else ():
        say(outside(path))


def wait_for_players(
    players: Mapping[int, subprocess.Popen[Any]],
    limit_s: float,
    pause_s: float,
    failure: Callable[[int, int], str],
) -> None:
    """Wait for all players to succeed.

    If one does not, raise Stop with the sentence of `failure` for its number and status.
    """
    until, waiting = time.monotonic() + limit_s, dict(players)
    while waiting:
        for number, process in list(waiting.items()):
            if status := process.poll():
                raise Stop(failure(number, status))
            if status == 0:
                del waiting[number]
        if time.monotonic() > until:
            line = _("the players did not finish within {seconds} seconds")
            raise Stop(line.format(seconds=int(limit_s)))
        time.sleep(pause_s)
