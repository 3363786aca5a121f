"""The buttons of a picture, made from the pairs of keys and effects in the last line.

The last line is that of the full screen. A pair has one key, or several.

**The rule.** A pair gives a button for each of its keys, but none for

1. keys that something drawn presses already: a row of a list that goes where `Enter` would go, the
   two buttons of a setting that do what `←→` does;
2. keys that only move a cursor: `↑↓`, and `←→` as one word, for a click chooses the thing itself.
   Where there is no cursor, as in a match that is stepped through, `←→` gives two buttons. `←` and
   `→` in pairs of their own are two actions, and buttons;
3. one of two keys that do the same: of a card and Enter (`1/Enter`) the card has none. A letter and
   Enter (`m/Enter`) confirm the action that the letter's button has proposed, so this button stays
   and is named Enter;
4. keys that pick or type: digits, ranges (`1-9`, `a-z`), and several letters in one pair (`a b c`,
   the cards of a table).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from client.ui.drawing.picture import Control, Panel

NAMES = {
    "Enter": "enter",
    "Esc": "escape",
    "Tab": "tab",
    "Space": " ",
    "←": "left",
    "→": "right",
    "↑": "up",
    "↓": "down",
    "PgUp": "pageup",
    "PgDn": "pagedown",
    "Home": "home",
    "End": "end",
    **{f"F{number}": f"f{number}" for number in range(1, 13)},
}
"""The keys with names, as the last line shows them, and as client.ui.screen.messages calls them."""
ARROWS = ("↑↓", "←→")
RANGE = re.compile(r"\w[-–]\w")


def controls(
    pairs: Iterable[tuple[str, str]], drawn: Collection[str] = (), *, cursor: bool = True
) -> tuple[Control, ...]:
    """Return the buttons of pairs of keys and effects, by the rule above.

    `drawn` are the keys that something drawn presses; `cursor`: whether `←→` moves one.
    """
    found: dict[str, Control] = {}
    for shown, label in pairs:
        for name, key in _keys(shown, cursor=cursor):
            if key not in drawn:
                found.setdefault(key, Control(f"key:{key}", name, label, (key,)))
    return tuple(found.values())


def pressed(panels: Iterable[Panel]) -> frozenset[str]:
    """Return the keys that a click on something drawn presses in the end."""
    keys = (
        part for panel in panels for row in panel.rows for part in (row.keys, row.less, row.more)
    )
    return frozenset(part[-1] for part in keys if part)


def _keys(shown: str, *, cursor: bool) -> list[tuple[str, str]]:
    """Return the keys of a pair that have a button: as they are shown, and as they are pressed."""
    if shown in ARROWS:
        return [] if cursor else [(arrow, NAMES[arrow]) for arrow in shown]
    found = []
    for word in shown.split():
        other, _slash, name = word.rpartition("/")
        key = name if not other or other.isdecimal() else other
        if not name.isdecimal() and not RANGE.fullmatch(name):
            found.append((name, NAMES.get(key, key)))
    letters = [name for name, _key in found if len(name) == 1 and name.isalpha()]
    return [] if len(letters) > 1 else found
