"""Write the tree of files in docs/architecture.md anew: `python -m docs.make_tree`.

It is made from the docstrings.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- the tree begins -->\n", "<!-- the tree ends -->\n"
PACKAGES = ("engine", "crypto", "p2p", "client", "benchmarks")


def said_by(path: Path) -> str:
    """Return the first sentence of a module's docstring, on one line."""
    text = " ".join(
        (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")
        .split("\n\n")[0]
        .split()
    )
    sentence = re.match(r".*?[^.]\.(?= [A-Z`]|$)", text)
    return (sentence[0] if sentence else text).rstrip(".:")


def entries(folder: Path, depth: int) -> Iterator[tuple[str, str]]:
    """Give the indented names of a package and its contents, each with a sentence.

    The contents are each file and package in it. The sentence is the first one of the docstring.
    """
    yield "  " * depth + folder.name + "/", said_by(folder / "__init__.py")
    for path in sorted(folder.glob("*.py")):
        if path.name != "__init__.py":
            yield "  " * (depth + 1) + path.name, said_by(path)
    for path in sorted(folder.iterdir()):
        if (path / "__init__.py").exists():
            yield from entries(path, depth + 1)


def tree() -> str:
    """Return the tree as it stands in the document."""
    found = [entry for package in PACKAGES for entry in entries(ROOT / package, 0)]
    width = max(len(name) for name, _about in found) + 1
    return "\n".join(
        ["```", *(f"{name:<{width}}{about}".rstrip() for name, about in found), "```", ""]
    )


def written() -> str:
    """Return the tree that stands in the document."""
    return PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]


def main() -> None:
    """Write the tree into the document."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    PAGE.write_text(before + BEGIN + tree() + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
