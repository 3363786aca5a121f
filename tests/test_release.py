"""The scripts that build what people download: bad words, and the promises of documents.

`scripts/release --try` tries the artefacts themselves."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from client.__main__ import main
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
VERIFIED = ROOT / "tests" / "vectors" / "example-verified.txt"
"""The answer of `verify` about the example of the protocol, from standard input, in English."""


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


def test_the_readme_is_short_and_has_its_parts():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) <= 120
    headings = re.findall(r"^## (.*)$", readme, re.MULTILINE)
    assert {"Two commands", "Three ways to play", "Why nobody can cheat"} <= set(headings)
    why = readme.split("## Why nobody can cheat\n\n")[1].split("\n\n## ")[0]
    assert len(why.splitlines()) <= 8
    ways = readme.split("## Three ways to play\n\n")[1].split("\n\n## ")[0]
    assert len(re.findall(r"^- \*\*", ways, re.MULTILINE)) == 3


def test_every_page_stands_in_the_contents_of_the_site():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([\w/-]+)$", index, re.MULTILINE))
    pages = {
        path.relative_to(ROOT / "docs").with_suffix("").as_posix()
        for path in (ROOT / "docs").rglob("*.md")
    }
    decisions = {page for page in pages if page.startswith("decisions/")}
    assert pages - decisions - {"index"} <= listed
    assert "\ndecisions/*\n" in index


def test_the_matrix_of_strangers_calls_the_check_alone():
    text = (ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8")
    assert re.findall(r"- run: (\S+)", text) == ["scripts/install", "scripts/check"]
    for system in ("ubuntu-latest", "macos-latest", "windows-latest"):
        assert system in text


def test_every_build_must_say_the_same_of_the_example(capsys, monkeypatch):
    with (ROOT / "docs" / "example.sobremesa").open("rb") as file:
        monkeypatch.setattr(
            sys, "stdin", type("Input", (), {"buffer": file, "fileno": file.fileno})
        )
        assert main(["verify", "--lang", "en", "--plain", "-"]) == 0
    said = capsys.readouterr().out
    if os.environ.get("SOBREMESA_UPDATE"):
        VERIFIED.write_text(said, encoding="utf-8")
    assert said == VERIFIED.read_text(encoding="utf-8")
    shown = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    assert said.replace("-: good", "docs/example.sobremesa: good") in shown
