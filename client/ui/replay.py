"""A match from its log: the table after each step, as one seat saw it, and the lines that tell of the step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from client.i18n.translation import _
from client.session.messages import News, Seated
from client.session.status import UsageError
from client.ui.model import Model
from client.ui.plain.lines import lines
from client.ui.plain.verdicts import bad_log
from client.ui.update import update
from engine.core.moves import Face, Seat, Slot
from engine.core.view import view_for
from p2p.table.events import Dealt, Event, Moved, Opened
from p2p.table.replay import BadLog, read_form, replay_log
from p2p.table.table import Table

LIMIT_BYTES = 64 * 1024 * 1024
"""Bytes of a log, at most."""

Step = tuple[Model, tuple[str, ...]]
"""The table after a step, and the lines of the plain face for that step."""


def steps_of(path: str, own: bytes) -> tuple[Step, ...]:
    """Return the steps of one of our matches, from our own seat (`own` is our id). UsageError, BadLogError, VersionError."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LIMIT_BYTES + 1)
        if len(data) > LIMIT_BYTES:
            raise UsageError(_("{file} is too long: more than {limit} bytes").format(file=path, limit=LIMIT_BYTES))
        log = read_form(data)
        seat = next((seat for seat, place in enumerate(log.terms.participants) if place.id == own), None)
        return tuple(steps(data, seat))
    except OSError as error:
        raise UsageError(_("{file} cannot be read: {why}").format(file=path, why=error.strerror)) from error
    except BadLog as error:
        raise bad_log(path, error) from error


def steps(data: bytes, seat: Seat | None, width: int | None = None) -> Iterator[Step]:
    """Verify and play a log; give back each step that shows anything, as a seat saw it, its lines so many columns wide. BadLog.

    The cards of the seat are shown as far as they became public later.
    """
    faces = _faces_in(data) if seat is not None else {}
    model = Model()
    begun = False
    for table, events in replay_log(data):
        shown: list[str] = []
        if not begun:
            begun, seated = True, Seated(table.terms, seat, table.match.hex(), auto=True)
            before, (model, _commands) = model, update(model, seated)
            shown += lines(before, seated, model, width)
        for place, event in enumerate(events, 1):
            news = News(_seen(event, seat, faces), view_for(table.run, seat, faces), table.waiting, place == len(events))
            before, (model, _commands) = model, update(model, news)
            shown += lines(before, news, model, width)
        if shown:
            yield model, tuple(shown)
    yield from _unsealed(table, model)


def _unsealed(table: Table, model: Model) -> Iterator[Step]:
    if not table.sealed:
        yield model, (_("The log ends here, without the seals of all: `sobremesa verify` says what is missing."),)


def _seen(event: Event, seat: Seat | None, faces: dict[Slot, Face]) -> Event:
    """Return an event as a seat saw it: with its own cards, where they became public later."""
    if isinstance(event, Dealt) and seat is not None:
        return Dealt(event.to, {slot: faces[slot] for slot in event.to.get(seat, ()) if slot in faces})
    return event


def _faces_in(data: bytes) -> dict[Slot, Face]:
    """Return every face that became public in the course of a match."""
    faces: dict[Slot, Face] = {}
    for _table, events in replay_log(data):
        for event in events:
            if isinstance(event, Moved):
                faces.update(event.shown)
            elif isinstance(event, Opened):
                faces.update(event.faces)
    return faces
