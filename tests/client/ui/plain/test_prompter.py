"""Printing above a line that is being typed: nothing is lost, at any moment of printing and
typing."""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from client.ui.plain.prompter import Terminal
from tests.patience import PATIENCE


class Typist:
    """Types into a terminal that runs in a thread of its own, as it does in the program."""

    def __init__(self, keys: PipeInput, take: Callable[[Typist, str | None], None]) -> None:
        self.keys = keys
        self.taken: list[str | None] = []
        self.error: BaseException | None = None
        self.stops = 0
        self.terminal = Terminal(
            lambda: "> ", lambda: ["play 7o take 5c 3b", "play 2e", "help"], self._stop
        )
        self.came = threading.Condition()
        self._take = take
        self._thread = threading.Thread(target=contextvars.copy_context().run, args=(self._run,))
        self._thread.start()

    def _run(self) -> None:
        try:
            self.terminal.run(self._hear)
        except BaseException as error:  # noqa: BLE001 - looked at by the test
            self.error = error

    def _stop(self) -> None:
        self.stops += 1

    def _hear(self, text: str | None) -> None:
        self._take(self, text)
        with self.came:
            self.taken.append(text)
            self.came.notify_all()

    def type(self, text: str) -> None:
        """Type something that finishes a line, and wait until it was taken."""
        with self.came:
            before = len(self.taken)
            self.keys.send_text(text)
            assert self.came.wait_for(lambda: len(self.taken) > before, PATIENCE)

    def join(self) -> None:
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@pytest.fixture
def typing() -> Iterator[Callable[..., Typist]]:
    made: list[Typist] = []
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):

        def start(take: Callable[[Typist, str | None], None] = lambda typist, text: None) -> Typist:
            made.append(Typist(keys, take))
            return made[-1]

        yield start
        for typist in made:
            typist.terminal.end()
            typist.join()


def test_output_at_the_end_of_a_line_is_not_lost(typing, capsys):
    # Each answer is printed while the prompt comes to its end or the next one begins, by this
    # thread and by another.
    typist = typing(lambda typist, text: typist.terminal.print(f"answer to {text}"))
    stop = threading.Event()
    printed: list[str] = []

    def chatter() -> None:
        while not stop.wait(0.001):
            printed.append(f"chatter {len(printed)}")
            typist.terminal.print(printed[-1])

    other = threading.Thread(target=chatter)
    other.start()
    lines = [f"line {number}" for number in range(60)]
    for line in lines:
        typist.type(line + "\r")
    stop.set()
    other.join()
    typist.terminal.end()
    typist.join()
    typist.terminal.print("afterwards")
    out = capsys.readouterr().out.splitlines()
    assert [line for line in out if line.startswith("answer")] == [
        f"answer to {line}" for line in lines
    ]
    assert [line for line in out if line.startswith("chatter")] == printed
    assert out[-1] == "afterwards"
    assert typist.taken == lines
    assert typist.error is None


def test_it_ends_whenever_it_is_told_to(typing):
    for _ in range(20):
        typist = typing()
        typist.terminal.end()  # perhaps before the first prompt
        typist.join()
        assert (typist.taken, typist.error) == ([], None)


def test_a_move_is_completed(typing):
    typist = typing()
    typist.type("first\r")
    typist.keys.send_text("play 7\t")
    until = time.monotonic() + PATIENCE
    while typist.terminal.session.default_buffer.text != "play 7o take 5c 3b":
        assert time.monotonic() < until
        time.sleep(0.005)
    typist.type("\r")
    assert typist.taken == ["first", "play 7o take 5c 3b"]


def test_ctrl_c_interrupts(typing):
    typist = typing()
    typist.type("x\r")
    typist.keys.send_text("\x03")
    typist.join()
    assert isinstance(typist.error, KeyboardInterrupt)


def test_an_error_of_the_listener_comes_out(typing, capsys):
    def fails(typist: Typist, text: str | None) -> None:
        typist.terminal.print("last words")
        raise ZeroDivisionError

    typist = typing(fails)
    typist.keys.send_text("x\r")
    typist.join()
    assert isinstance(typist.error, ZeroDivisionError)
    assert capsys.readouterr().out == "last words\n"
