"""A table that lies about its total in siete y media: the others name it before its turn goes on,
and only it."""

import pytest

from engine.core.moves import spell_move
from engine.games.siete_y_media.moves import Below, HitUp
from engine.games.siete_y_media.rules import SIETE_Y_MEDIA, WORTH
from p2p.table.faults import BadForm, BadProof
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


@pytest.mark.parametrize(
    "change", [lambda body: {"shares": []}, lambda body: {}], ids=["no share", "nothing"]
)
def test_a_seat_that_owes_an_opening_and_gives_none_is_named(change):
    lie = Lie(
        "opens nothing", OPEN, lambda liar, stage_key, head, body: change(body), (BadForm,), NAME
    )
    must_name(tell(lie, deals=6), 1, lie.faults)
