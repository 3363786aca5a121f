"""The hints of siete y media: why a punto stands on little."""

import pytest

from client.ui.games import lesson_of
from engine.games.siete_y_media.moves import Stand
from tests.screens.stage import Stage


@pytest.mark.parametrize(
    ("cards", "options", "said"),
    [
        (["10o"], {}, "with siete y media you would become the bank"),
        (["10o"], {"deals": 1}, "as a bluff"),
        (["10o"], {"bank": "turn"}, "as a bluff"),
        (["3o"], {"bank": "fixed"}, "as a bluff"),
        (["4o"], {}, "cards 15 would put you over"),
    ],
)
def test_a_hint_says_why_a_punto_stands_on_little(cards, options, said):
    table = Stage("siete-y-media", 2, decks=[cards], first=1, **options).do("p1 bet 1")
    view = table.table.view(0)
    reason = lesson_of("siete-y-media").reason(table.state.match.names, view, Stand())
    assert said in " ".join(reason)
