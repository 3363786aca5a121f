"""The table of Kínaskák: open card, stock, melds, others' boxes, score sheet, cards in a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from client.i18n.translation import _, ngettext, pgettext
from client.storage.settings import CardSize
from client.ui.drawing.canvas import Canvas, Piece, Rect, columns_of
from client.ui.drawing.cards import SIZES, draw_card, french, short
from client.ui.games.kinaskak.laying import faces_after, melds_after
from client.ui.games.kinaskak.words import by_suit
from client.ui.games.screen import Line, Scene
from engine.core.cards import JOKER
from engine.core.events import GameEvent
from engine.core.moves import Face, Seat, Slot
from engine.games.kinaskak.melds import PLACES, RANKS, SET, SUITS, Cards, Laid, written
from engine.games.kinaskak.rules import Kinaskak
from p2p.net.names import NICK_COLUMNS
from p2p.table.events import Moved

PILES, PILE_ROWS = 18, 5
"""Columns and rows that the open card and the stock take if they are drawn as cards."""
CARD_STEP = 3
"""Columns from one card of a meld to the next: rank and suit of the one below stay in sight."""
WIDE = 22
"""Columns of a box from which cards and points stand in words."""
SHEET_GAP = 2
"""Columns between two columns of the score sheet."""
OWNER, SHORT_OWNER = 8, 4
"""Columns of a name behind a meld if not all names fit whole, and if there is little room."""


def by_rank(face: Face) -> tuple[int, int]:
    """Sort by ranks; jokers last."""
    return (len(RANKS), 0) if face[0] == JOKER else (RANKS.index(face[0]), SUITS.index(face[1]))


def in_a_row(faces: Sequence[Face]) -> list[Piece]:
    """Return cards in a line, a joker as `*` with the card that it stands for."""
    found: list[Piece] = []
    for face in faces:
        if face[0] == JOKER and len(face) > 1:
            found += [
                ("joker", french(face)),
                ("", " "),
            ]
        else:
            label, style = short(french(face))
            found += [(style, label.strip()), ("", " ")]
    return found


def line_in_signs(line: str) -> list[Piece]:
    """Return a line of the notation with its cards as they are drawn.

    An arrow points to a meld on the table.
    """
    found: list[Piece] = []
    for word in line.split()[1:]:
        if word in ("on", "in"):
            found += [("dim", "→ ")]
        elif word.startswith("m"):
            found += [("key", word)]
        else:
            found += in_a_row([word])
    return found


def melds_in_signs(melds: Sequence[tuple[str, Cards]], faces: Mapping[Slot, Face]) -> list[Piece]:
    """Return melds with a bar between them; the cards of a set by suits."""
    found: list[Piece] = []
    for kind, cards in melds:
        row = written(cards, faces)
        bar = [("dim", "| ")] if found else []
        found += [*bar, *in_a_row(sorted(row, key=by_suit) if kind == SET else row)]
    return found


def bought(game: Kinaskak, seat: Seat) -> list[Piece]:
    """R14. Return purchases as dots: free ones, those left, and those that cost."""
    made, free = game.purchases[seat], game.options["buys"]
    return [
        ("", "●" * min(made, free)),
        ("dim", "○" * max(0, free - made)),
        ("bad", "●" * max(0, made - free)),
    ]


def seat_lines(scene: Scene, seat: Seat, inside: Rect) -> list[Line]:
    """Return the visible facts of a seat: its cards, points and purchases, and its state.

    The cards that it is known to hold follow.
    """
    game = scene.of(Kinaskak)
    cards, points = len(game.hands[seat]), game.score[seat]
    style = "warn" if cards == 1 else ""
    state: Line = (
        [("good", " " + _("down"))]
        if game.down[seat]
        else [("dim", " " + _("plays"))]
        if seat == game.forhond
        else []
    )
    if inside.height < 2:
        all_in_one: Line = [
            (style or "back", f"▒{cards}"),
            ("", f" {points} "),
            *bought(game, seat),
        ]
        has_space = columns_of([*all_in_one, *state]) <= inside.width
        return [
            [*all_in_one, *(state if has_space else [("good", " ↓")] if game.down[seat] else [])]
        ]
    held = ngettext("{count} card", "{count} cards", cards).format(count=cards)
    total = _("total {score}").format(score=points)
    first: Line = [(style, held), ("", f"  {total}")]
    if inside.width < WIDE:
        first = [(style or "back", f"▒{cards}"), ("", f" {total}")]
    if columns_of(first) > inside.width:  # then the number without its word
        first = [(style or "back", f"▒{cards}"), ("", f" {points}")]
    dots = bought(game, seat)
    named = [("dim", _("buys") + " "), *dots]
    second = named if columns_of(dots) and columns_of([*named, *state]) <= inside.width else dots
    known = [game.faces[slot] for slot in game.hands[seat] if slot in game.faces]
    return [first, [*second, *state], in_a_row(sorted(known, key=by_suit))]


def draw_middle(scene: Scene, canvas: Canvas, rect: Rect) -> None:
    """Draw the open card, the stock and the melds as cards if there is room, else in lines.

    At worst the lines are shortened.
    """
    game, melds = scene.of(Kinaskak), list(enumerate(melds_after(scene), 1))
    beside = Rect(rect.x + PILES, rect.y, rect.width - PILES, rect.height)
    whole = _melds(scene, beside)
    blocks = _blocks(scene, beside)
    if rect.height >= PILE_ROWS and (blocks or _fit(whole, beside)):
        canvas.write(rect.x + 1, rect.y, pgettext("card", "open"), "dim", 6)
        if game.pile:
            draw_card(
                canvas, rect.x + 1, rect.y + 1, french(game.faces[game.pile[-1]]), CardSize.SMALL
            )
        else:
            canvas.write(rect.x + 3, rect.y + 2, "–", "dim")
        if game.stock:
            draw_card(canvas, rect.x + 8, rect.y + 1, None, CardSize.SMALL)
        canvas.write(
            rect.x + 8, rect.y, _("stock {count}").format(count=len(game.stock)), "dim", PILES - 9
        )
        if blocks:
            _draw_blocks(scene, canvas, blocks)
        else:
            _draw_melds(canvas, beside, whole)
        return
    pile = in_a_row([game.faces[slot] for slot in game.pile[-1:]]) or [("dim", "–")]
    stock = _("stock {count}").format(count=len(game.stock))
    canvas.write(
        rect.x + 1,
        rect.y,
        [("dim", pgettext("card", "open") + ": "), *pile, ("dim", f"   {stock}")],
    )
    below = Rect(rect.x + 1, rect.y + 1, rect.width - 1, rect.height - 1)
    whole = _melds(scene, below)
    lines = (
        whole
        if _fit(whole, below)
        else [short_meld(scene, number, meld, new=new) for number, (meld, new) in melds]
    )
    _draw_melds(canvas, below, lines)


def _blocks(scene: Scene, rect: Rect) -> list[Rect]:
    """Return a place for each meld drawn as cards below its name; none if not all fit.

    The places have room for the whole names of the owners if all fit so.
    """
    if scene.cards is CardSize.CHIP:
        return []
    for columns in (NICK_COLUMNS, OWNER):
        places = _placed(scene, rect, columns)
        if all(place.right <= rect.right and place.bottom <= rect.bottom for place in places):
            return places
    return []


def _placed(scene: Scene, rect: Rect, columns: int) -> list[Rect]:
    """Return a place for each meld, in rows; so many columns of its owner's name are shown."""
    x, y, places = rect.x, rect.y, list[Rect]()
    for number, (meld, new) in enumerate(melds_after(scene), 1):
        owner = scene.names.short(meld.owner, columns)
        name = columns_of([*meld_name(number, new=new), ("dim", owner)])
        cards = CARD_STEP * (len(meld.cards) - 1) + SIZES[CardSize.SMALL][0]
        wide = max(cards, name)
        if x + wide > rect.right and x > rect.x:
            x, y = rect.x, y + PILE_ROWS
        places.append(Rect(x, y, wide, PILE_ROWS))
        x += wide + 2
    return places


def _draw_blocks(scene: Scene, canvas: Canvas, places: Sequence[Rect]) -> None:
    """Draw melds as cards, each below its name and its owner's."""
    melds = zip(places, melds_after(scene), strict=True)
    for number, (place, (meld, new)) in enumerate(melds, 1):
        name = meld_name(number, new=new)
        owner = scene.names.short(meld.owner, place.width - columns_of(name))
        canvas.write(place.x, place.y, [*name, ("dim", owner)])
        for at, card in enumerate(_cards_of(scene, meld)):
            draw_card(canvas, place.x + CARD_STEP * at, place.y + 1, french(card), CardSize.SMALL)


def meld_name(number: int, *, new: bool) -> Line:
    """Return the name of a meld on the table; one that is only shown is marked."""
    mark = [("picked", "▌")] if new else []  # colours may be missing
    return [*mark, ("picked" if new else "key", f"m{number} ")]


def _cards_of(scene: Scene, meld: Laid) -> list[Face]:
    """Return the cards of a meld in the order in which they are shown.

    Jokers have the cards that they stand for.
    """
    cards = written(meld.cards, faces_after(scene))
    return sorted(cards, key=by_suit) if meld.kind == SET else cards


def _fit(lines: Sequence[Line], rect: Rect) -> bool:
    """Whether lines fit in columns as wide as the widest."""
    wide = max((columns_of(line) for line in lines), default=0) + 2
    return wide <= rect.width + 1 and len(lines) <= rect.height * max(1, rect.width // wide)


def _draw_melds(canvas: Canvas, rect: Rect, lines: Sequence[Line]) -> None:
    """Draw melds in columns as wide as the widest, in the order in which they were laid."""
    if not lines or rect.height < 1:
        return
    wide = min(rect.width, max(columns_of(line) for line in lines) + 2)
    space = max(1, rect.width // wide) * rect.height
    for place, line in enumerate(lines[:space]):
        column, row = divmod(place, rect.height)
        canvas.write(rect.x + column * wide, rect.y + row, line, width=wide - 1)
    if len(lines) > space:
        canvas.write(rect.right - 4, rect.bottom - 1, f" +{len(lines) - space}", "warn")


def _melds(scene: Scene, rect: Rect) -> list[list[Piece]]:
    """Return the melds, each with its name, its cards and its owner: the whole nick if all fit so.

    Jokers have the cards that they stand for.
    """
    found: list[list[Piece]] = []
    for columns in (NICK_COLUMNS, OWNER):
        found = [
            [
                *meld_name(number, new=new),
                *in_a_row(_cards_of(scene, meld)),
                ("dim", scene.names.short(meld.owner, columns)),
            ]
            for number, (meld, new) in enumerate(melds_after(scene), 1)
        ]
        if _fit(found, rect):
            break
    return found


def short_meld(scene: Scene, number: int, meld: Laid, *, new: bool) -> list[Piece]:
    """Return a meld in few columns.

    A run goes from its first card to its last. A set has its rank and the number of its cards. Both
    have the jokers.
    """
    cards = written(meld.cards, faces_after(scene))
    jokers = [card for card in cards if card[0] == JOKER]
    if meld.kind == SET:
        pieces: list[Piece] = [
            ("strong", f"{len(cards)}×{french(meld.of)}"),
            ("joker", f" {'*' * len(jokers)}" if jokers else ""),
        ]
    else:
        low, high = PLACES[meld.low], PLACES[meld.low + len(cards) - 1]
        last, style = short(french(high + meld.of))
        pieces = [
            (style, f"{french(low)}–{last.strip()}"),
            ("joker", "".join(f" {french(card[:2])}" for card in jokers)),
        ]
    return [
        *meld_name(number, new=new),
        *pieces,
        ("dim", " " + scene.names.short(meld.owner, SHORT_OWNER)),
    ]


def draw_tight(
    canvas: Canvas, rect: Rect, faces: Sequence[Face], styles: Sequence[str]
) -> list[Rect]:
    """Draw cards as two or three characters each, and return their places.

    As many columns as all cards leave stand between them, at most two.
    """
    shown = [
        (label.strip().rjust(2), own) for label, own in (short(french(face)) for face in faces)
    ]
    spare = rect.width - sum(columns_of(label) for label, _own in shown)
    gap = max(0, min(2, spare // max(1, len(faces))))
    x, places = rect.x, []
    for (label, own), style in zip(shown, styles, strict=True):
        mark = "▌" if style == "picked" else ""  # colours may be missing
        canvas.write(x, rect.y, label + mark, f"{own} {style}")
        places.append(Rect(x, rect.y, columns_of(label), 1))
        x += columns_of(label) + gap
    return places


def sheet(scene: Scene) -> list[str]:
    """Return the score sheet: rounds down, seats across; penalties behind a plus.

    A column is no wider than its name and its figures need, so that a phone shows large letters.
    """
    game = scene.of(Kinaskak)
    rounds = [
        [
            f"{left}+{penalty}" if penalty else str(left)
            for left, penalty in zip(points, penalties, strict=True)
        ]
        for points, penalties in zip(game.sheet, game.penalties, strict=False)
    ]
    figures = [*rounds, [str(points) for points in game.score]]
    names = [str(scene.names.label(seat)) for seat in range(game.players)]
    longest = max(columns_of(text) for text in (*names, *(cell for row in figures for cell in row)))
    # so that it fits a sheet on the smallest screen
    wide = min(longest + SHEET_GAP, 48 // max(3, game.players))
    heads = [scene.names.short(seat, wide - 1) for seat in range(game.players)]
    signs = [*(f"{number:2} " for number in range(1, len(rounds) + 1)), " = "]
    lines = [
        sign + "".join(" " * (wide - columns_of(cell)) + cell for cell in row)
        for sign, row in zip(signs, figures, strict=True)
    ]
    return ["   " + "".join(" " * (wide - columns_of(head)) + head for head in heads), *lines]


def since_the_last_move(history: Sequence[GameEvent | Moved]) -> list[GameEvent]:
    """Return the events of the rules that came after the last move."""
    found: list[GameEvent] = []
    for event in reversed(history):
        if isinstance(event, Moved):
            break
        found.insert(0, event)
    return found
