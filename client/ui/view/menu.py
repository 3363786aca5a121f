"""The menu of a table as a view: its items in groups, each with its consequence."""

from __future__ import annotations

from collections.abc import Sequence

from client.i18n.translation import _, later, pgettext
from client.ui.plain.filling import cost_of_leaving
from client.ui.screen.parts import capital
from client.ui.screen.state import ScreenState
from client.ui.view.parts import Item, Section

GROUPS = {
    "help": ("hint", "rules", "table", "undo", "lesson", "hands"),
    "talk": ("say", "mute", "words"),
    "window": ("settings", "phones"),
    "match": ("log", "without", "aside", "rise", "leave"),
}
"""The items of each group, in the order of a page."""
NAMES = {
    "table": later("Read the table as text"),
    "undo": later("Why can't I undo a move?"),
    "words": later("Check that nobody listens in"),
}
"""The items that are called otherwise than on the full screen."""
ABOUT = {
    "hint": later("It only suggests: nothing is played"),
    "rules": later("First one turn, then the whole game"),
    "table": later("All that lies there, in words"),
    "undo": later("And why a wrong tap does no harm"),
    "say": later("The others see it at once"),
    "mute": later("You no longer see what they say"),
    "words": later("Compare a few words with each person"),
    "settings": later("Language, cards, letters, motion"),
    "log": later("Every move, the newest last"),
    "without": later("It counts when enough others vote too"),
}
"""The consequences of items whose words do not say them."""
ICONS = {
    "hint": "lamp",
    "undo": "help",
    "rules": "book",
    "say": "chat",
    "mute": "people",
    "log": "clock",
    "table": "menu",
    "lesson": "book",
    "hands": "eye",
    "words": "check",
    "settings": "gear",
    "phones": "phone",
    "aside": "pause",
    "rise": "back",
    "leave": "close",
    "code": "phone",
    "rename": "person",
    "end": "pause",
    "delete": "close",
}
"""The icons of items, of this menu and of that of a phone."""


def titled(state: ScreenState, item: str, words: str) -> tuple[str, tuple[str, ...]]:
    """Return the name of an item, and its consequence."""
    name, _mark, then = words.partition("; ")
    if item == "leave":
        return name, (cost_of_leaving(state.match),)
    about = capital(then) or (_(ABOUT[item]) if item in ABOUT else "")
    return _(NAMES[item]) if item in NAMES else name, (about,) if about else ()


def sections(items: Sequence[Item]) -> tuple[Section, ...]:
    """Return the items in their groups."""
    phones = any(one.id == "sheet:phones" for one in items)
    titles = {
        "help": _("Help"),
        "talk": _("Talk"),
        "window": _("This machine") if phones else _("This window"),
        "match": pgettext("menu", "Match"),
    }
    found = {
        group: tuple(
            one for name in names for one in items if one.id.removeprefix("sheet:") == name
        )
        for group, names in GROUPS.items()
    }
    return tuple(
        Section(group, titles[group], items=items) for group, items in found.items() if items
    )
