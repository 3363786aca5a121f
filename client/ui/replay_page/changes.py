"""The differences between two steps of a page, as data that its script applies."""

from __future__ import annotations

from typing import Any

from client.ui.replay_page.merge import HERE

PARTS, GONE, VALUE = "~", "-", "="
"""The keys of a change: of the parts that differ, of the names that went, or of another value."""


def change(before: Any, now: Any) -> dict[str, Any] | None:
    """Return how one value comes of another; None if they are equal."""
    if before == now:
        return None
    if _has_parts(before) and _has_parts(now):
        names = [name for name in now if name in before]
        parts = {name: found for name in names if (found := change(before[name], now[name]))}
        parts |= {name: {VALUE: value} for name, value in now.items() if name not in before}
        gone = [name for name in before if name not in now]
        return {PARTS: parts, **({GONE: gone} if gone else {})}
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = enumerate(zip(before, now, strict=True))
        return {PARTS: {place: found for place, pair in pairs if (found := change(*pair))}}
    return {VALUE: now}


def _has_parts(value: Any) -> bool:
    """Return whether a value is an object with names; a row of texts is one whole."""
    return isinstance(value, dict) and HERE not in value
