"""Why a move is refused, by the cases of `refusals.txt`.

A line with = names the game, the number of players and the options that are not the usual ones;
the next line is the deck. Then comes a line for each case: moves, the last of which is refused,
and why.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.moves import IllegalMove
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.scenario import do


def cases() -> Iterator[tuple[str, str, str]]:
    lines = (Path(__file__).parent / "refusals.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line.startswith("="):
            table = line[2:]
        elif line.startswith(" "):
            deck = line
        else:
            yield table, deck, line


@pytest.mark.parametrize(("table", "deck", "case"), list(cases()), ids=str)
def test_why_a_move_is_refused(table, deck, case):
    game, *options = table.split(", ")
    name, players = game.split()
    settings = {option: eval(value) for option, value in map(str.split, options)}
    play = OpenDeck(new_game(name, int(players), settings), [deck.split()])
    moves, why = case.split(": ")
    *earlier, last = moves.split(", ")
    for move in earlier:
        do(play, move)
    before = play.run.fingerprint()
    with pytest.raises(IllegalMove) as refused:
        do(play, last)
    assert [str(part) for part in refused.value.why] == why.split()
    assert play.run.fingerprint() == before
