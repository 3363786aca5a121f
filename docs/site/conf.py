"""How Sphinx makes a site of the documents (`scripts/site`)."""

from __future__ import annotations

from typing import Any

project = "Sobremesa"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["site", "share"]
html_theme = "alabaster"
html_title = "Sobremesa"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {"description": "cards and dominoes with the people in the same building"}
html_copy_source = False
html_show_copyright = False
highlight_language = "none"
myst_heading_anchors = 4
"""Links to headings are checked, as those to pages are."""
myst_links_external_new_tab = False
language = "en"
TRANSLATED = ("es", "eu", "is")
"""The folders of pages in other languages, named by these."""


def name_language(
    _app: Any, page: str, _template: str, context: dict[str, Any], _doctree: Any
) -> None:
    """Let `<html lang>` of a page be its language, so that screen readers speak it."""
    folder = page.partition("/")[0]
    if folder in TRANSLATED:
        context["language"] = folder


def setup(app: Any) -> None:
    """Connect this file to Sphinx."""
    app.connect("html-page-context", name_language)
