"""The reader's language, and that everything the engine can say has words."""

import ast
import gettext
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from babel.messages import Catalog
from babel.messages.mofile import write_mo

import engine
from client.i18n import sentences
from client.i18n import translation as words
from client.i18n.translation import _, later, ngettext, pgettext, set_language
from client.ui.games import words as base
from client.ui.games import words_of
from engine.core.events import GameEvent
from engine.games import GAMES
from p2p.net import errors
from p2p.table.faults import FAULTS
from p2p.table.replay import BadLog

ENGINE = Path(engine.__file__).parent


def tree_of(path: Path) -> ast.AST:
    return ast.parse(path.read_text(encoding="utf-8"))


def first_string(node: ast.AST) -> set[str]:
    match node:
        case ast.Tuple(elts=[ast.Constant(value=str(text)), *_rest]):
            return {text}
    return set()


def why_ids(path: Path) -> set[str]:
    """Every id that a refusal can have: heads of tuples that `why_not` returns or IllegalMove
    takes, and `missing`."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef) and node.name.removeprefix("_").startswith("why_not"):
            for inner in ast.walk(node):
                found |= first_string(inner)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("IllegalMove", "MeldRefused"):
                for inner in ast.walk(node):
                    found |= first_string(inner)
            if node.func.id in ("find_slot", "find_slots"):
                found |= {arg.value for arg in node.args if isinstance(arg, ast.Constant)}
    return found


def sources(game: str) -> list[Path]:
    shared = [ENGINE / "core" / name for name in ("game.py", "run.py", "notation.py")]
    shared.append(ENGINE.parent / "p2p" / "table" / "table.py")
    shared.append(ENGINE.parent / "client" / "session" / "seats.py")
    return [*shared, *(ENGINE / "games" / game.replace("-", "_")).glob("*.py")]


@pytest.mark.parametrize("game", GAMES)
def test_every_reason_has_words(game):
    # the answer of find_slot where it is told nothing else
    ids = {"not-in-hand"}.union(*map(why_ids, sources(game)))
    assert "not-your-turn" in ids
    assert ids == {*base.WHY, *words_of(game).why_words}, (
        "a reason without words, or words without a reason"
    )
    for reason in ids:
        for details in ((), ("7o",), ("7o", "5c")):
            assert words_of(game).why((reason, *details)).endswith(".")


@pytest.mark.parametrize("game", GAMES)
def test_every_event_is_told_and_has_words(game):
    """The type checker sees that there are words for every kind of `Event`; here, that it has all
    that the rules make."""
    events = sys.modules[GAMES[game].__module__].events
    kinds = {
        kind
        for kind in vars(events).values()
        if isinstance(kind, type) and issubclass(kind, GameEvent)
    } - {GameEvent}
    assert kinds == set(get_args(events.Event))
    rules = "".join(path.read_text(encoding="utf-8") for path in sources(game))
    assert {kind for kind in kinds if f"events.{kind.__name__}" in rules} == kinds


RAISED = (
    "BadOption",
    "BadLog",
    "OtherLog",
    "TableRefused",
    "NoPage",
    "BadDeparture",
    "BadSignature",
)


def ids_of_errors() -> Iterator[tuple[str, str]]:
    """Give the ids of the errors that the packages raise, each with its place."""
    for error in (*leaves_of(errors.NetError), *FAULTS):
        yield error.__name__, error.__name__
    for path in (
        path
        for package in ("engine", "p2p", "client")
        for path in sorted((ENGINE.parent / package).rglob("*.py"))
    ):
        for node in ast.walk(tree_of(path)):
            match node:
                case ast.Call(func=ast.Name(id=kind), args=[ast.Constant(value=str(name))]) if (
                    kind in RAISED
                ):
                    yield name, f"{path.name}:{node.lineno}"


def leaves_of(kind: type) -> list[type]:
    """Return the classes of errors that are raised: those below a class."""
    return [leaf for below in kind.__subclasses__() for leaf in leaves_of(below) or [below]]


def test_every_id_of_an_error_has_a_sentence_and_every_sentence_an_error():
    found = dict(ids_of_errors())
    assert {place for name, place in found.items() if name not in sentences.ERRORS} == set()
    # the ids of refusals that are only sent, and a base
    told = {"not-signed", "too-many", "other-match", "VersionMismatch"}
    assert sentences.ERRORS.keys() - found.keys() == told


def test_errors_are_said_in_the_readers_language(upside):
    assert sentences.said(BadLog("six-without-teams")) == "smaet ni yalp syawla sreyalp xis"
    assert sentences.english(BadLog("six-without-teams")) == "six players always play in teams"


# The language.


class Upside(gettext.NullTranslations):
    def gettext(self, message):
        return message[::-1]

    def ngettext(self, one, many, n):
        return (one if n % 10 == 1 and n % 100 != 11 else many)[::-1]

    def pgettext(self, context, message):
        return f"{context}/{message}"


@pytest.fixture
def upside(monkeypatch):
    monkeypatch.setattr(words.Reader, "catalogue", Upside())


def test_sentences_go_through_the_catalogue(upside):
    assert _("abc") == "cba"
    assert pgettext("suit", "cups") == "suit/cups"
    assert later("abc") == "abc"
    assert [ngettext("one", "many", count) for count in (1, 2, 11, 21)] == [
        "eno",
        "ynam",
        "ynam",
        "eno",
    ]


def test_a_catalogue_is_found_and_used(tmp_path, monkeypatch):
    catalogue = Catalog("eu")
    catalogue.add("The match is over.", "Partida amaitu da.")
    place = tmp_path / "eu" / "LC_MESSAGES"
    place.mkdir(parents=True)
    with (place / "sobremesa.mo").open("wb") as file:
        write_mo(file, catalogue)
    monkeypatch.setattr(words, "LOCALE", tmp_path)
    monkeypatch.setattr(words.Reader, "catalogue", words.Reader.catalogue)
    monkeypatch.setattr(words.Reader, "language", "en")
    assert words.languages() == ["en", "eu"]
    monkeypatch.setenv("LANGUAGE", "is:eu_ES.UTF-8")
    assert set_language() == "eu"
    assert _("The match is over.") == "Partida amaitu da."
    assert _("Not translated") == "Not translated"
