"""The analysis on the full screen: asked for by a key, with progress, and a way to each of the
costliest moments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.analysis import Analysis
from client.session.messages import LobbySeat, Stored
from client.ui.model import MatchPhase, Model
from client.ui.screen import pages
from client.ui.screen.messages import (
    Analyse,
    Analysed,
    Analysing,
    Ended,
    Key,
    OpenLog,
    Steps,
    StopReading,
)
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState
from client.ui.view.views import view_of
from tests.screens.judged import judged
from tests.screens.stage import Stage

MODEL = Model(
    phase=MatchPhase.PLAYING,
    game="escoba",
    seat=0,
    players=(LobbySeat("Ane", "AAAA"), LobbySeat("Carmen", "BBBB", bot=True)),
)
JUDGED = tuple(
    judged(3 * number, 2, lost, best=f"play 7o take 6e {number + 2}b")
    for number, lost in enumerate((0.1, 0.5, 0.3, 0.2))
)
MADE = Analysis("escoba", 0, "win", JUDGED, 1)


def looked(seat: int | None = 0) -> ScreenState:
    """Return the state with a match of twelve steps, each of which has its own record."""
    steps = tuple((replace(MODEL, seat=seat), (f"line {number}",)) for number in range(12))
    return react(ScreenState(page=Page.HISTORY), Steps(steps, tuple(range(12)), "/log"))[0]


def labelled(state: ScreenState, label: str) -> tuple[str, ...]:
    """Return the keys of the button with these words."""
    return next(keys for keys, said in view_of(state).clicks().values() if said == label)


def press(state: ScreenState, *keys: str) -> ScreenState:
    for key in keys:
        state, _commands = react(state, Key(key))
    return state


def test_the_key_asks_for_the_analysis_of_our_seat_and_shows_how_far_it_is() -> None:
    state, commands = react(press(looked(), "right"), Key("y"))
    assert commands == (Analyse("/log", 0),)
    state, _commands = react(state, Analysing(30, 60))
    assert state.busy == "Analysing: 50 %"
    assert (
        "Analysing: 50 %"
        in pages.draw(
            replace(state, replay=replace(state.replay, steps=state.replay.steps)), 80, 24
        )
        .text()
        .splitlines()[-1]
    )
    assert react(state, Key("right")) == (state, ()), "nothing else can be done meanwhile"


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40)])
def test_the_sheet_names_the_costliest_moments_and_leads_to_each(size: tuple[int, int]) -> None:
    state, _commands = react(press(looked(), "y"), Analysed(MADE))
    state, _commands = react(state, Ended())
    shown = pages.draw(state, *size).text()
    assert (
        "4 of your choices were compared" in shown.replace("\n", " ").replace("│", " ")
        or "4 of your choices" in shown
    )
    assert [item.id for item in state.overlay.items(state)] == ["3", "6", "9"]
    assert all(text in shown for text in ("Step 4", "Step 7", "50 wins in 100"))
    assert "Step 10" in pages.draw(press(state, "down", "down"), *size).text()
    assert "Step 4, deal 2: You play 7o" in shown
    assert "It cost 50" in shown
    assert "a card worth 7 sweeps" in " ".join(shown.replace("│", " ").split())
    second = press(state, "down")
    assert "Step 7, deal 2: You play 7o" in pages.draw(second, *size).text()
    assert press(second, "enter").replay.step == 6
    assert press(state, "3").replay.step == 9
    again, commands = react(press(state, "3"), Key("y"))
    assert again.overlay is not None, "it is kept"
    assert commands == ()
    assert press(state, "escape", "escape").replay.opened is None


def asked() -> tuple[ScreenState, ScreenState, Steps]:
    """Return a result on the screen, the state when the key of its analysis was pressed, and the
    answer."""
    stage = Stage("escoba", 2, target=5).until(lambda stage: stage.over).tick(30).press("enter")
    result = stage.tell(Stored("/log")).state
    return result, press(result, "y"), Steps(((result.match, ("one",)),), (0,), "/log")


def test_the_analysis_after_a_match_keeps_the_table() -> None:
    result, _asked, _steps = asked()
    assert ("y", "analysis") in pages_keys(result)
    state, commands = react(result, Key("y"))
    assert commands == (OpenLog("/log", analysis=True),), "nobody gets up"
    assert state.page is Page.PLAY
    assert "Checking the log" in pages.draw(state, 80, 24).text()
    assert pages_keys(state) == [("Esc", "back")]
    for key in ("enter", "a", "y", "f2"):
        assert react(state, Key(key)) == (state, ())


def test_back_from_an_analysis_that_was_opened_from_a_result_leads_to_that_result() -> None:
    result, state, steps = asked()
    assert react(state, Key("escape")) == (result, (StopReading(),))
    for message in (steps, Analysing(1, 2), Analysed(MADE)):
        state, _commands = react(state, message)
    assert state.page is Page.REPLAY
    back = press(state, "escape", "escape")
    assert back == result
    assert press(looked(), "escape").page is Page.HISTORY, "the other way in"
    seen = press(result, *labelled(result, "analysis"))
    seen, _commands = react(seen, steps)
    assert press(seen, *labelled(seen, "back")) == result


def pages_keys(state: ScreenState) -> list[tuple[str, str]]:
    from client.ui.screen import play  # noqa: PLC0415 - beside its only use

    return play.keys(state)
