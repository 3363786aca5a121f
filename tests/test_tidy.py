"""The form of every file of the project: lengths, imports, names and links are counted, not
reviewed."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from client.__main__ import COMMANDS
from client.ui import games
from engine.games import GAMES
from p2p.table import faults

ROOT = Path(__file__).parent.parent
PACKAGES = ("benchmarks", "client", "p2p", "engine", "crypto")
FOLDERS = (*PACKAGES, "tests", "docs", "scripts", ".ci")
MADE = {"__pycache__", "build", "dist", "corpus", "target"}
"""Folders that programs make; the last one is the fuzzer's, whose files are any bytes."""

MOST_LINES = 500
MOST_FUNCTION_LINES = 70
MOST_TABLE_LINES = 110
"""Lines of a function that is little else than a table: it is read by its rows."""
HOSTS = {"keepachangelog.com", "semver.org"}
"""All that may be linked to: this project speaks of itself."""

# In pieces, so that this file does not name them either.
ELSEWHERE = [
    "/" + "work/",
    "/" + "tmp/",
    "/" + "root/",
    "/" + "home/",
    "pypi" + ".org",
    "python" + "hosted",
    "index" + "-url",
    "issues" + " show",
]
REASONED = re.compile(
    r"(noqa: [A-Z0-9]+(, [A-Z0-9]+)*|type: ignore\[[a-z-]+(, [a-z-]+)*\]) +(-|#|\()+ ?\w"
)


def walk(folder: Path) -> list[Path]:
    found: list[Path] = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in MADE]
        found += [Path(where, name) for name in names]
    return found


@cache
def texts() -> dict[str, str]:
    """All files of the project that are text, by their path in it."""
    # a file in a worktree
    paths = [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"]
    for folder in FOLDERS:
        paths += walk(ROOT / folder)
    found = {}
    for path in paths:
        data = path.read_bytes()
        if b"\0" not in data:
            found[path.relative_to(ROOT).as_posix()] = data.decode("utf-8")
    return found


def python() -> list[str]:
    return [path for path in sorted(texts()) if path.endswith(".py")]


def ours() -> list[str]:
    return [path for path in python() if path.split("/")[0] in PACKAGES]


@cache
def tree(path: str) -> ast.Module:
    return ast.parse(texts()[path])


def module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def lines(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every line of these files, with where it stands."""
    for path in paths:
        for number, line in enumerate(texts()[path].splitlines(), 1):
            yield f"{path}:{number}", line


def nodes(paths: Iterable[str]) -> Iterator[tuple[str, ast.AST]]:
    """Every piece of code of these files, with where it stands."""
    for path in paths:
        for node in ast.walk(tree(path)):
            yield f"{path}:{getattr(node, 'lineno', 0)}", node


def test_files_are_short():
    sizes = {path: len(texts()[path].splitlines()) for path in python()}
    long = {path: size for path, size in sizes.items() if size > MOST_LINES}
    assert not long, f"more than {MOST_LINES} lines: find a boundary, and move a part elsewhere"


def is_table(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is little else than cases of one match, or one list or dictionary."""
    sizes = {node: (node.end_lineno or 0) - node.lineno for node in function.body}
    most = max(sizes, key=lambda node: sizes[node])
    kinds = ast.Match | ast.Return | ast.Assign | ast.AugAssign
    return isinstance(most, kinds) and 2 * sizes[most] > sum(sizes.values())


def functions(inside: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a piece of code, and those in it; no expression has one with a name."""
    for node in ast.iter_child_nodes(inside):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        if not isinstance(node, ast.expr):
            yield from functions(node)


def test_functions_are_short():
    sizes = {
        f"{path}:{node.lineno} {node.name}": (
            (node.end_lineno or 0) - node.lineno + 1,
            is_table(node),
        )
        for path in python()
        for node in functions(tree(path))
    }
    limits = {False: MOST_FUNCTION_LINES, True: MOST_TABLE_LINES}
    assert not {name: size for name, (size, table) in sizes.items() if size > limits[table]}


def test_every_file_says_what_it_alone_is_responsible_for():
    for path in ours():
        said = ast.get_docstring(tree(path)) or ""
        # A colon is followed by the example that the sentence promises.
        assert said.split("\n\n")[0].endswith((".", ":")), path


def test_every_string_about_a_name_follows_it():
    def told(node: ast.AST) -> bool:
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)

    orphans = [
        f"{path}:{after.lineno}"
        for path in ours()
        for node in ast.walk(tree(path))
        for body in [getattr(node, "body", None)]
        if isinstance(body, list)
        for before, after in pairwise(body)
        if told(after) and not isinstance(before, ast.Assign | ast.AnnAssign)
    ]
    assert not orphans


def test_one_file_prints():
    # So that there is one place where text from outside is cleaned before a terminal gets it. Ruff
    # finds `print`.
    others = [path for path in ours() if path != "client/ui/plain/printing.py"]
    printing = re.compile(r"std(out|err)\.(buffer\.)?write")
    assert not [where for where, line in lines(others) if printing.search(line)]


def is_fraction(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=value):
            return isinstance(value, float)
        case ast.Name(id="float"):
            return True
        case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
            return True
    return False


def test_the_rules_know_no_fractions():
    # Computer players may weigh by fractions: nobody is told their thoughts or hashes them.
    rules = [path for path in ours() if path.startswith("engine/") and "/bots/" not in path]
    assert not [where for where, node in nodes(rules) if is_fraction(node)]


def imported_by(path: str) -> set[str]:
    """The modules of ours that a file imports or, as programs that are started by name,
    mentions."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        match node:
            case ast.Import(names=names):
                found |= {name.name for name in names}
            case ast.ImportFrom(module=str(source), names=names):
                found |= {source, *(f"{source}.{name.name}" for name in names)}
            case ast.Constant(value=str(word)):
                found.add(word)
    return found - {module(path)}


def test_no_module_is_dead():
    used = {"benchmarks.__main__", "client.__main__"}
    used |= {f"client.commands.{name}" for name in COMMANDS}
    used |= {
        f"{game.package}.{part}"
        for game in games.LISTINGS.values()
        for part in ("words", "screen", "lesson")
    }
    used |= {
        f"{games.LISTINGS[game].package}.{option}_lesson"
        for game, options in games.OPTION_LESSONS.items()
        for option in options
    }
    used = used.union(*(imported_by(path) for path in ours()))
    dead = {module(path) for path in ours() if not path.endswith("__init__.py")} - used
    assert not dead


def test_every_exception_from_the_style_has_its_reason():
    excused = [
        (where, line)
        for where, line in lines(python())
        if re.search(r"# *(noqa\b|type: *ignore)", line)
    ]
    assert len(excused) > 10
    assert not [where for where, line in excused if not REASONED.search(line)]
    elsewhere = re.compile("PLC0415.*(the same|as above)")
    late = lines(path for path in ours() if path.startswith("client/"))
    assert not [where for where, line in late if elsewhere.search(line)]


REPLACING = ("setattr", "patch", "patch.object")
"""Functions that replace what is named."""


def test_tests_name_nothing_private_of_a_package():
    """Ruff looks at attributes; this at imports, and at names that a test replaces."""
    found = []
    for where, node in nodes(path for path in python() if path.startswith("tests/")):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES:
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(REPLACING):
            values = (one.value for one in node.args if isinstance(one, ast.Constant))
            names = [one.split(".")[-1] for one in values if isinstance(one, str)]
        found += [f"{where} {name}" for name in names if re.match("_(?!_|$)", name)]
    assert not found


def test_no_two_classes_of_the_client_have_one_name():
    places: dict[str, list[str]] = {}
    for where, node in nodes(path for path in ours() if path.startswith("client/")):
        if isinstance(node, ast.ClassDef):
            places.setdefault(node.name, []).append(where)
    assert not {name: found for name, found in places.items() if len(found) > 1}


def test_nothing_is_left_to_be_done():
    # In pieces, so that this line is not one of those it looks for.
    left = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
    assert not [where for where, line in lines(python()) if left.search(line)]


def test_nothing_names_a_place_outside_of_the_project():
    assert not [where for where, line in lines(texts()) if any(word in line for word in ELSEWHERE)]


def test_documents_link_to_few_places_outside_of_the_project():
    documents = [path for path in texts() if path.endswith((".md", ".toml"))]
    found = {
        host
        for _where, line in lines(documents)
        for host in re.findall(r"https?://([^/\s)>]+)", line)
    }
    assert found <= HOSTS


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_whole(game):
    stem = game.replace("-", "_")
    parts = ["docs/rules/{game}.md", "tests/playthroughs/{game}.txt"]
    parts += [
        "engine/games/{stem}/rules.py",
        "engine/bots/{stem}.py",
        "client/ui/games/{stem}/words.py",
        "client/ui/games/{stem}/screen.py",
    ]
    files = {part.format(game=game, stem=stem) for part in parts}
    assert files - set(texts()) == set()
    assert [path for path in texts() if path.startswith(f"tests/scenarios/{game}-")]


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_that_is_cited_stands_in_the_rules(game):
    stem = game.replace("-", "_")
    written = set(re.findall(r"\*\*([RCD]\d+)[ .]", texts()[f"docs/rules/{game}.md"]))
    mine = [
        path for path in python() if re.search(rf"(^|/)((test_)?{stem}(_\w+)?\.py$|{stem}/)", path)
    ]
    assert len(mine) >= 4
    for path in mine:
        assert set(re.findall(r"\b([RCD]\d{1,2})\b", texts()[path])) <= written, path


def test_every_fault_is_one_that_the_lying_tables_are_asked_for():
    # tests/adversary/test_faults.py wants a table that lies for each fault in this list.
    kinds = {
        kind
        for kind in vars(faults).values()
        if isinstance(kind, type) and issubclass(kind, faults.Fault)
    }
    assert kinds - {faults.Fault} == set(faults.FAULTS)
    assert not [kind for kind in faults.FAULTS if "onvinces" not in (kind.__doc__ or "")]
