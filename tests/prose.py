"""The prose of the project, piece by piece, and the clauses in it (for test_vocabulary.py).

`python -m tests.prose PATH...` lists the clauses that begin with "who" or "what" and have no noun
before them.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

PRONOUN = "who|whom|whose|whoever|whomever|what|whatever"
JOINS = "and|or|but|nor|if|than|as|so|that|because|when|while|where|until|unless|though|then"
JOINS += "|only|also|even|not|just|exactly|both"
PREPOSITIONS = (
    "of|to|by|for|from|with|in|on|at|about|after|before|against|between|under|over|into|without|like"
    "|except|besides|beyond"
)
CLAUSE = re.compile(
    r"(?:^|[.!?:;,(—–|\[\"“«][ \"'`*_]*|- |"
    rf"\b(?P<before>{JOINS}|{PREPOSITIONS})\s+)(?P<word>{PRONOUN})\b(?!['’]s\b|[\"”»])",
    re.IGNORECASE,
)
ANTECEDENT = re.compile(r"([\w`)\]*}]+),? $")
RELATIVE = re.compile(r"\b(who|whom|whose|that|which)\b[^.;:]*$", re.IGNORECASE)


def clauses(text: str) -> Iterator[str]:
    """Give the clauses of a text that begin with a pronoun without a noun before it.

    Questions, exclamations ("What cards!"), quoted pronouns and single words, such as keys of a
    dictionary, do not count.
    """
    text = re.sub(r"`[^`]*`|\{[^}]*\}", "`X`", text)
    text = re.sub(r"\s+", " ", text.strip()).replace(" ,", ",")
    if re.fullmatch(r"\w+", text):
        return
    for match in CLAUSE.finditer(text):
        before, pronoun, joint = (
            text[: match.start("word")],
            match["word"].lower(),
            (match["before"] or "").lower(),
        )
        end = re.search(r"[.?!](?:\s|$)", text[match.end() :])
        if end is not None and text[match.end() + end.start()] in (
            "?!" if pronoun == "what" else "?"
        ):
            continue
        if not _has_noun(
            before, pronoun, joint, text[: match.start("before")] if joint else before
        ):
            yield text[max(0, match.start("word") - 40) : match.end() + 40]


def _has_noun(before: str, pronoun: str, joint: str, earlier: str) -> bool:
    """Whether a noun stands before a relative pronoun, as in "the seat to whom"."""
    if pronoun not in ("who", "whom", "whose"):
        return False
    if joint in ("and", "or", "but"):
        return RELATIVE.search(earlier) is not None
    if joint:
        return joint in PREPOSITIONS.split("|") and pronoun != "who" and _ends_in_noun(earlier)
    return before.endswith(", ") and _ends_in_noun(before)


def _ends_in_noun(text: str) -> bool:
    found = ANTECEDENT.search(text)
    return (
        found is not None
        and re.fullmatch(f"{JOINS}|{PREPOSITIONS}", found[1], re.IGNORECASE) is None
    )


def prose(source: str, suffix: str) -> Iterator[tuple[int, str]]:
    """Give the pieces of prose of a Python file or a document, each with its line number."""
    return _python(source) if suffix == ".py" else _document(source)


def _document(source: str) -> Iterator[tuple[int, str]]:
    """Give the paragraphs, items and rows of a document, but not its headings."""
    paragraph: list[str] = []
    first, code = 1, False
    for number, line in enumerate([*source.splitlines(), ""], 1):
        fence = line.lstrip().startswith("```")
        code ^= fence
        text = "" if code or fence else line.strip()
        if paragraph and (not text or re.match(r"[-*|#>]|\d+\.", text)):
            yield first, " ".join(paragraph)
            paragraph = []
        if text and not re.match(r"#+ ", text):
            first = first if paragraph else number
            paragraph.append(re.sub(r"^([-*#>]+|\d+\.)\s+", "", text))


def _python(source: str) -> Iterator[tuple[int, str]]:
    """Give blocks of comments, strings with adjacent ones joined, and the names of tests."""
    piece: list[str] = []
    begin = kind = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.NL, tokenize.NEWLINE) and kind == tokenize.COMMENT:
            continue
        if token.type != kind or (
            kind == tokenize.COMMENT and token.start[0] != begin + len(piece)
        ):
            yield from ((begin, part) for part in re.split(r"\n\s*\n", "".join(piece)))
            piece, begin, kind = [], token.start[0], token.type
        if token.type == tokenize.COMMENT:
            piece.append(token.string.lstrip("#").strip() + " ")
        elif token.type == tokenize.STRING:
            text = re.sub(r"\{[^}]*\}|\\[nt]", " `X` ", token.string.lstrip("rbfuRBFU"))
            piece.append(text.strip("\"'"))
        elif token.type == tokenize.NAME and token.string.startswith("test_"):
            yield token.start[0], token.string[5:].replace("_", " ")


def main(paths: list[str]) -> None:
    """List the clauses in files and folders."""
    found = [
        path
        for name in map(Path, paths)
        for path in ([name] if name.is_file() else sorted(name.rglob("*")))
    ]
    for path in found:
        if path.suffix in (".py", ".md"):
            for line, text in prose(path.read_text(encoding="utf-8"), path.suffix):
                for clause in clauses(text):
                    sys.stdout.write(f"{path}:{line}: {clause}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
