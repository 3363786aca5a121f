"""What a player sets for good."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from client.i18n.translation import _, languages, later
from client.session.messages import Command
from client.storage.settings import COLOURS, CardSize
from client.ui.drawing.canvas import Canvas, Rect
from client.ui.drawing.style import SCHEMES
from client.ui.screen.messages import Save
from client.ui.screen.parts import Item, after, foot_line, list_items, paragraph, title_line
from client.ui.screen.state import Desk, Page

Result = tuple[Desk, tuple[Command, ...]]

FIELDS = {
    "nick": (later("Your name"), later("What the others call you. Enter: type another.")),
    "language": (later("Language"), later("Every player reads in their own; only ids travel between them.")),
    "cards": (later("Cards"), later("How large cards are drawn where there is room: as chips, small, or large.")),
    "colours": (later("Colours"), later("Letters carry every meaning; colours only help.")),
    "scheme": (later("Colour scheme"), later("The scheme for the colour-blind uses orange, blue and magenta only.")),
    "sound": (later("Bell"), later("The terminal's bell when it is your turn, and for what is worth a look up.")),
    "motion": (later("Motion"), later("Calls open over the table. Without, they stand there at once.")),
}
"""Every setting: how it is called, and what it does."""
LANGUAGES = {"": later("as the system says"), "eu": "euskara", "es": "español", "en": "English", "is": "íslenska"}
VALUES = {
    "auto": later("automatic"),
    "always": later("always"),
    "never": later("never"),
    "standard": later("standard"),
    "colour-blind": later("for the colour-blind"),
    "chip": later("chips"),
    "small": later("small"),
    "big": later("large"),
    True: later("on"),
    False: later("off"),
}


def items(desk: Desk) -> list[Item]:
    """Return the settings, with what each is set to; as our name, what we are called now."""
    now = replace(desk.settings, nick=desk.called or desk.settings.nick)
    return [Item(name, _(title), _shown(name, getattr(now, name))) for name, (title, _about) in FIELDS.items()]


def draw(desk: Desk, canvas: Canvas) -> None:
    """Draw the settings, and what the chosen one does."""
    title_line(canvas, _("Settings"), "", desk.fingerprint)
    fields = items(desk)
    wanted = desk.chosen or "nick"
    inside = canvas.box(Rect(1, 1, canvas.width - 2, len(fields) + 2))
    list_items(canvas, inside, [replace(item, about=f"◀ {item.about} ▶") for item in fields], wanted, column=20)
    paragraph(canvas, Rect(3, len(fields) + 4, canvas.width - 6, 4), _(FIELDS[wanted][1]))
    foot_line(canvas, [("↑↓", _("choose")), ("←→", _("change")), ("Esc", _("back"))], desk.notice)


def press(desk: Desk, key: str) -> Result | None:
    """Choose and change; every change is kept at once."""
    fields, wanted = items(desk), desk.chosen or "nick"
    match key:
        case "escape":
            return replace(desk, page=Page.LOBBY, chosen=""), ()
        case "up" | "down":
            return replace(desk, chosen=after(fields, wanted, 1 if key == "down" else -1)), ()
        case "enter" | "left" | "right" if wanted == "nick":
            return replace(desk, typed=desk.called or desk.settings.nick, typing="nick"), ()
        case "left" | "right" | "enter" | " ":
            return set_to(desk, wanted, _next(wanted, getattr(desk.settings, wanted), -1 if key == "left" else 1))
    return None


def set_to(desk: Desk, name: str, value: Any) -> Result:
    """Return the desk with a setting changed, and what keeps it."""
    settings = replace(desk.settings, **{name: value})
    return replace(desk, settings=settings, called="" if name == "nick" else desk.called), (Save(settings),)


def _next(name: str, now: Any, step: int) -> Any:
    values: dict[str, list[Any]] = {
        "language": ["", *(code for code in LANGUAGES if code in languages())],
        "cards": list(CardSize),
        "colours": list(COLOURS),
        "scheme": list(SCHEMES),
    }
    known = values.get(name, [True, False])
    return known[(known.index(now) + step) % len(known)] if now in known else known[0]


def _shown(name: str, value: Any) -> str:
    if name == "nick":
        return str(value)
    return _(LANGUAGES.get(value, value)) if name == "language" else _(VALUES[value])
