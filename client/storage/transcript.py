"""A played match as plain data: its public decks, its actions, and the states between them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from engine.core.moves import Face, Slot
from engine.core.notation import write_seat
from engine.core.requests import Deck
from p2p.table.events import Event, Gone, Moved, Opened, Tossed
from p2p.table.replay import replay_log
from p2p.table.table import Table


@dataclass
class Transcript:
    """The facts for an open-deck scenario of a match."""

    table: Table
    first: int | None = None
    """The result of the opening toss, once it is known."""
    decks: dict[int, Deck] = field(default_factory=dict)
    faces: dict[Slot, Face] = field(default_factory=dict)
    actions: list[str] = field(default_factory=list)
    states: dict[int, dict[str, Any]] = field(default_factory=dict)
    """The facts after this many actions, when a choice was due or the match was over."""

    def order(self, deck: Deck) -> list[Face | None]:
        """Return the faces of a deck in order; None for those that never became public."""
        return [self.faces.get(slot) for slot in deck.slots]

    @property
    def unseen(self) -> int:
        """The number of cards that never became public."""
        return sum(face is None for deck in self.decks.values() for face in self.order(deck))

    def filled(self, deck: Deck) -> list[Face]:
        """Return a possible order of a deck: hidden cards fill the free places in pack order."""
        rest = list(deck.cards)
        order = self.order(deck)
        for face in order:
            if face is not None:
                rest.remove(face)
        return [rest.pop(0) if face is None else face for face in order]


def read_transcript(data: bytes) -> Transcript:
    """Verify a log and return its transcript. Raises BadLog."""
    transcript: Transcript | None = None
    for table, events in replay_log(data):
        transcript = transcript or Transcript(table)
        for event in events:
            _note(transcript, event)
        transcript.decks.update({deck.number: deck for deck in table.run.game.decks})
        if table.run.turn or table.over:
            transcript.states[len(transcript.actions)] = _state(table)
    assert transcript is not None, "a log that verifies has terms"
    return transcript


def as_scenario(transcript: Transcript, *comments: str) -> str:
    """Return the match as a scenario file, with its own states as expectations."""
    terms, first = transcript.table.terms, transcript.first or 0
    decks = [transcript.filled(transcript.decks[number]) for number in sorted(transcript.decks)]
    out = [
        *(f"# {comment}" for comment in comments),
        f"game = {_toml(terms.game)}",
        f"players = {len(terms.participants)}",
    ]
    out += [f"first = {_toml(write_seat(first % len(terms.participants)))}", "decks = ["]
    out += [f"  {_toml(deck)}," for deck in decks]
    out += ["]", "actions = ["]
    out += [f"  {_toml(action)}," for action in transcript.actions]
    out += ["]", "", "[options]"]
    out += [f"{key} = {_toml(value)}" for key, value in sorted(terms.options.items())]
    for after, state in sorted(transcript.states.items()):
        out += ["", "[[expect]]", f"after = {after}"]
        out += [f"{key} = {_toml(value)}" for key, value in state.items()]
    return "\n".join(out) + "\n"


def as_json(transcript: Transcript) -> str:
    """Return the match as one JSON object."""
    table = transcript.table
    terms, game = table.terms, table.run.game
    players = [
        {
            "seat": write_seat(seat),
            "nick": place.nick,
            "id": place.id.hex(),
            "key": place.public.hex(),
        }
        for seat, place in enumerate(terms.participants)
    ]
    decks = [
        {
            "number": number,
            "holders": [write_seat(seat) for seat in deck.seats],
            "cards": transcript.order(deck),
        }
        for number, deck in sorted(transcript.decks.items())
    ]
    facts = {
        "sobremesa": 1,
        "match": terms.match.hex(),
        "game": terms.game,
        "rules": terms.rules,
        "options": terms.options,
    }
    states = [{"after": after, **state} for after, state in sorted(transcript.states.items())]
    result = {
        "score": list(game.score),
        "winners": [write_seat(seat) for seat in game.winners],
        "sealed": table.sealed,
    }
    whole = {
        **facts,
        "players": players,
        "first": transcript.first or 0,
        "decks": decks,
        "actions": transcript.actions,
    }
    # In ASCII: a nick may have control characters that JSON does not escape.
    return json.dumps({**whole, "states": states, **result}, indent=1) + "\n"


def _note(transcript: Transcript, event: Event) -> None:
    match event:
        case Moved(seat, _move, text, auto, shown):
            transcript.faces.update(shown)
            if not auto:
                transcript.actions.append(f"{write_seat(seat)} {text}")
        case Opened(faces):
            transcript.faces.update(faces)
        case Gone(seat):
            transcript.actions.append(f"{write_seat(seat)} leave")
        case Tossed(_sides, number) if transcript.first is None:
            transcript.first = number


def _state(table: Table) -> dict[str, Any]:
    game, over = table.run.game, table.run.over
    return {
        "turn": [write_seat(seat) for seat in sorted(table.run.turn)],
        "score": list(game.score),
        "over": over,
        "winners": [write_seat(seat) for seat in game.winners],
        "round": game.round,
        "table": game.table(),
    }


def _toml(value: Any) -> str:
    """Return a value as TOML.

    TOML writes strings, whole numbers, bools and lists of them as JSON does.
    """
    return json.dumps(value, ensure_ascii=False)
