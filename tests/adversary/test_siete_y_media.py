"""A table that lies about its total in siete y media: the others name it before its turn goes on,
and only it."""

import pytest

from engine.core.moves import spell_move
from engine.games.siete_y_media.rules import (
    SIETE_Y_MEDIA,
    WORTH,
    Below,
    Bet,
    HitDown,
    HitUp,
    Stand,
    TurnUp,
)
from p2p.table.faults import BadForm, BadProof, IllegalPlay
from tests.adversary.liar import Lie, must_name, tell
from tests.adversary.plays import forge_claims, hidden, moves

ATTEST, ASK, OPEN = ("attest", 0), ("ask", 0), ("open", 0)
NAME = "siete-y-media"


@pytest.fixture(autouse=True)
def cards_are_asked_for(monkeypatch):
    """The first choice of a punto is to stand: let these tables ask for a card first."""
    monkeypatch.setattr("tests.ring.Ring.play", _play)


def _play(ring):
    ring.settle()
    for _ in range(60):
        asked = [table for table in ring.tables if table.asked]
        if not asked:
            break
        for table in asked:
            if table.asked:
                options = list(table.view().options)
                table.act(next((move for move in options if isinstance(move, HitUp)), options[0]))
                ring.settle()
    ring.settle()


def says(condition, move, *, forging=False):
    """Say this instead of the truth where the condition holds of the liar."""

    def pick(liar):
        if not condition(liar):
            return None
        if forging:
            forge_claims(liar)
        return spell_move(move(liar) if callable(move) else move)

    return moves(
        pick,
        lambda liar, said: [
            slot for slot in said[1:2] if said[0] in ("TurnUp", "HitDown") and slot in hidden(liar)
        ],
    )


def game(liar):
    return liar.run.game


def total(liar):
    return game(liar).shown(liar.seat) + sum(WORTH[face] for face in hidden(liar).values())


def over(liar):
    return total(liar) > SIETE_Y_MEDIA


def seven(liar):
    return total(liar) == SIETE_Y_MEDIA


def below(liar):
    return total(liar) < SIETE_Y_MEDIA


def as_punto(liar):
    return liar.seat in game(liar).stakes


def before_the_bet(liar):
    return liar.seat != game(liar).bank and not as_punto(liar)


def as_bank(liar):
    return liar.seat == game(liar).bank


@pytest.mark.parametrize(
    ("condition", "name"), [(over, "over"), (seven, "siete y media")], ids=["over", "seven"]
)
def test_A1_below_cannot_be_proven_and_the_turn_does_not_go_on(condition, name):
    lie = Lie(
        f"{name} kept quiet", ATTEST, says(condition, Below(), forging=True), (BadProof,), NAME
    )
    ring = tell(lie, deals=6)
    must_name(ring, 1, lie.faults)
    assert game(ring.tables[0]).left == [1]


def test_A1_a_card_that_is_below_is_not_shown():
    lie = Lie(
        "shows it all the same",
        ATTEST,
        says(below, lambda liar: TurnUp(min(hidden(liar)))),
        (IllegalPlay,),
        NAME,
    )
    must_name(tell(lie, deals=6), 1, lie.faults)


@pytest.mark.parametrize(
    ("name", "condition", "move", "faults"),
    [
        ("bets nothing", before_the_bet, Bet(0), (IllegalPlay,)),
        ("bets too much", before_the_bet, Bet(11), (IllegalPlay,)),
        ("bets less than nothing", before_the_bet, Bet(-5), (IllegalPlay,)),
        ("stands before it bets", before_the_bet, Stand(), (IllegalPlay,)),
        ("bets twice", as_punto, Bet(1), (IllegalPlay,)),
        ("raises too much", as_punto, Stand(50), (IllegalPlay,)),
        ("raises by less than nothing", as_punto, HitUp(-1), (IllegalPlay,)),
        ("attests without being asked", as_punto, Below(), (IllegalPlay,)),
        (
            "turns up another's card",
            as_punto,
            lambda liar: HitDown(game(liar).hands[(liar.seat + 1) % 3][0]),
            (IllegalPlay,),
        ),
        (
            "turns up a card of the stock",
            as_punto,
            lambda liar: HitDown(game(liar).stock[0]),
            (IllegalPlay,),
        ),
        ("raises as the bank", as_bank, Stand(1), (IllegalPlay,)),
        ("bets as the bank", as_bank, Bet(1), (IllegalPlay,)),
        (
            "hides as the bank",
            as_bank,
            lambda liar: HitDown(game(liar).hands[liar.seat][0]),
            (IllegalPlay,),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_moves_against_the_rules_are_named_at_once(name, condition, move, faults):
    lie = Lie(name, ASK, says(condition, move), faults, NAME)
    must_name(tell(lie, deals=6), 1, lie.faults)


@pytest.mark.parametrize(
    "change", [lambda body: {"shares": []}, lambda body: {}], ids=["no share", "nothing"]
)
def test_a_seat_that_owes_an_opening_and_gives_none_is_named(change):
    lie = Lie(
        "opens nothing", OPEN, lambda liar, stage_key, head, body: change(body), (BadForm,), NAME
    )
    must_name(tell(lie, deals=6), 1, lie.faults)
