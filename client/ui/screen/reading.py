"""The sheets of a game that are read: its rules, and the pages of its lesson."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from client.i18n.translation import _, keys_in_brackets
from client.ui.drawing.canvas import Canvas
from client.ui.games import lesson_of, title_of
from client.ui.games.options import rules_of, title, told
from client.ui.games.screen import CHOOSE
from client.ui.games.words import TypedMoves
from client.ui.screen.overlay import ReadSheet, TextSheet
from client.ui.screen.state import WIDEST, ScreenState
from client.ui.screen.table_words import scene_of
from engine.games import GAMES

PARAGRAPH = f"{CHOOSE}paragraph:"
"""Before the number of a part of a page of a lesson: as a key it shows that part."""
MENU = f"{CHOOSE}menu"
"""As a key it opens the menu above a page of a lesson, which stays to be read."""
TABLE_BELOW = 15
"""Rows that a page of a lesson leaves to the table and our own cards, if it can without blank
lines."""
NEEDED_BELOW = 10
"""Rows below a page of a lesson in which the title, the cards of the table as chips, the turn and
our own cards have room."""


@dataclass(frozen=True)
class RulesSheet(TextSheet):
    """The rules of a game, with the options of the table if there is one."""

    game: str = ""
    options: Mapping[str, Any] | None = None


class LessonSheet(ReadSheet):
    """A page of a lesson."""

    NAME = "lesson"
    ABOVE = True

    def broken(self, canvas: Canvas) -> list[str]:
        """Return its lines; without the blank ones if the table needs the room."""
        lines = super().broken(canvas)
        return [line for line in lines if line or len(lines) <= canvas.height - TABLE_BELOW]

    def width(self, canvas: Canvas) -> int:
        return min(WIDEST, self.columns(canvas) - 2)

    def top(self, canvas: Canvas, height: int) -> int:
        """Return its first row: a long page takes the title's row too."""
        return 0 if height > canvas.height - NEEDED_BELOW else 1


def lesson_sheet(state: ScreenState) -> LessonSheet:
    """Return the page of the lesson that is to be read now."""
    lines = [part for line in state.lesson[0] for part in ("", line)]
    return LessonSheet(_("Lesson"), tuple(lines[1:]))


def held_sheet(state: ScreenState) -> LessonSheet | None:
    """Return the words of a lesson about the held table, if there are any."""
    words = state.held[0].words
    return LessonSheet(_("Lesson"), (words,)) if words else None


def with_lesson_page(state: ScreenState) -> ScreenState:
    """Return the state with the page of our turn once more, and with nothing picked.

    The keys that the page names begin there.
    """
    state = replace(state, picked=state.picked.back(), proposed=("", ""))
    lesson = lesson_of(state.match.game, state.match.options)
    page = lesson.page(state.match, scene_of(state), state.explained)
    return replace(state, lesson=(*state.lesson, tuple(page)))


def rules_sheet(game: str, options: Mapping[str, Any] | None = None) -> RulesSheet:
    """Return the rules of a game to be read, one turn first, step by step.

    The options of the table follow, if there is a table.

    No line shows what the plain interface takes.
    """
    turn = [
        keys_in_brackets(_("One turn (with the keys in brackets):")),
        *(f"  {keys_in_brackets(step)}" for step in lesson_of(game, options).one_turn()),
        "",
    ]
    if options:
        turn += [_("At this table:"), *(f"  {line}" for line in told(game, options)), ""]
    rules = [line for line in rules_of(game, options) if not isinstance(line, TypedMoves)]
    lines = [
        part
        for line in rules
        for part in (named(line, game), *([""] if not line.startswith("  ") else []))
    ]
    return RulesSheet(title_of(game), (*turn, *lines), game=game, options=options)


def named(line: str, game: str) -> str:
    """Return a line of the rules with options called as in the form, if they are changed."""
    for option in GAMES[game].choices:
        line = line.replace(f"`{option}`", _("“{words}”").format(words=title(game, option)))
    return line
