"""The analysis of a match that is stepped through: its key, and the sheet of its moments.

The key begins the analysis. The sheet shows the costliest moments.
"""

from __future__ import annotations

from dataclasses import replace

from client.i18n.translation import _, keyed, letter
from client.ui.analysis import amount, compared, moment, moments, step_at, summary
from client.ui.model import Names
from client.ui.screen.messages import Analyse
from client.ui.screen.parts import ListItem
from client.ui.screen.state import Overlay, Result, ScreenState

ANALYSE = keyed("y: analysis")
"""The key that is a letter."""


def key(state: ScreenState) -> list[tuple[str, str]]:
    """Return the key that begins the analysis of the shown match, or shows it again.

    There is none if no seat in the match is ours.
    """
    able = (
        state.replay.opened is not None
        and bool(state.replay.steps)
        and state.replay.steps[0][0].seat is not None
    )
    return [(letter(ANALYSE), _("analysis"))] if able else []


def begun(state: ScreenState) -> Analyse | None:
    """Return the command that analyses the shown match; None if that has been done."""
    seat = state.replay.steps[0][0].seat
    if state.replay.opened is None or state.replay.opened.analysis is not None or seat is None:
        return None
    return Analyse(state.replay.opened.path, seat)


class AnalysisSheet(Overlay):
    """The costliest moments of a match, one of them in words."""

    NAME = "analysis"

    def items(self, state: ScreenState) -> list[ListItem]:
        return items(state)

    def at(self, state: ScreenState, cursor: int) -> Overlay:
        return sheet(state, cursor)

    def chosen(self, state: ScreenState, choice: str) -> Result:
        return replace(state, replay=replace(state.replay, step=int(choice))), ()


def sheet(state: ScreenState, cursor: int = 0) -> AnalysisSheet:
    """Return the sheet of the analysis, with one of its moments chosen."""
    assert state.replay.opened is not None
    assert state.replay.opened.analysis is not None
    analysis, names = state.replay.opened.analysis, _names(state)
    costliest = analysis.costliest
    said = (
        [moment(analysis, costliest[cursor % len(costliest)], state.replay.opened.records, names)]
        if costliest
        else []
    )
    return AnalysisSheet(_("Analysis"), (*summary(analysis, names), *said), cursor=cursor)


def items(state: ScreenState) -> list[ListItem]:
    """Return the costliest moments; the id of each is the number of its step, from 0."""
    if state.replay.opened is None or state.replay.opened.analysis is None:
        return []
    analysis, found = state.replay.opened.analysis, []
    for one in analysis.costliest:
        step = step_at(state.replay.opened.records, one.record)
        found.append(
            ListItem(
                str(step), _("Step {step}").format(step=step + 1), amount(analysis.unit, one.lost)
            )
        )
    return found


def said_at(state: ScreenState) -> tuple[str, ...]:
    """Return the sentences of the costliest moments at the shown step."""
    if state.replay.opened is None or state.replay.opened.analysis is None:
        return ()
    return moments(state.replay.opened.analysis, state.replay.opened.records, _names(state)).get(
        state.replay.step, ()
    )


def titled(state: ScreenState, item: str) -> tuple[str, tuple[str, ...]]:
    """Return the title of one of the items, and its sentences, the better move first."""
    assert state.replay.opened is not None
    assert state.replay.opened.analysis is not None
    analysis, records = state.replay.opened.analysis, state.replay.opened.records
    one = next(one for one in analysis.costliest if str(step_at(records, one.record)) == item)
    played, better, lost = compared(analysis, one, _names(state))
    shows = _("Show step {step}, deal {deal}").format(step=int(item) + 1, deal=one.deal)
    return shows, (better, _("Played: {move}").format(move=played), lost)


def about(state: ScreenState) -> tuple[str, ...]:
    """Return the sentences about the whole match."""
    if state.replay.opened is None or state.replay.opened.analysis is None:
        return ()
    return tuple(summary(state.replay.opened.analysis, _names(state)))


def _names(state: ScreenState) -> Names:
    """Return the names at the table: our player, who reads this, is called `you`."""
    return state.replay.steps[0][0].names
