"""Make the picture of the page on a phone's home screen: `python -m docs.make_icon`.

It needs a Chromium and playwright. The rose is that of the page's own icons.
"""

from __future__ import annotations

import sys
from shutil import which

from client.ui.browser.shell import PAGE, text_of

SIZE = 180
PICTURE = """<body style="margin:0"><div hidden>{icons}</div>
<svg width="{size}" height="{size}" viewBox="0 0 180 180">
<rect width="180" height="180" fill="#2c5f66"/>
<rect x="9" y="9" width="162" height="162" rx="30" fill="none" stroke="#c98a4b" stroke-width="8"/>
<svg x="30" y="30" width="120" height="120" fill="#ffcf66"><use href="#i-rose"/></svg></svg>"""


def main() -> None:
    """Draw it, where there is a Chromium."""
    if which("chromium") is None:
        sys.stderr.write("no chromium here: the picture for home screens stays as it is\n")
        return
    from tests.browser.chromium import chromium  # noqa: PLC0415 - as in `docs.make_screens`

    with chromium() as browser:
        page = browser.new_page(viewport={"width": SIZE, "height": SIZE})
        page.set_content(PICTURE.format(icons=text_of("icons.svg"), size=SIZE))
        (PAGE / "icon.png").write_bytes(page.screenshot())


if __name__ == "__main__":
    main()
