"""The presses of a key that make a move: the pause between two of them, and the words about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from client.i18n.translation import _, later
from client.session.messages import Act, Command
from client.ui.screen.overlay import TextSheet
from client.ui.screen.state import Result, ScreenState
from client.ui.screen.table_words import presses_of

PAUSE_S = 0.7
"""Seconds without a key before one can make a move."""
STAYS = later(
    "A move cannot be taken back: it is signed and sent at once, and the others may have acted "
    "on it."
)
PROTECTS: Mapping[str, str] = {
    "one": later(
        "One press makes your move, as the settings say. With two, the first one only shows it."
    ),
    "two": later(
        "That is why the first press only shows your move, and the second one makes it. In "
        "the settings you can choose one press, or two with a pause between them."
    ),
    "pause": later(
        "That is why the first press only shows your move, and a second one makes it no sooner "
        "than a moment later. In the settings you can choose one press, or two without a pause."
    ),
}
"""The protection of a player from a wrong move, by the number of presses."""


def paused(before: ScreenState, after: ScreenState, commands: tuple[Command, ...]) -> Result:
    """Return the state after a key, and its commands: no move unless a pause has passed."""
    if presses_of(before) != "pause":
        return after, commands
    if any(isinstance(one, Act) for one in commands):
        if before.settling:
            wait = _("That came fast: look at your move, and press once more to make it.")
            return replace(settling(before), notice=wait), ()
        return replace(after, settling=0.0), commands
    changed = _choice(before) != _choice(after)
    return (settling(after) if changed else after), commands


def settling(state: ScreenState) -> ScreenState:
    """Return the state with a pause from now on, if the settings ask for one."""
    return replace(state, settling=PAUSE_S) if presses_of(state) == "pause" else state


def _choice(state: ScreenState) -> object:
    return state.picked, state.proposed, state.match.pending


def about_undo(state: ScreenState) -> TextSheet:
    """Return the sheet that says why a move stays, and how our player is protected."""
    protects = PROTECTS[presses_of(state)]
    return TextSheet(_("Why a move stays"), (_(STAYS), _(protects)))
