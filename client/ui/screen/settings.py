"""The page of the settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from client.i18n.translation import _, languages, later
from client.storage.nicks import fit_nick
from client.storage.settings import COLOURS, MOTIONS, PRESSES, THEMES, CardSize
from client.ui.drawing.canvas import Canvas, Rect
from client.ui.drawing.style import SCHEMES
from client.ui.screen.messages import Save
from client.ui.screen.parts import ListItem, along, foot_line, list_items, paragraph, title_line
from client.ui.screen.state import Overlay, Page, Result, ScreenState, TypedLine

FIELDS = {
    "nick": (later("Your name"), later("How the others see you.")),
    "language": (
        later("Language"),
        later("Every player reads in their own."),
    ),
    "cards": (
        later("Cards"),
        later("How large cards are drawn where there is room: as chips, small, or large."),
    ),
    "presses": (
        later("Making a move"),
        later(
            "With two presses or clicks the first shows the move, and the second makes it; with a "
            "pause, no sooner than a moment later. A move cannot be taken back."
        ),
    ),
    "colours": (later("Colours"), later("Letters carry every meaning; colours only help.")),
    "scheme": (
        later("Colour scheme"),
        later("The scheme for the colour-blind uses orange, blue and magenta only."),
    ),
    "sound": (
        later("Bell"),
        later(
            "The terminal's bell at important events; when it is your turn also a notice, where it "
            "can show one."
        ),
    ),
    "motion": (
        later("Motion"),
        later("How fast things move on the table. Without motion they are there at once."),
    ),
    "theme": (later("Appearance"), later("Light, dark, or the same as the system.")),
    "large_letters": (later("Large letters"), later("Words become larger everywhere.")),
    "large_cards": (
        later("Large cards"),
        later("Cards first: where there is room, names and piles become smaller."),
    ),
    "four_colours": (
        later("A colour for each suit"),
        later(
            "Hearts red, diamonds blue, clubs green, spades black; the Spanish suits in tints that "
            "differ more."
        ),
    ),
}
"""Every setting: its name and its explanation."""
TERMINAL = ("nick", "language", "presses", "cards", "colours", "scheme", "sound", "motion")
"""The settings that have an effect in a terminal."""
SIGHT = ("large_letters", "large_cards", "four_colours", "theme", "scheme")
"""The settings that change how a browser shows things."""
LANGUAGES = {
    "": later("system language"),
    "eu": "euskara",
    "es": "español",
    "en": "English",
    "is": "íslenska",
}
VALUES = {
    "auto": later("automatic"),
    "always": later("always"),
    "never": later("never"),
    "standard": later("standard"),
    "colour-blind": later("for the colour-blind"),
    "chip": later("chips"),
    "small": later("small"),
    "big": later("large"),
    "system": later("like the system"),
    "light": later("light"),
    "dark": later("dark"),
    "calm": later("calm"),
    "brisk": later("brisk"),
    "none": later("at once"),
    "one": later("one press"),
    "two": later("two presses"),
    "pause": later("two, with a pause"),
    True: later("on"),
    False: later("off"),
}


class SettingsSheet(Overlay):
    """The settings that can be changed at a table: the others know us by our nick."""

    NAME = "settings"

    def items(self, state: ScreenState) -> list[ListItem]:
        return [item for item in items(state) if item.id != "nick"]

    def now(self, state: ScreenState) -> Overlay:
        return replace(self, title=title())

    def keys(self, state: ScreenState, *, fits: bool) -> list[tuple[str, str]]:
        """Return the keys: Enter changes, and the sheet stays."""
        return [("↑↓", _("choose")), ("Enter", _("change")), ("Esc", _("back"))]

    def chosen(self, state: ScreenState, choice: str) -> Result:
        return changed(replace(state, overlay=self), choice)


def items(state: ScreenState) -> list[ListItem]:
    """Return the settings with their values; our nick as it is now."""
    now = replace(state.kept.settings, nick=state.kept.nick)
    return [
        ListItem(name, _(title), value_text(name, getattr(now, name)))
        for name in TERMINAL
        for title, _about in [FIELDS[name]]
    ]


def draw(state: ScreenState, canvas: Canvas) -> None:
    """Draw the settings, and the effect of the chosen one."""
    title_line(canvas, title(), "", state.kept.fingerprint)
    fields = items(state)
    wanted = state.chosen or "nick"
    inside = canvas.box(Rect(1, 1, canvas.width - 2, len(fields) + 2))
    list_items(
        canvas,
        inside,
        [replace(item, about=f"◀ {item.about} ▶") for item in fields],
        wanted,
        column=20,
    )
    paragraph(canvas, Rect(3, len(fields) + 4, canvas.width - 6, 4), explanation(wanted))
    foot_line(canvas, keys(state), state.notice)


def explanation(name: str) -> str:
    """Return the effect of a setting."""
    return _(FIELDS[name][1])


def title() -> str:
    """Return what stands above the page."""
    return _("Settings")


def keys(state: ScreenState) -> list[tuple[str, str]]:
    """Return the keys that mean something now."""
    change = "Enter" if (state.chosen or "nick") == "nick" else "←→"
    return [("↑↓", _("choose")), (change, _("change")), ("Esc", _("back"))]


def press(state: ScreenState, key: str) -> Result | None:
    """Choose and change; every change is kept at once."""
    fields, wanted = items(state), state.chosen or "nick"
    if reached := along(fields, wanted, key):
        return replace(state, chosen=reached), ()
    match key:
        case "escape":
            return replace(state, page=Page.LOBBY, chosen="settings"), ()
        case "enter" | "left" | "right" if wanted == "nick":
            return replace(state, typed=TypedLine("nick", state.kept.nick, prefilled=True)), ()
        case "left" | "right" | "enter" | " ":
            return changed(state, wanted, -1 if key == "left" else 1)
    return None


def changed(state: ScreenState, name: str, step: int = 1) -> Result:
    """Return the state with the value of a setting so far from that of now, and the command."""
    return set_to(state, name, _next(name, getattr(state.kept.settings, name), step))


def set_to(state: ScreenState, name: str, value: Any) -> Result:
    """Return the state with a setting changed, and the command that saves it."""
    settings = replace(state.kept.settings, **{name: value})
    if name == "nick":
        state = replace(state, kept=replace(state.kept, called="", unnamed=False))
    return replace(state, kept=replace(state.kept, settings=settings)), (Save(settings),)


def _next(name: str, now: Any, step: int) -> Any:
    known = values_of(name)
    return known[(known.index(now) + step) % len(known)] if now in known else known[0]


def values_of(name: str) -> list[Any]:
    """Return the values that a setting can have; our nick is typed."""
    values: dict[str, list[Any]] = {
        "language": ["", *(code for code in LANGUAGES if code in languages())],
        "cards": list(CardSize),
        "colours": list(COLOURS),
        "scheme": list(SCHEMES),
        "motion": list(MOTIONS),
        "presses": list(PRESSES),
        "theme": list(THEMES),
    }
    return values.get(name, [True, False])


def set_field(state: ScreenState, name: str, value: str | bool | int) -> Result:
    """Set a setting to a value that it can have."""
    if name == "nick":
        nick = fit_nick(value) if isinstance(value, str) else ""
        return set_to(state, name, nick) if nick else (state, ())
    known = values_of(name) if name in FIELDS else []
    if not any(type(one) is type(value) and one == value for one in known):
        return state, ()
    return set_to(state, name, value)


def value_text(name: str, value: Any) -> str:
    """Return a value of a setting in words."""
    if name == "nick":
        return str(value)
    return _(LANGUAGES.get(value, value)) if name == "language" else _(VALUES[value])
