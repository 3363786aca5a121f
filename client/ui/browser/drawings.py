"""The drawings of cards and tiles by their paths, with the letters of a reader in the corners."""

from __future__ import annotations

from functools import cache

from client.i18n.translation import languages, speaking
from client.ui.browser.art import KINDS, symbols

ART = {
    f"/art/{language}/{kind}.svg": (language, kind) for language in languages() for kind in KINDS
}
"""Languages and kinds by their paths."""


@cache  # a stranger who asks for them again and again costs nothing
def drawn(path: str) -> str:
    """Return the drawings of a path of ours."""
    language, kind = ART[path]
    with speaking(language):
        return symbols(kind)
