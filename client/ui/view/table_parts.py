"""The parts of a view of a table: seats, cards, heaps, the last move, the question, the count.

They say what there is. Nothing has a place: the page knows where a seat and a heap lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from client.ui.view.action import Action, Card, Text


@dataclass(frozen=True)
class TableCard:
    """A card or tile on a table, in a hand or in a pile; its id stays while it moves."""

    id: str
    kind: str
    face: str | None
    name: str
    """How it is read aloud."""
    state: str = ""
    """`picked`, `advised` (in a lesson), `taken` (goes with the picked one), `barred` (may not be
    played), `veiled` (only we see it); of a card in a trick `wins` (so far), `won` or `lost`."""
    worth: str = ""
    """Its worth, where its print does not say so."""
    keys: tuple[str, ...] = ()
    key: str = ""
    drags: tuple[Action, ...] = ()
    """The clicks that it stands for where it is dragged to the table: the picking and the main
    button in one, or the ends of a line."""
    begins: bool = False
    """Whether a group of a sorted hand begins with it."""

    @property
    def title(self) -> str:
        """Its name, and how it lies: a card that was picked meanwhile is another thing."""
        return f"{self.name} {self.state}"


@dataclass(frozen=True)
class TableSeat:
    """A player at a table."""

    id: str
    name: str
    number: int
    """The seat, from 0: it has a colour of its own."""
    you: bool = False
    side: str = ""
    """Of partners: `a` is the side of the seat nearest to us, `b` the other."""
    state: str = ""
    """`turn`, `away`, `gone`, `over`, or nothing."""
    mark: str = ""
    """A small sign at the disc: `computer` or `bank`."""
    machine: str = ""
    """The machine through which it plays, in words, if that is another player's."""
    first: str = ""
    """A word, if nobody has a better score."""
    deals: str = ""
    """A word, if it has dealt this deal."""
    lines: tuple[str, ...] = ()
    why: str = ""
    """Of its lines the one that says why it does not play, if it should."""
    cards: tuple[TableCard, ...] = ()
    held: str = ""
    """Of cards that nobody else sees: how many there are, in words."""
    open: bool = False
    """Whether its cards lie on the table, to be looked at."""
    played: tuple[TableCard, ...] = ()
    """Its cards in the tricks, the first one first."""
    total: str = ""
    chips: int = 0
    chips_name: str = ""
    fact: tuple[str, str] | None = None
    """The name of a number that only its own player knows, and the number."""
    remark: str = ""
    free: bool = False
    """Whether nobody sits there yet."""


@dataclass(frozen=True)
class Zone:
    """A place on the table.

    It is a `spread` (cards side by side), a heap (`stock`, `pile`, or `open`, of which the last
    card is seen), a `meld`, or a meld that we are still to lay down (`want`).
    """

    id: str
    kind: str
    """`spread` (cards side by side), `stock` or `pile` (a heap), `chain` (tiles end to end), or
    `tricks` (how those of a deal went)."""
    cards: tuple[TableCard, ...] = ()
    count: int = 0
    label: str = ""
    across: int = 0
    """Cards of a pile that lie across."""
    seats: tuple[int, ...] = ()
    """Of a pile: those whose cards go there. Of a meld: the one that has laid it."""
    acts: tuple[Action, ...] = ()
    """The effects of a click there: on a heap, on a meld, or at an end of a chain."""
    row: tuple[tuple[int, int], ...] = ()
    """Of a chain: the left and the right number of each tile."""
    start: int = 0
    """Of a chain: the place of the tile with which it began."""
    marks: tuple[tuple[str, str], ...] = ()
    """Of tricks: the side that has it (`a` or `b`), `tied`, `now` or nothing, and the same in
    words."""
    name: str = ""
    """How a meld is read aloud."""
    state: str = ""
    """Of a meld: `new` (only shown, and not laid yet). Of a stock: `asleep` (nobody may take)."""


@dataclass(frozen=True)
class Trace:
    """The last move, until the next: its number, its seat, and its words."""

    number: str
    seat: int
    text: Text
    played: tuple[TableCard, ...] = ()
    taken: tuple[str, ...] = ()
    """The ids of the cards that it took from the table."""
    sound: str = ""
    """Its sound, unless a card is laid or drawn: `call`, `chip`, `knock`, or `none`."""


@dataclass(frozen=True)
class Prompt:
    """The question, or the reason to wait: a few words, and the facts about them."""

    words: str
    more: Text = ""
    sum: str = ""
    """The sum of the picked cards, or our total."""
    style: str = ""
    """`turn`, `wait`, `warn`, or `lesson`: its number is the part that is read."""
    cry: str = ""
    """A call that waits for its answer, with the seat that has called."""
    seat: int = 0
    aim: str = ""
    """In a lesson: the id of the card or button that is to be clicked now."""
    done: tuple[int, int] | None = None
    """While a deck is shuffled: how many seats have done so, and how many must."""


@dataclass(frozen=True)
class Score:
    """The points of a side, in the first line."""

    name: str
    points: str
    number: int = 0
    side: str = ""
    tally: tuple[tuple[int, ...], ...] = ()
    """The points in groups of five, as strokes on paper; those of the second half apart."""


@dataclass(frozen=True)
class Ending:
    """The end of a match: the winners, and the order of all."""

    title: str
    lines: tuple[Text, ...]
    won: tuple[int, ...]
    ranks: tuple[Score, ...]
    places: tuple[int, ...]
    """The place of each of the ranks, from 1; equals share one."""
    unit: str = ""
    """The meaning of their numbers."""
    cards: tuple[Card, ...] = ()
    """Cards of the game, for joy."""


@dataclass(frozen=True)
class Table:
    """A table of a match, seen from the first of its seats."""

    game: str
    deal: int
    seats: tuple[TableSeat, ...]
    """In playing order; the first sits nearest to us."""
    zones: tuple[Zone, ...] = ()
    hand: tuple[TableCard, ...] = ()
    score: tuple[Score, ...] = ()
    trace: Trace | None = None
    prompt: Prompt | None = None
    actions: tuple[Action, ...] = ()
    call: Text = ""
    log: tuple[Text, ...] = ()
    undo: Action | None = None
    """It puts back the picked cards: only a key does it, so it needs no room."""
    ending: Ending | None = None
    lesson: bool = False
    """Whether it is the table of a lesson, which has more to say than others."""

    def clickable(self) -> Iterator[Action | TableCard]:
        """Return all that can be clicked."""
        yield from self.actions
        yield from () if self.undo is None else (self.undo,)
        for card in self.hand:
            yield card
            yield from card.drags
        for zone in self.zones:
            yield from zone.cards
            yield from zone.acts


@dataclass(frozen=True)
class Cell:
    """A field of a count: a figure or cards, and the points that they bring."""

    text: Text
    points: str = ""
    best: bool = False


@dataclass(frozen=True)
class Row:
    """A line of a count."""

    label: str
    cells: tuple[Cell, ...]
    sum: bool = False
    """Whether it adds up the others."""
    seat: int = 0
    """Of a row that is a player's: their number."""


@dataclass(frozen=True)
class Runner:
    """How far a side is on the way to the end of the match."""

    name: str
    colour: int
    before: int
    now: int
    side: str = ""


@dataclass(frozen=True)
class Count:
    """The gains of a deal, and the way to the end of the match."""

    heads: tuple[str, ...]
    """The heads of the columns; none if there is a column for each runner."""
    rows: tuple[Row, ...]
    race: tuple[Runner, ...] = ()
    target: int = 0
    caption: str = ""
    """The words above the race."""
    notes: tuple[Text, ...] = ()
    """Sentences that say how it came to that."""
    standing: str = ""
    """A sentence that says who is ahead now."""
    leaders: tuple[int, ...] = ()
    """The numbers of those who are ahead; none if all are level."""
