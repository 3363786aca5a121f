"""The match history: resume a match, or step through it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from client.i18n.translation import _, keyed, later, letter, ngettext
from client.storage.totals import totals
from client.ui.analysis import progress_line
from client.ui.drawing.canvas import Canvas, Rect
from client.ui.games.screen import Picked
from client.ui.model import Model
from client.ui.plain.history import (
    deletion_of,
    details_of,
    in_a_line,
    match_title,
    others_of,
    totals_lines,
    unverified,
)
from client.ui.screen import analysis, play
from client.ui.screen.messages import Abandon, Delete, OpenLog, Resume, Share
from client.ui.screen.overlay import QuestionSheet, TextSheet
from client.ui.screen.parts import ListItem, along, foot_line, list_items, title_line
from client.ui.screen.state import Page, Replay, Result, ScreenState
from client.ui.wrap import wrapped

if TYPE_CHECKING:  # it loads the table, and the lobby is drawn before
    from client.storage.history import MatchSummary

COLUMN = 29
"""Columns of a match's day and game."""
TOTALS, LEAVE = keyed("t: totals"), keyed("x: leave for good")
DELETE = keyed("d: delete")

SHARE = "share"
"""The key that asks for the page of a match. No keyboard has it: only a browser saves the page."""


def items(state: ScreenState) -> list[ListItem]:
    """Return the matches, the newest first."""
    return [
        ListItem(summary.match, f"{summary.day}  {match_title(summary)}", in_a_line(summary))
        for summary in state.kept.history
    ]


def draw(state: ScreenState, canvas: Canvas) -> None:
    """Draw the matches."""
    title_line(canvas, title(), "", reading(state))
    below = [part for line in about(state) for part in wrapped(line, canvas.width - 6)][
        : canvas.height // 3
    ]
    inside = canvas.box(Rect(1, 1, canvas.width - 2, canvas.height - 3 - len(below)))
    for row, line in enumerate(below, inside.bottom + 1):
        canvas.write(3, row, line, "dim", canvas.width - 6)
    if state.kept.history:
        list_items(
            canvas, inside, items(state), state.chosen or state.kept.history[0].match, column=COLUMN
        )
    else:
        canvas.centre(inside, inside.y + 1, none(), "dim")
    foot_line(canvas, [(state.busy, ""), *keys(state)] if state.busy else keys(state), state.notice)


def title() -> str:
    """Return what stands above the page."""
    return _("Past matches")


def none() -> str:
    """Say that there is no match yet."""
    return _("No matches yet.")


def reading(state: ScreenState) -> str:
    """Say how many logs are still to be read; nothing if none is."""
    return (
        ngettext("reading {count} more match", "reading {count} more matches", state.unread).format(
            count=state.unread
        )
        if state.unread
        else ""
    )


def about(state: ScreenState) -> list[str]:
    """Return the sentences that stand below the list, about the chosen match.

    They also tell how far they can be trusted.
    """
    summary = chosen_match(state)
    return [*details_of(summary), unverified()] if summary is not None else []


def chosen_match(state: ScreenState) -> MatchSummary | None:
    """Return the chosen match; the first if none is chosen."""
    wanted = state.chosen or (state.kept.history[0].match if state.kept.history else "")
    return next((summary for summary in state.kept.history if summary.match == wanted), None)


def keys(state: ScreenState) -> list[tuple[str, str]]:
    """Return the keys that mean something now."""
    if state.busy:
        return [("Esc", _("back"))]
    if not state.kept.history:
        return [("Esc", _("back"))]
    summary = chosen_match(state)
    opened = _("play on") if summary is not None and summary.unfinished else _("step through it")
    return [
        ("Enter", opened),
        ("↑↓", _("choose")),
        *leave_key(summary),
        (letter(TOTALS), _("totals")),
        *delete_key(summary),
        ("Esc", _("back")),
    ]


def going_back(summary: MatchSummary | None) -> str:
    """Say that we are on the way back to a match."""
    if summary is None:
        return _("Going back to the table …")
    return _("Going back to {game} …").format(game=match_title(summary))


def leave_key(summary: MatchSummary | None) -> list[tuple[str, str]]:
    """Return the key that leaves a match for good, if it is one that waits for us."""
    return [(letter(LEAVE), _("leave"))] if summary is not None and summary.unfinished else []


def delete_key(summary: MatchSummary | None) -> list[tuple[str, str]]:
    """Return the key that deletes a match, if none waits for us there."""
    return [(letter(DELETE), _("delete"))] if summary is not None and not summary.unfinished else []


class TotalsSheet(TextSheet):
    """How our player has fared."""

    NAME = "totals"


class DeleteQuestion(QuestionSheet):
    """Whether our player deletes the chosen match."""

    NAME = "delete"
    GO, STAY = later("delete"), later("keep it")

    def entered(self, state: ScreenState) -> Result:
        return delete(state)


class AbandonQuestion(QuestionSheet):
    """Whether our player leaves the chosen match for good."""

    NAME = "abandon"
    GO, STAY = later("leave"), later("keep the match")

    def entered(self, state: ScreenState) -> Result:
        return abandon(state)


def ask_to_delete(state: ScreenState, summary: MatchSummary) -> ScreenState:
    """Ask whether our player deletes a match for good, and say which files go."""
    said = tuple(deletion_of(summary))
    return replace(state, overlay=DeleteQuestion(_("Delete this match?"), said))


def delete(state: ScreenState) -> Result:
    """Delete the chosen match: our player has been asked. Its neighbour is chosen instead."""
    summary = chosen_match(state)
    if summary is None:
        return state, ()
    at, names = state.kept.history.index(summary), [one.match for one in state.kept.history]
    beside = [*names[at + 1 : at + 2], *reversed(names[:at]), ""]
    return replace(state, chosen=beside[0], busy=_("Deleting the match …")), (
        Delete(summary.match),
    )


def ask_to_leave(state: ScreenState, summary: MatchSummary) -> ScreenState:
    """Ask whether our player leaves a match for good, although nobody else may be there."""
    if summary.alone:
        price = _("Only computer players play with you: the match ends at once, and you lose it.")
        then = _("The match will not be listed as unfinished any more.")
    else:
        two = later("If you leave for good, the match ends, and you lose it.")
        more = later(
            "If you leave for good, you lose. The others end the match, or go on without you."
        )
        price = _(two if len(summary.nicks) == 2 else more)
        then = _(
            "The match will not be listed as unfinished any more. Your program tells the others "
            "when it meets theirs on a network."
        )
    said = (f"{match_title(summary)} · {', '.join(others_of(summary))}", price, then)
    return replace(state, overlay=AbandonQuestion(_("Leave the match?"), said))


def abandon(state: ScreenState) -> Result:
    """Leave the chosen match for good: our player has been asked."""
    name = state.chosen.removeprefix("back:") or (
        state.kept.history[0].match if state.kept.history else ""
    )
    chosen = "" if state.page is Page.LOBBY else state.chosen  # its line goes from there
    return replace(state, chosen=chosen, busy=_("Leaving the match …")), (Abandon(name),)


def press(state: ScreenState, key: str) -> Result | None:
    """Choose a match, and open it."""
    wanted = state.chosen or (state.kept.history[0].match if state.kept.history else "")
    if key == letter(TOTALS) and state.kept.history:
        lines = tuple(totals_lines(totals(state.kept.history)))
        return replace(state, overlay=TotalsSheet(_("Totals"), lines)), ()
    if leave_key(summary := chosen_match(state)) and key == letter(LEAVE):
        assert summary is not None
        return ask_to_leave(replace(state, chosen=summary.match), summary), ()
    if delete_key(summary) and key == letter(DELETE):
        assert summary is not None
        return ask_to_delete(replace(state, chosen=summary.match), summary), ()
    if reached := along(items(state), wanted, key):
        return replace(state, chosen=reached), ()
    match key:
        case "escape":
            return replace(state, page=Page.LOBBY, chosen="history"), ()
        case "enter":
            if summary is None:
                return None
            if summary.unfinished:
                return replace(state, busy=going_back(summary)), (Resume(summary.match),)
            return replace(state, busy=_("Checking the log …")), (OpenLog(summary.path),)
        case "share" if summary is not None and not summary.unfinished:
            share = Share(summary.path, f"{summary.game or 'match'}-{summary.day}.html")
            return replace(state, busy=_("Making the page …")), (share,)
    return None


def stopped(state: ScreenState) -> ScreenState:
    """Return the state when a log is no longer read or analysed.

    A match that is stepped through stays where it is, and so does a table.
    """
    back = state.back if state.page is Page.REPLAY else Page.HISTORY
    return replace(state, busy="", back=back)


def first_choice(steps: Sequence[tuple[Model, tuple[str, ...]]]) -> int:
    """Return the first step after which somebody is to choose, or 0 if there is none.

    Before that step, there is no card to be seen.
    """
    return next(
        (
            place
            for place, (model, _told) in enumerate(steps)
            if model.view is not None and model.view.turn
        ),
        0,
    )


def at_step(state: ScreenState) -> ScreenState:
    """Return the table as it was after the shown step, with its lines.

    If a moment leads to the step, the better move is added. Nothing of the table is shown at which
    our player may still sit.
    """
    model, told = state.replay.steps[state.replay.step]
    return replace(
        state,
        match=replace(model, asked=False),
        log=(*told, *analysis.said_at(state)),
        moment=None,
        picked=Picked(),
        remarks=(),
        again=(),
    )


def draw_step(state: ScreenState, canvas: Canvas) -> None:
    """Draw the table as it was after a step."""
    shown = [(state.busy or step_of(state), ""), *step_keys(state)]
    play.draw(at_step(state), canvas, shown)
    foot_line(canvas, shown, state.notice)


def step_of(state: ScreenState) -> str:
    """Say which step is shown."""
    return _("{step} of {steps}").format(step=state.replay.step + 1, steps=len(state.replay.steps))


def step_keys(state: ScreenState) -> list[tuple[str, str]]:
    """Return the keys that go to another step, and the key of the analysis.

    While something is computed, return only the key that goes back.
    """
    if state.busy:
        return [("Esc", _("back"))]
    steps = [("←→", _("step")), ("PgUp PgDn", _("ten steps")), ("Home End", _("ends"))]
    return [*steps, *analysis.key(state), ("Esc", _("back"))]


def press_step(state: ScreenState, key: str) -> Result | None:
    """Go to another step."""
    last = len(state.replay.steps) - 1
    to = {
        "left": state.replay.step - 1,
        "up": state.replay.step - 1,
        "right": state.replay.step + 1,
        "down": state.replay.step + 1,
        " ": state.replay.step + 1,
        "enter": state.replay.step + 1,
        "pageup": state.replay.step - 10,
        "pagedown": state.replay.step + 10,
        "home": 0,
        "end": last,
    }
    if key == "escape":
        return replace(state, page=state.back, back=Page.HISTORY, replay=Replay()), ()
    if analysis.key(state) and key == letter(analysis.ANALYSE):
        command = analysis.begun(state)
        if command is None:
            return replace(state, overlay=analysis.sheet(state)), ()
        return replace(state, busy=progress_line(0, 1)), (command,)
    return (at(state, to[key]), ()) if key in to else None


def at(state: ScreenState, step: int) -> ScreenState:
    """Return the state at a step, or at the nearest one that there is."""
    return replace(
        state, replay=replace(state.replay, step=max(0, min(step, len(state.replay.steps) - 1)))
    )
