"""The words of an analysis: how many choices were compared, and the moments that lost most."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from client.i18n.translation import _, decimal, later, ngettext
from client.ui.games import lesson_of, words_of
from client.ui.model import Names

if TYPE_CHECKING:  # it loads the table, and the lobby is drawn before
    from client.session.analysis import Analysis, Judged, NoAnalysisError

EXACT = 10
"""Wins from which on no decimal is written: the numbers are estimates."""
WHY_NOT = {
    "not-over": later("This match is not over, and is not analysed before it is."),
    "no-rater": later(
        "The computer players of this game do not rate its moves, so there is no analysis."
    ),
}


def refusal(error: NoAnalysisError) -> str:
    """Say why there is no analysis."""
    return _(WHY_NOT[error.why])


def summary(analysis: Analysis, names: Names) -> list[str]:
    """Return the sentences above the moments."""
    count, hidden = len(analysis.judged), analysis.hidden
    line = ngettext(
        "{count} choice of {who} was compared with the strongest computer player's.",
        "{count} choices of {who} were compared with the strongest computer player's.",
        count,
    )
    if analysis.seat == names.me:
        line = ngettext(
            "{count} of your choices was compared with the strongest computer player's.",
            "{count} of your choices were compared with the strongest computer player's.",
            count,
        )
    found = [
        line.format(count=count, who=names.label(analysis.seat)),
        _("Turns with only one possible move are left out."),
    ]
    if hidden:
        left_out = ngettext(
            "{count} choice is left out: cards of that hand never became public.",
            "{count} choices are left out: cards of those hands never became public.",
            hidden,
        )
        found.append(left_out.format(count=hidden))
    if not count:
        return found
    if not analysis.costliest:
        return [*found, _("Every choice was as good as the best.")]
    average = _("On average, a choice cost {lost}. This is an estimate.")
    return [*found, average.format(lost=amount(analysis.unit, analysis.average))]


def moment(analysis: Analysis, one: Judged, records: Sequence[int], names: Names) -> str:
    """Say a moment in a line; `records` are the numbers of the records of the shown steps."""
    return f"{when(one, records)}: {' '.join(compared(analysis, one, names))}"


def when(one: Judged, records: Sequence[int]) -> str:
    """Return the step and the deal of a moment."""
    return _("Step {step}, deal {deal}").format(
        step=step_at(records, one.record) + 1, deal=one.deal
    )


def compared(analysis: Analysis, one: Judged, names: Names) -> tuple[str, str, str]:
    """Return three parts: the move played, a better one with its reason, and the difference."""
    played, _best, lost = _in_short(analysis, one, names)
    return played, _better(analysis, names, one), lost


def moments(analysis: Analysis, records: Sequence[int], names: Names) -> dict[int, tuple[str, ...]]:
    """Return the sentences of the costliest moments, by the step that shows the table.

    Steps are numbered from 0. Reasons are left out: these sentences lie on the cards of the table.
    """
    found: dict[int, tuple[str, ...]] = {}
    for one in analysis.costliest:
        step = step_at(records, one.record)
        found[step] = (*found.get(step, ()), " ".join(_in_short(analysis, one, names)))
    return found


def step_at(records: Sequence[int], record: int) -> int:
    """Return the step, from 0, that shows the table after a record.

    `records` are the numbers of the steps' records.
    """
    return max(0, bisect_right(records, record) - 1)


def told(analysis: Analysis, records: Sequence[int], names: Names) -> list[str]:
    """Return the whole analysis in lines."""
    found = summary(analysis, names)
    if analysis.costliest:
        found.append(_("The costliest moments:"))
    return found + [
        f"{place}. {moment(analysis, one, records, names)}"
        for place, one in enumerate(analysis.costliest, 1)
    ]


def amount(unit: str, lost: float) -> str:
    """Return a difference with its unit.

    The unit is wins among so many matches as give a percentage, or points of the game.
    """
    if unit == "win":
        wins = 100 * lost
        written = str(round(wins)) if wins >= EXACT else decimal(wins)
        return _("{amount} wins in 100 matches").format(amount=written)
    return _("{amount} points").format(amount=decimal(lost))


def progress_line(done: int, whole: int) -> str:
    """Say how far an analysis is."""
    return _("Analysing: {percent} %").format(percent=100 * done // max(1, whole))


def _in_short(analysis: Analysis, one: Judged, names: Names) -> tuple[str, str, str]:
    """Return the move played, the better one and the difference, each in a sentence."""
    played, best = (_move(analysis, names, text) for text in (one.played, one.best))
    lost = amount(analysis.unit, one.lost)
    return (
        played,
        _("Better: {best}").format(best=best),
        _("It cost {lost}.").format(lost=lost),
    )


def _better(analysis: Analysis, names: Names, one: Judged) -> str:
    """Name the better move, with its reason, in the words of a hint."""
    reason = " ".join(lesson_of(analysis.game).reason(names, one.view, one.better))
    if analysis.seat == names.me:
        return _("Better: {best}").format(best=reason)
    _played, best, _lost = _in_short(analysis, one, names)
    said = _("A hint would have said: “{reason}”").format(reason=reason)
    return f"{best} {said}"


def _move(analysis: Analysis, names: Names, text: str) -> str:
    said = words_of(analysis.game).hinted(names, analysis.seat, text) or text
    return said if said.endswith((".", "!", "?", "”")) else f"{said}."
