"""`sobremesa history`: the past matches with their results, and totals by game and by opponent."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from client.commands.common import log_named, read_game, screen_columns
from client.i18n.translation import _, outside
from client.session.status import Status, UsageError
from client.storage.broken_off import broken_off
from client.storage.contacts import begins_so
from client.storage.deletion import delete_match
from client.storage.history import HistoryReader
from client.storage.home import open_home
from client.storage.match_files import files_of
from client.storage.match_ids import short_ids
from client.storage.past_match import MatchSummary
from client.storage.totals import Tally, Totals, totals
from client.ui.interactive import interactive
from client.ui.plain.history import (
    deletion_of,
    ending_of,
    match_title,
    others_of,
    result_of,
    score_of,
    totals_lines,
    unverified,
)
from client.ui.plain.printing import ProgressLine, say
from client.ui.seats import broken_off_line
from client.ui.wrap import wrapped
from p2p.net.names import look_alike
from p2p.net.text import bare, columns

EXAMPLE = "sobremesa history --game escoba"
PROGRESS_S = 0.7
"""Seconds between two updates of the progress."""
GAP = 2
"""Columns between two cells of the table."""
DROPPED = (7, 6, 5)
"""The indexes of cells that a narrow terminal lacks room for: moves, deals and ending. The last one
stays if it fits once others are cut off."""
NARROWED = {8: 8, 5: 12, 2: 8}
"""The cells that are then cut off, with their least widths: players, ending, game."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `history`."""
    parser.add_argument("--game", metavar=_("GAME"), help=_("only matches of this game"))
    about = _("only matches with this player: a nick, or the beginning of a fingerprint")
    parser.add_argument("--with", dest="player", metavar=_("PLAYER"), help=about)
    parser.add_argument(
        "--json",
        action="store_true",
        help=_("print a line of JSON for each match, and one for the totals"),
    )
    about = _("delete an ended match and its files for good; asks on the terminal")
    parser.add_argument("--delete", metavar=_("ID"), help=about)


def run(args: Namespace) -> int:
    """Print the matches, the newest first, and their totals; or delete one."""
    if args.delete is not None:
        return _delete(args)
    game = read_game(args.game).name if args.game is not None else None
    all_ = _read()
    ids = short_ids(summary.id for summary in all_ if summary.id)
    found = [summary for summary in all_ if game in (None, summary.game)]
    if args.player is not None:
        found = _with(found, args.player)
    if args.json:
        for summary in found:
            say(json.dumps(as_json(summary)))
        say(json.dumps({"totals": totals_as_json(totals(found))}))
    elif found:
        width = screen_columns()
        lines = [*table(found, width, ids), "", *totals_lines(totals(found)), ""]
        more = [part for line in _broken_off(found) for part in wrapped(line, width)]
        say(*lines, *more, *wrapped(unverified(), width))
    else:
        say(
            _("No match has been played here yet.")
            if game is None and args.player is None
            else _("There is none.")
        )
    return Status.OK


def _broken_off(found: Sequence[MatchSummary]) -> list[str]:
    """Return a line for each player in these matches who broke off matches while behind."""
    players = (player for one in found if one.facts for player in one.facts.players)
    nicks = {player.id: player.nick for player in players}
    counts = broken_off(open_home(), int(time.time()))
    return [
        broken_off_line(nicks[who.hex()], count)
        for who, count in sorted(counts.items())
        if who.hex() in nicks
    ]


def _read() -> Sequence[MatchSummary]:
    """Return all matches of the home, the newest first; show progress if that takes long."""
    reader, line = HistoryReader(open_home()), ProgressLine()
    all_ = reader.unread
    try:
        while left := reader.read(PROGRESS_S):
            line.show(_("{done} of {all} logs read").format(done=all_ - left, all=all_))
    finally:
        line.clear()
    found, _wrong = reader.summaries()
    return sorted(found, key=lambda summary: -summary.written)


def _delete(args: Namespace) -> int:
    """Delete a match if our player confirms that. Raises UsageError or StoreError."""
    if args.json or args.game is not None or args.player is not None:
        raise UsageError(_("--delete takes no other option"))
    if not interactive():
        raise UsageError(_("--delete asks on a terminal, and this is none"))
    home, path = open_home(), _place(log_named(args.delete))
    with home.locked():
        summary = next((one for one in _read() if _place(one.path) == path), None)
        if summary is None:
            name = outside(args.delete)
            raise UsageError(_("{name} is not among your past matches").format(name=name))
        if not summary.unfinished:  # otherwise nothing is asked, because it cannot be deleted
            lines, width = deletion_of(summary), screen_columns()
            say(*(part for line in lines for part in wrapped(line, width)))
            say(*(str(file) for file in files_of(home, summary.match)))
            if not _confirmed():
                say(_("Nothing was deleted."))
                return Status.OK
        delete_match(home, summary.match)
    say(_("Deleted."))
    return Status.OK


def _place(path: str) -> Path:
    """Return the resolved path of a file; a link keeps its own name."""
    return Path(path).parent.resolve() / Path(path).name


def _confirmed() -> bool:
    say(_("Type `yes` to delete it for good:"), end=" ", flush=True)
    try:
        return input().strip() == "yes"
    except EOFError:
        return False


def _with(found: Sequence[MatchSummary], text: str) -> list[MatchSummary]:
    """Return the matches with a player. UsageError if there is none."""
    named = [
        summary
        for summary in found
        if any(
            look_alike(nick, text) or begins_so(fingerprint, text)
            for nick, fingerprint in _others(summary)
        )
    ]
    if not named:
        raise UsageError(
            _("you have not played with anybody called {text!r}").format(text=bare(text, 40))
        )
    return named


def _others(summary: MatchSummary) -> list[tuple[str, str]]:
    """Return nick and fingerprint of all players except ours."""
    facts = summary.facts
    if facts is None:
        return []
    return [
        (player.nick, player.fingerprint)
        for seat, player in enumerate(facts.players)
        if seat != facts.seat
    ]


def table(found: Sequence[MatchSummary], width: int | None, ids: Mapping[str, str]) -> list[str]:
    """Return the matches as a table that fits a terminal; without a width, at full width.

    If it is too narrow, drop moves and deals; then cut off players, ending and game; then drop the
    ending. `ids` are the short ids of matches.
    """
    heads = [
        _("day"),
        _("id"),
        _("game"),
        _("result"),
        _("score"),
        _("ended"),
        _("deals"),
        _("moves"),
        _("players"),
    ]
    rows = [heads, *(_row(summary, ids) for summary in found)]
    wide = [max(columns(row[place]) for row in rows) for place in range(len(heads))]
    kept = list(range(len(heads)))
    narrow = [min(NARROWED.get(place, cell), cell) for place, cell in enumerate(wide)]
    for place in DROPPED:
        needed = narrow if place in NARROWED else wide
        if width is not None and _over(needed, kept, width) > 0:
            kept.remove(place)
    for place, least in NARROWED.items():
        if width is not None:
            wide[place] = max(
                min(least, wide[place]), wide[place] - max(0, _over(wide, kept, width))
            )
    return [_line([(row[place], wide[place]) for place in kept]) for row in rows]


def _over(wide: Sequence[int], kept: Sequence[int], width: int) -> int:
    """Return by how many columns a table is too wide."""
    return sum(wide[place] + GAP for place in kept) - GAP - width


def _row(summary: MatchSummary, ids: Mapping[str, str]) -> list[str]:
    facts = summary.facts
    length = [str(facts.outline.deals), str(facts.outline.moves)] if facts is not None else ["", ""]
    about = [result_of(summary), score_of(facts), ending_of(summary), *length]
    id_ = ids.get(summary.id, "")
    return [summary.day, id_, match_title(summary), *about, ", ".join(others_of(summary))]


def _line(cells: Sequence[tuple[str, int]]) -> str:
    shown = [bare(text, space) if columns(text) > space else text for text, space in cells]
    return (
        (" " * GAP)
        .join(
            text + " " * (space - columns(text))
            for text, (_text, space) in zip(shown, cells, strict=True)
        )
        .rstrip()
    )


def as_json(summary: MatchSummary) -> dict[str, Any]:
    """Return the object that `--json` prints for a match."""
    facts = summary.facts
    found: dict[str, Any] = {
        "log": summary.path,
        "date": datetime.fromtimestamp(summary.written, UTC).isoformat(),
        "game": summary.game or None,
        "ending": summary.ending,
        "result": summary.result or None,
        "seat": None,
        "players": [],
    }
    if facts is None:
        return found
    players = [
        {
            "seat": seat,
            "nick": one.nick,
            "id": one.id,
            "fingerprint": one.fingerprint,
            "computer": one.computer,
        }
        for seat, one in enumerate(facts.players)
    ]
    return found | {
        "match": facts.id,
        "seat": facts.seat,
        "players": players,
        "sides": facts.outline.sides,
        "score": list(facts.outline.score),
        "scores": [list(score) for score in facts.outline.scores],
        "winners": list(facts.outline.winners),
        "deals": facts.outline.deals,
        "moves": facts.outline.moves,
        "gone": [{"seat": seat, "how": how} for seat, how in facts.outline.gone],
        "unsealed": list(facts.outline.unsealed),
    }


def totals_as_json(found: Totals) -> dict[str, Any]:
    """Return the totals that `--json` prints last."""
    games = [
        {"game": one.game, "people": _tally(one.people), "computers": _tally(one.computers)}
        for one in found.games
    ]
    opponents = [
        {
            "id": one.player.id,
            "fingerprint": one.player.fingerprint,
            "nick": one.player.nick,
            **_tally(one.tally),
        }
        for one in found.opponents
    ]
    return {
        "people": _tally(found.people),
        "computers": _tally(found.computers),
        "games": games,
        "opponents": opponents,
    }


def _tally(tally: Tally) -> dict[str, int]:
    return {
        "matches": tally.matches,
        "won": tally.won,
        "shared": tally.shared,
        "lost": tally.lost,
        "streak": tally.streak,
        "longest": tally.longest,
    }
