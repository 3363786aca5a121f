"""The middle of a table of Truco: the tricks as rows, the songs and their worth, and the score.

The score is drawn in strokes.
"""

from __future__ import annotations

from client.i18n.translation import _, later, listed
from client.storage.settings import CardSize
from client.ui.drawing.canvas import Canvas, Rect, columns_of
from client.ui.drawing.cards import ORDER, SIZES, draw_card
from client.ui.games.screen import Scene, over
from client.ui.games.truco.deals import deal_before, this_deal, told
from client.ui.games.truco.strokes import ROWS, columns_for, draw_squares, strokes
from client.ui.games.truco.words import HALVED, STRENGTHS, WORDS, strengths
from client.ui.wrap import wrapped
from engine.core.moves import Seat, Slot
from engine.games.truco import events
from engine.games.truco.rules import Truco
from engine.games.truco.worth import STRENGTH

NAME, NARROW = 14, 12
"""Columns of a name before its row of cards, at most, and if there is little room."""
WIDE = 76
"""Columns from which there is enough."""
TRICKS = (later("trick 1"), later("trick 2"), later("trick 3"))
LEAST_PANEL = 22
BETS = (events.EnvidoWon, events.EnvidoAnnulled, events.FlorWon)
END = (events.DealWon, events.Shown, events.FlorShown)


def team(scene: Scene, side: int) -> str:
    """Return what a team is called: of two players their names, else we and they."""
    game = scene.of(Truco)
    if scene.me is None or game.players == 2:
        return WORDS.side(scene.names, game, side)
    return _("We") if side == game.side(scene.me) else _("They")


def draw_middle(scene: Scene, canvas: Canvas, rect: Rect, *, order: bool) -> None:
    """Draw the tricks and the songs, side by side if both have room, else one below the other.

    With `order`, draw the order of the cards too.
    """
    longest = 1 + max(columns_of(scene.names.label(seat)) for seat in order_of(scene))
    name = min(longest, NAME if rect.width >= WIDE else NARROW)
    size = next(
        (
            size
            for size in _sizes(scene, rect.height)
            if rect.width >= _width(size, name) + LEAST_PANEL + 4
        ),
        None,
    )
    if size is not None:
        width = min(_width(size, longest), max(_width(size, name), rect.width - LEAST_PANEL - 4))
        _draw_tricks(scene, canvas, Rect(rect.x + 1, rect.y, width, rect.height), size)
        _draw_panel(
            scene,
            canvas,
            Rect(rect.x + width + 3, rect.y, rect.width - width - 4, rect.height),
            order=order,
        )
        return
    size = next(
        size
        for size in _sizes(scene, rect.height - 7)
        if rect.width >= _width(size, name) or size is CardSize.CHIP
    )
    width = min(_width(size, longest), max(_width(size, name), rect.width))
    height = _height(scene, size)
    _draw_panel(
        scene,
        canvas,
        Rect(rect.x, rect.y, rect.width, max(0, rect.height - height - 1)),
        order=order,
    )
    place = Rect(rect.x + max(0, (rect.width - width) // 2), rect.bottom - height, width, height)
    _draw_tricks(scene, canvas, place, size)


def _draw_tricks(scene: Scene, canvas: Canvas, rect: Rect, size: CardSize) -> None:
    """Draw a row for each seat with the cards that it has played, ours below.

    The winning card of each trick is marked, and so are ties.
    """
    game = scene.of(Truco)
    columns, rows = SIZES[size]
    x = rect.right + 2 - 3 * (columns + 3)
    y = rect.y + max(0, (rect.height - _height(scene, size)) // 2)
    now = len(game.results)
    for number, title in enumerate(TRICKS):
        canvas.write(
            x + number * (columns + 3),
            y,
            _(title),
            "strong" if number == now and not over(scene) else "dim",
        )
    for row, seat in enumerate(order_of(scene)):
        top = y + 1 + row * rows
        style = "turn" if seat in scene.model.turn else ""
        canvas.write(rect.x, top + (rows - 1) // 2, scene.names.short(seat, x - rect.x - 1), style)
        for number in range(len(game.tricks)):
            slot = next((slot for by, slot in game.tricks[number] if by == seat), None)
            if slot is None:
                continue
            left, sign = x + number * (columns + 3), mark(game, number, seat, slot)
            draw_card(
                canvas,
                left,
                top,
                game.faces[slot],
                size,
                "barred" if number < now and not sign else "",
            )
            canvas.write(
                left + columns, top + (rows - 1) // 2, sign, "good" if sign == "◀" else "wait"
            )


def draw_order(canvas: Canvas, rect: Rect) -> None:
    """Draw the order of the cards at the bottom, in as many words as have room.

    Draw nothing if it has no room.
    """
    for text in (strengths(), STRENGTHS):
        lines = wrapped(text, rect.width) if rect.width > 0 else []
        if 0 < len(lines) <= rect.height:
            for row, line in enumerate(lines, rect.bottom - len(lines)):
                canvas.write(rect.x, row, line, "dim", rect.width)
            return


def _draw_panel(scene: Scene, canvas: Canvas, rect: Rect, *, order: bool) -> None:
    """Draw the call to be answered, the worth of the deal, the envido so far, and the score.

    Draw only the parts that fit.
    """
    y = rect.y
    for style, text in paragraphs(scene):
        lines = wrapped(text, rect.width)
        if y + len(lines) > rect.bottom:
            break
        for line in lines:
            canvas.write(rect.x, y, line, style, rect.width)
            y += 1
    rows = _tally(scene, canvas, Rect(rect.x, y, rect.width, rect.bottom - y))
    if order:
        draw_order(canvas, Rect(rect.x, y, rect.width, rect.bottom - y - rows - 1))


def paragraphs(scene: Scene) -> list[tuple[str, str]]:
    """Return what is sung and worth: the call that waits for an answer first."""
    game = scene.of(Truco)
    names, history = scene.names, this_deal(scene.model.history)
    found: list[tuple[str, str]] = []
    if game.waiting is not None or game.betting or game.stating or game.flor_open:
        first, *others = WORDS.bets(names, game)
        found += [
            ("warn", first),
            ("strong", who_answers(scene)),
            *(("dim", line) for line in others),
        ]
    if not over(scene):
        found.append(("", WORDS.stakes(names, game)))
    found += [("", line) for line in told(names, game, history, *BETS)]
    if game.said:
        said = ", ".join([f"{names.label(seat)}: {_number(number)}" for seat, number in game.said])
        line = _("Flor: {said}") if game.flors else _("Envido: {said}")
        found.append(("dim", line.format(said=said)))
    if not (game.waiting or game.betting or game.stating or game.flor_open):
        found += [("dim", line) for line in WORDS.bets(names, game)]
    if over(scene):
        found += [("", line) for line in told(names, game, history, *END)]
    elif not (any(game.tricks) or game.bets or game.flors) and game.waiting is None:
        before = deal_before(scene.model.history)
        lines = told(names, game, before, *BETS, *END)
        if lines:
            first, *rest = lines
            found += [
                ("dim", _("The last deal: {told}").format(told=first)),
                *(("dim", f"  {line}") for line in rest),
            ]
    return [(style, text) for style, text in found if text]


def _number(number: int | None) -> str:
    return "son buenas" if number is None else str(number)


def who_answers(scene: Scene) -> str:
    """Say who may answer the call that waits."""
    turn = scene.model.turn
    others = [str(scene.names[seat]) for seat in turn if seat != scene.me]
    if scene.of(Truco).stating or not turn:
        return ""
    if scene.me not in turn:
        return _("To answer: {who}").format(who=listed(others))
    return (
        _("You or {who} may answer; the first counts.").format(who=listed(others))
        if others
        else _("You must answer.")
    )


def _tally(scene: Scene, canvas: Canvas, rect: Rect) -> int:
    """Draw the score below the songs, and return the rows that it needs.

    The score is drawn as squares, as strokes, as a number, or not at all.
    """
    game = scene.of(Truco)
    target = game.options["target"]
    half = HALVED // 2 if target == HALVED else None
    ours = game.side(scene.seat or 0)
    squares = rect.height > 2 * (ROWS + 1) and columns_for(target) <= rect.width
    rows = 2 * (ROWS + 1) if squares else 2
    label = min(rect.width // 2, max(columns_of(team(scene, side)) for side in (0, 1)) + 2)
    if rect.height <= rows:
        return rows
    for place, side in enumerate((1 - ours, ours)):  # as the rows of cards beside it: ours below
        y = rect.bottom - rows + place * rows // 2
        if squares:
            canvas.write(
                rect.x,
                y,
                f"{team(scene, side)} {game.score[side]}",
                "strong" if place else "",
                rect.width,
            )
            draw_squares(canvas, rect.x, y + 1, game.score[side], half)
        else:
            style = "strong" if place else ""
            canvas.write(rect.x, y, team(scene, side), style, label - 1)
            drawn = f"{game.score[side]}  {strokes(game.score[side], half)}"
            fits = columns_of(drawn) <= rect.width - label
            canvas.write(
                rect.x + label,
                y,
                drawn if fits else str(game.score[side]),
                style,
                rect.width - label,
            )
    return rows


def order_of(scene: Scene) -> list[Seat]:
    """The others as they come after us, and ourselves."""
    players = scene.game.players
    first = 0 if scene.seat is None else scene.seat + 1
    return [(first + place) % players for place in range(players)]


def mark(game: Truco, number: int, seat: Seat, slot: Slot) -> str:
    """R11.

    How a card stands in a trick that is complete: it has won it, or is one of those that tie it.
    """
    if number >= len(game.results):
        return ""
    if game.results[number] is not None:
        return "◀" if game.results[number] == seat else ""
    best = max(STRENGTH[game.faces[other]] for _seat, other in game.tricks[number])
    return "=" if STRENGTH[game.faces[slot]] == best else ""


def _sizes(scene: Scene, height: int) -> list[CardSize]:
    """Return the sizes in which all rows of cards have room, the largest first.

    Chips are drawn whatever room there is.
    """
    allowed = ORDER[ORDER.index(scene.cards) :]
    return [size for size in allowed if _height(scene, size) <= height or size is CardSize.CHIP]


def _height(scene: Scene, size: CardSize) -> int:
    players: int = scene.game.players
    return 1 + players * SIZES[size][1]


def _width(size: CardSize, name: int) -> int:
    return name + 3 * (SIZES[size][0] + 3) - 2
