"""Messages change the state: pages, moments, talk, the end of a match, and the page that
accuses."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from client.session.messages import (
    Act,
    Away,
    FoundTable,
    Late,
    Lobby,
    LobbySeat,
    MoveRefused,
    News,
    Notice,
    Seated,
    Stored,
    Tables,
    Talked,
    Trusted,
    Vouch,
    Words,
)
from client.storage.history import MatchSummary
from client.storage.settings import Settings
from client.ui.games.screen import Moment
from client.ui.model import MatchPhase, Model
from client.ui.plain.ending import won
from client.ui.replay import steps_of
from client.ui.screen import pages
from client.ui.screen.messages import Ended, MatchHistory, Ring, Steps, Tick
from client.ui.screen.parts import SIDE, SPACIOUS
from client.ui.screen.react import BANNER_S, react
from client.ui.screen.state import Page, ScreenState
from engine.games.truco.events import Sung
from p2p.table.events import Accused, Asked, Differs, Gone, Told, Voted
from p2p.table.faults import BadProof
from tests.screens.stage import NICKS, SIZES, Stage, terms_of, theirs, view_of


def lobby(**how) -> Lobby:
    return Lobby(
        "escoba",
        {},
        (LobbySeat("Ane", "aa"), None),
        (0,),
        120,
        "table",
        hosting=True,
        held=True,
        **how,
    )


# From page to page.


def test_a_table_that_fills_is_the_page():
    state, commands = react(ScreenState(busy="Going to the table …"), lobby())
    assert state.page is Page.TABLE_SETUP
    assert state.busy == ""
    assert commands == ()


def test_the_invite_is_kept_to_be_shown():
    state, _commands = react(
        react(ScreenState(), lobby())[0],
        Notice("invite", {"invite": "abc"}),
    )
    assert state.invite == "abc"
    assert "abc" in pages.draw(state, 80, 24).text()


def test_a_match_begins_with_nothing_of_the_session_before(stage):
    assert stage.state.page is Page.PLAY
    assert stage.state.invite == ""
    assert stage.state.notice == ""


def test_lobby_message_changes_nothing_once_the_match_has_begun(stage):
    assert react(stage.state, lobby()) == (stage.state, ())


def test_a_failed_session_leaves_only_its_error_and_the_way_back_in_the_lobby(stage):
    settings = replace(stage.state.settings, nick="Ane")
    stage.state = replace(
        stage.state,
        settings=settings,
        match=replace(stage.state.match, muted=frozenset({"aa"})),
        waited={1: 3.0},
        invite="x",
        busy="y",
    )
    before = stage.state
    stage.tell(Ended("the table is gone"))
    # the way back into it
    back = f"back:{before.match.match[:32]}"
    assert stage.state == ScreenState(settings=settings, notice="the table is gone", chosen=back)
    assert "the table is gone" in stage.foot()


def test_a_reader_of_past_matches_is_not_called_away_when_something_ends():
    state, _commands = react(ScreenState(page=Page.HISTORY, busy="Checking the log …"), Ended(""))
    assert (state.page, state.busy) == (Page.HISTORY, "")


def test_a_match_from_the_history_is_opened_at_its_first_step():
    state, _commands = react(
        ScreenState(page=Page.HISTORY, busy="…"), Steps(((Model(game="escoba"), ("one",)),))
    )
    assert (state.page, state.step, state.busy) == (Page.REPLAY, 0, "")


def test_a_match_from_the_history_is_opened_where_the_first_cards_have_been_dealt():
    steps = steps_of("docs/example.sobremesa", b"")
    state, _commands = react(
        ScreenState(page=Page.HISTORY), Steps(tuple(step for _record, step in steps))
    )
    game = state.steps[state.step][0].view.game
    assert [len(hand) for hand in game.hands] == [3, 3]
    assert len(game.on_table) == 4


def test_tables_and_history_are_as_they_were_seen_last():
    found = FoundTable(bytes(16), "Jon", "truco", "etxea", 1, 2, "open", 1, "192.0.2.1")
    summary = MatchSummary("ab", "escoba", ("Ane",), "today", "x", unfinished=True)
    state, _commands = react(react(ScreenState(), Tables((found,)))[0], MatchHistory((summary,)))
    assert (state.tables, state.history) == ((found,), (summary,))
    assert react(state, Tables(()))[0].tables == ()


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


def test_earlier_news_is_told_without_bell_and_banner(stage):
    state = replace(stage.state, match=replace(stage.state.match, asked=False))
    state, commands = react(state, News(Asked(), view_of(state), (0,), last=True, earlier=True))
    assert Ring() not in commands
    assert state.moment is None


@pytest.mark.parametrize("repeated", [False, True])
def test_a_call_of_before_our_return_is_no_banner(repeated):
    state = Stage("truco", 2, 1).state
    state, _commands = react(
        state,
        News(Told(Sung(0, "envido", "call")), view_of(state), (1,), last=True, repeated=repeated),
    )
    assert (state.moment is None) == repeated


def test_our_turn_puts_back_what_was_picked_for_the_turn_before(stage):
    stage.press("1")
    assert stage.state.picked.cards
    state = replace(stage.state, match=replace(stage.state.match, asked=False))
    assert react(state, News(Asked(), view_of(state), (0,), last=True))[0].picked.cards == ()


# Calls and time.


def test_a_call_stays_for_its_time_and_then_goes(stage):
    stage.state = replace(stage.state, moment=Moment("¡Truco!"))
    stage.tell(Tick(BANNER_S - 0.1))
    assert stage.state.moment is not None
    assert stage.tell(Tick(0.2)).state.moment is None


def test_a_key_takes_a_call_away_and_does_what_it_always_does(stage):
    stage.state = replace(stage.state, moment=Moment("¡Truco!"))
    stage.press("?")
    assert stage.state.moment is None
    assert "Hint: " in stage.state.notice


def test_time_alone_changes_nothing(stage):
    before = stage.state
    assert stage.tick(50).state == before


# Talk.


def test_talk_of_others_is_read_in_our_language_and_kept(stage):
    stage.tell(Talked(1, "good-luck", phrase=True))
    assert "Jon: “Good luck!”" in stage.state.log
    assert "Good luck!" in stage.text()


def test_a_remark_stands_at_its_seat_for_a_while_and_in_the_log_for_good(stage):
    stage.tell(Talked(1, "good-luck", phrase=True))
    assert "“Good luck!”" in stage.tick(190).text().split("─ ▶ Your turn")[0]
    assert "“Good luck!”" not in stage.tick(20).text().split("─ ▶ Your turn")[0]
    assert not stage.state.timed
    assert "Jon: “Good luck!”" in stage.state.log


def test_muted_players_are_not_shown(stage):
    jon = stage.state.match.players[1].fingerprint
    muted = replace(stage.state.match, muted=frozenset({jon}))
    stage.state = replace(stage.state, match=muted)
    before = stage.state
    assert stage.tell(Talked(1, "good-luck", phrase=True)).state == before


def test_muted_players_stay_so_when_all_play_again_in_other_seats(stage):
    jon = stage.state.match.players[1].fingerprint
    muted = replace(stage.state.match, muted=frozenset({jon}))
    stage.state = replace(stage.state, match=muted)
    terms = terms_of("escoba", 2, NICKS, {})
    stage.tell(Seated(replace(terms, participants=terms.participants[::-1]), 1, "another match"))
    assert stage.state.match.players[0].fingerprint == jon
    before = stage.state
    assert stage.tell(Talked(0, "good-luck", phrase=True)).state == before


def test_a_phrase_that_we_do_not_know_is_shown_as_it_came(stage):
    assert "Jon: “no-such”" in stage.tell(Talked(1, "no-such", phrase=True)).state.log


def test_talk_does_not_grow_without_bound(stage):
    for number in range(1000):
        stage.tell(Talked(1, str(number), phrase=False))
    assert len(stage.state.remarks) == 20
    assert len(stage.state.log) == 400
    assert "999" in stage.state.log[-1]


# Answers.


def test_a_costly_key_asks_to_be_pressed_once_more():
    dear = Stage("kinaskak", 3, 1, buys=0).do("p1 decline").tick(30)
    dear.commands.clear()
    assert "this purchase costs you" in in_a_line(dear.press("b"), 120, 40)
    assert "Once more: do it all the same." in in_a_line(dear, 120, 40)
    assert dear.commands == []
    assert [type(command) for command in dear.press("b").commands] == [Act]


@pytest.mark.parametrize("size", SIZES)
def test_an_answer_is_read_whole_however_long(stage, size):
    sentence = "The first word, " + "and another one, " * 8 + "and the last one."
    stage.state = replace(stage.state, notice=sentence)
    assert " ".join(sentence.split()) in in_a_line(stage, *size)


def in_a_line(stage: Stage, columns: int, rows: int) -> str:
    """Return the place of notices: the box beside a table, or the whole screen."""
    beside = columns - SIDE if columns >= SPACIOUS else 0
    shown = " ".join(row[beside:] for row in stage.text(columns, rows).splitlines())
    return " ".join(shown.replace("│", " ").split())


def test_words_to_compare_are_a_sheet_with_those_of_everybody(stage):
    stage = Stage("siete-y-media", 3).until(lambda stage: stage.state.match.asked).tick(30)
    jon, miren = (player.fingerprint for player in stage.state.match.players[1:])
    stage.tell(Words({jon: "apple river ten", miren: "lemon hotel jazz"})).tell(Trusted(miren))
    assert re.search(r"  Jon +apple river ten", stage.text())
    assert re.search(r"✓ Miren +lemon hotel jazz", stage.text())
    stage.press("escape").tell(Words({jon: "new words here"}))
    assert "apple river" not in stage.text()


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


def test_words_that_are_being_read_stay_when_the_match_begins(stage):
    other = stage.state.match.players[1].fingerprint
    stage.tell(Words({other: "apple river ten"}))
    terms = terms_of("escoba", 2, NICKS, {})
    assert "apple river ten" in stage.tell(Seated(terms, 0, terms.match.hex())).text()


def test_a_player_that_comes_back_before_the_first_deal_sees_who_is_away(stage):
    terms = terms_of("escoba", 2, NICKS, {})
    stage.tell(Seated(terms, 0, terms.match.hex()))
    assert "away" not in stage.text()
    stage.tell(Away(1))
    for size in SIZES:
        assert "Jon: away." in stage.text(*size)


def test_where_there_is_no_link_there_is_nothing_to_compare(stage):
    assert "no words to compare" in " ".join(stage.tell(Words()).text().split())
    assert stage.press("enter").commands == []
    assert stage.state.overlay is None


def test_commands_of_the_plain_face_are_keys_here():
    for players, key in ((3, "`W`"), (2, "`Esc`")):
        shown = theirs(players).tick(30).tell(Away(1)).tell(Late((1,), 60)).text(120, 40)
        assert key in shown
        for command in ("`quit`", "`without`", "`aside`"):
            assert command not in shown


def test_a_vote_of_another_names_the_key_that_joins_it():
    voting = theirs(3).tick(30).tell(Late((1,), 60))
    before = voting.state.match
    view = before.view
    assert view is not None
    vote = News(Voted(2, 1, 1, 2), view, before.waiting, votes={1: (2,)})
    shown = " ".join(voting.tell(vote).state.log)
    assert "1 of 2 votes. `W`: you too." in shown


# Refusals, accusations and the end.


def test_a_move_that_the_table_refuses_says_why(stage):
    stage.tell(MoveRefused(("not-in-hand", "7o")))
    assert "7o" in stage.state.notice


def accused(players: int = 3, seat: int = 1) -> Stage:
    """A match in which a seat has sent a shuffle that does not hold."""
    stage = Stage("siete-y-media", players).until(lambda stage: stage.state.match.asked).tick(30)
    stage.commands.clear()
    fault = Accused(BadProof(seat, "a shuffle that is none", (b"evidence",)))
    return stage.tell(News(fault, view_of(stage.state), (), last=True))


def test_a_cheat_is_a_page_that_names_who_did_what_and_rings():
    stage = accused()
    assert stage.state.overlay.kind == "alarm"
    assert Ring() in stage.commands
    shown = " ".join(stage.text().replace("║", " ").split())
    assert "This does not verify" in shown
    assert "STOP: something does not verify." in shown
    assert "Jon sent a proof that does not hold." in shown
    assert "fingerprint" in shown
    assert "kept in the log" in shown


def test_the_red_page_is_in_the_readers_language():
    assert "a shuffle that is none" not in accused().text(120, 40)
    assert not [line for line in accused().state.log if "a shuffle that is none" in line]


def test_the_red_page_goes_with_enter_or_escape_only():
    assert accused().press("1", "x", "?", "f1", "tab").state.overlay.kind == "alarm"
    assert accused().press("enter").state.overlay is None
    assert accused().press("escape").state.overlay is None


def test_a_player_that_is_accused_is_marked_and_named_after_the_page_is_put_away():
    stage = accused().press("enter")
    assert "Jon ✗ accused" in stage.text(120, 40)
    assert "Jon is accused and must go." in stage.text()
    stage.tell(News(Gone(1, "convicted"), view_of(stage.state), (2,), last=True))
    assert "Jon ✗ accused" in stage.text(120, 40)
    assert "Jon is accused" not in stage.text()


def test_a_player_that_is_accused_here_reads_it_too():
    assert "You are accused and must go." in accused(seat=0).press("enter").text()


@pytest.mark.parametrize("who", [1, None])
def test_states_that_differ_are_a_page_too(stage, who):
    stage.tell(News(Differs(who, 7, b"a" * 32, b"b" * 32), view_of(stage.state), (), last=True))
    assert stage.state.overlay.kind == "alarm"
    assert Ring() in stage.commands
    shown = stage.text()
    assert ("The match cannot go on." in shown) is (who is None)
    assert ("Jon continues from another state" if who else "a card is not in the pack") in shown


def test_a_match_that_is_written_down_says_so_once():
    stage = Stage("escoba", 2, target=5).until(lambda stage: stage.over)
    assert stage.state.match.phase is MatchPhase.OVER
    assert stage.tell(Stored("/x/y.sobremesa")).state.notice == ""


@pytest.mark.parametrize("players", [2, 4])
def test_the_winner_is_named_in_the_same_words_everywhere(players):
    stage = Stage("escoba", players, target=5, **({"teams": True} if players == 4 else {})).until(
        lambda stage: stage.over
    )
    shown = stage.press("enter").text(120, 40)
    said = won(stage.state.match)
    assert said in stage.state.log
    assert shown.count(said) >= 2  # in the line of the turn, and in the box of the result


def test_that_nobody_wins_is_said_too(stage):
    assert won(replace(stage.state.match, winners=())) == "Nobody wins."


@pytest.mark.parametrize("size", SIZES)
def test_a_slow_shuffle_is_shown_while_it_lasts_and_hides_neither_keys_nor_talk(size):
    stage = Stage("escoba", 2, first=1).until(lambda stage: stage.state.match.turn == (1,)).tick(30)
    before, log = stage.text(*size), stage.state.log
    stage.tell(Notice("shuffles", {"who": "Jon"}))
    assert (stage.text(*size), stage.state.log, stage.state.notice) == (before, log, "")
    stage.state = replace(stage.state, match=replace(stage.state.match, turn=(), mixing=(1,)))
    assert "shuffling: Jon" in stage.text(*size)


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


def test_beside_a_table_a_notice_stands_below_what_was_said_last_and_leaves_the_keys():
    stage = Stage("escoba", 2).until(lambda stage: stage.state.match.asked).tick(30)
    stage.state = replace(stage.state, log=("Jon lays the seven.", "Ane sweeps."), notice="")
    keys = stage.text(120, 40).splitlines()[-1]
    long = "A move that is not allowed, for a reason that is longer than the box is wide."
    stage.state = replace(stage.state, notice=long)
    assert stage.text(120, 40).splitlines()[-1] == keys
    box = in_a_line(stage, 120, 40)
    assert long in box
    assert box.index("Ane sweeps.") < box.index(long)
    stage.state = replace(stage.state, notice="Ane sweeps.")
    assert stage.text(120, 40).count("Ane sweeps.") == 1


@pytest.mark.parametrize("game", ["truco", "escoba", "domino"])
def test_the_reason_for_which_the_table_refuses_a_move_is_read_however_many_may_be_made(game):
    stage = Stage(game, 2).until(lambda stage: stage.state.match.asked).tick(30)
    stage.tell(MoveRefused(("not-allowed-now",)))
    assert "Not allowed: This move is not allowed now." in stage.text(60, 20)


def ended(game: str) -> Stage:
    """Return a match that has just ended, with the count of its last deal on the table."""
    stage = Stage(game, 2, target=5).until(lambda stage: stage.over)
    assert stage.state.count
    return stage


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["escoba", "truco", "domino"])
def test_the_result_is_framed_only_when_the_count_is_put_away(game, size):
    stage = ended(game)
    assert "╚" not in stage.text(*size)
    assert won(stage.state.match) in stage.text(*size)
    assert "╚" in stage.press("enter").text(*size)


@pytest.mark.parametrize("keys", [("enter",), ("down", "escape")])
def test_the_last_call_goes_with_the_count_that_it_was_the_title_of(keys):
    stage = ended("escoba")
    stage.state = replace(stage.state, moment=Moment("Azkenak!", age=1.0))
    assert "Azkenak!" in stage.text()
    assert "Azkenak!" not in stage.press(*keys).text()
