"""Totals of the match history: wins and losses by game and by opponent, streaks, and their course.

Only matches with a result for our seat count, each once. Matches against people count apart from
those against computer players alone. An opponent is a key, under any nick. This module is pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from client.storage.past_match import SHARED, WINS, MatchFacts, MatchSummary, PastPlayer


@dataclass(frozen=True)
class Tally:
    """Matches with a result."""

    won: int = 0
    lost: int = 0
    streak: int = 0
    """How many of the latest matches in a row were won, or lost if negative."""
    longest: int = 0
    """The longest row of matches won."""
    shared: int = 0
    """How many of the wins were shared with another side."""

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.won + self.lost


@dataclass(frozen=True)
class GameTotal:
    """The matches of one game, against people and against computer players alone."""

    game: str
    people: Tally
    computers: Tally


@dataclass(frozen=True)
class OpponentTotal:
    """The matches against one person, with the newest nick."""

    player: PastPlayer
    tally: Tally


@dataclass(frozen=True)
class Totals:
    """Totals of all matches with a result."""

    people: Tally
    computers: Tally
    games: tuple[GameTotal, ...]
    """The most played first."""
    opponents: tuple[OpponentTotal, ...]
    """The most frequent first."""


@dataclass(frozen=True)
class Standing:
    """The number of matches won and lost after a match.

    `written` is the time of the match, in seconds since 1970.
    """

    written: int
    won: int
    lost: int


def counted(history: Iterable[MatchSummary]) -> list[MatchSummary]:
    """Return the matches that count, the oldest first.

    Copies of a log, and matches without a result, do not count.
    """
    found: dict[str, MatchSummary] = {}
    for summary in history:
        if summary.facts is not None and summary.result:
            found.setdefault(summary.facts.id, summary)
    return sorted(found.values(), key=lambda summary: summary.written)


def totals(history: Iterable[MatchSummary]) -> Totals:
    """Return the totals of a history."""
    matches = counted(history)
    with_people = [one for one in matches if people_against(one)]
    with_computers = [one for one in matches if not people_against(one)]
    games = dict.fromkeys(one.game for one in matches)
    by_game = [
        GameTotal(
            game,
            tally(one for one in with_people if one.game == game),
            tally(one for one in with_computers if one.game == game),
        )
        for game in games
    ]
    newest: dict[str, PastPlayer] = {}
    against: dict[str, list[MatchSummary]] = {}
    for summary in matches:
        for player in people_against(summary):
            newest[player.id] = player
            against.setdefault(player.id, []).append(summary)
    by_opponent = [OpponentTotal(newest[id_], tally(found)) for id_, found in against.items()]
    return Totals(
        tally(with_people),
        tally(with_computers),
        tuple(sorted(by_game, key=lambda one: -one.people.matches - one.computers.matches)),
        tuple(sorted(by_opponent, key=lambda one: -one.tally.matches)),
    )


def people_against(summary: MatchSummary) -> list[PastPlayer]:
    """Return the opponents of a match that are people."""
    return (
        [player for player in summary.facts.opponents if not player.computer]
        if summary.facts is not None
        else []
    )


def tally(matches: Iterable[MatchSummary]) -> Tally:
    """Count matches with a result, the oldest first."""
    results = [one.result for one in matches]
    rows = [(won, len(list(row))) for won, row in groupby(one in WINS for one in results)]
    won, lost = (sum(length for of, length in rows if of is which) for which in (True, False))
    streak = (rows[-1][1] if rows[-1][0] else -rows[-1][1]) if rows else 0
    longest = max((length for of, length in rows if of), default=0)
    return Tally(won, lost, streak, longest, results.count(SHARED))


def wins_over_time(history: Iterable[MatchSummary]) -> tuple[Standing, ...]:
    """Return the numbers of won and lost matches after each match, the oldest first."""
    found: list[Standing] = []
    won = lost = 0
    for summary in counted(history):
        win = summary.result in WINS
        won, lost = won + win, lost + (not win)
        found.append(Standing(summary.written, won, lost))
    return tuple(found)


def score_through(facts: MatchFacts) -> tuple[tuple[int, ...], ...]:
    """Return the score of each side after each deal.

    An unfinished deal is the last one.
    """
    outline = facts.outline
    scores: Sequence[tuple[int, ...]] = (
        outline.scores if outline.over else (*outline.scores, outline.score)
    )
    return tuple(tuple(score[side] for score in scores) for side in range(outline.sides))
