"""A sheet above a page: its text, the items to choose from, its keys, and its place on the screen.

A kind of sheet is a class, beside the page or the table to which it belongs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from client.i18n.translation import _, later, pgettext
from client.session.messages import Command, Quit
from client.session.status import Status
from client.ui.drawing.canvas import Canvas, Rect, columns_of
from client.ui.screen.parts import ListItem, columns_beside, list_items
from client.ui.screen.state import Page, ScreenState
from client.ui.wrap import wrapped

if TYPE_CHECKING:  # it loads the table, and the lobby is drawn before
    from p2p.table.events import Event

Result = tuple[ScreenState, tuple[Command, ...]]

WIDEST = 76
WHOLE, END = 10_000, -1
"""Lines to either end of any sheet; a scroll counted from the last line is negative."""


@dataclass(frozen=True)
class Overlay:
    """A sheet, and how far our player has come on it."""

    title: str = ""
    lines: tuple[str, ...] = ()
    scroll: int = 0
    cursor: int = 0

    NAME: ClassVar[str]
    """How the page and its style call such a sheet."""
    SCROLLED: ClassVar[bool] = False
    """Whether its text may be long."""
    ANSWERED: ClassVar[bool] = False
    """Whether it stays until Enter or Esc."""
    ABOVE: ClassVar[bool] = False
    """Whether it lies above the middle, so that our own cards, and whose turn it is, stay in
    sight."""
    NUMBERED: ClassVar[bool] = True
    """Whether a digit chooses an item."""
    STYLE: ClassVar[str] = "strong"

    def items(self, state: ScreenState) -> list[ListItem]:
        """Return what can be chosen."""
        return []

    def now(self, state: ScreenState) -> Overlay:
        """Return the sheet with the text of now, where that changes while it is open."""
        return self

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        """Return the sheet after news; None if it has no meaning any more."""
        return self

    def at(self, state: ScreenState, cursor: int) -> Overlay:
        """Return the sheet with another item chosen."""
        return replace(self, cursor=cursor)

    def own_keys(self, state: ScreenState) -> list[tuple[str, str]]:
        """Return the keys that only this kind of sheet has."""
        return []

    def keys(self, state: ScreenState, *, fits: bool) -> list[tuple[str, str]]:
        """Return the keys that mean something; a sheet that fits the screen is not scrolled."""
        moves = [("↑↓", _("scroll"))] if self.SCROLLED and not fits else []
        if self.items(state):
            moves = [("↑↓", _("choose")), ("Enter", _("go"))]
        return [*moves, *self.own_keys(state), ("Esc", _("back"))]

    def press(self, state: ScreenState, key: str) -> Result | None:
        """Do what a key of its own does; None if it is no such key."""
        return None

    def chosen(self, state: ScreenState, choice: str) -> Result:
        """Do what was chosen; the sheet is put away already."""
        return state, ()

    def entered(self, state: ScreenState) -> Result:
        """Do what Enter does; the sheet is put away already."""
        if items := self.items(state):
            return self.chosen(state, items[self.cursor % len(items)].id)
        return state, ()

    def moved(self, state: ScreenState, by: int) -> Overlay:
        """Return the sheet scrolled, or with another item chosen."""
        if items := self.items(state):
            edge = len(items) - 1 if by > 0 else 0
            step = 1 if by > 0 else -1
            return self.at(state, edge if abs(by) == WHOLE else (self.cursor + step) % len(items))
        if abs(by) == WHOLE:
            return replace(self, scroll=END if by > 0 else 0)
        if self.scroll < 0:
            return replace(self, scroll=min(END, self.scroll + by))
        return replace(self, scroll=max(0, min(self.scroll + by, 4 * len(self.lines))))

    # On the full screen.

    def fits(self, canvas: Canvas) -> bool:
        """Whether all of its text is in sight."""
        lines = self.broken(canvas)
        return len(lines) <= self.place(canvas, lines, 0).height - 2

    def broken(self, canvas: Canvas) -> list[str]:
        """Return its lines, broken for its width."""
        width = self.width(canvas) - 4
        return [part for line in self.lines for part in wrapped(line, width)]

    def width(self, canvas: Canvas) -> int:
        """Return how many columns it takes."""
        return min(WIDEST, self.columns(canvas) - 4)

    def columns(self, canvas: Canvas) -> int:
        """Return how many columns it may cover: the remarks beside a table stay in sight."""
        return canvas.width - (columns_beside(canvas) if self.ABOVE else 0)

    def top(self, canvas: Canvas, height: int) -> int:
        """Return its first row."""
        return 1 if self.ABOVE else max(1, (canvas.height - height) // 2)

    def place(self, canvas: Canvas, lines: list[str], items: int) -> Rect:
        """Return where it lies with so many lines and items."""
        width = self.width(canvas)
        height = min(canvas.height - 3, len(lines) + bool(lines and items) + items + 2)
        return Rect((self.columns(canvas) - width) // 2, self.top(canvas, height), width, height)

    def draw(self, state: ScreenState, canvas: Canvas) -> None:
        """Draw it above the page."""
        items = self.items(state)
        lines = self.broken(canvas)
        place = self.place(canvas, lines, len(items))
        if items and not self.lines:
            column, about = (
                max(columns_of(text) for text in texts)
                for texts in ([item.text for item in items], [item.about for item in items])
            )
            width = min(place.width, max(30, column + about + 10))
            place = replace(place, x=(canvas.width - width) // 2, width=width)
        # A free column on each side: otherwise a frame of the page stands beside that of the sheet.
        canvas.fill(Rect(place.x - 1, place.y, place.width + 2, place.height), "")
        title = [(self.STYLE, self.title)] if self.title else ""
        inside = canvas.box(place, self.STYLE, title, double=self.STYLE == "alarm")
        if items:
            column = max(columns_of(item.text) for item in items) + 4
            for row, line in enumerate(lines):
                canvas.write(inside.x + 1, inside.y + row, line, "", inside.width - 2)
            above = len(lines) + bool(lines)
            below = Rect(inside.x, inside.y + above, inside.width, inside.height - above)
            list_items(canvas, below, items, items[self.cursor % len(items)].id, column=column)
            return
        last = len(lines) - inside.height
        first = max(0, min(self.scroll, last) if self.scroll >= 0 else last + 1 + self.scroll)
        for row, line in enumerate(lines[first : first + inside.height]):
            canvas.write(inside.x + 1, inside.y + row, line, "", inside.width - 2)
        if first + inside.height < len(lines):
            canvas.write(place.right - 6, place.bottom - 1, " ▼ ", self.STYLE)
        if first > 0:
            canvas.write(place.right - 6, place.y, " ▲ ", self.STYLE)
        if hint := self.hint():
            canvas.write(place.x + 2, place.bottom - 1, f" {hint} ", "dim")

    def hint(self) -> str:
        """Return what its lower edge says of its key."""
        return ""


class TextSheet(Overlay):
    """A text that is read, and scrolled where it is long."""

    NAME = "text"
    SCROLLED = True


class ReadSheet(Overlay):
    """A text that is put away once it is read."""

    def keys(self, state: ScreenState, *, fits: bool) -> list[tuple[str, str]]:
        return [("Enter", pgettext("key", "continue"))]

    def hint(self) -> str:
        return _("Enter: continue")


class CountSheet(ReadSheet):
    """The count of a deal."""

    NAME = "count"
    ABOVE = True


@dataclass(frozen=True)
class AlarmSheet(ReadSheet):
    """An alarm: somebody has cheated, or the match cannot go on."""

    NAME = "alarm"
    ANSWERED = True
    STYLE = "alarm"
    event: Event | None = None
    """The event that it tells of."""


class QuestionSheet(Overlay):
    """A question whether to go, or to go on without somebody: Enter does it, and Esc does not."""

    ANSWERED = True
    GO: ClassVar[str]
    STAY: ClassVar[str]
    """The two answers."""
    FINAL: ClassVar[bool] = True
    """Whether one of them ends something."""

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        """Return the question; it has no meaning at a match that is over."""
        return None if state.done and state.page is not Page.PHONES else self

    def keys(self, state: ScreenState, *, fits: bool) -> list[tuple[str, str]]:
        return [("Enter", _(self.GO)), ("Esc", _(self.STAY))]

    def entered(self, state: ScreenState) -> Result:
        raise NotImplementedError


class QuitQuestion(QuestionSheet):
    """Whether the program ends."""

    NAME = "quit"
    GO, STAY = later("close"), later("stay")

    def entered(self, state: ScreenState) -> Result:
        return state, (Quit(Status.OK),)
