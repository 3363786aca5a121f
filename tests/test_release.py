"""The scripts that build what people download: bad words, and the promises of documents.

`scripts/release --try` tries the artefacts themselves."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
import types
from datetime import UTC, datetime
from pathlib import Path

import pytest

from client.__main__ import main
from client.doctor.machine import RELEASED_S
from client.i18n.translation import set_language
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
LANGUAGES = ("en", "es", "eu", "is")


def script(name: str, *words: str | Path, **around: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "scripts" / name, *words],
        env={**os.environ, "PYTHON": sys.executable, **around},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * PATIENCE,
    )


@pytest.fixture
def full(tmp_path: Path) -> Path:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").write_text("mine")
    return tmp_path / "full"


def require_refusal(done: subprocess.CompletedProcess[str], sentence: str) -> None:
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "unbound" not in done.stderr
    assert done.stdout == ""


USAGE = "usage: scripts/"


@pytest.mark.parametrize(
    ("name", "words", "sentence"),
    [
        ("release", ["--tyr"], "--tyr is no option of this script"),
        ("release", ["--to"], "--to needs a folder"),
        ("release", ["--to", "FULL"], "is there already, and not an empty folder"),
        ("release", ["--to", "FULL/letter"], "is there already"),
        ("bare-debian", [], f"{USAGE}bare-debian SUITE FOLDER"),
        ("bare-debian", ["../x", "/new"], f"{USAGE}bare-debian SUITE FOLDER"),
        ("bare-debian", ["bookworm", "FULL"], "name a new folder"),
        ("debian", ["--sample", "../x"], f"{USAGE}debian [--sample] [SUITE]"),
        ("try-release", ["/nowhere", "/bin/true"], f"{USAGE}try-release"),
        ("site", ["FULL"], "is no site"),
        ("site", ["--help"], f"{USAGE}site [FOLDER]"),
    ],
)
def test_bad_words_of_a_script_end_in_a_sentence_and_change_nothing(full, name, words, sentence):
    typed = [word.replace("FULL", str(full)) for word in words]
    require_refusal(script(name, *typed), sentence)
    assert (full / "letter").read_text() == "mine"


def test_release_needs_a_python_that_is_new_enough(tmp_path):
    gone = script("release", PYTHON=str(tmp_path / "python"))
    require_refusal(gone, "there is no Python here")
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    require_refusal(script("release", PYTHON=str(old)), "is older than Python 3.11")


STAND_IN = """#!/bin/sh
# a Python that fails at {fails}
case "$1 $2" in
"{fails}") exit 1 ;;
"-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
"-c "*) exec {python} "$@" ;;
esac
"""


@pytest.mark.parametrize(
    ("fails", "reason"),
    [
        ("- ", "the library of this Python, which goes into the program, is not here"),
        ("-m venv", "this Python makes no environments"),
        ("-m pip", "the packages that build it cannot be installed"),
    ],
)
def test_a_release_of_nothing_fails_with_its_reason(fails, reason, tmp_path):
    python = tmp_path / "python"
    python.write_text(STAND_IN.format(fails=fails, python=sys.executable))
    python.chmod(0o755)
    (tmp_path / "work").mkdir()
    around = {"PYTHON": str(python), "TMPDIR": str(tmp_path / "work")}
    done = script("release", "--to", tmp_path / "to", **around)
    assert done.returncode == 1
    assert f"nothing was built: {reason}" in done.stderr
    assert not list((tmp_path / "work").iterdir())


@pytest.mark.parametrize(
    "around",
    [{"DEBEMAIL": "nobody"}, {"DEBEMAIL": "a b@example.org"}, {"DEBFULLNAME": "A\nDepends: x"}],
    ids=["no-address", "two-words", "another-field"],
)
def test_a_package_has_a_maintainer_who_is_one(around, tmp_path):
    require_refusal(script("release", "--to", tmp_path / "to", **around), "is no maintainer")
    assert not (tmp_path / "to").exists()


def test_a_folder_without_the_one_file_fails(tmp_path):
    done = script("try-release", tmp_path, "/bin/true")
    assert (done.returncode, done.stdout) == (1, "")
    assert "there is no program in one file" in done.stderr


# The documents.

HAS_SPHINX = all(map(importlib.util.find_spec, ("sphinx", "myst_parser")))
needs_sphinx = pytest.mark.skipif(
    not HAS_SPHINX, reason="Sphinx is not installed: scripts/install '.[site]'"
)


@needs_sphinx
@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path):
    done = script("site", tmp_path / "site")
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    pages = ("play", "host", "phones", "trust", "protocol", "contributing", "rules/truco")
    for page in (*pages, "es/jugar", "eu/jolastu", "is/spila"):
        assert (tmp_path / "site" / f"{page}.html").exists()
    assert (tmp_path / "site" / "_images" / "truco.webp").exists()
    for page, language in (("play", "en"), ("es/jugar", "es"), ("eu/jolastu", "eu")):
        shown = (tmp_path / "site" / f"{page}.html").read_text(encoding="utf-8")
        assert f'<html lang="{language}"' in shown
        assert "_static/site.css" in shown
        assert "decisions.html" in shown
        assert "decisions/0001" not in shown
    listed = (tmp_path / "site" / "decisions.html").read_text(encoding="utf-8")
    assert "decisions/0001" in listed
    # again into the same folder
    assert script("site", tmp_path / "site").returncode == 0


def test_a_site_without_sphinx_says_how_to_get_it(tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    done = script("site", tmp_path / "site", PYTHON=str(python))
    assert (done.returncode, done.stderr.strip()) == (
        3,
        "Sphinx is not installed: scripts/install '.[site]'",
    )


UNRELEASED = re.compile(
    "(?i)no release|not? (?:been )?released|unreleased|before the (?:first )?release"
    "|versi[oó]n publicada|sin publicar|argitarat|útgáfa er komin|óútgefi"
)
"""Ways to say that nothing has been released, in four languages."""


def test_the_sentences_that_a_release_changes_are_listed():
    """The list is complete, and each sentence stands where it says."""
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = contributing.split("| file | sentence |\n| --- | --- |\n")[1].split("\n\n")[0]
    listed = set(re.findall(r"^\| `(.*)` \| (.*) \|$", rows, re.MULTILINE))
    assert len(listed) == len(rows.splitlines())
    for page, sentence in listed:
        assert (ROOT / page).read_text(encoding="utf-8").count(sentence) == 1, page
    found = [
        (path.relative_to(ROOT).as_posix(), " ".join(line.split()))
        for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
        if path.name != "CONTRIBUTING.md" and "decisions" not in path.parts
        for line in path.read_text(encoding="utf-8").splitlines()
        if UNRELEASED.search(line)
    ]
    unlisted = [
        (page, line)
        for page, line in found
        if not any(page == other and sentence in line for other, sentence in listed)
    ]
    assert not unlisted
    assert len(found) == len(listed)


def test_the_check_of_the_clock_knows_the_day_of_the_newest_release():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    days = re.findall(r"^## \[\d.*\] - (\d{4}-\d\d-\d\d)$", changes, re.MULTILINE)
    known = datetime.fromtimestamp(RELEASED_S, UTC).date().isoformat()
    assert known == max(days, default=known), "set it in client/doctor/machine.py"


def test_every_page_stands_in_the_contents_of_the_site():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([\w/-]+)$", index, re.MULTILINE))
    pages = {
        path.relative_to(ROOT / "docs").with_suffix("").as_posix()
        for path in (ROOT / "docs").rglob("*.md")
    }
    decisions = {page for page in pages if page.startswith("decisions/")}
    assert pages - decisions - {"index"} <= listed
    page = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    assert "\ndecisions/*\n" in page


def test_the_matrix_of_strangers_calls_the_check_alone():
    text = (ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8")
    assert re.findall(r"- run: (\S+)", text) == ["scripts/install", "scripts/check"]
    for system in ("ubuntu-latest", "macos-latest", "windows-latest"):
        assert system in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_build_must_say_the_same_of_the_example(language, capsys, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "en")  # the program sets it for argparse
    with (ROOT / "docs" / "example.sobremesa").open("rb") as file:
        monkeypatch.setattr(
            sys, "stdin", type("Input", (), {"buffer": file, "fileno": file.fileno})
        )
        assert main(["verify", "--lang", language, "--plain", "-"]) == 0
    said = capsys.readouterr().out
    set_language("en")
    # scripts/try-release compares these with the answers of the artefacts
    answer = ROOT / "tests" / "vectors" / f"example-verified-{language}.txt"
    if os.environ.get("SOBREMESA_UPDATE"):
        answer.write_text(said, encoding="utf-8")
    assert said == answer.read_text(encoding="utf-8")
    if language == "en":
        shown = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
        assert said.replace("-: good", "docs/example.sobremesa: good") in shown


# The one file.


class Frozen:
    """PyInstaller's names in the specification, with the modules and files that it has found."""

    def __init__(self, datas, pure=()):
        self.datas, self.pure, self.made = datas, pure, []

    def run(self, monkeypatch):
        found = ("collect_data_files", "collect_dynamic_libs", "collect_submodules")
        hooks = {name: lambda *_words, **_options: [] for name in (*found, "copy_metadata")}
        for name, inside in {"PyInstaller": {}, "PyInstaller.utils": {}, HOOKS: hooks}.items():
            module = types.ModuleType(name)
            vars(module).update(inside)
            monkeypatch.setitem(sys.modules, name, module)
        made = {name: self.made_of(name) for name in ("PYZ", "EXE", "COLLECT")}
        analysis = types.SimpleNamespace(datas=self.datas, pure=self.pure, scripts=[], binaries=[])
        names = {"Analysis": lambda *_words, **_options: analysis, **made}
        exec(SPEC.read_text(encoding="utf-8"), names)

    def made_of(self, name):
        return lambda *_words, **_options: self.made.append(name)


HOOKS = "PyInstaller.utils.hooks"
SPEC = ROOT / "scripts" / "sobremesa.spec"
INSTALLED = Path(sysconfig.get_path("purelib"))


def catalogues(folder: Path, *codes: str) -> list[tuple[str, str, str]]:
    names = [f"client/i18n/locale/{code}/LC_MESSAGES/sobremesa.mo" for code in codes]
    return [(name, str(folder / name), "DATA") for name in names]


def test_the_one_file_is_made_of_the_installed_wheel(monkeypatch):
    module = ("client.ui", str(INSTALLED / "client" / "ui" / "__init__.py"), "PYMODULE")
    frozen = Frozen(catalogues(INSTALLED, "es", "eu", "is"), [module])
    frozen.run(monkeypatch)
    assert frozen.made == ["PYZ", "EXE", "EXE", "COLLECT"]


@pytest.mark.parametrize(
    ("codes", "found"), [((), "there is: none"), (("es", "is"), "there is: es, is")]
)
def test_the_one_file_is_not_made_without_a_catalogue(codes, found, monkeypatch):
    frozen = Frozen(catalogues(INSTALLED, *codes))
    with pytest.raises(SystemExit, match=found):
        frozen.run(monkeypatch)
    assert not frozen.made


@pytest.mark.parametrize("what", ["module", "file"])
def test_the_one_file_is_not_made_of_the_sources(what, monkeypatch):
    module = ("client.ui", str(ROOT / "client" / "ui" / "__init__.py"), "PYMODULE")
    frozen = (
        Frozen(catalogues(INSTALLED, "es", "eu", "is"), [module])
        if what == "module"
        else Frozen(catalogues(ROOT, "es", "eu", "is"))
    )
    with pytest.raises(SystemExit, match="is not in the environment"):
        frozen.run(monkeypatch)
    assert not frozen.made
