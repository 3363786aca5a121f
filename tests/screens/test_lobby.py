"""The lobby says why something cannot be, and stays of use while it waits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import FoundTable, Message, Notice, Tables
from client.storage.history import MatchSummary
from client.storage.settings import Settings
from client.ui.model import MatchPhase, Model
from client.ui.screen import opening
from client.ui.screen.lobby import chosen, people
from client.ui.screen.messages import Ended, Key, MatchHistory, Resume, Rise, Steps
from client.ui.screen.react import react
from client.ui.screen.state import Form, Page, ScreenState
from crypto.identity import fingerprint
from engine.games import GAMES
from p2p.wire import PROTOCOL
from tests.ring import identities
from tests.screens.stage import SIZES, Stage, check_rows

BLIND = Notice("no-discovery", {"error": "this machine is on no network"})
WAITING = MatchSummary(
    "ab" * 16, "escoba", ("Ane", "Jon"), "2026-11-21", "/x/ab.sobremesa", unfinished=True
)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("history", [(), (WAITING,)], ids=["nothing", "a match that waits"])
def test_why_no_table_is_seen_stands_where_tables_would(size, history):
    state = ScreenState(settings=Settings(nick="Ane"))
    for message in (MatchHistory(history), Tables((), BLIND)):
        state, _commands = react(state, message)
    shown = check_rows(state, *size)
    assert "`j` still takes an address or an invite" in state.blind
    assert state.blind in " ".join(shown.replace("│", " ").split())
    assert "nobody yet" not in shown
    assert ("Back to Escoba" in shown) is bool(history)
    state, _commands = react(state, Tables(()))
    assert "cannot find tables" not in check_rows(state, *size)
    assert ("nobody yet" in check_rows(state, *size)) is not bool(history)


HOST, US, STRANGER = (one.id for one in identities(3))
PLAYED = FoundTable(
    HOST, "Ane", "escoba", "runway-39", 2, 2, "playing", PROTOCOL, "192.0.2.1:47747", "known"
)


def lobby_with(
    tables: tuple[FoundTable, ...], history: tuple[MatchSummary, ...] = ()
) -> ScreenState:
    """Return a lobby that shows these."""
    state = ScreenState(settings=Settings(nick="Jon"))
    for message in (MatchHistory(history), Tables(tables)):
        state, _commands = react(state, message)
    return state


def test_the_running_table_of_our_own_match_is_only_the_way_back_into_it():
    waiting = replace(WAITING, keys=(HOST, US))
    shown = [item.id for item in people(lobby_with((PLAYED,), (waiting,)))]
    assert shown == [f"back:{waiting.match}"]
    assert "with Ane " in check_rows(
        replace(lobby_with((PLAYED,), (waiting,)), fingerprint=fingerprint(US)), 80, 24
    )
    others = (
        replace(PLAYED, state="open", taken=1),  # the next table of the same host
        replace(PLAYED, game="domino"),
        replace(PLAYED, seats=3, taken=3),
        replace(PLAYED, id=STRANGER),
    )
    for table in others:
        assert [item.id.split(":")[0] for item in people(lobby_with((table,), (waiting,)))] == [
            "back",
            "table",
        ]
    finished = replace(waiting, unfinished=False)
    assert [item.id.split(":")[0] for item in people(lobby_with((PLAYED,), (finished,)))] == [
        "table"
    ]


def test_a_free_seat_stands_above_all_matches_but_the_newest_that_wait():
    waiting = tuple(replace(WAITING, match=f"{number:032x}") for number in range(3))
    tables = (
        replace(PLAYED, id=STRANGER),
        replace(PLAYED, id=STRANGER, state="open", taken=1, protocol=PROTOCOL + 1),
        replace(PLAYED, state="open", taken=1),
    )
    shown = [item.id for item in people(lobby_with(tables, waiting))]
    assert [name.partition(":")[0] for name in shown] == [
        "back",
        "table",
        "back",
        "back",
        "table",
        "table",
    ]
    assert shown[1].startswith(f"table:{HOST.hex()}")
    assert shown[0] == f"back:{waiting[0].match}"


@pytest.mark.parametrize("page", [Page.LOBBY, Page.HISTORY])
def test_while_something_is_waited_for_only_esc_does_anything_and_stands_there(page):
    state = ScreenState(page=page, busy="Going to the table …", history=(WAITING,))
    assert "Going to the table …" in check_rows(state, 60, 20)
    assert "Esc back" in check_rows(state, 60, 20).splitlines()[-1]
    for key in ("o", "s", "p", "1", "enter", "down", "q"):
        assert react(state, Key(key, key)) == (state, ())
    assert react(state, Key("escape")) == (state, (Rise(),))
    assert react(replace(state, busy=""), Key("escape"))[1] == ()


def test_the_nick_of_this_session_stands_in_the_lobby_and_in_the_settings():
    state = ScreenState(settings=Settings(nick="Ane"), called="Zoe")
    assert "Zoe" in check_rows(state, 80, 24)
    shown = check_rows(replace(state, page=Page.SETTINGS), 80, 24)
    assert "Zoe" in shown
    assert "Ane" not in shown


LEFT = MatchSummary(
    "cd" * 16, "truco", ("Jon", "Ane"), "2026-11-22", "/x/cd.sobremesa", unfinished=True
)
OLDER = (WAITING,)


def seated_at(
    match: str, history: tuple[MatchSummary, ...], *, phase: MatchPhase = MatchPhase.PLAYING
) -> ScreenState:
    """Return a lobby that has been left for a match, in which our player sits now."""
    state = lobby_with((), history)
    model = Model(phase=phase, game="truco", seat=0, match=match + "00" * 16, players=(None, None))
    return replace(state, page=Page.PLAY, match=model, chosen="")


def after_it(state: ScreenState, *messages: Message) -> ScreenState:
    """Return the state once the session has ended, and these have come."""
    for message in (Ended(), *messages):
        state, _commands = react(state, message)
    return state


@pytest.mark.parametrize("history", [(LEFT, WAITING), (WAITING, LEFT)])
@pytest.mark.parametrize("tables_first", [False, True])
def test_the_match_that_was_put_aside_is_chosen_wherever_its_line_stands(history, tables_first):
    news = [MatchHistory(history), Tables((PLAYED,))]
    state = after_it(seated_at(LEFT.match, OLDER), *(reversed(news) if tables_first else news))
    assert chosen(state) == f"back:{LEFT.match}"
    assert (
        next(line for line in check_rows(state, 60, 20).splitlines() if "▶" in line).count("Truco")
        == 1
    )
    _state, commands = react(state, Key("enter"))
    assert commands == (Resume(LEFT.match),)


def test_after_a_match_that_has_ended_enter_leads_into_no_other_match():
    over = seated_at(LEFT.match, OLDER, phase=MatchPhase.OVER)
    state = after_it(over, MatchHistory(OLDER), Tables((PLAYED,)))
    assert chosen(state) == "game:truco"
    state, commands = react(state, Key("enter"))
    assert (state.page, commands) == (Page.OPEN, ())


def test_after_a_session_that_could_not_begin_the_choice_stays():
    state = replace(lobby_with((PLAYED,), OLDER), chosen="join", busy="Going to the table …")
    state, _commands = react(state, Ended("nobody answers"))
    assert (chosen(state), state.notice) == ("join", "nobody answers")


@pytest.mark.parametrize(
    ("item", "key"), [("history", "p"), ("settings", "s"), ("open", "o"), ("game:truco", "4")]
)
def test_esc_leads_back_to_the_line_from_which_one_came(item, key):
    state = lobby_with((PLAYED,), OLDER)
    for pressed in (key, "down", "escape"):
        state, _commands = react(state, Key(pressed))
    assert (state.page, chosen(state)) == (Page.LOBBY, item)


@pytest.mark.parametrize(
    ("moved", "game"), [((), "escoba"), (("down", "down", "down"), "truco"), (("up",), "escoba")]
)
def test_learning_begins_with_the_game_that_is_chosen(moved, game):
    state = lobby_with((), ())
    for pressed in (*moved, "l"):
        state, _commands = react(state, Key(pressed))
    assert state.overlay is not None
    assert list(GAMES)[state.overlay.cursor] == game


def test_a_match_that_was_stepped_through_is_still_chosen_in_the_history():
    over = tuple(replace(summary, unfinished=False) for summary in (WAITING, LEFT))
    state = replace(lobby_with((), over), page=Page.HISTORY, chosen=LEFT.match)
    for message in (Key("enter"), Steps(((Model(game="truco"), ()),)), Ended(), Key("escape")):
        state, _commands = react(state, message)
    assert (state.page, state.chosen) == (Page.HISTORY, LEFT.match)


def test_a_match_against_computers_waits_for_nobody_else():
    stage = Stage("escoba", 2)
    assert "when all are back" in stage.press("escape").text()
    stage.press("escape")
    players = tuple(
        player and replace(player, bot=seat > 0)
        for seat, player in enumerate(stage.state.match.players)
    )
    stage.state = replace(stage.state, match=replace(stage.state.match, players=players))
    assert "it waits in the lobby" in stage.press("escape").text()
    assert "when all are back" not in stage.press("up", "up", "enter").text()
    assert "waits for you there" in " ".join(stage.text().replace("│", " ").split())


@pytest.mark.parametrize("field", ["seats", "bots", "limit", "option:target"])
def test_a_number_in_the_form_stops_at_its_ends(field):
    form = Form("escoba", 6)
    seen = {-1: [form], 1: [form]}
    for step, forms in seen.items():
        for _press in range(200):
            forms.append(opening.changed(forms[-1], field, step))
    lowest, highest = seen[-1][-1], seen[1][-1]
    assert lowest != highest
    assert opening.changed(lowest, field, -1) == lowest
    assert opening.changed(highest, field, 1) == highest
