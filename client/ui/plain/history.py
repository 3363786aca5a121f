"""The match history in words: results, scores, how matches ended, and totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from client.i18n.sentences import GONE
from client.i18n.translation import _, later, listed, pgettext
from client.storage import past_match
from client.ui.games import title_of
from client.ui.games.columns import GAP, in_columns
from p2p.net.text import bare, columns

if TYPE_CHECKING:  # the lobby is drawn before the table is loaded
    from client.storage.past_match import MatchFacts, MatchSummary
    from client.storage.totals import Tally, Totals

LABELS = {
    past_match.COMPLETE: later("complete"),
    past_match.PLAYER_LEFT: later("a player left"),
    past_match.PLAYER_CONVICTED: later("a player convicted"),
    past_match.VOTED: later("a player voted out"),
    past_match.UNSEALED: later("not signed by all"),
    past_match.WAITING: later("not finished"),
    past_match.UNFINISHED: later("broken off"),
    past_match.NOT_BEGUN: later("never began"),
    past_match.LEFT: later("you left"),
    past_match.CONVICTED: later("you were convicted"),
    past_match.VOTED_OUT: later("you were voted out"),
    past_match.VERDICT: later("only a verdict"),
    past_match.DAMAGED: later("log damaged"),
    past_match.OTHER_VERSION: later("other version"),
}
"""How a match ended, in a list."""
SIGNED = later("Complete: all who stayed have signed the result.")
SENTENCES = {
    past_match.COMPLETE: SIGNED,
    past_match.PLAYER_LEFT: SIGNED,
    past_match.PLAYER_CONVICTED: SIGNED,
    past_match.VOTED: later("Voted out by the others: {who}. That is their word, not a proof."),
    past_match.UNSEALED: later("The match is finished, but not signed by {seats}."),
    past_match.WAITING: later("Not finished: you can resume it."),
    past_match.UNFINISHED: later("Broken off: the match did not reach its end."),
    past_match.NOT_BEGUN: later("It never began: at least one player sent nothing."),
    past_match.LEFT: later("You have left the match, and lost it."),
    past_match.CONVICTED: later(
        "You have been shut out of the match: an entry that you signed does not verify."
    ),
    past_match.VOTED_OUT: later("The others voted you out."),
    past_match.VERDICT: later("Not the log of a whole match: it only convicts a player."),
    past_match.DAMAGED: later("Its log cannot be read; `sobremesa verify` says why."),
    past_match.OTHER_VERSION: later(
        "Its log is of another version, or of a game that this program does not know."
    ),
}
"""The same in a sentence."""
LACKING = (past_match.UNSEALED, past_match.UNFINISHED, *past_match.OWN_WAYS.values())
"""The endings after which others may still lack entries that our log has."""
TOTALS_COLUMNS = 48
"""Columns of the totals: in a window of 360 pixels they can be read."""
NAME_COLUMNS = 16
"""Columns of a nick in the totals."""


def match_title(summary: MatchSummary) -> str:
    """Return the title of a match's game; a dash if its log does not tell the game."""
    return title_of(summary.game) if summary.game else "–"


def result_of(summary: MatchSummary) -> str:
    """Return `won`, `shared win`, `lost`, `watched` if we had no seat, or nothing."""
    if summary.facts is not None and summary.facts.seat is None:
        return pgettext("result", "watched")
    words = {
        past_match.WON: pgettext("result", "won"),
        past_match.SHARED: pgettext("result", "shared win"),
        past_match.LOST: pgettext("result", "lost"),
    }
    return words.get(summary.result, "")


def score_of(facts: MatchFacts | None) -> str:
    """Return the score of the sides, ours first: `21:15`. Nothing before anybody has a point."""
    return ":".join(points for _names, points in points_of(facts))


def points_of(facts: MatchFacts | None) -> tuple[tuple[str, str], ...]:
    """Return the sides with their points, ours first; nothing before anybody has a point."""
    if facts is None or not any(facts.outline.score):
        return ()
    outline, sides = facts.outline, facts.outline.sides
    first = outline.side(facts.seat) if facts.seat is not None else 0
    found = []
    for side in (*range(first, sides), *range(first)):
        names = [
            one.nick
            for seat, one in enumerate(facts.players)
            if outline.side(seat) == side and seat != facts.seat
        ]
        ours = [_("You")] if facts.seat is not None and side == first else []
        found.append((str(listed([*ours, *names])), str(outline.score[side])))
    return tuple(found)


def ending_of(summary: MatchSummary) -> str:
    """Return how a match ended, in a word or two; nothing as long as its log has not been read."""
    return _(LABELS[summary.ending]) if summary.ending else ""


def others_of(summary: MatchSummary) -> list[str]:
    """Return the nicks of all players but ours."""
    return [nick for seat, nick in enumerate(summary.nicks) if seat != summary.seat]


def in_a_line(summary: MatchSummary) -> str:
    """Return the list entry of a match: its result and score, the others, and its ending.

    The ending is left out if the match is complete.
    """
    result = " ".join(filter(None, (result_of(summary), score_of(summary.facts))))
    ending = (
        "" if summary.ending in (past_match.COMPLETE, past_match.WAITING) else ending_of(summary)
    )
    waiting = ending_of(summary) if summary.ending == past_match.WAITING else ""
    return " · ".join(filter(None, (waiting, result, ", ".join(others_of(summary)), ending)))


def details_of(summary: MatchSummary) -> list[str]:
    """Return sentences about a match: its ending, its date, its length and its players.

    The players stand with their fingerprints.
    """
    facts = summary.facts
    if facts is None:
        return [summary.when, *([_(SENTENCES[summary.ending])] if summary.ending else [])]
    voted = listed([facts.players[seat].nick for seat, how in facts.outline.gone if how == "voted"])
    unsealed = listed([facts.players[seat].nick for seat in facts.outline.unsealed])
    found = [_(SENTENCES[summary.ending]).format(who=voted, seats=unsealed)]
    found += [
        _(GONE[how][1]).format(who=listed([facts.players[seat].nick]))
        for seat, how in facts.outline.gone
        if how != "voted" and seat != facts.seat
    ]
    length = _("deals: {deals}, moves: {moves}").format(
        deals=facts.outline.deals, moves=facts.outline.moves
    )
    computer = _("(computer)")
    others = [player for seat, player in enumerate(facts.players) if seat != facts.seat]
    players = ", ".join(
        f"{player.nick} {computer if player.computer else player.fingerprint}" for player in others
    )
    return [" ".join(found), f"{summary.when} · {length}", players]


def deletion_of(summary: MatchSummary) -> list[str]:
    """Return the match that is to be deleted, and the effects of that, as sentences."""
    found = [
        " · ".join(filter(None, (summary.day, match_title(summary), in_a_line(summary)))),
        _(
            "This deletes the whole match from this machine: its moves and its score, the keys to "
            "your cards, your signatures, and any evidence of faults. That cannot be undone."
        ),
    ]
    if summary.result:
        found.append(_("It no longer counts in your totals."))
    if summary.ending in LACKING and _played_with_people(summary):
        found.append(_("Players who have not received its end cannot get it from you any more."))
    return found


def _played_with_people(summary: MatchSummary) -> bool:
    facts = summary.facts
    return facts is not None and any(
        not player.computer
        for seat, player in enumerate(facts.players)
        if facts.seat not in (None, seat)
    )


def unverified() -> str:
    """Say that the history trusts the logs."""
    return _(
        "Read from the logs, not verified. Stepping through a match verifies its log, and so does "
        "`sobremesa verify`."
    )


def totals_lines(totals: Totals) -> list[str]:
    """Return the totals as lines of a table, at most 48 columns wide."""
    if not totals.games:
        return [_("No match has a result yet.")]
    return [*_table(*totals_rows(totals)), "", *totals_notes(totals)]


def totals_notes(totals: Totals) -> list[str]:
    """Say the meaning of the heads of the totals, as far as it is not plain."""
    won, _lost, streak, longest = totals_heads()
    found = [
        _("{streak}: matches won in a row up to now").format(streak=streak),
        _("{longest}: the most matches won in a row").format(longest=longest),
    ]
    if shared := totals.people.shared + totals.computers.shared:
        also = _("{won}: also shared wins, {count} in all")
        found.insert(0, also.format(won=won, count=shared))
    return found


def totals_heads() -> tuple[str, str, str, str]:
    """Return the heads of the columns of the totals: won, lost, streak, longest."""
    return (
        *(pgettext("totals", "won"), pgettext("totals", "lost")),
        *(pgettext("totals", "streak"), pgettext("totals", "longest")),
    )


def totals_rows(totals: Totals) -> tuple[tuple[str, ...], list[tuple[str, tuple[str, ...]]]]:
    """Return the totals as a table: the heads of its columns, and each row's label and figures.

    A label of a game or an opponent begins with two spaces.
    """
    people = [(game.game, game.people) for game in totals.games if game.people.matches]
    computers = [(game.game, game.computers) for game in totals.games if game.computers.matches]
    found: list[tuple[str, Tally | None]] = []
    for heading, tally, games in (
        (_("Against people"), totals.people, people),
        (_("Against computers"), totals.computers, computers),
    ):
        if games:
            found += [(heading, tally), *((f"  {title_of(game)}", one) for game, one in games)]
    if totals.opponents:
        found.append((_("Against opponents"), None))
    nicks = [one.player.nick for one in totals.opponents]
    for one in totals.opponents:
        same = nicks.count(one.player.nick) > 1
        name = (
            f"{bare(one.player.nick, NAME_COLUMNS)} {one.player.fingerprint[:4]}"
            if same
            else one.player.nick
        )
        found.append((f"  {name}", one.tally))
    return totals_heads(), [(label, _figures(tally)) for label, tally in found]


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, tuple[str, ...]]]) -> list[str]:
    figures = [row for _label, row in rows]
    space = TOTALS_COLUMNS - sum(
        GAP + max(map(columns, column)) for column in zip(heads, *figures, strict=True)
    )
    labels = [
        label if columns(label) <= space else f"  {bare(label, space - 2)}"
        for label, _figures in rows
    ]
    return in_columns(heads, list(zip(labels, figures, strict=True)))


def _figures(tally: Tally | None) -> tuple[str, str, str, str]:
    if tally is None:
        return "", "", "", ""
    return str(tally.won), str(tally.lost), str(max(tally.streak, 0)), str(tally.longest)
