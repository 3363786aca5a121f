"""The columns of a text, asked of a terminal: a thread plays the terminal."""

from __future__ import annotations

import os
import sys
import termios
import threading
import time

import pytest

from client.ui.plain import columns


@pytest.fixture
def terminal(monkeypatch):
    """Let the standard streams be a terminal that answers so, or not at all."""
    outer, inner = os.openpty()
    shown = bytearray()
    stream = os.fdopen(inner, "r+b", buffering=0)
    threads = []

    def answering(*answers: bytes):
        def play() -> None:
            for answer in answers:
                while b"\x1b[6n" not in shown:
                    shown.extend(os.read(outer, 64))
                os.write(outer, answer)
                time.sleep(0.05)

        monkeypatch.setattr(sys, "stdin", stream)
        monkeypatch.setattr(sys, "stdout", stream)
        threads.append(threading.Thread(target=play))
        threads[0].start()
        return shown

    before = termios.tcgetattr(inner)
    yield answering
    for thread in threads:
        thread.join()
    assert termios.tcgetattr(inner) == before
    os.close(outer)
    stream.close()


def test_the_terminal_says_where_its_cursor_is(terminal):
    shown = terminal(b"\x1b[7;3R")
    assert columns.drawn_columns("🙂") == 2
    assert bytes(shown).startswith("\r🙂".encode())


def test_a_terminal_that_does_not_answer(terminal, monkeypatch):
    monkeypatch.setattr(columns, "ANSWER_S", 0.1)
    terminal(b"")
    assert columns.drawn_columns("🙂") is None
