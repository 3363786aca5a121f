"""Matches on our disk: to go back into, or to be stepped through; and the stepping."""

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
from client.ui.screen.state import Desk, Page

if TYPE_CHECKING:  # it loads the table, and the lobby is drawn before
    from client.storage.history import Past

Result = tuple[Desk, tuple[Command, ...]]


def items(desk: Desk) -> list[Item]:
    """Return the matches, the newest first."""
    return [Item(past.match, f"{past.when}  {_(words_of(past.game).title)}", _about(past)) for past in desk.past]


def draw(desk: Desk, canvas: Canvas) -> None:
    """Draw the matches."""
    title_line(canvas, _("Past matches"), "")
    inside = canvas.box(Rect(1, 1, canvas.width - 2, canvas.height - 3))
    if desk.past:
        list_items(canvas, inside, items(desk), desk.chosen or desk.past[0].match, column=32)
    else:
        canvas.centre(inside, inside.y + 1, _("There is none yet."), "dim")
    keys = [("↑↓", _("choose")), ("Enter", _("step through it, or go back into it")), ("Esc", _("back"))]
    foot_line(canvas, [(desk.busy, ""), keys[-1]] if desk.busy else keys, desk.notice)


def press(desk: Desk, key: str) -> Result | None:
    """Choose, and take one from the shelf."""
    wanted = desk.chosen or (desk.past[0].match if desk.past else "")
    match key:
        case "escape":
            return replace(desk, page=Page.LOBBY, chosen=""), ()
        case "up" | "down":
            return replace(desk, chosen=after(items(desk), wanted, 1 if key == "down" else -1)), ()
        case "enter":
            past = next((past for past in desk.past if past.match == wanted), None)
            if past is None:
                return None
            if past.unfinished:
                return replace(desk, busy=_("Going back to the table …")), (Resume(past.match),)
            return replace(desk, busy=_("Checking the log …")), (Look(past.path),)
    return None


def draw_step(desk: Desk, canvas: Canvas) -> None:
    """Draw the table as it was after a step, and what was said in it."""
    model, said = desk.steps[desk.step]
    play.draw(replace(desk, match=model, log=said, moment=None), canvas)
    about = _("{step} of {steps}").format(step=desk.step + 1, steps=len(desk.steps))
    keys = [("←→", _("step")), ("PgUp PgDn", _("ten steps")), ("Home End", _("ends")), ("Esc", _("back"))]
    foot_line(canvas, [(about, ""), *keys])


def press_step(desk: Desk, key: str) -> Result | None:
    """Go to another step."""
    last = len(desk.steps) - 1
    to = {
        "left": desk.step - 1,
        "up": desk.step - 1,
        "right": desk.step + 1,
        "down": desk.step + 1,
        " ": desk.step + 1,
        "enter": desk.step + 1,
        "pageup": desk.step - 10,
        "pagedown": desk.step + 10,
        "home": 0,
        "end": last,
    }
    if key == "escape":
        return replace(desk, page=Page.PAST, steps=(), step=0), ()
    return (replace(desk, step=max(0, min(to[key], last))), ()) if key in to else None


def _about(past: Past) -> str:
    names = ", ".join(past.nicks)
    return _("not finished · {names}").format(names=names) if past.unfinished else names
