"""The plain face: the lines that it prints for each message, while a table fills too.

SOBREMESA_UPDATE=1 writes the golden match anew."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from client.i18n.sentences import FAULTS, TYPED_COMMANDS
from client.session.messages import Away, Back, Lobby, LobbySeat, News, Seated, Stored
from client.ui.games import words_of
from client.ui.model import NO_TABLE, MatchPhase, Model, Pending
from client.ui.plain.ending import won
from client.ui.plain.lines import completions, lines, prompt
from client.ui.update import update
from engine.core.moves import IllegalMove
from engine.games.escoba.rules import Play
from p2p.net.text import columns
from p2p.table.events import Accused, Asked, Differs, Moved
from p2p.table.faults import FAULTS as FAULT_CLASSES
from p2p.table.faults import Equivocation, IllegalPlay
from p2p.table.terms import vouch
from tests.client.ui.person import Person
from tests.ring import identities
from tests.screens.stage import Stage, terms_of

GOLDEN = Path(__file__).parent / "escoba-match.txt"


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
    voting = replace(asked.model, pending=Pending.WITHOUT, late=frozenset({0}))
    assert said(voting, Back(1)) == ["nick1 is back."]
    assert said(replace(voting, late=frozenset({1})), Back(1)) == [
        "The vote is off: nick1 is back."
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
        assert found.pop(2) == "nick1 laid a card down instead of making 15 with 7o."
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


def test_the_lobby_shows_the_game_the_options_and_the_price_of_leaving_first():
    ane, jon = LobbySeat("Ane", "AAAA-BBBB"), LobbySeat("Jon\x1b[2J", "CCCC-DDDD")
    options = {"target": 21, "teams": False}
    first = Lobby("escoba", options, (ane, None, None), (0,), 120)
    model, _ = update(Model(), first)
    assert lines(Model(), first, model) == [
        "Escoba: Take cards from the table that make 15 with one of yours.",
        "Options: Points to win: 21; Partners: no",
        "When the table has waited 120 s for a player, the others may vote to go on without that "
        "player.",
        "If you leave for good, you lose. The cards are gathered, and the others play on.",
        "Between people the programs give no hints.",
        "p1: Ane, that is you",
        "2 seats are free.",
    ]
    second = Lobby("escoba", options, (ane, jon, None), (0,), 120)
    assert said(model, second) == ["p2: Jon, fingerprint CCCC-DDDD", "1 seat is free."]
    assert said(update(model, second)[0], first) == ["p2 is free again.", "2 seats are free."]
    assert said(model, first) == []


def test_a_guest_hears_the_price_of_leaving_when_it_sits_down_and_a_spectator_never_does():
    ane, jon = LobbySeat("Ane", "AAAA-BBBB"), LobbySeat("Jon", "CCCC-DDDD")
    price = "If you leave for good, you lose. The cards are gathered, and the others play on."
    seen = Lobby("escoba", {}, (ane, None, None), (), 120)
    assert price not in said(Model(), seen)
    model, _ = update(Model(), seen)
    sits = Lobby("escoba", {}, (ane, jon, None), (1,), 120)
    assert said(model, sits) == ["p2: Jon, that is you", "1 seat is free.", price]
    assert price not in said(update(model, sits)[0], replace(sits, seats=(ane, jon, jon)))
    others = Lobby("escoba", {}, (ane, jon, None), (), 120)
    assert said(model, others) == ["p2: Jon, fingerprint CCCC-DDDD", "1 seat is free."]
    computer = replace(sits, seats=(ane, replace(jon, bot=True), None))
    assert price not in said(model, computer)


@pytest.mark.parametrize("limit", [0, 120])
@pytest.mark.parametrize(
    ("game", "options", "goes_on"),
    [
        ("escoba", {}, True),
        ("escoba", {"leaving": "end"}, False),
        ("escoba", {"teams": True}, False),
        ("domino", {}, True),
        ("domino", {"partners": True}, False),
        ("siete-y-media", {}, True),
        ("truco", {}, False),
        ("kinaskak", {}, True),
        ("kinaskak", {"leaving": "end"}, False),
    ],
)
def test_the_terms_say_whether_the_rules_end_the_match_after_a_vote(game, options, goes_on, limit):
    players = (LobbySeat("Ane", "AAAA-BBBB"), None, None, None)
    told = "\n".join(said(Model(), Lobby(game, options, players, (0,), limit)))
    assert ("vote to go on without that player" in told) is goes_on
    assert ("vote to end the match without that player" in told) is not goes_on
    assert ("the match ends" in told) is not goes_on


def test_a_resume_before_all_have_signed_names_the_missing_once():
    ane, jon, mary = (LobbySeat(nick, nick) for nick in ("Ane", "Jon", "Mary"))
    first = Lobby("escoba", {}, (ane, jon, mary), (0,), 120, away=frozenset({1, 2}))
    told = said(Model(), first)
    assert "p2: Jon, fingerprint Jon" in told
    assert told[-1] == "The match goes on when everybody is back. Still away: Jon and Mary."
    model, _ = update(Model(), first)
    assert said(model, first) == []
    assert said(model, replace(first, away=frozenset({2}))) == [
        "The match goes on when everybody is back. Still away: Mary."
    ]


ANE = LobbySeat("Ane", "AAAA")


@pytest.mark.parametrize(
    ("player", "line"),
    [
        (LobbySeat("Jon", "JJJJ", computer=True), "p2: Jon, fingerprint JJJJ; computer"),
        (LobbySeat("Jon", "JJJJ", trust="known"), "p2: Jon, fingerprint JJJJ, whom you have met"),
        (LobbySeat("Jon", "JJJJ", trust="trusted"), "p2: Jon, fingerprint JJJJ, whom you trust"),
        (LobbySeat("Jon", "JJJJ", trust="blocked"), "p2: Jon, fingerprint JJJJ, blocked"),
        (
            LobbySeat("Eva", "EEEE", machine="MMMM"),
            "p2: Eva, fingerprint EEEE; on the machine of MMMM",
        ),
        (LobbySeat("Eva", "EEEE", machine="AAAA"), "p2: Eva, fingerprint EEEE; on this machine"),
        (LobbySeat("Bo", "BBBB", computer=True, machine="MMMM"), "p2: Bo, computer of MMMM"),
        (
            LobbySeat("Jon", "JJJJ", broken_off=1),
            "Jon broke off 1 match with you while behind, and has not come back to it.",
        ),
    ],
)
def test_a_line_says_what_a_seat_is(player, line):
    lobby = Lobby("escoba", {}, (ANE, player), (0,), 120)
    assert line in lines(Model(), lobby, update(Model(), lobby)[0])


def test_a_seat_on_another_machine_is_told_once_more_when_the_match_begins():
    jon, ane = identities(2)
    terms = terms_of("escoba", 2, ("Jon", "Ane"), {})
    visitor = replace(terms.participants[1], machine=jon.public, voucher=vouch(jon, ane.public))
    seats = (terms.participants[0], visitor)
    lobby = Lobby("escoba", terms.options, tuple(map(LobbySeat.of, seats)), (0,), 120)
    filled = update(Model(), lobby)[0]
    begins = Seated(replace(terms, participants=seats), 0, "abc")
    told = lines(filled, begins, update(filled, begins)[0])
    assert "Ane plays on this machine, which could read these cards." in told
    assert sum("Ane" in line for line in told) == 1
    # a player that comes back has seen nobody sit down, and reads it with the seat
    anew = lines(Model(), begins, update(Model(), begins)[0])
    assert any(line.startswith("p2: Ane") and "on this machine" in line for line in anew)


@pytest.mark.parametrize(
    ("seat", "winners", "said"),
    [
        (0, (0, 1), "You share the win with Jon."),
        (0, (0, 1, 2), "You share the win with Jon and Miren."),
        (0, (1, 2), "Jon and Miren share the win."),
        (None, (0, 1), "Ane and Jon share the win."),
    ],
)
def test_a_tie_is_no_win_of_partners(seat, winners, said):
    assert won(replace(Stage("escoba", 3, seat=seat).state.match, winners=winners)) == said


PLAYED = [name for name in TYPED_COMMANDS if name != "seats"]
"""The commands of a match: only the host of a table that fills arranges seats."""
OF_TWO = [name for name in PLAYED if name != "without"]
"""The commands at a table of two, who cannot vote."""


def commands_in(answer: list[str]) -> list[str]:
    """Return the commands that `help` lists."""
    heads = ("And besides:", "You can type:")
    (at,) = (at for at, line in enumerate(answer) if line in heads)
    return [line.split()[0] for line in answer[at + 1 :]]


def test_completions_are_the_legal_moves_then_the_commands(asked):
    view = asked.model.view
    faces = {**view.game.faces, **view.faces}
    assert completions(asked.model) == [
        *(view.game.write(move, faces) for move in view.options),
        *OF_TWO,
    ]
    assert completions(replace(asked.model, asked=False)) == OF_TWO
    assert completions(Model()) == PLAYED
    assert completions(Model(lobby=replace(NO_TABLE, hosting=True))) == [*TYPED_COMMANDS]
    assert prompt(Model()) == "> "


def test_help_lists_the_moves_and_the_commands(asked):
    found = asked.type("help")
    assert found[0] == "You may:"
    assert "And besides:" in found
    assert commands_in(found) == OF_TWO
    assert commands_in(Person(3).sit().type("help")) == PLAYED
