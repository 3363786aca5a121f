"""Moves that are typed: in the reader's language, and always in English too."""

from __future__ import annotations

import pytest

from client.i18n.sentences import LESSON_COMMANDS, TYPED_COMMANDS
from client.i18n.translation import languages, set_language
from client.session.messages import Typed
from client.ui.games import words_of
from client.ui.model import legal_moves
from client.ui.update import ANSWERS, update
from engine.core.cards import FRENCH_52
from engine.games import GAMES
from engine.games.truco.moves import WORDS
from tests.sample import pairs, sample
from tests.screens.stage import Stage


@pytest.fixture(params=languages())
def language(request):
    set_language(request.param)
    yield request.param
    set_language("en")


@pytest.mark.parametrize("game", GAMES)
def test_a_word_in_the_readers_language_is_one_word_of_the_notation_and_no_command(game, language):
    words = words_of(game)
    for word in words.notation:
        typed = words.as_typed(word)
        assert words.in_notation(typed) == words.in_notation(typed.upper()) == word
        assert words.in_notation(word) == word, "English is understood too"
        assert typed.split() == [typed]
        assert typed not in {*TYPED_COMMANDS, *LESSON_COMMANDS, *ANSWERS, "yes", "exit"}


@pytest.mark.parametrize(
    ("game", "language"), sample(pairs(GAMES, languages()), 5, rows=True), indirect=["language"]
)
@pytest.mark.slow
def test_every_legal_move_may_be_typed_in_the_readers_language_and_in_english(game, language):
    words, stage = words_of(game), Stage(game, 3 if game == "kinaskak" else 2, seed=6)
    cards = {*GAMES[game].pack, *FRENCH_52}
    asked = 0
    while not stage.over and asked < 60:
        model = stage.state.match
        for line in legal_moves(model) if model.asked else ():
            left = {word for word in line.split() if word.isalpha()} - cards - {*WORDS}
            assert left <= {*words.notation}, line
            moves = [
                commands if commands else [after.pending]
                for typed in (line, words.as_typed(line))
                for after, commands in [update(model, Typed(typed))]
            ]
            assert moves[0] == moves[1], line
        asked += model.asked
        stage.step(by_chance=asked % 3 == 0)
    assert asked > 5


@pytest.mark.parametrize(
    ("language", "game", "said", "move"),
    [
        ("es", "escoba", "jugar 7o llevar 5c 3b", "play 7o take 5c 3b"),
        ("eu", "domino", "Jokatu 6-4 EZKERREAN", "play 6-4 left"),
        ("is", "kinaskak", "leggja röð 5h 6h *7h þrenna K♣ *K", "meld run 5h 6h *7h set Kc *K"),
        ("es", "siete-y-media", "pedir descubierta subir 2", "hit up raise 2"),
        ("is", "truco", "segja 27", "say 27"),
    ],
    indirect=["language"],
)
def test_a_typed_move_is_read_in_the_readers_language(language, game, said, move):
    assert words_of(game).in_notation(said) == move
