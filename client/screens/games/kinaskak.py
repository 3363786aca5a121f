"""Kínaskák on the full screen. Paragraphs are those of docs/rules/kinaskak.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from client.desk import CardSize, Moment, Picked
from client.games.kinaskak import CONTRACTS, WORDS
from client.screens.canvas import Canvas, Piece, Rect, columns_of
from client.screens.cards import SIZES, draw_card, draw_row, french, short
from client.screens.games.base import GameScreen, Line, Say, Scene, seating
from client.screens.games.kinaskak_ways import lay_lines, meld_lines, swap_lines
from client.words import _, ngettext
from engine.cards import JOKER
from engine.games.kinaskak import PENALTY, Kinaskak
from engine.games.kinaskak_melds import PLACES, RANKS, SET, SUITS, Laid, written
from engine.games.kinaskak_search import distance
from engine.moves import Face, Seat, Slot

LINES = {"m": meld_lines, "l": lay_lines, "s": swap_lines}
"""The keys that lay cards on the table, and what they say."""
LACKS = 6
"""So many cards that would help are named."""


class KinaskakScreen(GameScreen):
    """The melds and the open card in the middle, our hand below, sorted; cards are picked, then laid, fetched or thrown away."""

    count: ClassVar[frozenset[str]] = frozenset({"out", "sweep", "gone", "left", "count"})
    seat_rows: ClassVar[int] = 2

    def heading(self, scene: Scene) -> str:
        """The round, and what it asks for."""
        game: Kinaskak = scene.game
        if not game.round:
            return ""
        last = game.options["last_contract"] - game.options["first_contract"] + 1
        facts = {"number": game.round, "last": last, "contract": _(CONTRACTS[game.contract])}
        return _("round {number} of {last}: {contract}").format(**facts)

    def score(self, scene: Scene) -> str:
        """Our own points; those of the others stand at their seats."""
        if scene.seat is None:
            return ""
        points = scene.game.score[scene.seat]
        return ngettext("you: {count} point", "you: {count} points", points).format(count=points)

    def places(self, scene: Scene, rect: Rect, seats: Sequence[Seat]) -> tuple[dict[Seat, Rect], Rect]:
        """The others across the table; where it is low with a line less each."""
        del scene
        return seating(rect, seats, self.seat_rows if rect.height >= 15 else 1, wide=1000)

    def seat(self, scene: Scene, seat: Seat) -> list[Line]:
        """How many cards, whether it is down, its points and purchases; then the cards that it is known to hold."""
        game: Kinaskak = scene.game
        cards = len(game.hands[seat])
        line: list[Piece] = [("warn" if cards == 1 else "back", f"▒{cards}"), ("", f" {game.score[seat]}")]
        line += [("", " "), *self._bought(game, seat)]
        if game.down[seat]:
            line += [("good", " " + _("down"))]
        elif seat == game.forhond:
            line += [("dim", " " + _("plays"))]
        known = [game.faces[slot] for slot in game.hands[seat] if slot in game.faces]
        return [line, _in_a_row(sorted(known, key=_by_suit))]

    def middle(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """The open card, the stock, and the melds of all, in columns."""
        game: Kinaskak = scene.game
        if not game.round:
            return
        big = rect.height >= 12 and bool(game.pile)
        if game.pile and big:
            place = draw_card(canvas, rect.x + 1, rect.y + 1, french(game.faces[game.pile[-1]]), CardSize.SMALL)
            canvas.write(place.x, rect.y, _("open"), "dim")
            if game.stock:
                draw_card(canvas, rect.x + 8, rect.y + 1, None, CardSize.SMALL)
            canvas.write(rect.x + 8, rect.y, _("stock {count}").format(count=len(game.stock)), "dim")
            self._melds(scene, canvas, Rect(rect.x + 18, rect.y, rect.width - 18, rect.height))
            return
        pile = _in_a_row([game.faces[slot] for slot in game.pile[-1:]]) or [("dim", "–")]
        stock = _("stock {count}").format(count=len(game.stock))
        canvas.write(rect.x + 1, rect.y, [("dim", _("open") + ": "), *pile, ("dim", f"   {stock}")])
        self._melds(scene, canvas, Rect(rect.x + 1, rect.y + 1, rect.width - 1, rect.height - 1))

    def card_size(self, scene: Scene, height: int) -> CardSize:
        """Never larger than small: there may be twenty of them."""
        crowded = height < 24 and (scene.game.players > 4 or len(scene.game.melds) > 4)
        return CardSize.CHIP if crowded else min(super().card_size(scene, height), CardSize.SMALL, key=lambda size: SIZES[size])

    def mine(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """Our hand as it is sorted; the cursor above it, what is picked marked; what is still missing to the right."""
        if scene.seat is None:
            return
        game: Kinaskak = scene.game
        size = self.card_size(scene, canvas.height)
        slots = self._sorted(scene)
        faces = dict(scene.hand)
        right: Line = (
            [*self._bought(game, scene.seat), ("good", " " + _("down"))] if game.down[scene.seat] else self._lacks(scene)
        )
        canvas.flush_right(Rect(rect.x, rect.y, rect.width - 1, 1), rect.y, right)
        if not slots:
            return
        styles = ["picked" if slot in scene.picked.cards else "" for slot in slots]
        area = Rect(rect.x + 1, rect.y + 1, rect.width - 2, rect.height - 1)
        if size is CardSize.CHIP:
            places = _draw_tight(canvas, area, [faces[slot] for slot in slots], styles)
        else:
            places = draw_row(canvas, area, [french(faces[slot]) for slot in slots], size, styles)
        if scene.asked and game.phase == "play":
            cursor = places[self._cursor(scene)]
            canvas.write(cursor.x + (0 if size is CardSize.CHIP else 1), rect.y, "▼", "key")

    def status(self, scene: Scene) -> Line:
        """What is decided, and what it costs; a way that is about to be laid."""
        game: Kinaskak = scene.game
        if not scene.asked or scene.seat is None:
            return []
        if game.phase in ("offer", "window"):
            card = [*_in_a_row([game.faces[slot] for slot in game.pile[-1:]]), *self._helps(scene)]
            if game.phase == "offer":
                return [("dim", _("take it, or leave it and draw:") + " "), *card]
            free = game.options["buys"] - game.purchases[scene.seat]
            costs = _("buy it? It costs {points} points!").format(points=PENALTY)
            return [
                ("warn" if free <= 0 else "dim", costs if free <= 0 else _("buy it, with one from the stock?")),
                ("", " "),
                *card,
            ]
        if (lines := self._lines(scene, scene.picked.word)) and scene.picked.word:
            text = (
                lines[scene.picked.number % len(lines)].partition(" ")[2].replace(" run ", " | run ").replace(" set ", " | set ")
            )
            return [
                ("strong", text),
                *([("dim", f"  {scene.picked.number % len(lines) + 1}/{len(lines)}")] if len(lines) > 1 else []),
            ]
        picked = ngettext("{count} card picked", "{count} cards picked", len(scene.picked.cards))
        return [("dim", picked.format(count=len(scene.picked.cards)))] if scene.picked.cards else []

    def keys(self, scene: Scene) -> list[tuple[str, str]]:
        """What the moment allows, the most useful first."""
        game: Kinaskak = scene.game
        if not scene.asked or scene.seat is None:
            return [("N", _("no to all"))] if scene.seat is not None and not scene.picked.silent else []
        if game.phase == "offer":
            return [("t", _("take")), ("d", _("leave, draw"))] if game.can_draw() else [("t", _("take"))]
        if game.phase == "window":
            return [("b", _("buy")), ("n", _("no")), ("N", _("no to all"))]
        if scene.picked.word:
            return [("Enter", _("lay it so")), ("Tab", _("another way")), ("Esc", _("back"))]
        found = [("←→", _("move")), ("Space", _("pick")), ("x", _("throw away"))]
        if not game.down[scene.seat]:
            return [("m", _("lay down")), *found] if meld_lines(scene, ()) else found
        more = [("l", _("lay off"))] if lay_lines(scene, ()) else []
        return [*more, *([("s", _("fetch joker"))] if swap_lines(scene, ()) else []), *found]

    def press(self, scene: Scene, key: str) -> Picked | Say | None:
        """See the section on screen and keys of the rules."""
        if scene.seat is None:
            return None
        if key in ("1", "2"):
            return replace(scene.picked, order="suit" if key == "1" else "rank", silent=False)
        if key == "N":
            no = scene.asked and scene.game.phase == "window"
            kept = replace(scene.picked.back(), silent=True)
            return Say("no", kept) if no else kept
        if scene.picked.silent:
            return replace(scene.picked, silent=False)
        words = {"t": "take", "d": "decline", "b": "buy", "n": "no"}
        if scene.asked and scene.game.phase in ("offer", "window"):
            words[" "] = "decline"
        if key in words:
            return Say(words[key], scene.picked)
        return self._press_play(scene, key) if scene.asked and scene.game.phase == "play" else None

    def costs_nothing(self, scene: Scene) -> str:
        """In a window to buy nothing costs nothing."""
        return "no" if scene.asked and scene.game.phase == "window" else ""

    def moment(self, scene: Scene, what: str, details: tuple[Any, ...]) -> str | Moment:
        """The calls of the game, laying down, the last card, the end of a round."""
        told = WORDS.told(scene.names, scene.game, what, details) if what in MOMENTS else []
        match what, details:
            case "round", _:
                return "Allir tilbúnir?"
            case "buys", (callers,):
                return "Kaupi!" if len(callers) == 1 else "Fyrstur kaupir, fyrstur fær!"
            case "penalty", _:
                return Moment(told[0], "alarm")
            case "moved", (seat, text) if text.startswith("swap "):
                return WORDS.move(scene.names, seat, text)
        return Moment(told[0], "warn" if what == "one-card" else "moment") if told else ""

    def counted(self, scene: Scene, what: str, details: tuple[Any, ...]) -> Sequence[str]:
        """Who had what left, and then the sheet: rounds down, seats across, penalties apart."""
        return _sheet(scene) if what == "count" else super().counted(scene, what, details)

    # Keys of forhönd.

    def _press_play(self, scene: Scene, key: str) -> Picked | Say | None:
        slots, picked = self._sorted(scene), scene.picked
        cursor = self._cursor(scene)
        if picked.word:
            return self._press_way(scene, key)
        if key in ("left", "right", "home", "end"):
            to = {"left": cursor - 1, "right": cursor + 1, "home": 0, "end": len(slots) - 1}[key]
            return replace(picked, turn=to % len(slots))
        if key in (" ", "up", "down"):
            slot = slots[cursor]
            cards = tuple(other for other in picked.cards if other != slot) if slot in picked.cards else (*picked.cards, slot)
            return replace(picked, cards=cards)
        if key == "escape" and picked.cards:
            return picked.back()
        if key in ("x", "enter"):
            held = [slot for slot in picked.cards if slot in slots] or [slots[cursor]]
            return Say(f"discard {scene.view.face(held[0])}", picked) if len(held) == 1 else replace(picked, cards=())
        if key in LINES:
            lines = self._lines(scene, key)
            if not lines:
                return Say(self._refused(scene, key), picked)
            return Say(lines[0], picked) if len(lines) == 1 and picked.cards else replace(picked, word=key, number=0)
        return None

    def _press_way(self, scene: Scene, key: str) -> Picked | Say | None:
        """A way is shown: lay it so, look at another one, or go back."""
        lines, picked = self._lines(scene, scene.picked.word), scene.picked
        if key == "escape" or not lines:
            return replace(picked, word="", number=0)
        if key in ("tab", "down", "right", "s-tab", "up", "left"):
            return replace(picked, number=(picked.number + (1 if key in ("tab", "down", "right") else -1)) % len(lines))
        if key in ("enter", picked.word):
            return Say(lines[picked.number % len(lines)], picked)
        return None

    def _lines(self, scene: Scene, key: str) -> list[str]:
        held = {slot for slot, _face in scene.hand}
        return LINES[key](scene, [slot for slot in scene.picked.cards if slot in held]) if key in LINES else []

    def _refused(self, scene: Scene, key: str) -> str:
        """Return a line that says what was meant, for the rules to say why it cannot be."""
        faces = dict(scene.hand)
        cards = (
            " ".join(faces[slot] for slot in scene.picked.cards if slot in faces)
            or faces[self._sorted(scene)[self._cursor(scene)]]
        )
        return {"m": f"meld set {cards}", "l": f"lay {cards} on m1", "s": f"swap {cards.split()[0]} in m1"}[key]

    # Small parts.

    def _sorted(self, scene: Scene) -> list[Slot]:
        """Return the slots of our hand, by suits or by ranks."""
        key = _by_rank if scene.picked.order == "rank" else _by_suit
        return [slot for slot, _face in sorted(scene.hand, key=lambda card: key(card[1]))]

    def _cursor(self, scene: Scene) -> int:
        return min(scene.picked.turn, max(0, len(scene.hand) - 1))

    def _bought(self, game: Kinaskak, seat: Seat) -> list[Piece]:
        """R14. Purchases as dots: free ones, those left, and those that cost."""
        made, free = game.purchases[seat], game.options["buys"]
        return [("", "●" * min(made, free)), ("dim", "○" * max(0, free - made)), ("bad", "●" * max(0, made - free))]

    def _helps(self, scene: Scene) -> list[Piece]:
        """Say whether the open card would bring us nearer to the contract, or fits a meld once we are down."""
        game: Kinaskak = scene.game
        assert scene.seat is not None
        card = game.faces[game.pile[-1]]
        if game.down[scene.seat]:
            fits = card == JOKER or any(meld.takes(card) for meld in game.melds)
            return [("good", _("it fits a meld"))] if fits else []
        lacking = distance([face for _slot, face in scene.hand], game.contract, game.options["max_jokers"])
        return [("good", _("it helps"))] if lacking.cards and card in lacking.wanted else []

    def _lacks(self, scene: Scene) -> Line:
        """Return what is missing for the contract."""
        game: Kinaskak = scene.game
        faces = [face for _slot, face in scene.hand]
        if not faces or not game.round or scene.seat is None:
            return []
        lacking = distance(faces, game.contract, game.options["max_jokers"])
        bought = [*self._bought(game, scene.seat), ("", "  ")]
        if not lacking.cards:
            return [*bought, ("good", _("you have what this round asks for"))]
        line = ngettext("{count} card missing", "{count} cards missing", lacking.cards).format(count=lacking.cards)
        wanted = sorted((face for face in lacking.wanted if face != JOKER), key=_by_rank)
        named = _in_a_row(wanted[:LACKS]) if len(wanted) <= LACKS else []
        return [*bought, ("dim", line), *([("", "  "), *named] if named else [])]

    def _melds(self, scene: Scene, canvas: Canvas, rect: Rect) -> None:
        """Draw the melds in columns as wide as the widest, in the order in which they were laid."""
        game: Kinaskak = scene.game
        lines = [self._meld(scene, number, meld) for number, meld in enumerate(game.melds, 1)]
        if not lines or rect.height < 1:
            return
        wide = min(rect.width, max(columns_of(line) for line in lines) + 2)
        columns = max(1, rect.width // wide)
        room = columns * rect.height
        for place, line in enumerate(lines[:room]):
            column, row = divmod(place, rect.height)
            canvas.write(rect.x + column * wide, rect.y + row, line, width=wide - 1)
        if len(lines) > room:
            canvas.write(rect.right - 4, rect.bottom - 1, f" +{len(lines) - room}", "warn")

    def _meld(self, scene: Scene, number: int, meld: Laid) -> list[Piece]:
        """A meld: its name, its cards, jokers with what they stand for, and whose it is."""
        cards = written(meld.cards, scene.game.faces)
        if meld.kind == SET:
            cards.sort(key=_by_suit)
        return [("key", f"m{number} "), *_in_a_row(cards), ("dim", scene.names.label(meld.owner)[:8])]


MOMENTS = frozenset({"penalty", "laid-down", "one-card", "out", "sweep", "renewal"})
"""What is told at a moment in the words of the log."""


def _by_suit(face: Face) -> tuple[int, int]:
    """Sort by suits, within one by ranks from the ace; jokers last."""
    return (len(SUITS), 0) if face[0] == JOKER else (SUITS.index(face[1]), PLACES.index(face[0]))


def _by_rank(face: Face) -> tuple[int, int]:
    return (len(RANKS), 0) if face[0] == JOKER else (RANKS.index(face[0]), SUITS.index(face[1]))


def _in_a_row(faces: Sequence[Face]) -> list[Piece]:
    """Return cards in a line, a joker as `*` with what it stands for."""
    found: list[Piece] = []
    for face in faces:
        if face[0] == JOKER and len(face) > 1:
            found += [("joker", "*" + (face[1:] if len(face) == 2 else french(face[1:]))), ("", " ")]
        else:
            label, style = short(french(face))
            found += [(style, label.strip()), ("", " ")]
    return found


def _draw_tight(canvas: Canvas, rect: Rect, faces: Sequence[Face], styles: Sequence[str]) -> list[Rect]:
    """Draw cards as three or four characters each, as many as there may be side by side; return their places."""
    step = 4 if 4 * len(faces) <= rect.width else 3
    places = []
    for place, (face, style) in enumerate(zip(faces, styles, strict=True)):
        label, own = short(french(face))
        x = rect.x + place * step
        canvas.write(x, rect.y, label.strip().rjust(2), f"{own} {style}")
        places.append(Rect(x, rect.y, 2, 1))
    return places


def _sheet(scene: Scene) -> list[str]:
    """The score sheet: rounds down, seats across; penalties behind a plus."""
    game: Kinaskak = scene.game
    names = [scene.names.label(seat)[:9] for seat in range(game.players)]
    wide = 10
    lines = ["", "   " + "".join(name.rjust(wide) for name in names)]
    for number, (points, penalties) in enumerate(zip(game.sheet, game.penalties, strict=False), 1):
        cells = [f"{left}+{penalty}" if penalty else str(left) for left, penalty in zip(points, penalties, strict=True)]
        lines.append(f"{number:2} " + "".join(cell.rjust(wide) for cell in cells))
    return [*lines, " = " + "".join(str(points).rjust(wide) for points in game.score)]


SCREEN = KinaskakScreen()
