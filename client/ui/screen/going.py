"""Ways from a table to another page, and the questions before them."""

from __future__ import annotations

from dataclasses import replace

from client.i18n.translation import _, later
from client.ui.screen import phones
from client.ui.screen.messages import InBrowser, Rise
from client.ui.screen.overlay import QuestionSheet
from client.ui.screen.state import Result, ScreenState


class RiseQuestion(QuestionSheet):
    """Whether our player goes to the lobby while others wait."""

    NAME = "rise"
    GO, STAY = later("to the lobby"), later("stay")
    FINAL = False

    def entered(self, state: ScreenState) -> Result:
        return state, (Rise(),)


class AsideQuestion(RiseQuestion):
    """The same, where the match is put aside by it."""

    GO = later("put the match aside")


def elsewhere(state: ScreenState, choice: str) -> Result:
    """Go where an item of the menu leads."""
    match choice:
        case "phones":
            return phones.begin(state)
        case "browser":
            return state, (InBrowser(),)
    return rise(state)


def rise(state: ScreenState) -> Result:
    """To the lobby: asked once while a match is on, since others would wait."""
    if not state.bound:
        return state, (Rise(),)
    if state.match.may_put_aside:
        with_people = later(
            "Nobody loses by it: the lobby lists the match as unfinished, and it goes on when all "
            "are back."
        )
        said = _(
            with_people
            if state.company
            else later("The lobby lists the match as unfinished. It waits for you there.")
        )
        return replace(state, overlay=AsideQuestion(_("Put the match aside?"), (said,))), ()
    return replace(state, overlay=RiseQuestion(_("To the lobby?"), (waits(state),))), ()


def waits(state: ScreenState) -> str:
    """Say that a player who goes for now does not leave for good, and how long the others wait."""
    if not state.match.votes_needed or not state.company:
        return _(
            "You do not leave for good. The match waits for you, and you can come back to it from "
            "the lobby."
        )
    going = later(
        "You do not leave for good: from the lobby you can come back to the match. When the table "
        "has waited {seconds} s for you, the others may vote to go on without you."
    )
    ending = later(
        "You do not leave for good: from the lobby you can come back to the match. When the table "
        "has waited {seconds} s for you, the others may vote to end the match without you."
    )
    seat = state.match.seat
    ends = seat is not None and state.match.ends_without(seat)
    return _(ending if ends else going).format(seconds=state.match.limit)
