"""Escoba on the full screen. Paragraphs are those of docs/rules/escoba.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from client.i18n.translation import _, ngettext
from client.ui.drawing.canvas import Canvas, Rect
from client.ui.drawing.cards import SIZES, draw_row, fitting, short
from client.ui.games.escoba.count import count_table
from client.ui.games.screen import GameScreen, Line, Picked, Say, Scene, caption, or_enter, over
from engine.core.events import GameEvent
from engine.core.moves import Face, Seat, Slot
from engine.games.escoba import events
from engine.games.escoba.rules import Escoba, Play
from engine.games.escoba.sums import WORTH
from p2p.table.events import Moved


class EscobaScreen(GameScreen):
    """The table cards in the middle, our three cards below, and the captures of a chosen card."""

    count = (events.Leftovers, events.Count, events.Score, events.MatchLost)
    seat_rows: ClassVar[int] = 2

    def seat(self, scene: Scene, seat: Seat) -> list[Line]:
        """The backs of the hand and the pile of the side."""
        game = scene.of(Escoba)
        backs = [("back", "▒ " * len(game.hands[seat]))]
        mano = [("dim", _("dealer"))] if seat == self.dealer(scene) else []
        return [[*backs, *mano], self.pile(game, game.side(seat))]

    def middle(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """Draw the table cards in order of arrival, and the stock in a corner.

        The marked cards are raised, and the cards have letters.
        """
        game = scene.of(Escoba)
        size = fitting(len(game.on_table), rect.width, rect.height - 1, scene.cards)
        top = rect.y + 1 + max(0, (rect.height - 1 - SIZES[size][1]) // 2)
        taken = self.taken(scene)
        styles = ["picked" if slot in taken else "" for slot in game.on_table]
        area = Rect(rect.x, top, rect.width, SIZES[size][1])
        places = draw_row(
            canvas, area, list(game.faces_of(game.on_table)), size, styles, centred=True
        )
        for place, letter, slot in zip(
            places, "abcdefghijklmnopqrstuvwxyz", game.on_table, strict=False
        ):
            caption(
                canvas, place, letter + _worth(game.faces[slot]), "key" if scene.asked else "dim"
            )
        if not game.on_table and not over(scene):
            canvas.centre(rect, rect.y + rect.height // 2, _("the table is empty"), "dim")
        if game.last_play and rect.height > SIZES[size][1] + 2:
            self._last_play(scene, canvas, Rect(rect.x, area.bottom, rect.width, 1))

    def _last_play(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """Draw the last move: its seat, its card, and the cards it took."""
        game = scene.of(Escoba)
        assert game.last_play is not None
        seat, card, takes = game.last_play
        line = scene.words.move(
            scene.names, seat, " ".join(["play", card, *(("take", *takes) if takes else ())])
        )
        canvas.centre(rect, rect.y, line, "dim")

    def mine(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """Draw our cards, and to the right the stock and our pile.

        Cards that may not be played now are grey.
        """
        game = scene.of(Escoba)
        size = self.card_size(scene, canvas.height)
        legal = self.plays(scene)
        picked = self.chosen(scene)
        styles = [
            "picked" if slot == picked else "barred" if scene.asked and slot not in legal else ""
            for slot, _f in scene.hand
        ]
        area = Rect(rect.x + 2, rect.y + 1, rect.width // 2, rect.height - 1)
        faces = [face for _slot, face in scene.hand]
        for number, place in enumerate(draw_row(canvas, area, faces, size, styles), 1):
            caption(canvas, place, str(number) + _worth(faces[number - 1]), "key")
        if scene.seat is not None:
            canvas.flush_right(rect, rect.y, self.pile(game, game.side(scene.seat)))
            line = self.dealer(scene) == scene.seat and _("you deal")
            canvas.flush_right(rect, rect.y + 1, line or "", "dim")
        stock = ngettext("{count} hand to come", "{count} hands to come", game.hands_to_come())
        canvas.flush_right(rect, rect.y + 2, stock.format(count=game.hands_to_come()), "dim")

    def status(self, scene: Scene) -> Line:
        """Return the sum so far, and the effect of Enter."""
        game = scene.of(Escoba)
        card = self.chosen(scene)
        if card is None:
            return [("dim", _("choose a card of yours"))] if scene.asked else []
        faces = dict(scene.hand)
        chosen = (card, *self.taken(scene))
        worths = [WORTH[faces.get(slot) or game.faces[slot]] for slot in chosen]
        if (
            len(chosen) == 1
            and scene.seat is not None
            and Play(card) not in self.plays(scene).get(card, [])
        ):
            return [("bad", scene.words.why(game.why_not(scene.seat, Play(card), faces)))]
        if len(chosen) == 1:
            label, style = short(faces[card])
            return [
                (style, label.strip()),
                ("", " "),
                ("dim", _("lay it on the table")),
            ]
        sum_of = " + ".join(map(str, worths)) + f" = {sum(worths)}"
        return [("good" if sum(worths) == 15 else "wait", sum_of)]

    def keys(self, scene: Scene) -> list[tuple[str, str]]:
        """Cards by number, captures by Tab, table cards by letter."""
        if not scene.asked:
            return []
        if (card := self.chosen(scene)) is None:
            return [(" ".join("123"[: len(scene.hand)]), _("choose a card"))]
        ways = [set(play.takes) for play in self.plays(scene).get(card, [])]
        found = (
            [(or_enter(*self.chosen_by(scene)), _("play"))]
            if set(self.taken(scene)) in ways
            else []
        )
        found += [("Tab", _("other ways"))] if len(ways) > 1 else []
        last = chr(ord("a") + len(scene.of(Escoba).on_table) - 1)
        found += [("a" if last == "a" else f"a-{last}", _("take one by one"))] if any(ways) else []
        return [*found, ("Esc", _("put back"))]

    def press(self, scene: Scene, key: str) -> Picked | Say | None:
        """`1` `2` `3` choose a card, Tab its capture, letters table cards; Enter plays.

        Tab goes through the card's captures. Letters switch table cards.
        """
        if not scene.asked:
            return None
        game = scene.of(Escoba)
        slots = [slot for slot, _face in scene.hand]
        if key in ("left", "right") and slots:
            now = (
                slots.index(scene.picked.cards[0])
                if scene.picked.cards and scene.picked.cards[0] in slots
                else -1
            )
            key = str((now + (1 if key == "right" else -1)) % len(slots) + 1) if now >= 0 else "1"
        if key.isdecimal() and 1 <= int(key) <= len(slots):
            return self._choose(scene, slots[int(key) - 1], 0)
        card = self.chosen(scene)
        if card is None:
            return None
        if key in ("tab", "down", "s-tab", "up"):
            return self._choose(
                scene, card, scene.picked.turn + (1 if key in ("tab", "down") else -1)
            )
        if len(key) == 1 and "a" <= key <= "z" and ord(key) - ord("a") < len(game.on_table):
            slot = game.on_table[ord(key) - ord("a")]
            marked = scene.picked.marked
            marked = (
                tuple(other for other in marked if other != slot)
                if slot in marked
                else (*marked, slot)
            )
            return Picked(cards=(card,), marked=marked)
        if key == "escape":
            return Picked()
        if key == "enter":
            line = game.write(Play(card, self.taken(scene)), {**game.faces, **scene.view.faces})
            return Say(line, scene.picked)
        return None

    def settled(self, scene: Scene) -> bool:
        """Whether the chosen card has one way to be played, and that one is shown."""
        card = self.chosen(scene)
        ways = [] if card is None else self.plays(scene).get(card, [])
        return [set(play.takes) for play in ways] == [set(self.taken(scene))]

    def chosen_by(self, scene: Scene) -> tuple[str, ...]:
        """The number of the chosen card."""
        card = self.chosen(scene)
        return () if card is None else (str([slot for slot, _face in scene.hand].index(card) + 1),)

    def counted(self, scene: Scene, event: GameEvent) -> Sequence[str]:
        """The count of all sides side by side, once the last of them is known."""
        if not isinstance(event, events.Count | events.Score):
            return super().counted(scene, event)
        return (
            count_table(scene)
            if isinstance(event, events.Score) and event.side == scene.game.sides - 1
            else ()
        )

    def moment(self, scene: Scene, event: GameEvent | Moved) -> str:
        """Eskobas, that of the first table too, and the last hand."""
        del scene
        match event:
            case events.Eskoba() | events.FirstTable():
                return _("Escoba!")
            case events.LastHand():
                return _("Azkenak!")
        return ""

    # The choice.

    def taken(self, scene: Scene) -> tuple[Slot, ...]:
        """Return the cards of the table that are picked."""
        return (
            tuple(slot for slot in scene.picked.marked if slot in scene.of(Escoba).on_table)
            if scene.asked
            else ()
        )

    def plays(self, scene: Scene) -> dict[Slot, list[Play]]:
        """Return the legal plays of each card, the largest capture first and laying last."""
        found: dict[Slot, list[Play]] = {}
        legal = (
            [move for move in scene.view.options or () if isinstance(move, Play)]
            if scene.asked
            else []
        )
        for move in sorted(legal, key=lambda move: -len(move.takes)):
            found.setdefault(move.card, []).append(move)
        return found

    def _choose(self, scene: Scene, card: Slot, turn: int) -> Picked:
        ways = self.plays(scene).get(card, [])
        takes = ways[turn % len(ways)].takes if ways else ()
        return Picked(cards=(card,), marked=takes, turn=turn % len(ways) if ways else 0)

    # Small parts.

    def dealer(self, scene: Scene) -> Seat | None:
        """Return the seat that dealt this deal; None once the match is over.

        The seat is returned even if it has left since.
        """
        deals = (
            event.dealer
            for event in reversed(scene.model.history)
            if isinstance(event, events.Deal)
        )
        return None if over(scene) else next(deals, None)

    def pile(self, game: Escoba, side: int) -> Line:
        """The pile of a side: how many cards, and its eskobas."""
        cards = _("pile {count}").format(count=len(game.piles[side]))
        return [
            ("", cards),
            ("moment", "  " + "╪" * game.eskobas[side] if game.eskobas[side] else ""),
        ]


def _worth(face: Face) -> str:
    """R2. Return what a figure is worth, since its rank does not say it: `=10`.

    With the letter or number of its card it is narrower than a small card, so no two touch.
    """
    return "" if face.startswith(str(WORTH[face])) and len(face) == 2 else f"={WORTH[face]}"


SCREEN = EscobaScreen()
