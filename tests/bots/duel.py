"""Measure two players: python -m tests.bots.duel GAME [NAME ...] [--matches N] [--seats N] [--options k=v]."""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

from client.bench.players import wilson
from engine.bots import Bot, bot_for
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from tests.bots.opponents import LEAGUE


def match(game: str, bots: list[Bot], seed: int, options: dict[str, Any], took: list[float], mine: int) -> tuple[int, ...]:
    cards, whims = random.Random(seed), random.Random(seed + 10**6 * mine)
    deck = OpenDeck(new_game(game, len(bots), options), shuffled(cards.randrange), cards.randrange(len(bots)))
    while deck.turn:
        seat = deck.turn[0]
        view = deck.view(seat)
        began = time.perf_counter()
        move = bots[seat](view, whims.randrange)
        if seat % 2 == mine:
            took.append(1000 * (time.perf_counter() - began))
        deck.act(seat, move)
    return deck.game.winners


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--options", nargs="*", default=[])
    args = parser.parse_args()
    options = {key: int(value) for key, value in (pair.split("=") for pair in args.options)}
    for name in args.names or LEAGUE[args.game]:
        other, took = LEAGUE[args.game][name], []
        wins = losses = 0
        for number in range(args.matches):
            mine = number % 2
            bots = [bot_for(args.game) if seat % 2 == mine else other for seat in range(args.seats)]
            won = {seat % 2 for seat in match(args.game, bots, args.first + number // 2, options, took, mine)}
            if len(won) == 1:
                wins += won == {mine}
                losses += won != {mine}
        low, high = wilson(wins, args.matches)
        took.sort()
        print(
            f"{name:20} {100 * wins / args.matches:5.1f} % ({100 * low:.1f} to {100 * high:.1f}) lost {100 * losses / args.matches:.1f} %"
            f"  median {took[len(took) // 2]:.1f} p99 {took[len(took) * 99 // 100]:.1f} max {took[-1]:.1f} ms of {len(took)}",
            flush=True,
        )


main()
