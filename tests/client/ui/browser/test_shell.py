"""The style of a page as it is served: shorter, and the same."""

from __future__ import annotations

from client.ui.browser.shell import packed


def test_a_style_loses_only_spaces_that_mean_nothing():
    style = """
    /* a comment */
    a > b ~ c, d + e f {
      inset: 1px / 2px; color: rgb(0 0 0 / .4); width: calc(100% - 2px);
      > g { content: "+"; }
    }
    """
    assert packed(style).strip() == (
        'a>b~c,d + e f{inset:1px/2px;color:rgb(0 0 0/.4);width:calc(100% - 2px);>g{content:"+"}}'
    )
