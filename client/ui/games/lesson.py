"""The base of every game's lesson: the page before each turn, and the keys of one turn.

The page is made of facts of the position.

A page explains the last events, names the possible moves, and suggests one with a reason. Every
sentence follows from the model alone, so it is true as well for a player that goes another way than
the suggested one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import groupby
from typing import ClassVar

from client.i18n.translation import _, keys_in_brackets, unbroken
from client.session.lesson import Course
from client.ui.games import lesson_of, screen_of, words_of
from client.ui.games.screen import KEY_NAMES, Picked, Say, Scene, called, effect, takes_two_keys
from client.ui.games.words import Written
from client.ui.model import Model, Names
from engine.core.events import GameEvent
from engine.core.moves import IllegalMove, Move, NotAMove
from engine.core.view import View
from p2p.table.events import Moved

MOST_KEYS = 30
"""Keys in a row that a player would press."""
LINE = 30
"""Characters of a sentence that names a move and has a reason too."""


class GameLesson:
    """The lesson of a game."""

    course: ClassVar[Course]
    last_only: ClassVar[tuple[type[GameEvent], ...]] = ()
    """The kinds of events of which only the last is explained, if there have been several."""
    told_elsewhere: ClassVar[tuple[type[GameEvent], ...]] = ()
    """The kinds of events that the question or another event tells; those of the count stand
    there."""

    def one_turn(self) -> list[str]:
        """Return the steps of one turn, each with its keys in brackets."""
        return [_("Choose a move from the list (↑ ↓)."), _("Play it (Enter).")]

    def twice(self) -> str:
        """Say how a move is made that takes a second key."""
        return Written(
            _("Choose the same once more (or Enter), and it is done; “put back” (Esc) undoes it."),
            _(
                "Choose the same once more (or Enter), and it is done; until then you may choose "
                "another."
            ),
        )

    def welcome(self) -> list[str]:
        """Return the first page: the aim of the game."""
        return []

    def farewell(self, game: str) -> list[str]:
        """Return the last page, a paragraph an item."""
        return [
            _(
                "That was the lesson. In the lobby you find a table against the computer, and the "
                "people on this network."
            ),
            Written(
                keys_in_brackets(
                    _(
                        "The rules in short stand behind “rules” (F1), or in `sobremesa rules "
                        "{game}`."
                    )
                ).format(game=game),
                keys_in_brackets(_("The rules in short stand behind “rules” (F1).")),
            ),
        ]

    def happened(self, model: Model, event: Moved | GameEvent) -> str:
        """Explain an event since our last turn; nothing if it teaches nothing."""
        del model, event
        return ""

    def explained(self, model: Model, event: Moved | GameEvent) -> str:
        """Explain an event in the words of the lesson, else in those of the game.

        So nothing happens without a word.
        """
        found = self.happened(model, event)
        if found or isinstance(event, Moved):
            return found
        if isinstance(event, (*self.told_elsewhere, *screen_of(model.game).count)):
            return ""
        assert model.view is not None
        return " ".join(
            line.strip() for line in words_of(model.game).told(model.names, model.view.game, event)
        )

    def choice(self, model: Model, view: View) -> str:
        """Say what our player may do."""
        del model, view
        return ""

    def reason(self, names: Names, view: View, move: Move) -> list[str]:
        """Name a move to the seat that sees this, and say why it would make it, in sentences."""
        del names
        return [self.text(view, move)]

    def briefly(self, names: Names, view: View, move: Move) -> str:
        """Name a move and one reason: the first sentences of `reason`, until they are a line."""
        found: list[str] = []
        for sentence in self.reason(names, view, move):
            if sum(map(len, found)) < LINE:
                found.append(sentence)
        return " ".join(found)

    def keys(self, move: Move) -> Sequence[str]:
        """Return the keys that may lead to a move, those to be preferred first."""
        del move
        return ("enter", "down")

    def told(self, model: Model, after: GameEvent | None = None) -> str:
        """Explain the events since our last turn, or those after one of them."""
        events = since_our_turn(model)
        known = [at for at, event in enumerate(events, 1) if event is after]
        events = events[known[-1] :] if known else events
        last = {type(event): place for place, event in enumerate(events)}
        told = [
            event
            for place, event in enumerate(events)
            if type(event) not in self.last_only or last[type(event)] == place
        ]
        return " ".join(said for event in told if (said := self.explained(model, event)))

    def page(
        self, model: Model, scene: Scene | None = None, after: GameEvent | None = None
    ) -> list[str]:
        """Return the page of our turn, one paragraph per item.

        The page has the keys if there is a scene, else the typed line. It tells the events since
        our last turn, or those after one of them.
        """
        view, move = model.view, model.advice
        if view is None or move is None:
            return [_("It is not your turn.")]
        reason = " ".join(self.reason(model.names, view, move))
        advice = [_("Suggestion: {reason}").format(reason=reason)]
        pressed = keys_to(scene, move, self.keys(move)) if scene is not None else None
        if scene is not None and pressed:
            # a window points at the things to be chosen
            advice.append(Written(_("Choose: {steps}.").format(steps=spelled(scene, pressed)), ""))
        else:
            typed = _("Type {line}") if scene is None else _("Press : and type {line}")
            advice.append(typed.format(line=self.text(view, move)))
        happened = self.told(model, after)
        return [part for part in (happened, self.choice(model, view), *advice) if part]

    def text(self, view: View, move: Move) -> str:
        """Return a move of ours as the reader types it."""
        text = view.game.write(move, {**view.game.faces, **view.faces})
        return unbroken(words_of(view.game.name).as_typed(text))


def open_cards() -> str:
    """Return the last sentence of a welcome if there are buttons."""
    return keys_in_brackets(
        _(
            "This is a lesson: take your time. In your turn, an eye above the table shows the "
            "cards of the others (F3)."
        )
    )


def since_our_turn(model: Model) -> list[Moved | GameEvent]:
    """Return what happened from our last move on, that move with it."""
    ours = [
        at
        for at, event in enumerate(model.history)
        if isinstance(event, Moved) and event.seat == model.seat and not event.auto
    ]
    return list(model.history[ours[-1] if ours else 0 :])


def keys_to(scene: Scene, move: Move, keys: Sequence[str]) -> tuple[str, ...] | None:
    """Return the fewest of these keys that make a move on the screen.

    If something is picked, Esc may be among them. Return None if the keys do not lead there.
    """
    start = scene.picked
    keys = keys if start == start.back() else (*keys, "escape")
    seen = {start}
    ways: list[tuple[Picked, tuple[str, ...]]] = [(start, ())]
    for picked, pressed in ways:
        for key in keys if len(pressed) < MOST_KEYS else ():
            now = replace(scene, picked=picked, proposed="")
            if key in screen_of(scene.model.game).chosen_by(now):  # it would play, as Enter does
                continue
            match effect(now, key):
                case Say(line) if says(scene, line, move):
                    return (*pressed, key, *(("enter",) if takes_two_keys(now, key) else ()))
                case Picked() as after if after not in seen:
                    seen.add(after)
                    ways.append((after, (*pressed, key)))
    return None


def hint(scene: Scene, reason: str, text: str, move: Move) -> str:
    """Say a suggested move with the keys that lead to it, or with the line to be typed.

    The line is given if no keys lead to the move. A window points at the things to be chosen.
    """
    keys = keys_to(scene, move, lesson_of(scene.model.game).keys(move))
    if keys:
        said = _("Hint: {reason} Choose: {steps}")
        said = said.format(steps=spelled(scene, keys), reason=reason)
    else:
        said = _("Hint: {reason} Press : and type {text}").format(text=text, reason=reason)
    return Written(said, _("Hint: {reason}").format(reason=reason))


def says(scene: Scene, line: str, move: Move) -> bool:
    """Whether a line names this move."""
    assert scene.seat is not None
    try:
        return scene.game.read(line, scene.seat, scene.model.hand) == move
    except (IllegalMove, NotAMove):
        return False


def spelled(scene: Scene, keys: Sequence[str]) -> str:
    """Return the cards and buttons to choose, each with its keys: `7o (1), then play (Enter)`.

    So the text suits a hand on the keys, and one on the mouse.
    """
    steps, waiting, button = [], list[str](), ""
    for place, key in enumerate(keys):
        waiting.append(key)
        button = button or called(scene, key)  # its label may change while it is pressed again
        match effect(scene, key):
            case Say(line):
                steps.append((called(scene, key, line), [*waiting, *keys[place + 1 :]]))
                break
            case Picked() as after:
                label = _card(scene, after) or button
                if label and keys[place + 1] != key:
                    steps.append((label, waiting))
                    waiting, button = [], ""
                scene = replace(scene, picked=after)
    *before, last = (unbroken(f"{label} ({_in_a_row(pressed)})") for label, pressed in steps)
    return reduce(
        lambda rest, step: _("{step}, then {rest}").format(step=step, rest=rest),
        reversed(before),
        last,
    )


def _card(scene: Scene, after: Picked) -> str:
    """Return the card of our hand that is chosen now, or has the cursor; nothing if none is."""
    before = scene.picked
    fresh = [
        slot
        for slot in (*after.cards, *after.marked)
        if slot not in (*before.cards, *before.marked)
    ]
    found = next((face for slot in fresh if (face := dict(scene.hand).get(slot))), "")
    return scene.words.shown(found)


def _in_a_row(keys: Sequence[str]) -> str:
    """Return keys as they are called: `1, Enter`, `3× →`."""
    found = []
    for key, same in groupby(KEY_NAMES.get(key, key) for key in keys):
        count = len(list(same))
        found += [key] * count if count < 3 else [f"{count}× {key}"]
    return ", ".join(found)


LESSON = GameLesson()
