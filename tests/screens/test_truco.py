"""Truco on the full screen: each state is shown. R numbers: docs/rules/truco.md."""

import re
from dataclasses import replace

import pytest

from client.i18n.translation import languages, set_language
from client.storage.settings import Settings
from client.ui.games.truco.songs import CRIES
from client.ui.games.truco.strokes import strokes
from client.ui.games.truco.words import WORDS
from client.ui.screen import pages
from client.ui.screen.messages import Ring
from tests.sample import sample
from tests.screens.stage import SIZES, Stage, check_rows, golden, view_of
from tests.screens.truco_stages import FOUR, TWO, done, four, two

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
            lambda: Stage("truco", 2, seed=8).until(lambda s: s.state.count and s.game.round == 3),
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


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize(
    "calls", [("truco", "retruco", "vale4"), ("envido", "envido", "real-envido", "falta-envido")]
)
@pytest.mark.parametrize("language", languages())
def test_the_last_call_its_caller_and_its_worth_stand_above_the_question(players, calls, language):
    set_language(language)
    try:
        nicks = (
            "Maria Angeles",
            "Computer 1",
            "Computer 2",
            "Computer 3",
            "Computer 4",
            "Computer 5",
        )[:players]
        table = Stage("truco", players, len(calls) % 2, seed=2, nicks=nicks, envido_callers="any")
        table.do(*(f"p{1 + number % 2} {word}" for number, word in enumerate(calls)))
        table.state = replace(table.state, moment=None, held=())
        lines = table.text(60, 20).splitlines()
        asked = WORDS.bets(table.state.match.names, table.game)[0]
    finally:
        set_language("en")
    beside = " ".join(" ".join(line[36:] for line in lines[4:-6]).split())
    assert CRIES[calls[-1]] in asked
    assert nicks[(len(calls) - 1) % 2] in asked
    assert asked in beside


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


@pytest.mark.parametrize("players", [2, 4, 6])
def test_each_card_stands_in_the_row_of_its_player_on_the_smallest_screen(players):
    table = Stage("truco", players, seed=5).until(lambda table: len(table.game.results) == 1)
    lines = table.press("x").tick(20).text(60, 20).splitlines()
    for seat, slot in table.game.tricks[0]:
        face = table.game.faces[slot]
        assert any(
            table.state.match.names.label(seat) in line and f"{face[:-1]:>2}{face[-1]}]" in line
            for line in lines
        )


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
    assert not stage.state.count
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
@pytest.mark.slow
def test_every_state_of_a_match_can_be_drawn_small(players):
    stage = Stage("truco", players, seed=players, envido_callers="any", target=12)
    while not stage.over:
        text = check_rows(stage.state, 60, 20)
        if stage.state.match.asked and not stage.state.count:
            assert "─ ▶" in text
            for slot in stage.game.hands[0]:
                face = view_of(stage.state).face(slot)
                assert any(face[:-1] in line for line in text.splitlines()[11:-1]), face
        elif not stage.state.count:
            assert "waiting for" in text
        for columns, rows in SIZES[1:]:
            check_rows(stage.state, columns, rows)
        stage.step(by_chance=True)
        stage.press("x") if stage.state.count else None
    assert "win" in check_rows(stage.state, 60, 20)


@pytest.mark.parametrize("players", sample([4, 2, 6], 1))
@pytest.mark.slow
def test_hands_of_others_are_never_seen(players):
    stage = Stage("truco", players, seed=3, target=6)
    while not stage.over:
        if stage.game.holder:
            other = stage.with_unseen_permuted()
            assert [pages.draw(other, *size).rows() for size in SIZES] == [
                pages.draw(stage.state, *size).rows() for size in SIZES
            ]
        stage.step()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "calls",
    [(), ("p1 truco",), ("p1 envido",)],
    ids=["before the first card", "a truco waits", "an envido waits"],
)
def test_no_letter_stands_without_its_effect_on_the_smallest_screen(language, calls):
    set_language(language)
    try:
        table = Stage("truco", 2, seat=1 if calls else 0, seed=3).do(*calls)
        table.state = replace(table.state, moment=None, held=())
        foot = "  ".join(table.text(60, 20).splitlines()[-2:])
    finally:
        set_language("en")
    assert " r real" in foot
    assert " f falta" in foot or calls == ("p1 truco",)
    assert "Esc" in foot
    assert [
        part for part in re.split("  +", foot.strip()) if len(part) == 1 and part.isalpha()
    ] == []


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_banner_covers_nothing_that_stands_on_the_table(players):
    stage, banners = (
        Stage(
            "truco", players, seed=players, settings=Settings(motion="none"), envido_callers="any"
        ),
        0,
    )
    while not stage.over:
        if stage.state.moment and not stage.state.count:
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
        stage.press("x") if stage.state.count else None
    assert banners >= 4
