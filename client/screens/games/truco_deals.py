"""What was played and sung in a deal of Truco, read from what a match has told: what lay on the table is gone when it ends."""

from __future__ import annotations

from collections.abc import Sequence

from client.games.truco import CRIES, WORDS, stated, sung
from client.model import Names
from engine.games.truco import Truco
from engine.moves import Face, Seat
from p2p.table.events import Moved, Told

Events = Sequence[Moved | Told]
SCORED = ("envido-won", "deal-won", "shown", "buenas", "score")
"""What the rules tell about points."""


def this_deal(history: Events) -> Events:
    """Return what was done and told since the last cards were dealt."""
    return history[_beginnings(history)[-1] :]


def deal_before(history: Events) -> Events:
    """Return what was done and told in the deal before."""
    *_earlier, before, last = [0, *_beginnings(history)]
    return history[before:last]


def song_of(events: Events, seat: Seat) -> str:
    """Return what a seat has sung, if it has done nothing since."""
    for event in reversed(events):
        match event:
            case Told("sung", (by, word, how)) if by == seat:
                return sung(word, how if how == "answer" else "call")
            case Told("said", (by, number, beats)) if by == seat:
                return stated(number, beats=beats)
            case Moved(by, _move, text, False) if by == seat:
                return CRIES.get(text, "")
    return ""


def told(names: Names, game: Truco, events: Events, *what: str) -> list[str]:
    """Say, in lines, those of the events that have these ids."""
    found = [event for event in events if isinstance(event, Told) and event.what in what]
    return [line for event in found for line in WORDS.told(names, game, event.what, event.details)]


def summary(names: Names, game: Truco, events: Events) -> list[str]:
    """Say a whole deal: its tricks, card by card, and what was scored for what."""
    lines: list[str] = []
    played: list[tuple[Seat, Face]] = []
    tricks = 0
    for event in events:
        match event:
            case Moved(seat, _move, text) if text.startswith("play "):
                played.append((seat, text.removeprefix("play ")))
            case Told("trick", (number, winner, _card)):
                lines.append(WORDS.trick(names, number, played, [winner]))
                played, tricks = [], number
            case Told(what, details) if what in SCORED:
                if what == "deal-won" and played:
                    lines.append(WORDS.trick(names, tricks + 1, played, []))
                lines += WORDS.told(names, game, what, details)
    return lines


def _beginnings(history: Events) -> list[int]:
    return [place for place, event in enumerate(history) if isinstance(event, Told) and event.what == "deal"] or [0]
