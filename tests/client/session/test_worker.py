"""Thinking until a given time: the strongest answer that is found by then, and work in any case."""

from __future__ import annotations

import pickle
import signal
import sys
import threading
import time
from random import Random
from types import FrameType
from typing import Any, ClassVar

import pytest

from client.session import worker
from client.session.worker import Failed, Task, slowness, think
from engine.bots import Bot, bot_for, characters_of
from engine.core.moves import Move
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.view import View
from engine.games import new_game
from tests.bots.today import fixed_bot

SEED = b"a seed of thirty-two bytes in all"


def views(game: str, players: int, count: int) -> list[View]:
    """Return the views of the first decisions of a match."""
    deck = OpenDeck(new_game(game, players, {}), shuffled(Random(5).randrange), 0)
    found = []
    while deck.turn and len(found) < count:
        found.append(deck.view(deck.turn[0]))
        deck.act(deck.turn[0], fixed_bot(game)(found[-1], Random(1).randrange))
    return found


@pytest.mark.parametrize("game", ["escoba", "domino", "siete-y-media", "truco", "kinaskak"])
def test_a_view_goes_to_another_process_and_every_player_decides_there_as_here(game: str) -> None:
    for view in views(game, 3 if game == "kinaskak" else 2, 6):
        for character in characters_of(game):
            task = Task(game, character.name, view, 0.0, SEED)
            sent = pickle.loads(pickle.dumps(task))
            there = character.play(sent.view, Random(SEED).randrange)
            assert there == character.play(view, Random(SEED).randrange)


def test_a_player_that_has_time_decides_as_it_would_by_itself() -> None:
    (view,) = views("escoba", 2, 1)
    alone = bot_for("escoba")(view, Random(SEED).randrange)
    assert think(Task("escoba", "", view, 0.5, SEED)) == alone
    middle = bot_for("escoba")(view, lambda bound: bound // 2)
    assert think(Task("escoba", "", view, 0.5)) == middle, "a hint"


def without_end(_view: View, _choose: Any) -> Move:
    while True:
        pass


def test_a_player_that_finds_nothing_in_time_plays_as_the_quickest_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker, "bot_for", lambda _game: without_end)
    (view,) = views("escoba", 2, 1)
    quickest: Bot = characters_of("escoba")[-1].play
    assert think(Task("escoba", "", view, 0.05, SEED)) == quickest(view, Random(SEED).randrange)


class Swallows:
    """An object during whose end nothing can be raised: Python drops the exception."""

    ends: ClassVar[list[float]] = []

    def __del__(self) -> None:
        self.ends.append(time.perf_counter())
        while time.perf_counter() < self.ends[0] + 0.2:
            pass


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_player_ends_in_time_although_the_first_bell_rings_unheard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def player(view: View, choose: Any) -> Move:
        Swallows()
        while time.perf_counter() < Swallows.ends[0] + 2:
            pass
        return bot_for("escoba")(view, choose)

    monkeypatch.setattr(worker, "bot_for", lambda _game: player)
    (view,) = views("escoba", 2, 1)
    quickest: Bot = characters_of("escoba")[-1].play
    task = Task("escoba", "", view, 0.05, SEED)
    assert think(task) == quickest(view, Random(SEED).randrange)
    assert time.perf_counter() < Swallows.ends[0] + 2


def test_a_bell_that_rings_when_the_player_has_just_decided_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (view,) = views("escoba", 2, 1)
    threads, handler = threading.active_count(), signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(worker, "busy", lambda: None)

    def dawdle(frame: FrameType, event: str, _what: object) -> None:
        if event in ("call", "return") and frame.f_globals["__name__"] in (
            "contextlib",
            worker.__name__,
        ):
            time.sleep(0.002)

    sys.setprofile(dawdle)
    try:
        for _ in range(20):
            think(Task("escoba", "", view, 0.001, SEED))
    finally:
        sys.setprofile(None)
    assert threading.active_count() == threads
    assert signal.getsignal(signal.SIGINT) is handler


def test_with_one_legal_move_it_works_too(monkeypatch: pytest.MonkeyPatch) -> None:
    worked: list[None] = []
    monkeypatch.setattr(worker, "busy", lambda: worked.append(None))
    view = next(one for one in views("domino", 2, 40) if len(list(one.options or ())) == 1)
    think(Task("domino", "", view, 0.05, SEED))
    assert len(worked) > 10


def test_a_machine_is_never_told_to_be_faster_than_ours_nor_without_end_slower(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert 1.0 <= slowness() <= worker.SLOWEST
    monkeypatch.setattr(worker, "REFERENCE_S", 1e-9)
    assert slowness() == worker.SLOWEST
    monkeypatch.setattr(worker, "REFERENCE_S", 1e9)
    assert slowness() == 1.0


def test_neither_a_task_nor_a_failure_shows_a_card() -> None:
    (view,) = views("escoba", 2, 1)
    task = repr(Task("escoba", "", view, 0.5, SEED))
    assert not any(face in task for face in view.faces.values())
    assert str(SEED) not in task
    assert repr(Failed("lines")) == "Failed(trace='lines')"
