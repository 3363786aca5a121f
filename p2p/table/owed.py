"""The entries that a seat owes in an epoch, and the changes that it may follow (protocol 5)."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.moves import Seat
from p2p.table.epoch import Epoch
from p2p.table.epoch_entries import Change, ChangeRound, Flush, Outcome, Stand


def flush_owed(epoch: Epoch) -> Flush | None:
    """Return the flush that our seat must sign now, without its reasons and `data`.

    A seat called at a stage signs none: it may still sign for the stage. A seat called for a flush
    or a stand signs for the round in which the call is answered: this flush is the answer.
    """
    if epoch.own is None or epoch.own not in epoch.members:
        return None
    of = epoch.round
    late = [
        call for call in of.unheard if call[0] == epoch.own and not epoch.records.owing(call[1])
    ]
    if late:
        of = ChangeRound(of.gone, of.called, tuple(sorted({*of.heard, *late})))
    mine = epoch.signed_by(epoch.own)
    if of not in epoch.flushed_rounds() and not late and (epoch.over or not epoch.stopped):
        return None
    if not of.can_be or epoch.own in epoch.goes(of) or any(old.round == of for old in mine):
        return None
    if not all(old.round.precedes(of) for old in mine):
        return None  # our disk has lost what we knew then
    settled = any(old.round.gone for old in mine)
    head = mine[-1].head if mine and (epoch.over or settled) else epoch.records.settled
    return Flush(epoch.own, of, head, epoch.done)


def stand_owed(epoch: Epoch) -> Stand | None:
    """Return the stand that our seat must sign now."""
    of, own = epoch.round, epoch.own
    if own is None or all(flush.round != of for flush in epoch.signed_by(own)):
        return None
    outcome = epoch.outcome(of)
    if outcome is None or own not in outcome.stays or own in epoch.stood_on.get(of, {}):
        return None
    if not epoch.over and not epoch.stopped:
        return None
    if epoch.made is not None and not outcome.adopts:
        return None  # a member that made a change does not help with another
    return Stand(own, of, outcome.id)


def followed(epoch: Epoch, begun: Callable[[Change, Seat], bool]) -> Outcome | None:
    """Return the change that others made, for a seat that goes or a spectator.

    `begun` says whether a seat signed an entry of the next epoch on the head that follows from a
    change on which all who stay stood. An honest seat made it if over half of the electorate have
    begun, with us if we stay; we also follow all others still there. If our own seat has begun, we
    had made the change, and our disk lost it.
    """
    if epoch.over or epoch.made is not None:
        return None
    stays = epoch.own in epoch.stays(epoch.round)
    for of in epoch.flushed_rounds():
        outcome = epoch.whole(of)
        if outcome is None:
            continue
        change = outcome.change
        if epoch.own in change.stays and begun(change, epoch.own):
            return outcome
        if stays and epoch.own in change.stays:
            continue  # we make it ourselves, or promised not to
        others = {seat for seat in change.stays if seat != epoch.own and begun(change, seat)}
        electorate = len(epoch.members) - len(change.round.gone)
        still = set(change.stays) - epoch.gone - {epoch.own}
        if 2 * (len(others) + (epoch.own in change.stays)) > electorate or (
            others and others >= still
        ):
            return outcome
    return None
