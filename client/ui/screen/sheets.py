"""Sheets above a page: the count, the rules, the menu, a question, help.

The match goes on behind them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from client.i18n.translation import _, keyed, keys_in_brackets, later, letter, pgettext
from client.ui.drawing.canvas import Canvas, Rect, columns_of
from client.ui.games import lesson_of, lessons, title_of, words_of
from client.ui.games.options import rules_of, title, told
from client.ui.games.screen import CHOOSE
from client.ui.games.words import GameWords, TypedMoves
from client.ui.model import Model
from client.ui.phrases import PHRASES
from client.ui.screen import analysis, phones, seating, settings
from client.ui.screen.parts import ListItem, columns_beside, list_items
from client.ui.screen.presses import about_undo
from client.ui.screen.qr import draw_code
from client.ui.screen.state import Overlay, Page, ScreenState, TypedLine
from client.ui.screen.table_words import scene_of
from client.ui.wrap import wrapped
from engine.games import GAMES

TRUST = keyed("t: trust")
"""The key on the sheet of words to compare."""
RENEW = keyed("n: another invite")
"""The key on the sheet of the invite."""
WIDEST = 76
WHOLE, END = 10_000, -1
"""Lines to either end of any sheet; a scroll counted from the last line is negative."""
TABLE_BELOW = 15
"""Rows that a page of a lesson leaves to the table and our own cards, if it can without blank
lines."""

MENU = {
    "hint": later("What would a computer player do?"),
    "rules": later("The rules in short"),
    "say": later("Say something"),
    "mute": later("Mute players"),
    "log": later("The match so far"),
    "table": later("The table in words"),
    "help": later("Moves and commands that can be typed"),
    "undo": later("Why a move stays"),
    "lesson": later("This turn, explained once more"),
    "hands": GameWords.of_others,
    "words": later("Words to compare, so that nobody sits between you"),
    "without": later("Vote to go on without a late player"),
    "browser": later("Go on in a browser window"),
    "settings": later("Settings"),
    "phones": later("Phones; a code lets one in"),
    "aside": later("Put the match aside; it goes on when all are back"),
    "rise": later("To the lobby; the match waits for you"),
    "leave": later("Leave the match for good"),
}
GOING = {
    "quit": (later("close"), later("stay")),
    "rise": (later("to the lobby"), later("stay")),
    "leave": (later("leave"), later("stay")),
    "without": (later("vote"), later("wait")),
    "close": (later("close it"), later("keep it open")),
    "abandon": (later("leave"), later("keep it")),
    "delete": (later("delete"), later("keep it")),
    "end-visitor": (later("end it"), later("keep it")),
    "delete-visitor": (later("delete"), later("keep it")),
}
"""The sheets that ask whether to go, or to go on without somebody, each with the effects of Enter
and of Esc."""
ABOVE = ("count", "lesson")
"""The sheets that lie above the middle, so that our own cards, and whose turn it is, stay in
sight."""
SCROLLED = ("text", "about", "help", "totals")
"""The sheets of text, which is scrolled where it is long."""
PARAGRAPH = f"{CHOOSE}paragraph:"
"""Before the number of a part of a page of a lesson: as a key it shows that part."""
OF_LESSONS = ("lesson", "hands")
"""The items that only a lesson has."""


NEEDED_BELOW = 10
"""Rows below a page of a lesson in which the title, the cards of the table as chips, the turn and
our own cards have room."""


def draw(state: ScreenState, canvas: Canvas) -> None:
    """Draw the sheet above the page, if there is one, and the line being typed."""
    if (overlay := shown(state)) is not None:
        _sheet(state, canvas, overlay)
    if state.typed is not None:
        _typed(state, canvas, state.typed)


def shown(state: ScreenState) -> Overlay | None:
    """Return the sheet above the page: an opened one, else the count, else a page of a lesson."""
    if state.overlay is not None and state.overlay.kind == "settings":
        return replace(state.overlay, title=settings.title())  # in the language of now
    if state.overlay is not None and state.overlay.kind in ("seats", "swap"):
        return replace(state.overlay, lines=seating.lines(state.match, state.overlay))
    if state.overlay is not None or state.held or state.page is not Page.PLAY:
        return state.overlay
    if state.count:
        # after a move of the next deal the moment belongs to that
        ended = state.moment if state.counting else None
        title = " · ".join([_("The count"), *([ended.text] if ended else [])])
        return Overlay("count", title, state.count)
    return lesson_sheet(state) if state.lesson else None


def rows_above(state: ScreenState, canvas: Canvas) -> int:
    """Return the number of rows that a page of a lesson takes, or 0 if none is read.

    The table can then be drawn below it.
    """
    overlay = shown(state)
    if overlay is None or overlay.kind != "lesson":
        return 0
    return _place(canvas, overlay, _lines(canvas, overlay), 0).bottom - 1


def choices(state: ScreenState, overlay: Overlay) -> list[ListItem]:
    """Return what can be chosen on a sheet."""
    match overlay.kind:
        case "menu":
            return [ListItem(name, _(about)) for name, about in _menu(state).items()]
        case "phrases":
            return [
                *(ListItem(name, _(text)) for name, text in PHRASES.items()),
                ListItem("talk", _("in your own words …")),
            ]
        case "learn":
            return [ListItem(name, title) for name, title in lessons().items()]
        case "mute":
            names, players = state.match.names, state.match.players
            people = [
                (seat, player.fingerprint)
                for seat, player in enumerate(players)
                if player and seat in state.company
            ]
            return [
                ListItem(
                    key, str(names[seat]), _("heard") if state.match.hears(seat) else _("not heard")
                )
                for seat, key in people
            ]
        case "words":
            return _compared(state.match, state.compared)
        case "analysis":
            return analysis.items(state)
        case "settings":
            return settings.at_a_table(state)
        case "seats" | "swap":
            return seating.items(state.match, overlay)
        case "visitor":
            return phones.choices(state)
    return []


def _compared(match: Model, of: Mapping[str, str]) -> list[ListItem]:
    """Return who sits here, whether we trust them, and the words that they must see."""
    found = []
    for seat, player in enumerate(match.players):
        if player is not None and player.fingerprint in of:
            mark = "✓" if player.trust == "trusted" else " "
            found.append(
                ListItem(player.fingerprint, f"{mark} {match.names[seat]}", of[player.fingerprint])
            )
    return found


def opened(state: ScreenState, choice: str) -> Overlay:
    """Return the sheet that an item of the menu opens."""
    match choice:
        case "log":
            return Overlay("text", _("The match so far"), state.log, scroll=END)
        case "rules":
            return rules_sheet(state.match.game, state.match.options)
        case "say":
            return Overlay("phrases", _("Say"))
        case "mute":
            return Overlay("mute", _("Mute players"))
        case "undo":
            return about_undo(state)
    return Overlay("settings")


def _menu(state: ScreenState) -> dict[str, str]:
    """Return what means something now, and how it is called."""
    match = state.match
    barred = {
        *(() if state.company else ("say", "mute", "words")),
        *(() if state.bound else ("without", "leave", "undo")),
        *(() if state.bound or (match.lesson and not state.done) else ("hint", "lesson")),
        *(() if match.lesson else OF_LESSONS),
        *(("hint",) if match.hints == "none" else ()),
        *(() if state.movable else ("browser",)),
        *(("phones",) if state.on_phone or state.busy else ()),
        *(() if match.late and match.votes_needed else ("without",)),
        *(("rise",) if state.bound and match.may_put_aside else ("aside",)),
    }
    found = {name: about for name, about in MENU.items() if name not in barred}
    if "hands" in found:
        found["hands"] = words_of(match.game).of_others
    if "without" in found and match.ends_without(*match.late):
        found["without"] = later("Vote to end the match without a late player")
    if "aside" in found and not state.company:  # nobody else has to come back
        found["aside"] = later("Put the match aside; it waits in the lobby")
    return found if state.bound else {**found, "rise": later("To the lobby")}


def keys(state: ScreenState, canvas: Canvas | None = None) -> list[tuple[str, str]]:
    """Return the keys that mean something while a sheet lies on the page; none without a sheet.

    A sheet that fits the canvas has nothing to scroll; without a canvas its size is not known.
    """
    if (overlay := shown(state)) is None:
        return []
    if overlay.kind in ("count", "alarm", "lesson"):
        return [("Enter", pgettext("key", "continue"))]
    if overlay.kind in GOING:
        go, stay = GOING[overlay.kind]
        return [("Enter", _(go)), ("Esc", _(stay))]
    if overlay.kind == "words" and state.compared:
        return [("↑↓", _("choose")), (letter(TRUST), _("trust")), ("Esc", _("back"))]
    if overlay.kind == "invite":
        return [(letter(RENEW), _("another invite")), ("Esc", _("back"))]
    if overlay.kind == "settings":
        return [("↑↓", _("choose")), ("Enter", _("change")), ("Esc", _("back"))]
    if overlay.kind == "phone":
        return phones.sheet_keys(state)
    if choices(state, overlay):
        own = [("a–z", _("in your own words …"))] if overlay.kind == "phrases" else []
        return [("↑↓", _("choose")), ("Enter", _("go")), *own, ("Esc", _("back"))]
    scrolls = overlay.kind in SCROLLED and (canvas is None or not _fits(canvas, overlay))
    return [
        *([("↑↓", _("scroll"))] if scrolls else []),
        *([(":", _("type a line"))] if overlay.kind == "help" else []),
        ("Esc", _("back")),
    ]


def _fits(canvas: Canvas, overlay: Overlay) -> bool:
    lines = _lines(canvas, overlay)
    return len(lines) <= _place(canvas, overlay, lines, 0).height - 2


def _sheet(state: ScreenState, canvas: Canvas, overlay: Overlay) -> None:
    if overlay.kind == "invite":
        draw_code(canvas, state.invite, overlay.title, picture=not state.ascii)
        return
    if overlay.kind == "phone":
        phones.draw_sheet(state, canvas)
        return
    items = choices(state, overlay)
    lines = _lines(canvas, overlay)
    place = _place(canvas, overlay, lines, len(items))
    if items and not overlay.lines:
        column, about = (
            max(columns_of(text) for text in texts)
            for texts in ([item.text for item in items], [item.about for item in items])
        )
        least = max(30, column + about + 10)
        width = min(place.width, least)
        place = replace(place, x=(canvas.width - width) // 2, width=width)
    style = "alarm" if overlay.kind == "alarm" else "strong"
    # A free column on each side: otherwise a frame of the page stands beside that of the sheet.
    canvas.fill(Rect(place.x - 1, place.y, place.width + 2, place.height), "")
    inside = canvas.box(
        place,
        style,
        [(style, overlay.title)] if overlay.title else "",
        double=overlay.kind == "alarm",
    )
    if items:
        column = max(columns_of(item.text) for item in items) + 4
        for row, line in enumerate(lines):
            canvas.write(inside.x + 1, inside.y + row, line, "", inside.width - 2)
        above = len(lines) + bool(lines)
        below = Rect(inside.x, inside.y + above, inside.width, inside.height - above)
        list_items(canvas, below, items, items[overlay.cursor % len(items)].id, column=column)
        return
    last = len(lines) - inside.height
    first = max(0, min(overlay.scroll, last) if overlay.scroll >= 0 else last + 1 + overlay.scroll)
    for row, line in enumerate(lines[first : first + inside.height]):
        canvas.write(inside.x + 1, inside.y + row, line, "", inside.width - 2)
    if first + inside.height < len(lines):
        canvas.write(place.right - 6, place.bottom - 1, " ▼ ", style)
    if first > 0:
        canvas.write(place.right - 6, place.y, " ▲ ", style)
    if overlay.kind in ("count", "alarm", "lesson"):
        canvas.write(place.x + 2, place.bottom - 1, " " + _("Enter: continue") + " ", "dim")


def _lines(canvas: Canvas, overlay: Overlay) -> list[str]:
    """Return the text of a sheet, broken for its width."""
    lines = [part for line in overlay.lines for part in wrapped(line, _width(canvas, overlay) - 4)]
    if overlay.kind == "lesson" and len(lines) > canvas.height - TABLE_BELOW:
        return [line for line in lines if line]
    return lines


def _width(canvas: Canvas, overlay: Overlay) -> int:
    return min(WIDEST, _columns(canvas, overlay) - (2 if overlay.kind == "lesson" else 4))


def _columns(canvas: Canvas, overlay: Overlay) -> int:
    """Return the columns that a sheet may cover.

    Pages of a lesson and counts leave the remarks beside the table in sight.
    """
    return canvas.width - (columns_beside(canvas) if overlay.kind in ABOVE else 0)


def _place(canvas: Canvas, overlay: Overlay, lines: list[str], items: int) -> Rect:
    """Return where a sheet with so many lines and items lies."""
    width = _width(canvas, overlay)
    height = min(canvas.height - 3, len(lines) + bool(lines and items) + items + 2)
    high = overlay.kind in ABOVE
    # a long page takes the title's row too
    top = 0 if overlay.kind == "lesson" and height > canvas.height - NEEDED_BELOW else 1
    return Rect(
        (_columns(canvas, overlay) - width) // 2,
        top if high else max(1, (canvas.height - height) // 2),
        width,
        height,
    )


def _typed(state: ScreenState, canvas: Canvas, line: TypedLine) -> None:
    y, typed = canvas.height - 1, line.text
    canvas.fill(Rect(0, y, canvas.width, 1), "typed")
    if wish := state.notice or entry_hint(state, line):
        asked = wrapped(wish, canvas.width - 2)
        for row, words in enumerate(asked, y - len(asked)):
            canvas.fill(Rect(0, row, canvas.width, 1), "foot")
            canvas.write(1, row, words, "foot", canvas.width - 2)
    x = canvas.write(1, y, entry_label(state, line), "key")
    space = canvas.width - x - 2
    at, style = max(0, len(typed) - line.caret), "choice" if line.prefilled and typed else "typed"
    first = min(at, max(0, len(typed) - space))
    x = canvas.write(x, y, typed[first:at], style)
    x = canvas.write(x, y, typed[at : at + 1] or " ", "cursor")
    canvas.write(x, y, typed[at + 1 :], style, canvas.width - x)


def entry_label(state: ScreenState, line: TypedLine) -> str:
    """Return what stands before the line being typed."""
    asks = {
        "move": "> ",
        "talk": _("Say: "),
        "nick": _("Your name: "),
        "first-nick": _("Your name: "),
        "table": _("Name of the table: "),
        "join": _("Invite: ") if state.on_phone else _("Address or invite: "),
        "visitor": _("Name of the player: "),
    }
    return asks[line.kind]


def entry_hint(state: ScreenState, line: TypedLine) -> str:
    """Return the sentence above the line being typed, if it needs one.

    It explains a name, or names the mistake in an address or an invite.
    """
    if line.kind == "first-nick" and state.on_phone:
        return _("The others see this name.")
    if line.kind == "first-nick":
        return keys_in_brackets(_("The others see this name. Type another, or keep it (Enter)."))
    return state.notice if line.kind == "join" else ""


def rules_sheet(game: str, options: Mapping[str, Any] | None = None) -> Overlay:
    """Return the rules of a game to be read, one turn first, step by step.

    The options of the table follow, if there is a table.

    No line shows what the plain interface takes.
    """
    turn = [
        keys_in_brackets(_("One turn (with the keys in brackets):")),
        *(f"  {keys_in_brackets(step)}" for step in lesson_of(game, options).one_turn()),
        "",
    ]
    if options:
        turn += [_("At this table:"), *(f"  {line}" for line in told(game, options)), ""]
    rules = [line for line in rules_of(game, options) if not isinstance(line, TypedMoves)]
    lines = [
        part
        for line in rules
        for part in (named(line, game), *([""] if not line.startswith("  ") else []))
    ]
    return Overlay("text", title_of(game), (*turn, *lines), game=game, options=options)


def named(line: str, game: str) -> str:
    """Return a line of the rules with options called as in the form, where they are changed."""
    for option in GAMES[game].choices:
        line = line.replace(f"`{option}`", _("“{words}”").format(words=title(game, option)))
    return line


def lesson_sheet(state: ScreenState) -> Overlay:
    """Return the page of the lesson that is to be read now."""
    return Overlay(
        "lesson", _("Lesson"), tuple(part for line in state.lesson[0] for part in ("", line))[1:]
    )


def with_lesson_page(state: ScreenState) -> ScreenState:
    """Return the state with the page of our turn once more, and with nothing picked.

    The keys that the page names begin there.
    """
    state = replace(state, picked=state.picked.back(), proposed=("", ""))
    page = lesson_of(state.match.game, state.match.options).page(state.match, scene_of(state))
    return replace(state, lesson=(*state.lesson, tuple(page)))


def moved(state: ScreenState, overlay: Overlay, by: int) -> Overlay:
    """Return a sheet scrolled, or with another item chosen."""
    items = choices(state, overlay)
    if items:
        step = 1 if by > 0 else -1
        edge = len(items) - 1 if by > 0 else 0
        cursor = edge if abs(by) == WHOLE else (overlay.cursor + step) % len(items)
        return (
            analysis.sheet(state, cursor)
            if overlay.kind == "analysis"
            else replace(overlay, cursor=cursor)
        )
    if abs(by) == WHOLE:
        return replace(overlay, scroll=END if by > 0 else 0)
    if overlay.scroll < 0:
        return replace(overlay, scroll=min(END, overlay.scroll + by))
    return replace(overlay, scroll=max(0, min(overlay.scroll + by, 4 * len(overlay.lines))))
