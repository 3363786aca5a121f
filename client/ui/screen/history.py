"""The match history: resume a match, or step through it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from client.i18n.translation import _
from client.session.messages import Command
from client.ui.drawing.canvas import Canvas, Rect
from client.ui.games import words_of
from client.ui.screen import play
from client.ui.screen.messages import Look, Resume
from client.ui.screen.parts import Item, after, foot_line, list_items, title_line
from client.ui.screen.state import Page, ScreenState

if TYPE_CHECKING:  # it loads the table, and the lobby is drawn before
    from client.storage.history import MatchSummary

Result = tuple[ScreenState, tuple[Command, ...]]


def items(state: ScreenState) -> list[Item]:
    """Return the matches, the newest first."""
    return [
        Item(summary.match, f"{summary.when}  {_(words_of(summary.game).title)}", _about(summary)) for summary in state.history
    ]


def draw(state: ScreenState, canvas: Canvas) -> None:
    """Draw the matches."""
    title_line(canvas, title(), "")
    inside = canvas.box(Rect(1, 1, canvas.width - 2, canvas.height - 3))
    if state.history:
        list_items(canvas, inside, items(state), state.chosen or state.history[0].match, column=32)
    else:
        canvas.centre(inside, inside.y + 1, none(), "dim")
    foot_line(canvas, [(state.busy, ""), *keys(state)] if state.busy else keys(state), state.notice)


def title() -> str:
    """Return what stands above the page."""
    return _("Past matches")


def none() -> str:
    """Say that there is no match yet."""
    return _("There is none yet.")


def keys(state: ScreenState) -> list[tuple[str, str]]:
    """Return the keys that mean something now."""
    if state.busy:
        return [("Esc", _("back"))]
    return [("↑↓", _("choose")), ("Enter", _("step through it, or go back into it")), ("Esc", _("back"))]


def press(state: ScreenState, key: str) -> Result | None:
    """Choose a match, and open it."""
    wanted = state.chosen or (state.history[0].match if state.history else "")
    match key:
        case "escape":
            return replace(state, page=Page.LOBBY, chosen=""), ()
        case "up" | "down":
            return replace(state, chosen=after(items(state), wanted, 1 if key == "down" else -1)), ()
        case "enter":
            summary = next((summary for summary in state.history if summary.match == wanted), None)
            if summary is None:
                return None
            if summary.unfinished:
                return replace(state, busy=_("Going back to the table …")), (Resume(summary.match),)
            return replace(state, busy=_("Checking the log …")), (Look(summary.path),)
    return None


def draw_step(state: ScreenState, canvas: Canvas) -> None:
    """Draw the table as it was after a step, and the lines of that step."""
    model, said = state.steps[state.step]
    play.draw(replace(state, match=model, log=said, moment=None), canvas)
    foot_line(canvas, [(step_of(state), ""), *step_keys()])


def step_of(state: ScreenState) -> str:
    """Say which step is shown."""
    return _("{step} of {steps}").format(step=state.step + 1, steps=len(state.steps))


def step_keys() -> list[tuple[str, str]]:
    """Return the keys that go to another step."""
    return [("←→", _("step")), ("PgUp PgDn", _("ten steps")), ("Home End", _("ends")), ("Esc", _("back"))]


def press_step(state: ScreenState, key: str) -> Result | None:
    """Go to another step."""
    last = len(state.steps) - 1
    to = {
        "left": state.step - 1,
        "up": state.step - 1,
        "right": state.step + 1,
        "down": state.step + 1,
        " ": state.step + 1,
        "enter": state.step + 1,
        "pageup": state.step - 10,
        "pagedown": state.step + 10,
        "home": 0,
        "end": last,
    }
    if key == "escape":
        return replace(state, page=Page.HISTORY, steps=(), step=0), ()
    return (replace(state, step=max(0, min(to[key], last))), ()) if key in to else None


def _about(summary: MatchSummary) -> str:
    names = ", ".join(summary.nicks)
    return _("not finished · {names}").format(names=names) if summary.unfinished else names
