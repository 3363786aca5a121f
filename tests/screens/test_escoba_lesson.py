"""The lesson of Escoba: its reasons for a laid card, and a tie."""

from __future__ import annotations

import random
import re
from itertools import islice

import pytest

from client.ui.games import lesson_of
from engine.core.cards import SPANISH_40
from engine.games.escoba.rules import WORTH
from tests.sample import sample
from tests.screens.learner import Learner


@pytest.mark.slow
@pytest.mark.parametrize("seeds", sample([8, 30], 1))
def test_a_card_of_escoba_is_laid_for_a_reason_in_the_own_hand(seeds):
    """Whether we hold the sweeping card, or keep cards that count more."""
    lesson, reasons = lesson_of("escoba"), set[str]()
    for seed in range(seeds):
        learner, chance = Learner("escoba", seed), random.Random(seed)
        while not learner.lesson.over:
            learner.read_on()
            view = learner.model.view
            moves = list(islice(view.options or (), 200))
            for move in (move for move in moves if not move.takes):
                said = lesson.reason(learner.model, view, move)
                hand = {
                    face
                    for slot in view.game.hands[view.seat]
                    if slot != move.card and (face := view.face(slot))
                }
                if found := re.search(
                    r"a card worth (\d+) sweeps it\. You hold (?:one|some) yourself: (.+)\.", said
                ):
                    cards = re.split(", | and ", found[2])
                    assert {WORTH[card] for card in cards} == {int(found[1])}
                    assert hand.issuperset(cards)
                    reasons.add("held")
                elif found := re.search(r"You keep (.+), which counts? more\.", said):
                    cards = set(re.split(", | and ", found[1]))
                    assert cards == {card for card in hand if card[0] == "7" or card[-1] == "o"}
                    assert view.face(move.card)[0] != "7"
                    assert view.face(move.card)[-1] != "o"
                    reasons.add("kept")
            learner.make(chance.choice(moves))
    assert reasons == {"held", "kept"}


@pytest.mark.slow
def test_the_sweep_that_a_suggestion_leaves_is_told_until_all_cards_of_its_worth_are_gone():
    lesson, found = lesson_of("escoba"), set[tuple[bool, bool]]()
    for seed in range(6):
        learner, chance = Learner("escoba", seed), random.Random(seed)
        while not learner.lesson.over:
            learner.read_on()
            view = learner.model.view
            moves = list(islice(view.options or (), 200))
            for move in moves:
                left = {*view.game.on_table, move.card} - {*move.takes}
                if move.takes:
                    left.remove(move.card)
                said = lesson.reason(learner.model, view, move)
                if not left:
                    assert "an eskoba" in said
                    continue
                total = sum(WORTH[view.face(slot)] for slot in left)
                gone = {*view.game.faces.values(), view.face(move.card)}
                worth = [card for card in SPANISH_40 if WORTH[card] == 15 - total]
                open_to = any(card not in gone for card in worth)
                line = (
                    f"only a card worth {15 - total} sweeps it" if open_to else "no card sweeps it"
                )
                assert f"The table then makes {total}, and {line}." in said
                found.add((bool(move.takes), open_to or not worth))
            learner.make(chance.choice(moves))
    assert found == {(True, True), (True, False), (False, True), (False, False)}
