"""The table of dominoes as a view. Paragraphs are those of docs/rules/domino.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from client.i18n.translation import _, later, ngettext
from client.ui.games.domino.screen import SCREEN
from client.ui.games.screen import CHOOSE, DIGITS, Scene, over
from client.ui.screen.parts import capital
from client.ui.view.action import Action, Text
from client.ui.view.game import GameView
from client.ui.view.sentences import card, drawn, minis
from client.ui.view.table_parts import (
    Cell,
    Count,
    Prompt,
    Row,
    Runner,
    TableCard,
    TableSeat,
    Zone,
)
from engine.core.cards import pips
from engine.core.events import GameEvent
from engine.core.moves import Move, Seat, Slot
from engine.games.domino import events
from engine.games.domino.moves import Draw, Pass, Place
from engine.games.domino.options import draws
from engine.games.domino.rules import Domino
from p2p.table.events import Moved


class DominoView(GameView):
    """The line of tiles, with the ends where a tile may go; the graveyard beside it."""

    kind = "domino"
    screen = SCREEN
    deal = (events.Deal,)
    hidden = later("a hidden tile")

    def zones(self, scene: Scene) -> tuple[Zone, ...]:
        """The line, and the graveyard, from which a click draws."""
        game = scene.of(Domino)
        line = Zone(
            "line",
            "chain",
            tuple(
                self.card(scene, slot, "last" if place == SCREEN.newest(scene) else "")
                for place, slot in enumerate(game.line)
            ),
            label="" if game.line else _("the line is empty"),
            acts=tuple(self._ends(scene)),
            row=tuple(game.row()),
            start=self._start(scene),
        )
        if game.deals_all or over(scene):
            return (line,)
        if not draws(game.options):
            return (replace(self.stock(scene, _("asleep")), state="asleep"), line)
        return (replace(self.stock(scene, _("in the graveyard")), acts=self._draws(scene)), line)

    def traced(
        self, scene: Scene, event: Moved, told: Sequence[GameEvent]
    ) -> tuple[Moved | GameEvent, str]:
        """A tile that was laid is lit in the line, whose right end may lie at the left here."""
        match event.text.split():
            case ["play", tile, "left" | "right"]:
                you, other = later("You play {tile}."), later("{who} plays {tile}.")
                return event, scene.names.say(event.seat, you, other, tile=scene.words.shown(tile))
        return super().traced(scene, event, told)

    def call(self, scene: Scene, text: str) -> Text:
        """A pass is said at its seat."""
        return "" if text == _("knock, knock") else super().call(scene, text)

    def _draws(self, scene: Scene) -> tuple[Action, ...]:
        if not scene.asked or list(scene.view.options or ()) != [Draw()]:
            return ()
        return (Action("stock:draw", _("take a tile"), self.at_once(scene, " ")),)

    def _start(self, scene: Scene) -> int:
        """Return the place in the line of its first tile: from there it grows both ways."""
        began = takewhile(
            lambda event: not isinstance(event, events.Deal), reversed(scene.model.history)
        )
        laid = [one for one in began if isinstance(one, Moved) and isinstance(one.move, Place)]
        slot = next(iter(laid[-1].shown), None) if laid else None
        line = scene.of(Domino).line
        return line.index(slot) if slot in line else 0

    def _ends(self, scene: Scene) -> list[Action]:
        """Return the ends of the line at which the picked tile may be laid."""
        chosen = SCREEN.chosen(scene)
        if chosen is None:
            return []
        return [
            Action(
                f"end:{end}",
                self._lay(scene, chosen, end),
                (end,) if end else ("enter",),
                key=end,
            )
            for end in SCREEN.fitting(scene).get(chosen, [])
        ]

    def _lay(self, scene: Scene, tile: Slot, end: str) -> Text:
        """Return the words of laying a tile at an end."""
        game, words = scene.of(Domino), _("lay {tile}")
        if game.ends is not None:
            number = game.ends[0 if end == "left" else 1]
            words = _("lay {tile} on the {number}").replace("{number}", str(number))
        before, after = words.split("{tile}")
        parts = (before, card(self.kind, dict(scene.hand)[tile]), after)
        return tuple(part for part in parts if part)

    def seat(self, scene: Scene, seat: TableSeat, *, nearest: bool) -> TableSeat:
        """How many tiles another holds, and whether it has passed."""
        game, number = scene.of(Domino), seat.number
        found = super().seat(scene, seat, nearest=nearest)
        count = len(game.hands[number])
        tiles = ngettext("{count} tile", "{count} tiles", count).format(count=count)
        partner = self.partner(scene, number)
        lines = [*seat.lines] if seat.you else [*seat.lines, tiles]
        if partner == "a" and not nearest and scene.me is not None:
            lines.append(_("your partner"))
        if number == game.opener:
            lines.append(_("opener"))
        weight = sum(sum(pips(face)) for _slot, face in scene.hand)
        return replace(
            found,
            side=partner,
            lines=tuple(lines),
            held=tiles if found.held else "",
            first=self.first(scene, number),
            fact=(_("pips in hand"), str(weight)) if nearest and scene.hand else None,
            remark=seat.remark
            or (_("knock, knock") if not nearest and self._passed(scene, number) else ""),
        )

    def _passed(self, scene: Scene, seat: Seat) -> bool:
        """Return whether the last move of a seat in this deal was a pass."""
        for event in reversed(scene.model.history):
            if isinstance(event, events.Deal):
                return False
            if isinstance(event, Moved) and event.seat == seat:
                return isinstance(event.move, Pass)
        return False

    def hand(self, scene: Scene) -> tuple[TableCard, ...]:
        """Our tiles, the heaviest first; the picked one is laid by a second tap if it can be."""
        if scene.seat is None:
            return super().hand(scene)
        game, playable, chosen = scene.of(Domino), SCREEN.fitting(scene), SCREEN.chosen(scene)
        found = []
        for number, slot in enumerate(SCREEN.in_order(scene)):
            ends = playable.get(slot, [])
            one = len(ends) == 1 or (bool(ends) and SCREEN.same(game))
            keys = (f"{CHOOSE}slot:{slot}",)
            if slot == chosen and ends:  # put back if its end is still to be chosen
                keys = ("enter",) if one else ("escape",)
            state = "barred" if slot not in playable else "picked" if slot == chosen else ""
            key = DIGITS[number : number + 1]
            found.append(
                self.card(scene, slot, state, keys, key) if scene.asked else self.card(scene, slot)
            )
        return tuple(found)

    def sounds(self, move: Move) -> str:
        """A player that passes knocks."""
        return "knock" if isinstance(move, Pass) else ""

    def prompt(self, scene: Scene) -> Prompt:
        """Which tile, or which end; or why there is none."""
        chosen, places = SCREEN.chosen(scene), SCREEN.fitting(scene)
        if chosen is None or not places.get(chosen):
            said = "".join(text for _style, text in SCREEN.status(scene))
            return Prompt("", drawn(self.kind, said))
        ends = places[chosen]
        both = len(ends) > 1 and not SCREEN.same(scene.of(Domino))
        return Prompt("", _("at which end?") if both else "")

    def actions(self, scene: Scene) -> tuple[Action, ...]:
        """Lay, at one end or at either; draw, or pass."""
        if not scene.asked:
            return ()
        legal = list(scene.view.options or ())
        if legal in ([Draw()], [Pass()]):
            ((key, words),) = SCREEN.keys(scene)
            return (Action(f"key:{key}", words, self.at_once(scene, key), "main", key=key),)
        ends = self._ends(scene)
        if not ends:
            return (Action("play", _("choose a tile"), (), "main", off=True),)
        if len(ends) == 1 or SCREEN.same(scene.of(Domino)):
            return (replace(ends[0], id="play", keys=("enter",), role="main", key="enter"),)
        return tuple(replace(one, id=f"lay:{one.key}") for one in ends)

    def count(
        self, scene: Scene, history: Sequence[GameEvent | Moved], table: Scene | None
    ) -> Count | None:
        """R12. The tiles that each seat has left, and their pips; the points and their reason."""
        del table
        fresh: list[GameEvent] = []
        for event in reversed(history):
            if isinstance(event, Moved):
                break
            fresh.insert(0, event)
        won = next((one for one in fresh if isinstance(one, events.Score)), None)
        if won is None:
            return None
        game, names = scene.of(Domino), scene.names
        rows_of = events.Hand | events.ClosedHand | events.Score | events.Deal
        told = (
            line
            for one in fresh
            if not isinstance(one, rows_of)
            for line in scene.words.told(names, game, one)
        )
        rows = [
            Row(
                str(names.label(one.seat)),
                (Cell(minis(self.kind, one.tiles)), Cell(str(one.pips))),
                seat=one.seat,
            )
            for one in fresh
            if isinstance(one, events.Hand)
        ]
        rows += [
            Row(str(names.label(one.seat)), (Cell(_("not turned up")), Cell("")), seat=one.seat)
            for one in fresh
            if isinstance(one, events.ClosedHand)
        ]
        scores = self.score(scene)
        winner = next(capital(one.name) for one in scores if one.number == won.side)
        gained = Cell("", f"+{won.gained}") if won.gained else Cell("0")
        rows.append(Row(_("this deal"), (Cell(winner), gained), sum=True))
        score = [won.total if side == won.side else game.score[side] for side in range(game.sides)]
        target = int(game.options["target"])
        return Count(
            (_("tiles left"), _("pips")),
            tuple(rows),
            tuple(
                Runner(
                    one.name,
                    one.number,
                    score[one.number] - (won.gained if one.number == won.side else 0),
                    won.gained if one.number == won.side else 0,
                    one.side,
                )
                for one in scores
            ),
            target,
            _("in all, to {target}").format(target=target),
            tuple(drawn(self.kind, line.strip()) for line in told),
        )


VIEW = DominoView()
