"""Dominoes on the full screen. Paragraphs are those of docs/rules/domino.md."""

from __future__ import annotations

from client.i18n.translation import _, keyed, letter
from client.ui.drawing.canvas import Canvas, Rect
from client.ui.games.domino.tiles import HIGH, LONG, draw_line, draw_tile
from client.ui.games.domino.words import WORDS
from client.ui.games.screen import (
    CHOOSE,
    DIGITS,
    GameScreen,
    Line,
    Moment,
    Picked,
    Say,
    Scene,
    caption,
    clicked,
    or_enter,
    over,
)
from engine.core.cards import pips
from engine.core.events import GameEvent
from engine.core.moves import Face, Seat, Slot
from engine.games.domino import events
from engine.games.domino.moves import Draw, Pass, Place
from engine.games.domino.rules import Domino
from p2p.table.events import Moved

STEP = LONG + 1
DRAW, PASS = keyed("t: take a tile"), keyed("p: knock and pass")
"""The keys that are letters."""


class DominoScreen(GameScreen):
    """A screen with the line in the middle and our tiles below.

    A tile is chosen by its number, and laid with an arrow.
    """

    count = (
        events.Out,
        events.Closed,
        events.Stuck,
        events.Lowest,
        events.Hand,
        events.ClosedHand,
        events.Capicua,
        events.Count,
        events.Score,
        events.Shoemaker,
    )

    def seat(self, scene: Scene, seat: Seat) -> list[Line]:
        """How many tiles it holds."""
        tiles = len(scene.game.hands[seat])
        opener = [("dim", "  " + _("opener"))] if seat == scene.of(Domino).opener else []
        return [[("back", "▒" * min(tiles, 7)), ("", f" {tiles}"), *opener]]

    def middle(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """The line with its two ends; the graveyard below it."""
        game = scene.of(Domino)
        graveyard = "" if over(scene) else WORDS.left_over(game)
        if graveyard and rect.height > 1:
            canvas.centre(rect, rect.bottom - 1, [("back", "▒ "), ("dim", graveyard)])
        row = game.row()
        if not row:
            canvas.centre(rect, rect.y + rect.height // 2, _("the line is empty"), "dim")
            return
        below = 1 if graveyard else 0
        draw_line(
            canvas,
            Rect(rect.x, rect.y, rect.width, max(1, rect.height - below)),
            row,
            self.newest(scene),
        )

    def mine_rows(self, scene: Scene, width: int, height: int) -> int:
        """One row of tiles with their numbers above; as chips in as many rows as they need."""
        if scene.seat is None:
            return 0
        return 1 + (
            HIGH
            if self._large(scene, width, height)
            else -(-max(1, len(scene.hand)) // self._in_a_row(scene, width))
        )

    def mine(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """Our tiles, the heaviest first, those that may not be laid in grey."""
        large = self._large(scene, rect.width, canvas.height)
        playable = self.fitting(scene)
        chosen = self.chosen(scene)
        for number, slot in enumerate(self.in_order(scene)):
            row, column = divmod(number, self._in_a_row(scene, rect.width))
            style = (
                "picked"
                if slot == chosen
                else "barred"
                if scene.asked and slot not in playable
                else ""
            )
            high, low = pips(dict(scene.hand)[slot])
            y = rect.y + 1 + row * (HIGH if large else 1)
            place = draw_tile(
                canvas,
                rect.x + 2 + column * self._step(scene, rect.width),
                y,
                high,
                low,
                style,
                chip=not large,
            )
            if number < len(DIGITS) and not row:
                caption(canvas, place, DIGITS[number], "key" if slot in playable else "dim")

    def status(self, scene: Scene) -> Line:
        """Return the ends that the chosen tile fits, or the reason why no tile can be laid."""
        game = scene.of(Domino)
        if not scene.asked:
            return []
        places = self.fitting(scene)
        if not places and game.ends is not None:
            lines = WORDS.state(scene.names, scene.view)
            return [("wait", lines[-1])]
        chosen = self.chosen(scene)
        if chosen is None:
            return [("dim", _("choose a tile"))]
        tile = dict(scene.hand)[chosen]
        ends = places.get(chosen, [])
        if not ends and game.ends is None:
            return [("bad", WORDS.why(("must-open", *(dict(scene.hand)[slot] for slot in places))))]
        if not ends:
            return [("bad", _("{tile} fits neither end").format(tile=WORDS.shown(tile)))]
        if ends == [""] or len(ends) == 1 or self.same(game):
            where = {"left": "←", "right": "→", "": ""}["" if self.same(game) else ends[0]]
            return [("strong", tile), ("key", f" {where}"), ("keys", " Enter")]
        return (
            [
                ("strong", tile),
                ("", "  "),
                ("key", f"← {game.ends[0]}"),
                ("dim", " / "),
                ("key", f"{game.ends[1]} →"),
            ]
            if game.ends
            else []
        )

    def keys(self, scene: Scene) -> list[tuple[str, str]]:
        """Return the keys for the moves that are allowed: choose, lay, draw, pass."""
        if not scene.asked:
            return []
        legal = list(scene.view.options or ())
        if legal == [Draw()]:
            return [(letter(DRAW), _("take a tile"))]
        if legal == [Pass()]:
            return [(letter(PASS), _("knock and pass"))]
        chosen, places = self.chosen(scene), self.fitting(scene)
        following = [("Tab", _("the next that fits"))] if set(places) - {chosen} else []
        if chosen is None:
            keys = DIGITS[: len(scene.hand)]
            numbers = "1" if len(keys) == 1 else f"1-{keys[-1]}"
            return [(numbers, _("choose a tile")), *following]
        ends = places.get(chosen, [])
        both_keys = (
            or_enter(self.chosen_by(scene)[0])
            if self.in_order(scene).index(chosen) < len(DIGITS)
            else "Enter"
        )
        both = len(ends) > 1 and not self.same(scene.of(Domino))
        lay = (
            [("←", _("at the left")), ("→", _("at the right"))]
            if both
            else [(both_keys, _("lay it"))]
            if ends
            else []
        )
        return [*lay, *following, ("Esc", _("put back"))]

    def press(self, scene: Scene, key: str) -> Picked | Say | None:
        """Digits and Tab choose a tile, arrows lay it at an end; letters draw and pass.

        Enter lays the tile if there is no choice of an end.
        """
        if not scene.asked:
            return None
        game = scene.of(Domino)
        slots, places, chosen = self.in_order(scene), self.fitting(scene), self.chosen(scene)
        if key in tuple(DIGITS[: len(slots)]):
            return Picked(cards=(slots[DIGITS.index(key)],))
        if (slot := clicked(key)) in slots:
            return Picked(cards=(slot,))
        if key in ("tab", "down", "s-tab", "up"):
            return self._next(scene, 1 if key in ("tab", "down") else -1)
        if key in (letter(DRAW), letter(PASS), " "):
            waits = next(
                (move for move in scene.view.options or () if isinstance(move, (Draw, Pass))), None
            )
            return Say(
                "pass"
                if isinstance(waits, Pass) or (waits is None and key == letter(PASS))
                else "draw"
            )
        if key in ("left", "right") and chosen is not None:
            end = "" if game.ends is None else f" {key}"
            return Say(f"play {dict(scene.hand)[chosen]}{end}", scene.picked)
        if key == "enter":
            return self._enter(scene, chosen, places)
        return Picked() if key == "escape" and scene.picked.cards else None

    def settled(self, scene: Scene) -> bool:
        """Whether the chosen tile may be laid, and there is no choice of an end."""
        chosen = self.chosen(scene)
        ends = [] if chosen is None else self.fitting(scene).get(chosen, [])
        return len(ends) == 1 or (bool(ends) and self.same(scene.of(Domino)))

    def chosen_by(self, scene: Scene) -> tuple[str, ...]:
        """The number of the chosen tile, and a click on it."""
        chosen = self.chosen(scene)
        if chosen is None:
            return ()
        number = self.in_order(scene).index(chosen)
        return (*DIGITS[number : number + 1], f"{CHOOSE}slot:{chosen}")

    def moment(self, scene: Scene, event: GameEvent | Moved) -> str | Moment:
        """Announce the last tile, capicúa, a blocked line, a pass, five doubles, the shoemaker.

        The shoemaker has a sound of its own.
        """
        match event:
            case events.Out():
                return "¡Dominó!"
            case events.Capicua():
                return "¡Capicúa!"
            case events.Closed() | events.Stuck():
                return Moment(_("Blocked!"), "warn")
            case events.Shoemaker():
                return Moment(WORDS.told(scene.names, scene.game, event)[0], "alarm")
            case events.FiveDoubles():
                return WORDS.told(scene.names, scene.game, event)[0]
            case Moved(text="pass"):
                return _("knock, knock")
        return ""

    # The choice.

    def in_order(self, scene: Scene) -> list[Slot]:
        """Return the slots of our hand, the heaviest tile first."""
        return [
            slot for slot, _face in sorted(scene.hand, key=lambda tile: pips(tile[1]), reverse=True)
        ]

    def fitting(self, scene: Scene) -> dict[Slot, list[str]]:
        """Return the ends at which each of our tiles may be laid."""
        found: dict[Slot, list[str]] = {}
        for move in (scene.view.options or ()) if scene.asked else ():
            if isinstance(move, Place):
                found.setdefault(move.tile, []).append(move.end)
        return found

    def same(self, game: Domino) -> bool:
        """R6.

        Whether both ends show one number: then it is all one at which of them a tile is laid.
        """
        return game.ends is not None and game.ends[0] == game.ends[1]

    def _next(self, scene: Scene, step: int) -> Picked | None:
        fitting = [slot for slot in self.in_order(scene) if slot in self.fitting(scene)]
        if not fitting:
            return None
        chosen = self.chosen(scene)
        now = fitting.index(chosen) if chosen in fitting else (-1 if step > 0 else 0)
        return Picked(cards=(fitting[(now + step) % len(fitting)],))

    def _enter(
        self, scene: Scene, chosen: Slot | None, places: dict[Slot, list[str]]
    ) -> Picked | Say | None:
        """Lay the chosen tile if there is no choice.

        With nothing chosen, choose the only tile that fits.
        """
        if chosen is None:
            return Picked(cards=(next(iter(places)),)) if len(places) == 1 else None
        ends = places.get(chosen, [])
        tile: Face = dict(scene.hand)[chosen]
        if len(ends) == 1 and ends[0]:
            return Say(f"play {tile} {ends[0]}", scene.picked)
        return Say(f"play {tile}", scene.picked)

    # Small parts.

    def newest(self, scene: Scene) -> int | None:
        """Return the place in the line of the tile that was laid last."""
        laid = [
            event
            for event in scene.model.history
            if isinstance(event, Moved) and isinstance(event.move, Place)
        ]
        slots = list(laid[-1].shown) if laid else []
        return (
            scene.of(Domino).line.index(slots[0])
            if slots and slots[0] in scene.of(Domino).line
            else None
        )

    def _large(self, scene: Scene, width: int, height: int) -> bool:
        return height >= 22 and self._step(scene, width) == STEP

    def _step(self, scene: Scene, width: int) -> int:
        """Return the columns from a tile to the next: without a gap if a row has too many."""
        return STEP if len(scene.hand) * STEP <= width - 3 else LONG

    def _in_a_row(self, scene: Scene, width: int) -> int:
        return max(1, (width - 3) // self._step(scene, width))


SCREEN = DominoScreen()
