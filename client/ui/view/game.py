"""The base of every game's table as a view: seats, cards, heaps, the last move.

It has a scene only, and offers no key that the game's screen does not take.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from client.i18n.translation import _, later, ngettext
from client.ui.games.aloud import spoken
from client.ui.games.screen import GameScreen, Scene, takes_two_keys
from client.ui.view.action import Action, Text
from client.ui.view.sentences import drawn
from client.ui.view.table_parts import Count, Prompt, Score, TableCard, TableSeat, Trace, Zone
from engine.core.events import GameEvent
from engine.core.moves import Face, Move, Seat, Slot
from p2p.table.events import Moved


class GameView:
    """The view of a game: `kind` is the drawing of its cards."""

    kind: str = "spanish"
    most_wins: ClassVar[bool] = True
    unit: ClassVar[str] = later("points")
    deal: ClassVar[tuple[type[GameEvent], ...]] = ()
    """The event with which a deal begins."""
    screen: GameScreen
    hidden: ClassVar[str] = later("a hidden card")

    def card(
        self, scene: Scene, slot: Slot, state: str = "", keys: tuple[str, ...] = (), key: str = ""
    ) -> TableCard:
        """Return a card as we see it."""
        face = scene.view.face(slot)
        name, worth = _(self.hidden), ""
        if face is not None:
            name, worth = spoken(self.kind, face), self.worth(face)
        if worth:
            name = _("{card}, worth {worth}").format(card=name, worth=worth)
        return TableCard(f"slot:{slot}", self.kind, face, name, state, worth, keys, key)

    def cards(self, scene: Scene, slots: Iterable[Slot]) -> tuple[TableCard, ...]:
        """Return cards that lie somewhere, and cannot be clicked."""
        return tuple(self.card(scene, slot) for slot in slots)

    def worth(self, face: Face) -> str:
        """Return the worth of a card if its print does not say it."""
        del face
        return ""

    def seat(self, scene: Scene, seat: TableSeat, *, nearest: bool) -> TableSeat:
        """Return a seat with the things of its game; the nearest one's hand lies elsewhere."""
        held = scene.game.hands[seat.number]
        if nearest or not held:
            return seat
        count = len(held)
        words = ngettext("{count} card in hand", "{count} cards in hand", count)
        return replace(seat, cards=self.cards(scene, held), held=words.format(count=count))

    def partner(self, scene: Scene, seat: Seat) -> str:
        """Return the letter of the side of a seat among partners: `a` is that of the nearest."""
        game = scene.game
        if game.sides == game.players:
            return ""
        ours = game.side(scene.seat if scene.seat is not None else 0)
        return "a" if game.side(seat) == ours else "b"

    def zones(self, scene: Scene) -> tuple[Zone, ...]:
        """Return the places in the middle of the table."""
        del scene
        return ()

    def stock(self, scene: Scene, label: str, count: int | None = None) -> Zone:
        """Return the stock: some backs, and how much there is."""
        left = len(scene.game.stock)
        cards = self.cards(scene, scene.game.stock[-3:])
        return Zone("stock", "stock", cards, left if count is None else count, label)

    def hand(self, scene: Scene) -> tuple[TableCard, ...]:
        """Return the hand that lies nearest, ours unless we only look on."""
        seat = scene.seat if scene.seat is not None else 0
        return self.cards(scene, scene.game.hands[seat])

    def score(self, scene: Scene) -> tuple[Score, ...]:
        """Return what stands in the first line, our side first."""
        first = scene.seat if scene.seat is not None else 0
        return tuple(
            sorted(self.points(scene), key=lambda one: not self._is_ours(scene, one, first))
        )

    def _is_ours(self, scene: Scene, one: Score, first: Seat) -> bool:
        return scene.game.side(one.number) == scene.game.side(first)

    def points(self, scene: Scene) -> tuple[Score, ...]:
        """Return the points of all sides."""
        game, names = scene.game, scene.names
        score = scene.model.score or tuple(game.score)
        if game.sides == game.players:
            return tuple(
                Score(str(names.label(seat)), str(score[seat]), seat)
                for seat in range(game.players)
            )
        ours = [side for side in range(game.sides) if self.partner(scene, side) == "a"]
        return tuple(
            Score(
                _("we")
                if scene.me is not None and side in ours
                else str(scene.words.side(names, game, side))
                if scene.me is None
                else _("they"),
                str(score[side]),
                side,
                self.partner(scene, side),
            )
            for side in range(game.sides)
        )

    def first(self, scene: Scene, seat: Seat) -> str:
        """Return the word for a seat of a leading side, once another side is behind; else nothing.

        Seats that have left do not count.
        """
        game = scene.game
        score = {game.score[other] for other in game.seats}
        best = (max if self.most_wins else min)(score, default=0)
        leads = seat in game.seats and game.score[seat] == best and len(score) > 1
        return _("ahead") if leads else ""

    def trace(self, scene: Scene) -> Trace | None:
        """Return the last move of this deal: as its words say it, or as the rules tell it."""
        told: list[GameEvent] = []
        for event in reversed(scene.model.history):
            if isinstance(event, self.deal):
                return None
            if not isinstance(event, Moved):
                told.insert(0, event)
                continue
            about, said = self.traced(scene, event, told)
            if not said and event.auto:  # a program said it that has nothing to tell
                continue
            number, text = str(scene.model.checked.moves), drawn(self.kind, said.removesuffix("."))
            seat, sound = getattr(about, "seat", event.seat), self.sounds(event.move)
            return Trace(number, seat, text, *self.moved(scene, event), sound)
        return None

    def traced(
        self, scene: Scene, event: Moved, told: Sequence[GameEvent]
    ) -> tuple[Moved | GameEvent, str]:
        """Return a player's own move, or the first event after a move that has words, with them."""
        said = "" if event.auto else scene.words.move(scene.names, event.seat, event.text)
        if said:
            return event, said
        words = ((one, scene.words.told(scene.names, scene.game, one)) for one in told)
        return next(((one, lines[0]) for one, lines in words if lines), (event, ""))

    def moved(self, scene: Scene, event: Moved) -> tuple[tuple[TableCard, ...], tuple[str, ...]]:
        """Return the cards that a move has played, and the ids of those that it took."""
        del scene, event
        return (), ()

    def call(self, scene: Scene, text: str) -> Text:
        """Return a call as it is shown at the table; nothing if it stands elsewhere too."""
        del scene
        return drawn(self.kind, text)

    def sounds(self, move: Move) -> str:
        """Return the sound of a move; nothing if a card is laid or drawn."""
        del move
        return ""

    def prompt(self, scene: Scene) -> Prompt:
        """Return what we are asked; no words stand for those of every game."""
        del scene
        return Prompt("")

    def actions(self, scene: Scene) -> tuple[Action, ...]:
        """Return the buttons of our seat, at most one of them main."""
        del scene
        return ()

    def count(
        self, scene: Scene, history: Sequence[GameEvent | Moved], table: Scene | None
    ) -> Count | None:
        """Return the count that the end of a history tells.

        `table` is the table as it stood before, if that is still to be seen.
        """
        del scene, history, table
        return None

    def at_once(self, scene: Scene, key: str) -> tuple[str, ...]:
        """Return the keys of a button that makes its move at one click, as its words say.

        A key alone waits for a second one; that one must not follow if it does not wait. With a
        pause between them, a second click is the second one.
        """
        if scene.presses == "pause" or not takes_two_keys(scene, key):
            return (key,)
        return ("escape", key, "enter") if scene.proposed else (key, "enter")

    def sheet(self, scene: Scene) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Return the heads and the rows of a table that stands below the count."""
        del scene
        return (), ()

    def in_words(self, text: str) -> Text:
        """Return a sentence with its cards drawn."""
        return drawn(self.kind, text)
