"""Absent and late seats in lines, and the votes about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from client.i18n.translation import _, later, listed, ngettext
from client.session.messages import Away, Late, TimeLeft
from client.ui.games.words import Written
from client.ui.model import Model
from client.ui.plain.ending import WITHOUT
from engine.core.moves import Seat


def time_left(message: TimeLeft, after: Model) -> str:
    """Say how long our player has until the others can vote to go on, or to end the match."""
    left = later(
        "The table waits for you. In {seconds} s the others may vote to go on without you."
    )
    if after.seat is not None and after.ends_without(after.seat):
        left = later(
            "The table waits for you. In {seconds} s the others may vote to end the match "
            "without you."
        )
    return _(left).format(seconds=message.seconds)


def away(message: Away, after: Model) -> str:
    """Say that a seat is away, and name the choices of our player; or that it has left for good."""
    if message.leaving:
        line = _(
            "{who} has left the match for good. Those who are away learn it when they come back; "
            "the table waits for them."
        )
        return line.format(who=after.names[message.seat])
    stay = later(
        "{who} is away: gone for now, or cut off. The table waits; if you do not want to "
        "wait, `quit` or `leave`."
    )
    aside = later(
        "{who} is away: gone for now, or cut off. The table waits; `aside` puts the match "
        "aside for another time."
    )
    watching = later("{who} is away: gone for now, or cut off. The table waits.")
    if message.elsewhere:
        stay = later(
            "{who} is at another table. This table waits; if you do not want to wait, `quit` or "
            "`leave`."
        )
        aside = later(
            "{who} is at another table. This table waits; `aside` puts the match aside for another "
            "time."
        )
    line = watching if after.seat is None else aside if after.may_put_aside else stay
    return _(line).format(who=after.names[message.seat])


def late(model: Model, message: Late, *, without: str = WITHOUT, aside: str = "aside") -> list[str]:
    """Say that seats keep the table waiting, and name the remedy that our player has.

    `without` and `aside` are the commands or keys for it.
    """
    who = listed([str(model.names[seat]) for seat in message.seats])
    if model.away.isdisjoint(message.seats):
        waited = ngettext(
            "{who}: no move for {limit} second.",
            "{who}: no move for {limit} seconds.",
            message.limit,
        )
    else:
        waited = ngettext(
            "The table has waited for {who} for {limit} second.",
            "The table has waited for {who} for {limit} seconds.",
            message.limit,
        )
    found = [waited.format(who=who, limit=message.limit)]
    for seat, others in message.say:
        whom = listed([str(model.names.label(other)) for other in others])
        said = _("{who} says: waiting for {whom}.")
        found.append(said.format(who=model.names[seat], whom=whom))
    if model.may_put_aside:
        rest = _("`{key}`: put the match aside; it goes on when all are back. Or just wait.")
        drawn = _("You can put the match aside; it goes on when all are back. Or just wait.")
        found.append(Written(rest.format(key=aside), drawn))
    elif model.seat is not None and model.votes_needed and not _decidable(model, message.seats):
        found.append(_undecided(model, message.seats))
    elif model.seat is not None and model.votes_needed:
        found.append(_vote(model, message.seats, who, without))
    return found


def _vote(model: Model, seats: Sequence[Seat], who: str, key: str) -> str:
    """Offer a vote; a window has a button for it."""
    vote = later("`{key}`: vote to go on without {who}; {needed} votes are needed. Or just wait.")
    drawn = later("You can vote to go on without {who}; {needed} votes are needed. Or just wait.")
    if model.ends_without(*seats):
        vote = later(
            "`{key}`: vote to end the match without {who}; {needed} votes are needed. Or just wait."
        )
        drawn = later(
            "You can vote to end the match without {who}; {needed} votes are needed. Or just wait."
        )
    facts = {"key": key, "who": who, "needed": model.votes_needed}
    return Written(_(vote).format(**facts), _(drawn).format(**facts))


def _decidable(model: Model, seats: Iterable[Seat]) -> bool:
    return any(model.can_be_decided(seat) for seat in seats)


def _undecided(model: Model, seats: Iterable[Seat]) -> str:
    """Say that the missing votes can come only from seats that are away."""
    who = listed([str(model.names[seat]) for seat in seats])
    return _("Not enough others are here to decide: the match waits for {who}.").format(who=who)


def voted_out(model: Model, late: Sequence[Seat], who: str) -> tuple[str, ...]:
    """Say what follows if enough votes to go on without these seats are cast."""
    if model.ends_without(*late):
        ends = _("If the vote passes, the match ends at once, and the side of {who} loses it.")
        return (ends.format(who=who),)
    out = _("If the vote passes, the match is lost for {who}, for good.")
    return out.format(who=who), _("This deal ends, and the others play on with the next one.")


def counted(model: Model, late: Sequence[Seat]) -> list[str]:
    """Say how many votes it takes to go on without each of these seats, and how many are cast.

    Say if nobody who is here can cast the missing ones.
    """
    going = later("Going on without {who} takes {needed} votes. Votes so far: {cast}.")
    ending = later("Ending the match without {who} takes {needed} votes. Votes so far: {cast}.")
    counts = {seat: len(model.votes.get(seat, ())) for seat in late}
    found = [
        _(ending if model.ends_without(seat) else going).format(
            who=model.names[seat], needed=model.votes_needed, cast=cast
        )
        for seat, cast in counts.items()
    ]
    return found if _decidable(model, late) else [*found, _undecided(model, late)]
