"""The plain face: the lines that it prints for each message. SOBREMESA_UPDATE=1 writes the golden
match anew."""

import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from client.i18n.sentences import COMMANDS, FAULTS
from client.i18n.translation import NO_BREAK
from client.session.messages import (
    Away,
    Back,
    News,
    Notice,
    Stored,
)
from client.ui.games import words_of
from client.ui.model import MatchPhase, Model
from client.ui.plain.lines import completions, lines, prompt
from client.ui.update import update
from engine.core.moves import IllegalMove
from engine.games.escoba.rules import Play
from p2p.net.text import columns
from p2p.table.events import Accused, Asked, Differs, Gone, Moved
from p2p.table.faults import FAULTS as FAULT_CLASSES
from p2p.table.faults import BadProof, Equivocation, IllegalPlay
from tests.client.ui.person import Person

GOLDEN = Path(__file__).parent / "escoba-match.txt"


PLAYED = [name for name in COMMANDS if name != "seats"]
"""The commands of a match: only the host of a table that fills arranges seats."""
OF_TWO = [name for name in PLAYED if name != "without"]
"""The commands at a table of two, who cannot vote."""


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


def test_a_difference_accuses_nobody(asked):
    found = news(asked, Differs(1, 5, b"\1" * 32, b"\2" * 32))
    assert found[0].startswith("nick1 continues from another state")
    assert "Nobody is accused" in found[1]
    assert "0202020202020202" in found[1]
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


def test_commands_to_be_copied_are_not_broken():
    facts = {"invite": "SOB" + "M" * 40}
    found = lines(Model(), Notice("invite", facts), Model(), 60)
    assert f"  sobremesa join {facts['invite']}" in found
    found = lines(Model(), Notice("unfinished", {"log": "/" + "x" * 60}), Model(), 60)
    assert "sobremesa resume" in "|".join(found)
    assert NO_BREAK not in "".join(found)
