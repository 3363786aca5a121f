"""The page of a match: all that it shows and nothing that it must not, the same bytes each time,
and pages that somebody has changed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from client.__main__ import main
from client.i18n.translation import languages
from client.ui.replay_page import dense
from client.ui.replay_page.match import read_match
from client.ui.replay_page.page import NoPage, make_page, read_page
from p2p.table.tail import joined, split_records
from p2p.table.terms import Participant
from tests.client.ui.replay_page.pages import cards_of, data_of, packed, part, steps_of, with_part
from tests.ring import Ring


@pytest.fixture(scope="module")
def log() -> bytes:
    ring = Ring("escoba", 2, seed="page", target=1)
    ring.play()
    assert ring.tables[0].sealed
    return ring.logs[0]


@pytest.fixture(scope="module")
def page(log: bytes) -> bytes:
    return make_page(log, None)


@pytest.fixture(scope="module")
def short(log: bytes) -> bytes:
    """The page of the beginning of a match: it is made again faster."""
    return make_page(joined(split_records(log)[0][:14]), None)


@pytest.fixture
def check(tmp_path, capsys):
    def run(data: bytes, *args: str) -> tuple[int, str]:
        (tmp_path / "page.html").write_bytes(data)
        status = main(["verify", *args, str(tmp_path / "page.html")])
        return status, "".join(capsys.readouterr())

    return run


def damaged(log: bytes) -> bytes:
    """Change a byte of a signature in the last but one record."""
    records, _rest = split_records(log)
    records[-2] = records[-2][:-1] + bytes([records[-2][-1] ^ 1])
    return joined(records)


# The contents of a page.


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_card_is_shown_when_it_is_public_or_the_seats_own_and_never_before(log, seat):
    match = read_match(log, seat)
    views = steps_of(make_page(log, seat))
    assert len(views) == len(match.steps)
    hidden = 0
    for step, shown in zip(match.steps, views, strict=True):
        view = step.model.view
        for card in cards_of(shown):
            slot, face = int(card["id"].partition(":")[2]), card.get("face")
            assert view is not None
            own = seat is not None and view.game.holder.get(slot) == seat
            public = view.game.faces.get(slot)
            hidden += face is None
            assert face in (None, public) or (own and view.faces[slot] == face)
    assert hidden > 100  # the backs of the others' hands, and the piles


def test_the_public_page_tells_nobodys_hand_and_a_seats_page_its_own(log, page):
    spoken = json.dumps(data_of(page)["said"]) + json.dumps(data_of(page)["texts"])
    assert "is dealt" not in spoken
    own = data_of(make_page(log, 1))
    assert any(
        "nick1 is dealt" in row[languages().index("en")]
        for row in own["texts"]
        if isinstance(row[0], str)
    )


def test_a_call_stands_on_the_table_of_its_step(page):
    texts, english = data_of(page)["texts"], languages().index("en")
    calls = [view["table"]["call"] for view in steps_of(page) if view["table"].get("call")]
    assert {texts[call["#"]][english] for call in calls} == {"Escoba!", "Azkenak!"}


def test_names_from_outside_are_texts_and_no_markup(monkeypatch):
    evil = "</script><b>x"
    monkeypatch.setattr(
        "tests.ring.Participant", lambda id_, _nick, salt: Participant(id_, evil, salt)
    )
    ring = Ring("escoba", 2, seed="names", target=1)
    ring.play(moves=3)
    page = make_page(ring.logs[0], None).decode()
    assert "<b>x" not in page
    assert page.count("</script>") == 4


# Offline, and the same each time.


def test_a_page_may_run_its_own_script_and_nothing_else(page):
    text = page.decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy[1]
    assert text.index(policy[0]) < text.index("<script")
    assert not re.search(r"https?://(?!www\.w3\.org/)", text)
    assert not re.search(
        r"""\s(?:src|srcset|action|style|on[a-z]+)=["']""", text.partition("<script>")[0]
    )


@pytest.mark.slow
def test_the_same_log_gives_the_same_bytes_whatever_the_language_and_the_order_of_sets(
    log, page, tmp_path
):
    path = tmp_path / "match.sobremesa"
    path.write_bytes(log)
    for seed, tongue in (("1", "is"), ("2", "es")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LANGUAGE": tongue, "TZ": "Asia/Tokyo"}
        command = [sys.executable, "-m", "client", "export", str(path), "--to", "html"]
        assert (
            subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout
            == page
        )


# Checked, and attacked.


def changed_views(page: bytes) -> bytes:
    data = data_of(page)
    for card in cards_of(data["steps"]):
        if card.get("face"):
            card["face"] = "7o"
    return with_data(page, data)


def with_data(page: bytes, data: object) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return with_part(page, "data", packed(text.encode()))


def with_other(page: bytes, name: str, old: str, new: str) -> bytes:
    data = data_of(page)
    assert old in data[name]
    return with_data(page, {**data, name: data[name].replace(old, new)})


CHANGES = {
    "views": changed_views,
    "more views": lambda page: with_part(page, "data", packed(part(page, "data") + b" ")),
    "a bomb of views": lambda page: with_part(page, "data", packed(b" " * (1 << 28))),
    "no views": lambda page: with_part(page, "data", ""),
    "script": lambda page: with_other(page, "script", "STEP_MS = 1800", "STEP_MS = 1801"),
    "first script": lambda page: page.replace(b"let size = 0", b"let size = 1"),
    "style": lambda page: with_other(page, "style", ".score {", ".score { display: none;"),
    "policy": lambda page: page.replace(b"default-src 'none'", b"default-src 'self'"),
    "more at the end": lambda page: page + b"<p>Lola won</p>",
    "another seat": lambda page: page.replace(b'content="public by', b'content="p1 by'),
    "no such seat": lambda page: page.replace(b'content="public by', b'content="p9 by'),
    "a flag": lambda page: page.replace(b'content="public by', b'content="public anyway by'),
    "line ends": lambda page: page.replace(b"\n", b"\r\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_page_is_told_though_its_log_is_good(check, short, name):
    other = CHANGES[name](short)
    assert other != short
    status, out = check(other)
    assert status == 3
    assert "NOT THE ONE" in out.splitlines()[0]
    assert "The log inside is good" in out


LOGS = {
    "no ASCII": lambda _log: "þþþ",
    "another spelling": lambda log: packed(log)[:-4] + "\n" + packed(log)[-4:],
    "not compressed": dense.spelled,
    "cut": lambda log: dense.spelled(zlib.compress(log)[:-9]),
    "two": lambda log: dense.spelled(zlib.compress(log) + zlib.compress(log)),
    "empty": lambda _log: "",
    "a bomb": lambda _log: packed(b"\0" * (1 << 28)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LOGS)
def test_a_page_whose_log_cannot_be_taken_out_is_not_good(check, page, log, name):
    status, out = check(with_part(page, "log", LOGS[name](log)))
    assert status == 3
    assert "NOT GOOD" in out
    assert len(out.splitlines()) == 2


def test_a_file_that_is_no_page_or_cut_off_or_has_two_logs_is_not_good(check, page):
    half = page.replace(
        b'id="data">', b'id="log"></script><script type="text/plain" class="dense" id="data">'
    )
    for data in (
        page[:300],
        page[: len(page) // 2],
        b"<!DOCTYPE html><p>x",
        b"<",
        b"<\xff",
        half,
        page.replace(b'id="log"', b'id="lag"'),
    ):
        status, out = check(data)
        assert (status, "NOT GOOD" in out) == (3, True), data[:80]
        assert len(out.splitlines()) == 2


def test_a_small_page_has_no_long_log(page, check):
    """A log hardly gets shorter when it is compressed: a longer one is made to fill our memory."""
    bomb = with_part(page, "log", packed(b"\0" * (1 << 20)))
    with pytest.raises(NoPage, match="page-too-long"):
        read_page(bomb)
    status, out = check(bomb)
    assert (status, "the log in this page has more than" in out) == (3, True)


def test_a_log_with_the_name_of_a_page_is_no_page(check, monkeypatch):
    """A browser would show the markup in it."""
    evil = "<body onload=innerHTML='nick1&#32won'>"
    monkeypatch.setattr(
        "tests.ring.Participant", lambda id_, _nick, salt: Participant(id_, evil, salt)
    )
    ring = Ring("escoba", 2, seed="names", target=1)
    ring.play(moves=3)
    for data in (
        ring.logs[0],
        ring.logs[0] + b"\0\0\xff\xff<script>document.body.innerHTML = 'nick1 won'</script>",
    ):
        status, out = check(data)
        assert status == 3
        assert "page.html: NOT GOOD" in out
        assert "the name is that of a page" in out


# A log that does not verify.


def test_a_log_that_does_not_verify_is_a_page_only_if_it_is_wanted_anyway(
    check, log, tmp_path, capsys
):
    bad = tmp_path / "bad.sobremesa"
    bad.write_bytes(damaged(log))
    out = tmp_path / "bad.html"
    assert main(["export", str(bad), "--to", "html", "-o", str(out)]) == 3
    assert not out.exists()
    assert "does not verify" in capsys.readouterr().err
    assert main(["export", str(bad), "--to", "html", "--anyway", "-o", str(out)]) == 0
    data = data_of(out.read_bytes())
    assert data["bad"] is True
    assert len(data["said"]) > 10
    assert len(data["said"]) < len(read_match(log, None).steps)
    assert check(out.read_bytes())[0] == 3


# The command.


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["--to", "html", "--seat", "p9"], 2, "there is no seat p9 in this match; there is p1 ("),
        (["--to", "html", "--seat", "x"], 2, "there is no seat x"),
        (["--to", "json", "--seat", "p1"], 2, "--seat does not work with --to json"),
        (["--to", "scenario", "--anyway"], 2, "--anyway does not work with --to scenario"),
        (["--to", "svg"], 2, "invalid choice: 'svg'"),
        (["--to", "html", "-o", "/nowhere/page.html"], 2, "/nowhere/page.html cannot be written"),
    ],
)
def test_bad_input_ends_with_a_sentence(log, words, status, sentence, tmp_path, capsys):
    path = tmp_path / "match.sobremesa"
    path.write_bytes(log)
    assert main(["export", str(path), *words]) == status
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert shown.out == ""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_replay_that_is_killed_leaves_no_page_behind(log, tmp_path, number):
    path = tmp_path / "match.sobremesa"
    path.write_bytes(log)
    words = [sys.executable, "-m", "client", "replay", str(path), "--browser", "--seat", "p1"]
    around = {
        **os.environ,
        "TMPDIR": str(tmp_path),
        "DISPLAY": "",
        "WAYLAND_DISPLAY": "",
        "BROWSER": "",
    }
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=around, text=True
    ) as process:
        shown = Path(
            next(line.strip() for line in process.stdout if line.strip().endswith(".html"))
        )
        assert shown.exists()
        process.send_signal(number)
        assert process.wait(10) == 128 + number
    assert not shown.parent.exists()


def test_a_replay_in_the_browser_is_a_file_of_our_own_that_goes_again(
    log, tmp_path, capsys, monkeypatch
):
    path = tmp_path / "match.sobremesa"
    path.write_bytes(log)
    seen: list[tuple[Path, bytes]] = []
    monkeypatch.setattr("client.ui.browser.opening.has_windows", lambda _environment: True)

    def opened(address: str) -> bool:
        file = Path(address.removeprefix("file://"))
        assert os.name != "posix" or file.parent.stat().st_mode & 0o077 == 0
        seen.append((file, file.read_bytes()))
        return True

    monkeypatch.setattr("webbrowser.open", opened)
    monkeypatch.setattr("client.ui.replay_page.window.wait", lambda: None)
    assert main(["replay", str(path), "--browser", "--seat", "p1"]) == 0
    assert seen[0][1] == make_page(log, 0)
    assert not seen[0][0].parent.exists()
    assert str(seen[0][0]) in capsys.readouterr().out
    assert main(["replay", str(path), "--browser", "--no-open"]) == 0
    assert len(seen) == 1
    assert "Open it in a browser." in capsys.readouterr().out
    assert main(["replay", str(path), "--browser", "--seat", "p7"]) == 2
    assert main(["replay", str(tmp_path / "none"), "--browser"]) == 2


def test_a_page_has_all_languages_and_the_deals(page):
    data = data_of(page)
    assert [one["code"] for one in data["languages"]] == languages()
    assert {len(row) for row in data["texts"]} == {len(languages())}
    assert len(data["deals"]) == 1
    assert len(data["said"]) == len(data["steps"])


def test_a_bomb_is_not_unpacked_beyond_the_limit(page, monkeypatch):
    monkeypatch.setattr("client.ui.replay_page.page.LOG_BYTES", 1000)
    with pytest.raises(NoPage, match="page-too-long"):
        read_page(with_part(page, "log", packed(b"\0" * 1001)))
    assert len(read_page(with_part(page, "log", packed(b"\0" * 1000))).log) == 1000
