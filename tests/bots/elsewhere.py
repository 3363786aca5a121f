"""The strongest player of a game in another checkout of the repository, such as a worktree of an
earlier commit: it plays in a process of its own, which follows the match in the notation."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from engine.core.moves import Move, Seat
from engine.core.open_deck import OpenDeck

PLAYER = """
import json, random, sys
from engine.bots import bot_for
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game

for line in sys.stdin:
    kind, *facts = json.loads(line)
    if kind == "begin":
        game, seats, options, seed = facts
        cards, whims, bot = random.Random(seed), random.Random(seed + 1), bot_for(game)
        deck = OpenDeck(
            new_game(game, seats, options), shuffled(cards.randrange), cards.randrange(seats)
        )
    elif kind == "act":
        seat, text = facts
        deck.act(seat, deck.game.read(text, seat, deck.known(seat)))
    else:
        move = bot(deck.view(facts[0]), whims.randrange)
        print(deck.game.write(move, deck.faces), flush=True)
"""
"""The program of the other process; it imports the packages of its current folder."""


class Elsewhere:
    """The player of another checkout. Both sides deal the same cards, as the seed is the same."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", PLAYER],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin(self, game: str, seats: int, options: dict[str, Any], seed: int) -> None:
        """Begin a match."""
        self._say("begin", game, seats, options, seed)

    def made(self, deck: OpenDeck, seat: Seat, move: Move) -> None:
        """Tell it of a move, before it is made here."""
        self._say("act", seat, deck.game.write(move, deck.faces))

    def choose(self, deck: OpenDeck, seat: Seat) -> Move:
        """Return its move for a seat whose turn it is."""
        self._say("choose", seat)
        assert self._process.stdout is not None
        text = self._process.stdout.readline().strip()
        if not text:
            raise RuntimeError("the player elsewhere has ended")
        return deck.game.read(text, seat, deck.known(seat))

    def end(self) -> None:
        """End its process."""
        with self._process:
            assert self._process.stdin is not None
            self._process.stdin.close()

    def _say(self, *what: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
