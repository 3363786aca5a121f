"""The screen state: all that the full screen shows, frozen.

It has the model of the match, which both interfaces share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from client.i18n.translation import _
from client.session.messages import Command, FoundTable
from client.ui.drawing.canvas import Canvas, Rect, columns_of
from client.ui.games.screen import Moment, Picked
from client.ui.model import MatchPhase, Model
from client.ui.screen.kept import KeptState
from client.ui.screen.parts import ListItem, columns_beside, list_items
from client.ui.wrap import wrapped
from engine.core.events import GameEvent
from engine.core.moves import Face, Seat, Slot

if TYPE_CHECKING:  # it loads the table, and the lobby is drawn before
    from client.session.analysis import Analysis
    from p2p.table.events import Moved

Result: TypeAlias = "tuple[ScreenState, tuple[Command, ...]]"
WIDEST = 76
WHOLE, END = 10_000, -1
"""`WHOLE` scrolls to either end of a sheet. A negative scroll counts from the last line."""
LOG = 400
"""Lines that are kept to be read again."""
SEEN = 80
"""Faces of our own cards that are kept, to show them in a table of the last deal."""
HELD = 8
"""Tables that are kept for our player to see; of more the oldest are dropped."""


class Page(Enum):
    """The page that fills the screen."""

    LOBBY = "lobby"
    OPEN = "open"
    """The form for a new table."""
    TABLE_SETUP = "table-setup"
    """A table that is filling."""
    PLAY = "play"
    HISTORY = "history"
    REPLAY = "replay"
    SETTINGS = "settings"
    PHONES = "phones"
    """The phones that play through this program."""


@dataclass(frozen=True)
class Held:
    """The table as it stood when a deal ended or a seat went over; shown until a key is pressed."""

    match: Model
    log: tuple[str, ...]
    words: str = ""
    """In a lesson: the events at it since our last turn, in words."""


@dataclass(frozen=True)
class OpenedLog:
    """A match from our disk that is stepped through: its log, its records and its analysis.

    There is a record for each step. The analysis is there once it is made.
    """

    path: str
    records: tuple[int, ...]
    analysis: Analysis | None = None


@dataclass(frozen=True)
class Remark:
    """A remark of a player: an id of `client.ui.phrases`, or words of their own."""

    seat: int
    text: str
    phrase: bool = True
    age: float = 0.0
    """For how many seconds it has been shown."""


@dataclass(frozen=True)
class TypedLine:
    """A line that is being typed."""

    kind: str
    """A `move` or command, `talk`, a `nick`, a nick before a table (`first-nick`), the name of a
    `table` or a `visitor`, or where to `join`."""
    text: str = ""
    caret: int = 0
    """How many characters stand behind the cursor."""
    prefilled: bool = False
    """Whether it is still as the program has filled it in: the first typed character replaces it.
    """
    wanted: Command | None = None
    """The command that goes on once the first nick is typed."""


class Passing(str):
    """A notice that is true as long as the table waits for our player."""


class Countdown(Passing):
    """A notice with a countdown of our player's remaining time."""


@dataclass(frozen=True)
class Overlay:
    """A sheet above the page, and how far our player has come on it.

    A kind of sheet is a class, beside the page or the table to which it belongs.
    """

    title: str = ""
    lines: tuple[str, ...] = ()
    scroll: int = 0
    cursor: int = 0
    opener: Overlay | None = None
    """The sheet from which it was opened, if its way back leads there."""

    NAME: ClassVar[str]
    """The name of these sheets in the page and its style."""
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
        """Return the sheet with the present text, if that changes while it is open."""
        return self

    def after(self, before: ScreenState, state: ScreenState) -> Overlay | None:
        """Return the sheet after news; None if it has no meaning any more."""
        return self

    def at(self, state: ScreenState, cursor: int) -> Overlay:
        """Return the sheet with another item chosen."""
        return replace(self, cursor=cursor)

    def wish(self, state: ScreenState) -> Command | None:
        """Return the command for something that it waits for; it is sent again and again."""
        return None

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
        """Do what a key of its own does; None if it is another key."""
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


@dataclass(frozen=True)
class DealCount:
    """The count of a deal, until it is put away."""

    lines: tuple[str, ...] = ()
    history: tuple[Moved | GameEvent, ...] = ()
    """The history of the match up to this count."""
    open: bool = False
    """Whether the next lines may still belong to this count."""
    waited: float = 0.0
    """The seconds for which a spectator has seen it."""


@dataclass(frozen=True)
class Replay:
    """A match that is stepped through."""

    steps: tuple[tuple[Model, tuple[str, ...]], ...] = ()
    step: int = 0
    opened: OpenedLog | None = None
    """More about that match."""


@dataclass(frozen=True)
class ScreenState:
    """The screen of our player."""

    page: Page = Page.LOBBY
    kept: KeptState = field(default_factory=KeptState)
    tables: tuple[FoundTable, ...] = ()
    blind: str = ""
    """Why no tables can be seen, if they cannot: a sentence."""
    off_network: bool = False
    """Whether that is because this machine is on no network: then no other machine is reached."""
    unread: int = 0
    """How many logs of past matches are still to be read."""
    chosen: str = ""
    """The chosen item of the page's list; empty is the first."""
    beside: str = ""
    """The item of the lobby that has the cursor once the chosen one has disappeared."""
    back: Page = Page.HISTORY
    """The page that Esc returns to from a replay: PLAY if the match had just ended."""
    replay: Replay = field(default_factory=Replay)
    match: Model = field(default_factory=Model)
    held: tuple[Held, ...] = ()
    """The tables that our player is still to see, oldest first. The match goes on behind them."""
    seen: Mapping[Slot, Face] = field(default_factory=dict)
    """The faces of our own cards of this deal and the last one."""
    picked: Picked = field(default_factory=Picked)
    proposed: tuple[str, str] = ("", "")
    """The key that was pressed once, and the line of the move that it makes when pressed again.

    Both are empty if there is none."""
    settling: float = 0.0
    """For how many seconds no key makes a move, if the settings ask for a pause."""
    typed: TypedLine | None = None
    """The line being typed; None while keys are keys."""
    joined: str = field(default="", repr=False)
    """Where our player wanted to join last, as it was typed: it can be corrected."""
    overlay: Overlay | None = None
    moment: Moment | None = None
    waited: Mapping[Seat, float] = field(default_factory=dict)
    """For how many seconds the table has waited for people at other seats."""
    log: tuple[str, ...] = ()
    """The lines of the plain interface, oldest first."""
    moved: str = ""
    """The last move, in words."""
    count: DealCount = field(default_factory=DealCount)
    lesson: tuple[tuple[str, ...], ...] = ()
    """The pages of a lesson that are still to be read, the next one first."""
    paragraph: int = 0
    """The part of that page, or of the words of a held table, that is read now, if they are shown
    one by one."""
    explained: GameEvent | None = None
    """The last event that the words of a held table explain."""
    remarks: tuple[Remark, ...] = ()
    """The last remarks, as long as they are shown at the seats."""
    again: tuple[Seat, ...] = ()
    """The seats that want to play again, when the match is over."""
    parted: tuple[Seat, ...] = ()
    """The seats whose players have left the table, when the match is over."""
    compared: Mapping[str, str] = field(default_factory=dict)
    """The words that can be compared with others, by fingerprint."""
    invite: str = ""
    only_here: str = ""
    """The sentence that only programs on this machine can reach our table, if that is the case."""
    cut_off: bool = False
    """Whether no other machine can reach our table, so that there is no invite now."""
    notice: str = ""
    """A sentence about the last thing that was done or went wrong."""
    busy: str = ""
    """The thing that we wait for, while nothing else can be done."""

    @property
    def timed(self) -> bool:
        """Whether something here changes with time alone."""
        reading = self.count.lines and self.looks_on
        shown = (self.moment and not self.held) or self.remarks or self.waited or reading
        waits = self.overlay is not None and self.overlay.wish(self) is not None
        return bool(shown or self.settling or waits)

    @property
    def place(self) -> Page:
        """The page that is shown, or behind the page of phones: a table or the lobby."""
        if self.page is not Page.PHONES:
            return self.page
        if not self.match.players:
            return Page.LOBBY
        return Page.TABLE_SETUP if self.match.phase is MatchPhase.LOBBY else Page.PLAY

    @property
    def looks_on(self) -> bool:
        """Whether a match goes on in which our player has no seat, or none any more."""
        view = self.match.view
        return view is not None and not self.done and self.match.seat not in view.game.seats

    @property
    def done(self) -> bool:
        """Whether our match is over, goes on without us, cannot go on, or is written down."""
        match = self.match
        return (
            match.phase is MatchPhase.OVER
            or (match.seat in match.gone and not match.stranger)
            or match.differs is not None
            or bool(match.log)
        )

    @property
    def looking(self) -> bool:
        """Whether a log is being read or analysed above a table or a match stepped through."""
        return bool(self.busy) and (
            self.page is Page.REPLAY or (self.page is Page.PLAY and self.back is Page.PLAY)
        )

    @property
    def bound(self) -> bool:
        """Whether others wait for us if we go now."""
        playing = (
            self.match.phase is MatchPhase.PLAYING
            and self.match.seat is not None
            and not self.match.lesson
        )
        return playing and not self.done

    @property
    def company(self) -> tuple[Seat, ...]:
        """The seats of the people with whom we play; empty if we only watch."""
        return tuple(self.match.others) if self.match.seat is not None else ()
