"""Arguments of several commands: the game, its seats, its options; and files to read."""

from __future__ import annotations

import difflib
import shutil
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client.i18n.sentences import said
from client.i18n.translation import _, either, listed, outside
from client.session.characters import NoSuchPlayerError, plain, read_words
from client.session.status import UsageError
from client.storage.home import home_path
from client.storage.match_ids import (
    LEAST_LETTERS,
    is_too_short,
    logs_with,
    looks_like_id,
    short_ids,
)
from client.ui.games import shown, title_of
from engine.core.game import Game
from engine.core.options import BadOption, Option
from engine.games import GAMES, complete_options
from p2p.table.house import LONGEST_S, USUAL


@dataclass(frozen=True)
class Choice:
    """The game to play, its number of seats, and all of its options."""

    game: str
    seats: int
    options: Mapping[str, Any]


def add_game(parser: ArgumentParser, *, seats: str = "--seats", default: str | None = None) -> None:
    """Add GAME, `--seats N` and `--option K=V` to a parser; without a default, GAME is required."""
    if default is None:
        parser.add_argument(
            "game",
            metavar=_("GAME"),
            help=_("the game to play: {games}").format(games=", ".join(GAMES)),
        )
    else:
        about = _("the game to play: {games} (default: {default})").format(
            games=", ".join(GAMES), default=default
        )
        parser.add_argument("game", metavar=_("GAME"), nargs="?", default=default, help=about)
    parser.add_argument(
        seats,
        dest="seats",
        metavar="N",
        type=number(1, 99),
        help=_("number of players (default: the fewest that the game allows)"),
    )
    parser.add_argument(
        "--option",
        dest="option",
        metavar=_("OPTION=VALUE"),
        action="append",
        default=[],
        help=_(
            "set an option of the game, for example target=11; `sobremesa games` lists the options "
            "of each game"
        ),
    )


def read_choice(args: Namespace) -> Choice:
    """Return the choice in the arguments of `add_game`; UsageError with a suggestion."""
    game = read_game(args.game)
    seats = min(game.allowed_players) if args.seats is None else args.seats
    if seats not in game.allowed_players:
        allowed = either([str(count) for count in game.allowed_players])
        raise UsageError(
            _("{game} is for {allowed} players, not {seats}").format(
                game=game.name, allowed=allowed, seats=seats
            )
        )
    return Choice(game.name, seats, read_options(game, seats, args.option))


def read_game(name: str) -> type[Game]:
    """Return the class of a game by its name, or by its title in the reader's language.

    If there is none, raise UsageError with a suggestion.
    """
    if name in GAMES:
        return GAMES[name]
    for game, rules in GAMES.items():
        if plain(name) in (plain(game), plain(title_of(game))):
            return rules
    raise UsageError(
        _("there is no game {name!r}; {suggestion}").format(
            name=name, suggestion=suggestion(name.lower(), list(GAMES))
        )
    )


def read_options(game: type[Game], seats: int, given: Sequence[str]) -> dict[str, Any]:
    """Return a table's complete options, given some as `OPTION=VALUE`; of one key, the last counts.

    UsageError if they are invalid.
    """
    chosen: dict[str, Any] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            first, option = next(iter(game.choices.items()))
            sentence = _(
                "an option is written OPTION=VALUE, for example {example}, not {text!r}; "
                "`sobremesa games` lists the options of {game}"
            )
            example = f"{first}={shown(option.default)}"
            raise UsageError(sentence.format(example=example, text=text, game=game.name))
        if key not in game.choices:
            close = suggestion(key, list(game.choices))
            raise UsageError(
                _(
                    "{game} has no option {key!r}; {suggestion} (`sobremesa games` lists the "
                    "options)"
                ).format(game=game.name, key=key, suggestion=close)
            )
        try:
            chosen[key] = game.choices[key].read(key, value)
        except BadOption as error:
            allowed = values(game.choices[key])
            sentence = _("option {key} can be {allowed}, not {value!r}").format(
                key=key, allowed=allowed, value=value
            )
            raise UsageError(sentence) from error
    try:
        return complete_options(game.name, seats, chosen)
    except BadOption as error:
        raise UsageError(said(error)) from error


def values(option: Option) -> str:
    """Return a phrase that lists an option's values."""
    if isinstance(option.values, range):
        return _("a whole number from {low} to {high}").format(
            low=option.values[0], high=option.values[-1]
        )
    return either([shown(value) for value in option.values])


def suggestion(word: str, known: list[str]) -> str:
    """Return a phrase that suggests the nearest name, or lists all."""
    if close := difflib.get_close_matches(word, known, 1):
        return _("did you mean {close}?").format(close=close[0])
    return _("there is {known}").format(known=listed(known)) if known else _("there is none")


def add_computers(parser: ArgumentParser) -> None:
    """Add `--computers` to a parser."""
    about = _(
        "a list, separated by commas, of strengths (strong, middle, weak) or names, one for each "
        "computer player; the last item applies to the remaining ones (`sobremesa games` lists "
        "the names)"
    )
    parser.add_argument("--computers", metavar=_("STRENGTHS"), help=about)


def add_partner(parser: ArgumentParser) -> None:
    """Add `--partner` to a parser."""
    parser.add_argument(
        "--partner",
        metavar=_("SECONDS"),
        type=number(0, LONGEST_S),
        default=USUAL.partner,
        help=_(
            "seconds after which a computer player answers where its partner, a person, may answer "
            "too (default: 0, it leaves the answer to the partner)"
        ),
    )


def read_computers(game: str, text: str | None, most: int) -> tuple[str, ...]:
    """Return the words for computer players in `--computers`.

    UsageError, also if they are more than `most`.
    """
    if text is None:
        return ()
    try:
        found = read_words(game, text)
    except NoSuchPlayerError as error:
        sentence = _("a computer player of {game} is {known}, not {word!r}")
        raise UsageError(sentence.format(game=game, known=error.known, word=error.word)) from error
    if len(found) > most:
        raise UsageError(
            _("--computers names {count}, and there is room for {most}").format(
                count=len(found), most=most
            )
        )
    return found


def number(low: int, high: int) -> Callable[[str], int]:
    """Return an argparse type: a whole number in a range, ends included."""

    def read(text: str) -> int:
        if text.isascii() and text.isdecimal() and len(text) <= 9 and low <= int(text) <= high:
            return int(text)
        sentence = _("expected a whole number from {low} to {high}, not {text!r}")
        raise ArgumentTypeError(sentence.format(low=low, high=high, text=text))

    return read


def screen_columns() -> int | None:
    """Return the width of standard output in columns; None if it is no terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def log_named(name: str) -> str:
    """Return the path of a log, by its path or by the id of a past match.

    An existing file goes first. UsageError if the id is too short, or does not name exactly one
    match.
    """
    if is_too_short(name) and not Path(name).exists():
        line = _(
            "there is no file {name}, and the id of a match has at least {count} characters; "
            "`sobremesa history` shows the ids"
        )
        raise UsageError(line.format(name=name, count=LEAST_LETTERS))
    if not looks_like_id(name) or Path(name).is_file():
        return name
    found = logs_with(home_path() / "logs", name)
    if len(found) == 1:
        return str(*found.values())
    if found:
        line = _("the ids of {count} matches begin with {id}: {ids}")
        ids = ", ".join(sorted(short_ids(found).values()))
        raise UsageError(line.format(count=len(found), id=name, ids=ids))
    line = _(
        "there is neither a file {name} nor a match whose id begins so; `sobremesa history` shows "
        "the ids"
    )
    raise UsageError(line.format(name=name))


def log_help() -> str:
    """Return the help for an argument that names a log."""
    return _("the log of a match: a file, or an id that `sobremesa history` shows")


def read_file(name: str, limit: int) -> bytes:
    """Return the contents of a file; `-` is standard input.

    UsageError if it is unreadable, or has more than `limit` bytes.
    """
    try:
        if name == "-":
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(
            _("{file} cannot be read: {why}").format(file=outside(name), why=why)
        ) from error
    if len(data) > limit:
        raise UsageError(
            _("{file} is too long: more than {limit} bytes").format(file=outside(name), limit=limit)
        )
    return data
