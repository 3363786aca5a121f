"""The small commands: games, rules, tables, id, and the language they are in."""

import json
import sys
import time

import pytest

from client.__main__ import main
from client.commands import learn, tables
from client.i18n import translation
from client.i18n.translation import set_language
from client.session.status import Status
from client.storage.contacts import Contacts
from client.storage.home import open_home
from client.ui.games import lesson_named, lessons
from p2p.net.sighting import Sighting
from p2p.wire import PROTOCOL


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_games_as_text_and_as_json(capsys):
    assert main(["games"]) == 0
    assert "--option target=21   a whole number from 1 to 101" in capsys.readouterr().out
    assert main(["games", "--json"]) == 0
    (escoba,) = [
        game for game in json.loads(capsys.readouterr().out)["games"] if game["game"] == "escoba"
    ]
    assert escoba["players"] == [2, 3, 4, 6]
    assert escoba["options"]["target"]["values"] == {"from": 1, "to": 101}
    assert escoba["options"]["teams"]["defaults"] == {"2": False, "3": False, "4": False, "6": True}


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of Windows is fixed")
def test_players_were_met_on_the_day_that_this_machine_had(home, capsys, monkeypatch):
    Contacts(open_home(home).path).meet(bytes(32), "Ane", None, 1_700_000_000)
    for zone, day in (("Asia/Tokyo", "2023-11-15"), ("America/Lima", "2023-11-14")):
        with monkeypatch.context() as patched:
            patched.setenv("TZ", zone)
            time.tzset()
            assert main(["peers"]) == 0
        time.tzset()
        assert day in capsys.readouterr().out


def test_tables_have_a_head(capsys, monkeypatch):
    seen = Sighting(bytes(32), "Ane", "escoba", "olive-12", 1, 4, "open", 47747, PROTOCOL)
    monkeypatch.setattr(tables, "run_trio", lambda *_args: [tables.Found(seen, real=True)])
    assert main(["tables"]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head.split() == ["TABLE", "GAME", "SEATS", "STATE", "OPENED", "BY"]
    assert [
        line[head.index(word) :].split()[0] for word in ("GAME", "SEATS", "STATE", "OPENED")
    ] == [
        "escoba",
        "1/4",
        "open",
        "Ane",
    ]
    monkeypatch.setattr(tables, "run_trio", lambda *_args: [])
    assert main(["tables"]) == 0
    assert "TABLE" not in capsys.readouterr().out


def test_id_is_made_once(capsys, home):
    assert main(["id", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert main(["id"]) == 0
    out = capsys.readouterr().out
    assert first["fingerprint"] in out
    assert " ".join(first["words"]) in out
    assert first["home"] == str(home)
    assert len(first["words"]) == 8


def test_without_a_word_about_it_the_language_is_the_one_set_for_good(
    monkeypatch, tmp_path, capsys
):
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "en")
    (tmp_path / "settings.toml").write_text('language = "es"\n')
    assert main(["verify"]) == 2
    assert "aún no se ha jugado" in capsys.readouterr().err
    assert main(["verify", "--lang", "is"]) == 2
    assert "hefur enginn leikur" in capsys.readouterr().err
    set_language("en")


@pytest.fixture
def source_tree(tmp_path, monkeypatch):
    """The program reads a folder of translations in which Spanish is not compiled."""
    folder = tmp_path / "locale" / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "sobremesa.po").touch()
    monkeypatch.setattr(translation, "LOCALE", tmp_path / "locale")
    monkeypatch.setenv("LANGUAGE", "en")


NOT_COMPILED = (
    "sobremesa: the catalogue of the language 'es' is not compiled: run `python -m pip "
    "install -e .` in the source tree\n"
)


@pytest.mark.parametrize(
    "typed", ["--lang es", "--lang=es --help", "games --lang es", "games --lang es --help"]
)
def test_a_language_without_its_compiled_catalogue(typed, source_tree, capsys):
    assert main(typed.split()) == 2
    assert capsys.readouterr() == ("", NOT_COMPILED)


def test_a_copy_in_one_file_without_a_catalogue_asks_for_another_copy(
    source_tree, monkeypatch, capsys
):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert main(["games", "--lang", "es"]) == 2
    assert capsys.readouterr().err == (
        "sobremesa: This copy of Sobremesa has no Spanish. Get another copy, or report this.\n"
    )


def test_every_lesson_of_an_option_begins_by_its_words(monkeypatch):
    taught = []
    monkeypatch.setattr(learn, "run_session", lambda _args, _context, session: session(None))
    monkeypatch.setattr(learn, "teach", lambda _player, course, _nick: taught.append(course) or 0)
    for name in lessons():
        assert main(["learn", *name.split(":")]) == 0
    assert taught == [lesson_named(name).course for name in lessons()]
    assert len({(course.game, *course.options) for course in taught}) == len(lessons())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("truco", "falta"), "Truco has no lesson of 'falta'; it has one of: flor"),
        (("escoba", "flor"), "Escoba has no lesson of 'flor', only the lesson of the game"),
    ],
)
def test_a_lesson_that_there_is_not_is_refused_with_those_that_there_are(words, said, capsys):
    assert main(["learn", *words]) == Status.USAGE
    assert said in capsys.readouterr().err
