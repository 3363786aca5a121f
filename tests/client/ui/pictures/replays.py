"""A page of a match, taken apart: its state after each step, and pages that somebody has
changed."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any


def packed(data: bytes, level: int = 9) -> str:
    return base64.b64encode(zlib.compress(data, level)).decode()


def part(page: bytes, name: str) -> bytes:
    """Return a packed part of a page, unpacked."""
    found = re.search(rf'<script type="text/plain" id="{name}">([^<]*)</script>', page.decode())
    assert found is not None
    return zlib.decompress(base64.b64decode(found[1]))


def with_part(page: bytes, name: str, text: str) -> bytes:
    """Return a page with another packed part."""
    head = f'<script type="text/plain" id="{name}">'
    before, _head, rest = page.decode().partition(head)
    return f"{before}{head}{text}</script>{rest.partition('</script>')[2]}".encode()


def data_of(page: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(part(page, "data"))
    return found


def steps_of(page: bytes, layout: int = 0) -> list[dict[str, dict[str, Any]]]:
    """Return the pieces that lie on the table after each step, by id."""
    found: list[dict[str, dict[str, Any]]] = []
    pieces: dict[str, dict[str, Any]] = {}
    for step in data_of(page)["layouts"][layout]["steps"]:
        pieces = {name: piece for name, piece in pieces.items() if name not in step.get("gone", [])}
        pieces |= {piece["id"]: piece for piece in step.get("pieces", [])}
        found.append(pieces)
    return found
