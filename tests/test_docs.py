"""The documents are true: things that they link to and name are there, and the program makes all
that they show."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from client.__main__ import COMMANDS
from client.i18n.translation import letter, speaking
from client.ui.games.options import told
from client.ui.screen import lobby, table_setup
from docs import example_match, make_all, make_example, make_tree
from engine.games import GAMES
from p2p.wire import PROTOCOL

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "decisions").glob("*.md")),
    *sorted((ROOT / "docs" / "rules").glob("*.md")),
    *sorted((ROOT / "docs" / "states").glob("*.md")),
    *(ROOT / "docs" / page for page in ("es/jugar.md", "eu/jolastu.md", "is/spila.md")),
]
EVERY_PAGE = pytest.mark.parametrize(
    "page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}"
)


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def names_in(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@EVERY_PAGE
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            assert (page.parent / target.partition("#")[0]).exists(), target


@EVERY_PAGE
def test_files_that_are_named_are_there(page):
    named = re.findall(
        r"`((?:client|p2p|engine|crypto|tests|docs|scripts|\.ci)/[\w./-]*)",
        page.read_text(encoding="utf-8"),
    )
    # A pattern for pages to come, not a page.
    assert not [
        name
        for name in named
        if "NNNN" not in name and "GAME" not in name and not (ROOT / name).exists()
    ]


@EVERY_PAGE
def test_commands_that_are_shown_exist(page):
    shown = re.findall(
        r"(?:`|\$ |&& |^    )sobremesa ([a-z]\w*)", page.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(shown) <= set(COMMANDS)


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("threat-model", "## Promised", "## Not promised"),
        ("desync", "## Course of events", "## Contents of the account"),
        ("security", "## Invariants of the argument", "## Limits of the argument"),
    ],
)
def test_every_promise_is_held_by_tests_that_exist(name, first, last):
    page = text(f"docs/{name}.md")
    promised = page.split(first)[1].split(last)[0]
    for promise in promised.split("\n**")[1:]:
        assert re.findall(r"::test_\w+", promise), promise[:60]
    file = ""
    for here, name in re.findall(r"`(tests/[\w/]+\.py)?::(test_\w+)`", page):
        file = here or file
        assert name in names_in(ROOT / file), f"{file}::{name}"


def test_every_attack_on_membership_has_a_test():
    files = [
        *(ROOT / "tests" / "adversary").glob("test_*.py"),
        ROOT / "tests" / "table" / "test_terms.py",
    ]
    found = {
        match[1]
        for file in files
        for name in names_in(file)
        if (match := re.match(r"test_A(\d+)_", name))
    }
    assert found == {str(number) for number in range(1, 12)}


def test_the_first_commands_of_the_readme():
    """They begin with an environment: elsewhere pip refuses to install on many systems."""
    commands = re.findall(r"^    (.*scripts/install .*)$", text("README.md"), re.MULTILINE)
    assert commands == [
        "python3 -m venv .venv && . .venv/bin/activate && scripts/install . && sobremesa demo",
        "scripts/install '.[test]' && scripts/check",
    ]
    for command in commands:
        assert command.removeprefix("python3 -m venv .venv && . .venv/bin/activate && ") in text(
            ".ci/run"
        )


def test_the_page_about_playing_shows_the_options_of_a_match():
    shown = re.findall(
        r"^\$ sobremesa play (\S+) .*\n.*\nOptions: (.*)$", text("docs/play.md"), re.M
    )
    assert shown == [("escoba", "; ".join(told("escoba", GAMES["escoba"].defaults(2))))]


@pytest.mark.parametrize("page", ["es/jugar", "eu/jolastu", "is/spila"])
def test_the_keys_on_a_translated_page_are_those_of_its_language(page):
    named = re.findall(r"^\| `(\w)` \|", text(f"docs/{page}.md"), re.MULTILINE)
    with speaking(page[:2]):
        assert named == [
            *(letter(key) for _title, key, _about in lobby.ACTIONS.values()),
            letter(lobby.QUIT),
        ]
        assert f"(`{letter(table_setup.INVITE)}`)" in text(f"docs/{page}.md")


def test_scripts_can_be_run():
    scripts = [path for path in (ROOT / "scripts").iterdir() if path.name != "surroundings"]
    for path in (*(one for one in scripts if not one.suffix), ROOT / ".ci" / "run"):
        if path.is_file():
            assert path.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n"), path
            assert path.stat().st_mode & 0o111, path


def test_one_command_runs_every_maker(monkeypatch):
    run = []
    for maker in make_all.MAKERS:
        monkeypatch.setattr(maker, "main", lambda maker=maker: run.append(maker.__name__))
    make_all.main()
    makers = {f"docs.{path.stem}" for path in (ROOT / "docs").glob("make_*.py")}
    assert sorted([*run, make_all.__name__]) == sorted(makers)


def test_the_example_of_the_protocol_is_what_the_program_says():
    assert make_example.written() == make_example.example(), "run `python -m docs.make_example`"
    assert example_match.LOG.read_bytes() == example_match.play(), (
        "run `python -m docs.make_example`"
    )
    assert example_match.PAGE.read_text(encoding="utf-8") == make_example.listed(), (
        "run `python -m docs.make_example`"
    )


def test_the_protocol_names_its_version():
    assert text("docs/protocol.md").startswith(f"# Protocol {PROTOCOL}\n")
    assert f"Protocol {PROTOCOL}" in text("CHANGELOG.md").split("### Wire")[1]


def test_labels_that_are_hashed_stand_in_the_protocol():
    labels = set()
    for path in [*(ROOT / "crypto").glob("*.py"), *(ROOT / "p2p").rglob("*.py")]:
        labels |= set(
            re.findall(
                r"\b(?:h|digests?|challenge|challenges?128)\(\s*\"([^\"]+)\"",
                path.read_text(encoding="utf-8"),
            )
        )
    # Hashes that stay inside a program: nonces, and the question to a library.
    labels -= {"nonces", "nonce", "known", "known answers"}
    labels -= {"stand", "adopt"}  # of protocol 3, which the page will describe (decision 0024)
    page = text("docs/protocol.md")
    listed = page.split("Labels in use:")[1].split("\n\n")[0]
    assert len(labels) > 12
    assert labels <= set(re.findall(r"`([^`]+)`", listed))


def test_the_tree_of_files_is_the_real_one():
    assert make_tree.written() == make_tree.tree(), "run `python -m docs.make_tree`"


def test_the_changelog_has_its_headings():
    page = text("CHANGELOG.md")
    assert "## [Unreleased]" in page
    assert {"### Rules", "### Wire"} <= set(re.findall(r"^### \w+$", page, re.MULTILINE))
    rules = page.split("### Rules")[1].split("###")[0]
    for name, game in GAMES.items():
        assert re.search(rf"- `{name}`.*, version {game.version}\b", rules), (
            f"the changelog says nothing of {name} {game.version}"
        )


def test_decisions_are_numbered_one_after_the_other():
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    for number, page in enumerate(pages, 1):
        assert re.fullmatch(rf"{number:04}-[a-z0-9-]+\.md", page.name)
        lines = page.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith(f"# {number:04}: ")
        assert lines[2].startswith(("Accepted", "Superseded by"))
        assert len(lines) < 90, "a decision has one page"


def test_every_fault_has_a_figure_and_a_test_that_exists_or_a_reason():
    rows = [line for line in text("docs/faults.md").splitlines() if re.match(r"\| \d+ \|", line)]
    assert len(rows) == 25
    for row in rows:
        _number, _fault, tests, seen = (cell.strip() for cell in row.split("|")[1:-1])
        named = re.findall(r"`(tests/[^`:]+)(?:::([^`]+))?`", tests)
        for file, name in named:
            assert not name or name in names_in(ROOT / file), f"{file}::{name}"
        tested = any(name.startswith("test_") for _file, name in named)
        assert tested or tests.startswith("cannot be run here: "), row
        assert seen not in ("", "printed"), row
