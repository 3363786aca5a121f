"""Standard error on a terminal: sentences are broken between words, and progress keeps one row."""

import re

import pytest

from client.ui.plain import printing
from client.ui.plain.printing import ProgressLine, complain
from p2p.net.text import columns

SENTENCE = "sobremesa: the settings cannot be read, and another program has probably written them"
PATH = f"/logs/{'long/' * 30}0123456789abcdef.sobremesa: 40 %"


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(printing, "terminal_columns", lambda: 40)


def test_an_error_on_a_terminal_is_broken_between_words(terminal, capsys):
    complain(SENTENCE.removeprefix("sobremesa: "))
    rows = capsys.readouterr().err.splitlines()
    assert " ".join(row.strip() for row in rows) == SENTENCE
    assert max(map(len, rows)) <= 40


def test_an_error_in_a_pipe_is_one_line(capsys):
    complain(SENTENCE.removeprefix("sobremesa: "))
    assert capsys.readouterr().err == SENTENCE + "\n"


@pytest.mark.parametrize("text", [PATH, "漢" * 60 + ": 40 %", "שלום/" * 20 + ": 40 %"])
def test_progress_on_a_terminal_takes_one_row_and_keeps_its_end(terminal, capsys, text):
    line = ProgressLine()
    line.show(text)
    line.clear()
    shown, blank = re.fullmatch("\r(.*)\r( *)\r", capsys.readouterr().err).groups()
    assert columns(shown) < 40
    assert len(blank) == columns(shown)
    assert shown.startswith(("…", "\u2068…"))
    assert "40 %" in shown
