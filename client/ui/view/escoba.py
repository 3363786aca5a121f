"""The table of Escoba as a view. Paragraphs are those of docs/rules/escoba.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from client.i18n.translation import _, ngettext
from client.ui.games.escoba.count import FIGURES, LABELS, MOST
from client.ui.games.escoba.screen import SCREEN
from client.ui.games.screen import Scene
from client.ui.view.action import Action, Text
from client.ui.view.game import GameView
from client.ui.view.sentences import card, minis
from client.ui.view.table_parts import Cell, Count, Prompt, Row, Runner, TableCard, TableSeat, Zone
from engine.core.cards import rank, suit
from engine.core.events import GameEvent
from engine.core.moves import Face, Slot
from engine.games.escoba import events
from engine.games.escoba.rules import Escoba, Play
from engine.games.escoba.sums import WORTH
from p2p.table.events import Moved

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class EscobaView(GameView):
    """The table cards in the middle, the stock and our pile beside them."""

    screen = SCREEN
    deal = (events.Deal,)

    def worth(self, face: Face) -> str:
        """R2. A figure counts two less than its number."""
        return "" if rank(face) == str(WORTH[face]) else str(WORTH[face])

    def zones(self, scene: Scene) -> tuple[Zone, ...]:
        """The stock; the table cards, those marked that the picked card takes; our pile."""
        game = scene.of(Escoba)
        taken, chosen = SCREEN.taken(scene), SCREEN.chosen(scene) is not None
        trace = self.trace(scene)
        played = () if trace is None else tuple(one.id for one in trace.played)
        lying = tuple(
            self.card(scene, slot, "taken" if slot in taken else "", (letter,), letter)
            if chosen
            else self.card(scene, slot, "last" if f"slot:{slot}" in played else "")
            for slot, letter in zip(game.on_table, LETTERS, strict=False)
        )
        first = scene.seat if scene.seat is not None else 0
        side = game.side(first)
        pile = game.piles[side]
        hands = ngettext("hand to come", "hands to come", game.hands_to_come())
        ours = _("team pile") if self.partner(scene, first) else _("your pile")
        return (
            self.stock(scene, hands, game.hands_to_come()),
            Zone("spread", "spread", lying, label="" if lying else _("the table is empty")),
            Zone(
                "pile",
                "pile",
                tuple(replace(one, face=None) for one in self.cards(scene, pile[-3:])),
                len(pile),
                ours if scene.me is not None else _("pile"),
                min(3, game.eskobas[side]),
                tuple(seat for seat in range(game.players) if game.side(seat) == side),
            ),
        )

    def seat(self, scene: Scene, seat: TableSeat, *, nearest: bool) -> TableSeat:
        """Its hand, and the pile of its side."""
        game, side = scene.of(Escoba), scene.game.side(seat.number)
        found = super().seat(scene, seat, nearest=nearest)
        lines = [*seat.lines]
        partner = self.partner(scene, seat.number)
        if partner == "a" and not nearest and scene.me is not None:
            lines.append(_("your partner"))
        first = min(game.seats_of(side))
        if (partner == "b" and seat.number == first) or (not partner and not nearest):
            lines.append(_("pile {count}").format(count=len(game.piles[side])))
        if game.eskobas[side] and (not partner or nearest or seat.number == first):
            said = ngettext("{count} escoba", "{count} escobas", game.eskobas[side])
            lines.append(said.format(count=game.eskobas[side]))
        return replace(
            found,
            side=partner,
            lines=tuple(lines),
            first=self.first(scene, seat.number),
            deals=_("dealer") if SCREEN.dealer(scene) == seat.number else "",
        )

    def hand(self, scene: Scene) -> tuple[TableCard, ...]:
        """Our three cards; one that may not be played is pale, and says why when it is picked."""
        if scene.seat is None or not scene.asked:
            return super().hand(scene)
        legal, picked = SCREEN.plays(scene), SCREEN.chosen(scene)
        return tuple(
            self.card(
                scene,
                slot,
                "barred" if slot not in legal else "picked" if slot == picked else "",
                (str(number),),
                str(number),
            )
            for number, (slot, _face) in enumerate(scene.hand, 1)
        )

    def moved(self, scene: Scene, event: Moved) -> tuple[tuple[TableCard, ...], tuple[str, ...]]:
        """The card that was played, and those that it took."""
        if not isinstance(event.move, Play):
            return (), ()
        face = event.text.split()[1]
        played = replace(self.card(scene, event.move.card), face=face)
        return (played,), tuple(f"slot:{slot}" for slot in event.move.takes)

    def prompt(self, scene: Scene) -> Prompt:
        """The sum so far, or why the picked card may not be laid."""
        game, picked = scene.of(Escoba), SCREEN.chosen(scene)
        if picked is None:
            return Prompt("", _("choose a card of yours") if scene.asked else "")
        faces = dict(scene.hand)
        taken = SCREEN.taken(scene)
        if not taken:
            may = Play(picked) in SCREEN.plays(scene).get(picked, [])
            if may or scene.seat is None:
                return Prompt("", _("nothing makes 15 with it: it stays on the table"))
            why = game.why_not(scene.seat, Play(picked), faces)
            return Prompt("", self.in_words(scene.words.why(why)))
        worths = [WORTH[faces.get(slot) or game.faces[slot]] for slot in (picked, *taken)]
        total = sum(worths)
        return Prompt("", sum=" + ".join(map(str, worths)) + f" = {total}")

    def actions(self, scene: Scene) -> tuple[Action, ...]:
        """Take, or lay; the other ways to take stand beside it, the next one first."""
        if not scene.asked:
            return ()
        picked = SCREEN.chosen(scene)
        if picked is None:
            return (Action("play", _("play"), (), "main", off=True),)
        ways = [play.takes for play in SCREEN.plays(scene).get(picked, [])]
        taken = SCREEN.taken(scene)
        fits = set(taken) in [set(way) for way in ways]
        label = self._way(scene, picked, taken) if fits else _("play")
        main = Action("play", label, ("enter",) if fits else (), "main", off=not fits, key="enter")
        turn = scene.picked.turn % len(ways) if ways else 0
        others = [
            (step, ways[(turn + step) % len(ways)])
            for step in range(len(ways))
            if set(ways[(turn + step) % len(ways)]) != set(taken)
        ]
        return (
            main,
            *(
                Action(f"way:{step}", (_("or") + " ", *self._cards(scene, way)), ("tab",) * step)
                for step, way in others[:2]
                if step
            ),
        )

    def _way(self, scene: Scene, picked: Slot, taken: Sequence[Slot]) -> Text:
        if not taken:
            face = scene.view.face(picked)
            return (_("lay") + " ", card(self.kind, face or ""))
        if len(taken) == len(scene.of(Escoba).on_table):
            return _("sweep the table")
        return (_("take") + " ", *self._cards(scene, taken))

    def _cards(self, scene: Scene, slots: Sequence[Slot]) -> Text:
        return minis(self.kind, (face for face in scene.faces(slots) if face))

    def count(
        self, scene: Scene, history: Sequence[GameEvent | Moved], table: Scene | None
    ) -> Count | None:
        """R12. A row for each line of the rule, and how far it brings everybody."""
        game = scene.of(Escoba)
        fresh = list(takewhile(lambda event: not isinstance(event, Moved), reversed(history)))
        counts = {(one.line, one.side): one for one in fresh if isinstance(one, events.Count)}
        scores = {one.side: one for one in fresh if isinstance(one, events.Score)}
        if len(scores) < len(game.sides_that_stay()):
            return None
        ours = scene.game.side(scene.seat if scene.seat is not None else 0)
        sides = sorted(sorted(scores), key=lambda side: side != ours)
        rows = []
        piles, swept = self._piles(table, fresh), _sweepers(game, history)
        for line, label in LABELS.items():
            found = [counts.get((line, side)) for side in sides]
            if not any(one and (one.points or line in FIGURES) for one in found):
                continue
            tied = line in MOST and not any(one.points for one in found if one)
            cells = tuple(
                _cell(one, piles.get(side, ()), swept.get(side, ()))
                for one, side in zip(found, sides, strict=True)
            )
            rows.append(Row(_("{label} (tie)").format(label=_(label)) if tied else _(label), cells))
        gained = tuple(Cell(f"+{scores[side].gained}") for side in sides)
        names = {side: self._called(scene, side) for side in sides}
        target = int(game.options["target"])
        return Count(
            (),
            (*rows, Row(_("this deal"), gained, sum=True)),
            tuple(
                Runner(
                    names[side],
                    side,
                    one.total - one.gained,
                    one.gained,
                    self.partner(scene, side),
                )
                for side in sides
                if (one := scores[side])
            ),
            target,
            _("in all, to {target}").format(target=target),
        )

    def _called(self, scene: Scene, side: int) -> str:
        return next(one.name for one in self.points(scene) if one.number == side)

    def _piles(
        self, table: Scene | None, fresh: Sequence[GameEvent | Moved]
    ) -> dict[int, tuple[Face, ...]]:
        """Return the faces that each side has taken, if the table can still be seen."""
        if table is None:
            return {}
        game = table.of(Escoba)
        left = next((one for one in fresh if isinstance(one, events.Leftovers)), None)
        found = {
            side: tuple(game.faces[slot] for slot in pile if slot in game.faces)
            for side, pile in enumerate(game.piles)
        }
        if left is not None and left.side is not None:
            found[left.side] += left.cards
        return found


def _sweepers(game: Escoba, history: Sequence[GameEvent | Moved]) -> Mapping[int, tuple[Face, ...]]:
    """Return the cards with which each side has swept the table in the last deal."""
    found: dict[int, tuple[Face, ...]] = {}
    before: GameEvent | Moved | None = None
    for event in history:
        if isinstance(event, events.Deal):
            found.clear()
        if isinstance(event, events.Eskoba) and isinstance(before, Moved):
            side = game.side(event.seat)
            found[side] = (*found.get(side, ()), before.text.split()[1])
        before = event
    return found


def _cell(count: events.Count | None, pile: Sequence[Face], swept: Sequence[Face]) -> Cell:
    """Return a field of the count.

    Sevens are drawn where the pile can still be seen, and the cards of all eskobas of a side where
    cards have made them: the first table makes one without.
    """
    if count is None:
        return Cell("")
    points = f"+{count.points}" if count.points else ""
    text: Text = str(count.figure) if count.line in FIGURES else "✓" if points else ""
    if count.line == "e" and pile:
        sevens = [face for face in pile if rank(face) == "7"]
        text = minis("spanish", sorted(sevens, key=suit)) or text
    if count.line == "a" and len(swept) == count.figure > 0:
        text = minis("spanish", swept)
    if count.line == "d" and points:
        text = minis("spanish", ["7o"])
    return Cell(text, points, best=bool(points))


VIEW = EscobaView()
