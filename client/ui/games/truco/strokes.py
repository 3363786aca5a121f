"""Points in strokes or matches, as a table of Truco keeps them.

Each five are four sides of a square and its diagonal.
"""

from __future__ import annotations

from client.ui.drawing.canvas import Canvas

GROUP = 5
SQUARES = (
    ("│  ", "│  ", "│  "),
    ("┌──", "│  ", "│  "),
    ("┌─┐", "│ │", "│ │"),
    ("┌─┐", "│ │", "└─┘"),
    ("┌─┐", "│╱│", "└─┘"),
)
"""A group of one to five, row by row."""
ROWS = 3
"""Rows that squares take."""


def strokes(points: int, half: int | None = None) -> str:
    """Return points in one line, `||||/ ||`, with a bar after `half` of them.

    The buenas begin at the bar.
    """
    return (
        (" : " if half else "")
        .join(" ".join(groups) for groups in halves(points, half))
        .rstrip(" :")
    )


def columns_for(target: int) -> int:
    """Return how many columns squares take at most in a match to so many points."""
    return 4 * -(-target // GROUP) + 2


def draw_squares(
    canvas: Canvas, x: int, y: int, points: int, half: int | None = None, style: str = ""
) -> None:
    """Draw points as squares, with a bar after `half` of them."""
    for place, groups in enumerate(halves(points, half)):
        if place and groups:
            for row in range(ROWS):
                canvas.write(x, y + row, "║", "dim")
            x += 2
        for group in groups:
            for row, line in enumerate(SQUARES[len(group) - 1]):
                canvas.write(x, y + row, line, style)
            x += 4


def halves(points: int, half: int | None = None) -> list[list[str]]:
    """Return points as groups of strokes: those of the first half, and then the others."""
    first = points if half is None else min(points, half)
    return [_groups(first), *([_groups(points - first)] if half is not None else [])]


def _groups(points: int) -> list[str]:
    whole, rest = divmod(points, GROUP)
    return ["||||/"] * whole + (["|" * rest] if rest else [])
