"""The table as a picture, in the form that all games share.

It has the boxes of the others, the middle, the turn, our hand and the latest lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from client.i18n.translation import _, pgettext
from client.ui.drawing.canvas import columns_of
from client.ui.drawing.picture import Area, Call, Control, Panel, Span, Words
from client.ui.games import picture_of as table_picture_of
from client.ui.games import screen_of, title_of
from client.ui.games.picture import Drawn, GamePicture, spans
from client.ui.games.screen import Scene
from client.ui.model import MatchPhase
from client.ui.pictures.controls import controls
from client.ui.pictures.parts import (
    BOLD,
    BUTTON,
    BUTTON_GAP,
    GAP,
    LINE,
    PADDING,
    PER_EM,
    PHONE,
    rows_of,
    text_height,
    text_of,
)
from client.ui.pictures.seats import seat_box, seats_round
from client.ui.plain.lines import hands
from client.ui.screen import play, table_words
from client.ui.screen.parts import SPARE
from client.ui.screen.state import ScreenState
from client.ui.wrap import wrapped
from engine.core.dataclass import dataclass

WIDE = 1000
"""Pixels of a window from which the latest lines stand beside the table."""
SIDE = 320
NARROW = 600
"""Pixels of a window up to which the line with the turn may need two lines."""
LOW = 480
"""Pixels of a window's height from which on there is room for more than the table and its
buttons."""
TURN, TURN_NARROW, TURN_LETTER = 34, 48, 9
"""Pixels of the line with the turn, and of a column of it."""
SAID, SAID_LINE, SAID_LETTER = 24, 22, 8
"""Pixels of the latest lines below the table, where there is room for them; of one of them; and of
a column of them."""
SAID_ROW, SAID_EDGE, LATEST = 21, 2, 12
"""Pixels of a row of them as page.css has it, and of the frame; and the lines in a lesson."""
ASIDE_EDGE, ASIDE_LINE, ASIDE_LETTER = 12, 20, 8
"""Pixels between the edge of a notice that lies over the table and its text, of a line of it, and
of a column."""
LESSON, MOST_LESSON = 0.38, 380
"""The share of a narrow window below the table of a lesson, for its pages and the buttons, and the
most pixels of it."""
ENDED = 20
"""Pixels above and below the lines of the end of a match."""
LEAST_MINE, ABOVE_HAND = 110, 60
"""Pixels of our own part of the table, at least; of the lines above our hand, and of the space
round it."""
CARD_COUNTS = 4
"""How much more a pixel of a card counts that a call would cover than one of words."""
CALL, CALL_PHONE = (34, 31), (24, 19)
"""Pixels of a letter of a call, and of its frame at the left, as page.css has them; above and below
together it has as much."""


@dataclass(frozen=True)
class Tabled:
    """The table, drawn: its parts, its call, and where cards come from."""

    drawn: Drawn
    call: Call | None = None
    origin: tuple[int, int] | None = None


def foot(window: Area, *, lesson: bool) -> int:
    """Return the pixels below a table in a window.

    With them the table stays where it is while buttons and notices come and go.

    In a wide window they are a row of buttons and a notice; else two rows and the latest line, or
    one row and more lines, or the pages of a lesson.
    """
    if window.height < LOW:
        return 0
    more = LINE + 4 if window.width >= WIDE else SAID
    rows = 1 if window.width >= WIDE else 2
    least = rows * (BUTTON + BUTTON_GAP) + GAP + more
    return (
        max(least, min(MOST_LESSON, int(window.height * LESSON)))
        if lesson and window.width < WIDE
        else least
    )


def aside(window: Area, head: int, notice: str) -> Area:
    """Return the place of a notice that is too long for the space of the buttons.

    The table stays where it is, and the notice covers no card in the middle and none of our hand:
    it lies over the latest lines in a wide window, and else over the heading and the others.
    """
    wide = window.width >= WIDE
    width = (SIDE if wide else window.width) - 2 * GAP
    lines = wrapped(notice, (width - 2 * ASIDE_EDGE) // ASIDE_LETTER)
    return Area(
        window.right - GAP - width,
        window.y + (head + GAP if wide else GAP // 2),
        width,
        len(lines) * ASIDE_LINE + ASIDE_EDGE,
    )


def buttons(state: ScreenState, window: Area) -> tuple[Control, ...]:
    """Return the buttons of a table, as far as they fit the foot.

    Those give way whose effects stand in the menu too. While something is proposed there are no
    more rows than before, so that the button that was clicked stays where it is.
    """
    rows = 1 if window.width >= WIDE else 2
    if state.proposed[0]:
        rows = rows_of(buttons(replace(state, proposed=("", "")), window), window)
    found = controls(keys(state))
    for key in SPARE:
        if rows_of(found, window) <= rows:
            break
        found = tuple(button for button in found if button.key != key)
    return found


def table(state: ScreenState, area: Area, below: int) -> Tabled:
    """Return the table within an area.

    `below` is the pixels below it for the latest lines, if they do not stand beside it; less than 0
    if a notice covers the lowest pixels of the area.
    """
    if state.held:
        return _table(play.as_it_stood(state), area, below, _held(state))
    if state.match.view is None:
        all_of_you = _("The first deck is being shuffled by all of you …")
        others = _("All players are shuffling the first deck …")
        words = (Span(others if state.match.names.me is None else all_of_you),)
        lines = (words, spans(table_words.turn_line(state, []))) if state.match.away else (words,)
        middle = Area(area.x + area.width // 8, area.y + area.height // 3, area.width * 3 // 4, 120)
        return Tabled(Drawn(panels=(Panel("shuffled", "prose", middle, lines=lines),)))
    return _table(state, area, below)


def _held(state: ScreenState) -> list[tuple[str, str]]:
    """Say that a button goes on, and the rest as the full screen does."""
    mine = state.match.asked and not state.done
    said = (
        " ▶ " + _("Your turn comes next: go on.")
        if mine
        else " " + _("The table stays like this until you go on.")
    )
    return [("turn", said + " "), *table_words.hold_line(state)[1:]]


def keys(state: ScreenState) -> list[tuple[str, str]]:
    """Return the keys that mean something at the table now.

    The second key of a proposed move stands in the place of the first: a button that was clicked
    stays where it is. All other keys stay too, for they still do the same.
    """
    if state.held:
        return [("Enter", pgettext("key", "continue"))]
    found = play.keys(state)
    if not state.proposed[0]:
        return found
    confirm, back = found[0], found[-1]
    before = play.keys(replace(state, proposed=("", "")))
    kept = [_instead(pair, state.proposed[0], confirm, back) for pair in before]
    return kept if confirm in kept else [*kept, confirm]


def _instead(
    pair: tuple[str, str], proposed: str, confirm: tuple[str, str], back: tuple[str, str]
) -> tuple[str, str]:
    """Return a pair, or the pair that stands in its place while its key is proposed."""
    if proposed in pair[0].split("/"):
        return confirm
    return back if pair[0] == back[0] else pair


def _table(
    state: ScreenState, area: Area, below: int, waiting: Sequence[tuple[str, str]] = ()
) -> Tabled:
    scene = _scene(state)
    game, screen = table_picture_of(state.match.game), screen_of(state.match.game)
    wide = area.width >= WIDE
    found = Drawn()
    if wide:
        side = Area(area.right - SIDE, area.y, SIDE, area.height + min(0, below))
        log = tuple((Span(line),) for line in state.log)
        found += Drawn(
            panels=(Panel("said", "log", side.inner(8), (Span(_("So far"), "dim"),), log),)
        )
        area = Area(area.x, area.y, area.width - SIDE, area.height)
    elif below >= SAID_LINE:
        last = Area(area.x, area.bottom, area.width, below)
        lines = _last(state.log, last.width, last.height)
        if state.match.lesson:  # its page is read whole, by scrolling if it is long
            last = replace(last, height=below - (below - SAID_EDGE) % SAID_ROW)
            lines = tuple((Span(line),) for line in state.log[-LATEST:])
        found += Drawn(panels=(Panel("said", "log", last, lines=lines),))
    seats = seats_round(area, play.other_seats(scene), game)
    high = TURN_NARROW if area.width < NARROW else TURN
    mine = _mine_height(scene, game, area.height - (seats.below - area.y) - high)
    hand = Area(area.x, area.bottom - mine, area.width, mine)
    turn = Area(area.x, hand.y - high, area.width, high)
    inner = seats.middle(turn.y)
    for seat, place in seats.places.items():
        found += seat_box(state, scene, game, seat, place, seats.lines)
    told = False
    if state.match.phase is MatchPhase.OVER and not state.count:
        ended, inner = _ended(state, scene, inner, turn.bottom)
        found += Drawn(panels=(ended,))
        told = ended.area.bottom > turn.y
    if inner.height > 30:
        found += game.middle(scene, inner)
    line = tuple(waiting) or tuple(
        table_words.turn_line(state, table_words.status_line(state, screen.status(scene)))
    )
    said_now = spans(line)
    quiet = Span("   " + table_words.checked(state), "dim")
    columns = columns_of(text_of((*said_now, quiet)))
    if area.width >= NARROW and columns * TURN_LETTER <= area.width - 2 * PADDING:
        said_now += (quiet,)
    if not told:
        found += Drawn(panels=(Panel("turn", "status", turn, lines=(said_now,)),))
    if mine:
        found += game.mine(scene, hand)
    call = None
    if state.moment is not None and not state.count:
        call = _placed(
            Call(state.moment.text, *inner.middle, inner.width, state.moment.style), area, found
        )
    stock = next((piece for piece in found.pieces if piece.id.startswith("stock:")), None)
    origin = (
        (stock.x + stock.width // 2, stock.y + stock.height // 2)
        if stock
        else (inner.middle[0], area.y)
    )
    return Tabled(found, call, origin)


def _scene(state: ScreenState) -> Scene:
    """Return the match as it is drawn.

    In a lesson the cards of the others lie open while the sentence that tells them can be read.
    """
    match = state.match
    if not (match.lesson and match.view and state.notice and state.notice in hands(match)):
        return table_words.scene_of(state)
    view = replace(match.view, faces={**match.view.faces, **match.laid})
    return table_words.scene_of(replace(state, match=replace(match, view=view)))


def _placed(call: Call, area: Area, drawn: Drawn) -> Call:
    """Return a call near its place, where it covers least of the table's cards and words.

    A call moves aside only as one line. An open card is covered last: it may just have been played.
    """
    taken = {piece.area: CARD_COUNTS if piece.face else 1 for piece in drawn.pieces}
    taken |= {Area(text.x, text.y, text.width, text.size): 1 for text in drawn.texts}
    taken |= {_written(panel): 1 for panel in drawn.panels if panel.id != "said"}
    size, margin = CALL if area.width > PHONE else CALL_PHONE
    places: list[tuple[Call, Area]] = []
    for x in (call.x, (area.x + call.x) // 2, (area.right + call.x) // 2):
        most = 2 * min(x - area.x, area.right - x) - GAP
        needed = round(columns_of(call.text) * size * PER_EM)
        lines = -(-needed // max(1, most - 2 * margin))
        if lines > 1 and x != call.x:
            continue
        width, height = min(most, needed + 2 * margin), round(lines * size * 1.2) + margin
        half = height // 2 + GAP
        above, below = [one.y - half for one in taken], [one.bottom + half for one in taken]
        for y in dict.fromkeys((call.y, *above, *below)):
            place = Area(x - width // 2, y - height // 2, width, height)
            if place.y >= area.y and place.bottom <= area.bottom:
                places.append((replace(call, x=x, y=y, width=most), place))
    places.sort(key=lambda one: abs(one[0].x - call.x) + abs(one[0].y - call.y))
    found, least = call, -1
    for there, place in places:  # the nearest first
        covered = sum(_covered(place, other) * counts for other, counts in taken.items())
        if least < 0 or covered < least:
            found, least = there, covered
        if not covered:
            break
    return found


def _written(panel: Panel) -> Area:
    """Return the part of a box that has text in it; of one with a frame, all of it."""
    if panel.kind != "prose":
        return panel.area
    high = text_height(map(text_of, panel.lines), panel.area.width) + 2 * GAP
    return replace(panel.area, height=min(panel.area.height, high))


def _covered(one: Area, other: Area) -> int:
    across = min(one.right, other.right) - max(one.x, other.x)
    along = min(one.bottom, other.bottom) - max(one.y, other.y)
    return max(0, across) * max(0, along)


def heading(state: ScreenState) -> tuple[Words, Words]:
    """Return the first line of the table: the game and its deal; and the score."""
    if state.match.view is None:
        return (Span(title_of(state.match.game), "strong"),), ()
    shown = play.as_it_stood(state) if state.held else state
    scene, screen = table_words.scene_of(shown), screen_of(shown.match.game)
    about = screen.heading(scene)
    title = Span(title_of(shown.match.game), "strong")
    return (title, *((Span("  " + about, "dim"),) if about else ())), tuple(
        Span(text) for text in (screen.score(scene),) if text
    )


def _mine_height(scene: Scene, game: GamePicture, left: int) -> int:
    """Return the height of our own part of the table.

    It is a share of the space that the others and the turn leave; in a small window as much as its
    cards need to be read, unless the middle needs it more.
    """
    if scene.seat is None:
        return 0
    wanted = max(left * game.hand_share // 100, min(game.hand_least, left - game.middle_least))
    return max(LEAST_MINE, min(game.hand_most + ABOVE_HAND, wanted))


def _last(lines: Sequence[str], width: int, height: int) -> tuple[Words, ...]:
    """Return the last lines, as many as there is room for, with those that break.

    Of the first one, only the beginning is returned if there is no room for more, but no less than
    two lines: one before others says too little.
    """
    room, columns = height // SAID_LINE, (width - 2 * PADDING) // SAID_LETTER
    found: list[str] = []
    for line in reversed(lines):
        parts = [part.strip() for part in wrapped(line, columns)]
        if len(parts) > room and room < (2 if found else 1):
            break
        cut = [*parts[: room - 1], " ".join(parts[room - 1 :])[: columns - 1] + "…"]
        found.insert(0, line if len(parts) <= room else " ".join(cut))
        room -= len(parts)
    return tuple((Span(line),) for line in found)


def _ended(state: ScreenState, scene: Scene, area: Area, most: int) -> tuple[Panel, Area]:
    """Return the end of a match, and the space left above it in an area.

    Where the area is too low, it goes down to `most`: the line with the turn says no more.
    """
    lines = tuple((Span(text, style),) for style, text in table_words.ending(state, scene))
    width = min(area.width, 460)
    wanted = ENDED + text_height(map(text_of, lines), int(width * BOLD))
    height = min(wanted, area.height if wanted <= area.height else most - area.y)
    left = max(0, area.height - height)
    above = left if left >= 120 else 0
    place = Area(
        area.x + (area.width - width) // 2,
        area.y + above + (0 if above else left // 2),
        width,
        height,
    )
    return Panel("ended", "ended", place, lines=lines), replace(area, height=above)
