"""The lines of a table that fills, and of a match that begins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import (
    Lobby,
    LobbySeat,
)
from client.ui.model import Model
from client.ui.plain.lines import lines
from client.ui.update import update
from tests.client.ui.plain.test_lines import said


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
        "If you leave for good, you have lost. The cards are gathered, and the others play on.",
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
    price = "If you leave for good, you have lost. The cards are gathered, and the others play on."
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
    assert ("the match is over" in told) is not goes_on


def test_a_resume_before_all_have_signed_names_the_missing_once():
    ane, jon, mary = (LobbySeat(nick, nick) for nick in ("Ane", "Jon", "Mary"))
    first = Lobby("escoba", {}, (ane, jon, mary), (0,), 120, away=frozenset({1, 2}))
    told = said(Model(), first)
    assert "p2: Jon, fingerprint Jon" in told
    assert told[-1] == "Play begins when all have signed. Still missing: Jon and Mary."
    model, _ = update(Model(), first)
    assert said(model, first) == []
    assert said(model, replace(first, away=frozenset({2}))) == [
        "Play begins when all have signed. Still missing: Mary."
    ]
