"""The pictures of a match as data for its page: after each step, only the changes.

They are given in two sizes and in all languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from client.i18n.translation import language, languages, set_language
from client.session.messages import News
from client.ui.browser.words import words as page_words
from client.ui.drawing.picture import Picture, Piece
from client.ui.games import picture_of, screen_of
from client.ui.games.screen import Moment, Picked, Scene
from client.ui.pictures.art import symbols
from client.ui.pictures.draw import table_alone
from client.ui.replay import Played
from client.ui.replay_page.changes import change
from client.ui.replay_page.match import Match
from client.ui.replay_page.merge import Merger
from client.ui.replay_page.words import about, better_moves, deal_name, labels, opening
from client.ui.screen.state import Page, ScreenState
from client.ui.view.parts import as_data
from client.ui.view.sentences import drawn
from client.ui.view.views import TABLES, step_of
from p2p.table.events import Moved, Told

SIZES = ((1060, 545), (360, 520))
"""Width and height of the table in a wide and a narrow window: the page scales the first whose
letters can be read. The wide one fits a window of 1024x600 pixels."""
LINES = 30
"""Lines of the plain face that stand beside a table."""
LAYER = 1000
WORDS = ("table", "log", "score", "corners")
"""The words of a table that a page of a match has too."""
Data = dict[str, Any]


def data_of_match(match: Match, version: str) -> Data:
    """Return all that the page of a match shows."""
    tongues = languages()
    merger = Merger()
    pictures, words, deals, said, art, views = [], [], [], [], [], []
    begun, game = _deals(match.steps), match.log.terms.game
    kind = picture_of(game).kind
    for tongue in tongues:
        with _in(tongue):
            better = better_moves(match)
            told = [
                [*step.lines(), *better.get(place, ())] for place, step in enumerate(match.steps)
            ]
            states = list(_states(match, told))
            if game in TABLES:
                views.append([as_data(step_of(state)) for state in states])
                said.append([[as_data(drawn(kind, line)) for line in lines] for lines in told])
            else:
                pictures.append([[table_alone(state, *size) for size in SIZES] for state in states])
                said.append([list(lines) for lines in told])
            words.append(
                {
                    "labels": labels(match),
                    "about": about(match, version),
                    "opening": opening(match),
                    "words": {name: page_words()[name] for name in WORDS},
                }
            )
            deals.append([deal_name(number) for number, _step in begun])
            art.append(symbols(kind))
    layouts = not views and [
        {
            "width": width,
            "height": height,
            "steps": _changes([[found[size] for found in one] for one in pictures], merger),
        }
        for size, (width, height) in enumerate(SIZES)
    ]
    names = [merger.merged(of_all) for of_all in zip(*deals, strict=True)]
    found: Data = {
        **merger.merged(words),
        "bad": match.error is not None,
        "deals": [
            {"name": name, "step": step} for name, (_number, step) in zip(names, begun, strict=True)
        ],
        "said": merger.merged(said),
        "art": merger.merged(art),
        **({"steps": _steps(views, merger)} if views else {"layouts": layouts}),
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


def states_of(match: Match) -> list[ScreenState]:
    """Return the screen states of the steps, in the reader's language."""
    return list(_states(match, [step.lines() for step in match.steps]))


@contextmanager
def _in(tongue: str) -> Iterator[None]:
    """Speak a language for a while."""
    before = language()
    set_language(tongue)
    try:
        yield
    finally:
        set_language(before)


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


def _deals(steps: Sequence[Played]) -> list[tuple[int, int]]:
    """Return the number of each deal, and the step after which its first choice is made.

    The cards are dealt by then.
    """
    found: list[tuple[int, int]] = []
    for place, step in enumerate(steps):
        view = step.model.view
        number = view.game.round if view is not None and view.turn else 0
        if number and (not found or found[-1][0] < number):
            found.append((number, place))
    return found


def _changes(pictures: Sequence[Sequence[Picture]], merger: Merger) -> list[Data]:
    """Return for each step the changes from the step before.

    They are the fields that differ, the pieces that differ, and the ids of the pieces that went.

    `pictures` are by language and step.
    """
    found = []
    fields: dict[str, tuple[Any, ...]] = {}
    pieces: dict[str, tuple[tuple[Piece, ...], int]] = {}
    for of_all in zip(*pictures, strict=True):
        before, fields = (
            fields,
            {name: tuple(getattr(one, name) for one in of_all) for name in FIELDS},
        )
        now = _pieces(of_all)
        changed = {
            name: merger.of(parts) for name, parts in fields.items() if before.get(name) != parts
        }
        moved = [
            {**merger.of(ones), "z": z}
            for name, (ones, z) in now.items()
            if pieces.get(name) != (ones, z)
        ]
        gone = [name for name in pieces if name not in now]
        found.append(
            {
                name: value
                for name, value in (("set", changed), ("pieces", moved), ("gone", gone))
                if value
            }
        )
        pieces = now
    return found


FIELDS = ("heading", "score", "texts", "panels", "call", "origin", "head")
"""The parts of a picture that differ from step to step, without its pieces."""


def _pieces(of_all: Sequence[Picture]) -> dict[str, tuple[tuple[Piece, ...], int]]:
    """Return the pieces by id, in all languages, each with its place in the drawing order.

    A piece is left out if it has no room beside the words of one language.
    """
    counts: dict[int, int] = {}
    found = {}
    by_id = [{piece.id: piece for piece in one.pieces} for one in of_all]
    for name, first in by_id[0].items():
        if not all(name in pieces for pieces in by_id):
            continue
        counts[first.layer] = counts.get(first.layer, 0) + 1
        ones = tuple(pieces[name] for pieces in by_id)
        found[name] = (ones, LAYER * first.layer + counts[first.layer])
    return found
