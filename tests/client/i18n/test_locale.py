"""The translations: whole and well formed; each check is shown to fail on a catalogue with its
mistake. For their boxes see `test_boxes`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from client.i18n.basque import declined
from client.i18n.translation import Name, Reader, _, either, listed, ngettext, set_language
from docs.make_locale import LANGUAGES, ROOT, catalogue_of, path_of, template, updated
from hatch_build import compile_catalogue
from tests.client.i18n.catalogues import problems


@pytest.fixture
def reader(monkeypatch):
    """Lets a test read in a language; afterwards it is as it was."""
    monkeypatch.setattr(Reader, "language", Reader.language)
    monkeypatch.setattr(Reader, "catalogue", Reader.catalogue)
    return set_language


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_translated(language):
    assert list(problems(catalogue_of(language), template())) == []


def test_every_text_in_the_code_is_in_the_catalogues():
    """Babel finds no call inside a call inside a call."""
    known = {one for message in template() for one in ids(message)}
    assert [text for text in texts_in_code() if text not in known] == []


def test_no_command_ends_with_a_sentence_of_the_code():
    ends = r"Stop|\w*UsageError|StoreError|NetworkError"
    found = [
        f"{path.name}:{number}"
        for path in (ROOT / "client").rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(rf"raise ({ends})\(f?[\"'](?!{{)", line)
    ]
    assert found == []


def ids(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def texts_in_code() -> Iterator[str]:
    """Yield the texts that the code gives to `_` and `later`."""
    for path in sorted((ROOT / "client").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("_" | "later"), [ast.Constant(str(text))]) if text:
                    yield text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogues_are_as_make_locale_writes_them(language):
    """The same messages in the same order; how they are wrapped and flagged is up to Babel."""
    assert said(catalogue_of(language)) == said(
        read_po(BytesIO(updated(language)), locale=language)
    )


def said(catalogue: Catalog) -> list[tuple[object, ...]]:
    return [
        (message.context, message.id, message.string, message.locations)
        for message in catalogue
        if message.id
    ]


GOOD = r"""
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=2; plural=(n%10==1 && n%100!=11 ? 0 : 1);\n"

msgid "The match is over."
msgstr "Leiknum er lokið."

msgid "{count} card"
msgid_plural "{count} cards"
msgstr[0] "{count} spil"
msgstr[1] "{count} spil"

msgid "{who} has won."
msgstr "{who} vann."
"""


def read(text: str) -> Catalog:
    return read_po(BytesIO(text.encode()), locale="is")


def broken(how) -> list[str]:
    """Return what is wrong with a catalogue of three messages, after this was done to it."""
    small, bad = read(GOOD), read(GOOD)
    assert list(problems(bad, small)) == []
    return list(problems(how(bad) or bad, small))


def put(source: str, text) -> object:
    def how(catalogue: Catalog) -> None:
        catalogue[source].string = text

    return how


def lose(catalogue: Catalog) -> None:
    catalogue.delete("The match is over.")


def outlive(catalogue: Catalog) -> None:
    catalogue.add("Nobody says this.", "Enginn segir þetta.")


def guess(catalogue: Catalog) -> None:
    catalogue["The match is over."].flags.add("fuzzy")


def count_wrongly(_catalogue: Catalog) -> Catalog:
    return read(GOOD.replace("(n%10==1 && n%100!=11 ? 0 : 1)", "(n != 1)"))


@pytest.mark.parametrize(
    ("how", "what"),
    [
        (lose, "is missing"),
        (outlive, "not said any more"),
        (guess, "a guess"),
        (count_wrongly, "does not count"),
        (put("The match is over.", ""), "not translated"),
        (put("{count} card", ("{count} spil", "")), "not translated"),
        (put("{who} has won.", "Vann."), "its fields"),
        (put("{who} has won.", "{whom} vann."), "its fields"),
        (put("{who} has won.", "{who vann."), "ill-formed"),
        (put("{who} has won.", "{who:acc} vann."), "ill-formed"),
        (put("The match is over.", "Leiknum er lokið.\x1b[2J."), "control characters"),
        (put("The match is over.", " Leiknum er lokið."), "spaces"),
        (put("The match is over.", "Leiknum er lokið"), "a sentence"),
    ],
)
def test_wrong_translations_are_found(how, what):
    found = broken(how)
    assert len(found) == 1
    assert what in found[0]


NAMES = {
    "Ane": "Anek", "Jon": "Jonek", "Miren": "Mirenek", "Peru": "Peruk", "Iker": "Ikerrek",
    "Beñat": "Beñatek", "Garazi": "Garazik", "Ibai": "Ibaik", "Haizea": "Haizeak", "Josu": "Josuk",
    "Ekaitz": "Ekaitzek", "Eñaut": "Eñautek", "Aimar": "Aimarrek", "José": "Josék",
    "Björk": "Björkek", "Þór": "Þórrek", "Sigurður": "Sigurðurrek", "Anna": "Annak", "Jón": "Jónek",
    "Mike": "Mikek", "Emma": "Emmak", "Weiß": "Weißek", "Søren": "Sørenek", "Bo": "Bok",
    "Bjø": "Bjøk", "Łukasz": "Łukaszek", "Aïcha": "Aïchak", "Noël": "Noëlek", "Max": "Maxek",
    "Jack": "Jackek", "Renée": "Renéek", "Li": "Lik", "Nguyễn": "Nguyễnek",
    "Computer 1": "Computer 1ek", "Computer 2": "Computer 2k", "Computer 5": "Computer 5ek",
    "Ordenagailua 3": "Ordenagailua 3k", "Ordenador 4": "Ordenador 4k", "Tölva 6": "Tölva 6k",
    "p1": "p1ek", "p2": "p2k", "p5": "p5ek", "p8": "p8k", "r2d2": "r2d2k", "a b": "a bek",
    "x0": "x0k", "x10": "x10ek", "x11": "x11k", "x15": "x15ek", "x20": "x20k", "x21": "x21ek",
    "x30": "x30ek", "x31": "x31k", "x40": "x40k", "x100": "x100ek", "x1000": "x1000k",
    "x2026": "x2026k", "007": "007k", "٢": "٢k", "Ane²": "Ane²-k",
    "ane_": "ane_-k", "jon_": "jon_-ek", "!!": "!!-k", ":-)": ":-)-k", "Ane!": "Ane!-k",
    "Jon!": "Jon!-ek", "Iker!": "Iker!-ek", "Ane.": "Ane.-k", "Jon.": "Jon.-ek", "J.R.": "J.R.-ek",
    "p2.": "p2.-k", "p1.": "p1.-ek", "Ane 🎲": "Ane 🎲-k", "Jon🎲": "Jon🎲-ek", "🎲": "🎲-k",
    "👍🏽": "👍🏽-k", "Iker ♠": "Iker ♠-ek", "Ane ★ 7": "Ane ★ 7k", "Ångström™": "Ångström™-ek",
    "Анна": "Анна-k", "Пётр": "Пётр-ek", "Сергей": "Сергей-k", "Μαρία": "Μαρία-k",
    "Νίκος": "Νίκος-ek", "美": "美-k", "אנה": "אנה-k", "root (2)": "rootek (2)",
    "Ane (1)": "Anek (1)", "Ane! (1)": "Ane!-k (1)",
}  # fmt: skip


@pytest.mark.parametrize(("name", "subject"), NAMES.items())
def test_basque_marks_who_does_something(name, subject):
    assert declined(name, "erg") == subject
    assert declined(name, "abs") == name


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
@pytest.mark.parametrize("nick", ["Jon.", "J. R.", "Ane…", "🎲.", "Jon. (2)"])
def test_a_nick_that_ends_with_a_full_stop_brings_no_second_one(reader, language, nick):
    reader(language)
    for message in template():
        one, *many = (message.id,) if isinstance(message.id, str) else message.id
        names = {field: Name(nick) for field in re.findall(r"\{(\w+)", " ".join([one, *many]))}
        said = (ngettext(one, many[0], 2) if many else _(one)).format(**names)
        assert not re.search(r"(?<!\.)\.\.(?!\.)|…\.", said), said


@pytest.mark.parametrize(
    ("case", "forms"),
    [
        ("dat", ("Aneri", "Joni", "Ikerri")),
        ("gen", ("Aneren", "Jonen", "Ikerren")),
        ("soc", ("Anerekin", "Jonekin", "Ikerrekin")),
    ],
)
def test_basque_declines_names(case, forms):
    assert tuple(declined(name, case) for name in ("Ane", "Jon", "Iker")) == forms


@pytest.mark.parametrize(
    ("last", "joined"),
    [
        ("Jon", "y"), ("Iker", "e"), ("Íñigo", "e"), ("Hilario", "e"), ("Hielo", "y"),
        ("Yolanda", "y"), ("Ynés", "e"), ("p1", "y"),
    ],
)  # fmt: skip
def test_spanish_does_not_say_y_before_i(reader, last, joined):
    reader("es")
    assert listed(["Ane", "Jon", last]) == f"Ane, Jon {joined} {last}"


@pytest.mark.parametrize(
    ("last", "joined"),
    [("6", "o"), ("8", "u"), ("11", "u"), ("110", "o"), ("off", "u"), ("mano", "o")],
)
def test_spanish_does_not_say_o_before_o(reader, last, joined):
    reader("es")
    assert either(["2", last]) == f"2 {joined} {last}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_read_as_written(tmp_path, language):
    """An editable installation compiles the translations once; `python -m docs.make_locale` does it
    anew."""
    copy = path_of(language)
    compile_catalogue(copy, tmp_path / "fresh.mo")
    compiled = copy.with_suffix(".mo")
    hint = "run `python -m docs.make_locale`, or install the package again"
    assert compiled.exists(), hint
    assert compiled.read_bytes() == (tmp_path / "fresh.mo").read_bytes(), hint
