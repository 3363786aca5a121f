"""Truco on the full screen: each state is shown. R numbers: docs/rules/truco.md."""

import re
from dataclasses import replace

import pytest

from client.i18n.translation import languages, set_language
from client.storage.settings import Settings
from client.ui.games.screen import Moment
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


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_call_says_who_sang_it_what_it_is_worth_and_who_answers(columns, rows):
    text = " ".join(two("p1 play 3o", "p2 truco").text(columns, rows).split())
    assert "¡Truco! by Jon: 2 if" in text
    assert "quiero: accept for 2 · no quiero: refuse, 1 for Jon" in text
    assert "▶" in text
    text = " ".join(four("p1 play 4o", "p2 envido").text(columns, rows).split())
    assert "quiero: accept for 2 · no quiero: refuse, 1 for them" in text
    waits = four("p1 play 4o", "p2 envido", seat=1).text(columns, rows)
    assert "waiting for Ane and Miren" in waits


def test_an_answer_of_two_words_stands_in_one_line(language):
    assert "no quiero: " in two("p1 play 3o", "p2 truco").text(), language


def test_the_envido_so_far_stands_with_its_points_accepted_and_refused():
    text = two("p1 envido", "p2 real-envido").text()
    assert "quiero: accept for 5 · no quiero: refuse, 2 for Jon" in text
    assert "¡Real envido! by Jon: 5 if accepted, 2 if refused." in text
    assert "Before that: ¡Envido! by you" in text


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


def test_an_accepted_envido_shows_its_worth_until_it_is_won():
    assert "¡Envido! by you, accepted: worth 2." in two("p1 envido", "p2 quiero").text()
    assert (
        "¡Real envido! by Jon, accepted: worth 5."
        in two("p1 envido", "p2 real-envido", "p1 quiero").text()
    )
    after = two("p1 envido", "p2 quiero", "p1 say 4", "p2 say 5").text()
    assert "accepted: worth" not in after


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


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_giving_up_costs_nothing_while_a_partner_plays_on(columns, rows):
    assert "mazo: no points yet  once more does it" in four().press("m").text(columns, rows)
    alone = four("p1 mazo", "p2 play 7c", seat=2)
    assert "mazo: 2 for them  once more does it" in alone.press("m").text(columns, rows)


@pytest.mark.parametrize(
    ("language", "titles"),
    [
        ("en", "trick 1 trick 2 trick 3"),
        ("es", "primera segunda tercera"),
        ("eu", "1. baza 2. baza 3. baza"),
        ("is", "fyrsti  annar   þriðji"),
    ],
)
@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24)])
def test_the_tricks_have_titles_in_the_readers_language(language, titles, columns, rows):
    set_language(language)
    try:
        assert titles in two().text(columns, rows)
    finally:
        set_language("en")


def test_a_falta_envido_shows_what_the_leader_lacks():
    text = two("p1 play 4c", "p2 falta-envido").text()
    assert "quiero: accept for 15 · no quiero: refuse, 1 for Jon" in text


@pytest.mark.parametrize("language", languages())
def test_the_words_of_an_answer_are_explained_whole_on_a_small_screen(language):
    set_language(language)
    try:
        row = next(
            line
            for line in two("p1 play 4c", "p2 truco").text(60, 20).splitlines()
            if "quiero:" in line
        )
        assert "no quiero:" in row
        assert "…" not in row
    finally:
        set_language("en")


def test_a_player_that_has_won_a_trick_is_marked_and_ties_are():
    text = two("p1 play 3o", "p2 play 2o").text(60, 20)
    assert "[ 3o]◀" in text
    assert "◀" not in text.replace("[ 3o]◀", "")
    tie = (
        Stage("truco", 2, decks=[["3o", "3c", "1e", "4e", "4c", "5c"]])
        .do("p1 play 3o", "p2 play 3c")
        .text(60, 20)
    )
    assert "[ 3o]=" in tie
    assert "[ 3c]=" in tie


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


def test_mano_dealer_partner_and_folded_are_marked():
    text = four("p1 mazo").text()
    assert "al mazo" in text.splitlines()[-7]
    assert "mano" in text
    dealer = next(line for line in text.splitlines() if "dealer" in line)
    assert dealer.index("dealer") < dealer.index("partner"), (
        "Peru deals, to our left; Miren is our partner"
    )


def test_our_envido_points_are_shown_until_the_end_of_the_deal():
    stage = two()
    assert "envido 4" in stage.text()
    assert "envido 4" in stage.do("p1 play 1e", "p2 play 5c").text()


def test_the_numbers_stated_stand_on_the_table_by_whom():
    stage = two("p1 envido", "p2 quiero", "p1 say 4", "p2 say 5")
    assert "you: 4, Jon: 5" in stage.text()
    assert "The envido goes to Jon (2 points)" in stage.text(120, 40)


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


def test_the_last_deal_is_told_whole_on_its_count_and_again_before_the_first_card():
    stage = two("p1 truco", "p2 no-quiero")
    assert stage.state.count[-4] == "¡Truco! (you), refused (Jon): the deal goes to you (1 point)"
    assert [line.split() for line in stage.state.count[-3:]] == [
        ["you", "Jon"],
        ["this", "deal", "1", "0"],
        ["in", "all,", "to", "15", "1", "0"],
    ]
    assert "The count" in stage.text()
    assert "The last deal:" in stage.press("enter").text(120, 40)
    assert "The count" not in stage.text()


def test_the_count_has_no_call_of_the_next_deal_as_its_title():
    stage = Stage("truco", 2, seed=8).until(lambda s: s.state.count and s.game.round == 3)
    # Jon has sung in the next deal
    stage.state = replace(stage.state, moment=Moment("Jon: ¡Truco!"), counting=False)
    assert "─ The count ─" in stage.text()
    assert "Jon: ¡Truco!" not in stage.text().splitlines()[1]


def test_the_count_names_the_cards_of_every_trick():
    stage = two("p1 play 1e", "p2 play 5c", "p1 play 3o", "p2 play 2o")
    assert stage.state.count[:2] == (
        "Trick 1: you 1e, Jon 5c; won by you",
        "Trick 2: you 3o, Jon 2o; won by you",
    )


@pytest.mark.parametrize(
    ("actions", "lines"),
    [
        (
            ("p1 truco", "p2 envido", "p1 no-quiero", "p2 no-quiero"),
            [
                "¡Envido! (Jon), refused (you): the envido goes to Jon (1 point)",
                "¡Truco! (you), refused (Jon): the deal goes to you (1 point)",
            ],
        ),
        (
            ("p1 mazo",),
            ["Given up at once (you), for one point more: the deal goes to Jon (2 points)"],
        ),
        (
            ("p1 truco", "p2 quiero", "p1 play 4c", "p2 mazo"),
            ["Trick 1: you 4c", "Given up (Jon): the deal goes to you (2 points)"],
        ),
    ],
)
def test_the_count_names_the_caller_and_the_player_that_refused_or_gave_up(actions, lines):
    assert list(two(*actions).state.count[:-3]) == lines


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


def test_a_tied_trick_and_the_way_into_the_buenas_are_moments():
    stage = Stage("truco", 2, decks=[["3o", "3c", "1e", "4e", "4c", "5c"]]).do(
        "p1 play 3o", "p2 play 3c"
    )
    assert stage.state.moment.text == "¡Parda!"
    moments = set()

    def watched(stage):
        moments.add(stage.state.moment.text if stage.state.moment else "")
        return stage.over

    Stage("truco", 2, seed=8, target=30).until(watched)
    assert "¡A las buenas!" in moments


def test_vale_cuatro_is_shown_loudest():
    stage = Stage("truco", 2, decks=[TWO]).do("p1 truco", "p2 retruco", "p1 vale4")
    assert stage.state.moment.style == "alarm"


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


def test_the_rows_of_cards_and_the_points_beside_them_have_one_order_and_whole_names():
    table = Stage("truco", 2, seed=3, nicks=("Ane", "Computer 1"))
    table.state = replace(table.state, moment=None, held=())
    lines = [
        line for line in table.text(60, 20).splitlines() if line.startswith((" Computer", " you"))
    ]
    assert [line.split("  ")[0].strip() for line in lines[:2]] == ["Computer 1", "you"]
    names = [
        line[30:].strip(" 0")
        for line in table.text(60, 20).splitlines()[8:12]
        if line.endswith(" 0")
    ]
    names = [name for name in names if name]
    assert names == ["Computer 1", "you"]


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_a_score_without_points_is_a_number(size):
    table = Stage("truco", 2, seed=3, nicks=("Ane", "Jon"))
    table.state = replace(table.state, moment=None, held=())
    tally = [
        line.split()[-2:]
        for line in table.text(*size).splitlines()[2:-8]
        if line.strip().endswith(" 0")
    ]
    assert tally == [["Jon", "0"], ["you", "0"]]


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


@pytest.mark.parametrize("seat", [0, 1])
def test_a_match_that_is_over_has_neither_mano_nor_dealer(seat):
    text = Stage("truco", 2, seat).do("p1 leave").text()
    assert "mano" not in text
    assert "dealer" not in text
