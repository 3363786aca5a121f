"""Computer players that answer at times of their own: one question, one answer, and only where the
question was asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from client.session.context import Context
from client.session.seats import Beginning, LocalSeats
from client.session.work import Answer, Chosen, Input, Question
from client.storage.home import Home
from client.storage.resume_record import look_through
from engine.core.requests import Ask
from p2p.table.house import House
from p2p.table.terms import COMPUTER, PERSON
from tests.bots.weak import weak_bot
from tests.client.session.linked_player import signed_by
from tests.ring import identities, terms_for
from tests.standin import seeded, standin_group


def post(data: bytes, *, to: bytes | None = None, skip: bytes | None = None) -> None:
    """Send to nobody: all seats are here."""


@pytest.fixture
def seats(tmp_path: Path) -> Iterator[LocalSeats]:
    who, terms = identities(2), terms_for("escoba", 2, target=1)
    bots = dict.fromkeys(range(2), weak_bot("escoba"))
    context, beginning = (
        Context(Home(tmp_path), entropy=seeded(1)),
        Beginning(delayed=True, group=standin_group()),
    )
    local_seats = LocalSeats(context, signed_by(terms, who), dict(enumerate(who)), bots, beginning)
    yield local_seats
    local_seats.close()


def first_question(seats: LocalSeats) -> Question:
    """Work until a computer player is asked."""
    for _turn in range(200):
        if found := seats.work([], post).questions:
            return found[0]
    raise AssertionError("nobody is asked")


def test_a_question_is_asked_once_and_its_answer_made(seats: LocalSeats) -> None:
    question = first_question(seats)
    assert seats.tables[question.seat].asked
    assert [seats.work([], post).questions for _again in range(3)] == [[], [], []]
    before = seats.table.steps
    seats.work([Answer(question, seats.decide(question))], post)
    for _turn in range(5):
        seats.work([], post)
    assert seats.table.steps > before


def test_an_answer_to_an_earlier_question_does_nothing(seats: LocalSeats) -> None:
    question = first_question(seats)
    move = seats.decide(question)
    stale = Question(question.seat, question.view, b"another head")
    for _turn in range(5):
        assert seats.work([Answer(stale, move)], post).questions == []
    assert seats.tables[question.seat].asked
    seats.work([Answer(question, move)], post)
    assert seats.work([Answer(question, move)], post).refused == [], (
        "a second answer does nothing either"
    )


def test_computer_players_leave_at_the_end_with_a_player_who_left_them(tmp_path: Path) -> None:
    """Else the match would wait for ever for a player who has lost it."""
    who, terms = identities(3), terms_for("escoba", 3, target=1)
    context, signed = Context(Home(tmp_path), entropy=seeded(1)), signed_by(terms, who)
    record = replace(signed, seeds=signed.seeds | {0: b""})
    record.save(context.home)
    bots = dict.fromkeys((1, 2), weak_bot("escoba"))
    beginning = Beginning(delayed=True, group=standin_group())
    sat = LocalSeats(context, record, dict(enumerate(who)), bots, beginning)
    first_question(sat)
    sat.work([Chosen(0, None)], post)
    assert sat.table.out
    assert not any(sat.tables[seat].out for seat in (1, 2))
    sat.close()
    assert sat.finished
    assert look_through(context.home) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize("partner", [0, 6])
def test_a_computer_player_leaves_answers_to_its_partner_or_waits(
    tmp_path: Path, partner: int
) -> None:
    """By the house rules; another computer player answers at once, and so does a person's seat."""
    who, terms = identities(4), terms_for("truco", 4, target=12)
    places = tuple(
        replace(place, kind=COMPUTER if seat else PERSON)
        for seat, place in enumerate(terms.participants)
    )
    terms = replace(terms, participants=places, house=House(partner=partner))
    bots = dict.fromkeys((1, 2, 3), weak_bot("truco"))
    context, beginning = (
        Context(Home(tmp_path), entropy=seeded(4)),
        Beginning(delayed=True, group=standin_group()),
    )
    local_seats = LocalSeats(context, signed_by(terms, who), dict(enumerate(who)), bots, beginning)
    inputs: list[Input] = []
    found: set[tuple[int, int]] = set()
    alone = 0
    for _turn in range(3000):
        result = local_seats.work(inputs, post)
        found |= {(question.seat, question.wait) for question in result.questions}
        inputs = [Answer(question, local_seats.decide(question)) for question in result.questions]
        request = local_seats.table.run.request
        both = isinstance(request, Ask) and request.kind == "any" and set(request.seats) == {0, 2}
        alone += both and not inputs
        if (table := local_seats.tables[0]).asked and not inputs:
            move = weak_bot("truco")(table.view(), Random(1).randrange)
            inputs = [Chosen(0, move, table.head)]
        if local_seats.table.run.over:
            break
    assert local_seats.table.run.over
    local_seats.close()
    assert found == {(1, 0), (2, 0), (3, 0), *([(2, 6)] if partner else [])}
    assert alone, "both were asked"
