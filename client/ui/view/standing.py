"""A sentence that says who is ahead in a match."""

from __future__ import annotations

from collections.abc import Sequence

from client.i18n.translation import _, listed
from client.ui.view.table_parts import Score


def standing(scores: Sequence[Score], ours: int | None, *, most_wins: bool) -> str:
    """Return who is ahead and by how much, to a player of side `ours`, or to a spectator."""
    points = {one.number: int(one.points) for one in scores}
    best, worst = sorted((max(points.values()), min(points.values())), reverse=most_wins)
    ahead = [one.name for one in scores if points[one.number] == best]
    mine = None if ours is None else points[ours]
    if best == worst and len(scores) > 1:
        return _("All are level, {points} each.").format(points=best)
    if not most_wins:
        return _fewest(ahead, best, mine)
    if len(scores) == 2:
        return _two(ahead, best, worst, mine)
    if mine is None:
        return _("In the lead with {points}: {who}.").format(points=best, who=listed(ahead))
    if mine < best:
        text = _("In the lead with {points}: {who}. You have {mine}.")
        return text.format(points=best, who=listed(ahead), mine=mine)
    if len(ahead) == 1:
        return _("You lead with {points}.").format(points=best)
    return _("You share the lead with {points}.").format(points=best)


def _two(ahead: Sequence[str], best: int, worst: int, mine: int | None) -> str:
    """Return who leads of two sides."""
    if mine is None:
        text = _("In the lead, {points} to {other}: {who}.")
    elif mine == best:
        text = _("You lead, {points} to {other}.")
    else:
        text = _("You are behind, {other} to {points}.")
    return text.format(who=listed(ahead), points=best, other=worst)


def _fewest(ahead: Sequence[str], best: int, mine: int | None) -> str:
    """Return who has the fewest points, where they win."""
    if mine == best:
        return _("You have the fewest points: {points}.").format(points=best)
    said = _("Fewest points, {points}: {who}.").format(points=best, who=listed(ahead))
    ours = _("You have {points}.")
    return said if mine is None else f"{said} {ours.format(points=mine)}"
