"""The style and the scripts of a page as they are served: shorter, and the same."""

from __future__ import annotations

import re

import pytest

from client.ui.browser import art
from client.ui.browser.shell import LOOK, PAGE, TABLES, packed, scripts_of


def test_a_style_loses_only_spaces_that_mean_nothing():
    style = """
    /* a comment */
    a > b ~ c, d + e f {
      inset: 1px / 2px; color: rgb(0 16 255 / .4); width: calc(100% - 2 * var(--a));
      > * + * { content: "+"; background: transparent; margin: var(--b) var(--c) -1px; }
    }
    @media (width > 1px) and (height > 1px) { :is(a) b { color: rgb(0 0 0); } }
    """
    assert packed(style).strip() == (
        "a>b~c,d + e f{inset:1px/2px;color:#0010ff66;width:calc(100% - 2*var(--a));"
        '>* + *{content:"+";background:#0000;margin:var(--b)var(--c) -1px}}'
        "@media (width>1px)and (height>1px){:is(a) b{color:rgb(0 0 0)}}"
    )


def test_no_selector_has_a_star_between_spaces_and_no_text_a_colour():
    for path in PAGE.glob("*.css"):
        style = path.read_text(encoding="utf-8")
        assert not re.search(r"[\w)] \* [\w.(-][^;{}()]*\{", style), path.name
        told = " ".join(re.findall(r'"([^"]*)"', style))
        assert not re.search(r"transparent|rgb\(", told), path.name


def texts(script: str) -> list[str]:
    """Return the texts of a script, those of templates without the code in them."""
    found, within = [""], [""]
    for sign in re.findall(r"\\.|\$\{|.", script, re.DOTALL):
        quoted = within[-1] in ('"', "`")
        if sign == within[-1] or (sign == "}" and within[-1] == "${"):
            within.pop()
            found.append("")
        elif (sign in ('"', "`") and not quoted) or (sign == "${" and within[-1] == "`"):
            within.append(sign)
            found.append("")
        elif quoted:
            found[-1] += sign
        elif sign == "{":
            within.append("}")
    return [text for text in found if text]


@pytest.mark.parametrize("script", sorted(path.name for path in PAGE.glob("*.js")))
def test_a_script_keeps_its_texts(script):
    written = (PAGE / script).read_text(encoding="utf-8")
    bare = re.sub(r"(^| +)//.*", "", written, flags=re.MULTILINE)
    assert texts(bare) == texts(scripts_of(script))
    assert len(scripts_of(script)) < len(bare)
    assert not re.search(r"[({\[] | [)}\]]|\) \{|\bif \(", scripts_of(script))
    assert not re.search(r"[{;,(\[]\n|\n[})\]]", scripts_of(script)), "a line that need not end"


def test_scripts_together_are_strict_once():
    assert scripts_of("base.js", "view.js", "table.js").count('"use strict"') == 1


@pytest.mark.parametrize("script", sorted(path.name for path in PAGE.glob("*.js")))
def test_a_script_loses_its_comments_and_no_text(script):
    assert not re.search(r"(^| )//", scripts_of(script), re.MULTILINE)
    for line in (PAGE / script).read_text(encoding="utf-8").splitlines():
        code = re.sub(r'"[^"]*"|`[^`]*`', lambda quoted: "x" * len(quoted[0]), line)
        if not line.lstrip().startswith("//"):
            assert line.find(" //") == code.find(" //"), "no text has two slashes after a space"


@pytest.mark.parametrize("kind", art.KINDS)
@pytest.mark.parametrize("style", [LOOK, packed(TABLES)], ids=["live", "replay"])
def test_every_colour_of_the_drawings_is_set_by_the_style_of_the_page(kind, style):
    used = set(re.findall(r"var\(--([\w-]+)\)", art.symbols(kind)))
    assert used
    assert used <= set(re.findall(r"[{;]--([\w-]+):#", style))
