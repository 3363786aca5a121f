"""The hash of heads, ids and contexts."""

from __future__ import annotations

from typing import Any

from crypto.transcript import digest

HASH = 32
"""Bytes of a hash."""


def h(label: str, *parts: Any) -> bytes:
    """Return the 32-byte domain-separated hash of parts."""
    return digest(label, *parts)[:HASH]
