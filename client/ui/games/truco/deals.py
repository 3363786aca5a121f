"""The cards and songs of a deal of Truco, read from the events.

The events are needed because the cards of a deal leave the table at its end.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.ui.games.truco.songs import CRIES, stated, sung
from client.ui.games.truco.words import WORDS
from client.ui.model import Names
from engine.core.events import GameEvent
from engine.core.moves import Face, Seat
from engine.games.truco import events
from engine.games.truco.moves import ENVIDO, FLOR, TRUCO
from engine.games.truco.rules import Truco
from p2p.table.events import Moved

Events = Sequence[Moved | GameEvent]


def this_deal(history: Events) -> Events:
    """Return what was done and told since the last cards were dealt."""
    return history[_beginnings(history)[-1] :]


def deal_before(history: Events) -> Events:
    """Return what was done and told in the deal before."""
    *_earlier, before, last = [0, *_beginnings(history)]
    return history[before:last]


def song_of(history: Events, seat: Seat) -> str:
    """Return what a seat has sung, if it has done nothing since."""
    for event in reversed(history):
        match event:
            case events.Sung(by, word, how) if by == seat:
                return sung(word, how if how == "answer" else "call")
            case events.Said(by, number, beats) if by == seat:
                return stated(number, beats=beats)
            case Moved(by, _move, text, False) if by == seat:
                return CRIES.get(text, "")
    return ""


def told(names: Names, game: Truco, history: Events, *kinds: type[GameEvent]) -> list[str]:
    """Return the lines for the events of these kinds."""
    found = [place for place, event in enumerate(history) if isinstance(event, kinds)]
    return [line for place in found for line in _told(names, game, history, place)]


def summary(names: Names, game: Truco, history: Events) -> list[str]:
    """Return the lines for a whole deal: its tricks by card, and the reason for each point."""
    lines: list[str] = []
    played: list[tuple[Seat, Face]] = []
    tricks = 0
    for place, event in enumerate(history):
        match event:
            case Moved(seat, _move, text) if text.startswith("play "):
                played.append((seat, text.removeprefix("play ")))
            case events.Trick(number, winner):
                lines.append(WORDS.trick(names, number, played, [winner]))
                played, tricks = [], number
            case (
                events.EnvidoWon()
                | events.EnvidoAnnulled()
                | events.FlorWon()
                | events.DealWon()
                | events.Shown()
                | events.FlorShown()
                | events.Buenas()
            ):
                if isinstance(event, events.DealWon) and played:
                    lines.append(WORDS.trick(names, tricks + 1, played, []))
                lines += _told(names, game, history, place)
    return lines


def _told(names: Names, game: Truco, history: Events, place: int) -> list[str]:
    """Return the lines for one event.

    For a call that was refused and a deal that was given up, they name the seats that did so.
    """
    event = history[place]
    assert isinstance(event, GameEvent)
    if not isinstance(event, (events.EnvidoWon, events.FlorWon, events.DealWon)):
        return WORDS.told(names, game, event)
    family = {events.EnvidoWon: ENVIDO, events.FlorWon: FLOR}.get(type(event), TRUCO)
    by: dict[str, str] = {}
    for before in history[:place]:
        match before:
            case events.Sung(seat, word) if word in family:
                by |= {"cry": CRIES[word], "caller": str(names.label(seat))}
            case Moved(seat):
                by["who"] = str(names.label(seat))
    tie = _tie(game, history[:place]) if event.how == "tricks" else ""
    return [WORDS.won(names, game, event, tie, **by)]


def _tie(game: Truco, history: Events) -> str:
    """R13, R14. The tie that decided a deal, as TIE_WON has it; empty if none did."""
    winners = [event.winner for event in history if isinstance(event, events.Trick)]
    match winners:
        case [None, None, int()]:
            return "two"
        case [None, int()]:
            return "first"
        case [int(), None]:
            return "second"
        case [first, _second, None]:
            return "third" if first is not None and game.options["third_tie"] == "first" else "mano"
    return ""


def _beginnings(history: Events) -> list[int]:
    return [place for place, event in enumerate(history) if isinstance(event, events.Deal)] or [0]
