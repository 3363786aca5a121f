"""A page of a match, taken apart: its view after each step, and pages that somebody has changed."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from typing import Any

from client.ui.replay_page import dense
from client.ui.replay_page.changes import GONE, PARTS, VALUE

DENSE = '<script type="text/plain" class="dense" id="{}">'
PICTURED = '<script type="text/plain" id="{}">'
"""Before a part of a page of views, and before one of pictures, which is base64."""


def packed(data: bytes, level: int = 9, *, pictured: bool = False) -> str:
    stream = zlib.compress(data, level)
    return base64.b64encode(stream).decode() if pictured else dense.spelled(stream)


def part(page: bytes, name: str) -> bytes:
    """Return a packed part of a page, unpacked; one of pictures has base64."""
    found = re.search(
        rf'<script type="text/plain"( class="dense")? id="{name}">([^<]*)</script>', page.decode()
    )
    assert found is not None
    return zlib.decompress(dense.read(found[2]) if found[1] else base64.b64decode(found[2]))


def with_part(page: bytes, name: str, text: str) -> bytes:
    """Return a page with another packed part."""
    whole = page.decode()
    head = next(one for one in (DENSE.format(name), PICTURED.format(name)) if one in whole)
    before, _head, rest = whole.partition(head)
    return f"{before}{head}{text}</script>{rest.partition('</script>')[2]}".encode()


def data_of(page: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(part(page, "data"))
    return found


def changed(value: Any, how: dict[str, Any]) -> Any:
    """Return a value after a change, as the script of the page does."""
    if VALUE in how:
        return how[VALUE]
    if isinstance(value, list):
        parts = {int(place): found for place, found in how.get(PARTS, {}).items()}
        return [
            changed(one, parts[place]) if place in parts else one for place, one in enumerate(value)
        ]
    kept = {name: one for name, one in value.items() if name not in how.get(GONE, ())}
    return kept | {name: changed(kept.get(name), one) for name, one in how.get(PARTS, {}).items()}


def steps_of(page: bytes) -> list[dict[str, Any]]:
    """Return the view after each step."""
    view: dict[str, Any] = {}
    found = []
    for how in data_of(page)["steps"]:
        view = changed(view, how)
        found.append(view)
    return found


def cards_of(part: Any) -> Iterator[dict[str, Any]]:
    """Yield every card that lies in a part of a view."""
    if isinstance(part, dict):
        if str(part.get("id", "")).startswith("slot:"):
            yield part
        part = list(part.values())
    for one in part if isinstance(part, list) else ():
        yield from cards_of(one)
