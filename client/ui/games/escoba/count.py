"""The count of a deal of Escoba as a table: a row for each line of the rule.

The table has a column for each side.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from client.i18n.translation import _, later
from client.ui.games.columns import sides_in_columns
from client.ui.games.screen import Scene
from engine.games.escoba import events
from engine.games.escoba.rules import Escoba
from p2p.table.events import Moved

LABELS: Mapping[str, str] = {
    "a": later("escobas"),
    "b": later("golds"),
    "c": later("all ten golds"),
    "d": later("the 7 of golds"),
    "e": later("sevens"),
    "f": later("all four sevens"),
    "g": later("cards"),
    "h": later("the others below ten"),
}
"""The lines of R12, by their letters; `COUNT` in `words.py` has the same letters."""
MOST = frozenset("beg")
"""The lines that bring points to the side that has most; to nobody in a tie."""
FIGURES = MOST | {"a"}
"""The lines that count something. The others stand in the table only if they bring points."""


def count_table(scene: Scene) -> list[str]:
    """R12.

    Return the count that has just been told: figures, behind them the points they bring, and the
    sums.
    """
    game = scene.of(Escoba)
    fresh = list(
        takewhile(lambda event: not isinstance(event, Moved), reversed(scene.model.history))
    )
    counts = {(event.line, event.side): event for event in fresh if isinstance(event, events.Count)}
    scores = {event.side: event for event in fresh if isinstance(event, events.Score)}
    sides = sorted(scores)
    rows = []
    for line, label in LABELS.items():
        found = [counts.get((line, side)) for side in sides]
        if any(cells := [_cell(count) for count in found]):
            tied = line in MOST and not any(count.points for count in found if count)
            rows.append((_("{label} (tie)").format(label=_(label)) if tied else _(label), cells))
    gained = [str(scores[side].gained) for side in sides]
    total = [str(scores[side].total) for side in sides]
    return sides_in_columns(
        scene,
        sides,
        [
            *rows,
            (_("this deal"), gained),
            (_("in all, to {target}").format(target=game.options["target"]), total),
        ],
    )


def _cell(count: events.Count | None) -> str:
    if count is None:
        return ""
    points = f"+{count.points}" if count.points else ""
    return f"{count.figure} {points:2}" if count.line in FIGURES else points
