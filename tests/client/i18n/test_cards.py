"""Cards in sentences: as the reader sees them drawn, and never in the notation that is typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from client.i18n.translation import NO_BREAK, languages, set_language, unbroken
from client.session.messages import Act, Typed
from client.ui.games import lesson_of, words_of
from client.ui.games.truco.words import STRENGTHS
from client.ui.model import legal_moves
from client.ui.plain.lines import lines
from client.ui.screen import pages
from client.ui.screen.messages import Key
from client.ui.screen.react import react
from client.ui.screen.state import DealCount
from client.ui.update import update
from client.ui.view.parts import as_data
from client.ui.view.views import view_of
from engine.core.cards import FRENCH_52
from engine.games import GAMES
from tests.screens.learner import Learner
from tests.screens.stage import Stage

MOVES = 150
ENGLISH = re.compile(
    r"(?<![\w*])\*?[A2-9TJQK][cdhs](?!\w)"  # cards as they are typed
    r"|(?<!\w)\*?T[♣♦♥♠]?(?!\w)"  # the rank of the tens
    r"|\b(meld|run|set|lay|swap|discard|take|decline|buy|joker for)\b"
)
"""The notation of Kínaskák in a sentence, and its words."""
ICELANDIC = re.compile(r"(?<!\w)\*?[AJQ][♣♦♥♠]")
"""Cards that Icelanders call otherwise: Á, G and D."""


@pytest.fixture(params=("eu", "es", "is"))
def language(request):
    set_language(request.param)
    yield request.param
    set_language("en")


class Reader(Stage):
    """Reads all sentences of a match, without the moves in them that are there to be typed."""

    def __init__(self, game: str) -> None:
        self.said: list[str] = []
        super().__init__(game, 3 if game == "kinaskak" else 4, seed=5)

    def tell(self, message):
        before = self.state.match
        super().tell(message)
        after = self.state.match
        words, moves = words_of(after.game), [*legal_moves(after)]
        moves += words.offered(after.view, moves) if after.asked else []
        self.hear(lines(before, message, after), *map(words.as_typed, moves))
        return self

    def hear(self, said: Iterable[str], *typed: str) -> None:
        """Keep lines, without the words to type."""
        moves = sorted({*typed, *map(unbroken, typed)}, key=len, reverse=True)
        left_out = re.compile("|".join(["`[^`]*`", *map(re.escape, moves)]))
        self.said += [left_out.sub("", line) for line in said]

    def ask(self) -> None:
        """Ask for a hint, in both faces."""
        model = self.state.match
        answered = update(model, Typed("hint"))[0]
        move = answered.reply[0].params["text"].replace(NO_BREAK, " ")
        self.hear(lines(model, Typed("hint"), answered), move)
        state = replace(self.state, held=(), count=DealCount(), moment=None)
        self.hear([react(state, Key("?", "?"))[0].notice], move)

    def look(self) -> None:
        """Read the full screen, and the view for a browser with the names of its cards."""
        self.hear(pages.draw(self.state, 100, 30).text().splitlines())
        self.hear(texts_of(as_data(view_of(self.state))))

    def play(self, *, looks: bool = False) -> Reader:
        """Play a match, or its beginning."""
        for number in range(MOVES):
            if self.state.match.asked:
                self.ask()
            if looks and number % 4 == 0:
                self.look()
            if not self.over:
                self.step(by_chance=number % 4 == 3)
        return self


def texts_of(data: object, name: str = "") -> Iterator[str]:
    """Give the texts of a view as a page shows them, without its ids and the faces of drawings."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from texts_of(value, key)
    elif isinstance(data, list):
        for one in data:
            yield from texts_of(one, name)
    elif isinstance(data, str) and name not in ("id", "face", "kind", "key", "svg", "taken"):
        yield data


def lesson_of_game(game: str) -> Iterator[str]:
    """Take a lesson, and give the paragraphs of all its pages."""
    learner, lesson = Learner(game), lesson_of(game)
    yield from lesson.welcome()
    while not learner.lesson.over:
        learner.read_on()
        yield from learner.state.lesson[-1]
        assert learner.model.advice is not None
        learner.make(learner.model.advice)


def raw(game: str) -> re.Pattern[str]:
    """Match the cards of a game's notation."""
    faces = sorted({face for face in GAMES[game].pack if face != "*"}, key=len, reverse=True)
    return re.compile(r"(?<![\w-])\*?(" + "|".join(map(re.escape, faces)) + r")(?![\w-])")


def marking(words) -> object:
    """Make the one function put its cards into brackets that nothing else uses."""
    shown = type(words).shown
    return lambda self, card: f"⟦{shown(self, card)}⟧"


def outside(text: str) -> str:
    return re.sub("⟦[^⟧]*⟧", "", text)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_one_function_brings_cards_into_sentences(monkeypatch, game):
    words = words_of(game)
    monkeypatch.setattr(type(words), "shown", marking(words))
    set_language("eu")  # so that `play 7o` is no sentence
    try:
        said = [*Reader(game).play().said, *lesson_of_game(game)]
    finally:
        set_language("en")
    assert any("⟦" in line for line in said)
    assert [
        line for line in said if raw(game).search(outside(line)) and not line.endswith(STRENGTHS)
    ] == []


@pytest.mark.slow
def test_no_sentence_of_kinaskak_has_english_cards(language):
    said = [
        *Reader("kinaskak").play(looks=True).said,
        *lesson_of_game("kinaskak"),
        *(words_of("kinaskak").why((why, "*Td", "Jc")) for why in words_of("kinaskak").why_words),
    ]
    assert any("10♦" in line for line in said)
    assert [line for line in said if ENGLISH.search(re.sub("`[^`]*`", "", line))] == []
    if language == "is":
        assert any("D♥" in line for line in said)
        assert [line for line in said if ICELANDIC.search(line)] == []


@pytest.mark.parametrize("language", languages(), indirect=True)
def test_a_card_may_be_typed_as_it_is_shown_and_as_the_notation_has_it(language):
    words = words_of("kinaskak")
    for face in FRENCH_52:
        for card in (face, f"*{face}", f"*{face[0]}"):
            line = f"lay {card} on m1"
            assert words.in_notation(line) == line
            assert words.in_notation(f"lay {words.shown(card)} on m1") == line
            assert words.in_notation(f"LAY {words.shown(card).casefold()} ON M1").split()[1] == card
    assert words.in_notation("discard 10d") == "discard Td"
    stage = Stage("kinaskak", 3).until(lambda at: at.state.match.asked and at.game.phase == "play")
    face = next(face for face in stage.state.match.hand.values() if face[0] in "AJQKT")
    stage.type(f"discard {words.shown(face)}")
    assert [str(command.move)[:7] for command in stage.commands if isinstance(command, Act)] == [
        "Discard"
    ]
