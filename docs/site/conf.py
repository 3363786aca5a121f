"""How Sphinx makes a site of the documents (`scripts/site`)."""

from __future__ import annotations

project = "Sobremesa"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["site", "share"]
html_theme = "alabaster"
html_title = "Sobremesa"
html_theme_options = {"description": "cards and dominoes with the people in the same building"}
html_copy_source = False
html_show_copyright = False
highlight_language = "none"
myst_heading_anchors = 4
"""Links to headings are checked, as those to pages are."""
myst_links_external_new_tab = False
