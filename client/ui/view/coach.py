"""The next click of a lesson's suggestion: the card or the button at which the page points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from client.i18n.translation import _
from client.ui.games.lesson import says
from client.ui.games.screen import Picked, Say, Scene
from client.ui.view.action import Action, Card, Text
from client.ui.view.ahead import after
from client.ui.view.game import GameView
from client.ui.view.sentences import capital
from client.ui.view.table_parts import TableCard
from engine.core.moves import Move

MOST_CLICKS = 40
"""Tables that are looked at for a way to the suggested move."""

Clicked = Action | TableCard


def next_click(scene: Scene, game: GameView) -> Clicked | None:
    """Return the first click of the shortest way to the suggested move; None if none is found.

    Buttons come first: where they lead there by themselves, no card needs to be picked.
    """
    move = scene.model.advice
    if move is None:
        return None
    return _first(scene, game, move, ()) or _first(scene, game, move, move.shows)


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
