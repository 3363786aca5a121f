"""Scenario files as `sobremesa scenario` plays them: each has a status and an object to print.

An input that begins with a zero byte is choices in a match instead, written down as a scenario:
that one must hold, or be none if a text in it is malformed, which does not depend on the state.
"""

from __future__ import annotations

import json
from itertools import islice
from random import Random
from typing import Any

from engine.bots import chance_for
from engine.core.moves import IllegalMove, NotAMove, Seat
from engine.core.notation import LEAVE, write_seat
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import GAMES
from engine.scenario import FALLS_SHORT, HOLDS, NO_SCENARIO, report, state_of
from tests.fuzz.draw import Draw
from tests.properties.matches import MATCHES, unplayed

MATCH = 0
LISTED = 40
"""Options looked at when one is chosen; a game may have very many."""
MOST = 60
"""Actions at most."""
PLAYED = [number for number, (game, _, _) in enumerate(MATCHES) if game in GAMES]
VERBS = (
    *(
        "play",
        "take",
        "pass",
        "leave",
        "draw",
        "lay",
        "swap",
        "meld",
        "run",
        "set",
        "on",
        "m1",
        "m2",
        "discard",
        "buy",
        "out",
    ),
    *(
        "truco",
        "retruco",
        "vale4",
        "envido",
        "real",
        "falta",
        "quiero",
        "no",
        "mazo",
        "say",
        "bet",
        "hit",
        "stand",
        "up",
        "down",
    ),
    *(
        "0",
        "1",
        "7",
        "20",
        "33",
        "007",
        "-1",
        "1e3",
        "9" * 30,
        "",
        "?",
        "*",
        "*7h",
        "p1",
        "p2",
        "6-6",
        "5-0",
        "0-5",
        "7o",
        "12b",
        "Td",
    ),
)
KEYS = (
    "game",
    "players",
    "first",
    "decks",
    "actions",
    "options",
    "expect",
    "after",
    "turn",
    "score",
    "over",
    "winners",
    "round",
)
DICTIONARY = (
    *VERBS,
    *KEYS,
    *GAMES,
    "hands",
    "table",
    "legal",
    "illegal",
    "[[expect]]",
    "[options]",
    '["',
    '", "',
    '"]',
    " = ",
)


def one_input(data: bytes) -> None:
    if data[:1] != bytes([MATCH]):
        printed(data)
        return
    text, malformed = written(Draw(data[1:]))
    status, found = printed(text.encode())
    assert status == (NO_SCENARIO if malformed else HOLDS), f"{found}\n{text}"


def printed(data: bytes) -> tuple[int, dict[str, Any]]:
    status, found = report("a.toml", data)
    assert "\n" not in json.dumps(found)
    if status == HOLDS:
        assert set(found) == {"file", "ok", "state"}
    else:
        assert status in (FALLS_SHORT, NO_SCENARIO)
        assert found["error"]
        assert "\n" not in found["error"]
        assert ("state" in found) == (status == FALLS_SHORT)
    return status, found


def written(draw: Draw) -> tuple[str, bool]:
    """Play a match and write it down; also return whether something that no game has a notation for
    stands in it."""
    number = draw.one(PLAYED)
    random = Random(draw.byte())
    play = OpenDeck(unplayed(number), shuffled(random.randrange), random.randrange(12))
    game, players, options = MATCHES[number]
    actions: list[str] = []
    expects: list[str] = []
    malformed = False
    while draw.more and not play.over and len(actions) < MOST:
        how = draw.byte()
        seat: Seat = draw.one(play.turn)
        text = chosen(play, seat, draw)
        if how % 8 == 0:
            seat, text = draw.below(players), spoiled(text, draw)
            kind = judged(play, seat, text)
            malformed |= kind == "malformed"
            text = f"{write_seat(seat)} {text}"
            expects.append(
                f"[[expect]]\nafter = {len(actions)}\n{'illegal' if kind == 'malformed' else kind} "
                f"= [{json.dumps(text)}]"
            )
            continue
        if how == 255:
            seat, text = draw.one(play.game.seats), LEAVE
            play.leave(seat)
        else:
            play.act(seat, play.game.read(text, seat, play.known(seat)))
        actions.append(f"{write_seat(seat)} {text}")
    state = {key: value for key, value in state_of(play).items() if key != "hands"}
    lines = [f"{key} = {json.dumps(value)}" for key, value in state.items()]
    lines += [
        f"hands.{seat} = {json.dumps(cards)}" for seat, cards in state_of(play)["hands"].items()
    ]
    head = {
        "game": game,
        "players": players,
        "first": write_seat(play.first % players),
        "actions": actions,
    }
    head["decks"] = [list(deck) for deck in play.laid]
    parts = [f"{key} = {json.dumps(value)}" for key, value in head.items()]
    parts += ["[options]", *(f"{key} = {json.dumps(value)}" for key, value in options.items())]
    return "\n".join([*parts, *expects, "[[expect]]", *lines]), malformed


def chosen(play: OpenDeck, seat: Seat, draw: Draw) -> str:
    """A legal move in the notation: one of the first options, or the move of a player by chance,
    whose matches end."""
    if draw.byte() % 4:
        move = draw.one(list(islice(play.options(seat), LISTED)))
    else:
        move = chance_for(play.game.name)(play.view(seat), draw.below)
    return play.game.write(move, play.faces)


def spoiled(text: str, draw: Draw) -> str:
    words = text.split()
    for _ in range(1 + draw.below(3)):
        at = draw.below(len(words) + 1)
        words[at : at + draw.below(2)] = [draw.one(VERBS)] * draw.below(3)
    return " ".join(words)


def judged(play: OpenDeck, seat: Seat, text: str) -> str:
    """Whether an action is `legal`, `illegal` or `malformed`, in the state as it is."""
    if text.split()[:1] in ([], [LEAVE]):
        alone = text.split() == [LEAVE]
        return "malformed" if not alone else "legal" if play.game.may_leave(seat) else "illegal"
    try:
        play.judge(seat, play.game.read(" ".join(text.split()), seat, play.known(seat)))
    except NotAMove:
        return "malformed"
    except IllegalMove:
        return "illegal"
    return "legal"
