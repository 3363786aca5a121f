"""Kínaskák on the full screen. Paragraphs are those of docs/rules/kinaskak.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from client.i18n.translation import _, keyed, letter, ngettext
from client.storage.settings import CardSize
from client.ui.drawing.canvas import Canvas, Piece, Rect, columns_of
from client.ui.drawing.cards import SIZES, draw_row, french
from client.ui.games.kinaskak import laying
from client.ui.games.kinaskak.contracts import CONTRACTS, rounds
from client.ui.games.kinaskak.refusals import named, refusal
from client.ui.games.kinaskak.table import (
    bought,
    by_rank,
    by_suit,
    draw_middle,
    draw_tight,
    in_a_row,
    line_in_signs,
    melds_in_signs,
    seat_lines,
    sheet,
    since_the_last_move,
)
from client.ui.games.kinaskak.words import WORDS
from client.ui.games.screen import (
    GameScreen,
    Line,
    Moment,
    Picked,
    Refused,
    Say,
    Scene,
    clicked,
    or_enter,
    over,
    seating,
)
from engine.core.cards import JOKER
from engine.core.events import GameEvent
from engine.core.moves import Face, Seat, Slot
from engine.games.kinaskak import events
from engine.games.kinaskak.moves import Meld, Swap
from engine.games.kinaskak.rules import PENALTY, Kinaskak
from engine.games.kinaskak.search import Distance, distance
from p2p.table.events import Moved

ACTIONS = ("meld", "lay", "swap")
"""The actions that lay cards on the table: each is shown before it is made."""
KEYS = {
    "take": keyed("t: take the open card"),
    "decline": keyed("d: leave the open card, draw from the stock"),
    "buy": keyed("b: buy"),
    "no": keyed("n: no"),
    "meld": keyed("m: lay down"),
    "lay": keyed("l: lay off"),
    "swap": keyed("s: fetch joker"),
    "discard": keyed("x: throw away"),
    "sort": keyed("o: sort by ranks or by suits"),
}
"""The letters of actions."""
NO_TO_ALL_KEY = keyed("N: no to all")
OF_PHASES = {"offer": ("take", "decline"), "window": ("buy", "no"), "play": ()}
"""The answers for which each phase asks."""
KEYS_OF_PLAY = [KEYS[action] for action in ("meld", "lay", "swap", "discard")]
READY = "Allir tilbúnir?"
"""The question before a round, which stays Icelandic."""
BY_RANK, NO_TO_ALL = "by rank", "no to all"
"""Choices that stay: the order of our hand, and the answer "no" in all windows, which costs
nothing, until a key is pressed."""
LACKS = 6
"""The most cards that are named because they would help."""


class KinaskakScreen(GameScreen):
    """A screen with the melds and the open card in the middle and our sorted hand below.

    Cards are picked, then laid, fetched or thrown away.
    """

    count = (events.Count,)
    aside = "window"

    def heading(self, scene: Scene) -> str:
        """Return the round and its contract."""
        game = scene.of(Kinaskak)
        if not game.round:
            return ""
        said, contract = _("round {number} of {last}: {contract}"), _(CONTRACTS[game.contract])
        return said.format(number=game.round, last=rounds(game), contract=contract)

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
        faces = dict(laying.hand_after(scene))
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
        styles = ["picked" if slot in scene.picked.cards else "" for slot in slots]
        area = Rect(rect.x + 1, rect.y + 1, rect.width - 2, rect.height - 1)
        if size is CardSize.CHIP:
            places = draw_tight(canvas, area, [faces[slot] for slot in slots], styles)
        else:
            places = draw_row(canvas, area, [french(faces[slot]) for slot in slots], size, styles)
        if scene.asked and game.phase == "play" and not scene.picked.word:
            cursor = places[slots.index(self.cursor(scene))]
            chip = size is CardSize.CHIP
            canvas.write(cursor.x + (-1 if chip else 2), cursor.y, ">" if chip else "▼", "key")

    def status(self, scene: Scene) -> Line:
        """Return the decision to be made and its cost, or the melds that Enter would lay."""
        game = scene.of(Kinaskak)
        if not scene.asked or scene.seat is None:
            return []
        if game.phase in ("offer", "window"):
            card = in_a_row([game.faces[slot] for slot in game.pile[-1:]])
            helps = self.helps(scene)
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
        return self._play_status(scene)

    def _play_status(self, scene: Scene) -> Line:
        """Return the move that Enter would make, the melds that are ready, or the picked cards."""
        known, held = laying.faces_after(scene), laying.picked(scene)
        if (move := laying.shown(scene)) is not None:
            count = len(laying.moves(scene))
            which = [("dim", f" {scene.picked.number % count + 1}/{count}")] if count > 1 else []
            if isinstance(move, Meld):
                return [*melds_in_signs(laying.whole(scene, move).melds, known), *which]
            return [*line_in_signs(scene.game.write(move, known)), *which]
        if len(held) > 1:
            can_be_laid = any(laying.moves_of(scene, action) for action in ACTIONS)
            good = [("good", " ✓")] if can_be_laid else []
            return [*in_a_row(sorted([known[slot] for slot in held], key=by_suit)), *good]
        if scene.picked.ready:
            rest = _("still to come: {melds}").format(melds=named(laying.still_asked(scene)))
            ready = melds_in_signs(scene.picked.ready, known)
            return [*ready, ("dim", "| " + rest)]
        thrown = known[held[0] if held else self.cursor(scene)]
        return [
            ("keys", letter(KEYS["discard"]) + " "),
            ("dim", _("throw away") + " "),
            *in_a_row([thrown]),
        ]

    def keys(self, scene: Scene) -> list[tuple[str, str]]:
        """Return the keys that are allowed now, the most useful first."""
        if scene.seat is None:
            return []
        sort = [(letter(KEYS["sort"]), _("sort"))] if len(scene.hand) > 1 else []
        return [*self._own_keys(scene), *(sort if not scene.picked.word else [])]

    def _own_keys(self, scene: Scene) -> list[tuple[str, str]]:
        game = scene.of(Kinaskak)
        if not scene.asked:
            return []
        if game.phase == "offer":
            decline = [(letter(KEYS["decline"]), _("leave, draw"))] if game.can_draw() else []
            return [(letter(KEYS["take"]), _("take")), *decline]
        if game.phase == "window":
            return [
                (letter(KEYS["buy"]), _("buy")),
                (letter(KEYS["no"]), _("no")),
                (letter(NO_TO_ALL_KEY), _("no to all")),
            ]
        return self._play_keys(scene)

    def _play_keys(self, scene: Scene) -> list[tuple[str, str]]:
        """Return the keys that pick cards, and those that do something with the picked ones."""
        game, x = scene.of(Kinaskak), letter(KEYS["discard"])
        if (move := laying.shown(scene)) is not None:
            part = isinstance(move, Meld) and not self.is_whole(scene, move)
            others = [("Tab", _("another way"))] if len(laying.moves(scene)) > 1 else []
            label = _("make this meld") if part else _("lay it like this")
            return [
                (or_enter(letter(KEYS[scene.picked.word])), label),
                *others,
                ("Esc", _("back")),
            ]
        labels = {"meld": _("lay down"), "lay": _("lay off"), "swap": _("fetch joker")}
        held, down = laying.picked(scene), scene.seat is not None and game.down[scene.seat]
        usual = self.usual(scene)
        found = [
            (or_enter(letter(KEYS[action])) if action == usual else letter(KEYS[action]), label)
            for action, label in labels.items()
            if (action == "meld") is not down and laying.moves_of(scene, action)
        ]
        if len(laying.at_hand(scene)) > 1:
            found.append(("←→", _("move")))
        found.append(("Space", _("pick")))
        if usual == "discard" or (not held and not scene.picked.ready):
            found.append((or_enter(x) if held else x, _("throw away")))
        return [*found, ("Esc", _("put back"))] if held or scene.picked.ready else found

    def press(self, scene: Scene, key: str) -> Picked | Say | Refused | None:
        """See the section on screen and keys of the rules."""
        if scene.seat is None:
            return None
        if key in ("1", "2", letter(KEYS["sort"])):
            by_ranks = key == "2" or (key != "1" and BY_RANK not in scene.picked.kept)
            return replace(scene.picked, kept=frozenset({BY_RANK} if by_ranks else ()))
        if key == letter(NO_TO_ALL_KEY):
            if NO_TO_ALL in scene.picked.kept:
                return Picked(kept=scene.picked.kept - {NO_TO_ALL})
            no = scene.asked and scene.of(Kinaskak).phase == "window"
            kept = Picked(kept=scene.picked.kept | {NO_TO_ALL})
            return Say("no", kept) if no else kept
        # any other key takes it back, and does what it does; Esc leads to the menu
        if NO_TO_ALL in scene.picked.kept and key != "escape":
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

    def settled(self, scene: Scene) -> bool:
        """Whether one move is shown, and there is no other way."""
        return bool(scene.picked.word) and len(laying.moves(scene)) == 1

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
                return READY
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
        """Return who is out and each seat's remaining cards, and then the sheet.

        The sheet has rounds down, seats across, and penalties apart. Nothing is shown before the
        last hand is open, which takes a while.
        """
        told = [one for one in since_the_last_move(scene.model.history) if one != event]
        lines = [line for one in told for line in WORDS.told(scene.names, scene.game, one)]
        return [*lines, *sheet(scene)]

    # Keys of forhönd.

    def _press_play(self, scene: Scene, key: str) -> Picked | Say | Refused | None:
        slots, picked, cursor = self.in_order(scene), scene.picked, self.cursor(scene)
        if picked.word:
            return self._press_way(scene, key)
        if key == "escape":
            return self._put_back(scene)
        if key == "enter":
            key = letter(KEYS[usual]) if (usual := self.usual(scene)) else " "
        if slots and key in ("left", "right", "home", "end"):
            now = slots.index(cursor)
            to = {"left": now - 1, "right": now + 1, "home": 0, "end": len(slots) - 1}[key]
            return replace(picked, marked=(slots[to % len(slots)],))
        if (slot := clicked(key)) in slots:
            key, cursor = " ", slot
        if slots and key in (" ", "up", "down"):
            cards = (
                tuple(slot for slot in picked.cards if slot != cursor)
                if cursor in picked.cards
                else (*picked.cards, cursor)
            )
            return replace(picked, cards=cards, marked=(cursor,))
        if key == letter(KEYS["discard"]):
            return self._throw(scene)
        action = next((action for action in ACTIONS if key == letter(KEYS[action])), "")
        if not action:
            return None
        if not laying.moves_of(scene, action):
            return Refused(refusal(scene, action))
        return replace(picked, word=action, number=0)

    def usual(self, scene: Scene) -> str:
        """Return the action of Enter with the picked cards; none where it picks a card."""
        held = laying.picked(scene)
        if not held:
            return ""
        if len(held) == 1 and not scene.picked.ready:
            return "discard"
        return "lay" if scene.seat is not None and scene.of(Kinaskak).down[scene.seat] else "meld"

    def _put_back(self, scene: Scene) -> Picked | None:
        """Put the picked cards back; with none picked, the meld that was made last."""
        if laying.picked(scene):
            return replace(scene.picked, cards=())
        return replace(scene.picked, ready=scene.picked.ready[:-1]) if scene.picked.ready else None

    def _throw(self, scene: Scene) -> Say | Refused:
        held = laying.picked(scene) or [self.cursor(scene)]
        if scene.picked.ready:
            return Refused(_("Lay down the melds that you have made, or put them back, first."))
        if len(held) > 1:
            return Refused(_("Pick only one card to throw it away."))
        return Say(f"discard {scene.view.face(held[0])}", scene.picked)

    def _press_way(self, scene: Scene, key: str) -> Picked | Say | None:
        """A move is shown: make it, look at another one, or go back."""
        picked, move = scene.picked, laying.shown(scene)
        if key == "escape" or move is None:
            return replace(picked, word="", number=0)
        if key in ("tab", "down", "right", "s-tab", "up", "left"):
            step = 1 if key in ("tab", "down", "right") else -1
            return replace(picked, number=(picked.number + step) % len(laying.moves(scene)))
        if key not in ("enter", letter(KEYS[picked.word])):
            return None
        if isinstance(move, Meld):
            made = laying.whole(scene, move)
            if not self.is_whole(scene, move):
                return replace(picked.back(), ready=made.melds)
            move = made
        return Say(scene.game.write(move, laying.faces_after(scene)), picked)

    def is_whole(self, scene: Scene, move: Meld) -> bool:
        """Whether nothing more is asked for after the melds of a move."""
        left = laying.still_asked(scene, move)
        return left.runs == left.sets == 0

    # Small parts.

    def in_order(self, scene: Scene) -> list[Slot]:
        """Return the slots of our hand, by suits or by ranks, as the shown move would leave it."""
        key = by_rank if BY_RANK in scene.picked.kept else by_suit
        hand = laying.hand_after(scene)
        return [slot for slot, _face in sorted(hand, key=lambda card: key(card[1]))]

    def cursor(self, scene: Scene) -> Slot:
        """Return the card of our hand that the keys act on; -1 if none is left.

        It is the card that came last, but no joker, until another is chosen.
        """
        hand = laying.at_hand(scene)
        slots = [slot for slot, _face in hand]
        last = [slot for slot, face in hand if face != JOKER]
        chosen = next((slot for slot in scene.picked.marked if slot in slots), None)
        return chosen if chosen is not None else [-1, *slots, *last][-1]

    def helps(self, scene: Scene) -> list[Piece]:
        """Say whether the open card would help us.

        It helps if it brings us nearer to the contract, or fits a meld once we are down.
        """
        game = scene.of(Kinaskak)
        assert scene.seat is not None
        card = game.faces[game.pile[-1]]
        if game.down[scene.seat]:
            fits = card == JOKER or any(meld.takes(card) for meld in game.melds)
            return [("good", _("it fits a meld"))] if fits else []
        faces = [face for _slot, face in scene.hand]
        lacking = distance(faces, game.contract, game.options["max_jokers"])
        missing = lacking.cards and card in lacking.wanted
        return [("good", _("it brings you a card nearer"))] if missing else []

    def lacks(self, scene: Scene) -> Line:
        """Return what is missing for the contract."""
        if (lacking := self.lacking(scene)) is None:
            return []
        if not lacking.cards and scene.me is not None:
            return [("good", _("you have what this round asks for"))]
        line = ngettext("{count} card to go", "{count} cards to go", lacking.cards)
        line = line.format(count=lacking.cards)
        named = in_a_row(self.wanted(lacking))
        return [("dim", line), *([("", "  "), *named] if named else [])]

    def lacking(self, scene: Scene) -> Distance | None:
        """Return how far our hand is from the contract."""
        game = scene.of(Kinaskak)
        faces = [face for _slot, face in scene.hand]
        if not faces or scene.seat is None or over(scene):
            return None
        return distance(faces, game.contract, game.options["max_jokers"])

    def wanted(self, lacking: Distance) -> list[Face]:
        """Return the cards that would help, if they are few."""
        wanted = sorted((face for face in lacking.wanted if face != JOKER), key=by_rank)
        return wanted if len(wanted) <= LACKS else []


SCREEN = KinaskakScreen()
