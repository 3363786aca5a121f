"""docs/states says what the code does, and all of it: fields, types, questions, moves, the course,
the version."""

import dataclasses
import re
import typing
from functools import cache
from random import Random
from typing import Any

import pytest

from engine.core.canonical import stated
from engine.core.game import Game
from engine.core.requests import Ask
from engine.games import GAMES, new_game
from tests.engine.pages import ROOT, Type, code, known_requests, page, pattern, rows
from tests.engine.steps import Steps

TABLES = {
    "escoba": [
        (2, {"target": 5}),
        (3, {"target": 5, "capture": "card"}),
        (4, {"target": 5, "teams": True}),
    ],
    "domino": [
        (2, {"target": 12}),
        (3, {"target": 12, "draw": False}),
        (4, {"target": 12, "partners": True}),
        (4, {"target": 12, "set": "double-nine"}),
    ],
    "siete-y-media": [
        (2, {"deals": 5}),
        (4, {"deals": 6, "bank": "turn"}),
        (6, {"deals": 0, "chips": 10}),
    ],
    "truco": [
        (2, {"target": 9}),
        (4, {"target": 9, "envido_callers": "any"}),
        (6, {"target": 5}),
        (4, {"target": 30, "flor": True}),
    ],
    "kinaskak": [
        (3, {"last_contract": 1}),
        (6, {"first_contract": 3, "last_contract": 3, "buys": 5}),
    ],
}
SEEDS = range(6)
LONG = 1000
"""Requests after which a match is not played on."""
EVERY_GAME = pytest.mark.parametrize("game", GAMES)


@dataclasses.dataclass
class Match:
    """The values that a match by chance has held, asked for and been answered."""

    players: int
    whole: bool = True
    """Whether it was played to its end, and nobody has left."""
    states: list[list[Any]] = dataclasses.field(default_factory=list)
    """As they are packed, at each request and at the end."""
    trace: list[str] = dataclasses.field(default_factory=list)
    """The requests, questions by their names."""
    answers: set[tuple[str, str]] = dataclasses.field(default_factory=set)
    """Questions, and names of moves."""


@cache
def played(game):
    """Return some matches by chance; in every second one seats leave now and then."""
    return [
        play(game, players, options, seed) for players, options in TABLES[game] for seed in SEEDS
    ]


def play(game, players, options, seed):
    match, play, chance = (
        Match(players),
        Steps(new_game(game, players, options), seed),
        Random(seed),
    )
    while not play.over and len(match.trace) < LONG:
        request = play.run.request
        match.states.append(stated(play.game, request))
        match.trace.append(
            request.options.__name__ if isinstance(request, Ask) else type(request).__name__.lower()
        )
        leaver = chance.randrange(players)
        if seed % 2 and chance.random() < 0.02 and play.game.may_leave(leaver):
            match.whole = False
            play.run.leave([leaver])
        else:
            match.answers |= {(match.trace[-1], type(move).__name__) for move in play.step()}
    match.whole &= play.over
    match.states.append(stated(play.game, play.run.request))
    return match


def fields(game):
    """Return the fields that the pages name, with their types."""
    table = [*rows(page("README"), "Field"), *rows(page(game), "Field")]
    return [(code(name)[0], Type(code(kind)[0])) for name, kind, *_ in table]


@EVERY_GAME
def test_the_pages_name_the_fields_of_the_code_in_its_order(game):
    assert [name for name, _ in fields(game)] == list(GAMES[game].state)
    assert [code(row[0])[0] for row in rows(page("README"), "Field")] == list(Game.state)


@EVERY_GAME
@pytest.mark.slow
def test_every_field_has_the_type_that_its_page_says(game):
    types = fields(game)
    for match in played(game):
        for name, rules, state, _ in match.states:
            assert (name, rules) == (game, GAMES[game].version)
            for field, kind in types:
                assert kind.holds(state[field], match.players), (field, kind.text, state[field])


def questions(game):
    return {
        code(row[0])[0]: (row[1], row[2], set(code(row[4]))) for row in rows(page(game), "Question")
    }


@EVERY_GAME
def test_questions_are_asked_as_the_page_says(game):
    listed, seen = questions(game), set()
    for match in played(game):
        for _, _, _, request in match.states[:-1]:
            if request[0] == "ask":
                _, kind, question, seats, auto = request
                seen.add(question)
                assert listed[question][:2] == (kind, "yes" if auto else "no")
                assert kind != "one" or len(seats) == 1
                if question != "answers":  # of Kínaskák, whose page says so
                    assert list(seats) == sorted(seats)
    assert seen == set(listed)


@EVERY_GAME
def test_the_moves_are_those_of_the_code(game):
    table = rows(page(game), "Move")
    assert [code(row[0])[0] for row in table] == [kind.__name__ for kind in GAMES[game].moves]
    for row, kind in zip(table, GAMES[game].moves, strict=True):
        hints = typing.get_type_hints(kind)
        said = re.findall(r"`(\w+)` ([^`]+?)(?:, |$)(?=`|$)", row[1])
        assert [name for name, _ in said] == [field.name for field in dataclasses.fields(kind)]
        for name, text in said:
            assert matches(Type(text.removesuffix(" ascending")), hints[name]), (kind, name)


def matches(kind, hint):
    """Whether a type of a page is this one of Python: both hold the same of some examples."""
    examples = {int: 3, str: "x", bool: True}
    if hint in examples:
        return kind.holds(examples[hint], 9) and not kind.holds(None, 9)
    inner = typing.get_args(hint)
    value = [example(inner[0])] * 2 if inner[-1] is Ellipsis else [example(one) for one in inner]
    return kind.holds(value, 9) and not kind.holds(3, 9)


def example(hint):
    if hint in (int, str):
        return {int: 3, str: "x"}[hint]
    inner = typing.get_args(hint)
    return [example(inner[0])] * 2 if inner[-1] is Ellipsis else [example(one) for one in inner]


@EVERY_GAME
def test_requests_come_in_the_order_of_the_page(game):
    course = pattern(page(game))
    for match in played(game):
        if match.whole:
            assert course.fullmatch("".join(f"{word} " for word in match.trace)), match.trace
    assert {word for match in played(game) for word in match.trace} == set(
        known_requests(page(game))
    )


@EVERY_GAME
def test_the_rules_name_their_version(game):
    lines = (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8").splitlines()
    assert f"Rules version {GAMES[game].version}." in " ".join(lines[:8])
