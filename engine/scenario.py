"""Scenario files in TOML: a match with open decks, its moves in notation, and expectations.

The expectations come after the moves.

The format is docs/rules/README.md. Two failures are kept apart: a file that is no scenario at all,
and a scenario whose actions or expectations fall short.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.game import Game
from engine.core.moves import Face, IllegalMove, NotAMove, Seat
from engine.core.notation import LEAVE, read_action, read_seat, write_seat
from engine.core.open_deck import BadDeck, OpenDeck
from engine.core.options import BadOption
from engine.core.toml import read_toml
from engine.games import UnknownGame, complete_options, game_class

HOLDS, FALLS_SHORT, NO_SCENARIO = 0, 1, 2
"""The exit statuses of a file."""

_KEYS = {"game", "players", "first", "decks", "actions", "options", "expect"}
_STATE = ("turn", "score", "over", "winners", "round", "hands", "table")
_EXPECT = {"after", "legal", "illegal", *_STATE}


class NotAScenario(Exception):
    """This is not a scenario; the message names the place."""


@dataclass(frozen=True)
class Scenario:
    """A file that is well formed: everything in it names things that exist.

    Whether it holds is another matter.
    """

    game: type[Game]
    players: int
    first: Seat
    options: Mapping[str, Any]
    decks: list[list[Face]]
    actions: list[str]
    expect: list[Mapping[str, Any]]


def play_scenario(data: str | bytes) -> dict[str, Any]:
    """Play a scenario; return `ok`, the `state` after the last action, and any `error`.

    There is an `error` only if the scenario does not hold. NotAScenario if the data is none.
    """
    scenario = read_scenario(data)
    try:
        return _play(scenario)
    except BadDeck as error:
        raise NotAScenario(str(error)) from error


def report(file: str, data: bytes) -> tuple[int, dict[str, Any]]:
    """Return the exit status of a file with these contents, and the JSON object to print for it."""
    try:
        result = play_scenario(data)
    except NotAScenario as error:
        return NO_SCENARIO, {"file": file, "ok": False, "error": str(error)}
    return HOLDS if result["ok"] else FALLS_SHORT, {"file": file, **result}


def read_scenario(data: str | bytes) -> Scenario:
    """Read a scenario without playing it, or raise NotAScenario."""
    try:
        value = read_toml(data)
    except ValueError as error:
        raise NotAScenario(f"not TOML: {error}") from error
    _known_keys(value, _KEYS, "the file")
    for key in ("game", "players"):
        if key not in value:
            raise NotAScenario(f"{key} is missing")
    options = _kind(value.get("options", {}), dict, "options")
    try:
        game = game_class(value["game"])
        players = _kind(value["players"], int, "players")
        complete = complete_options(game.name, players, options)
    except (UnknownGame, BadOption) as error:
        raise NotAScenario(str(error)) from error
    reader = _Reader(game(players, complete))
    return Scenario(
        game,
        players,
        reader.seat(value.get("first", "p1"), "first"),
        complete,
        reader.decks(value.get("decks", [])),
        actions := reader.actions(value.get("actions", []), "actions"),
        reader.expectations(value.get("expect", []), len(actions)),
    )


class _Reader:
    """Reads the parts of a scenario, given a match that is not yet played."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def seat(self, value: Any, place: str) -> Seat:
        try:
            return read_seat(_kind(value, str, place), self.game.players)
        except NotAMove as error:
            raise NotAScenario(f"{place}: {error}") from error

    def cards(self, value: Any, place: str) -> list[Face]:
        cards = _items(value, str, place)
        for card in cards:
            if not self.game.is_card(card):
                raise NotAScenario(f"{place}: {card!r} is not a card of {self.game.name}")
        return cards

    def decks(self, value: Any) -> list[list[Face]]:
        return [
            self.cards(deck, f"decks, list {number}")
            for number, deck in enumerate(_items(value, list, "decks"), 1)
        ]

    def actions(self, value: Any, place: str) -> list[str]:
        """Read actions.

        Whether text is NotAMove never depends on the state, so an unplayed match can tell.
        """
        actions = _items(value, str, place)
        for number, action in enumerate(actions, 1):
            try:
                self._well_formed(action)
            except NotAMove as error:
                raise NotAScenario(f"{place}, number {number}, {action!r}: {error}") from error
        return actions

    def _well_formed(self, action: str) -> None:
        seat, text = read_action(action, self.game.players)
        if text == LEAVE:
            return
        if text.split()[0] == LEAVE:
            raise NotAMove("nothing follows `leave`")
        try:
            self.game.read(text, seat, {})
        except IllegalMove:
            return  # it names cards that nobody holds yet

    def expectations(self, value: Any, actions: int) -> list[Mapping[str, Any]]:
        return [
            self._expectation(expect, f"expect, number {number}", actions)
            for number, expect in enumerate(_items(value, dict, "expect"), 1)
        ]

    def _expectation(self, expect: dict[str, Any], place: str, actions: int) -> Mapping[str, Any]:
        _known_keys(expect, _EXPECT, place)
        read: dict[str, Any] = {"after": actions}
        for key, value in expect.items():
            where = f"{place}, {key}"
            match key:
                case "turn" | "winners":
                    read[key] = [
                        write_seat(self.seat(seat, where)) for seat in _items(value, str, where)
                    ]
                case "score":
                    read[key] = _items(value, int, where)
                case "over":
                    read[key] = _kind(value, bool, where)
                case "after" | "round":
                    read[key] = _kind(value, int, where)
                case "hands":
                    hands = _kind(value, dict, where).items()
                    read[key] = {
                        write_seat(self.seat(seat, where)): self.cards(cards, where)
                        for seat, cards in hands
                    }
                case "table":
                    read[key] = self.cards(value, where)
                case "legal" | "illegal":
                    read[key] = self.actions(value, where)
        if not 0 <= read["after"] <= actions:
            raise NotAScenario(f"{place}: after = {read['after']}, and there are {actions} actions")
        return read


def state_of(play: OpenDeck) -> dict[str, Any]:
    """Return what holds now, as `expect` and the report name it."""
    game = play.game
    return {
        "turn": [write_seat(seat) for seat in play.turn],
        "score": list(game.score),
        "over": play.over,
        "winners": [write_seat(seat) for seat in sorted(game.winners)],
        "round": game.round,
        "hands": {write_seat(seat): play.hand(seat) for seat in range(game.players)},
        "table": game.table(),
    }


def do(play: OpenDeck, action: str) -> None:
    """Carry out `SEAT VERB ARGUMENTS`. NotAMove or IllegalMove, and nothing has changed."""
    seat, text = read_action(action, play.game.players)
    if text == LEAVE:
        play.leave(seat)
    else:
        play.act(seat, play.game.read(text, seat, play.known(seat)))


def _play(scenario: Scenario) -> dict[str, Any]:
    """Play on after an expectation that falls short.

    Return the first shortfall, and the state after the last action.
    """
    play = OpenDeck(
        scenario.game(scenario.players, scenario.options), scenario.decks, scenario.first
    )
    due: dict[int, list[tuple[int, Mapping[str, Any]]]] = {}
    for number, expect in enumerate(scenario.expect, 1):
        due.setdefault(expect["after"], []).append((number, expect))
    error = _first_shortfall(play, due.get(0, []), 0)
    for number, action in enumerate(scenario.actions, 1):
        try:
            do(play, action)
        except IllegalMove as refused:
            said = " ".join(map(str, refused.why))
            error = (
                error
                or f"action {number}, {action!r}, is illegal: {said}; the turn is "
                f"{state_of(play)['turn']}"
            )
            break
        error = error or _first_shortfall(play, due.get(number, []), number)
    result: dict[str, Any] = {"ok": error is None, "state": state_of(play)}
    return result if error is None else {**result, "error": error}


def _first_shortfall(
    play: OpenDeck, due: list[tuple[int, Mapping[str, Any]]], after: int
) -> str | None:
    """Return the first expectation in `due` that does not hold, and the value found instead.

    `due` are those after `after` actions, with their numbers.
    """
    for number, expect in due:
        place = f"expect, number {number} (after {after} actions)"
        state = state_of(play)
        for key in _STATE:
            if key in expect and not _agree(key, expect[key], state[key]):
                return f"{place}: {key} should be {expect[key]}, and is {state[key]}"
        for key, wanted in (("legal", None), ("illegal", "refused")):
            for action in expect.get(key, ()):
                why = _refusal(play, action)
                if (why is None) != (wanted is None):
                    return (
                        f"{place}: {action!r} should be {key}, and is "
                        f"{'accepted' if why is None else 'refused: ' + why}"
                    )
    return None


def _agree(key: str, wanted: Any, found: Any) -> bool:
    if key == "table":
        return sorted(wanted) == sorted(found)
    if key == "hands":
        return all(sorted(cards) == sorted(found[seat]) for seat, cards in wanted.items())
    return bool(wanted == found)


def _refusal(play: OpenDeck, action: str) -> str | None:
    """Return why an action would be refused now, or None; nothing changes."""
    seat, text = read_action(action, play.game.players)
    if text == LEAVE:
        return None if not play.over and play.game.may_leave(seat) else "may-not-leave"
    try:
        play.judge(seat, play.game.read(text, seat, play.known(seat)))
    except IllegalMove as refused:
        return " ".join(map(str, refused.why))
    return None


def _known_keys(value: Mapping[str, Any], known: set[str], place: str) -> None:
    for key in value:
        if key not in known:
            raise NotAScenario(f"{place} has a key {key!r}, which means nothing")


def _kind(value: Any, kind: type, place: str) -> Any:
    if type(value) is not kind:
        raise NotAScenario(f"{place}: a {kind.__name__} belongs here, not {value!r}")
    return value


def _items(value: Any, kind: type, place: str) -> list[Any]:
    return [_kind(item, kind, place) for item in _kind(value, list, place)]
