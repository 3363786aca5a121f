"""The table of Kínaskák as a view. Paragraphs are those of docs/rules/kinaskak.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from client.i18n.translation import _, either, later, letter, ngettext, pgettext
from client.ui.games.kinaskak import laying
from client.ui.games.kinaskak.refusals import named, refusal
from client.ui.games.kinaskak.screen import (
    ACTIONS,
    BY_RANK,
    KEYS,
    NO_TO_ALL,
    NO_TO_ALL_KEY,
    READY,
    SCREEN,
)
from client.ui.games.kinaskak.table import since_the_last_move
from client.ui.games.kinaskak.words import WORDS, by_suit
from client.ui.games.screen import CHOOSE, Scene
from client.ui.screen.parts import capital
from client.ui.view.action import Action, Text
from client.ui.view.game import GameView
from client.ui.view.sentences import aloud_card, card, minis
from client.ui.view.table_parts import (
    Cell,
    Count,
    Prompt,
    Row,
    Score,
    TableCard,
    TableSeat,
    Trace,
    Zone,
)
from engine.core.cards import JOKER
from engine.core.events import GameEvent
from engine.core.moves import Move
from engine.games.kinaskak import events
from engine.games.kinaskak.melds import RUN, SET, Cards
from engine.games.kinaskak.moves import Lay, Meld, Say, Swap
from engine.games.kinaskak.rules import PENALTY, Kinaskak
from p2p.table.events import Moved

WHERE: Mapping[str, tuple[str, str]] = {
    RUN: (later("your run {meld}"), later("{who}'s run {meld}")),
    SET: (later("your set {meld}"), later("{who}'s set {meld}")),
}
"""Which meld takes a card, and whose it is: ours, or another player's."""


class KinaskakView(GameView):
    """The melds with their owners, the stock and the open card in the middle, our sorted hand."""

    kind = "french"
    most_wins: ClassVar[bool] = False
    screen = SCREEN
    deal = (events.Round,)

    # The table.

    def zones(self, scene: Scene) -> tuple[Zone, ...]:
        """R13. The stock and the open card; the melds of all, and those that are asked of us."""
        game = scene.of(Kinaskak)
        if not game.round:
            return ()
        buttons = {one.id: one for one in self._answers(scene)} if scene.asked else {}
        draws = buttons.get("decline")
        takes = buttons.get("take") or buttons.get("buy")
        stock = self.stock(scene, _("in the stock"))
        lying = self.cards(scene, game.pile[-3:])
        opened = Zone("open", "open", lying, label=pgettext("card", "open"))
        if draws:
            stock = replace(stock, acts=(replace(draws, id="stock:draw", role="", key=""),))
        if takes and lying:
            label = f"{_('take') if takes.id == 'take' else _('buy')}: {lying[-1].name}"
            act = replace(takes, id="open:take", label=label, role="", key="")
            opened = replace(opened, acts=(act,))
        return (stock, opened, *self._melds(scene), *self._wanted(scene))

    def _melds(self, scene: Scene) -> Iterator[Zone]:
        """Return the melds on the table, and of each what a click lays there or fetches."""
        melds, count = laying.melds_after(scene), len(scene.of(Kinaskak).melds)
        ways = self._ways(scene)
        for number, (meld, new) in enumerate(melds[:count], 1):
            cards = self._laid(scene, meld.kind, meld.cards)
            said = ", ".join(one.name for one in cards)
            about = f"{said} ({scene.names.label(meld.owner)})"
            name = _("{name}: {about}").format(name=number, about=about)
            yield Zone(
                f"meld:{number}",
                "meld",
                cards,
                number,
                seats=(meld.owner,),
                name=name,
                state="new" if new else "",
                acts=(Action(f"on:{number}", name, ways[number]),) if number in ways else (),
            )

    def _ways(self, scene: Scene) -> dict[int, tuple[str, ...]]:
        """Return the keys that show what the picked cards do with each meld; or make it so."""
        picked = scene.picked
        if not (scene.asked and scene.of(Kinaskak).phase == "play" and laying.picked(scene)):
            return {}
        found: dict[int, tuple[str, ...]] = {}
        for action in (picked.word,) if picked.word else ("lay", "swap"):
            moves = laying.moves_of(scene, action)
            for place, move in enumerate(moves):
                if not isinstance(move, Lay | Swap) or move.meld in found:
                    continue
                steps = (place - picked.number) % len(moves) if picked.word else place
                first = () if picked.word else (letter(KEYS[action]),)
                found[move.meld] = (*first, *["tab"] * steps) or ("enter",)
        return found

    def _laid(self, scene: Scene, kind: str, cards: Cards) -> tuple[TableCard, ...]:
        """Return the cards of a meld; a joker has the card for which it stands behind it."""
        known, held = laying.faces_after(scene), dict(scene.hand)
        faces = [(slot, f"{JOKER}{stands}" if stands else known[slot]) for slot, stands in cards]
        if kind == SET:
            faces.sort(key=lambda one: by_suit(one[1]))
        return tuple(
            replace(
                self.card(scene, slot, "picked" if slot in held else ""),
                face=face,
                name=aloud_card(self.kind, face),
            )
            for slot, face in faces
        )

    def _wanted(self, scene: Scene) -> Iterator[Zone]:
        """R18. Return the melds that this round asks of us: those that are ready or shown first."""
        game, seat = scene.of(Kinaskak), scene.seat
        if seat is None or game.down[seat] or not scene.hand:
            return
        move, words = laying.shown(scene), {RUN: _("a run"), SET: _("a set")}
        made = laying.whole(scene, move).melds
        for number, (kind, cards) in enumerate(made, 1):
            new = "new" if number > len(scene.picked.ready) else ""
            laid = self._laid(scene, kind, cards)
            yield Zone(f"want:{number}", "want", laid, label=words[kind], state=new)
        left = laying.still_asked(scene, move)
        kinds = [RUN] * left.runs + [SET] * left.sets
        lacking = None if made else SCREEN.lacking(scene)
        if lacking is not None and lacking.cards:
            yield Zone("asks", "want", label=_("to lay down:"), state="lacks")
        for number, kind in enumerate(kinds, len(made) + 1):
            yield Zone(f"want:{number}", "want", label=words[kind])
        if lacking is not None:
            (_style, said), *_more = SCREEN.lacks(scene)
            helping = tuple(
                TableCard(f"lacks:{face}", self.kind, face, aloud_card(self.kind, face))
                for face in SCREEN.wanted(lacking)
            )
            said = _("{lacks}, such as").format(lacks=said) if helping else said
            yield Zone("lacks", "want", helping, label=said, state="lacks")

    def seat(self, scene: Scene, seat: TableSeat, *, nearest: bool) -> TableSeat:
        """Its cards and points, its purchases, and the cards known of it; melds say the rest."""
        game, number = scene.of(Kinaskak), seat.number
        score, held = game.score[number], game.hands[number]
        bought, free = game.purchases[number], game.options["buys"]
        known = [] if nearest else [slot for slot in held if slot in game.faces]
        count = ngettext("{count} card", "{count} cards", len(held)).format(count=len(held))
        points = ngettext("{count} point", "{count} points", score).format(count=score)
        lines = [*seat.lines, count, points]
        if number == game.forhond and not game.down[number]:
            lines.append(_("plays"))
        if bought:
            times = ngettext("bought once", "bought {count} times", bought).format(count=bought)
            lines.append(times)
        if bought > free:
            lines.append(_("{count} of them paid for").format(count=bought - free))
        return replace(
            seat,
            lines=tuple(lines),
            first=self.first(scene, number),
            cards=self.cards(scene, sorted(known, key=lambda slot: by_suit(game.faces[slot]))),
            held=_("was seen taking") if 0 < len(known) < len(held) else "",
        )

    def score(self, scene: Scene) -> tuple[Score, ...]:
        """The points stand at the seats."""
        del scene
        return ()

    def hand(self, scene: Scene) -> tuple[TableCard, ...]:
        """Our hand in the chosen order, in groups; a click picks a card, or puts it back."""
        if scene.seat is None:
            return super().hand(scene)
        plays = scene.asked and scene.of(Kinaskak).phase == "play" and not scene.picked.word
        slots, faces = SCREEN.in_order(scene), dict(laying.hand_after(scene))
        sign = 0 if BY_RANK in scene.picked.kept else -1
        groups = [faces[slot][sign] for slot in slots]
        held = scene.game.hands[scene.seat]
        hidden = [slot for slot in held if scene.view.face(slot) is None]  # on a page
        found = tuple(
            replace(
                self.card(
                    scene,
                    slot,
                    "picked" if slot in scene.picked.cards else "",
                    (f"{CHOOSE}slot:{slot}",) if plays else (),
                ),
                begins=place > 0
                and group != groups[place - 1]
                and (sign < 0 or max(map(groups.count, (group, groups[place - 1]))) > 1),
            )
            for place, (slot, group) in enumerate(zip(slots, groups, strict=True))
        )
        return found + self.cards(scene, hidden)

    # The last move.

    def sounds(self, move: Move) -> str:
        """A player that does not buy makes no sound."""
        return "none" if move == Say("no") else ""

    def trace(self, scene: Scene) -> Trace | None:
        """A purchase sounds, also if another seat has answered after the buyer."""
        found, told = super().trace(scene), since_the_last_move(scene.model.history)
        bought = any(isinstance(one, events.Bought) for one in told)
        return replace(found, sound="") if found is not None and bought else found

    def traced(
        self, scene: Scene, event: Moved, told: Sequence[GameEvent]
    ) -> tuple[Moved | GameEvent, str]:
        """The end of a window says more than the last answer in it."""
        for one in told:
            if isinstance(one, events.NobodyBuys | events.Bought):
                return one, scene.words.told(scene.names, scene.game, one)[0]
        return super().traced(scene, event, told)

    def call(self, scene: Scene, text: str) -> Text:
        """The question before a round is translated; the last move tells who lays down."""
        if text == READY:
            return _("Allir tilbúnir? (Is everybody ready?)")
        told = since_the_last_move(scene.model.history)
        downs = (one for one in told if isinstance(one, events.LaidDown))
        if any(text in scene.words.told(scene.names, scene.game, one) for one in downs):
            return ""
        return super().call(scene, text)

    def moved(self, scene: Scene, event: Moved) -> tuple[tuple[TableCard, ...], tuple[str, ...]]:
        """The cards that were laid down, laid off or thrown away."""
        return self.cards(scene, event.move.shows), ()

    # The question and its answers.

    def prompt(self, scene: Scene) -> Prompt:
        """The question about the open card and its price, or the meaning of the picked cards."""
        game, seat = scene.of(Kinaskak), scene.seat
        if not scene.asked or seat is None:
            return Prompt("")
        if game.phase == "play":
            return Prompt("", self._playing(scene))
        opened = minis(self.kind, game.faces_of(game.pile[-1:]))
        helps = "".join(f" {capital(text)}." for _style, text in SCREEN.helps(scene))
        if game.phase == "offer":
            return Prompt("", (_("take it, or leave it and draw:") + " ", *opened, helps))
        free = game.options["buys"] - game.purchases[seat]
        if free > 0:
            asked = _("Buy {card}? A card from the stock comes with it.")
            helps = " " + _("Free purchases left: {count}.").format(count=free)
        else:
            asked = _("Buy {card} for {points} points? A card from the stock comes with it.")
            asked = asked.replace("{points}", str(PENALTY))
        before, after = asked.split("{card}")
        return Prompt("", (before, *opened, after + helps))

    def _playing(self, scene: Scene) -> Text:
        move, held = laying.shown(scene), laying.picked(scene)
        if isinstance(move, Lay):
            return self._goes(scene, move)
        if isinstance(move, Swap):
            line = scene.game.write(move, laying.faces_after(scene))
            return self.in_words(scene.words.move(scene.names, scene.seat or 0, line))
        if move is not None:
            return ""
        if targets := _targets(scene):
            if len(targets) > 1:
                melds, cards = either([f"m{number}" for number in targets]), self._cards(scene)
                return self.in_words(_("lay {cards} on {melds}").format(cards=cards, melds=melds))
            return self._goes(scene, *targets.values())
        if len(held) > 1 and not any(laying.moves_of(scene, action) for action in ACTIONS):
            down = scene.of(Kinaskak).down[scene.seat or 0]
            return self.in_words(refusal(scene, "lay" if down else "meld"))
        if scene.picked.ready:
            return _("still to come: {melds}").format(melds=named(laying.still_asked(scene)))
        return "" if held else _("pick cards to lay down, or one to throw away")

    def _goes(self, scene: Scene, move: Lay) -> Text:
        """Return which cards a move lays, and the meld that takes them, with its owner."""
        meld = scene.of(Kinaskak).melds[move.meld - 1]
        where = scene.names.say(meld.owner, *WHERE[meld.kind], meld=f"m{move.meld}")
        cards = self._cards(scene, move)
        return self.in_words(_("lay {cards} on {where}").format(cards=cards, where=where))

    def _cards(self, scene: Scene, move: Lay | None = None) -> str:
        known = laying.faces_after(scene)
        slots = move.shows if move is not None else laying.picked(scene)
        return WORDS.cards([known[slot] for slot in slots])

    def actions(self, scene: Scene) -> tuple[Action, ...]:
        """The answers to a question, or the uses of the picked cards; and the order of our hand."""
        sorts: list[Action] = []
        if len(scene.hand) > 1 and not scene.picked.word:
            key = letter(KEYS["sort"])
            label = _("sort by suits") if BY_RANK in scene.picked.kept else _("sort by ranks")
            sorts = [Action(f"key:{key}", label, (key,), "tool", "sort", key)]
        if not scene.asked:
            key, said = letter(NO_TO_ALL_KEY), NO_TO_ALL in scene.picked.kept
            again = [Action(f"key:{key}", _("ask me again"), (key,), key=key)] if said else []
            return (*again, *sorts)
        asked = scene.of(Kinaskak).phase != "play"
        return (*(self._answers(scene) if asked else self._plays(scene)), *sorts)

    def _answers(self, scene: Scene) -> tuple[Action, ...]:
        """Return the buttons that answer for the open card; one that costs points is not main."""
        game, seat = scene.of(Kinaskak), scene.seat
        labels: dict[str, Text] = {}
        if game.phase == "offer":
            labels["take"] = (_("take") + " ", *minis(self.kind, game.faces_of(game.pile[-1:])))
            if game.can_draw():
                labels["decline"] = _("leave, draw")
        elif game.phase == "window":
            labels |= {"buy": _("buy"), "no": _("no")}
        costs = seat is not None and game.options["buys"] <= game.purchases[seat]
        main = "no" if game.phase == "window" and costs else next(iter(labels), "")
        found = [
            self._says(scene, answer, KEYS[answer], label, "main" if answer == main else "")
            for answer, label in labels.items()
        ]
        if costs:  # the price is told first, and the next click pays it
            found = [replace(one, keys=one.keys[:1]) if one.id == "buy" else one for one in found]
        if game.phase == "window":
            found.append(self._says(scene, "no-to-all", NO_TO_ALL_KEY, _("no to all")))
        return tuple(found)

    def _says(self, scene: Scene, name: str, keyed: str, label: Text, role: str = "") -> Action:
        key = letter(keyed)
        return Action(name, label, self.at_once(scene, key), role, key=key)

    def _plays(self, scene: Scene) -> tuple[Action, ...]:
        """Return the uses of the picked cards; with none picked, those of the whole hand."""
        picked, move = scene.picked, laying.shown(scene)
        back = Action("back", _("back") if move else _("put back"), ("escape",), "plain")
        if move is not None:
            part = isinstance(move, Meld) and not SCREEN.is_whole(scene, move)
            label = _("make this meld") if part else _("lay it like this")
            found = [Action("lay-so", label, ("enter",), "main", key="enter")]
            if (count := len(laying.moves(scene))) > 1:
                which = f"{_('another way')} {picked.number % count + 1}/{count}"
                found.append(Action("key:tab", which, ("tab",)))
            return (*found, back)
        labels: dict[str, Text] = {
            "meld": _("lay down"),
            "lay": _("lay off"),
            "swap": _("fetch joker"),
        }
        if len(targets := _targets(scene)) == 1:
            labels["lay"] = self.in_words(_("lay on {meld}").format(meld=f"m{next(iter(targets))}"))
        may = [action for action in labels if laying.moves_of(scene, action)]
        held, usual = laying.picked(scene), SCREEN.usual(scene)
        throws = len(held) == 1 and not picked.ready
        main = usual if usual in may else "discard" if throws else "meld" if "meld" in may else ""
        found = [
            _key(action, label, "main" if action == main else "")
            for action, label in labels.items()
            if action in may
        ]
        if throws:
            thrown = (_("throw away") + " ", card(self.kind, dict(scene.hand)[held[0]]))
            found.append(_key("discard", thrown, "main" if main == "discard" else ""))
        if not main:
            found.insert(0, Action("play", _("throw away"), (), "main", off=True))
        return (*found, back) if held or picked.ready else tuple(found)

    # The count of a round.

    def count(
        self, scene: Scene, history: Sequence[GameEvent | Moved], table: Scene | None
    ) -> Count | None:
        """R23. The cards that each seat has left, their points, and all points."""
        del table
        fresh = since_the_last_move(history)
        count = next((one for one in fresh if isinstance(one, events.Count)), None)
        if count is None:
            return None
        left = {one.seat: one for one in fresh if isinstance(one, events.Left)}
        rows = []
        for seat in scene.game.seats_from(scene.seat or 0):
            cards = minis(self.kind, sorted(left[seat].cards if seat in left else (), key=by_suit))
            points, penalty = count.points[seat], count.penalties[seat]
            gained = Cell(_points(points, penalty), best=not points + penalty)
            total = Cell(str(count.totals[seat]), best=count.totals[seat] == min(count.totals))
            rows.append(Row(str(scene.names.label(seat)), (Cell(cards), gained, total), seat=seat))
        return Count((_("cards left"), _("this round"), _("in all")), tuple(rows))

    def sheet(self, scene: Scene) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """The points of all rounds: a row for each seat."""
        game = scene.of(Kinaskak)
        if len(game.sheet) < 2:
            return (), ()
        heads = (*(str(number) for number in range(1, len(game.sheet) + 1)), "=")
        return heads, tuple(
            (
                str(scene.names.label(seat)),
                *(
                    _points(points[seat], penalties[seat])
                    for points, penalties in zip(game.sheet, game.penalties, strict=False)
                ),
                str(game.score[seat]),
            )
            for seat in game.seats_from(scene.seat or 0)
        )


def _targets(scene: Scene) -> dict[int, Lay]:
    """Return how the picked cards are laid off, by the melds that take them."""
    found: dict[int, Lay] = {}
    for move in laying.moves_of(scene, "lay") if laying.picked(scene) else ():
        if isinstance(move, Lay):
            found.setdefault(move.meld, move)
    return found


def _points(points: int, penalty: int) -> str:
    return f"{points}+{penalty}" if penalty else str(points)


def _key(action: str, label: Text, role: str) -> Action:
    key = letter(KEYS[action])
    return Action(f"key:{key}", label, (key,), role, key="enter" if role else key)


VIEW = KinaskakView()
