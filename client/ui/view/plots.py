"""Plots as drawings: lines over numbers.

The lines are told apart by their dashes and marks as well as by their colours.

The drawings hold no style and no script, as a strict Content-Security-Policy asks: presentation
attributes and classes only. Colours are those of CSS custom properties where the page sets them.
`title` and `desc` say to a screen reader what is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from client.i18n.translation import _
from client.storage.past_match import DAY, MatchFacts, MatchSummary, when
from client.storage.totals import score_through, wins_over_time

WIDTH, HEIGHT = 294, 280
"""A plot in its own units: a page makes it as wide as its box, so its letters have their size on a
phone, and are larger elsewhere."""
LEFT, TOP, BOTTOM = 48, 16, 40
"""Margins: numbers at the left, the axis below."""
NAMED, NAME_LETTER = 38, 8
"""Pixels at the right of a plot for the names of its lines: for a dash, and for each letter."""
FEWEST = 3
"""Points of a line that is worth drawing: two are read at a glance beside each other."""
SET_CLOCK = 1_577_836_800
"""The first second of 2020: a machine whose clock was never set believes in an earlier day."""
TICKS = 5
"""Lines of the grid, about."""
LETTER = 15
"""Pixels that a name needs in height."""
NAME = 18
"""Letters of a name, at most."""
DASHES = ("none", "8 4", "2 4", "12 4 2 4", "4 8", "16 6")
COLOURS = ("#1976d2", "#c2571a", "#2e8540", "#a84bc4", "#8d6e63", "#607d8b")
"""Readable on light and dark ground; a page may set `--plot-1` and so on."""


@dataclass(frozen=True)
class Line:
    """A line of a plot: its name, and its points from left to right."""

    name: str
    points: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Plot:
    """A plot: its title, a description in words, its lines, and its labels.

    The labels stand at both ends of the horizontal axis.
    """

    title: str
    about: str
    lines: tuple[Line, ...]
    begin: str
    end: str


def wins_plot(history: Iterable[MatchSummary]) -> str:
    """Return a drawing of wins and losses over time; empty for fewer than `FEWEST` matches."""
    found = wins_over_time(history)
    if len(found) < FEWEST:
        return ""
    won = Line(_("Won"), tuple((place, one.won) for place, one in enumerate(found, 1)))
    lost = Line(_("Lost"), tuple((place, one.lost) for place, one in enumerate(found, 1)))
    first, last = (
        when(one.written, DAY).strip("?") if one.written > SET_CLOCK else ""
        for one in (found[0], found[-1])
    )
    about = _("After {count} matches: {won} won, {lost} lost.")
    about = about.format(count=len(found), won=found[-1].won, lost=found[-1].lost)
    begin = first if first != last else ""
    return drawn(Plot(_("Wins over time"), about, (won, lost), begin, last))


def score_plot(facts: MatchFacts | None) -> str:
    """Return a drawing of the scores after each deal; empty for fewer than `FEWEST` deals."""
    found = score_through(facts) if facts is not None else ()
    if facts is None or len(found[0]) < FEWEST:
        return ""
    names = [
        ", ".join(
            player.nick
            for seat, player in enumerate(facts.players)
            if facts.outline.side(seat) == side
        )
        for side in range(facts.outline.sides)
    ]
    lines = tuple(
        Line(name, tuple(enumerate(score, 1))) for name, score in zip(names, found, strict=True)
    )
    about = ". ".join(
        f"{name}: {', '.join(map(str, score))}" for name, score in zip(names, found, strict=True)
    )
    return drawn(
        Plot(
            _("Score after each deal"),
            about,
            lines,
            _("Deal {number}").format(number=1),
            str(len(found[0])),
        )
    )


def drawn(plot: Plot) -> str:
    """Return a plot as SVG, as wide as the place that it is put in."""
    points = [point for line in plot.lines for point in line.points]
    end = WIDTH - NAMED - NAME_LETTER * max(len(_cut(line.name)) for line in plot.lines)
    across = _Scale([x for x, _y in points], LEFT, end)
    up = _Scale([0, *(y for _x, y in points)], HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" width="100%" font-family="system-ui, sans-serif" font-size="13" '
        f'aria-label="{escape(_safe(plot.title))}">',
        f"<title>{_text(plot.title)}</title><desc>{_text(plot.about)}</desc>",
        '<g class="plot-grid" stroke="currentColor" stroke-opacity="0.25">',
        *(f'<path d="M{LEFT} {up(value)}H{end}"/>' for value in up.ticks()),
        '</g><g class="plot-labels" fill="currentColor" text-anchor="end">',
        *(f'<text x="{LEFT - 6}" y="{up(value) + 4}">{value}</text>' for value in up.ticks()),
        f'<text x="{LEFT}" y="{HEIGHT - 14}" text-anchor="start">{_text(plot.begin)}</text>',
        f'<text x="{end}" y="{HEIGHT - 14}">{_text(plot.end)}</text></g>',
        *_lines(plot.lines, across, up, end, HEIGHT - BOTTOM),
        "</svg>",
    ]
    return "".join(parts)


class _Scale:
    """Numbers as pixels of an axis."""

    def __init__(self, numbers: Sequence[int], low: int, high: int) -> None:
        self.least, self.most = min(numbers), max(numbers)
        self._low, self._high = low, high

    def __call__(self, number: int) -> int:
        """Return the pixel of a number."""
        span = self.most - self.least
        return (
            self._low
            if not span
            else self._low + (number - self.least) * (self._high - self._low) // span
        )

    def ticks(self) -> list[int]:
        """Return round numbers for the grid."""
        span = max(1, self.most - self.least)
        step = next(
            size
            for power in range(12)
            for size in (10**power, 2 * 10**power, 5 * 10**power)
            if span <= TICKS * size
        )
        first = -(-self.least // step) * step
        return list(range(first, self.most + 1, step))


def _lines(lines: Sequence[Line], across: _Scale, up: _Scale, end: int, bottom: int) -> list[str]:
    """Return the lines, each with its name beside their end; names keep their distance."""
    parts = []
    rows = _apart([up(line.points[-1][1]) for line in lines], bottom)
    for number, (line, row) in enumerate(zip(lines, rows, strict=True)):
        colour = f"var(--plot-{number + 1}, {COLOURS[number % len(COLOURS)]})"
        dash = DASHES[number % len(DASHES)]
        places = [(across(x), up(y)) for x, y in line.points]
        path = "L".join(f"{x} {y}" for x, y in places)
        parts.append(
            f'<g class="plot-line plot-line-{number + 1}" stroke="{colour}" fill="none" '
            f'stroke-width="2.5"><path d="M{path}" stroke-dasharray="{dash}" '
            f'stroke-linejoin="round"/><path d="M{end + 6} {row}h22" '
            f'stroke-dasharray="{dash}"/></g><text class="plot-name" x="{end + 34}" y="{row + 4}" '
            f'fill="currentColor">{_text(_cut(line.name))}</text>'
        )
    return parts


def _apart(rows: Sequence[int], space: int) -> list[int]:
    """Return the rows of names, moved so that no two lie upon each other.

    Their order from the top stays the same, and none lies below `space`.
    """
    found = list(rows)
    taken = TOP - LETTER
    order = sorted(range(len(rows)), key=lambda place: rows[place])
    for place in order:
        taken = found[place] = max(found[place], taken + LETTER)
    for place in reversed(order):
        space = found[place] = min(found[place], space)
        space -= LETTER
    return found


def _cut(name: str) -> str:
    return name if len(name) <= NAME else name[: NAME - 1] + "…"


def _text(text: str) -> str:
    return escape(_safe(text), quote=False)


def _safe(text: str) -> str:
    """Return text without the characters that XML cannot hold: nicks come from others."""
    return "".join(
        letter if letter.isprintable() or letter in "\u2068\u2069" else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )
