"""Make everything that is made from the sources: `python -m docs.make_all`.

It runs the other makers one after the other.
"""

from __future__ import annotations

from docs import make_example, make_icon, make_locale, make_screens, make_share, make_tree

MAKERS = (make_locale, make_tree, make_share, make_example, make_icon, make_screens)


def main() -> None:
    """Run them."""
    for maker in MAKERS:
        maker.main()


if __name__ == "__main__":
    main()
