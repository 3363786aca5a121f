"""A small table in lines of text: a label for each row, and a column for each side."""

from __future__ import annotations

from collections.abc import Sequence

from client.i18n.translation import _
from client.ui.games.screen import Scene
from p2p.net.text import columns

WIDEST = 52
"""Columns of a sheet on the smallest screen."""
GAP = 2
"""Columns between a label and the first figure, and between two figures, at least."""


def sides_in_columns(
    scene: Scene, sides: Sequence[int], rows: Sequence[tuple[str, Sequence[str]]]
) -> list[str]:
    """Return the lines of a table with a column for each of these sides, in their order.

    Each row has a label, and a figure for each side.
    """
    space = max(3, (WIDEST - max(columns(label) for label, _figures in rows)) // len(sides) - GAP)
    return in_columns([_head(scene, side, space) for side in sides], rows)


def in_columns(heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Return the lines of a table: `heads` above, then a line for each row.

    Each row has its label and as many figures as there are heads.

    Figures end at the right edge of their column. A column is as wide as its widest figure or head.
    """
    label = max(columns(text) for text, _figures in rows)
    cells = [heads, *(figures for _text, figures in rows)]
    wide = [GAP + max(map(columns, column)) for column in zip(*cells, strict=True)]
    lines = []
    for text, row in (("", heads), *rows):
        right = "".join(
            " " * (width - columns(cell)) + cell for width, cell in zip(wide, row, strict=True)
        )
        lines.append((text + " " * (label - columns(text)) + right).rstrip())
    return lines


def _head(scene: Scene, side: int, space: int) -> str:
    """Return a side's name: of partners "we" and "they".

    For a spectator, the name of a side of partners is the partner that plays first.
    """
    game = scene.game
    if game.sides == game.players or scene.me is None:
        return scene.names.short(side, space)
    return _("We") if side == game.side(scene.me) else _("They")
