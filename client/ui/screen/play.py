"""The table on the full screen, as all games share it: the seats, the turn, the talk, the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from client.i18n.translation import _, letter, pgettext
from client.ui.drawing.canvas import Canvas, Piece, Rect, columns_of
from client.ui.games import screen_of, title_of, words_of
from client.ui.games.screen import Line, Scene, called, or_enter
from client.ui.model import MatchPhase
from client.ui.screen import sheets
from client.ui.screen.analysis import ANALYSE
from client.ui.screen.parts import columns_beside, foot_line, foot_top, title_line
from client.ui.screen.phrases import said
from client.ui.screen.state import DealCount, ScreenState
from client.ui.screen.table_words import (
    PLAY_AGAIN,
    TO_LOBBY,
    VOTE,
    checked,
    ending,
    hold_line,
    last_remark,
    marks,
    may_vote,
    scene_of,
    status_line,
    turn_line,
)
from client.ui.seats import machine_at, owner_at
from client.ui.wrap import wrapped
from engine.core.moves import Seat

LEAST_NAME = 5
"""Columns that a name has at least, beside any other text."""
LEAST_TABLE, SEEN_BELOW = 2, 6
"""Rows of a table below a page of a lesson: without so many it is covered, and with fewer than so
many nobody's box is drawn."""
SPEEDS = {"calm": 3, "brisk": 6, "none": 0}
"""How fast a call opens, by the motion that is set: in how many of its widths a second."""
ENDED = 6
"""Rows above the result in which the table is still drawn when a match is over."""


def draw(state: ScreenState, canvas: Canvas, shown: Sequence[tuple[str, str]] = ()) -> None:
    """Draw the table; with the keys of now, if it is not given others."""
    shown = shown or sheets.keys(state, canvas)
    if state.held:
        waits = shown or [("Enter", pgettext("key", "continue"))]
        _draw_table(as_it_stood(state), canvas, waits, waiting=hold_line(state))
    elif state.match.view is None:
        half = canvas.height // 2
        canvas.centre(canvas.rect, half, _("The first deck is being shuffled by all of you …"))
        if state.match.away:  # nobody has a box yet that could say so
            _turn(state, canvas, Rect(0, half + 2, canvas.width, 1), [])
        foot_line(canvas, shown or [("Esc", _("menu"))], state.notice)
    else:
        _draw_table(state, canvas, shown or keys(state))


def as_it_stood(state: ScreenState) -> ScreenState:
    """Return the state with the table that our player is still to see.

    Links, talk and notices are those of now.
    """
    held, now = state.held[0], state.match
    match = replace(
        held.match,
        away=now.away,
        gone=now.gone,
        leaving=now.leaving,
        late=now.late,
        accused=now.accused,
        sealed=now.sealed,
    )
    return replace(
        state,
        match=match,
        log=held.log,
        moment=None,
        picked=state.picked.back(),
        count=DealCount(),
    )


def _draw_table(
    state: ScreenState, canvas: Canvas, shown: Sequence[tuple[str, str]], waiting: Line = ()
) -> None:
    """Draw a table at which something has happened.

    `waiting` stands in the place of the turn, if the table is held.
    """
    scene, screen = scene_of(state), screen_of(state.match.game)
    title_line(canvas, title_of(state.match.game), screen.heading(scene), screen.score(scene))
    beside, page = columns_beside(canvas), sheets.rows_above(state, canvas)
    end = foot_top(canvas, shown)
    # the log gives a row to the keys, not the table
    log_top = canvas.height - (3 if canvas.height < 22 else 4 + max(0, (canvas.height - 24) // 4))
    table = Rect(0, 1, canvas.width - beside, end - 1)
    mine_rows = screen.mine_rows(scene, table.width, canvas.height)
    notice = state.busy or state.notice
    said_rows = 0 if beside or page else max(0, end - log_top)

    def parts(said: int) -> tuple[Rect, Rect, Rect, dict[Seat, Rect], Rect]:
        mine = Rect(table.x, table.bottom - said - mine_rows, table.width, mine_rows)
        turn = Rect(table.x, mine.y - 1, table.width, 1)
        # a longer page lies on the table
        above = page if turn.y - table.y - page >= LEAST_TABLE else 0
        others = Rect(table.x, table.y + above, table.width, turn.y - table.y - above)
        return mine, turn, others, *screen.places(scene, others, other_seats(scene))

    mine, turn, others, places, middle = parts(said_rows)
    needed = len(wrapped(notice, canvas.width - 2)) if notice and said_rows else 0
    # a long notice covers nothing if the table has rows to spare for it
    if needed > said_rows and (wider := parts(needed))[-1].height >= SEEN_BELOW:
        mine, turn, others, places, middle = wider
        said_rows = needed
    # the cards of the table are needed more than the others' boxes
    if page and middle.height < min(SEEN_BELOW, others.height):
        places, middle = {}, others
    for seat, place in places.items():
        _seat(state, scene, canvas, seat, place, screen.seat_in(scene, seat, place.inner()))
    # the count is read first; the line of the turn says who has won
    if state.match.phase is MatchPhase.OVER and not state.count.lines:
        middle = _ended(state, scene, canvas, middle)
    if state.match.phase is not MatchPhase.OVER or middle.height >= ENDED:
        screen.middle(scene, canvas, middle)
    _turn(state, canvas, turn, status_line(state, screen.status(scene)), waiting)
    if mine_rows:
        screen.mine(scene, canvas, mine)
    if beside:
        box = Rect(table.right, 1, beside, table.height)
        inside = canvas.box(box, "line", [("dim", _("So far"))])
        _said(state, canvas, Rect(inside.x + 1, inside.y, inside.width - 2, inside.height), notice)
    elif said_rows:
        _said(state, canvas, Rect(1, mine.bottom, canvas.width - 2, said_rows), notice)
    foot_line(canvas, shown, "" if said_rows or beside else notice)
    if state.moment and not state.count.lines:  # the count bears it as its title
        speed = SPEEDS[state.kept.settings.motion]
        opened = min(1.0, 0.4 + state.moment.age * speed) if speed else 1.0
        space = _space_for(state.moment.text, canvas, others, middle, list(places.values()))
        banner(canvas, space, state.moment.text, state.moment.style, opened)


def keys(state: ScreenState) -> list[tuple[str, str]]:
    """Return the keys that mean something now."""
    if state.looking:
        return [("Esc", _("back"))]
    if state.done:
        again = [(letter(PLAY_AGAIN), _("play again"))] if may_play_again(state) else []
        analysis = [(letter(ANALYSE), _("analysis"))] if may_analyse(state) else []
        return [*again, *analysis, (letter(TO_LOBBY), _("to the lobby")), ("Esc", _("menu"))]
    esc = ("Esc", put_back(state) or _("menu"))
    if state.proposed[0]:
        called_so = called(scene_of(state), *state.proposed)
        return [(or_enter(state.proposed[0]), called_so), ("F1", _("rules")), esc]
    hint = [("?", _("hint"))] if state.match.asked and state.match.hints != "none" else []
    talk = (
        [("F2", _("say"))]
        if state.company
        else [("F3", _(words_of(state.match.game).theirs))]
        if state.match.lesson
        else []
    )
    vote = [(letter(VOTE), _("vote"))] if may_vote(state.match) else []
    own = [item for item in _own_keys(state) if item[0] != "Esc"]
    return [*vote, *own, *hint, ("F1", _("rules")), *talk, esc]


def put_back(state: ScreenState) -> str:
    """Return what Esc does while something is picked or proposed; empty where it opens the menu."""
    if state.looking or state.done:
        return ""
    return _("put back") if state.proposed[0] else dict(_own_keys(state)).get("Esc", "")


def _own_keys(state: ScreenState) -> list[tuple[str, str]]:
    """Return the keys of the game."""
    return screen_of(state.match.game).keys(scene_of(state)) if state.match.view is not None else []


def may_play_again(state: ScreenState) -> bool:
    """Whether our player may ask for another match: nobody here still plays this one."""
    match = state.match
    return state.done and match.seat is not None and not state.busy and not match.goes_on_without_us


def may_analyse(state: ScreenState) -> bool:
    """Whether our match is over, with a log that has our choices."""
    match = state.match
    return (
        match.phase is MatchPhase.OVER
        and bool(match.log)
        and match.seat is not None
        and not (match.lesson or state.busy)
    )


def _notice(canvas: Canvas, rect: Rect, notice: str) -> int:
    """Write the latest answer at the foot of a place; return how many lines of it are taken.

    One that is longer than the place stands below the heading, over the others, because our hand
    lies above the place.
    """
    found = wrapped(notice, rect.width)
    fits = len(found) <= rect.height
    for row, line in enumerate(found, rect.bottom - len(found) if fits else 1):
        canvas.fill(Rect(rect.x - (not fits), row, rect.width + 2 * (not fits), 1), "")
        canvas.write(rect.x, row, line, "warn", rect.width)
    return len(found) if fits else 0


def other_seats(scene: Scene) -> list[Seat]:
    """Return the seats that are drawn round the table, from the one after us."""
    players = len(scene.model.players)
    first = 0 if scene.seat is None else scene.seat + 1
    order = [(first + place) % players for place in range(players)]
    return [seat for seat in order if seat != scene.seat]


def banner(canvas: Canvas, rect: Rect, text: str, style: str, opened: float) -> None:
    """Draw a call in a space of three rows or one, opened so far (from 0 to 1)."""
    width = min(rect.width, max(4, round(rect.width * opened)))
    place = Rect(rect.x + (rect.width - width) // 2, rect.y, width, rect.height)
    if rect.height == 3 and width > 4:
        canvas.box(place, style, double=True)
    canvas.centre(
        Rect(place.x + 1, place.y, max(0, width - 2), rect.height),
        place.y + rect.height // 2,
        text,
        style,
    )


def _space_for(call: str, canvas: Canvas, table: Rect, middle: Rect, boxes: Sequence[Rect]) -> Rect:
    """Return the place of a call: near the middle, where it covers least of the table.

    It has a frame if there is room.
    """
    above = [[0] * (table.width + 1)]
    for y in range(table.y, table.bottom):
        taken = [
            not canvas.is_blank(x, y) or any(box.holds(x, y) for box in boxes)
            for x in range(table.x, table.right)
        ]
        above.append(
            [
                sums + before
                for sums, before in zip(accumulate(taken, initial=0), above[-1], strict=True)
            ]
        )
    found: list[tuple[tuple[int, int, int], Rect]] = []
    for form, (height, margin) in enumerate(((3, 8), (3, 4), (1, 2))):
        width = min(table.width, columns_of(call) + margin)
        for top in range(table.height - height + 1):
            first, last = above[top], above[top + height]
            for left in range(table.width - width + 1):
                place = Rect(table.x + left, table.y + top, width, height)
                covered = last[left + width] - last[left] - first[left + width] + first[left]
                aside = abs(2 * place.x + width - 2 * middle.x - middle.width)
                away = abs(2 * place.y + height - 2 * middle.y - middle.height)
                # a row is as high as two columns are wide
                found.append(((covered, form, aside + 2 * away), place))
        if any(not covered for (covered, _form, _away), _place in found):
            break  # no smaller form covers less
    return min(found, key=lambda one: one[0])[1]


def _side_style(scene: Scene, seat: Seat) -> str:
    """Return the style of a name: among partners, that of its side."""
    game = scene.game
    if game.sides == game.players:
        return "strong"
    return "side-a" if game.side(seat) == game.side(scene.seat or 0) else "side-b"


def _seat(
    state: ScreenState, scene: Scene, canvas: Canvas, seat: Seat, place: Rect, lines: list[Line]
) -> None:
    """Draw the box of another seat: its name, its turn or absence, and the game's lines for it."""
    model = scene.model
    in_turn = seat in model.turn and not state.done
    style, sign = ("turn", "▶ ") if in_turn else (_side_style(scene, seat), "")
    signs = {"bad": " ✗ "}
    beside = [(kind, signs.get(kind, " ") + words) for kind, words in marks(state, seat)]
    title: list[Piece] = [(style, sign + str(model.names[seat])), *beside]
    if machine := machine_at(model, seat):
        words = (machine, f"@{owner_at(model, seat)}", "@")
        forms = [[*title, ("dim", f" {word}")] for word in words]
        fits = (form for form in forms if columns_of(form) <= place.width - 6)
        title, beside = next(fits, forms[-1]), [*beside, ("dim", " @")]
    narrow = columns_of(title) > place.width - 6  # then the name needs the whole edge
    if narrow:
        space = place.width - 2 - columns_of(sign) - columns_of(beside)
        title = [(style, sign + model.names.short(seat, max(space, LEAST_NAME))), *beside]
    inside = canvas.box(
        place, "turn" if in_turn else "line", "" if narrow else title, double=in_turn
    )
    if narrow:
        canvas.write(place.x + 1, place.y, title, width=place.width - 2)
    for row, line in enumerate(lines[: inside.height]):
        canvas.write(inside.x, inside.y + row, line, width=inside.width)
    if (remark := last_remark(state, seat)) is not None:
        canvas.write(
            place.x + 1,
            place.bottom - 1,
            [("wait", _("“{words}”").format(words=said(remark)))],
            width=place.width - 2,
        )


def _turn(state: ScreenState, canvas: Canvas, rect: Rect, status: Line, waiting: Line = ()) -> None:
    """Draw a line across the table with the seat in turn, and our choice so far.

    If the table is held, the line says why.
    """
    canvas.fill(rect, "line", "─")
    text = list(waiting or turn_line(state, status))
    ours = state.match.asked and not state.done and not waiting
    if ours and status and columns_of(text) > rect.width - 2:  # the decision stands there whole
        text[0] = ("turn", " ▶")
    end = canvas.write(rect.x + 1, rect.y, text, width=rect.width - 2)
    quiet = checked(state)
    if quiet and end + len(quiet) + 4 <= rect.right:
        canvas.write(rect.right - len(quiet) - 3, rect.y, [("dim", f" {quiet} ")])


def _ended(state: ScreenState, scene: Scene, canvas: Canvas, rect: Rect) -> Rect:
    """Draw the end of a match; return the space left above it."""
    lines = [
        (part, style)
        for style, line in ending(state, scene)
        for part in wrapped(line, rect.width - 4)
    ]
    width = min(rect.width, max(columns_of(line) for line, _style in lines) + 6)
    height = min(rect.height, len(lines) + 2)
    if height < 3:
        return rect
    left = rect.height - height
    above = left if left >= ENDED else left // 2
    place = Rect(rect.x + (rect.width - width) // 2, rect.y + above, width, height)
    inside = canvas.box(place, "moment", double=True)
    for row, (line, style) in enumerate(lines[: inside.height]):
        canvas.centre(
            Rect(inside.x + 1, inside.y, inside.width - 2, inside.height),
            inside.y + row,
            line,
            style,
        )
    return Rect(rect.x, rect.y, rect.width, above)


def _said(state: ScreenState, canvas: Canvas, rect: Rect, notice: str) -> None:
    """Draw the latest lines of the log, the newest below: as many as have room whole.

    A notice stands below them all, once, or over the others if it is longer than the place.
    """
    log = state.log
    if notice:
        rect = replace(rect, height=rect.height - _notice(canvas, rect, notice))
        log = log[:-1] if log[-1:] == (notice,) else log
    shown: list[tuple[str, str]] = []
    for line in reversed(log[-rect.height :] if rect.height else ()):
        parts = [
            ("dim" if shown else "", part) for part in wrapped(line, rect.width)[: rect.height]
        ]
        if len(shown) + len(parts) > rect.height:
            break
        shown = parts + shown
    for row, (style, part) in enumerate(shown, rect.y):
        canvas.write(rect.x, row, part, style, rect.width)
