"""A stranger reads a replay page: it calls nobody `you`, and names the seat whose hand it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from client.i18n.translation import languages
from client.ui.games import about_of
from client.ui.replay_page.data import data_of_match
from client.ui.replay_page.match import read_match
from client.ui.screen.state import DealCount, Page
from client.ui.view.parts import View, as_data
from client.ui.view.views import step_of
from engine.games import GAMES
from p2p.table.tail import joined, split_records
from tests.client.ui.screen.boxes import reading
from tests.ring import Ring
from tests.sample import pairs, sample
from tests.screens.stage import Stage

YOU = {
    "en": r"\b(you|your|yours|we|our|ours)\b",
    "es": r"\b(tú|tu|tus|te|ti|tuyo|tuya|contigo|nosotros|nuestro|has|puedes|tienes|ganas)\b",
    "eu": r"\b(zu|zuk|zuri|zure|gu|guk|gure|zara|zaude|\w*(duzu|dituzu|zaizu|zazu|kezu))\b",
    "is": r"\b(þú|þig|þér|þín|þinn|þitt|þína|þínir|þínar|þínum|þinni|þíns|okkar)\b",
}
"""The words that address the reader, or count the reader among the players."""
MATCHES = [
    (game, players)
    for how in (max, min)
    for game, rules in GAMES.items()
    for players in (how(rules.allowed_players),)
]
MOVES = 24


@pytest.fixture(scope="module")
def log() -> bytes:
    ring = Ring("escoba", 2, seed="stranger", target=1)
    ring.play(moves=12)
    return joined(split_records(ring.logs[0])[0])


def seen_by_a_stranger(game: str, players: int, seat: int | None) -> Iterator[View]:
    """Give the views of a match as a replay page has them."""
    stage = Stage(game, players, seat)
    model = replace(stage.state.match, stranger=True, auto=True, asked=False)
    stage.state = replace(stage.state, match=model, log=(), moment=None)
    for _move in range(MOVES):
        yield step_of(replace(stage.state, page=Page.REPLAY, count=DealCount(), held=()))
        if stage.over:
            break
        stage.state = replace(stage.state, held=(), count=DealCount())
        stage.step(by_chance=True)


def words_of(part: object) -> Iterator[str]:
    """Give all texts of a view, as data."""
    if isinstance(part, str):
        yield part
    for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from words_of(one)


@pytest.mark.parametrize(
    ("lang", "table"), sample(pairs(languages(), MATCHES), len(MATCHES), rows=True), ids=str
)
def test_no_table_on_a_page_calls_anybody_you(lang, table):
    game, players = table
    with reading(lang):
        for seat in (None, 0):
            for shown in seen_by_a_stranger(game, players, seat):
                for text in words_of(as_data(shown)):
                    assert not re.search(YOU[lang], text, re.IGNORECASE), (table, seat, text)


@pytest.mark.parametrize("seat", [None, 0])
def test_every_sentence_about_the_match_names_its_players(log, seat):
    data = data_of_match(read_match(log, seat), "1")
    about = [line["text"]["#"] for line in data["about"] if isinstance(line["text"], dict)]
    rows = [row for place, row in enumerate(data["texts"]) if place not in about]  # to the reader
    for row in rows:
        for lang, text in zip(languages(), map(str, row), strict=True):
            with reading(lang):
                aim = about_of("escoba")  # as everybody is told it
            if not text.endswith(aim):
                assert not re.search(YOU[lang], text, re.IGNORECASE), (lang, text)
