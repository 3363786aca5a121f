"""The end of a match, in lines, and the red page for a fault.

The lines tell the winners, the seats that left, and the path of the log.
"""

from __future__ import annotations

from client.i18n.sentences import FAULTS, GONE
from client.i18n.translation import _, as_called, later, listed, ngettext, unbroken
from client.ui.games import words_of
from client.ui.games.charges import rule_broken
from client.ui.games.words import Written
from client.ui.model import Model
from p2p.table.events import (
    Accused,
    Differs,
    Event,
    Gone,
    OutOfKeys,
    Over,
    Sealed,
    Voted,
    WasLate,
)
from p2p.table.faults import Equivocation

QUIET = "  · "
"""Marks lines that a reader may skip: successful checks."""
WITHOUT = "without"
"""The command to vote to go on without a seat."""
CONVICTED = (
    later("You were convicted and removed."),
    later("{who} was convicted and removed."),
)
"""The line for a convicted seat at the end of the match: to the seat itself, and to the others."""


def ending(model: Model, event: Event) -> list[str]:
    """Return the lines for an event with which a match ends, or a seat's part in it.

    Return none for any other event.
    """
    names = model.names
    match event:
        case Voted():
            return [voted(model, event)]
        case WasLate():
            return [_was_late(model, event)]
        case OutOfKeys():
            return [_out_of_keys(model)]
        case Gone(seat, how, voters, electorate):
            by = listed([str(names.label(voter)) for voter in voters])
            voted_to_end = how == "voted" and model.ended_early
            words = GONE["voted-to-end" if voted_to_end else how]
            first = names.say(seat, *words, voters=by, votes=len(voters), electorate=electorate)
            return [first, *_doubled(model, event)]
        case Accused():
            return _accused(model, event)
        case Differs():
            return _differs(model, event)
        case Over(_winners, score):
            return _over(model, score)
        case Sealed():
            return _sealed(model)
    return []


def _sealed(model: Model) -> list[str]:
    """Say who was convicted, who has signed the end, and how much has been checked."""
    good = model.checked
    facts = {"shuffles": good.shuffles, "claims": good.claims, "moves": good.moves}
    convicted = convictions(model)
    sentence = later(
        "all have signed the end; shuffles: {shuffles}, moves: {moves}, proofs: {claims}; all good"
    )
    if convicted:
        sentence = later(
            "all but {who} have signed the end; shuffles: {shuffles}, moves: {moves}, proofs: "
            "{claims}; all else is good"
        )
    elif model.voted_out:
        sentence = later(
            "all but {who} have signed the end; shuffles: {shuffles}, moves: {moves}, proofs: "
            "{claims}; all good"
        )
    return [*convicted, QUIET + _(sentence).format(who=listed(nicks_unsigned(model)), **facts)]


def convictions(model: Model) -> list[str]:
    """Return a sentence for each seat that was convicted, in seat order."""
    return [
        model.names.say(seat, *CONVICTED)
        for seat, how in sorted(model.gone.items())
        if how == "convicted"
    ]


def nicks_unsigned(model: Model) -> list[str]:
    """Return the nicks of those that a sealed log goes on without against their word.

    They were voted out or convicted; all others have signed it. A player who left has signed the
    leave.
    """
    return [str(model.names[seat]) for seat, how in sorted(model.gone.items()) if how != "left"]


def voted(model: Model, event: Voted, *, without: str = WITHOUT) -> str:
    """Say that a seat votes to go on without another; `without` is our command or key for it."""
    names, facts = model.names, {"votes": event.votes, "needed": event.needed}
    if event.without == names.me:
        return _voted_about_us(model, event)
    mine = model.seat is None or model.auto or model.seat in model.votes.get(event.without, ())
    you = later("You vote to go on without {whom}: {votes} of {needed} votes.")
    other = later("{who} votes to go on without {whom}: {votes} of {needed} votes.")
    if model.ends_without(event.without):
        you = later("You vote to end the match without {whom}: {votes} of {needed} votes.")
        other = later("{who} votes to end the match without {whom}: {votes} of {needed} votes.")
    said = names.say(event.seat, you, other, whom=names[event.without], **facts)
    if mine or event.without not in model.late or not model.can_be_decided(event.without):
        return said
    return Written(said + " " + _("`{key}`: you too.").format(key=without), said)


def _voted_about_us(model: Model, event: Voted) -> str:
    """Say that a seat votes to go on without our player.

    Say that a move ends the vote, as long as it does: not once there are enough votes.
    """
    decided = event.votes >= event.needed or event.without in model.gone
    ends = model.ended_early if event.without in model.gone else model.ends_without(event.without)
    if decided and ends:
        sentence = later("{who} votes to end the match without you: {votes} of {needed} votes.")
    elif decided:
        sentence = later("{who} votes to go on without you: {votes} of {needed} votes.")
    elif ends:
        sentence = later(
            "{who} votes to end the match without you: {votes} of {needed} votes. Move, and "
            "they count no more."
        )
    else:
        sentence = later(
            "{who} votes to go on without you: {votes} of {needed} votes. Move, and they count no "
            "more."
        )
    who = model.names[event.seat]
    return _(sentence).format(who=who, votes=event.votes, needed=event.needed)


def _was_late(model: Model, event: WasLate) -> str:
    """Say that a seat has spoken only when enough had voted, and how near it is to its removal."""
    from p2p.table.epoch_entries import LATE_ALL, LATE_ROW  # noqa: PLC0415 - only now: start-up time

    you = later(
        "You answered only after the vote. After {row} times in a row, or {all} in a match, a "
        "player is removed."
    )
    other = later(
        "{who} answered only after the vote. After {row} times in a row, or {all} in a match, a "
        "player is removed."
    )
    if event.row == LATE_ROW - 1:
        you = later(
            "You answered only after the vote, late twice in a row: a third time removes you."
        )
        other = later(
            "{who} answered only after the vote, late twice in a row: a third time removes {who}."
        )
    elif event.calls == LATE_ALL - 1:
        you = later(
            "You answered only after the vote, late {calls} times in this match: the next time "
            "removes you."
        )
        other = later(
            "{who} answered only after the vote, late {calls} times in this match: the next time "
            "removes {who}."
        )
    facts = {"calls": event.calls, "row": LATE_ROW, "all": LATE_ALL}
    return model.names.say(event.seat, you, other, **facts)


def _out_of_keys(model: Model) -> str:
    """Say that our program may burn no further key for a deck, and name our player's choices."""
    said = later(
        "Your program began anew too often while this deck was made, so it may not make it once "
        "more. The match cannot go on like this: leave it for good."
    )
    if model.votes_needed:
        said = later(
            "Your program began anew too often while this deck was made, so it may not make it "
            "once more. The others cannot go on with you: leave the match for good, or wait until "
            "they vote to go on without you."
        )
    return _(said)


def has_left(model: Model) -> bool:
    """Whether our player has left the match for good, so that its log ends there."""
    return model.seat is not None and model.gone.get(model.seat) == "left"


def stored(model: Model, path: str, *, sealed: bool) -> list[str]:
    """Say where the log lies, and how to check it."""
    if model.accused:
        first = _("The log with the evidence: {path}")
    elif has_left(model):
        first = _("Log of the match, until you left it: {path}")
    elif sealed and nicks_unsigned(model):
        first = _("Log of the match, signed by all but {who}: {path}")
    elif sealed:
        first = _("Log of the match, signed by all: {path}")
    else:
        first = _("Log of the match, not signed by all: {path}")
    return [
        first.format(path=path, who=listed(nicks_unsigned(model))),
        _("Check it: {command}").format(command=unbroken(as_called(f"sobremesa verify {path}"))),
    ]


def stored_in_short(model: Model, *, sealed: bool) -> str:
    """Say in a sentence who has signed the log, where it stands among others."""
    others = nicks_unsigned(model)
    signed = (
        later(
            "The log is signed by all: `sobremesa verify` checks it, and it stands among the past "
            "matches."
        ),
        later("The log is signed by all."),
    )
    if has_left(model):
        signed = (
            later(
                "The log goes until you left: `sobremesa verify` checks it, and it stands among "
                "the past matches."
            ),
            later("The log goes until you left."),
        )
    elif not sealed:
        signed = (
            later(
                "The log is not signed by all: `sobremesa verify` checks it, and it stands among "
                "the past matches."
            ),
            later("The log is not signed by all."),
        )
    elif others:
        signed = (
            later(
                "The log is signed by all but {who}: `sobremesa verify` checks it, and it stands "
                "among the past matches."
            ),
            later("The log is signed by all but {who}."),
        )
    written, drawn = (_(one).format(who=listed(others)) for one in signed)
    return Written(written, f"{drawn} " + _("The match stands among the past matches."))


def _over(model: Model, score: tuple[int, ...]) -> list[str]:
    words, names = words_of(model.game), model.names
    assert model.view is not None
    scores = words.scores(names, model.view.game, score)
    return [_("The match is over. Score: {score}").format(score=scores), won(model)]


def won(model: Model) -> str:
    """Say who has won: nobody, one side, or several sides that share the win."""
    names, winners = model.names, model.winners
    assert model.view is not None
    others = listed([str(names[seat]) for seat in winners if seat != names.me])
    if len({model.view.game.side(seat) for seat in winners}) > 1:
        you, they = later("You share the win with {who}."), later("{who} share the win.")
        return _(you if names.me in winners else they).format(who=others)
    if names.me in winners:
        return _("You win, with {others}!").format(others=others) if others else _("You win!")
    return (
        ngettext("{who} wins.", "{who} win.", len(winners)).format(who=others)
        if winners
        else _("Nobody wins.")
    )


def _doubled(model: Model, event: Gone) -> list[str]:
    """Say the most likely cause if our own seat is convicted of two stories.

    An honest program tells only one.
    """
    fault = model.accused.fault if model.accused is not None else None
    if (
        fault is None
        or not event.seat == model.names.me == fault.seat
        or fault.id != Equivocation.__name__
    ):
        return []
    return [
        _(
            "Another program has signed with your key too, most likely from a copy of your folder. "
            "Play with only one of them: the others see contradictory entries."
        )
    ]


def _accused(model: Model, event: Accused) -> list[str]:
    """The red page: the seat, its fault, and the consequence."""
    fault = event.fault
    player = model.players[fault.seat] if fault.seat < len(model.players) else None
    facts = {
        "number": fault.seat + 1,
        "who": model.names[fault.seat],
        "id": player.fingerprint if player else "",
    }
    follows = later(
        "The match stays as it is. The signed evidence proves it to anybody, and is kept in a file "
        "beside the log."
    )
    if model.must_go(fault.seat):
        follows = later(
            "{who} has to leave the match. The signed evidence proves it to anybody, and is kept "
            "in the log."
        )
    return [
        _("STOP: something does not verify."),
        _(FAULTS[fault.id]).format(**facts),
        *rule_broken(model.game, model.names, fault),
        _("That was p{number}, {who}, fingerprint {id}. Nobody else is accused.").format(**facts),
        _(follows).format(**facts),
    ]


def _differs(model: Model, event: Differs) -> list[str]:
    """Say that two sides hold different things, and that nobody is shown to have lied.

    Once somebody is shown to have lied, that is the reason, and it has been told.
    """
    if event.seat is not None and model.accused is not None:
        return []
    if event.seat is None:
        return [
            _(
                "STOP: the proofs are valid, but a card is not in the pack. This is a bug in the "
                "program."
            ),
            _("Nobody is accused. Please keep the log."),
        ]
    facts = {
        "who": model.names[event.seat],
        "ours": event.ours.hex()[:16],
        "theirs": event.theirs.hex()[:16],
    }
    return [
        _("{who} continues from another state of the match than ours.").format(**facts),
        _(
            "Nobody is accused: the programs may have different versions. Ours {ours}, theirs "
            "{theirs}."
        ).format(**facts),
    ]
