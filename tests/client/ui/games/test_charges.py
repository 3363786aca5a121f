"""Which rule a convicted player has broken: told to the others in a sentence of its own or by the
reason that an honest player hears, in every language."""

import pytest

from client.i18n.translation import languages, set_language
from client.ui.games import words_of
from client.ui.games.charges import rule_broken
from client.ui.games.words import WHY
from client.ui.model import Names
from engine.core.moves import IllegalMove
from engine.core.run import ProvenLie
from engine.games import GAMES
from p2p.table.faults import IllegalPlay

NAMES = Names(("Ane", "Jon"), 0)
LIAR = 1


@pytest.fixture
def reader():
    yield set_language
    set_language("en")


def told(game, *why, kind=ProvenLie):
    return rule_broken(game, NAMES, IllegalPlay(LIAR, kind(LIAR, None, why), (b"evidence",)))


@pytest.mark.parametrize(
    ("game", "why", "line"),
    [
        ("truco", ("no-flor",), "Jon claimed to have a flor, without three cards of one suit."),
        (
            "truco",
            ("flor-first",),
            "Jon had a flor (three cards of one suit), and did not call it.",
        ),
        (
            "escoba",
            ("must-take", "7o", "5c"),
            "Jon laid a card down instead of making 15 with 7o and 5c.",
        ),
        (
            "domino",
            ("must-play", "6-4"),
            "Jon passed or took a tile, and could have played 6-4.",
        ),
    ],
)
def test_a_lie_about_hidden_cards_is_told_with_its_proof(game, why, line):
    assert told(game, *why) == [line, "It came to light later in the match."]


def test_words_of_the_dishonest_program_are_cleaned():
    (line,) = told(
        "kinaskak", "joker-misnamed", "* a\x1b[2J\u202eb\n" + 500 * "x", kind=IllegalMove
    )
    assert line.isprintable() or all(one.isprintable() or one in "\u2068\u2069" for one in line)
    assert len(line) < 600


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_reason_can_be_told_in_every_language(reader, game, language):
    reader(language)
    words = words_of(game)
    assert set(words.broken_rules) <= set(words.why_words)
    for why in {**WHY, **words.why_words}:
        line, proof = told(game, why, 21)
        assert "{" not in line + proof
        assert language == "en" or proof != "It came to light later in the match."
