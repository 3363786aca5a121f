"""The times for which the table waits for people, and the notices and questions about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from client.session.messages import Back, Message, News, Stored, TimeLeft
from client.ui.model import Model
from client.ui.plain.absence import time_left
from client.ui.plain.lines import lines
from client.ui.screen.obeying import VoteQuestion
from client.ui.screen.state import Countdown, Passing, ScreenState
from engine.core.moves import Seat


def heard(state: ScreenState, before: Model, message: Message) -> ScreenState:
    """Note news of the seats that the table waits for."""
    if isinstance(message, News | Stored):
        state = replace(state, waited=_waited(state, before))
        if isinstance(state.notice, Passing) and state.match.seat not in state.match.waiting:
            state = replace(state, notice="")
    return _with_absence(state, before, message)


def _with_absence(state: ScreenState, before: Model, message: Message) -> ScreenState:
    """Count the time of a returned seat anew; say who is back whom a vote was about."""
    if isinstance(message, Back) and message.anew and message.seat in state.waited:
        state = replace(state, waited={**state.waited, message.seat: 0.0})
    voted_on = isinstance(message, Back) and message.seat in before.late
    if voted_on and isinstance(state.overlay, VoteQuestion):
        state = replace(state, notice=lines(before, message, state.match)[0])
    return state


def _waited(state: ScreenState, before: Model) -> dict[Seat, float]:
    """Return the seconds for which the table has waited, by seat; ours too if we can be voted out.

    All times begin anew when the match has gone on.
    """
    match = state.match
    counted = {
        *state.company,
        *((match.seat,) if match.asked and match.votes_needed and state.company else ()),
    }
    known = state.waited if match.waiting_at == before.waiting_at else {}
    return {
        seat: known.get(seat, 0.0) for seat in match.waiting if seat in counted and not state.done
    }


def counted_down(state: ScreenState, waited: Mapping[Seat, float]) -> str:
    """Return the notice, with the time that our player has now."""
    match = state.match
    if match.seat is None or match.seat not in waited or not isinstance(state.notice, Countdown):
        return state.notice
    left = match.limit - int(waited[match.seat])
    return Countdown(time_left(TimeLeft(left), match)) if left > 0 else ""
