"""The table of Kínaskák as a view: its cards, heaps, melds and buttons when they are clicked."""

from __future__ import annotations

import pytest

from client.ui.games.kinaskak import laying
from client.ui.games.kinaskak.words import WORDS
from client.ui.screen.table_words import scene_of
from client.ui.view.action import Card
from client.ui.view.sentences import MELD, aloud, drawn
from client.ui.view.views import view_of
from engine.games.kinaskak.moves import Lay, Meld, Say
from tests.client.ui.screen.boxes import reading
from tests.client.ui.view.cast import STATES
from tests.client.ui.view.tables import fitting
from tests.screens.stage import Stage, done
from tests.screens.test_kinaskak import playing, stage


def click(table: Stage, *things: str) -> Stage:
    """Click on things that are seen, one after the other."""
    for thing in things:
        table.press(*view_of(table.state).clicks()[thing][0])
    return table


def pick(table: Stage, *faces: str) -> Stage:
    """Click on cards of our hand."""
    for face in faces:
        hand = view_of(table.state).table.hand
        click(table, next(one.id for one in hand if (one.face, one.state) == (face, "")))
    return table


def offered(table: Stage) -> dict[str, str]:
    """Return the buttons below the table that can be clicked, with their words; the main one is
    marked."""
    actions = view_of(table.state).table.actions
    return {
        one.id: ("! " if one.role == "main" else "") + aloud(one.label)
        for one in actions
        if one.keys and one.role != "tool"
    }


@pytest.mark.parametrize(
    ("thing", "word"),
    [("take", "take"), ("open:take", "take"), ("decline", "decline"), ("stock:draw", "decline")],
)
def test_one_click_answers_for_the_open_card(thing, word):
    assert done(click(stage(), thing)) == [Say(word)]


def test_melds_are_made_one_by_one_and_laid_down_when_all_are_there():
    table = pick(playing(), "3h", "4h", "5h", "6h")
    assert offered(table) == {"key:m": "! lay down", "back": "put back"}
    click(table, "key:m")
    assert wants(table) == {"want:1": ("3h 4h 5h 6h", "new"), "want:2": ("", "")}
    click(table, "lay-so")
    assert wants(table) == {"want:1": ("3h 4h 5h 6h", ""), "want:2": ("", "")}
    assert "3h" not in [one.face for one in view_of(table.state).table.hand]
    click(pick(table, "9c", "9d", "9s"), "key:m")
    assert isinstance(done(click(table, "lay-so"))[-1], Meld)
    assert wants(table) == {}


def wants(table: Stage) -> dict[str, tuple[str, str]]:
    """Return the melds of the tray: their cards, and whether they are only shown."""
    return {
        zone.id: (" ".join(one.face for one in zone.cards), zone.state)
        for zone in view_of(table.state).table.zones
        if zone.id.startswith("want:")
    }


def test_a_meld_that_takes_the_picked_card_is_clicked_to_see_it_there_and_again_to_lay_it():
    table = Stage("kinaskak", 5, first=1, seed=9).until(fitting)
    moves = laying.moves_of(scene_of(table.state), "lay")
    taking = {move.meld for move in moves if isinstance(move, Lay)}
    assert len(taking) > 1
    for number in [*sorted(taking), min(taking)]:
        click(table, f"on:{number}")
        (new,) = [zone for zone in view_of(table.state).table.zones if zone.state == "new"]
        assert new.id == f"meld:{number}"
    click(table, f"on:{min(taking)}")
    assert done(table)[-1].meld == min(taking)


def test_the_question_says_which_meld_takes_the_picked_card_and_whose_it_is():
    table = Stage("kinaskak", 5).until(fitting)
    assert aloud(view_of(table.state).table.prompt.more) == "lay 5 of diamonds on Miren's set 4"
    assert offered(table)["key:l"] == "lay on 4"
    click(table, "on:4")
    assert aloud(view_of(table.state).table.prompt.more) == "lay 5 of diamonds on Miren's set 4"
    table = Stage("kinaskak", 5, first=1, seed=9).until(fitting)
    moves = laying.moves_of(scene_of(table.state), "lay")
    numbers = " or ".join(f"{move.meld}" for move in moves if isinstance(move, Lay))
    assert aloud(view_of(table.state).table.prompt.more).endswith(f" on {numbers}")
    assert offered(table)["key:l"] == "lay off"


def test_a_shuffle_says_how_far_it_is():
    prompt = view_of(STATES["kinaskak-shuffle"]()).table.prompt
    assert (prompt.words, prompt.done) == ("Nekane Agirrezabalaga shuffles: 3 of 6", (2, 6))
    assert view_of(STATES["kinaskak"]()).table.prompt.done is None


@pytest.mark.parametrize("lang", ["en", "is"])
def test_the_cards_of_a_sentence_are_drawn_in_the_letters_of_the_reader(lang):
    with reading(lang):
        queen = drawn("french", {"en": "Q♥", "is": "D♥"}[lang])
        assert [one.face for one in queen] == ["Qh"]
        said = drawn("french", "10♦ *9♣ *10 * m3, M3 Q♥x 5")
    found = [(one.kind, one.face) for one in said if isinstance(one, Card)]
    french = [("french", face) for face in ("Td", "*9c", "*T", "*")]
    assert found[:5] == [*french, (MELD, "3")]


def test_a_player_who_has_left_is_ahead_no_more():
    stage = Stage("kinaskak", 5, seed=2).until(lambda stage: stage.game.round == 2)
    seats = view_of(stage.state).table.seats
    (leader,) = [seat.number for seat in seats if seat.first]
    if leader == 0:
        (leader,) = sorted(range(1, 5), key=lambda seat: stage.game.score[seat])[:1]
        stage.game.score[leader] = -10
    stage.leave(leader).until(lambda stage: stage.game.round == 3)
    seats = {seat.number: seat for seat in view_of(stage.state).table.seats}
    assert seats[leader].state == "gone"
    assert seats[leader].first == ""
    assert any(seat.first for seat in seats.values())


def test_a_round_that_is_played_again_counts_and_says_so():
    stage = Stage("kinaskak", 5).until(lambda stage: stage.game.round == 2)
    assert view_of(stage.state).lines[0].startswith("round 2 of 8")
    stage.leave(2).until(lambda stage: stage.game.round == 3)
    assert view_of(stage.state).lines[0] == "round 3 of 9: two sets"
    assert "Round 3 of 9: two sets." in WORDS.state(stage.state.match.names, stage.state.match.view)
    again = "A player has left in round 2, so its contract is played again."
    assert again in stage.state.log
    stage.until(lambda stage: stage.game.round == 4)
    assert again.replace("round 2", "round 3") not in stage.state.log


def test_a_question_about_buying_is_not_called_our_turn():
    stage = Stage("kinaskak", 4)
    stage.until(lambda stage: stage.state.match.asked and stage.game.phase == "window")
    view = view_of(stage.state)
    assert view.table.prompt.words == "A question for you"
    assert view.title.startswith("▶ A question for you")
    assert "▶ A question for you" in stage.text(120, 40)
    stage.until(lambda stage: stage.state.match.asked and stage.game.phase == "offer")
    assert view_of(stage.state).table.prompt.words == "Your turn"
