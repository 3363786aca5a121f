"""The views of a match as data for its page, in all languages: the changes of each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from client.i18n.translation import languages, speaking
from client.session.messages import News
from client.ui.browser.art import symbols
from client.ui.browser.words import words as page_words
from client.ui.games import screen_of
from client.ui.games.screen import Moment, Picked, Scene
from client.ui.replay import Played
from client.ui.replay_page.changes import change
from client.ui.replay_page.match import Match
from client.ui.replay_page.merge import Merger
from client.ui.replay_page.words import about, better_moves, labels, opening
from client.ui.screen.state import Page, ScreenState
from client.ui.view.games import kind_of
from client.ui.view.parts import as_data
from client.ui.view.player import deals_of
from client.ui.view.sentences import drawn
from client.ui.view.views import step_of
from p2p.table.events import Moved, Told

LINES = 30
"""Lines of the plain face that stand beside a table."""
OF_WINDOW = ("lost", "refused", "out", "many", "sound", "notices", "hand", "mine", "you")
"""The words of the window that a page of a match does not need."""
Data = dict[str, Any]


def data_of_match(match: Match, version: str) -> Data:
    """Return all that the page of a match shows."""
    tongues = languages()
    merger = Merger()
    views, words, deals, said, art = [], [], [], [], []
    game = match.log.terms.game
    kind = kind_of(game)
    for tongue in tongues:
        with speaking(tongue):
            better = better_moves(match)
            told = [
                [*step.lines(), *better.get(place, ())] for place, step in enumerate(match.steps)
            ]
            states = list(_states(match, told))
            views.append([as_data(step_of(state)) for state in states])
            said.append([[as_data(drawn(kind, line)) for line in lines] for lines in told])
            words.append(
                {
                    "labels": labels(match),
                    "about": about(match, version),
                    "opening": opening(match),
                    "words": {
                        name: word for name, word in page_words().items() if name not in OF_WINDOW
                    },
                }
            )
            deals.append(as_data(tuple(deals_of(step.model for step in match.steps))))
            art.append(symbols(kind))
    found: Data = {
        **merger.merged(words),
        "bad": match.error is not None,
        "deals": merger.merged(deals),
        "said": merger.merged(said),
        "art": merger.merged(art),
        "steps": _steps(views, merger),
    }
    return {**found, "texts": merger.rows}


def _steps(views: Sequence[Sequence[Data]], merger: Merger) -> list[Data]:
    """Return for each step how its view comes of the one before; `views` are by language."""
    before: Data = {}
    found = []
    for of_all in zip(*views, strict=True):
        now = merger.merged(of_all)
        found.append(change(before, now) or {})
        before = now
    return found


def _states(match: Match, told: Sequence[Sequence[str]]) -> Iterator[ScreenState]:
    log: tuple[str, ...] = ()
    for step, lines in zip(match.steps, told, strict=True):
        log = (*log, *lines)[-LINES:]
        yield ScreenState(page=Page.REPLAY, match=step.model, log=log, moment=_moment(step))


def _moment(step: Played) -> Moment | None:
    """Return the last call of a step."""
    found: str | Moment = ""
    for _before, message, after in step.told:
        event = message.event if isinstance(message, News) else None
        if isinstance(event, (Moved, Told)) and after.view is not None:
            scene = Scene(after, Picked())
            found = (
                screen_of(after.game).moment(
                    scene, event if isinstance(event, Moved) else event.event
                )
                or found
            )
    return Moment(found) if isinstance(found, str) and found else found or None
