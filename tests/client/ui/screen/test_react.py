"""Messages change the state: pages, moments, talk, the end of a match, and the page that
accuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import (
    Lobby,
    News,
    Notice,
    Parted,
    Seated,
    Talked,
    Trusted,
    Vouch,
    Words,
)
from client.storage.settings import Settings
from client.ui.games.screen import Moment
from client.ui.screen import pages
from client.ui.screen.kept import KeptState
from client.ui.screen.messages import Ended, Ring, Tick
from client.ui.screen.react import BANNER_S
from client.ui.screen.state import ScreenState
from p2p.table.events import Accused, Asked, Differs, Moved, Told
from p2p.table.faults import BadProof
from tests.screens.stage import NICKS, SIZES, Stage, terms_of, theirs, view_of

# Our turn.


def test_our_turn_rings_once_and_stands_in_the_title():
    stage = Stage("escoba", 2, first=1)
    stage.until(lambda stage: stage.state.match.asked)
    assert Ring() in stage.commands
    assert "Your turn" in pages.title(stage.state)
    stage.commands.clear()
    stage.tell(News(Asked(), view_of(stage.state), (0,), last=True))
    assert stage.commands == []


def test_a_silent_table_never_rings():
    stage = Stage("truco", 2, settings=Settings(sound=False)).until(lambda stage: stage.over)
    assert Ring() not in stage.commands


# Calls and time.


def test_a_call_stays_for_its_time_and_then_goes(stage):
    stage.state = replace(stage.state, moment=Moment("¡Truco!"))
    stage.tell(Tick(BANNER_S - 0.1))
    assert stage.state.moment is not None
    assert stage.tell(Tick(0.2)).state.moment is None


@pytest.mark.parametrize("action", ["p2 play 1e", "p2 truco"])
def test_a_call_from_before_our_absence_is_not_shown_again(action):
    stage = Stage("truco", 2, first=1, decks=[["1e", "4c", "5c"]]).do(action)
    assert stage.state.moment is not None
    call = stage.state.match.history[-1]
    stage.tell(Tick(BANNER_S)).commands.clear()
    event = call if isinstance(call, Moved) else Told(call, None)
    stage.tell(News(event, view_of(stage.state), (0,), last=True, repeated=True))
    assert (stage.state.moment, stage.commands) == (None, [])


# Talk.


def test_muted_players_stay_so_when_all_play_again_in_other_seats(stage):
    jon = stage.state.match.players[1].fingerprint
    muted = replace(stage.state.match, muted=frozenset({jon}))
    stage.state = replace(stage.state, match=muted)
    terms = terms_of("escoba", 2, NICKS, {})
    stage.tell(Seated(replace(terms, participants=terms.participants[::-1]), 1, "another match"))
    assert stage.state.match.players[0].fingerprint == jon
    before = stage.state
    assert stage.tell(Talked(0, "good-luck", phrase=True)).state == before


# Answers.


def test_a_player_whose_words_are_the_same_is_trusted_by_a_key_of_its_own_and_marked(stage):
    other = stage.state.match.players[1].fingerprint
    for key in ("enter", "1", "escape"):
        assert stage.tell(Words({other: "apple river ten"})).press(key).commands == []
    stage.tell(Words({other: "apple river ten"}))
    assert "✓ Jon" not in stage.text()
    assert stage.press("t").commands == [Vouch(other)]
    stage.tell(Trusted(other))
    assert "✓ Jon" in stage.text()
    for size in SIZES:
        shown = " ".join(stage.text(*size).split())
        assert "Another key under that name will not be accepted." in shown
    assert "✓ Jon" in stage.press("x").text()  # the sheet stays, for there may be others
    assert "apple river" not in stage.press("escape").text()


def test_the_person_that_is_chosen_stays_chosen_when_more_words_come():
    stage = Stage("siete-y-media", 3).tick(30)
    jon, miren = (player.fingerprint for player in stage.state.match.players[1:])
    stage.tell(Words({miren: "lemon hotel jazz"}))
    assert "Waiting for Jon" in " ".join(stage.text().split())
    stage.tell(Words({jon: "apple river ten", miren: "lemon hotel jazz"})).commands.clear()
    assert stage.press("t").commands == [Vouch(miren)]


# Refusals, accusations and the end.


def accused(players: int = 3, seat: int = 1) -> Stage:
    """A match in which a seat has sent a shuffle that does not hold."""
    stage = Stage("siete-y-media", players).until(lambda stage: stage.state.match.asked).tick(30)
    stage.commands.clear()
    fault = Accused(BadProof(seat, "a shuffle that is none", (b"evidence",)))
    return stage.tell(News(fault, view_of(stage.state), (), last=True))


def test_a_cheat_is_a_page_that_names_who_did_what_and_rings():
    stage = accused()
    assert stage.state.overlay.NAME == "alarm"
    assert Ring() in stage.commands
    shown = " ".join(stage.text().replace("║", " ").split())
    assert "This does not verify" in shown
    assert "STOP: something does not verify." in shown
    assert "Jon sent a proof that does not hold." in shown
    assert "fingerprint" in shown
    assert "kept in the log" in shown


def test_the_red_page_goes_with_enter_or_escape_only():
    assert accused().press("1", "x", "?", "f1", "tab").state.overlay.NAME == "alarm"
    assert accused().press("enter").state.overlay is None
    assert accused().press("escape").state.overlay is None


@pytest.mark.parametrize("who", [1, None])
def test_states_that_differ_are_a_page_too(stage, who):
    stage.tell(News(Differs(who, 7, b"a" * 32, b"b" * 32), view_of(stage.state), (), last=True))
    assert stage.state.overlay.NAME == "alarm"
    assert Ring() in stage.commands
    shown = stage.text()
    assert ("The match cannot go on." in shown) is (who is None)
    assert ("Jon continues from another state" if who else "a card is not in the pack") in shown


@pytest.mark.parametrize("size", SIZES)
def test_a_slow_shuffle_is_shown_while_it_lasts_and_hides_neither_keys_nor_talk(size):
    stage = Stage("escoba", 2, first=1).until(lambda stage: stage.state.match.turn == (1,)).tick(30)
    before, log = stage.text(*size), stage.state.log
    stage.tell(Notice("shuffles", {"who": "Jon"}))
    assert (stage.text(*size), stage.state.log, stage.state.notice) == (before, log, "")
    mixing = replace(stage.state.match, turn=(), mixing=(1,), mixers=2)
    stage.state = replace(stage.state, match=mixing)
    assert "Jon shuffles: 2 of 2 ▓▓▒▒" in stage.text(*size)
    stage.state = replace(stage.state, match=replace(mixing, mixing=(0, 1)))
    assert "You shuffle: 1 of 2 ▒▒░░" in stage.text(*size)


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_a_notice_stands_below_what_was_said_last_and_not_on_it(size):
    stage = Stage("escoba", 2).until(lambda stage: stage.state.match.asked).tick(30)
    stage.state = replace(
        stage.state, log=("Jon lays the seven.", "Ane sweeps."), notice="No such card."
    )
    *_above, said, notice, _keys = stage.text(*size).splitlines()
    assert (said.strip(), notice.strip()) == ("Ane sweeps.", "No such card.")
    stage.state = replace(stage.state, notice="Ane sweeps.")
    assert stage.text(*size).count("Ane sweeps.") == 1


def test_a_failed_session_leaves_only_its_error_and_the_way_back_in_the_lobby(stage):
    settings = replace(stage.state.kept.settings, nick="Ane")
    stage.state = replace(
        stage.state,
        kept=replace(stage.state.kept, settings=settings),
        match=replace(stage.state.match, muted=frozenset({"aa"})),
        waited={1: 3.0},
        invite="x",
        busy="y",
    )
    before = stage.state
    stage.tell(Ended("the table is gone"))
    # the way back into it
    back = f"back:{before.match.match[:32]}"
    assert stage.state == ScreenState(
        kept=KeptState(settings=settings), notice="The table is gone.", chosen=back
    )
    assert "The table is gone." in stage.foot()


def test_a_remark_stands_at_its_seat_for_a_while_and_in_the_log_for_good(stage):
    stage.tell(Talked(1, "good-luck", phrase=True))
    assert "“Good luck!”" in stage.tick(190).text().split("─ ▶ Your turn")[0]
    assert "“Good luck!”" not in stage.tick(20).text().split("─ ▶ Your turn")[0]
    assert not stage.state.timed
    assert "Jon: “Good luck!”" in stage.state.log


def test_a_player_that_has_gone_wishes_no_other_match(over):
    over.tell(Talked(1, "again", phrase=True))
    assert over.state.again == (1,)
    assert over.tell(Parted(1)).state.again == ()


def test_a_player_that_asks_for_another_match_sees_who_has_left_the_table(over):
    gone = "Jon has left the table."
    assert gone in over.tell(Parted(1)).press("a").text()
    assert "Waiting for the others" in over.text()
    players = (over.state.match.players[0], None)
    table = Lobby("escoba", {}, players, (0,), 120, hosting=True, held=True)
    assert gone in over.tell(table).text()


def test_a_move_takes_the_notice_before_it_away():
    stage = theirs()
    stage.state = replace(stage.state, notice="No such card.")
    assert stage.step().state.notice == ""
