"""What lies above a page until it is put away: the count, the rules, the menu, a question, help. Nothing waits for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from client.desk import Desk, Overlay, Page
from client.games import words_of
from client.phrases import PHRASES
from client.plain import wrapped
from client.screens.canvas import Canvas, Rect
from client.words import _, later

WIDEST = 76


def draw(desk: Desk, canvas: Canvas) -> None:
    """Draw the sheet above the page, if there is one, and the line being typed."""
    if desk.overlay is not None:
        _sheet(canvas, desk.overlay)
    elif desk.count and desk.page is Page.PLAY:
        _sheet(canvas, Overlay("count", _("The count"), desk.count))
    if desk.typed is not None:
        y = canvas.height - 1
        canvas.fill(Rect(0, y, canvas.width, 1), "typed")
        x = canvas.write(1, y, [("key", "> "), ("typed", desk.typed[-(canvas.width - 6) :])])
        canvas.write(x, y, " ", "cursor")


def choices(overlay: Overlay) -> Sequence[tuple[str, str]]:
    """Return what can be chosen on a sheet: ids, and what stands there."""
    if overlay.kind == "menu":
        return [(name, _(about)) for name, about in MENU.items()]
    if overlay.kind == "phrases":
        return [(name, _(text)) for name, text in PHRASES.items()]
    return ()


def _sheet(canvas: Canvas, overlay: Overlay) -> None:
    listed = choices(overlay)
    width = min(WIDEST, canvas.width - 4)
    lines = [text for _name, text in listed] or [part for line in overlay.lines for part in wrapped(line, width - 4)]
    if listed:
        width = max(24, *(len(line) + 6 for line in lines))
    height = min(canvas.height - 4, len(lines) + 2)
    place = Rect((canvas.width - width) // 2, max(1, (canvas.height - height) // 2), width, height)
    style = "alarm" if overlay.kind == "alarm" else "strong"
    inside = canvas.box(place, style, [("strong", overlay.title)] if overlay.title else "", double=overlay.kind == "alarm")
    first = max(0, min(overlay.scroll, len(lines) - inside.height))
    if listed:
        first = max(0, min(overlay.cursor - inside.height + 1, len(lines) - inside.height))
    for row, line in enumerate(lines[first : first + inside.height]):
        chosen = listed and first + row == overlay.cursor
        canvas.write(inside.x + 1, inside.y + row, line, "choice" if chosen else "", inside.width - 2)
    if first + inside.height < len(lines):
        canvas.write(place.right - 6, place.bottom - 1, " ▼ ", style)
    if first > 0:
        canvas.write(place.right - 6, place.y, " ▲ ", style)


def rules_sheet(game: str) -> Overlay:
    """Return the rules of a game to be read."""
    words = words_of(game)
    lines = [part for paragraph in words.rules() for part in (paragraph, *([""] if not paragraph.startswith("  ") else []))]
    return Overlay("text", words.title, tuple(lines))


def moved(overlay: Overlay, by: int) -> Overlay:
    """Return a sheet scrolled, or with another item chosen."""
    listed = choices(overlay)
    if listed:
        return replace(overlay, cursor=(overlay.cursor + by) % len(listed))
    return replace(overlay, scroll=max(0, min(overlay.scroll + by, 2 * len(overlay.lines))))


MENU = {
    "hint": later("What would a computer player do?"),
    "rules": later("The rules in short"),
    "say": later("Say something"),
    "log": later("What happened so far"),
    "table": later("The table in words"),
    "help": later("Moves and commands that can be typed"),
    "words": later("Words to compare, so that nobody sits between you"),
    "without": later("Go on without who is late"),
    "leave": later("Leave the match for good"),
    "quit": later("Close the window; the match waits for you"),
}
