"""Both faces in a language that nobody speaks: text that can still be read has not gone through the
translations."""

from __future__ import annotations

import gettext
import re
import string
from dataclasses import replace

import pytest

from client.i18n.sentences import TYPED_COMMANDS
from client.i18n.translation import Reader
from client.session.messages import Message, Typed
from client.ui.games import words_of
from client.ui.games.truco import songs as truco
from client.ui.model import legal_moves
from client.ui.plain.lines import lines
from client.ui.screen import pages
from client.ui.screen.state import DealCount
from client.ui.update import update
from engine.games import GAMES
from tests.screens.stage import NICKS, Stage

STRANGE = str.maketrans(dict.fromkeys(string.ascii_letters, "ẋ"))
NOT_WORDS = re.compile(r"[0-9A-Z]{4}(-[0-9A-Z]{4})+|\b[0-9a-f]{16}\b|`[^`]*`")
"""Fingerprints, names of matches, and commands to type."""
KEYS = "Esc Tab Enter Space"
OWN = {
    "escoba": "",
    "domino": "",
    "siete-y-media": "¡La banca salta!",
    "truco": "¡Ancho de espadas! ¡Siete de espadas! "
    + " ".join(
        [
            *truco.CRIES.values(),
            *truco.RAISES.values(),
            *truco.SAID.values(),
            *truco.BETTER.values(),
            truco.FIRST,
        ]
    ),
    "kinaskak": "Allir tilbúnir? Fyrstur kaupir, fyrstur fær! run set",
}
"""Calls of a real table stay as they are in every language."""


class Pseudo(gettext.NullTranslations):
    """Says everything with one letter, but for the fields in braces."""

    def gettext(self, message):
        return strange(message)

    def ngettext(self, one, many, n):
        return strange(one if n == 1 else many)

    def pgettext(self, context, message):
        return strange(message)


def strange(message: str) -> str:
    parts = re.split(r"(\{[^}]*\}|`[^`]*`)", message)
    return "".join(part if part[:1] in ("{", "`") else part.translate(STRANGE) for part in parts)


def words(text: str) -> set[str]:
    return set(re.findall("[A-Za-z]{3,}", NOT_WORDS.sub("", text)))


class Listener(Stage):
    """Reads what both faces show, and knows what may be typed."""

    def __init__(self, game: str, players: int) -> None:
        self.shown: dict[str, str] = {}
        self.typed: set[str] = set()
        super().__init__(game, players, seed=5)

    def tell(self, message: Message) -> Stage:
        before = self.state.match
        super().tell(message)
        self.read(lines(before, message, self.state.match))
        quiet = replace(
            self.state, moment=None, count=DealCount()
        )  # which would cover words in part
        self.read(pages.draw(quiet, 100, 30).text().splitlines())
        if self.state.match.asked:
            self.typed |= words(" ".join(legal_moves(self.state.match)))
        return self

    def ask(self, text: str) -> None:
        """Type a line in the plain face."""
        model = self.state.match
        self.read(lines(model, Typed(text), update(model, Typed(text))[0]))

    def read(self, said: list[str]) -> None:
        """Keep each word, with a line in which it stands."""
        self.shown |= {word: line for line in said for word in words(line)}


def left_in_english(game: str) -> dict[str, str]:
    """Play a match of a game, and return the words that can be read, each with its line."""
    match = Listener(game, 3 if game == "kinaskak" else 4)
    for text in ("help", "rules", "hint", "table", "words", "leave", "no such thing"):
        match.ask(text)
    for _move in range(120):
        if not match.over:
            match.step()
    options = GAMES[game].choices
    typed = [f"{name} {option.values}" for name, option in options.items()] + [
        "True False no such thing",
        *TYPED_COMMANDS,
    ]
    own = (
        words(
            " ".join(
                [*NICKS, OWN[game], KEYS, *typed, *map(str.lower, typed), *words_of(game).examples]
            )
        )
        | match.typed
    )
    return {word: line for word, line in match.shown.items() if word not in own}


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_said_past_the_translations(monkeypatch, game):
    monkeypatch.setattr(Reader, "catalogue", Pseudo())
    assert left_in_english(game) == {}
