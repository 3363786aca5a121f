"""A learner before the full screen: the messages of a lesson are told to the state, keys are
pressed, without any clock."""

from __future__ import annotations

import random
from dataclasses import replace

from client.session.lesson import Lesson
from client.session.messages import Act, Command, Message
from client.ui.games import lesson_named
from client.ui.screen import pages
from client.ui.screen.messages import Key
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState
from engine.core.moves import Move

INSIDE = 52
"""Columns of a page at 60x20."""
LINES = 15
"""Lines of a page at 60x20."""


class Learner:
    """A lesson on the full screen. The other seats move as soon as they may."""

    def __init__(self, lesson: str, seed: int = 1) -> None:
        chance = random.Random(seed).randrange
        self.lesson = Lesson(lesson_named(lesson).course, "Ane", chance)
        self.state = ScreenState(page=Page.LOBBY)
        self.commands: list[Command] = []
        self.heard: list[Message] = []
        self._hear(self.lesson.begin())

    @property
    def model(self):
        """The match as our player knows it."""
        return self.state.match

    def press(self, *keys: str) -> None:
        """Press keys; a single character types itself. A move that comes of them is made."""
        for key in keys:
            self._tell(Key(key, key if len(key) == 1 else ""))

    def make(self, move: Move) -> None:
        """Make a move."""
        self._hear(self.lesson.act(move))

    def read_on(self) -> list[tuple[str, ...]]:
        """Put away held tables, counts and pages up to the turn's own page; return the pages that
        were put away."""
        read = []
        while self.state.held or self.state.count.lines or len(self.state.lesson) > 1:
            if self.state.lesson and not self.state.held and not self.state.count.lines:
                read.append(self.state.lesson[0])
            self.press("enter")
        return read

    def text(self, columns: int = 80, rows: int = 24) -> str:
        """Return what is to be seen, without calls across the table."""
        return pages.draw(replace(self.state, moment=None), columns, rows).text()

    def _tell(self, message: Message) -> None:
        self.state, commands = react(self.state, message)
        self.commands += commands
        for command in commands:
            if isinstance(command, Act):
                self._hear(self.lesson.act(command.move))

    def _hear(self, messages: list[Message]) -> None:
        self.heard += messages
        for message in messages:
            self._tell(message)
        if not self.lesson.over and not self.lesson.asked:
            self._hear(self.lesson.go_on())
