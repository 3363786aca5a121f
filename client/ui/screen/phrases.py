"""Talk at the table, as the full screen shows it: at the seat for a while, and in the log."""

from __future__ import annotations

from dataclasses import replace

from client.ui import phrases
from client.ui.phrases import remark_line
from client.ui.screen.state import LOG, Remark, ScreenState

REMARKS = 20
"""How many are kept to be shown at the seats."""
AGAIN = "again"
"""The phrase of a player who wants another match."""


def said(remark: Remark) -> str:
    """Return what somebody has said, in the reader's language."""
    return phrases.said(remark.text, phrase=remark.phrase)


def with_remark(state: ScreenState, remark: Remark) -> ScreenState:
    """Return the state with a remark: at the seat for a while, and in the log for good."""
    line = remark_line(state.match, remark.seat, remark.text, phrase=remark.phrase)
    return replace(
        state, remarks=(*state.remarks, remark)[-REMARKS:], log=(*state.log, line)[-LOG:]
    )
