"""A whole match as text: each question, its options, the view of each seat, the answer, and the
fingerprint."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from engine.core.events import spell_event
from engine.core.moves import Choose
from engine.core.notation import write_seat
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.requests import Ask
from engine.games import new_game
from tests.bots.weak import weak_bot


def counting(seed: int) -> Choose:
    """Return a source of choices that is the same on every machine and in every version of
    Python."""
    state = {"now": seed}

    def choose(n: int) -> int:
        state["now"] = (state["now"] * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state["now"] >> 33) % n

    return choose


def transcript(game: str, players: int, options: dict[str, Any], seed: int) -> str:
    """Play a match by the honest player and return its lines."""
    choose = counting(seed)
    play = OpenDeck(new_game(game, players, options), shuffled(choose), choose(players))
    lines = [f"{game}, {players} players, {play.game.options}, seed {seed}"]
    shown: dict[str, Any] = {}
    while play.turn:
        lines += ["", *_state(play, shown), *_question(play)]
        seat = play.turn[0]
        move = weak_bot(game)(play.view(seat), choose)
        lines.append(f"! {write_seat(seat)} {play.game.write(move, play.faces)}")
        play.act(seat, move)
    return "\n".join([*lines, "", *_state(play, shown), "over", ""])


def _state(play: OpenDeck, shown: dict[str, Any]) -> Iterator[str]:
    """Yield what was told, every public value that has changed, every seat's hand as it sees it,
    and the fingerprint."""
    for what, *details in map(spell_event, play.game.told):
        yield f"* {what} {' '.join(details)}"
    for name, value in vars(play.game).items():
        before, shown[name] = shown.get(name), copy.deepcopy(value)
        if name in ("told", "pictures", "decks", "options") or before == value:
            continue
        if isinstance(before, dict) and before.items() <= value.items():
            yield f"{name} + { {key: item for key, item in value.items() if key not in before} }"
        else:
            yield f"{name} = {value}"
    for seat in range(play.game.players):
        view = play.view(seat)
        yield (
            f"{write_seat(seat)} sees "
            f"{' '.join(view.face(slot) or '?' for slot in view.game.hands[seat])}"
        )
    yield f"fingerprint {play.run.fingerprint().hex()[:32]}"


def _question(play: OpenDeck) -> Iterator[str]:
    request = play.run.request
    assert isinstance(request, Ask)
    yield f"? {' '.join(map(write_seat, request.seats))}: {request.options.__name__}"
    for seat in play.turn:
        view = play.view(seat)
        assert view.options is not None
        yield from (
            f"    {write_seat(seat)} {view.game.write(move, play.faces)}" for move in view.options
        )
