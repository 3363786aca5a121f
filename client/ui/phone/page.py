"""The page of a phone: that of a browser of this machine, with another way in."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256

from client.ui.browser.shell import PAGE, SHARED_SCRIPT, live_page, scripts_of
from client.ui.phone.words import sentences, too_old

ICON = "/apple-touch-icon.png"
"""The picture of the page on a home screen. Some phones look for it at this path."""
HEAD = f"""<meta name="application-name" content="Sobremesa">
<meta name="apple-mobile-web-app-title" content="Sobremesa">
<link rel="icon" type="image/png" sizes="180x180" href="{ICON}">
<link rel="apple-touch-icon" sizes="180x180" href="{ICON}">"""
SCRIPT = SHARED_SCRIPT + scripts_of("ciphers.js", "sealed.js", "phone.js")


def phone_page() -> str:
    """Return the page. It is the same for all phones, and chooses its language itself."""
    return _page(files().hex())


@cache
def files() -> bytes:
    """Return the hash of the page, of 32 bytes: the page knows it, and compares."""
    return sha256(_page("").encode()).digest()


@cache
def _page(version: str) -> str:
    return live_page("", version, json.dumps(sentences()), SCRIPT, too_old(), HEAD)


@cache
def icon() -> bytes:
    """Return the picture of the page on a home screen, 180 pixels square (`docs.make_icon`)."""
    return (PAGE / "icon.png").read_bytes()
