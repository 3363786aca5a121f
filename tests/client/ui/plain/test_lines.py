"""The plain face: the lines that it prints for each message. SOBREMESA_UPDATE=1 writes the golden
match anew."""

import os
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from client.i18n.sentences import COMMANDS, FAULTS
from client.i18n.translation import NO_BREAK, unbroken
from client.session.messages import (
    Away,
    Back,
    Late,
    Lobby,
    LobbySeat,
    MoveRefused,
    News,
    Notice,
    Seated,
    Stored,
    Typed,
)
from client.ui.games import words_of
from client.ui.model import MatchPhase, Model
from client.ui.plain.ending import stored_in_short
from client.ui.plain.lines import completions, lines, prompt
from client.ui.update import update
from client.ui.wrap import wrapped
from crypto.identity import fingerprint
from engine.core.moves import IllegalMove
from engine.games import GAMES
from engine.games.escoba.rules import Play
from p2p.net.text import columns
from p2p.table.events import Accused, Asked, Differs, Gone, Moved, Sealed
from p2p.table.faults import FAULTS as FAULT_CLASSES
from p2p.table.faults import BadProof, Equivocation, IllegalPlay
from tests.client.ui.person import Person

GOLDEN = Path(__file__).parent / "escoba-match.txt"


PLAYED = [name for name in COMMANDS if name != "seats"]
"""The commands of a match: only the host of a table that fills arranges seats."""
OF_TWO = [name for name in PLAYED if name != "without"]
"""The commands at a table of two, who cannot vote."""


def commands_in(answer: list[str]) -> list[str]:
    """Return the commands that `help` lists."""
    heads = ("And besides:", "You can type:")
    (at,) = (at for at, line in enumerate(answer) if line in heads)
    return [line.split()[0] for line in answer[at + 1 :]]


@pytest.fixture
def asked() -> Person:
    person = Person(2).sit()
    person.others_play()
    return person


def said(model: Model, message) -> list[str]:
    return lines(model, message, update(model, message)[0])


def news(person: Person, event) -> list[str]:
    return said(person.model, News(event, person.table.view(), person.table.waiting))


def test_golden_match():
    person = Person(3, target=3, seed="golden").sit()
    person.play()
    person.tell(Stored("logs/0123.sobremesa"))
    if os.environ.get("SOBREMESA_UPDATE") == "1":
        GOLDEN.write_text("\n".join(person.read) + "\n", encoding="utf-8")
    assert person.read == GOLDEN.read_text(encoding="utf-8").splitlines()


def test_everything_fits_60_columns():
    person = Person(3, target=1)
    person.width = 60
    person.sit()
    for text in ("help", "rules", "hint", "nonsense " * 20, "leave"):
        person.type(text)
    person.play()
    assert max(columns(line) for line in person.read) <= 60
    assert not any(line != line.rstrip() for line in person.read)


def test_nobody_elses_cards_are_printed():
    person = Person(2, seed="secrets").sit()
    theirs = {
        person.ring.tables[1].view().face(slot) for slot in person.ring.tables[1].run.game.hands[1]
    }
    text = " ".join(person.read).replace("(", " ").split()
    assert len(theirs) == 3
    assert not theirs & set(text)


# Asked.


def test_the_question_shows_table_hand_and_moves(asked):
    assert asked.read[-3].startswith("On the table: ")
    assert asked.read[-2].startswith("Your hand: ")
    assert asked.read[-1].startswith("Your turn. You may: play ")
    assert prompt(asked.model) == "Your move: "


def test_completions_are_the_legal_moves_then_the_commands(asked):
    view = asked.model.view
    faces = {**view.game.faces, **view.faces}
    assert completions(asked.model) == [
        *(view.game.write(move, faces) for move in view.options),
        *OF_TWO,
    ]
    assert completions(replace(asked.model, asked=False)) == OF_TWO
    assert completions(Model()) == PLAYED
    assert completions(Model(hosting=True)) == [*COMMANDS]
    assert prompt(Model()) == "> "


def test_with_a_computer_in_our_seat_nothing_is_asked():
    person = Person(2)
    person.tell(Seated(person.ring.terms, 0, "00", auto=True))
    person.hear()
    person.others_play()
    assert person.table.asked
    assert not any("Your turn" in line for line in person.read)


@pytest.mark.parametrize("game", GAMES)
def test_a_computer_in_our_seat_is_called_by_its_name(game):
    person = Person(min(GAMES[game].allowed_players), game=game)
    terms = person.ring.terms
    seats = tuple(
        LobbySeat(place.nick, fingerprint(place.id), bot=number == 0)
        for number, place in enumerate(terms.participants)
    )
    person.tell(Lobby(terms.game, terms.options, (seats[0], *[None] * (len(seats) - 1)), (0,), 120))
    person.tell(Lobby(terms.game, terms.options, seats, (0,), 120))
    person.tell(Seated(terms, 0, terms.match.hex(), auto=True, bots=(0,)))
    person.hear()
    for _move in range(60):
        person.others_play()
        if not person.table.asked:
            break
        person.table.act(next(iter(person.table.view().options)))
        person.hear()
    assert any("nick0" in line for line in person.read[4:])
    after_the_aim = person.read[1:]
    assert not [line for line in after_the_aim if re.search(r"\byou(r|rs)?\b", line, re.IGNORECASE)]


def test_turn():
    person = Person(3, seed="turns").sit()
    person.others_play()
    person.type(completions(person.model)[0])
    assert person.read[-1] in ("It is nick1's turn.", "It is nick2's turn.")


def test_a_turn_is_told_once_however_many_proofs_and_cards_lie_between():
    person = Person(2, game="domino", seed="draws", target=20).sit()
    person.play()
    turns = [
        line
        for line in person.read
        if line.startswith(("It is nick1's turn.", "Your turn.", "Deal "))
    ]
    assert {line for line in person.read if line.startswith(("It is", "Now"))} == {
        "It is nick1's turn."
    }
    assert not any(one == other == "It is nick1's turn." for one, other in pairwise(turns))


def test_a_hand_is_dealt_and_one_more_is_drawn():
    person = Person(2, game="domino", seed="draws", target=20).sit()
    person.play()
    assert {len(line.split()) for line in person.read if line.startswith("You are dealt: ")} == {
        3 + 7
    }
    drawn = [line for line in person.read if line.startswith("You draw: ")]
    assert drawn
    assert all(len(line.split()) == 3 for line in drawn)


def test_refusals_say_why(asked):
    (line,) = (
        asked.type("play 1o take 1c")
        if "1o" not in asked.read[-2]
        else asked.type("play 2o take 1c")
    )
    assert line in (
        "Not allowed: You have no 1o in your hand.",
        "Not allowed: You have no 2o in your hand.",
    )
    assert said(asked.model, MoveRefused(("not-your-turn",))) == [
        "Not allowed: It is not your turn."
    ]


def test_help_lists_the_moves_and_the_commands(asked):
    found = asked.type("help")
    assert found[0] == "You may:"
    assert "And besides:" in found
    assert commands_in(found) == OF_TWO
    assert commands_in(Person(3).sit().type("help")) == PLAYED


def test_help_for_a_spectator_has_no_moves_and_no_commands_of_players(asked):
    asked.model = replace(asked.model, seat=None, asked=False)
    found = asked.type("help")
    assert found[0] == "You can type:"
    assert commands_in(found) == ["help", "table", "rules", "mute", "quit"]


def test_help_out_of_turn_shows_what_moves_look_like(asked):
    asked.model = replace(asked.model, asked=False)
    assert asked.type("help")[:2] == ["Moves look like this:", "  play 7o take 5c 3b"]


def test_table_repeats_the_state(asked):
    found = asked.type("table")
    assert [line.split(":")[0] for line in found] == [
        "Score",
        "On the table",
        "Your hand",
        "It is your turn.",
    ]


def test_score_is_the_table_too(asked):
    assert asked.type("score") == asked.type("table")
    assert asked.type("score")[0].startswith("Score: you: 0, nick1: 0 (to ")


def test_a_move_that_is_not_allowed_now_is_answered_with_those_that_are(asked):
    first, second = said(asked.model, MoveRefused(("not-allowed-now",)))
    assert first == "Not allowed: This move is not allowed now."
    assert second.startswith("You may: play ")
    assert said(replace(asked.model, view=None), MoveRefused(("not-allowed-now",))) == [first]


def test_help_explains_the_words_that_do_not_explain_themselves():
    person = Person(2, game="truco", seed="help").sit()
    person.others_play()
    found = person.type("help")
    assert "  mazo          give up the deal" in found
    assert "  truco         let the deal be worth 2" in found
    assert any(re.fullmatch(r"  play \w+", line) for line in found)
    person.model = replace(person.model, asked=False)
    assert "  quiero     accept" in person.type("help")


def test_table_before_the_match():
    assert said(Model(), Typed("table")) == ["The match has not begun."]


def test_leaving_states_the_price_and_then_leaves(asked):
    assert asked.type("leave") == [
        "If you leave for good, the match is over at once and your side has lost it.",
        "To leave all the same: leave yes",
    ]
    found = asked.type("leave yes")
    assert found[:2] == ["You leave.", "You have left the match, and lost it."]
    assert "nick1 wins." in found


def test_a_typed_line_is_echoed_clean(asked):
    (line,) = asked.type("\x1b]0;owned\x07abc\u202e" + "x" * 100)
    assert "\x1b" not in line
    assert "\u202e" not in line
    assert columns(line) < 120


# The others.


def test_away_and_back(asked):
    assert said(replace(asked.model, seat=None), Away(1)) == [
        "nick1 is away: gone for now, or cut off. The table waits."
    ]
    assert said(asked.model, Away(1)) == [
        "nick1 is away: gone for now, or cut off. The table waits; `aside` puts the match aside "
        "for another time."
    ]
    assert said(asked.model, Away(1, leaving=True)) == [
        "nick1 has left the match for good. Those who are away learn it when they come back; the "
        "table waits for them."
    ]
    assert said(asked.model, Back(1)) == ["nick1 is back."]


def test_nobody_has_gone_who_only_takes_long(asked):
    late = Late((1,), 120)
    assert said(asked.model, late)[0] == "nick1: no move for 120 seconds."
    away = replace(asked.model, away=frozenset({1}))
    assert said(away, late)[0] == "The table has waited for nick1 for 120 seconds."


def test_notices_are_cleaned():
    assert said(Model(), Notice("turned-away", {"error": "a\x1b[2Jb\nc"})) == [
        "A player was rejected: ab c"
    ]


@pytest.mark.parametrize("kind", FAULT_CLASSES)
def test_the_red_page_names_seat_and_fault(asked, kind):
    refused = IllegalMove(1, None, ("must-take", "7o"))
    event = Accused(kind(1, refused if kind is IllegalPlay else "did it", (b"evidence",)))
    found = news(asked, event)
    fingerprint = asked.model.players[1].fingerprint
    assert found[0] == "STOP: something does not verify."
    assert found[1] == FAULTS[kind.__name__].format(who="nick1")
    # the fault of a peer is told in the reader's language
    assert not [line for line in found if "did it" in line]
    if kind is IllegalPlay:
        assert found.pop(2) == "nick1 laid a card, and had to take: 7o can make 15."
    assert found[2] == f"That was p2, nick1, fingerprint {fingerprint}. Nobody else is accused."
    model = replace(asked.model, accused=event, phase=MatchPhase.OVER)
    assert said(model, Stored("a.log", sealed=False))[0] == "The log with the evidence: a.log"


def test_a_fault_of_a_seat_that_has_gone_or_after_the_end_changes_nothing_and_the_red_page_says_so(
    asked,
):
    event = Accused(Equivocation(1, "did it", (b"evidence",)))
    on = asked.model
    for asked.model in (replace(on, gone={1: "left"}), replace(on, phase=MatchPhase.OVER)):
        *_, last = news(asked, event)
        assert last == (
            "The match stays as it is. The signed evidence proves it to anybody, and is kept in a "
            "file beside the log."
        )


def test_every_fault_has_words():
    assert set(FAULTS) == {kind.__name__ for kind in FAULT_CLASSES}


def test_a_difference_accuses_nobody(asked):
    found = news(asked, Differs(1, 5, b"\1" * 32, b"\2" * 32))
    assert found[0].startswith("nick1 continues from another state")
    assert "Nobody is accused" in found[1]
    assert "0202020202020202" in found[1]
    assert "Nobody is accused" in news(asked, Differs(None, 5, b"", b""))[1]


def test_once_somebody_is_accused_no_difference_speaks_of_other_versions(asked):
    asked.model = replace(asked.model, accused=Accused(Equivocation(0, "did it", (b"evidence",))))
    assert news(asked, Differs(1, 5, b"\1" * 32, b"\2" * 32)) == []
    assert "Nobody is accused" in news(asked, Differs(None, 5, b"", b""))[1]


def test_a_player_that_is_convicted_of_two_stories_hears_of_the_other_program(asked):
    seat = asked.model.seat
    gone = Gone(seat, "convicted")
    assert len(news(asked, gone)) == 1
    for fault, lines_more in (
        (Equivocation(seat, "did it", ()), 1),
        (BadProof(seat, "did it", ()), 0),
    ):
        asked.model = replace(asked.model, accused=Accused(fault))
        first, *more = news(asked, gone)
        assert first.startswith("You have been shut out of the match")
        assert len(more) == lines_more
    assert news(asked, Gone(1 - seat, "convicted"))[1:] == []


def test_the_log_of_a_player_that_has_left_says_so(asked):
    left = replace(asked.model, gone={asked.model.seat: "left"})
    assert said(left, Stored("a", sealed=False))[0] == "Log of the match, until you left it: a"
    assert stored_in_short(left, sealed=False).startswith("The log goes until you left: ")


def test_the_log_says_whether_all_have_signed(asked):
    assert said(asked.model, Stored("a")) == [
        "Log of the match, signed by all: a",
        "Check it: sobremesa verify a",
    ]
    assert (
        said(asked.model, Stored("a", sealed=False))[0] == "Log of the match, not signed by all: a"
    )
    nick = asked.model.players[1].nick
    for how, signers in (
        ("voted", f"all but {nick}"),
        ("convicted", f"all but {nick}"),
        ("left", "all"),
    ):
        model = replace(asked.model, gone={1: how})
        assert said(model, Stored("a"))[0] == f"Log of the match, signed by {signers}: a"


def test_the_end_of_a_match_with_a_conviction_names_the_seat_before_it_says_which_have_signed(
    asked,
):
    asked.model = replace(asked.model, gone={1: "convicted"})
    first, second = news(asked, Sealed())
    nick = asked.model.players[1].nick
    assert first == f"{nick} was convicted and removed."
    assert f"all but {nick} have signed the end" in second
    assert second.endswith("all else is good")


def test_a_resume_retells_past_turns_without_their_questions_and_ends_with_the_state(asked):
    view, moved = asked.model.view, Moved(1, Play(0, ()), "play 4e", auto=False)
    told = {"repeated": True}
    assert said(asked.model, News(Asked(), view, (0,), **told)) == []
    state = words_of("escoba").state(asked.model.names, view)
    last = said(asked.model, News(Asked(), view, (0,), last=True, **told))
    assert last[:-1] == state
    assert last[-1].startswith("Your turn. You may: play ")
    assert said(asked.model, News(Asked(), view, (0,), last=True)) == [], "it has been asked"
    theirs = replace(asked.model, asked=False)
    assert said(theirs, News(Asked(), view, (0,), last=True)) == last
    assert said(theirs, News(moved, view, (1,), **told)) == ["nick1 lays 4e."]
    assert said(theirs, News(moved, view, (1,), last=True, **told)) == ["nick1 lays 4e.", *state]


# Breaking lines.


def test_short_lines_stay_and_long_ones_go_on_further_in():
    assert wrapped("  short", 30) == ["  short"]
    assert wrapped("  one two three four five six seven", 30) == [
        "  one two three four five six",
        "    seven",
    ]


def test_a_word_that_is_too_long_stays_whole():
    assert wrapped("see " + "x" * 50 + " end", 30) == ["see", "  " + "x" * 50, "  end"]


def test_a_row_that_is_broken_keeps_its_columns():
    assert wrapped("  trust     trust a player of this table", 30) == [
        "  trust     trust a player of",
        "            this table",
    ]
    assert wrapped("  sota  put it down; several\u00a0words stay", 30)[1:] == [
        "        several words stay"
    ]


def test_the_texts_of_help_stand_in_one_column(asked):
    asked.width = 60
    read = len(asked.read)
    asked.type("help")
    rows = asked.read[asked.read.index("And besides:", read) + 1 :]
    place = rows[0].index("this help")
    assert [row for row in rows if row[place] == " " or row[place - 2 : place] != "  "] == []


def test_an_unbroken_word_stays_on_one_line_and_is_printed_with_spaces():
    line = f"Check it: {unbroken('sobremesa verify /a/long/path')}"
    assert wrapped(line, 30) == ["Check it:", "  sobremesa verify /a/long/path"]
    assert wrapped(line, None) == wrapped(line, 80) == ["Check it: sobremesa verify /a/long/path"]


def test_commands_to_be_copied_are_not_broken():
    facts = {"invite": "SOB" + "M" * 40}
    found = lines(Model(), Notice("invite", facts), Model(), 60)
    assert f"  sobremesa join {facts['invite']}" in found
    found = lines(Model(), Notice("unfinished", {"log": "/" + "x" * 60}), Model(), 60)
    assert "sobremesa resume" in "|".join(found)
    assert NO_BREAK not in "".join(found)


def test_moves_are_not_broken():
    person = Person(2, game="domino", seed="draws")
    person.width = 30
    person.sit()
    person.play()
    assert not any(line.endswith(("play", "end")) for line in person.read)


def test_wide_letters_count_twice():
    assert wrapped("漢漢漢漢漢漢漢漢 漢漢漢漢漢漢漢漢", 30) == [
        "漢漢漢漢漢漢漢漢",
        "  漢漢漢漢漢漢漢漢",
    ]


def test_a_nick_of_several_words_is_quoted_where_the_program_speaks_of_trust():
    liar = LobbySeat("Jon, whom you trust", "AAAA-BBBB-CCCC-DDDD")
    lobby = Lobby("escoba", {}, (LobbySeat("Ane", "A"), liar), (0,), 60)
    told = said(Model(), lobby)
    assert "p2: “Jon whom you trust”, fingerprint AAAA-BBBB-CCCC-DDDD" in told
