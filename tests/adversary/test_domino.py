"""A table that lies in each claim of dominoes: the others name it at the moment the rules say, and
only it."""

import itertools

import pytest

from engine.core.moves import spell_move
from engine.games import GAMES
from engine.games.domino import rules as domino
from engine.games.domino.count import is_double
from engine.games.domino.moves import Deny, Draw, Pass
from engine.games.domino.rules import Domino
from p2p.table.faults import BadProof, IllegalPlay
from tests.adversary.liar import Lie, must_name, ring_with, tell
from tests.adversary.plays import forge_claims, hidden, moves

ATTEST, ASK = ("attest", 0), ("ask", 0)


class Trusting(Domino):
    """Dominoes without proofs: the audits alone must keep the rules."""

    name = "trusting-domino"

    async def prove(self, seats, among, slots=None):
        del seats, among, slots


@pytest.fixture(autouse=True)
def trusting(monkeypatch):
    monkeypatch.setitem(GAMES.classes, Trusting.name, Trusting)


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
        lambda liar, said: [slot for slot in (said[1:] and shown(said)) if slot in hidden(liar)],
    )


def shown(said):
    return said[1] if type(said[1]) is list else [said[1]]


def game(liar):
    return liar.run.game


def doubles(liar):
    return [slot for slot, face in hidden(liar).items() if is_double(face)]


def asked_for_the_opener(liar):
    return game(liar).asked is not None


def asked_for_doubles(liar):
    return game(liar).asked is None


def has_the_tile(liar):
    return game(liar).asked in hidden(liar).values()


def can_play(liar):
    if game(liar).ends is None:
        return False
    return any(game(liar).fitting(slot, face) for slot, face in hidden(liar).items())


LIED_IN: dict[object, int] = {}
"""In which deal each liar was last asked about its doubles."""


def has_too_many(liar):
    LIED_IN[liar] = game(liar).shuffles
    return asked_for_doubles(liar) and len(doubles(liar)) >= domino.TOO_MANY_DOUBLES


def test_C1_five_doubles_kept_quiet_are_found_when_the_hand_is_open(monkeypatch):
    monkeypatch.setattr(domino, "TOO_MANY_DOUBLES", 3)  # five are too rare to wait for
    lie = Lie("keeps quiet", ATTEST, says(has_too_many, Deny()), (IllegalPlay,), "domino")
    for number in range(60):
        ring, liar = ring_with(lie, number)
        ring.settle()
        # nobody else had so many, and the deal is played
        if liar.told and game(liar).shuffles == LIED_IN.get(liar):
            break
    ring.play()
    must_name(ring, 1, lie.faults)
    assert game(ring.tables[0]).round == 1


@pytest.mark.slow
def test_C2_the_opening_tile_denied_is_found_by_the_proof_before_anything_is_played():
    lie = Lie(
        "denies it",
        ATTEST,
        says(lambda liar: asked_for_the_opener(liar) and has_the_tile(liar), Deny(), forging=True),
        (BadProof,),
        "domino",
    )
    ring = tell(lie)
    must_name(ring, 1, lie.faults)
    assert not game(ring.tables[0]).line


@pytest.mark.parametrize(
    ("move", "options"), [(Draw(), {}), (Pass(), {"draw": False})], ids=["draw", "pass"]
)
def test_C3_who_could_play_cannot_prove_that_nothing_fits(move, options):
    lie = Lie("holds back", ASK, says(can_play, move, forging=True), (BadProof,), "domino")
    must_name(tell(lie, target=20, **options), 1, lie.faults)


@pytest.mark.parametrize(
    ("move", "options"), [(Draw(), {}), (Pass(), {"draw": False})], ids=["draw", "pass"]
)
def test_C3_without_proofs_the_audit_finds_who_held_back(move, options):
    lie = Lie("holds back", ASK, says(can_play, move), (IllegalPlay,), Trusting.name)
    must_name(tell(lie, target=20, **options), 1, lie.faults)


def test_C3_a_tile_that_was_proven_is_not_proven_again():
    """A further draw at the same ends is a proof about the new tile only."""
    for number in range(40):
        ring, _ = ring_with(
            Lie("none", ("none", 0), lambda *args: None, (), "domino"), number, target=1
        )
        ring.play()
        claims = [
            (place, [len(entry.body["claims"]) for entry in step.entries])
            for place, step in enumerate(ring.tables[0].progress.records)
            if "claims" in step.entries[0].body
        ]
        one = [
            sizes
            for before, sizes in itertools.pairwise(claims)
            if sizes[0] - before[0] == 3 and len(sizes[1]) == 1
        ]
        if one:
            assert one[0][1] == [1]
            return
    raise AssertionError("nobody drew twice")
