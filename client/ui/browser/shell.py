"""The HTML of a page: its style and its script are inside, so that a browser asks for one file."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from pathlib import Path

from client.ui.browser.art import colours

PAGE = Path(__file__).parent / "page"


def text_of(name: str, folder: Path = PAGE) -> str:
    """Return a file of a page."""
    return (folder / name).read_text(encoding="utf-8")


def packed(style: str) -> str:
    """Return a style without its comments, and without the spaces that mean nothing in it.

    Colours that let others shine through are written shortly. No selector has a star between
    spaces; no text has two spaces, a space beside one of these signs, or a colour.
    """
    bare = " ".join(re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL).split())
    bare = (
        re.sub(r" ?([{};,>~/]) ?", r"\1", bare).replace(";}", "}").replace("transparent", "#0000")
    )
    brackets = r"(?<=\)) (?=var\(|and |or )|(?<=[\w)%]) (\*) (?=[\w(.-])"
    bare = re.sub(rf" (?=!)|(?<=[\w-]:) |{brackets}", r"\1", bare)
    return re.sub(r"rgb\((\d+) (\d+) (\d+)/([\d.]+)\)", _short, bare)


def _short(colour: re.Match[str]) -> str:
    *parts, alpha = colour.groups()
    return f"#{bytes([*map(int, parts), round(float(alpha) * 255)]).hex()}"


def scripts_of(*names: str) -> str:
    """Return scripts of a page without comments, indents, empty lines and spaces about signs.

    Within a bracket, and after a sign that goes on, no line ends. No text of theirs has lines, two
    slashes after a space, one of these signs between spaces, or a space within brackets, or after a
    comma or a colon that ends a word.
    """
    bare = re.sub(r"(^| +)//.*", "", "".join(map(text_of, names)), flags=re.MULTILINE)
    before, strict, after = bare.partition('"use strict";\n')
    bare = re.sub(r"^\s+", "", before + strict + after.replace(strict, ""), flags=re.MULTILINE)
    signs = r"(=>|[!=]?=?=|[<>+-]=|&&|\|\||\?\??|[:+*<%/]) "
    within = r"(?<=[{(\[] )|(?=[})\]])|(?<=\) )(?=\{)|(?<=if |or )(?=\()|(?<=const )(?=[{\[])"
    values = r"(?<=[\w)}\]\"], )(?=[\w({\[\"`!.-])|(?<=[\w\"]: )(?=[\w\"`({\[!.-])"
    bare = re.sub(rf" (?:{signs}|{within}|{values})", r"\1", bare)
    return re.sub(r"(?<=[;{,(\[])\n|;?\n(?=[})\]])", "", bare)


TABLES = colours.style() + "".join(
    map(text_of, ("table.css", "fields.css", "sizes.css", "player.css"))
)
OWN = {
    game: text_of(f"{name}.css")
    for game, name in (("kinaskak", "melds"), ("truco", "truco"), ("domino", "domino"))
}
"""The styles of tables, and those of games that have their own."""
LOOK = packed(text_of("look.css") + text_of("rooms.css") + TABLES + "".join(OWN.values()))
"""The styles of the live page."""
TABLE_SCRIPTS = ("base.js", "view.js", "table.js", "melds.js", "chain.js", "motion.js", "player.js")
"""The scripts of tables."""
SHARED_SCRIPT = scripts_of(*TABLE_SCRIPTS, "sound.js", "drag.js", "page.js")
"""The script of a live page, without its way in."""
SCRIPT = SHARED_SCRIPT + scripts_of("loopback.js")
"""The script of the page for browsers of this machine."""


def source(text: str) -> str:
    """Return the policy source expression for a style or script within the page.

    By it a policy lets in the style or script (CSP 3, 2.3.1).
    """
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src {script}",
        f"style-src {source(LOOK)}",
        "img-src 'self' data:",
        "connect-src 'self' ws://{host}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""The Content-Security-Policy of everything that is served, without the host and the script."""


def filled(shell: str, parts: Mapping[str, str]) -> str:
    """Return a shell with its places, `{{name}}`, filled in.

    KeyError for a place that has no part.
    """
    return re.sub(r"\{\{([a-z-]+)\}\}", lambda found: parts[found[1]], shell)


def leading_to(address: str) -> str:
    """Return a page that leads to an address at once."""
    return (
        '<!DOCTYPE html><html><head><meta charset="utf-8">'
        f'<meta http-equiv="refresh" content="0; url={escape(address)}"></head></html>'
    )


NO_ICON = '<link rel="icon" href="data:,">'


def live_page(
    language: str,
    version: str,
    words: str,
    script: str = SCRIPT,
    notice: str = "",
    head: str = NO_ICON,
) -> str:
    """Return the live page: in a language, of a version, with the words of its script as JSON.

    A notice stands in it until its script takes it away. `head` is HTML.
    """
    texts = {"lang": language, "version": version, "words": words, "notice": notice}
    texts["class"] = "away" if notice else ""
    return filled(
        text_of("index.html"),
        {name: escape(text) for name, text in texts.items()}
        | {"head": head, "style": LOOK, "icons": text_of("icons.svg"), "script": script},
    )


def headers(host: str, script: str) -> tuple[tuple[str, str], ...]:
    """Return the headers of every answer of a host whose page has this script, errors too."""
    return (
        ("content-security-policy", POLICY.format(host=host, script=source(script))),
        ("x-frame-options", "DENY"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
        ("cache-control", "no-store"),
    )
