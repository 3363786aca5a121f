"""The parts of a view: the things on a page, and their meaning.

They are frozen, and have no coordinate, size, font or width: the page lays them out.

A click names an action or an item by its id. The program looks the id up in the view that the page
showed, and presses the keys that stand there: so a click acts on the thing that was seen, or on
nothing, and there is no second logic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from client.ui.view.action import Action, Card, Text
from client.ui.view.player import Playback
from client.ui.view.table_parts import Count, Table, TableCard, TableSeat


@dataclass(frozen=True)
class Item:
    """A thing in a list."""

    id: str
    kind: str
    """Its looks: `tile`, `card`, `way`, `match`, `seat`, `place`, `person` or `entry`."""
    title: str
    lines: tuple[Text, ...] = ()
    game: str = ""
    """The game whose cloth it lies on."""
    cards: tuple[Card, ...] = ()
    icon: str = ""
    note: str = ""
    seats: tuple[int, int] | None = None
    """Of a table: the seats that are taken, and all."""
    mark: tuple[str, str] | None = None
    """A word in a frame, and its meaning: `good` or `bad`."""
    score: tuple[tuple[str, str], ...] = ()
    """Of a match: its sides with their points, ours first."""
    day: str = ""
    """Of a match: its day (YYYY-MM-DD), which the page writes in the reader's language."""
    svg: str = ""
    """A drawing of the program's own."""
    opened: bool = False
    """Whether it shows its `about`, its drawing and its buttons; of a seat, whether it is free; of
    a phone, whether it is connected."""
    side: str = ""
    """Of a seat among partners: `a` is our side, `b` the other."""
    about: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """The keys that a click anywhere on it presses."""
    key: str = ""
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True)
class Field:
    """A field of a form: a text, a number, a switch (`on`), or a choice of values with words."""

    id: str
    kind: str
    """`text`, `number`, `switch`, `choice`, or `game` (a choice with cards)."""
    label: str
    about: str = ""
    value: str = ""
    on: bool = False
    choices: tuple[tuple[str, str], ...] = ()
    cards: tuple[tuple[Card, ...], ...] = ()
    """Those of each game; of a switch, those on which its effect is seen."""
    hint: str = ""
    """The words in an empty text."""
    least: int = 0
    limit: int = 0
    """The most characters of a text; the least and the greatest number."""

    @property
    def meaning(self) -> str:
        """Its label, and its choices."""
        return f"{self.label} {self.choices} {self.least} {self.limit}"


@dataclass(frozen=True)
class Section:
    """A part of a page: a heading, sentences, a list, and buttons."""

    id: str
    title: str = ""
    lines: tuple[Text, ...] = ()
    items: tuple[Item, ...] = ()
    actions: tuple[Action, ...] = ()
    fields: tuple[Field, ...] = ()
    figures: tuple[tuple[str, str], ...] = ()
    """Numbers to be seen at a glance, each with its word."""
    svg: str = ""
    folded: bool = False
    """Whether only its title and its lines are seen, until it is opened."""
    seats: tuple[TableSeat, ...] = ()
    """A small table with its seats, the nearest one first."""
    cards: tuple[Card, ...] = ()
    """A picture above its words."""


@dataclass(frozen=True)
class Entry:
    """A line that our player is typing."""

    label: str
    text: str
    hint: Text = ""
    caret: int = 0
    """How many characters stand before the cursor; a page puts it there when the hint
    changes, unless it is the end: there it leaves it to the reader."""
    placeholder: str = ""
    """The words that stand there in grey as long as nothing is typed."""
    wrong: bool = False
    """Whether the hint says what is wrong with the text."""
    marked: bool = False
    """Whether the text is a proposal, which the first letter replaces."""


@dataclass(frozen=True)
class Sheet:
    """A dialog above a page, below which nothing can be clicked."""

    id: str
    title: str = ""
    lines: tuple[Text, ...] = ()
    items: tuple[Item, ...] = ()
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[Text, ...], ...] = ()
    """A table, each row with its name; a row without figures is a heading."""
    svg: str = ""
    entry: Entry | None = None
    fields: tuple[Field, ...] = ()
    actions: tuple[Action, ...] = ()
    count: Count | None = None
    sections: tuple[Section, ...] = ()
    """Parts of a long text or list, each with its heading."""
    end: bool = False
    """Whether it is read from its end, the newest line."""


@dataclass(frozen=True)
class View:
    """A page."""

    page: str
    """Its name, of `client.ui.screen.state.Page`."""
    title: str
    """The words above the window."""
    heading: str = ""
    lines: tuple[str, ...] = ()
    back: Action | None = None
    tools: tuple[Action, ...] = ()
    """The buttons in the first line."""
    game: str = ""
    """The game whose cloth the page shows."""
    sections: tuple[Section, ...] = ()
    notice: Text = ""
    """A sentence about the last thing that was done or went wrong."""
    sheet: Sheet | None = None
    table: Table | None = None
    player: Playback | None = None

    def clicks(self) -> dict[str, tuple[tuple[str, ...], Text]]:
        """Return the keys and the words of everything that can be clicked, by id.

        Fields are among them, without keys.
        """
        of_form = {f"field:{one.id}": one.meaning for part in self._lists for one in part.fields}
        if self.player is not None and self.sheet is None:
            of_form["field:step"] = str(self.player.last)
        return {name: ((), meaning) for name, meaning in of_form.items()} | {
            one.id: (one.keys, one.title) for one in self._clickable() if one.keys
        }

    @property
    def _lists(self) -> tuple[Section | Sheet, ...]:
        return self.sections if self.sheet is None else (self.sheet, *self.sheet.sections)

    def _clickable(self) -> Iterator[Action | Item | TableCard]:
        if self.sheet is None:
            yield from (self.back, *self.tools) if self.back is not None else self.tools
            yield from self.table.clickable() if self.table is not None else ()
        for part in self._lists:
            yield from part.actions
            for item in part.items:
                yield item
                yield from item.actions


def as_data(part: Any) -> Any:
    """Return a part as JSON can hold it: no empty field, and of keys only whether there are any."""
    if is_dataclass(part):
        found = {field.name: getattr(part, field.name) for field in fields(part)}
        if "keys" in found:
            found["click"] = bool(found.pop("keys"))
        return {name: as_data(value) for name, value in found.items() if value}
    return [as_data(one) for one in part] if isinstance(part, tuple) else part
