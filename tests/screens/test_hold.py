"""The table as it stood when a deal ended stays until a key is pressed, and the match goes on
behind it; so it does when a seat has left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import Act, Command, Seated
from client.ui.model import MatchPhase
from client.ui.view.views import view_of
from engine.core.cards import SPANISH_40
from tests.screens.stage import SIZES, Stage, check_rows, golden, terms_of

STAYS = "The table stays like this until you press a key."
NEXT = "Your turn comes next: press a key."
GAMES = [("domino", 3), ("escoba", 2), ("kinaskak", 3), ("siete-y-media", 3), ("truco", 2)]


def held(game: str, players: int, **how) -> Stage:
    """Return a table that has just been held for the first time."""
    return Stage(game, players, hold=True, seed=3, **how).until(
        lambda stage: bool(stage.state.held)
    )


def acts(commands: list[Command]) -> list[Command]:
    return [command for command in commands if isinstance(command, Act)]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_the_table_as_it_stood_stays_until_a_key_and_the_line_says_so(game, players):
    stage = held(game, players)
    for columns, rows in SIZES:
        shown = check_rows(stage.state, columns, rows)
        assert STAYS in shown or NEXT in shown
        assert shown.splitlines()[-1] == " Enter continue"
    before = stage.text()
    assert stage.tick(60).text() == before


@pytest.mark.parametrize(("game", "players"), GAMES)
@pytest.mark.slow
def test_a_key_leaves_the_held_table_and_does_nothing_else(game, players):
    stage = held(game, players)
    before, made = stage.state, len(acts(stage.commands))
    for key in ("enter", "1", "c", "escape", "?", ":", "q", "right"):
        stage.state = before
        stage.press(key)
        assert len(acts(stage.commands)) == made, key
        assert replace(stage.state, moment=None) == replace(before, held=(), moment=None), key


@pytest.mark.parametrize(("game", "players"), GAMES)
@pytest.mark.slow
def test_every_held_table_can_be_drawn_until_the_match_is_over(game, players):
    stage = Stage(game, players, hold=True, seed=5)
    seen = 0
    while not stage.over:
        stage.step()
        while stage.state.held:
            for size in SIZES:
                check_rows(stage.state, *size)
            stage.press(" ")
            seen += 1
    assert seen >= 2
    assert stage.state.match.phase is MatchPhase.OVER
    assert STAYS not in stage.text()


def test_the_card_that_went_over_is_seen():
    deck = ["6o", "4e", "7c", "10b", "2o"]
    pack = [[*deck, *(card for card in SPANISH_40 if card not in deck)]]
    stage = Stage("siete-y-media", 2, first=1, decks=pack, hold=True).press("enter", "u", "u")
    assert "│7  │" in stage.text()
    assert "bust" in stage.text()
    golden("siete-y-media-held", stage)
    assert stage.press("u").state.count.lines
    assert "│7  │" not in stage.text()


def test_nobody_holds_for_a_computer_or_a_spectator():
    stage = Stage("escoba", 2, seat=None, hold=True, seed=3).until(
        lambda stage: stage.game.round > 1
    )
    assert not stage.state.held
    stage = Stage("escoba", 2, hold=True, seed=3)
    terms = terms_of("escoba", 2, ("Ane", "Jon"), {})
    stage.tell(Seated(terms, 0, terms.match.hex(), auto=True))
    assert not stage.until(lambda stage: stage.game.round > 1).state.held


@pytest.mark.parametrize("seat", [0, None])
def test_the_count_goes_by_itself_before_a_player_who_only_looks_on(seat):
    """One who is out for good, or a spectator, presses nothing after each deal."""
    stage = Stage("siete-y-media", 3, seat=seat, chips=10, deals=0, seed=4)
    stage.until(
        lambda stage: (
            seat not in stage.game.seats and bool(stage.state.count.lines) and not stage.over
        ),
        by_chance=True,
    )
    assert stage.state.timed
    assert stage.tick(70).state.count.lines
    assert not stage.tick(20).state.count.lines


def test_the_count_stays_before_a_player_until_a_key():
    stage = Stage("escoba", 2).until(lambda stage: bool(stage.state.count.lines) and not stage.over)
    assert stage.tick(100).state.count.lines
    assert not stage.press("enter").state.count.lines


TABLES = [
    ("escoba", 3, {"target": 3}, 0),
    ("escoba", 4, {"target": 3}, 2),
    ("domino", 4, {"target": 5}, 0),
    ("domino", 3, {"target": 5}, 2),
    ("kinaskak", 4, {"last_contract": 1}, 2),
]


@pytest.mark.parametrize(("game", "players", "options", "gone"), TABLES)
def test_a_match_is_shown_to_its_end_without_the_seat_that_has_left(game, players, options, gone):
    stage = Stage(game, players, 1, **options)
    for _move in range(15):
        stage.step(by_chance=True)
    stage.leave(gone)
    nick = stage.state.match.players[gone].nick
    assert f"{nick} ✗" in stage.text(120, 40)
    while not stage.over:
        for columns, rows in SIZES:
            stage.text(columns, rows)
        assert view_of(stage.state) is not None
        stage.step(by_chance=game != "kinaskak")
    assert gone not in stage.game.winners
    assert view_of(stage.state) is not None
