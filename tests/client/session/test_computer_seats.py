"""Computer players that answer at times of their own: one question, one answer, and only where the
question was asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from client.session.answers import SHORTEST_MS
from client.session.context import Context
from client.session.match import MatchSession
from client.session.messages import Message, News, Seated
from client.session.running import chosen_characters, seat_bots
from client.session.seats import Beginning, LocalSeats
from client.session.setup_rules import LocalPlayer, SetupRules
from client.session.work import Answer, Chosen, Input, Question
from client.storage.home import Home
from engine.bots import Character, Choose, Strength
from engine.core.moves import Move
from engine.core.requests import Ask
from engine.core.view import View
from p2p.table.events import Moved, Told
from p2p.table.house import House
from p2p.table.lobby import Draft, SeatRequest
from p2p.table.terms import COMPUTER, PERSON
from tests.bots.today import fixed_bot
from tests.client.session.linked_player import Network, signed_by
from tests.ring import identities, terms_for
from tests.standin import seeded, standin_group


def post(data: bytes, *, to: bytes | None = None, skip: bytes | None = None) -> None:
    """Send to nobody: all seats are here."""


@pytest.fixture
def seats(tmp_path: Path) -> Iterator[LocalSeats]:
    who, terms = identities(2), terms_for("escoba", 2, target=1)
    bots = dict.fromkeys(range(2), fixed_bot("escoba"))
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


def test_a_whole_match_is_played_by_questions_and_answers(seats: LocalSeats) -> None:
    answers: list[Answer] = []
    for _turn in range(2000):
        result = seats.work(answers, post)
        answers = [Answer(question, seats.decide(question)) for question in result.questions]
        if seats.table.sealed:
            break
    assert all(table.sealed for table in seats.tables.values())


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
    bots = dict.fromkeys((1, 2, 3), fixed_bot("truco"))
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
            move = fixed_bot("truco")(table.view(), Random(1).randrange)
            inputs = [Chosen(0, move, table.head)]
        if local_seats.table.run.over:
            break
    assert local_seats.table.run.over
    local_seats.close()
    assert found == {(1, 0), (2, 0), (3, 0), *([(2, 6)] if partner else [])}
    assert alone, "both were asked"


@pytest.mark.slow
def test_in_a_match_every_move_of_a_computer_player_leaves_at_a_chosen_time(tmp_path: Path) -> None:
    context = Context(Home(tmp_path), entropy=seeded(2))
    me = LocalPlayer(SeatRequest(context.identity, "Ane", context.entropy), bot=True)
    terms = terms_for("escoba", 2, target=1)
    draft = Draft(
        "t", "escoba", terms.rules, terms.options, 60, spectators=False, seats=(None,) * 2
    )
    moved: list[float] = []

    def tell(message: Message) -> None:
        if isinstance(message, News) and isinstance(message.event, Moved):
            moved.append(trio.current_time())

    async def main() -> None:
        players = [me, *seat_bots(context, ("Joseba",), ["Ane"])]
        await MatchSession(context, None, players, tell, SetupRules(timed=True)).host(draft)

    trio.run(main, clock=MockClock(autojump_threshold=0))
    assert len(moved) >= 36
    assert min(later - earlier for earlier, later in pairwise(moved)) >= SHORTEST_MS / 1000


@pytest.mark.slow
@pytest.mark.parametrize("linked", [False, True])
def test_while_our_player_looks_at_the_end_of_a_deal_computer_players_wait_unless_others_wait_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, linked: bool
) -> None:
    monkeypatch.setattr("client.session.match.Beginning", partial(Beginning, group=standin_group()))
    monkeypatch.setattr("sys.executable", "")  # this clock runs ahead
    context = Context(Home(tmp_path), entropy=seeded(3))
    me = LocalPlayer(SeatRequest(context.identity, "Ane", context.entropy), bot=True)
    terms = terms_for("escoba", 2, target=21)
    draft = Draft(
        "t", "escoba", terms.rules, terms.options, 60, spectators=False, seats=(None,) * 2
    )
    looked: list[float] = []
    moved: list[float] = []

    async def main() -> None:
        async with trio.open_nursery() as nursery:

            def tell(message: Message) -> None:
                match message:
                    case News(Told(_event, table)) if table is not None and not looked:
                        nursery.start_soon(look)
                    case News(Moved()):
                        moved.append(trio.current_time())

            async def look() -> None:
                looked.append(trio.current_time())
                session.attend(attends=False)
                session.attend(attends=False)  # with every further message
                await trio.sleep(60)
                session.attend(attends=True)
                await trio.sleep(60)
                nursery.cancel_scope.cancel()

            mesh: Any = Network() if linked else None
            session = MatchSession(
                context,
                mesh,
                [me, *seat_bots(context, ("Joseba",), ["Ane"])],
                tell,
                SetupRules(timed=True),
            )
            await session.host(draft)

    trio.run(main, clock=MockClock(rate=40.0))
    meanwhile = [at for at in moved if looked[0] + 0.01 < at < looked[0] + 60]
    assert bool(meanwhile) == linked
    assert [at for at in moved if looked[0] + 60 < at]


def test_each_seat_is_played_by_its_character(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int | None]] = []

    def named(name: str) -> Character:
        def play(view: View, choose: Choose) -> Move:
            asked.append((name, view.seat))
            return fixed_bot("escoba")(view, choose)

        return Character(name, Strength.STRONG, play)

    monkeypatch.setattr("engine.bots.escoba.CHARACTERS", (named("Carmen"), named("Miren")))
    context = Context(Home(tmp_path), entropy=seeded(2))
    names = chosen_characters(context, "escoba", ("Miren", "Carmen"), 2)
    me = LocalPlayer(
        SeatRequest(context.identity, "Ane", context.entropy), bot=True, character="Carmen"
    )
    local_players = [me, *seat_bots(context, names, ["Ane"])]
    assert [one.seat_request.nick for one in local_players] == ["Ane", "Miren", "Carmen"]
    told: list[Message] = []

    terms = terms_for("escoba", 3, target=1)
    draft = Draft(
        "t", "escoba", terms.rules, terms.options, 60, spectators=False, seats=(None,) * 3
    )

    async def main() -> None:
        with trio.fail_after(10**6):
            await MatchSession(
                context, None, local_players, told.append, SetupRules(timed=True)
            ).host(draft)

    trio.run(main, clock=MockClock(rate=200.0))
    (seated,) = [message for message in told if isinstance(message, Seated)]
    assert sorted(seated.characters.values()) == ["Carmen", "Carmen", "Miren"]
    assert set(asked) == {(name, seat) for seat, name in seated.characters.items()}
