"""The coach of a lesson: its sentences, one at a time, and the next click of its suggestion.

At the card or the button of that click the page points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from client.i18n.translation import _, pgettext
from client.ui.games import lesson_of
from client.ui.games.lesson import says
from client.ui.games.screen import Picked, Say, Scene
from client.ui.games.words import Written, as_drawn
from client.ui.model import Model
from client.ui.screen.parts import capital
from client.ui.screen.reading import PARAGRAPH
from client.ui.screen.state import Page, ScreenState
from client.ui.view.action import Action, Card, Text
from client.ui.view.ahead import after
from client.ui.view.game import GameView
from client.ui.view.sentences import drawn
from client.ui.view.table_parts import TableCard
from engine.core.moves import Move

MOST_CLICKS = 40
"""Tables that are looked at for a way to the suggested move."""
SHORT = 120
"""Characters of the sentences that are read at once."""
SENTENCE = re.compile(r"(?<=[^0-9].[.!?]) (?=[^\W\d_a-z]|[¡¿“])")
"""The space between two sentences."""

Clicked = Action | TableCard


@dataclass(frozen=True)
class Step:
    """A part of a page of a lesson, read beside the hand."""

    text: Text
    number: int
    """From 1."""
    count: int
    asks: bool
    """Whether our player may choose while it is read: it is the last one before a turn."""
    last: str = "enter"
    """The key that goes on from the last part."""

    def buttons(self) -> tuple[Action, ...]:
        """Return the button that goes on, and one that goes back."""
        keys = f"{PARAGRAPH}{self.number}" if self.number < self.count else self.last
        on = Action("key:enter", pgettext("key", "continue"), (keys,), "main", key="enter")
        if self.number == 1:
            return (on,)
        return (on, Action("step-back", _("back"), (f"{PARAGRAPH}{self.number - 2}",), "plain"))


def _short(line: str) -> list[str]:
    """Return the sentences of a line, short ones together."""
    found: list[str] = []
    for sentence in SENTENCE.split(line):
        if found and len(found[-1]) + len(sentence) < SHORT:
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found


def _with_their_lists(lines: Iterable[str]) -> list[str]:
    """Return lines; one that ends with a colon stands with the next, which it announces."""
    found: list[str] = []
    for line in lines:
        if found and found[-1].endswith(":"):
            found[-1] = f"{found[-1]} {line}"
        else:
            found.append(line)
    return found


def step_of(state: ScreenState, kind: str) -> Step | None:
    """Return the part of a lesson that is read now, if the table can be seen beside it."""
    match, over = state.match, state.overlay is not None or state.typed is not None
    if match.view is None or over or state.page is not Page.PLAY:
        return None
    if state.held:
        return _step_at_held(state, kind)
    if not state.lesson or state.count.lines or state.done:
        return None
    *before, last = _with_their_lists(filter(None, map(as_drawn, state.lesson[0])))
    asks = match.asked and len(state.lesson) == 1  # its last line is the suggestion
    parts = [part for line in before for part in _short(line)]
    parts += [last] if asks else _short(last)
    number = min(state.paragraph + 1, len(parts))
    asks = asks and number == len(parts)
    return Step(drawn(kind, parts[number - 1]), number, len(parts), asks)


def _step_at_held(state: ScreenState, kind: str) -> Step | None:
    """Return the part of the words about a held table that is read now; its count comes then."""
    parts = _short(words) if (words := as_drawn(state.held[0].words)) else []
    if state.paragraph >= len(parts):
        return None
    number, counts = state.paragraph + 1, state.count.lines and len(state.held) == 1
    last = f"{PARAGRAPH}{len(parts)}" if counts else "enter"
    return Step(drawn(kind, parts[number - 1]), number, len(parts), asks=False, last=last)


def advice(scene: Scene) -> Move | None:
    """Return the move that is suggested: by a lesson, or by a hint."""
    return scene.model.advice or scene.model.hinted


def hinted(state: ScreenState) -> bool:
    """Return whether our player reads a hint."""
    given = state.match.hinted is not None and state.match.asked and not state.busy
    return given and isinstance(state.notice, Written) and state.page is Page.PLAY


def next_click(scene: Scene, game: GameView) -> Clicked | None:
    """Return the first click of the shortest way to the suggested move; None if none is found.

    Buttons come first: where they lead there by themselves, no card needs to be picked.
    """
    move = advice(scene)
    if move is None:
        return None
    return _first(scene, game, move, ()) or _first(scene, game, move, move.shows)


def suggestion(model: Model, kind: str) -> Text:
    """Return the suggested move with one reason; the page of the lesson has had all."""
    if model.view is None or model.advice is None:
        return ""
    reason = lesson_of(model.game).briefly(model.names, model.view, model.advice)
    return drawn(kind, as_drawn(_("Suggestion: {reason}").format(reason=reason)))


def sentence(click: Clicked) -> Text:
    """Return the words of the coach: the thing to be clicked now."""
    if isinstance(click, TableCard):
        return _filled(_("Choose {card}."), "{card}", (Card(click.kind, click.face, click.name),))
    first, *more = (click.title,) if isinstance(click.title, str) else click.title
    first = capital(first) if isinstance(first, str) else first  # as on the button
    return _filled(_("Choose “{button}”."), "{button}", (first, *more))


def _filled(said: str, place: str, parts: Sequence[str | Card]) -> Text:
    before, after = said.split(place)
    return tuple(part for part in (before, *parts, after) if part)


def _first(scene: Scene, game: GameView, move: Move, slots: Iterable[int]) -> Clicked | None:
    """Search breadth first: among the buttons, and the cards of our hand with these slots."""
    ids = {f"slot:{slot}" for slot in slots}
    seen = {scene.picked}
    ways: list[tuple[Scene, Clicked | None]] = [(scene, None)]
    for now, began in ways:
        cards = [one for one in game.hand(now) if one.id in ids] if ids else []
        clicks: list[Clicked] = [*game.actions(now), *cards]
        for one in clicks:
            match after(now, one.keys):
                case Say(line) if says(now, line, move):
                    return began or one
                case Picked() as picked if picked not in seen and len(seen) < MOST_CLICKS:
                    seen.add(picked)
                    ways.append((replace(now, picked=picked, proposed=""), began or one))
    return None
