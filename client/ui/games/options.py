"""The names of the games' options and values in the reader's language.

The engine explains their meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from client.i18n.translation import _, later
from client.ui.games import shown, words_of
from client.ui.games.words import Heading, TypedMoves
from engine.core.game import Game
from engine.games import GAMES

LEAVES = later("If a player leaves")
TITLES: Mapping[str, Mapping[str, str]] = {
    "escoba": {
        "target": later("Points to win"),
        "capture": later("Laying a card"),
        "leftovers": later("Cards left over"),
        "all_replaces": later("“All” instead of “most”"),
        "teams": later("Partners"),
        "leaving": LEAVES,
        "first_table": later("Sweep of first table"),
    },
    "domino": {
        "target": later("Points to win"),
        "capicua": later("Capicúa doubles"),
        "passes": later("Passes that pay"),
        "draw": later("Drawing"),
        "partners": later("Partners"),
        "leaving": LEAVES,
        "set": later("Set of tiles"),
    },
    "siete-y-media": {
        "chips": later("Chips for each"),
        "min_bet": later("Least bet"),
        "max_bet": later("Highest stake"),
        "raises": later("Raises"),
        "bank": later("The next bank"),
        "deals": later("Deals in a match"),
    },
    "truco": {
        "target": later("Points to win"),
        "falta": later("Falta envido"),
        "third_tie": later("Third trick tied"),
        "envido_callers": later("Envido opened by"),
        "envido_first": later("Envido before truco"),
        "early_mazo": later("Mazo before any call"),
        "flor": later("Flor"),
    },
    "kinaskak": {
        "first_contract": later("First contract"),
        "last_contract": later("Last contract"),
        "buys": later("Free purchases"),
        "overbuy": later("Purchases beyond"),
        "dispute": later("Several buyers"),
        "lay_off": later("Laying off"),
        "max_jokers": later("Jokers in a meld"),
        "leaving": LEAVES,
    },
}
"""How each option is called."""

VALUES: Mapping[str, str] = {
    "hand": later("if the hand cannot take"),
    "card": later("if the card cannot take"),
    "free": later("always"),
    "sweep": later("to the last escoba"),
    "capture": later("to the last capture"),
    "off": later("never"),
    "on": later("always"),
    "strict": later("if the ends differ"),
    "each": later("every one"),
    "first": later("the first"),
    "none": later("none"),
    "seven": later("siete y media holder"),
    "turn": later("each in turn"),
    "fixed": later("always the same"),
    "leader": later("missing points"),
    "malas": later("in the malas, all"),
    "mano": later("the mano"),
    "third_tie:first": later("first trick winner"),
    "dealer": later("to the dealer"),
    "first_table:first": later("to the first player"),
    "left": later("two before the dealer"),
    "pies": later("the last of each team"),
    "any": later("anybody"),
    "penalty": later("cost 200 points"),
    "forbidden": later("are not allowed"),
    "draw": later("draw cards for it"),
    "seat": later("the nearest seat first"),
    "at-once": later("in the same turn"),
    "next-turn": later("from the next turn on"),
    "go-on": later("the others go on"),
    "end": later("the match is over"),
    "double-six": later("28, up to double six"),
    "double-nine": later("55, up to double nine"),
}
"""How values that are words are called; one that means something else for one option stands there
with its option."""


def rules_of(
    game: str, options: Mapping[str, Any] | None = None, *, headings: bool = False
) -> list[str]:
    """Return the rules of a game at a table with these options, else with the defaults."""
    usual = GAMES[game].defaults(min(GAMES[game].allowed_players)) if game in GAMES else {}
    played = {**usual, **(options or {})}
    words = words_of(game)
    found = [
        TypedMoves(words.as_typed(line)) if isinstance(line, TypedMoves) else line
        for line in words.rules(played)
        if headings or not isinstance(line, Heading)
    ]
    if "leaving" in usual and GAMES[game].plays_on(played):
        found.append(
            _(
                "A deal in which a player leaves is void, and the others play on, as long as they "
                "are enough. (House rules: option `leaving`.)"
            )
        )
    return found


def price_of_leaving(game: str, options: Mapping[str, Any], seats: int) -> str:
    """Say what it costs to leave for good a table of so many seats with these options."""
    words = words_of(game)
    if game not in GAMES:
        return _(words.leaving)
    played = {**GAMES[game].defaults(seats), **options}
    few = seats <= min(GAMES[game].allowed_players)
    return _(words.leaving if few or not GAMES[game].plays_on(played) else words.going_on)


def title(game: str, option: str) -> str:
    """Return how an option is called."""
    return _(TITLES.get(game, {}).get(option, option))


def value(setting: Any, option: str = "") -> str:
    """Return how an option's value is called."""
    if isinstance(setting, bool):
        return _("yes") if setting else _("no")
    said = VALUES.get(f"{option}:{setting}", VALUES.get(setting))
    return _(said) if said is not None else shown(setting)


def told(game: str, options: Mapping[str, Any]) -> list[str]:
    """Return all options of a table, a line each, in the words of its form."""
    known = GAMES[game].choices if game in GAMES else sorted(options)
    return _lines(game, options, known)


def unusual(game: str, seats: int, options: Mapping[str, Any]) -> list[str]:
    """Return lines for how far a match goes and for the options that are not the defaults.

    Each of them has a line.
    """
    usual = GAMES[game].defaults(seats) if game in GAMES else {}
    named = [name for name in usual if name == "target" or options.get(name) != usual[name]]
    return _lines(game, options, named)


def _lines(game: str, options: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Return a line for each of these options of a table that has an effect there."""
    idle = GAMES.get(game, Game).without_effect(options)
    return [
        _("{title}: {value}").format(title=title(game, name), value=value(options[name], name))
        for name in names
        if name in options and name not in idle
    ]
