"""`sobremesa games`: the games, their numbers of players, and their options."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from client.commands.common import screen_columns, values
from client.i18n.translation import _
from client.session.characters import STRENGTHS
from client.ui.games import about_of, shown, title_of
from client.ui.games.characters import about_computers, strength_of
from client.ui.plain.printing import say
from client.ui.wrap import wrapped
from engine.bots import Character, characters_of
from engine.core.game import Game
from engine.core.options import Option
from engine.games import GAMES

EXAMPLE = "sobremesa games --json"


def add_arguments(parser: ArgumentParser) -> None:
    """Add `--json` to a parser."""
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(args: Namespace) -> int:
    """Print the catalogue."""
    if args.json:
        say(json.dumps({"games": [_described(game) for game in GAMES.values()]}))
        return 0
    for number, game in enumerate(GAMES.values()):
        found = [part for line in _lines(game) for part in wrapped(line, screen_columns())]
        say("\n" * bool(number) + "\n".join(found))
    return 0


def _described(game: type[Game]) -> dict[str, Any]:
    return {
        "game": game.name,
        "title": title_of(game.name),
        "rules": game.version,
        "players": list(game.allowed_players),
        "computers": [_character(one) for one in characters_of(game.name)],
        "options": {name: _option(game, name, option) for name, option in game.choices.items()},
    }


def _character(character: Character) -> dict[str, Any]:
    word = next(word for word, strength in STRENGTHS.items() if strength is character.strength)
    return {"name": character.name, "strength": word, "about": about_computers(character.name)}


def _option(game: type[Game], name: str, option: Option) -> dict[str, Any]:
    allowed: Any = list(option.values)
    if isinstance(option.values, range):
        allowed = {"from": option.values[0], "to": option.values[-1]}
    defaults = {str(players): game.defaults(players)[name] for players in game.allowed_players}
    return {
        "default": option.default,
        "defaults": defaults,
        "values": allowed,
        "help": _(option.help),
    }


def _lines(game: type[Game]) -> list[str]:
    title, about = title_of(game.name), about_of(game.name)
    found = [f"{game.name}: {title}. {about}".rstrip()]
    found.append(
        "  " + _("players: {counts}").format(counts=", ".join(map(str, game.allowed_players)))
    )
    for one in characters_of(game.name):
        facts = {
            "name": one.name,
            "strength": strength_of(game.name, one.name),
            "about": about_computers(one.name),
        }
        found.append("  " + _("--computers {name}   {strength}. {about}").format(**facts).rstrip())
    for name, option in game.choices.items():
        facts = {
            "name": name,
            "default": shown(option.default),
            "values": values(option),
            "help": _(option.help),
        }
        found.append("  " + _("--option {name}={default}   {values}").format(**facts))
        found.append("      " + facts["help"])
    return found
