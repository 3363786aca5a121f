"""The words of each game for the events of its rules and for its moves, in a file for each game.

A line with = names the players and the options that are not the usual ones (`first` is the result
of the toss), and a line with + the deck. Then come events and moves, of which the first player
reads, and with ? the state that a seat sees after some moves, with ! the moves that it is offered.
Each is followed by the lines that are told.
SOBREMESA_UPDATE=1 writes those lines anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from client.ui.games import words_of
from client.ui.model import Names
from engine.core.events import BrokenOff
from engine.core.open_deck import OpenDeck
from engine.games import GAMES, new_game
from engine.scenario import do

HERE = Path(__file__).parent


def told(game: str, cases: list[str]) -> Iterator[str]:
    """Yield the cases, each with the lines that are told of it."""
    events = vars(import_module(f"engine.games.{game.replace('-', '_')}.events"))
    words = words_of(game)
    for case in cases:
        yield case
        if case.startswith("="):
            nicks, *options = case[2:].split(", ")
            names = Names(tuple(nicks.split()), 0)
            settings = {name: eval(value) for name, value in map(str.split, options)}
            first = settings.pop("first", 0)
            match = new_game(game, len(names.nicks), settings)
        elif case.startswith("+"):
            deck = case.split()[1:]
        elif case.startswith(("?", "!")):
            who, _after, made = case[2:].partition(" after ")
            play = OpenDeck(new_game(game, len(names.nicks), settings), [deck], first)
            for move in filter(None, made.split(", ")):
                do(play, move)
            seat = None if who == "nobody" else int(who[1:]) - 1
            view = play.view(seat)
            if case.startswith("?"):
                lines = words.state(Names(names.nicks, seat), view)
            else:
                faces = {**view.game.faces, **view.faces}
                moves = [view.game.write(move, faces) for move in view.options or ()]
                lines = words.offered(view, moves)
            yield from (f"| {line}" for line in lines)
        elif case.startswith("p"):
            mover, move = case.split(" ", 1)
            yield f"| {words.move(names, int(mover[1:]) - 1, move)}"
        else:
            event = eval(case, {"BrokenOff": BrokenOff, **events})
            yield from (f"| {line}" for line in words.told(names, match, event))


@pytest.mark.parametrize("game", GAMES)
def test_events_and_moves_in_words(game: str) -> None:
    path = HERE / f"{game}.txt"
    expected = path.read_text(encoding="utf-8").splitlines()
    found = list(told(game, [line for line in expected if not line.startswith("|")]))
    if os.environ.get("SOBREMESA_UPDATE") == "1":
        path.write_text("\n".join([*found, ""]), encoding="utf-8")
    assert found == expected
