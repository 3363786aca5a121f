"""Tables as pictures, in matches with open decks: the places of cards, the view of each seat, and
that clicks alone play every game."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from itertools import combinations

import pytest

from client.i18n.translation import unbroken
from client.ui.drawing.canvas import columns_of
from client.ui.drawing.picture import Area, Picture
from client.ui.pictures.draw import picture_of, table_alone
from client.ui.pictures.parts import PER_EM, text_of
from client.ui.screen.messages import Steps
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState
from engine.games import GAMES
from engine.games.kinaskak.melds import RUN, Laid
from tests.client.ui.pictures.compare import golden
from tests.client.ui.screen.boxes import reading
from tests.sample import pairs, sample
from tests.screens.stage import Stage

SIZES = ((360, 640), (1280, 800), (1920, 1080))
MOST = {name: max(rules.allowed_players) for name, rules in GAMES.items()}
FEWEST = {name: min(rules.allowed_players) for name, rules in GAMES.items()}
TABLES = [*[*FEWEST.items(), *MOST.items()][::2], *[*FEWEST.items(), *MOST.items()][1::2]]
"""The first half of them has each game once."""


def seen(stage: Stage, width: int = 1280, height: int = 800) -> Picture:
    return picture_of(stage.state, width, height)


def inside(area: Area, picture: Picture) -> bool:
    return (
        area.x >= 0
        and area.y >= 0
        and area.right <= picture.width
        and area.bottom <= picture.height
    )


def overlap(one: Area, other: Area) -> bool:
    across = min(one.right, other.right) - max(one.x, other.x)
    along = min(one.bottom, other.bottom) - max(one.y, other.y)
    return across > 0 and along > 0


def check(picture: Picture) -> None:
    """See that everything has an id of its own and lies within the window, and that boxes do not
    overlap."""
    ids = [piece.id for piece in picture.pieces] + [control.id for control in picture.controls]
    ids += [row.id for panel in picture.panels for row in panel.rows]
    assert len(ids) == len(set(ids)), sorted(name for name in ids if ids.count(name) > 1)
    assert len({text.id for text in picture.texts}) == len(picture.texts)
    for piece in picture.pieces:
        assert inside(piece.area, picture), piece
        assert piece.width > 5, piece
        assert piece.name or not piece.keys
    for panel in picture.panels:
        assert inside(panel.area, picture), panel
    for one, other in combinations(
        [panel for panel in picture.panels if panel.kind in ("seat", "turn", "status", "log")], 2
    ):
        assert not overlap(one.area, other.area), (one.id, other.id)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "size"), sample(pairs(TABLES, SIZES), len(GAMES), rows=True))
def test_everything_lies_in_the_window_in_every_state_of_a_match(seats, size):
    stage = Stage(*seats, hold=True)
    for _move in range(120):
        check(picture_of(stage.state, *size))
        check(picture_of(replace(stage.state, held=()), *size))
        if stage.over:
            break
        stage.state = replace(stage.state, held=(), count=())
        stage.step()


# two players of dominoes draw, and pass less
@pytest.mark.parametrize(("game", "players"), [*(FEWEST | {"domino": 4}).items()])
def test_a_call_covers_no_card_where_there_is_space(game, players):
    stage = Stage(game, players)
    calls = 0
    for _move in range(80):
        picture = picture_of(stage.state, 1920, 1080)
        if (call := picture.call) is not None:
            width = min(call.width, round(columns_of(call.text) * 34 * 0.56) + 62)
            place = Area(call.x - width // 2, call.y - 33, width, 66)
            assert inside(place, picture)
            assert [piece.id for piece in picture.pieces if overlap(place, piece.area)] == [], call
            calls += 1
        if stage.over:
            break
        stage.step()
    assert calls


@pytest.mark.parametrize("game", ["escoba", "siete-y-media", "kinaskak"])
@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
def test_the_number_below_a_stock_has_a_name(game, size):
    picture = seen(Stage(game, FEWEST[game]).until(lambda stage: stage.state.match.asked), *size)
    below = [text for text in picture.texts if text.id.startswith("stock:")]
    said = " ".join(text_of(text.words) for text in below)
    assert re.fullmatch(r"stock \d+|\d+ hands to come", said)
    assert all(columns_of(text_of(text.words)) * 7 <= text.width for text in below)


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_of_the_others_are_large_in_a_large_window(game):
    picture = seen(Stage(game, 4).until(lambda stage: stage.state.match.asked), 1920, 1080)
    boxes = [panel.area for panel in picture.panels if panel.id.startswith("seat:")]
    for box in boxes:
        cards = [piece for piece in picture.pieces if overlap(piece.area, box)]
        assert all(inside(piece.area, picture) and piece.y > box.y for piece in cards)
        assert max(piece.height for piece in cards) >= 60


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_cards_of_a_trick_are_no_smaller_in_a_larger_window(players):
    stage = Stage("truco", players).until(lambda stage: any(stage.game.tricks))
    wide = []
    for size in ((1280, 800), (1422, 800), (1900, 1000)):
        laid = {f"slot:{slot}" for trick in stage.game.tricks for _seat, slot in trick}
        pieces = picture_of(stage.state, *size).pieces
        wide.append(max(piece.width for piece in pieces if piece.id in laid))
    assert wide == sorted(wide)


@pytest.mark.parametrize("count", [3, 9, 12, 24])
@pytest.mark.parametrize("size", SIZES)
def test_however_many_melds_lie_there_they_stay_on_their_part_of_the_table(size, count):
    stage = Stage("kinaskak", 6)
    game = deepcopy(stage.state.match.view.game)
    faces = ("7h", "8h", "9h", "Th")
    for number in range(count):
        slots = [1000 + 4 * number + place for place in range(4)]
        game.faces.update(zip(slots, faces, strict=True))
        game.melds.append(Laid(number % 6, RUN, "h", 6, tuple((slot, "") for slot in slots)))
    view = replace(stage.state.match.view, game=game)
    state = replace(stage.state, match=replace(stage.state.match, view=view), moment=None)
    picture = picture_of(state, *size)
    (turn,) = [panel.area for panel in picture.panels if panel.id == "turn"]
    names = [text for text in picture.texts if text.id.startswith("meld:")]
    assert len(names) == count
    places = [Area(text.x, text.y, text.width, text.size) for text in names]
    assert not any(overlap(one, other) for one, other in combinations(places, 2))
    laid = {f"slot:{slot}" for meld in game.melds for slot, _stands in meld.cards}
    places += [piece.area for piece in picture.pieces if piece.id in laid]
    assert all(inside(place, picture) and place.bottom <= turn.y for place in places)


@pytest.mark.parametrize("size", [(360, 640), (800, 600), (1280, 800)])
def test_a_step_of_a_replay_says_what_happened_in_it(size):
    model = Stage("escoba", 2).step().state.match
    long = "Eskoba! " + "The first table makes 15, and the dealer sweeps it. " * 3
    state, _commands = react(
        ScreenState(page=Page.HISTORY), Steps(((model, (long, "It is Jon's turn.")),))
    )
    (said,) = [panel for panel in picture_of(state, *size).panels if panel.kind == "log"]
    assert [text_of(line) for line in said.lines][-1] == "It is Jon's turn."
    first = text_of(said.lines[-2])
    assert first.startswith("Eskoba! The first")
    assert "  " not in first


def test_the_facts_above_our_hand_of_escoba_are_not_cut_on_a_phone():
    with reading("eu"):
        stage = Stage("escoba", 3, first=1)
        stage.until(
            lambda stage: (
                stage.game.eldest == 1 and stage.game.eskobas[0] and stage.state.match.asked
            )
        )
        (facts,) = [text for text in picture_of(stage.state, 360, 640).texts if text.id == "mine:0"]
        assert "banatzen" in text_of(facts.words)
        assert columns_of(text_of(facts.words)) * facts.size * PER_EM <= facts.width


def test_a_line_that_is_too_long_is_cut_as_late_as_there_is_room():
    state = replace(
        Stage("siete-y-media").state,
        log=("Choose: " + unbroken("face down, show 3c, and then stand (d, Enter)."),),
    )
    (said,) = [panel for panel in table_alone(state, 360, 640).panels if panel.kind == "log"]
    (line,) = map(text_of, said.lines)
    assert line.startswith("Choose: face down, show 3c")
    assert line.endswith("…")


def test_of_six_players_on_a_phone_the_latest_trick_is_drawn_alone_and_larger():
    stage = Stage("truco", 6, hold=True)
    titles, widths = set(), set()
    for _move in range(40):
        picture = picture_of(stage.state, 360, 640)
        played = {slot for trick in stage.state.match.view.game.tricks for _seat, slot in trick}
        widths |= {
            piece.width
            for piece in picture.pieces
            if piece.id in {f"slot:{slot}" for slot in played}
        }
        titles |= {text_of(text.words) for text in picture.texts if text.id.startswith("trick:")}
        if stage.over:
            break
        stage.state = replace(stage.state, held=(), count=())
        stage.step()
    assert min(widths) >= 30
    assert [
        name for name in titles if name.startswith(("trick 1 ✓   trick 2", "trick 1 ✗   trick 2"))
    ]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_name_below_a_card_of_truco_lies_on_no_other_card(players):
    stage = Stage("truco", players, hold=True)
    named = 0
    for _move in range(40):
        for size in SIZES:
            picture = picture_of(stage.state, *size)
            names = [
                Area(text.x, text.y, text.width, text.size)
                for text in picture.texts
                if text.id.startswith("by:")
            ]
            assert not [
                name for name in names for piece in picture.pieces if overlap(name, piece.area)
            ], size
            named += len(names)
        if stage.over:
            break
        stage.state = replace(stage.state, held=(), count=())
        stage.step()
    assert named


@pytest.mark.parametrize(("game", "players"), sample(TABLES, len(GAMES), rows=True))
def test_a_picture_does_not_depend_on_cards_that_our_seat_has_not_seen(game, players):
    stage = Stage(game, players)
    for _move in range(60):
        if stage.over:
            break
        assert seen(stage) == picture_of(stage.with_unseen_permuted(), 1280, 800)
        stage.step()


@pytest.mark.parametrize("game", GAMES)
def test_a_spectator_sees_no_hidden_card(game):
    stage = Stage(game, FEWEST[game], seat=None)
    for _move in range(40):
        if stage.over:
            break
        public = set(stage.game.faces)
        for piece in seen(stage).pieces:
            if piece.face is not None:
                assert int(piece.id.removeprefix("slot:")) in public
        stage.step()


def test_while_a_line_is_typed_no_card_can_be_clicked():
    stage = Stage("escoba", 2).until(lambda now: now.state.match.asked)
    assert any(name.startswith("slot:") for name in seen(stage).clicks())
    assert set(seen(stage.press(":")).clicks()) == {"key:enter", "key:escape"}


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(
    ("game", "moves"),
    [("escoba", 8), ("truco", 12), ("domino", 14), ("siete-y-media", 7), ("kinaskak", 60)],
)
def test_the_table_of_a_game_is_drawn_like_this(game, moves, size):
    stage = Stage(game, FEWEST[game])
    for _move in range(moves):
        stage.step()
    stage.until(lambda now: now.state.match.asked)
    golden(game, picture_of(stage.state, *size))


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (768, 1024), (1280, 800)], ids=str)
@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_card_of_truco_can_be_read_and_stands_under_the_name_of_its_trick(players, size):
    """The frames of winners keep apart too; where tricks stand alone, theirs is the strong name."""
    stage, seen_cards = Stage("truco", players, hold=True), 0
    for _move in range(60):
        picture = picture_of(stage.state, *size)
        names = {text.id: text for text in picture.texts if text.id.startswith("trick:")}
        places = {piece.id: piece.area for piece in picture.pieces}
        columns = [
            [places[name] for _seat, slot in trick if (name := f"slot:{slot}") in places]
            for trick in stage.state.match.view.game.tricks
        ]
        for number, cards in enumerate(columns):
            seen_cards += len(cards)
            for card in cards:
                assert card.width >= 30
                if (name := names.get(f"trick:{number}")) is not None and len(names) > 1:
                    assert name.x <= card.middle[0] <= name.x + name.width
                else:
                    (strong,) = [w for w in names["trick:0"].words if w.style == "strong"]
                    assert strong.text == f"trick {number + 1}"
        for one, other in combinations(columns, 2):
            for left in one:
                for right in other:
                    assert left.right + 8 < right.x or right.right + 8 < left.x
        if stage.over:
            break
        stage.state = replace(stage.state, held=(), count=())
        stage.step()
    assert seen_cards


def test_a_wide_replay_tells_all_that_came_before_the_step():
    models = tuple((Stage("escoba", 2).step().state.match, (f"line {n}",)) for n in range(3))
    state = react(ScreenState(page=Page.HISTORY), Steps(models))[0]
    shown = picture_of(replace(state, step=1), 1280, 800)
    (said,) = [panel for panel in shown.panels if panel.kind == "log"]
    assert [text_of(line) for line in said.lines] == ["line 0", "line 1"]
    assert shown.notice == "Past matches · 2 of 3"
