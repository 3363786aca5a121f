"""The picture of Kínaskák. Paragraphs are those of docs/rules/kinaskak.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from client.i18n.translation import _, letter, ngettext, pgettext
from client.ui.drawing.canvas import columns_of
from client.ui.drawing.picture import ASPECTS, CHOOSE, Area, Piece, Span, Words
from client.ui.games.aloud import spoken
from client.ui.games.kinaskak.laying import faces_after, melds_after
from client.ui.games.kinaskak.screen import KEYS, SCREEN
from client.ui.games.kinaskak.table import bought, by_suit, meld_name, short_meld
from client.ui.games.picture import LINE, Drawn, GamePicture, Held, line_of, spans
from client.ui.games.screen import Scene
from engine.core.cards import JOKER
from engine.core.moves import Face, Slot
from engine.games.kinaskak.melds import SET
from engine.games.kinaskak.melds import Laid as Meld
from engine.games.kinaskak.rules import Kinaskak

STEP = 0.36
"""The share of a card's width that stays in sight under the next card of a meld."""
TWO_LINES = 600
"""Pixels of a window below which the facts above our hand have two lines."""
NAME, NAME_LETTER = 18, 8
"""Pixels of the name above a meld, and of a letter of it."""
LEAST_MELD = 32
"""Pixels of the height of a card in a meld; lower ones cannot be read, and words stand for them."""
MELD_LINES, LETTER_SHARE = ((14, 20), (13, 18), (12, 16)), 0.62
"""Pixels of the letters of these words and of a line, the best first; the width of a letter, as a
share of them."""
PILE = 4
"""Cards of the pile that are drawn, each two pixels above the one before."""
LOW = 170
"""Pixels of the middle below which the stock and the open card lie beside each other."""
NARROW_BOX = 100
"""Pixels of a seat's box below which it has three lines."""
STOCK = 66
"""Pixels of the width of the stock, at least: its number has a name below it."""


class KinaskakPicture(GamePicture):
    """A picture with the stock, the open card and the melds in the middle, our hand below.

    The hand is sorted, in two rows where it is narrow.
    """

    kind: ClassVar[str] = "french"
    seat_lines: ClassVar[int] = 2
    hand_rows: ClassVar[int] = 2
    hand_share: ClassVar[int] = 44
    hand_least: ClassVar[int] = 150
    middle_least: ClassVar[int] = 100
    hand_most: ClassVar[int] = 170

    def middle(self, scene: Scene, area: Area) -> Drawn:
        """R13.

        The open card and the stock, which are clicked to take or to draw; the melds of all.
        """
        game = scene.of(Kinaskak)
        if not game.round:
            return Drawn()
        beside = area.height < LOW
        wide = min(100, max(STOCK, area.width // (6 if beside else 5)))
        height = area.height if beside else min(150, area.height // 2 - 4)
        pile = (
            Area(area.x + wide + 10, area.y, wide, height)
            if beside
            else Area(area.x, area.y + height + 4, wide, height)
        )
        offered = (
            {key for keys, _about in SCREEN.keys(scene) for key in keys.split()}
            if scene.asked
            else set()
        )
        found = self.stock(
            scene,
            Area(area.x, area.y, wide, height),
            _("stock {count}").format(count=len(game.stock)),
            (letter(KEYS["decline"]),)
            if game.phase == "offer" and letter(KEYS["decline"]) in offered
            else (),
        )
        found += self._pile(scene, pile, offered)
        x = pile.right + 10
        return found + self._melds(scene, Area(x, area.y, area.right - x, area.height))

    def _pile(self, scene: Scene, area: Area, offered: set[str]) -> Drawn:
        """The discards; of those below the open card only the last few, for the look of it."""
        game = scene.of(Kinaskak)
        wide, high = ASPECTS[self.kind]
        height = max(1, area.height - LINE - 2 * PILE)
        width = min(area.width, height * wide // high)
        height = width * high // wide
        action = {"offer": "take", "window": "buy"}.get(game.phase, "")
        key = letter(KEYS[action]) if action and letter(KEYS[action]) in offered else ""
        found = line_of(
            "open",
            Area(area.x, area.bottom - LINE, area.width, LINE),
            [Span(pgettext("card", "open"), "dim")],
            13,
            "middle",
        )
        x = area.x + (area.width - width) // 2
        for place, slot in enumerate(game.pile[-PILE:]):
            top = place == len(game.pile[-PILE:]) - 1
            at = Area(x + 2 * place, area.y + 2 * (PILE - 1 - place), width, height)
            found += Drawn(
                (
                    self.card(
                        scene,
                        slot,
                        at,
                        "legal" if top and key else "",
                        (key,) if top and key else (),
                        layer=1,
                    ),
                )
            )
        return found

    def _melds(self, scene: Scene, area: Area) -> Drawn:
        """The melds as overlapping cards below their names, as large as all of them fit."""
        melds = melds_after(scene)
        wide, high = ASPECTS[self.kind]
        for height in range(146, LEAST_MELD - 1, -6):
            width = height * wide // high
            places = _flow([meld for meld, _new in melds], area, width, height)
            if places is not None:
                break
        else:
            return self._in_words(scene, area)
        found = Drawn()
        for number, ((x, y), (meld, new)) in enumerate(zip(places, melds, strict=True), 1):
            wide = max(70, _wide(meld, width))
            owner = scene.names.short(meld.owner, wide // NAME_LETTER - 5)
            name = spans([*meld_name(number, new=new)[-1:], ("dim", owner)])
            found += line_of(f"meld:{number}", Area(x, y, wide, NAME), name, 13)
            for at, (slot, stands) in enumerate(_in_order(scene, meld)):
                place = Area(x + int(width * STEP) * at, y + NAME, width, height)
                found += Drawn((self._laid(scene, slot, stands, place),))
        return found

    def _in_words(self, scene: Scene, area: Area) -> Drawn:
        """The melds as lines of text in columns, where there is no room to draw their cards."""
        melds = melds_after(scene)
        said = [
            short_meld(scene, number, meld, new=new) for number, (meld, new) in enumerate(melds, 1)
        ]
        for size, line in MELD_LINES:
            rows = max(1, area.height // line)
            wide = area.width // -(-len(melds) // rows)
            fits = max(map(columns_of, said)) * size * LETTER_SHARE <= wide
            if fits:
                break
        found = Drawn()
        for number, words in enumerate(said):
            column, row = divmod(number, rows)
            place = Area(area.x + column * wide, area.y + row * line, wide, line)
            # the last word is the owner's name
            shown = spans(words if fits else words[:-1])
            found += line_of(f"meld:{number + 1}", place, shown, size)
        return found

    def _laid(self, scene: Scene, slot: Slot, stands: str, area: Area) -> Piece:
        """Return a card of a meld; a joker says for which card it stands.

        A card that is still in our hand is marked: its meld is only shown.
        """
        shown = "picked" if slot in dict(scene.hand) else ""
        piece = self.card(scene, slot, area, shown, layer=1)
        if not stands:
            return piece
        name = _("joker for {card}").format(card=spoken(self.kind, stands))
        return replace(piece, name=name)

    def lines_in(self, width: int) -> int:
        """In a narrow box the last line breaks."""
        return 2 if width >= NARROW_BOX else 3

    def hand(self, scene: Scene) -> list[Held]:
        """Our hand in the chosen order; a click picks a card, or puts it back."""
        game = scene.of(Kinaskak)
        slots = SCREEN.in_order(scene)
        plays = scene.asked and game.phase == "play" and not scene.picked.word
        return [
            Held(
                slot,
                (f"{CHOOSE}slot:{slot}",) if plays else (),
                "picked" if slot in scene.picked.cards else "legal" if plays else "",
            )
            for slot in slots
        ]

    def about(self, scene: Scene) -> Words:
        """Our points, our purchases, and the cards that are missing."""
        standing, missing = self._facts(scene)
        return (*standing, *((Span("   "), *missing) if missing else ()))

    def facts(self, scene: Scene, area: Area) -> Sequence[Words]:
        """The cards that are missing have a line of their own in a narrow window."""
        return [self.about(scene)] if area.width >= TWO_LINES else self._facts(scene)

    def _facts(self, scene: Scene) -> tuple[Words, Words]:
        """Return our points and purchases; and the cards that are missing."""
        game = scene.of(Kinaskak)
        if scene.seat is None or not game.round:
            return (), ()
        score = game.score[scene.seat]
        points = (
            _("total {score}").format(score=score)
            if scene.me is None
            else ngettext("you: {count} point", "you: {count} points", score).format(count=score)
        )
        dots = spans(bought(game, scene.seat))
        down = (Span(" " + _("down"), "good"),) if game.down[scene.seat] else ()
        missing = () if down else spans(SCREEN.lacks(scene))
        return (Span(points + "   "), *dots, *down), missing


def _in_order(scene: Scene, meld: Meld) -> list[tuple[Slot, Face]]:
    """Return the cards of a meld as they are shown, with the cards for which jokers stand."""
    cards = [(slot, stands) for slot, stands in meld.cards]
    if meld.kind != SET:
        return cards
    faces = faces_after(scene)
    return sorted(cards, key=lambda card: by_suit(JOKER if card[1] else faces[card[0]]))


def _wide(meld: Meld, width: int) -> int:
    return int(width * STEP) * (len(meld.cards) - 1) + width


def _flow(melds: list[Meld], area: Area, width: int, height: int) -> list[tuple[int, int]] | None:
    """Return the places of melds side by side in rows; None where they do not all fit."""
    x, y, places = area.x, area.y, list[tuple[int, int]]()
    for meld in melds:
        wide = max(70, _wide(meld, width))
        if x + wide > area.right and x > area.x:
            x, y = area.x, y + NAME + height + 6
        places.append((x, y))
        x += wide + 10
        if y + NAME + height > area.bottom or x - 10 > area.right:
            return None
    return places


PICTURE = KinaskakPicture()
