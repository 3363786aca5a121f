"""The keys that a hint of the full screen names."""

from __future__ import annotations

import re

NAMES = {"Enter": "enter", "Tab": "tab", "Space": " ", "←": "left", "→": "right"}
SENT = {"enter": "\r", "tab": "\t", "left": "\x1b[D", "right": "\x1b[C"}


def keys_of(hint: str) -> list[str]:
    """Return the keys of `7o (2), then play (Enter)` or `9♥ (3× →), then throw away (x)`, as the
    terminal names them."""
    found: list[str] = []
    for part in ", ".join(re.findall(r"\(([^()]+)\)", hint.replace("\u00a0", " "))).split(", "):
        count, key = re.fullmatch(r"(?:(\d+)× )?(.+)", part).groups()
        found += [NAMES.get(key, key)] * int(count or 1)
    return found


def sent(hint: str) -> list[str]:
    """Return these keys as a terminal sends them."""
    return [SENT.get(key, key) for key in keys_of(hint)]
