"""A hint of Truco among partners: a partner's card is nobody's to be beaten."""

from __future__ import annotations

import re
from random import Random

import pytest

from client.ui.games import lesson_of
from engine.bots import chance
from engine.games.truco.moves import Play
from engine.games.truco.worth import STRENGTH
from tests.screens.stage import Stage, view_of


def reason(cards: list[str], seat: int) -> str:
    """Return what a hint says of the first card of a seat, when those before it have played."""
    deck = [*cards, *[card for card in STRENGTH if card not in cards]]
    stage = Stage("truco", 4, seat, decks=[deck])
    stage.do(*(f"p{other + 1} play {cards[other]}" for other in range(seat)))
    view = view_of(stage.state)
    slot = view.game.hands[seat][0]
    return lesson_of("truco").reason(stage.state.match, view, Play(slot))


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_hint_tells_the_truth_of_the_cards_in_a_trick(players):
    """Also if a seat has given up, and with cards on the table."""
    said = 0
    for seed in range(6):
        random = Random(seed)
        stage = Stage("truco", players, seed % players, seed=seed, target=30)
        for _move in range(300):
            if stage.over:
                break
            if stage.state.match.asked:
                said += check(stage)
            stage.step(player=lambda view, _choose, random=random: calmly(view, random))
    assert said > 50


def calmly(view, random: Random):
    """Play cards by chance, and seldom call anything."""
    cards = [move for move in view.options if isinstance(move, Play)]
    return (
        random.choice(cards)
        if cards and random.random() < 0.9
        else chance.play(view, random.randrange)
    )


def check(stage: Stage) -> int:
    view, lesson, game = view_of(stage.state), lesson_of("truco"), stage.game
    seat = view.seat
    trick = game.tricks[-1] if len(game.tricks) > len(game.results) else []
    sides = [[], []]
    for other, slot in trick:
        sides[game.side(other) == game.side(seat)].append(game.faces[slot])
    rivals, ours = (max((STRENGTH[face] for face in faces), default=0) for faces in sides)
    found = 0
    for move in view.options:
        if not isinstance(move, Play) or not trick:
            continue
        found += 1
        strength = STRENGTH[view.face(move.card)]
        text = lesson.reason(stage.state.match, view, move)
        named = re.findall(r"\d+[oceb]", text)[1:]
        if "partner" in text:
            assert named[-1] in sides["tied" not in text]
            assert (
                ours >= max(rivals, strength) if "tied" not in text else ours == rivals > strength
            )
        elif "everything" in text:
            assert strength > max(ours, rivals)
        else:
            assert named[0] in sides[0]
            assert STRENGTH[named[0]] == rivals
            true = {"ties": strength == rivals, "loses": strength < rivals > ours}
            words = [word for word in true if word in text] or [""]
            assert true.get(words[0], (strength > rivals) is ("nothing" not in text)), text
    return found
