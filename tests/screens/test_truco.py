"""Truco on the full screen: each state, its keys, the flor, ties, hints among partners.

R numbers: docs/rules/truco.md."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from client.i18n.translation import languages, set_language
from client.storage.settings import Settings
from client.ui.games import lesson_of
from client.ui.games.truco.strokes import strokes
from client.ui.screen import pages
from client.ui.screen.messages import Ring
from engine.bots import chance
from engine.games.truco.moves import Call, Play
from engine.games.truco.worth import STRENGTH
from tests.screens.stage import Stage, done, golden, view_of

TWO = ["1e", "1b", "3o", "2o", "4c", "5c"]  # p1: 1e 3o 4c = 4     p2: 1b 2o 5c = 5
# p1: 4o 5o 1e = 29   p2: 7c 4c 3b = 31   p3: 6e 5e 2b = 31   p4: 7b 6b 10o = 33
FOUR = ["4o", "7c", "6e", "7b", "5o", "4c", "5e", "6b", "1e", "3b", "2b", "10o"]


def two(*actions, seat=0, **options):
    return Stage("truco", 2, seat, decks=[TWO], **options).do(*actions).tick(20)


def four(*actions, seat=0, **options):
    return Stage("truco", 4, seat, decks=[FOUR], **options).do(*actions).tick(20)


# The table.


@pytest.mark.parametrize(
    ("name", "stage"),
    [
        ("truco-lead", two),
        ("truco-truco-waits", lambda: two("p1 play 3o", "p2 truco")),
        ("truco-mazo-once", lambda: two().press("m")),
        (
            "truco-points",
            lambda: two("p1 envido", "p2 real-envido", "p1 falta-envido", "p2 quiero"),
        ),
        (
            "truco-four-envido-first",
            lambda: four("p1 play 4o", "p2 truco", "p3 real-envido", "p4 falta-envido"),
        ),
        (
            "truco-six",
            lambda: (
                Stage("truco", 6, seed=5)
                .until(lambda s: s.game.results and s.state.match.asked)
                .tick(20)
            ),
        ),
        (
            "truco-count",
            lambda: Stage("truco", 2, seed=8).until(
                lambda s: s.state.count.lines and s.game.round == 3
            ),
        ),
        (
            "truco-thirty",
            lambda: (
                Stage("truco", 2, seed=8, target=30)
                .until(lambda s: s.game.score[0] > 15)
                .tick(20)
                .press("x")
            ),
        ),
        (
            "truco-end",
            lambda: Stage("truco", 4, seed=8).until(lambda s: s.over).tick(20).press("x"),
        ),
        (
            "truco-spectator",
            lambda: Stage("truco", 4, None, decks=[FOUR]).do("p1 play 4o", "p2 envido").tick(20),
        ),
    ],
)
def test_screens(name, stage):
    golden(name, stage())


@pytest.mark.parametrize(
    ("moves", "key", "worth"),
    [
        ((), "t", "truco: accepted 2, refused 1"),
        (("p1 play 4c", "p2 truco"), "t", "retruco: accepted 3, refused 2"),
        ((), "e", "envido: accepted 2, refused 1"),
        (("p1 play 4c", "p2 envido"), "r", "real: accepted 5, refused 2"),
        (("p1 play 4c", "p2 envido"), "f", "falta: accepted 15, refused 2"),
        ((), "m", "mazo: 2 for Jon"),
        (("p1 truco", "p2 quiero"), "m", "mazo: 2 for Jon"),
        (("p1 play 4c", "p2 truco"), "q", "quiero: for 2"),
        (("p1 play 4c", "p2 truco"), "n", "no quiero: 1 for Jon"),
        (("p1 envido", "p2 real-envido"), "q", "quiero: for 5"),
        (("p1 envido", "p2 real-envido"), "n", "no quiero: 2 for Jon"),
    ],
)
def test_a_call_of_ours_shows_what_it_brings_before_it_is_made(moves, key, worth):
    assert f"{worth}  once more does it" in two(*moves).press(key).text()


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "actions", [(), ("p1 play 3o", "p2 truco"), ("p1 envido", "p2 real-envido")]
)
def test_the_order_of_the_cards_stands_beside_our_hand_while_a_call_waits_too(
    actions, language, size
):
    set_language(language)
    try:
        text = two(*actions).text(*size)
    finally:
        set_language("en")
    assert "1e > 1b > 7e > 7o >" in " ".join(text.split())
    assert "> 6 > 5 > 4" in " ".join(text.split())


def test_the_score_is_kept_in_fives_with_a_bar_before_the_buenas():
    assert strokes(0) == ""
    assert strokes(4) == "||||"
    assert strokes(12) == "||||/ ||||/ ||"
    assert strokes(15, 15) == "||||/ ||||/ ||||/"
    assert strokes(17, 15) == "||||/ ||||/ ||||/ : ||"


def test_the_count_is_put_away_by_any_key_and_that_key_plays_nothing():
    stage = two("p1 truco", "p2 no-quiero", "p2 play 5o")
    assert stage.state.match.asked
    stage.press("1")
    assert not done(stage)
    assert not stage.state.count.lines
    assert len(done(stage.press("1", "enter"))) == 1


# Moments.


@pytest.mark.parametrize(
    ("actions", "text"),
    [
        (("p1 truco",), "You: ¡Truco!"),
        (("p1 truco", "p2 retruco"), "Jon: ¡Quiero retruco!"),
        (("p1 truco", "p2 envido"), "Jon: El envido está primero: ¡Envido!"),
        (("p1 play 3o", "p2 play 1b"), "¡Ancho de bastos!"),
        (("p1 envido", "p2 quiero"), "Jon: Quiero"),
        (("p1 envido", "p2 quiero", "p1 say 4", "p2 say 5"), "Jon: Cinco son mejores (5)"),
    ],
)
def test_moments(actions, text):
    stage = Stage("truco", 2, decks=[TWO])
    stage.commands.clear()
    stage.do(*actions)
    assert stage.state.moment.text == text
    assert Ring() in stage.commands


# Always.


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_banner_covers_nothing_that_stands_on_the_table(players):
    stage, banners = (
        Stage(
            "truco", players, seed=players, settings=Settings(motion="none"), envido_callers="any"
        ),
        0,
    )
    while not stage.over:
        if stage.state.moment and not stage.state.count.lines:
            banners += 1
            bare = pages.draw(replace(stage.state, moment=None), 80, 24).text().splitlines()
            full = pages.draw(stage.state, 80, 24).text().splitlines()
            assert stage.state.moment.text in "\n".join(full)
            for line, covered in zip(bare, full, strict=True):
                assert all(
                    new == old
                    for old, new in zip(line, covered.ljust(len(line)), strict=False)
                    if old != " "
                ), covered
        stage.step(by_chance=True)
        stage.press("x") if stage.state.count.lines else None
    assert banners >= 4


@pytest.mark.parametrize(
    ("before", "key", "word"),
    [
        ((), "t", "truco"),
        (("p1 play 3o", "p2 truco"), "t", "retruco"),
        (("p1 truco", "p2 retruco"), "t", "vale4"),
        ((), "e", "envido"),
        ((), "r", "real-envido"),
        ((), "f", "falta-envido"),
        (("p1 play 3o", "p2 truco"), "q", "quiero"),
        (("p1 play 3o", "p2 truco"), "n", "no-quiero"),
    ],
)
def test_a_letter_sings_the_call_that_is_legal(before, key, word):
    stage = two(*before)
    assert (key in [shown for shown, _about in keys_shown(stage)]) is True
    assert done(stage.press(key)) == []
    assert done(stage.press(key)) == [Call(word)]


def keys_shown(stage):
    from client.ui.screen.play import keys  # noqa: PLC0415 - the foot line is made of it

    return keys(stage.state)


def test_points_are_stated_with_s_and_conceded_with_b():
    stage = two("p1 envido", "p2 quiero")
    assert "state your envido points: 4" in stage.text()
    assert stage.press("s", "s").game.said == [(0, 4)]
    other = two("p1 envido", "p2 quiero", "p1 say 4", seat=1)
    assert "s say 5  b son buenas" in other.foot()
    assert other.press("b", "enter").game.said == [(0, 4), (1, None)]


def test_mazo_is_asked_twice_and_any_other_key_forgets_it():
    stage = two().press("m")
    assert not done(stage)
    assert "m mazo: 2 for Jon  once more does it" in stage.text()
    assert stage.foot().splitlines()[-1].startswith(" m/Enter mazo")
    assert not done(stage.press("1"))
    assert "once more does it" in stage.text()
    assert "once more does it" not in stage.press("escape").text()
    assert stage.state.overlay is None
    assert done(stage.press("m", "m")) == [Call("mazo")]


@pytest.mark.parametrize(
    ("before", "key", "why"),
    [
        ((), "q", "There is no call to answer."),
        (("p1 truco", "p2 quiero"), "t", "It is for the other side to raise"),
        (("p1 play 1e", "p2 play 1b"), "e", "The envido is called in the first trick"),
        (("p1 play 3o", "p2 truco"), "1", "A call waits"),
        (("p1 play 3o", "p2 truco"), "m", "A call waits"),
        (("p1 play 3o",), "1", "It is not your turn."),
    ],
)
def test_a_forbidden_call_is_refused_with_the_reason(before, key, why):
    stage = two(*before).press(key)
    assert why in " ".join(stage.text(80, 24).split())
    assert not done(stage)


FLORS = ["7o", "6c", "5o", "3c", "12o", "2c"]  # p1: 7o 5o 12o = 32   p2: 6c 3c 2c = 31


def stage(*actions, seat=0, deck=FLORS):
    return Stage("truco", 2, seat, decks=[deck], flor=True).do(*actions).tick(20)


def test_a_flor_must_be_sung_and_the_screen_says_so():
    shown = stage()
    assert "you have a flor of 32: call it" in shown.text()
    assert "flor 32" in shown.text()
    assert "f flor" in shown.foot()
    assert done(shown.press("f", "f")) == [Call("flor")]


@pytest.mark.parametrize(
    ("key", "word"),
    [
        ("q", "con-flor-quiero"),
        ("n", "con-flor-me-achico"),
        ("r", "contraflor"),
        ("f", "contraflor-al-resto"),
    ],
)
def test_a_letter_answers_a_flor(key, word):
    shown = stage("p1 flor", seat=1)
    assert "con flor quiero: accept for 4" in shown.text()
    assert "con flor me achico: give in for 3" in shown.text()  # whole, in eighty columns
    assert done(shown.press(key)) == []
    assert done(shown.press(key)) == [Call(word)]


TIES = {
    "second": (["1e", "1b", "3o", "3c", "4c", "5c"], "Trick 2 tied, so trick 1 decides"),
    "first": (["3o", "3c", "1e", "1b", "4c", "5c"], "Trick 1 tied, so trick 2 decides"),
    "two": (["3o", "3c", "2o", "2c", "5c", "4c"], "Tricks 1 and 2 tied, so trick 3 decides"),
    "mano": (["1e", "1b", "2o", "3c", "4c", "4o"], "Trick 3 tied, so it is the mano's"),
    "third": (["1e", "1b", "2o", "3c", "4c", "4o"], "Trick 3 tied, so trick 1 decides"),
}


@pytest.mark.parametrize("tie", TIES)
def test_the_count_says_how_a_tie_decided_the_deal(tie):
    cards, reason = TIES[tie]
    options = {"third_tie": "first"} if tie == "third" else {}
    stage = Stage("truco", 2, decks=[cards], **options)
    played: dict[int, int] = {0: 0, 1: 0}
    while not stage.state.count.lines:
        seat = stage.table.turn[0]
        stage.do(f"p{seat + 1} play {cards[2 * played[seat] + seat]}")
        played[seat] += 1
    assert f"{reason}: the deal goes to you (1 point)" in stage.state.count.lines


def reason(cards: list[str], seat: int) -> str:
    """Return what a hint says of the first card of a seat, when those before it have played."""
    deck = [*cards, *[card for card in STRENGTH if card not in cards]]
    stage = Stage("truco", 4, seat, decks=[deck])
    stage.do(*(f"p{other + 1} play {cards[other]}" for other in range(seat)))
    view = view_of(stage.state)
    slot = view.game.hands[seat][0]
    return " ".join(lesson_of("truco").reason(stage.state.match.names, view, Play(slot)))


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
        text = " ".join(lesson.reason(stage.state.match.names, view, move))
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
