"""`demo --option` with each variant of each game: all of its values are played between real
processes, with one log that `verify` finds good.

The list comes from the options of the games themselves: a new option is in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from engine.core.options import BadOption, Option
from engine.games import GAMES, complete_options
from tests.end_to_end.test_demo import demonstrate
from tests.sample import sample
from tests.simulator.matches import smallest

FOUR = 4
"""Players enough for partners."""
BESIDE = {("kinaskak", "first_contract"): {"last_contract": 2}}
"""Options without which another one has no second value in a short match."""


class Variant(NamedTuple):
    """A match whose option has another value than usual, or makes it short."""

    game: str
    players: int
    option: str
    options: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.game}-{self.players}-{self.option}={word(self.options[self.option])}"


def word(value: object) -> str:
    """Return a value as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def values(option: Option) -> list[Any]:
    """Return the values to play: all words, and of a range its ends and the neighbours of the
    default."""
    found = option.values
    if isinstance(found, range):
        near = {found[0], option.default - 1, option.default + 1, found[-1]}
        return sorted(near.intersection(found) - {option.default})
    return [value for value in found if value != option.default]


def variants() -> Iterator[Variant]:
    """Yield each value of each option, with the fewest players and with four, as far as the rules
    allow them. An option by which a match is short has that value only."""
    for game, rules in GAMES.items():
        _game, _players, least = smallest(game)
        short = {name: least[name] for name in least if type(rules.choices[name].values) is range}
        for name, option in rules.choices.items():
            beside = BESIDE.get((game, name), {})
            for value in [short[name]] if name in short else values(option):
                options = {**short, **beside, name: value}
                allowed = [one for one in rules.allowed_players if fits(game, one, options)]
                for players in sorted({*allowed[:1], *({FOUR} & set(allowed))}):
                    yield Variant(game, players, name, options)


def fits(game: str, players: int, options: dict[str, Any]) -> bool:
    """Return whether so many can play by these options."""
    try:
        complete_options(game, players, options)
    except BadOption:
        return False
    return True


def flor_first(variant: Variant) -> bool:
    """Sort what every check plays to the beginning."""
    return (variant.option, variant.players) != ("flor", 2)


PLAYED = sorted(variants(), key=flor_first)


@pytest.mark.slow
@pytest.mark.parametrize("variant", sample(PLAYED, 1), ids=str)
def test_a_demonstration_of_a_variant_is_sealed_and_verifies(machine, variant):
    kept = machine.folder / "kept"
    chosen = [f"--option={name}={word(value)}" for name, value in variant.options.items()]
    words = (variant.game, "--players", str(variant.players), *chosen, "--keep", str(kept))
    found = demonstrate(machine, *words)
    assert (found["game"], found["players"]) == (variant.game, variant.players)
    assert (found["verified"], found["identical"]) == (True, True)
    logs = sorted(kept.glob("p*/logs/*.sobremesa"))
    assert len(logs) == variant.players
    assert len({log.read_bytes() for log in logs}) == 1
    judge = machine.player("judge", "verify", str(logs[0]))
    assert judge.ends() == 0
    assert "good and complete" in judge.out


def test_every_word_of_every_option_is_played_and_every_number_has_another():
    played = {(one.game, one.option, word(one.options[one.option])) for one in PLAYED}
    options = [
        (game, name, option) for game in GAMES for name, option in GAMES[game].choices.items()
    ]
    assert {(game, name) for game, name, _option in options} == {one[:2] for one in played}
    words = {
        (game, name, word(value))
        for game, name, option in options
        for value in option.values
        if not isinstance(option.values, range) and value != option.default
    }
    assert words
    assert words <= played
    assert {(one.game, one.players) for one in PLAYED} >= {
        (game, FOUR) for game in GAMES if FOUR in GAMES[game].allowed_players
    }


def test_a_new_option_is_in_the_list(monkeypatch):
    monkeypatch.setitem(GAMES["escoba"].choices, "later", Option("a", ("a", "b"), "A new one."))
    monkeypatch.setitem(GAMES["domino"].choices, "most", Option(7, range(5, 10), "Another one."))
    new = [(str(one)) for one in variants() if one.option in ("later", "most")]
    assert new[:2] == ["escoba-2-later=b", "escoba-4-later=b"]
    assert {one.rpartition("=")[2] for one in new[2:]} == {"5", "6", "8", "9"}
