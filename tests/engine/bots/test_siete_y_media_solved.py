"""Siete y media for two is solved by deals to come and lead; hint and analysis follow from it."""

import hashlib
from random import Random

import pytest

from engine.bots import siete_y_media
from engine.bots.player import offering
from engine.bots.siete_y_media_table import (
    CHIPS,
    FINE,
    PLAYED,
    STATES,
    punto_wins,
    solution,
    unpacked,
    values,
    width,
)
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.siete_y_media.moves import HitUp, Stand
from engine.scenario import do
from tests.bots import solve_siete_y_media as solver
from tests.sample import sample

CHECKSUM = "e518767d3cbbb80951fc289725b70dd9155f5395d85afc000252a4dfa3cdbf39"


def test_the_table_is_the_one_that_was_computed():
    assert hashlib.sha256(solver.PATH.read_bytes()).hexdigest() == CHECKSUM
    assert solver.PATH.stat().st_size <= 50_000
    assert len(unpacked()) == 2 * len(STATES) + width() * len(PLAYED)


@pytest.mark.parametrize(
    ("deals", "lead"), sample([(1, -6), (10, 0), (2, 0), (4, -12), (CHIPS, 0)], 2, rows=True)
)
def test_a_part_of_the_table_is_computed_again(deals, lead):
    number, written = solver.solved(deals, lead, values())
    if deals != CHIPS:
        assert abs(number - round(FINE * punto_wins(lead, deals))) <= 1
    at, table = PLAYED.index((deals, lead)), unpacked()[2 * len(STATES) :]
    kept = [table[choice * len(PLAYED) + at] for choice in range(width())]
    assert [one for one, other in zip(written, kept, strict=True) if abs(one - other) > 1] == []


@pytest.mark.parametrize(
    ("deals", "lead"), sample([(1, 0), (2, 0), (3, -4), (6, -8), (12, 0), (CHIPS, 0)], 2, rows=True)
)
def test_neither_side_gains_by_knowing_the_other(deals, lead):
    """In one deal, in parts of the match; the punto who replies may do whatever the rules allow."""
    low, high = solver.Deal(deals, lead, values()).best_replies(solution(deals, lead))
    assert high - low < 0.005
    if deals != CHIPS:
        assert abs(high - punto_wins(lead, deals)) < 0.003


def views(count, **options):
    """Yield views of matches of two that play by chance."""
    found = 0
    for seed in range(count):
        random = Random(seed)
        play = OpenDeck(new_game("siete-y-media", 2, options), shuffled(random.randrange), seed)
        while play.turn and found < count:
            seat = play.turn[0]
            if len(list(play.options(seat))) > 1:
                found += 1
                yield play.view(seat)
            move = siete_y_media.play(play.view(seat), random.randrange)
            often = random.choice((True, False))
            play.act(seat, move if often else random.choice(list(play.options(seat))))


@pytest.mark.parametrize("count", sample([60, 300], 1))
def test_hint_and_analysis_say_the_same(count):
    """After any move: the hint is worth as much as the best move of the analysis, and so is every
    move that is mixed with it."""
    random = Random(4)
    for view in views(count):
        hint = siete_y_media.play(view, lambda n: n // 2)
        made = offering(view, random.choice(list(view.options)))
        ratings = siete_y_media.rate(made, random.randrange)
        value = {one.move: one.value for one in ratings.moves}
        assert ratings.moves[0].move == hint
        assert value[siete_y_media.play(view, random.randrange)] == value[hint]


def announced(stake, deals_left, score=(50, 50)):
    """Return the bank's view: it has a half, against siete y media for this stake."""
    play = OpenDeck(new_game("siete-y-media", 2, {"deals": 1 + deals_left}), [["7o", "10c", "10o"]])
    play.game.score = list(score)
    do(play, f"p2 bet {stake}")
    do(play, "p2 hit up")
    return play.view(0)


def test_the_bank_stands_on_a_half_against_siete_y_media_only_where_its_numbers_say_so():
    for stake in range(1, 11):
        for left in (0, 1, 2, 5, 11):
            view = announced(stake, left)
            rated = {one.move: one.value for one in siete_y_media.rate(view, lambda n: 0).moves}
            move = siete_y_media.play(view, lambda n: n // 2)
            assert rated[move] == max(rated.values())
            if left == 0:
                assert move == HitUp()
            if isinstance(move, Stand):  # to be punto is worth more than the chips of a tie
                tie = 1 - punto_wins(-2 * stake, left)
                assert punto_wins(-4 * stake, left) > tie
