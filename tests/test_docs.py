"""The documents are true: things that they link to and name are there, and the program makes all
that they show."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from client.__main__ import COMMANDS
from client.ui.games.options import told
from docs import example_match, make_all, make_example, make_tree
from engine.games import GAMES
from p2p.table.log import read_entry
from p2p.table.terms import h
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


def test_every_guarantee_of_membership_names_its_tests():
    """That they exist is tested above."""
    page = text("docs/threat-model.md").split("**14. Membership.**")[1].split("## Not promised")[0]
    before, *parts = re.split(r"^\*(G\d+): ", page, flags=re.MULTILINE)
    assert parts[::2] == [f"G{number}" for number in range(1, 12)]
    for said in (before, *parts[1::2]):
        assert len(re.findall(r"::test_\w+", said)) > 2, said[:60]


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


SCRIPTS = (
    *("bare-debian", "check", "debian", "install", "lock", "newest", "release", "site", "soak"),
    "try-release",
)


def test_commands_of_the_documents_can_be_run():
    for name in (*(f"scripts/{name}" for name in SCRIPTS), ".ci/run"):
        assert text(name).startswith("#!/usr/bin/env bash\n")
        assert (ROOT / name).stat().st_mode & 0o111


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


def test_a_reader_of_the_protocol_can_follow_the_example():
    tables = example_match.sit_down()
    table, h0 = tables[0], tables[0].head
    assert table.match == h("match", table.terms.encode())
    assert h0 == h("terms", table.terms.encode())
    step = example_match.first_step(tables)
    entries = [read_entry(table.terms, table.match, data) for data in step]
    assert [entry.key for entry in entries] == [
        (("step", 0, 1), stage, seat) for stage in (0, 1) for seat in (0, 1)
    ]
    k = h("stage", h0, step[:2])
    assert [entry.head for entry in entries] == [h0, h0, k, k]
    for commitment, reveal in zip(entries[:2], entries[2:], strict=True):
        nonce, value = reveal.body["nonce"], reveal.body["value"]
        assert commitment.body["commit"] == h(
            "commit", table.match, commitment.head, reveal.seat, nonce, bytes([value])
        )
    assert table.head == h("step", k, step[2:], table.run.fingerprint())


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


def require_tests_and_figure(row: str) -> None:
    """Check a row of the faults: all that it names is there, a test among it, or the reason for
    none; and it says which figure was seen."""
    _number, _fault, tests, seen = (cell.strip() for cell in row.split("|")[1:-1])
    named = re.findall(r"`(tests/[^`:]+)(?:::([^`]+))?`", tests)
    for file, name in named:
        assert (ROOT / file).exists(), file
        assert not name or name in names_in(ROOT / file), f"{file}::{name}"
    tested = any(name.startswith("test_") for _file, name in named)
    assert tested or tests.startswith("cannot be run here: "), "no test, no reason"
    assert seen, "no figure"
    assert seen != "printed", "no figure"


def test_every_fault_has_a_test_that_exists_or_a_reason():
    rows = [line for line in text("docs/faults.md").splitlines() if re.match(r"\| \d+ \|", line)]
    assert [int(row.split("|")[1]) for row in rows] == list(range(1, 26))
    for row in rows:
        require_tests_and_figure(row)


HERE = "`tests/test_docs.py::test_every_fault_has_a_test_that_exists_or_a_reason`"


@pytest.mark.parametrize(
    "tests",
    [HERE, f"{HERE}, `tests/fuzz/`, `python -m tests.kills`", "cannot be run here: one Python"],
)
def test_a_fault_with_a_test_or_a_reason_is_well(tests):
    require_tests_and_figure(f"| 1 | a fault | {tests} | 0.5 s |")


@pytest.mark.parametrize(
    ("tests", "seen", "wrong"),
    [
        (HERE, "", "no figure"),
        (HERE, "printed", "no figure"),
        (f"{HERE}, `tests/nowhere/`", "0.5 s", "tests/nowhere/"),
        (f"{HERE}, `tests/test_nowhere.py` (all of it)", "0.5 s", "tests/test_nowhere.py"),
        (
            f"{HERE}, `tests/test_docs.py::test_nothing`",
            "0.5 s",
            "tests/test_docs.py::test_nothing",
        ),
        ("`tests/test_docs.py`", "0.5 s", "no test, no reason"),
        ("", "0.5 s", "no test, no reason"),
    ],
)
def test_a_fault_without_a_test_or_a_figure_is_found(tests, seen, wrong):
    with pytest.raises(AssertionError, match=re.escape(wrong)):
        require_tests_and_figure(f"| 1 | a fault | {tests} | {seen} |")


def left_out(source: str) -> dict[str, str]:
    """Return the tests in a module of which the check tries a "sample", or none ("soak")."""

    def kind(node: ast.expr) -> str:
        parts = ast.walk(node)
        if any(isinstance(part, ast.Name) and part.id == "sample" for part in parts):
            return "sample"
        return "soak" if ast.unparse(node) == "pytest.mark.soak" else ""

    body = ast.parse(source).body
    marks = {
        ast.unparse(name): kind(one.value)
        for one in body
        if isinstance(one, ast.Assign)
        for name in one.targets
    }
    return {
        one.name: found
        for one in body
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        for mark in one.decorator_list
        if (found := kind(mark) or marks.get(ast.unparse(mark)))
    }


def test_faults_say_what_a_check_leaves_to_the_soak():
    for file, name, left in re.findall(
        r"`(tests/[^`:]+)::([^`]+)`(?: \((sample|soak)\))?", text("docs/faults.md")
    ):
        assert left == left_out(text(file)).get(name, ""), f"{file}::{name}"


def test_samples_and_marks_are_found():
    source = """
SOME = mark(sample([1], 1))
@SOME
def a(): ...
@mark(sample([2], 1))
def b(): ...
@pytest.mark.soak
def c(): ...
@mark(chance.sample)
def d(): ...
"""
    assert left_out(source) == {"a": "sample", "b": "sample", "c": "soak"}
