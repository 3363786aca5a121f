"""Typed lines about the people at the table, and those that only players have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.i18n.sentences import PLAYERS_ONLY
from client.session.messages import (
    Compare,
    Lobby,
    LobbySeat,
    Vouch,
    Words,
)
from client.ui.model import Model
from client.ui.update import update
from tests.client.ui.person import Person
from tests.client.ui.test_update import reply_of, typed

LETTERS = (
    "7K3M-Q2XD-9TCA-4HWE",
    "M3PS-AAAA-BBBB-CCCC",
    "M3PT-AAAA-BBBB-CCCC",
    "7K3M-XXXX-BBBB-CCCC",
)


@pytest.fixture
def full() -> Model:
    """A table with us, Miren Ane, Jon and a computer."""
    nicks = ("Ane", "Miren Ane", "Jon", "Computer 1")
    seats = tuple(
        LobbySeat(nick, letters, bot=nick[-1] == "1")
        for nick, letters in zip(nicks, LETTERS, strict=True)
    )
    return update(Model(), Lobby("escoba", {}, seats, (0, 3), 120))[0]


@pytest.mark.parametrize(
    "line", ["trust p3", "TRUST P3", "trust M3PT-AAAA-BBBB-CCCC", "trust  m3pt-aaaa-bbbb-cccc "]
)
def test_a_player_that_is_trusted_is_named_by_the_seat_or_the_fingerprint(full, line):
    assert typed(full, line)[1] == (Vouch(LETTERS[2]),)


@pytest.mark.parametrize(
    "line",
    ["trust", "trust Jon", "trust M3PT", "trust p1", "trust p5", f"trust {LETTERS[0]}"],
)
def test_only_other_people_named_by_seat_or_fingerprint_are_trusted(full, line):
    model, commands = typed(full, line)
    assert commands == ()
    assert reply_of(model) == ["trust-whom"]


@pytest.mark.parametrize("line", ["trust p4", "mute p4", f"mute {LETTERS[3]}"])
def test_a_computer_player_is_neither_trusted_nor_muted_and_the_answer_names_it(full, line):
    model, commands = typed(full, line)
    assert commands == ()
    assert reply_of(model) == ["no-person"]
    assert model.reply[0].params["who"] == full.players[3].nick


@pytest.mark.parametrize("command", PLAYERS_ONLY)
def test_a_spectator_is_told_that_only_players_can_do_that(command):
    watching = replace(Person(2).sit().model, seat=None, asked=False)
    model, commands = typed(watching, f"{command} yes")
    assert (commands, reply_of(model)) == ((), ["watching"])


@pytest.mark.parametrize("nick", [LETTERS[2], LETTERS[2][:9], "p3", "-"])
def test_a_player_whose_nick_looks_like_somebody_elses_fingerprint_or_seat_is_not_trusted_for_them(
    full, nick
):
    eve = replace(full.players[1], nick=nick)
    model = replace(full, players=(full.players[0], eve, *full.players[2:]))
    assert typed(model, f"trust {LETTERS[2]}")[1] == (Vouch(LETTERS[2]),)
    assert typed(model, "trust p3")[1] == (Vouch(LETTERS[2]),)


def test_a_seat_that_has_another_player_than_when_the_words_were_shown_is_not_trusted(full):
    """Guests come and go while two people compare their words: a seat is no name of a player."""
    shown = update(full, Words({LETTERS[1]: "a b c", LETTERS[2]: "d e f"}))[0]
    assert typed(shown, "trust p2")[1] == (Vouch(LETTERS[1]),)
    seats = (shown.players[0], shown.players[2], shown.players[1], shown.players[3])
    moved = update(shown, Lobby("escoba", {}, seats, (0, 3), 120))[0]
    assert typed(moved, "trust p2")[1] == (Compare(),), "the words are shown once more"
    assert typed(moved, f"trust {LETTERS[1]}")[1] == (Vouch(LETTERS[1]),)
    again = update(moved, Words({LETTERS[1]: "a b c", LETTERS[2]: "d e f"}))[0]
    assert typed(again, "trust p2")[1] == (Vouch(LETTERS[2]),)
