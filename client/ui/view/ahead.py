"""The effects of clicks, before they are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from client.ui.games.screen import Picked, Refused, Say, Scene, effect
from client.ui.view.action import Action
from client.ui.view.game import GameView
from client.ui.view.table_parts import TableCard
from engine.core.moves import IllegalMove, NotAMove


def after(scene: Scene, keys: Iterable[str]) -> Picked | Say | None:
    """Return the effect of a click: the line that its keys say, or the cards picked then."""
    found: Picked | Say | None = None
    for key in keys:
        if key == "enter" and scene.proposed:
            return Say(scene.proposed)
        result = effect(scene, key)
        if isinstance(result, Say):
            return result
        if isinstance(result, Refused):
            return None
        if result is not None:
            found, scene = result, replace(scene, picked=result)
    return found


def drags(scene: Scene, game: GameView, card: TableCard) -> Iterator[Action]:
    """Give the clicks of a card that is dragged to the table: that on it, and the main button.

    Where there is no main button, the ends of the line at which it may be laid take its place.
    """
    first = () if "picked" in card.state.split() else card.keys
    match after(scene, first):
        case Say(line, picked):
            scene = replace(scene, proposed=line, picked=picked)
        case Picked() as picked:
            scene = replace(scene, picked=picked)
        case None if first or not card.keys:
            return
    main = [one for one in game.actions(scene) if one.role == "main"]
    ends = [one for zone in game.zones(scene) for one in zone.acts if one.id.startswith("end:")]
    for one in main or ends:
        if one.keys and _shows(scene, after(scene, one.keys), card):
            place = "" if main else f":{one.id}"
            yield Action(f"drag:{card.id}{place}", one.title, (*first, *one.keys))


def _shows(scene: Scene, result: Picked | Say | None, card: TableCard) -> bool:
    """Return whether a click plays a card, or shows the move that it is picked for."""
    if not isinstance(result, Say):
        return result is not None
    assert scene.seat is not None
    try:
        shown = scene.game.read(result.line, scene.seat, scene.model.hand).shows
    except (IllegalMove, NotAMove):
        return False
    return card.face in scene.faces(shown)
