"""A lesson: a match with open decks against computer players that wait for ours.

It has no network, keys or log, and replaces a match session. Its messages are those of a match, and
`Taught` with the suggested move.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import trio

from client.i18n.translation import _
from client.session.messages import Message, MoveRefused, News, Seated, Taught
from client.session.open_table import OpenTable
from client.session.player import Player
from client.session.status import Status
from client.session.table_choices import LIMIT_S
from engine.bots import bot_for
from engine.core.moves import Choose, Face, IllegalMove, Move, Seat
from engine.core.open_deck import shuffled
from engine.core.requests import Deck
from engine.games import complete_options, game_class, new_game
from p2p.net.tasks import background
from p2p.table.events import Mixed, Proved, Shuffled, Shuffling, Tossed
from p2p.table.terms import NONCE, Participant, Terms

LEARNER: Seat = 0
"""The seat of our player."""
PAUSE_S = 1.2
"""Seconds before another seat moves, so that each move can be seen."""
KEY_BYTES = 32
PROVEN = (Shuffling, Mixed, Shuffled, Tossed, Proved)
"""The events about proofs and shuffles, which a lesson leaves out."""


@dataclass(frozen=True)
class Course:
    """The match of a lesson.

    `decks` are the cards of its first decks, first dealt first; later ones are random. `script` has
    the moves of all seats in order, such as `p1 play 7o`. Our player is advised to follow it, and
    the others do, as long as everybody did; from then on computer players choose.
    """

    game: str
    decks: tuple[str, ...]
    script: tuple[str, ...]
    players: int = 2
    options: Mapping[str, Any] = field(default_factory=dict)
    first: int = 0
    """The result of the toss."""


class Lesson:
    """The table of a lesson, without a clock: each call returns the messages that follow."""

    def __init__(self, course: Course, nick: str, choose: Choose) -> None:
        """Start the lesson.

        `choose` draws for the computer players and for decks that are not prepared.
        """
        self._course, self._choose = course, choose
        self._decks = tuple(tuple(deck.split()) for deck in course.decks)
        self._by_chance = shuffled(choose)
        self._script = list(course.script)
        """The remaining moves; empty once a player has deviated."""
        self._nick = nick
        game = new_game(course.game, course.players, course.options)
        self._table = OpenTable(game, LEARNER, self._arrange, course.first)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._table.over

    @property
    def asked(self) -> bool:
        """Whether our player must choose."""
        return LEARNER in self._table.turn

    @property
    def advice(self) -> Move | None:
        """The suggested move; None unless our player must choose."""
        return self._next(LEARNER, lambda bound: bound // 2) if self.asked else None

    def begin(self) -> list[Message]:
        """Return the messages up to the first choice of a player."""
        return [self._seated(), *self._heard()]

    def act(self, move: Move) -> list[Message]:
        """Make our player's move, and return the messages that follow."""
        try:
            self._make(LEARNER, move)
        except IllegalMove as refused:
            return [MoveRefused(refused.why)]
        return self._heard()

    def go_on(self) -> list[Message]:
        """Let the next of the other seats move, and return the messages that follow."""
        seat = self._table.turn[0]
        self._make(seat, self._next(seat, self._choose))
        return self._heard()

    def _make(self, seat: Seat, move: Move) -> None:
        planned = self._planned(seat)
        self._table.act(seat, move)
        self._script = self._script[1:] if move == planned else []

    def _next(self, seat: Seat, choose: Choose) -> Move:
        """Return the script's move if all followed it, else a computer player's move."""
        return self._planned(seat) or bot_for(self._course.game)(self._table.view(seat), choose)

    def _planned(self, seat: Seat) -> Move | None:
        """Return the next move of the script, if it is for this seat."""
        who, _space, text = self._script[0].partition(" ") if self._script else ("", "", "")
        return (
            self._table.game.read(text, seat, self._table.known(seat))
            if who == f"p{seat + 1}"
            else None
        )

    def _arrange(self, deck: Deck) -> list[Face]:
        return (
            list(self._decks[deck.number - 1])
            if deck.number <= len(self._decks)
            else list(self._by_chance(deck))
        )

    def _seated(self) -> Seated:
        course = self._course
        nicks = [
            self._nick,
            *(_("Computer {number}").format(number=number) for number in range(1, course.players)),
        ]
        seats = tuple(
            Participant(bytes([seat] * KEY_BYTES), nick, bytes(NONCE))
            for seat, nick in enumerate(nicks)
        )
        options = complete_options(course.game, course.players, dict(course.options))
        terms = Terms(
            course.game,
            game_class(course.game).version,
            options,
            LIMIT_S,
            spectators=False,
            participants=seats,
        )
        return Seated(terms, LEARNER, "", bots=tuple(range(1, course.players)), lesson=True)

    def _heard(self) -> list[Message]:
        """Return the messages since the last call."""
        table = self._table
        events = [event for event in table.take() if not isinstance(event, PROVEN)]
        view = table.view(LEARNER)
        laid = {slot: table.faces[slot] for hand in table.game.hands for slot in hand}
        news = (
            News(event, view, table.turn, last=place == len(events))
            for place, event in enumerate(events, 1)
        )
        return [Taught(laid, self.advice), *news]


async def teach(player: Player, course: Course, nick: str) -> int:
    """Teach until our player stops; return the exit status."""
    while True:
        async with background() as nursery:
            nursery.start_soon(player.read)
            await _one_match(player, Lesson(course, nick, secrets.randbelow))
        if not await player.again():
            return Status.OK


async def _one_match(player: Player, lesson: Lesson) -> None:
    moves_in, moves = trio.open_memory_channel[Move](math.inf)
    player.learn(moves_in.send_nowait)
    try:
        messages = lesson.begin()
        while True:
            for message in messages:
                player.tell(message)
            if lesson.over:
                return
            if lesson.asked:
                messages = lesson.act(await moves.receive())
            else:
                await trio.sleep(PAUSE_S)
                messages = lesson.go_on()
    finally:
        player.learn(None)
