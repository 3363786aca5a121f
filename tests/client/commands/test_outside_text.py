"""No command prints text from outside to a terminal raw.

Control sequences and direction marks are planted in file names, folders, nicks, arguments and
fields of logs, and then every command runs that could print them.
"""

from __future__ import annotations

import json
import logging
import re
import struct
import sys
import unicodedata
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest

from client.__main__ import COMMANDS, main
from client.commands import doctor, join, tables
from client.doctor.findings import trouble
from client.i18n.notices import NOTICES
from client.session.messages import FoundTable, Lobby, LobbySeat, Notice, Stored, Tables, Talked
from client.session.status import UsageError
from client.storage.contacts import Contacts, Trust
from client.storage.history import MatchSummary
from client.storage.settings import Settings
from client.ui.plain.console import Console
from client.ui.screen import pages
from client.ui.screen.kept import KeptState
from client.ui.screen.messages import MatchHistory
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState
from crypto.identity import Identity
from p2p.net.sighting import Sighting
from p2p.table.tail import split_records
from p2p.table.terms import TERMS_CONTEXT, Terms
from p2p.wire import PROTOCOL, pack, unpack
from tests.ring import Ring, identities, terms_for

EVIL = "\x1b]0;title\x07\x1b[2J\x1b[31m\x9b5mx\u202eoge\u2066c\u200f\r\n\x08\x7f\u061c\u2069\u202e"
"""A title, a cleared screen, a colour, a C1 sequence, overrides, marks, an unclosed isolate, line
ends, backspaces."""
NICK = "\x1b[2J\u202eA\x9b1mne\r\n"
"""The same in 48 bytes."""
ISOLATED = re.compile("\u2068[^\u2066-\u2069\u202a-\u202e\n]*\u2069")
OF_FILES = ("scenario", "replay", "export")
OF_TABLES = ("join", "watch")


def raw(text: str) -> list[str]:
    """Return the characters of a printed text that act on a terminal, but for line ends and closed
    isolates."""
    return [
        char
        for char in ISOLATED.sub("", text)
        if unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp"} and char != "\n"
    ]


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A folder with such a name."""
    folder = tmp_path / EVIL
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def log() -> bytes:
    """The log of a match, one of whose players has such a nick."""
    terms = terms_for("escoba", 2, target=1)
    places = (
        replace(terms.participants[0], nick=NICK),
        replace(terms.participants[1], nick="סבתא 7"),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "tests.ring.terms_for", lambda *_rest, **_options: replace(terms, participants=places)
        )
        ring = Ring("escoba", 2, seed="outside")
    ring.play()
    return ring.logs[0]


def forged(log: bytes, **changes: object) -> bytes:
    """A log whose terms say something else, signed by the same seats."""
    terms = Terms.decode(unpack(split_records(log)[0][0], 1 << 20)["terms"])
    other = replace(terms, **changes)  # type: ignore[arg-type]  # hostile input
    signatures = [identity.sign(TERMS_CONTEXT, other.encode()) for identity in identities(2)]
    record = pack({"sobremesa": PROTOCOL, "terms": other.encode(), "signatures": signatures})
    return struct.pack(">I", len(record)) + record


def files(folder: Path, log: bytes) -> list[Path]:
    found = {
        "good": log,
        "cut": log[: len(log) // 2],
        "none": b"no log",
        "game": forged(log, game=EVIL),
        "options": forged(log, options={EVIL: EVIL}),
        "rules": forged(log, rules=99),
    }
    for name, content in found.items():
        (folder / f"{name}{EVIL}").write_bytes(content)
    return [folder / f"{name}{EVIL}" for name in [*found, "missing"]] + [folder]


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the output of a command, after a check that nothing in it is raw."""
    status = main(list(words))
    out, err = capsys.readouterr()
    assert raw(out + err) == []
    assert len(err.splitlines()) <= 1 or words[0] == "verify", err
    assert isinstance(status, int)
    return out + err


@pytest.mark.parametrize("args", [[], ["--json"], ["--color", "always"]])
def test_verify(args, evil, log, capsys) -> None:
    expected = {"good": 0, "cut": 7, "none": 3, "game": 5, "options": 3, "rules": 5}
    for path in files(evil, log):
        status = main(["verify", *args, str(path)])
        out, err = capsys.readouterr()
        plain = re.sub(r"\x1b\[(?:0|31|32|33)m", "", out) if "always" in args else out
        assert raw(plain + err) == []
        assert status == expected.get(path.name.removesuffix(EVIL), 2)
        assert len(err.splitlines()) == (status == 2 and "--json" not in args)


@pytest.mark.parametrize(
    "words",
    [["verify"], ["replay"], ["export", "--to", "json"], ["scenario"]],
    ids=lambda words: words[0],
)
def test_a_hebrew_file_name_is_isolated(words, tmp_path, capsys) -> None:
    name = str(tmp_path / "סבתא 7")
    text = printed(capsys, *words, name)
    assert f"\u2068{name}\u2069 " in text or json.loads(text)["file"] == name


@pytest.mark.parametrize(
    "words",
    [
        ["verify"],
        ["replay"],
        ["replay", "--seat", EVIL],
        ["export", "--to", "json"],
        ["export", "--to", "scenario"],
        ["scenario"],
    ],
)
def test_commands_that_read_files(words, evil, log, capsys) -> None:
    for path in files(evil, log):
        printed(capsys, *words, str(path))


def test_a_scenario_with_planted_words(evil, capsys) -> None:
    file = evil / "scenario.toml"
    file.write_text(f"game = {json.dumps(EVIL)}\n", encoding="utf-8")
    printed(capsys, "scenario", str(file))
    file.write_text(f"game = 'escoba'\n{json.dumps(EVIL)} = 1\n", encoding="utf-8")
    printed(capsys, "scenario", str(file))


@pytest.mark.parametrize(
    "words",
    [
        *([EVIL], ["--" + EVIL], ["--lang", EVIL, "games"]),
        *([verb, EVIL] for verb in COMMANDS if verb not in (*OF_FILES, *OF_TABLES)),
        *([verb, EVIL, "--wait", "1"] for verb in OF_TABLES),
        *([verb, "--interface", EVIL] for verb in ("tables", "doctor", "phone", "learn")),
        *([verb, f"{EVIL}:1:2"] for verb in OF_TABLES),
        *(["join", f"[{EVIL}]:99999"], ["join", f"SBM1-{EVIL}"]),
        *(["host", "escoba", option, EVIL] for option in ("--table", "--port", "--computers")),
        *(["play", "escoba", option, EVIL] for option in ("--seats", "--option")),
        *(["play", "escoba", "--option", f"{EVIL}=1"], ["learn", "truco", EVIL]),
        *(["play", "escoba", "--option", f"target={EVIL}"], ["games", "--color", EVIL]),
        *(["peers", "trust", EVIL], ["peers", "list", "א" + EVIL]),
    ],
    ids=lambda words: " ".join(word for word in words if EVIL not in word) or "alone",
)
def test_arguments(words, capsys) -> None:
    printed(capsys, *words)


COMMANDS_OF_A_HOME = [
    *(["id"], ["peers"], ["history"], ["doctor"]),
    *(["id", "--json"], ["peers", "--json"], ["history", "--json"], ["doctor", "--json"]),
    *(["peers", verb, "Ane"] for verb in ("list", "block", "forget")),
    *(["resume"], ["history", "--with", EVIL], ["verify"]),
]


@pytest.mark.parametrize("words", COMMANDS_OF_A_HOME, ids=" ".join)
def test_a_home_with_such_a_name_and_contacts(words, evil, log, capsys, monkeypatch) -> None:
    monkeypatch.setenv("SOBREMESA_HOME", str(evil))
    for number, nick in enumerate((NICK, "סבתא"), 1):
        Contacts(evil).meet(
            Identity.from_seed(bytes([number]) * 32).id, nick, ("fe80::1%x", 1), 1, Trust.TRUSTED
        )
    text = (evil / "peers.json").read_text()
    (evil / "peers.json").write_text(text.replace('"Ane"', json.dumps(NICK)))
    (evil / "logs").mkdir(exist_ok=True)
    (evil / "logs" / f"{EVIL}.sobremesa").write_bytes(log)
    printed(capsys, *words)


@pytest.mark.parametrize(
    "words",
    [
        ["peers"],
        ["id"],
        ["history"],
        ["resume"],
        ["play", "escoba", "--plain", "--auto"],
        ["doctor"],
    ],
    ids=" ".join,
)
def test_a_home_that_is_damaged(words, evil, capsys, monkeypatch) -> None:
    home = evil / "home"
    home.mkdir()
    monkeypatch.setenv("SOBREMESA_HOME", str(home))
    (home / "peers.json").write_text("{")
    (home / "identity.key").write_bytes(b"?")
    (home / "settings.toml").write_bytes(b"\xff\x1b[2J")
    (home / "journals").mkdir()
    (home / "journals" / f"{EVIL}.journal").write_bytes(b"?")
    printed(capsys, *words)


def test_tables(capsys, monkeypatch) -> None:
    addresses = (("fe80::1%" + EVIL, 1),)
    seen = Sighting(bytes(32), NICK, "escoba", EVIL, 1, 2, EVIL, 1, PROTOCOL, addresses=addresses)

    async def look(args: object, home: object) -> list[tables.Found]:
        return [tables.Found(seen, real=True), tables.Found(seen, real=False)]

    monkeypatch.setattr(tables, "look", look)
    for words in (["tables"], ["tables", "--json"]):
        assert "x" in printed(capsys, *words)


def announced(number: int, table: str, nick: str = NICK) -> Sighting:
    where = ((EVIL, 1),)
    key = bytes([number]) * 32
    return Sighting(key, nick, EVIL, table, 1, 2, "open", 1, PROTOCOL, addresses=where)


async def test_the_choice_among_several_tables(capsys, monkeypatch) -> None:
    lines = iter(("0", "x", "0001", "3", "2"))

    async def typed():
        for line in lines:
            yield line

    monkeypatch.setattr(join, "interactive", lambda: True)
    monkeypatch.setattr(join, "read_lines", typed)
    seen = [announced(1, EVIL), announced(2, "elm", EVIL)]
    assert await join.pick(seen, Namespace(auto=False)) == seen[1]
    with pytest.raises(UsageError, match="no table was chosen"):
        await join.pick(seen, Namespace(auto=False))
    out, err = capsys.readouterr()
    assert raw(out + err) == []
    assert "1. " in out
    assert out.count("Which table (1 to 2)?") == 6
    with pytest.raises(UsageError, match="several tables are open; name one: "):
        await join.pick(seen, Namespace(auto=True, where=None))


def test_findings_of_the_doctor(capsys, monkeypatch) -> None:
    found = [trouble("multicast", EVIL, EVIL)]
    monkeypatch.setattr(doctor, "machine", lambda: found)
    monkeypatch.setattr(doctor, "network", lambda _interface: found)
    printed(capsys, "doctor")
    printed(capsys, "doctor", "--json")


PLAIN = {
    "lobby": Lobby(
        "escoba", {}, (LobbySeat(NICK, "AAAA-BBBB"), LobbySeat(EVIL, "CCCC"), None), (0,), 120, EVIL
    ),
    "stored": Stored(EVIL, sealed=True),
    **{
        f"notice {name}": Notice(name, dict.fromkeys(re.findall(r"{(\w+)", NOTICES[name]), EVIL))
        for name in NOTICES
    },
}


@pytest.mark.parametrize("message", PLAIN.values(), ids=PLAIN)
def test_messages_line_by_line(message, capsys) -> None:
    console = Console()
    console.tell(message)
    out, err = capsys.readouterr()
    assert raw(out + err) == []


@pytest.mark.parametrize("page", [page for page in Page if page is not Page.REPLAY])
def test_the_full_screen(page) -> None:
    found = FoundTable(bytes(32), NICK, EVIL, EVIL, 1, 2, EVIL, PROTOCOL, EVIL)
    summary = MatchSummary("ab" * 16, EVIL, (EVIL, NICK), EVIL, EVIL)
    state = ScreenState(page=page, kept=KeptState(settings=Settings(nick=EVIL), fingerprint="AAAA"))
    for message in (
        Tables((found,), Notice("no-contacts", {"error": EVIL})),
        MatchHistory((summary,)),
        PLAIN["lobby"],
        Talked(0, EVIL, phrase=False),
        *PLAIN.values(),
    ):
        state, _commands = react(state, message)
        for where in (state.page, page):
            rows = pages.draw(replace(state, page=where), 100, 40).rows()
            assert raw("\n".join("".join(text for _style, text in row) for row in rows)) == []
            assert raw(pages.title(replace(state, page=where))) == []


def test_logs_of_libraries(capsys) -> None:
    root = logging.getLogger()
    before = root.handlers[:]
    root.handlers = []
    try:
        main(["-vv", "games"])
        capsys.readouterr()
        logging.getLogger("zeroconf").warning("heard %s", EVIL)
        logging.getLogger("zeroconf").warning("failed", exc_info=ValueError(EVIL))
    finally:
        root.handlers = before
        root.setLevel(logging.WARNING)
    err = capsys.readouterr().err
    assert "heard" in err
    assert "ValueError" in err
    assert raw(err) == []


def test_a_bug_is_told_with_nothing_raw(monkeypatch, capsys) -> None:
    def broken(*_rest: object) -> None:
        raise ValueError(EVIL)

    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr("client.__main__.run_command", broken)
    try:
        main([])
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    err = capsys.readouterr().err
    assert err.startswith("Traceback")
    assert "ValueError" in err
    assert raw(err) == []
