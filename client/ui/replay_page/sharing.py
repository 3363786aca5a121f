"""The page of a match for others."""

from __future__ import annotations


def page_to_share(path: str) -> str:
    """Return the page of the match of a log: it shows what everybody saw, and no more.

    Raises Stop.
    """
    from client.ui.replay import log_in  # noqa: PLC0415 - it loads the table: start-up time
    from client.ui.replay_page.page import make_page  # noqa: PLC0415 - it loads all drawings: start-up time

    with log_in(path) as data:
        return make_page(data, None).decode()
