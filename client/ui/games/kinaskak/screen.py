"""Kínaskák on the full screen. Paragraphs are those of docs/rules/kinaskak.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from client.i18n.translation import _, keyed, letter, ngettext
from client.storage.settings import CardSize
from client.ui.drawing.canvas import Canvas, Piece, Rect, columns_of
from client.ui.drawing.cards import SIZES, draw_row, french
from client.ui.games.kinaskak.table import (
    bought,
    by_rank,
    by_suit,
    draw_middle,
    draw_tight,
    in_a_row,
    line_in_signs,
    seat_lines,
    sheet,
)
from client.ui.games.kinaskak.ways import lay_lines, meld_lines, swap_lines
from client.ui.games.kinaskak.words import CONTRACTS, WORDS
from client.ui.games.screen import (
    GameScreen,
    Line,
    Moment,
    Picked,
    Say,
    Scene,
    clicked,
    or_enter,
    over,
    seating,
)
from engine.core.cards import JOKER
from engine.core.events import GameEvent
from engine.core.moves import Seat, Slot
from engine.games.kinaskak import events
from engine.games.kinaskak.rules import PENALTY, Kinaskak, Swap
from engine.games.kinaskak.search import distance
from p2p.table.events import Moved

LINES = {"meld": meld_lines, "lay": lay_lines, "swap": swap_lines}
"""The actions that lay cards on the table, and the lines that each offers."""
KEYS = {
    "take": keyed("t: take the open card"),
    "decline": keyed("d: leave the open card, draw from the stock"),
    "buy": keyed("b: buy"),
    "no": keyed("n: no"),
    "meld": keyed("m: lay down"),
    "lay": keyed("l: lay off"),
    "swap": keyed("s: fetch joker"),
    "discard": keyed("x: throw away"),
}
"""The letters of actions."""
NO_TO_ALL_KEY = keyed("N: no to all")
OF_PHASES = {"offer": ("take", "decline"), "window": ("buy", "no"), "play": ()}
"""The answers for which each phase asks."""
KEYS_OF_PLAY = [KEYS[action] for action in ("meld", "lay", "swap", "discard")]
BY_RANK, NO_TO_ALL = "by rank", "no to all"
"""Choices that stay: the order of our hand, and the answer "no" in all windows, which costs
nothing, until a key is pressed."""
LACKS = 6
"""So many cards that would help are named."""


class KinaskakScreen(GameScreen):
    """A screen with the melds and the open card in the middle and our sorted hand below.

    Cards are picked, then laid, fetched or thrown away.
    """

    count = (events.Out, events.Sweep, events.Gone, events.Left, events.Count)

    def heading(self, scene: Scene) -> str:
        """Return the round and its contract."""
        game = scene.of(Kinaskak)
        if not game.round:
            return ""
        last = game.options["last_contract"] - game.options["first_contract"] + 1
        facts = {"number": game.round, "last": last, "contract": _(CONTRACTS[game.contract])}
        return _("round {number} of {last}: {contract}").format(**facts)

    def score(self, scene: Scene) -> str:
        """Return nothing, since the contract needs the room.

        Points stand at the seats, ours above our hand.
        """
        del scene
        return ""

    def places(
        self, scene: Scene, rect: Rect, seats: Sequence[Seat]
    ) -> tuple[dict[Seat, Rect], Rect]:
        """The others across the table; where it is low with a line or two less each."""
        del scene
        for rows, least in ((3, 10), (2, 6), (1, 0)):
            places, middle = seating(rect, seats, rows, wide=1000)
            if middle.height >= least:
                break
        return places, middle

    def seat_in(self, scene: Scene, seat: Seat, inside: Rect) -> list[Line]:
        """Return a seat's number of cards, points and purchases, and whether it is down.

        The cards that the seat is known to hold follow.
        """
        return seat_lines(scene, seat, inside)

    def middle(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """The open card, the stock, and the melds of all."""
        if scene.game.round:
            draw_middle(scene, canvas, rect)

    def card_size(self, scene: Scene, height: int) -> CardSize:
        """Never larger than small: there may be twenty of them."""
        crowded = height < 24 and (scene.game.players > 4 or len(scene.of(Kinaskak).melds) > 4)
        return (
            CardSize.CHIP
            if crowded
            else min(super().card_size(scene, height), CardSize.SMALL, key=lambda size: SIZES[size])
        )

    def mine(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """Draw our hand, sorted, with the missing cards to the right.

        The cursor is on the edge of the hand, and the picked cards are marked.
        """
        if scene.seat is None:
            return
        game = scene.of(Kinaskak)
        size = self.card_size(scene, canvas.height)
        slots = self.in_order(scene)
        faces = dict(scene.hand)
        dots = bought(game, scene.seat)
        right = [
            *dots,
            *(
                [("good", " " + _("down"))]
                if game.down[scene.seat]
                else [("", "  "), *self.lacks(scene)]
            ),
        ]
        points = ngettext("you: {count} point", "you: {count} points", game.score[scene.seat])
        x = canvas.write(rect.x + 1, rect.y, points.format(count=game.score[scene.seat])) + 2
        named = [("dim", _("buys") + " "), *right] if columns_of(dots) else right
        has_space = columns_of(named) < rect.right - x
        canvas.flush_right(
            Rect(x, rect.y, rect.right - 1 - x, 1), rect.y, named if has_space else right
        )
        if not slots:
            return
        shown = self.of_way(scene, slots) if scene.picked.word else scene.picked.cards
        styles = ["picked" if slot in shown else "" for slot in slots]
        area = Rect(rect.x + 1, rect.y + 1, rect.width - 2, rect.height - 1)
        if size is CardSize.CHIP:
            places = draw_tight(canvas, area, [faces[slot] for slot in slots], styles)
        else:
            places = draw_row(canvas, area, [french(faces[slot]) for slot in slots], size, styles)
        if scene.asked and game.phase == "play":
            cursor = places[slots.index(self.cursor(scene))]
            chip = size is CardSize.CHIP
            canvas.write(cursor.x + (-1 if chip else 2), cursor.y, ">" if chip else "▼", "key")

    def status(self, scene: Scene) -> Line:
        """Return the decision to be made and its cost, or the melds that Enter would lay."""
        game = scene.of(Kinaskak)
        if not scene.asked or scene.seat is None:
            return []
        if game.phase in ("offer", "window"):
            card, helps = (
                in_a_row([game.faces[slot] for slot in game.pile[-1:]]),
                self._helps(scene),
            )
            if game.phase == "window" and game.options["buys"] <= game.purchases[scene.seat]:
                return [
                    ("warn", _("buy it? It costs {points} points!").format(points=PENALTY)),
                    ("", " "),
                    *card,
                ]
            if helps:  # there is no room for the question too; the keys say what can be done
                return [*card, *helps]
            asked = (
                _("take it, or leave it and draw:")
                if game.phase == "offer"
                else _("buy it, with one from the stock?")
            )
            return [("dim", asked + " "), *card]
        if (lines := self._lines(scene, scene.picked.word)) and scene.picked.word:
            place = scene.picked.number % len(lines)
            which = [("dim", f" {place + 1}/{len(lines)}")] if len(lines) > 1 else []
            return [*line_in_signs(lines[place]), *which]
        held = self._held(scene)
        if len(held) > 1:
            return [
                (
                    "dim",
                    ngettext("{count} card picked", "{count} cards picked", len(held)).format(
                        count=len(held)
                    ),
                )
            ]
        thrown = dict(scene.hand)[held[0] if held else self.cursor(scene)]
        return [
            ("keys", letter(KEYS["discard"]) + " "),
            ("dim", _("throw away") + " "),
            *in_a_row([thrown]),
        ]

    def keys(self, scene: Scene) -> list[tuple[str, str]]:
        """Return the keys that are allowed now, the most useful first."""
        game = scene.of(Kinaskak)
        if not scene.asked or scene.seat is None:
            return (
                [(letter(NO_TO_ALL_KEY), _("no to all"))]
                if scene.seat is not None and NO_TO_ALL not in scene.picked.kept
                else []
            )
        if game.phase == "offer":
            decline = [(letter(KEYS["decline"]), _("leave, draw"))] if game.can_draw() else []
            return [(letter(KEYS["take"]), _("take")), *decline]
        if game.phase == "window":
            return [
                (letter(KEYS["buy"]), _("buy")),
                (letter(KEYS["no"]), _("no")),
                (letter(NO_TO_ALL_KEY), _("no to all")),
            ]
        if scene.picked.word:
            others = (
                [("Tab", _("another way"))]
                if len(self._lines(scene, scene.picked.word)) > 1
                else []
            )
            return [
                (or_enter(letter(KEYS[scene.picked.word])), _("lay it so")),
                *others,
                ("Esc", _("back")),
            ]
        held, x = len(self._held(scene)), letter(KEYS["discard"])
        found = [
            ("Space", _("pick")),
            *([(or_enter(x) if held else x, _("throw away"))] if held < 2 else []),
        ]
        if held:
            found.append(("Esc", _("put back")))
        if len(scene.hand) > 1:
            found.insert(0, ("←→", _("move")))
        if not game.down[scene.seat]:
            return (
                [(letter(KEYS["meld"]), _("lay down")), *found]
                if self._lines(scene, "meld")
                else found
            )
        more = [(letter(KEYS["lay"]), _("lay off"))] if self._lines(scene, "lay") else []
        return [
            *more,
            *([(letter(KEYS["swap"]), _("fetch joker"))] if self._lines(scene, "swap") else []),
            *found,
        ]

    def press(self, scene: Scene, key: str) -> Picked | Say | None:
        """See the section on screen and keys of the rules."""
        if scene.seat is None:
            return None
        if key in ("1", "2"):
            return replace(scene.picked, kept=frozenset({BY_RANK} if key == "2" else ()))
        if key == letter(NO_TO_ALL_KEY):
            no = scene.asked and scene.of(Kinaskak).phase == "window"
            kept = Picked(kept=scene.picked.kept | {NO_TO_ALL})
            return Say("no", kept) if no else kept
        if NO_TO_ALL in scene.picked.kept:  # any other key takes it back, and does what it does
            scene = replace(
                scene, picked=replace(scene.picked, kept=scene.picked.kept - {NO_TO_ALL})
            )
            return self.press(scene, key) or scene.picked
        phase = scene.of(Kinaskak).phase if scene.asked else ""
        answers = [
            answer
            for asked in OF_PHASES.values()
            for answer in asked
            if asked is not OF_PHASES.get(phase)
        ]
        # the asked ones are the last
        words = {letter(KEYS[answer]): answer for answer in (*answers, *OF_PHASES.get(phase, ()))}
        if phase in ("offer", "window"):
            words[" "] = "decline"
        if phase == "play":
            words = {
                key: answer for key, answer in words.items() if key not in map(letter, KEYS_OF_PLAY)
            }
        if key in words:
            return Say(words[key], scene.picked)
        return self._press_play(scene, key) if phase == "play" else None

    def answer(self, scene: Scene) -> str:
        """In a window to buy nothing costs nothing."""
        return (
            "no"
            if NO_TO_ALL in scene.picked.kept
            and scene.asked
            and scene.of(Kinaskak).phase == "window"
            else ""
        )

    def moment(self, scene: Scene, event: GameEvent | Moved) -> str | Moment:
        """The calls of the game, laying down, the last card, the end of a round."""
        match event:
            case events.Round():
                return "Allir tilbúnir?"
            case events.Buys((caller,)):
                return _("{who}: “{words}”").format(who=scene.names.label(caller), words="Kaupi!")
            case events.Buys():
                return "Fyrstur kaupir, fyrstur fær!"
            case (
                events.Dispute()
                | events.LaidDown()
                | events.Out()
                | events.Sweep()
                | events.Renewal()
            ):
                return WORDS.told(scene.names, scene.game, event)[0]
            case events.OneCard():
                return Moment(WORDS.told(scene.names, scene.game, event)[0], "warn")
            case events.Penalty():
                return Moment(WORDS.told(scene.names, scene.game, event)[0], "alarm")
            case Moved(seat, Swap(), text):
                return WORDS.move(scene.names, seat, text)
        return ""

    def counted(self, scene: Scene, event: GameEvent) -> Sequence[str]:
        """Return each seat's remaining cards, and then the sheet.

        The sheet has rounds down, seats across, and penalties apart.
        """
        return sheet(scene) if isinstance(event, events.Count) else super().counted(scene, event)

    # Keys of forhönd.

    def _press_play(self, scene: Scene, key: str) -> Picked | Say | None:
        slots, picked = self.in_order(scene), scene.picked
        cursor = self.cursor(scene)
        if picked.word:
            return self._press_way(scene, key)
        if key in ("left", "right", "home", "end"):
            now = slots.index(cursor)
            to = {"left": now - 1, "right": now + 1, "home": 0, "end": len(slots) - 1}[key]
            return replace(picked, marked=(slots[to % len(slots)],))
        if (slot := clicked(key)) in slots:
            key, cursor = " ", slot
        if key in (" ", "up", "down"):
            cards = (
                tuple(slot for slot in picked.cards if slot != cursor)
                if cursor in picked.cards
                else (*picked.cards, cursor)
            )
            return replace(picked, cards=cards, marked=(cursor,))
        if key == "escape" and picked.cards:
            return picked.back()
        if key == "enter" and not self._held(scene):
            return replace(picked, cards=(cursor,))
        if key in (letter(KEYS["discard"]), "enter"):
            held = self._held(scene) or [cursor]
            return (
                Say(f"discard {scene.view.face(held[0])}", picked)
                if len(held) == 1
                else replace(picked, cards=())
            )
        if action := next((action for action in LINES if key == letter(KEYS[action])), ""):
            lines = self._lines(scene, action)
            if not lines:
                return Say(self._refused(scene, action), picked)
            return (
                Say(lines[0], picked)
                if len(lines) == 1 and picked.cards
                else replace(picked, word=action, number=0)
            )
        return None

    def _press_way(self, scene: Scene, key: str) -> Picked | Say | None:
        """A way is shown: lay it so, look at another one, or go back."""
        lines, picked = self._lines(scene, scene.picked.word), scene.picked
        if key == "escape" or not lines:
            return replace(picked, word="", number=0)
        if key in ("tab", "down", "right", "s-tab", "up", "left"):
            return replace(
                picked,
                number=(picked.number + (1 if key in ("tab", "down", "right") else -1))
                % len(lines),
            )
        if key in ("enter", letter(KEYS[picked.word])):
            return Say(lines[picked.number % len(lines)], picked)
        return None

    def _lines(self, scene: Scene, action: str) -> list[str]:
        return LINES[action](scene, self._held(scene)) if action in LINES else []

    def _refused(self, scene: Scene, action: str) -> str:
        """Return a line that says what was meant, for the rules to say why it cannot be."""
        faces = dict(scene.hand)
        cards = (
            " ".join(faces[slot] for slot in scene.picked.cards if slot in faces)
            or faces[self.cursor(scene)]
        )
        lines = {
            "meld": f"meld set {cards}",
            "lay": f"lay {cards} on m1",
            "swap": f"swap {cards.split()[0]} in m1",
        }
        return lines[action]

    # Small parts.

    def in_order(self, scene: Scene) -> list[Slot]:
        """Return the slots of our hand, by suits or by ranks."""
        key = by_rank if BY_RANK in scene.picked.kept else by_suit
        return [slot for slot, _face in sorted(scene.hand, key=lambda card: key(card[1]))]

    def cursor(self, scene: Scene) -> Slot:
        """Return the card of our hand that the keys act on.

        It is the card that came last, but no joker, until another is chosen.
        """
        slots = [slot for slot, _face in scene.hand]
        last = [slot for slot, face in scene.hand if face != JOKER]
        return next((slot for slot in scene.picked.marked if slot in slots), (last or slots)[-1])

    def _held(self, scene: Scene) -> list[Slot]:
        """Return what is picked of our hand."""
        slots = {slot for slot, _face in scene.hand}
        return [slot for slot in scene.picked.cards if slot in slots]

    def of_way(self, scene: Scene, slots: Sequence[Slot]) -> list[Slot]:
        """Return the cards of our hand that the way which is shown would use."""
        lines = self._lines(scene, scene.picked.word)
        words = lines[scene.picked.number % len(lines)].split() if lines else []
        faces, found = dict(scene.hand), list[Slot]()
        for word in words:
            face = JOKER if word[0] == JOKER else word
            found += [slot for slot in slots if faces[slot] == face and slot not in found][:1]
        return found

    def _helps(self, scene: Scene) -> list[Piece]:
        """Say whether the open card would help us.

        It helps if it brings us nearer to the contract, or fits a meld once we are down.
        """
        game = scene.of(Kinaskak)
        assert scene.seat is not None
        card = game.faces[game.pile[-1]]
        if game.down[scene.seat]:
            fits = card == JOKER or any(meld.takes(card) for meld in game.melds)
            return [("good", _("it fits a meld"))] if fits else []
        lacking = distance(
            [face for _slot, face in scene.hand], game.contract, game.options["max_jokers"]
        )
        return (
            [("good", _("you are missing it"))] if lacking.cards and card in lacking.wanted else []
        )

    def lacks(self, scene: Scene) -> Line:
        """Return what is missing for the contract."""
        game = scene.of(Kinaskak)
        faces = [face for _slot, face in scene.hand]
        if not faces or scene.seat is None or over(scene):
            return []
        lacking = distance(faces, game.contract, game.options["max_jokers"])
        if not lacking.cards and scene.me is not None:
            return [("good", _("you have what this round asks for"))]
        line = ngettext("{count} card missing", "{count} cards missing", lacking.cards).format(
            count=lacking.cards
        )
        wanted = sorted((face for face in lacking.wanted if face != JOKER), key=by_rank)
        named = in_a_row(wanted[:LACKS]) if len(wanted) <= LACKS else []
        return [("dim", line), *([("", "  "), *named] if named else [])]


SCREEN = KinaskakScreen()
