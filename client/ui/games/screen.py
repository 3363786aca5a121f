"""The base of every game's screen; a game without a screen of its own offers a list of moves.

A key never makes a move by itself: it changes what is picked, or says a line of the game's
notation, as if it had been typed. So both faces have one way into the rules, and one way of being
refused. A move cannot be taken back, so it takes two keys, unless the settings say that one is
enough: one that picks it, and Enter or the same key once more, for cards as for calls; only arrows,
Tab and Space choose on and on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, TypeVar

from client.i18n.translation import _
from client.storage.settings import CardSize
from client.ui.drawing.canvas import Canvas, Piece, Rect, columns_of
from client.ui.drawing.cards import SIZES, draw_row, fitting
from client.ui.games import screen_of, words_of
from client.ui.games.words import GameWords
from client.ui.model import MatchPhase, Model, Names, legal_moves
from engine.core.events import GameEvent
from engine.core.game import Game
from engine.core.moves import Face, Seat, Slot
from engine.core.view import View
from p2p.table.events import Moved

Line = Sequence[Piece]
G = TypeVar("G", bound=Game)
CHOOSING = ("left", "right", "up", "down", "tab", "s-tab", "home", "end", " ")
"""Keys that choose on and on, and never make a move by themselves."""
DIGITS = "1234567890"
"""The keys of the first ten things of a row; a last line names those of five `1-5`."""
CHOOSE = "="
"""Before the id of an item: as a key it chooses this one, wherever it stands in its list."""
KEY_NAMES = {"enter": "Enter", "tab": "Tab", " ": "Space", "left": "←", "right": "→"}


@dataclass(frozen=True)
class Picked:
    """The picked cards and moves, not yet played: each game uses the fields that it needs."""

    cards: tuple[Slot, ...] = ()
    """Of our hand."""
    marked: tuple[Slot, ...] = ()
    """Of the table."""
    turn: int = 0
    """Which of several ways."""
    number: int = 0
    """How much."""
    word: str = ""
    """The action that the next press of its key confirms."""
    ready: tuple[tuple[str, tuple[tuple[Slot, str], ...]], ...] = ()
    """The parts of a move that wait until it is whole."""
    kept: frozenset[str] = frozenset()
    """Words of the game: these choices stay when all others are put back."""

    def back(self) -> Picked:
        """Return what stays when all is put back."""
        return Picked(kept=self.kept)


@dataclass(frozen=True)
class Moment:
    """Something worth a look up: a short call, and for how many seconds it has been shown."""

    text: str
    style: str = "moment"
    age: float = 0.0


@dataclass(frozen=True)
class Say:
    """A line of the notation, as if it had been typed, and the picked items after it."""

    line: str
    picked: Picked = field(default_factory=Picked)


@dataclass(frozen=True)
class Refused:
    """A key that cannot do what it stands for now, and the reason."""

    why: str


@dataclass(frozen=True)
class Scene:
    """A match as the screen of its game draws it."""

    model: Model
    picked: Picked
    cards: CardSize = CardSize.BIG
    """The largest size in which cards are drawn."""
    proposed: str = ""
    """The line of the move that waits for its second key."""
    presses: str = "two"
    """How many presses make a move, as `client.storage.settings` has it."""

    @property
    def view(self) -> View:
        """Our player's view of the match. There is one after the first event."""
        assert self.model.view is not None
        return self.model.view

    @property
    def game(self) -> Game:
        """The public state."""
        return self.view.game

    def of(self, kind: type[G]) -> G:
        """Return the public state for the screen of this game."""
        assert isinstance(self.game, kind)
        return self.game

    @property
    def names(self) -> Names:
        """How the seats are called."""
        return self.model.names

    @property
    def words(self) -> GameWords:
        """The words of the game."""
        return words_of(self.model.game)

    @property
    def seat(self) -> Seat | None:
        """Ours; None looks on."""
        return self.model.seat

    @property
    def me(self) -> Seat | None:
        """The seat that is called `you`; none if nobody is."""
        return self.names.me

    @property
    def asked(self) -> bool:
        """Whether our player may choose."""
        return self.model.asked

    @cached_property
    def hand(self) -> list[tuple[Slot, Face]]:
        """The cards in our hand as they were dealt, with their faces."""
        if self.seat is None:
            return []
        held = [(slot, self.view.face(slot)) for slot in self.game.hands[self.seat]]
        return [(slot, face) for slot, face in held if face is not None]

    @cached_property
    def moves(self) -> list[str]:
        """The legal moves in the notation; none unless our player may choose.

        They are given as far as they can be listed.
        """
        return list(legal_moves(self.model)) if self.asked else []

    def faces(self, slots: Sequence[Slot]) -> list[Face | None]:
        """Return the faces of slots, None if we have not seen them."""
        return [self.view.face(slot) for slot in slots]


def takes_two_keys(scene: Scene, key: str) -> bool:
    """Return whether a key that makes a move waits for a second key.

    Enter does not wait, nor does any key once something is picked, or if one press is enough.
    """
    picked = scene.picked
    chosen = picked.cards or picked.word or picked.number
    return key != "enter" and scene.presses != "one" and not chosen


def effect(scene: Scene, key: str) -> Picked | Say | Refused | None:
    """Return what a key does; if one press is enough, it makes the move that it has chosen."""
    screen = screen_of(scene.model.game)
    found = screen.press(scene, key)
    if scene.presses != "one" or not isinstance(found, Picked) or key in CHOOSING:
        return found
    after = replace(scene, picked=found)
    return screen.press(after, "enter") if screen.settled(after) else found


def or_enter(key: str) -> str:
    """Return the name of a key and of Enter, if the last line offers both for one thing."""
    return f"{'Space' if key == ' ' else key}/Enter"


def called(scene: Scene, key: str, line: str = "") -> str:
    """Return the last line's name for a key, with the card that it plays at once.

    If the last line has no such key, return `line`, the line that the key says.
    """
    name = KEY_NAMES.get(key, key)
    pairs = (
        (re.split("[ /]", names), about) for names, about in screen_of(scene.model.game).keys(scene)
    )
    label = next(
        (about for names, about in pairs if name in names or name in _digits(names[0])), line
    )
    card = line.rsplit(maxsplit=1)[-1] if line and takes_two_keys(scene, key) else ""
    plays = label != line and card in dict(scene.hand).values()
    return f"{label} {scene.words.shown(card)}" if plays else label


def _digits(name: str) -> Sequence[str]:
    """Return the keys that a name such as `1-5` stands for."""
    return tuple(DIGITS[: DIGITS.index(name[2]) + 1]) if re.fullmatch("1-[0-9]", name) else ()


class GameScreen:
    """The screen of a game. It draws on a canvas only, and from a scene only."""

    count: ClassVar[tuple[type[GameEvent], ...]] = ()
    """The kinds of events that belong to the count after a deal."""
    aside: ClassVar[str] = ""
    """The phase of the game in which seats are asked while another one is in turn."""
    retold: ClassVar[bool] = False
    """Whether the count tells the moves of the deal by itself; else the last one, which nobody has
    seen, stands before it."""
    seat_rows: ClassVar[int] = 1
    """Rows that a seat's box needs inside, below its name."""

    def heading(self, scene: Scene) -> str:
        """Return the title line's text after the game's name: the deal and the match length."""
        return _("deal {number}, to {target}").format(
            number=scene.game.round, target=scene.game.options["target"]
        )

    def score(self, scene: Scene) -> str:
        """Return the score for the right of the title line.

        Of two sides of partners, ours stands first.
        """
        game = scene.game
        if game.sides < game.players and scene.me is not None:
            ours = game.side(scene.me)
            mine, theirs = game.score[ours], game.score[1 - ours]
            return _("we {mine} · they {theirs}").format(mine=mine, theirs=theirs)
        return scene.words.scores(scene.names, scene.game, tuple(scene.game.score))

    def places(
        self, scene: Scene, rect: Rect, seats: Sequence[Seat]
    ) -> tuple[dict[Seat, Rect], Rect]:
        """Return the places of the others, and the middle of the table.

        The others follow in playing order from the seat after ours.
        """
        del scene
        return seating(rect, seats, self.seat_rows)

    def seat(self, scene: Scene, seat: Seat) -> list[Line]:
        """Return the lines below the name in another seat's box: at most `seat_rows`."""
        hidden = len(scene.game.hands[seat])
        return [[("back", "▒" * hidden)]]

    def seat_in(self, scene: Scene, seat: Seat, inside: Rect) -> list[Line]:
        """Return the same for a box of this size, if that makes a difference."""
        del inside
        return self.seat(scene, seat)

    def middle(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """Draw what lies on the table."""
        faces = list(scene.game.table())
        size = fitting(len(faces), rect.width, rect.height, scene.cards)
        place = Rect(
            rect.x, rect.y + max(0, (rect.height - SIZES[size][1]) // 2), rect.width, rect.height
        )
        draw_row(canvas, place, faces, size, centred=True)

    def mine_rows(self, scene: Scene, width: int, height: int) -> int:
        """Return the number of rows that our own part of the table takes.

        `width` and `height` are the columns and rows of the screen.
        """
        del width
        return 0 if scene.seat is None else 1 + SIZES[self.card_size(scene, height)][1]

    def chosen(self, scene: Scene) -> Slot | None:
        """Return the card or tile of our hand that is picked, as long as it is there."""
        hand = {slot for slot, _face in scene.hand}
        picked = (slot for slot in scene.picked.cards if slot in hand)
        return next(picked, None) if scene.asked else None

    def card_size(self, scene: Scene, height: int) -> CardSize:
        """Return how large our own cards are drawn on a screen of so many rows."""
        most = CardSize.BIG if height >= 34 else CardSize.SMALL if height >= 19 else CardSize.CHIP
        return min(most, scene.cards, key=lambda size: SIZES[size])

    def mine(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """Draw our own part of the table: our hand and the picked cards."""
        size = self.card_size(scene, canvas.height)
        draw_row(canvas, rect, [face for _slot, face in scene.hand], size)

    def consequence(self, scene: Scene) -> str:
        """Return the worth of the move that waits for its second key.

        The text is empty unless the worth has to be known before the move is made.
        """
        del scene
        return ""

    def status(self, scene: Scene) -> Line:
        """Return the text beside the turn: the move picked so far, or the call to be answered."""
        if not scene.moves:
            return []
        line = scene.moves[scene.picked.turn % len(scene.moves)]
        gloss = scene.words.gloss(line)
        return [("strong", line), ("dim", f"  {gloss}" if gloss else "")]

    def keys(self, scene: Scene) -> list[tuple[str, str]]:
        """Return the keys that mean something now, each with its effect, the most useful first."""
        return [("↑↓", _("choose")), ("Enter", _("play"))] if scene.asked else []

    def press(self, scene: Scene, key: str) -> Picked | Say | Refused | None:
        """Return what a key does; None if it means nothing here."""
        if not scene.moves:
            return None
        step = {"down": 1, "tab": 1, "right": 1, "up": -1, "s-tab": -1, "left": -1}.get(key)
        if step is not None:
            return Picked(turn=(scene.picked.turn + step) % len(scene.moves))
        if key == "enter":
            return Say(scene.moves[scene.picked.turn % len(scene.moves)])
        return None

    def chosen_by(self, scene: Scene) -> tuple[str, ...]:
        """Return the keys that made the present choice, first the one to be shown.

        Pressed once more, each of them acts as Enter.
        """
        del scene
        return ()

    def settled(self, scene: Scene) -> bool:
        """Return whether the present choice leaves one move, which Enter makes."""
        del scene
        return False

    def answer(self, scene: Scene) -> str:
        """Return the line that our player has chosen to say each time it is asked this.

        It is empty if our player must choose.
        """
        del scene
        return ""

    def moment(self, scene: Scene, event: GameEvent | Moved) -> str | Moment:
        """Return a call for a move or an event that is worth a look up; nothing for any other."""
        del scene, event
        return ""

    def counted(self, scene: Scene, event: GameEvent) -> Sequence[str]:
        """Return what stands in the count for an event that belongs to it."""
        return scene.words.told(scene.names, scene.game, event)


def seating(
    rect: Rect, seats: Sequence[Seat], rows: int, *, wide: int = 76
) -> tuple[dict[Seat, Rect], Rect]:
    """Return the boxes of the others round a table, and the box left in the middle.

    `seats` are in playing order from the one after us, who sits to our right, as play goes round to
    the right. If there is no room at the sides, all sit across, from the right to the left.
    """
    height = rows + 2
    count = len(seats)
    if count and rect.width >= wide and 2 <= count <= 5 and rect.height >= 2 * height:
        side = min(22, rect.width // 4)
        right, left, across = seats[0], seats[-1], seats[1:-1]
        top, below = (
            _across(Rect(rect.x, rect.y, rect.width, height), across, height)
            if across
            else ({}, rect.y)
        )
        if across:
            below = rect.y + height
        y = below if across else rect.y + max(0, (rect.height - height) // 3)
        places = {
            **top,
            right: Rect(rect.right - side, y, side, height),
            left: Rect(rect.x, y, side, height),
        }
        return places, Rect(
            rect.x + side + 1, below, rect.width - 2 * side - 2, rect.bottom - below
        )
    places, taken = _across(rect, seats, height)
    return places, Rect(rect.x, taken, rect.width, max(0, rect.bottom - taken))


def _across(rect: Rect, seats: Sequence[Seat], height: int) -> tuple[dict[Seat, Rect], int]:
    """Place seats in rows across, from the right to the left; return the row below them."""
    if not seats:
        return {}, rect.y
    fit = max(1, rect.width // 15)
    lines = -(-len(seats) // fit)
    each = -(-len(seats) // lines)
    width = min(26, rect.width // each)
    places: dict[Seat, Rect] = {}
    for place, seat in enumerate(seats):
        line, column = divmod(place, each)
        in_line = min(each, len(seats) - line * each)
        gap = (rect.width - in_line * width) // (in_line + 1)
        x = rect.right - (column + 1) * (width + gap)
        places[seat] = Rect(max(rect.x, x), rect.y + line * height, width, height)
    return places, rect.y + lines * height


def clicked(key: str) -> Slot:
    """Return the slot of the card that was clicked; -1 for any other key."""
    number = key.removeprefix(f"{CHOOSE}slot:")
    return int(number) if number != key and number.isdecimal() else -1


def over(scene: Scene) -> bool:
    """Whether the match is over."""
    return scene.model.phase is MatchPhase.OVER


def caption(canvas: Canvas, place: Rect, text: str, style: str = "dim") -> None:
    """Write a short word above a card, in its middle."""
    canvas.write(place.x + max(0, (place.width - columns_of(text)) // 2), place.y - 1, text, style)


SCREEN = GameScreen()
