"""The page of a phone: that of a browser of this machine, with another way in."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256

from client.ui.browser.shell import SHARED_SCRIPT, live_page, text_of
from client.ui.phone.words import sentences, too_old

SCRIPT = SHARED_SCRIPT + "".join(map(text_of, ("ciphers.js", "sealed.js", "phone.js")))


def phone_page() -> str:
    """Return the page. It is the same for all phones, and chooses its language itself."""
    return _page(files().hex())


@cache
def files() -> bytes:
    """Return the hash of the page, of 32 bytes: the page knows it, and compares."""
    return sha256(_page("").encode()).digest()


@cache
def _page(version: str) -> str:
    return live_page("", version, json.dumps(sentences()), SCRIPT, too_old())
