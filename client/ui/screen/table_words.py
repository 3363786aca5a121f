"""The words around a table that all games share: the turn, absent seats, the end of a match."""

from __future__ import annotations

from client.i18n.sentences import GONE
from client.i18n.translation import _, keyed, keys_in_brackets, later, letter, listed, ngettext
from client.ui.games import screen_of
from client.ui.games.screen import Line, Piece, Scene, called
from client.ui.model import MatchPhase, Model
from client.ui.plain.ending import CONVICTED, nicks_unsigned, won
from client.ui.plain.lines import whose_turn
from client.ui.screen.state import Page, Remark, ScreenState
from engine.core.moves import Seat

VOTE, PLAY_AGAIN = keyed("W: vote to go on without a player"), keyed("a: play again")
TO_LOBBY = keyed("l: to the lobby")
"""The keys of every table that are letters. Enter never leaves a table: it puts the count away, and
is easily pressed once too often."""


def scene_of(state: ScreenState) -> Scene:
    """Return the match as its game's screen draws it."""
    return Scene(
        state.match, state.picked, state.settings.cards, state.proposed[1], presses_of(state)
    )


def presses_of(state: ScreenState) -> str:
    """Return how many presses make a move; a lesson teaches two."""
    return "two" if state.match.lesson else state.settings.presses


def mark(state: ScreenState, seat: Seat) -> list[Piece]:
    """Return how a seat stands, where it does not play as it should."""
    model = state.match
    if model.accused is not None and seat == model.accused.fault.seat:
        return [("bad", " ✗ " + _("accused"))]
    if seat in model.gone or seat in model.leaving:
        return [("bad", " ✗ " + _("gone"))]
    if seat in model.away:
        there = seat in model.elsewhere
        return [("warn", " " + (_("at another table") if there else _("away")))]
    if seat in model.late:
        return [("wait", " " + _("slow"))]
    return []


def last_remark(state: ScreenState, seat: Seat) -> Remark | None:
    """Return what a seat has said last, if it is not long ago."""
    return next(
        (
            remark
            for remark in reversed(state.remarks)
            if remark.seat == seat and state.match.hears(seat)
        ),
        None,
    )


def turn_line(state: ScreenState, status: Line) -> list[Piece]:
    """Return the seat in turn and our choice so far, or the reason why the table waits.

    A spectator of a match that is played now reads first that it is one.
    """
    text = _turn_of(state, status)
    watching = state.page is Page.PLAY and state.match.seat is None and not state.done
    return [("dim", " " + _("you watch") + " ·"), *text] if watching else text


def _turn_of(state: ScreenState, status: Line) -> list[Piece]:
    model = state.match
    away = [seat for seat in sorted(model.away) if seat not in model.gone]
    text: list[Piece]
    if state.done:
        text = [("moment", f" {result(state)} ")]
    elif model.asked:
        beside = [*_own_time(state), *([("", " "), *status, ("", " ")] if status else [])]
        text = [("turn", " ▶ " + _("Your turn") + " "), *beside]
    elif model.accused is not None and model.accused.fault.seat not in model.gone:
        you = later("You are accused and must go.")
        other = later("{who} is accused and must go.")
        text = [("bad", f" {model.names.say(model.accused.fault.seat, you, other)} ")]
    elif model.late:
        text = [("warn", f" {_late(state, sorted(model.late))} ")]
    elif missed := [
        seat for seat in away if seat in (state.waited if model.seat is not None else model.waiting)
    ]:
        text = [("warn", f" {_absent(state, missed)} ")]
    elif model.mixing:
        mixing = listed([model.names.label(seat) for seat in model.mixing])
        text = [("wait", " " + _("shuffling: {who}").format(who=mixing) + " ")]
    elif others := [seat for seat in model.turn if seat != model.names.me]:
        names = listed([str(model.names[seat]) for seat in others])
        if state.page is Page.REPLAY:  # nobody waits
            text = [("turn", f" ▶ {whose_turn(model, others)} "), *status]
        else:
            text = [("wait", " " + _("waiting for {who}").format(who=names) + " "), *status]
    elif state.page is Page.REPLAY:  # nothing is computed, and nobody is asked
        text = [("turn", " ▶ " + _("Your turn") + " ")] if model.seat in model.turn else []
    elif away:
        text = [
            (
                "warn",
                " "
                + _("{who}: away.").format(who=listed([str(model.names[seat]) for seat in away]))
                + " ",
            )
        ]
    else:
        text = [("dim", " " + _("one moment …") + " ")]
    return text


def status_line(state: ScreenState, status: Line) -> Line:
    """Return the game's own text beside the turn, or the move that waits for its second key."""
    if not state.proposed[0]:
        return status
    brings = screen_of(state.match.game).consequence(scene_of(state))
    said = called(scene_of(state), *state.proposed) + (f": {brings}" if brings else "")
    return [
        ("keys", state.proposed[0]),
        ("strong", f" {said}"),
        ("dim", "  " + _("once more does it")),
    ]


def hold_line(state: ScreenState) -> Line:
    """Say that a key goes on.

    If the match waits for us, say that too, and how long it still does.
    """
    if state.match.asked and not state.done:
        return [("turn", " ▶ " + _("Your turn comes next: press a key.") + " "), *_own_time(state)]
    return [("turn", " " + _("The table stays like this until you press a key.") + " ")]


def _own_time(state: ScreenState) -> list[Piece]:
    """Say how long we have until the others may vote on us, and how many have voted.

    Say the time only when half of it is over.
    """
    model = state.match
    if model.seat is None or model.seat not in state.waited or not model.votes_needed:
        return []
    going = later("vote to go on without you: {votes} of {needed} ({who})")
    ending = later("vote to end the match without you: {votes} of {needed} ({who})")
    if voters := model.votes.get(model.seat, ()):
        who = listed([str(model.names[seat]) for seat in voters])
        return [
            (
                "warn",
                "· "
                + _(ending if model.ends_without(model.seat) else going).format(
                    votes=len(voters), needed=model.votes_needed, who=who
                ),
            )
        ]
    left = model.limit - int(state.waited[model.seat])
    if 2 * left > model.limit:
        return []
    return [
        (
            "warn",
            "· "
            + (_("{seconds} s").format(seconds=left) if left > 0 else _("the others may vote now")),
        )
    ]


def _late(state: ScreenState, late: list[Seat]) -> str:
    """Say for which seats the table has waited too long, and the actions that our player has."""
    model = state.match
    facts: dict[str, object] = {"who": listed([str(model.names[seat]) for seat in late])}
    away = model.away.issuperset(late)
    if model.may_put_aside:
        gone = later("{who}: away. Put it aside (Esc), or wait.")
        slow = later("{who}: slow. Put it aside (Esc), or wait.")
        return keys_in_brackets(_(gone if away else slow)).format(**facts)
    facts |= {
        "votes": max(len(model.votes.get(seat, ())) for seat in late),
        "needed": model.votes_needed,
        "key": letter(VOTE),
    }
    if model.seat is None or not model.votes_needed:
        return _(later("{who}: away.") if away else later("{who}: slow.")).format(**facts)
    if not any(model.can_be_decided(seat) for seat in late):
        return _undecided(away=away).format(**facts)
    ends = model.ends_without(*late)
    if all(model.seat in model.votes.get(seat, ()) for seat in late):
        going = later("{who}: {votes} of {needed} votes to go on without.")
        ending = later("{who}: {votes} of {needed} votes to end the match.")
        return _(ending if ends else going).format(**facts)
    if ends:
        gone = later("{who}: away. {key}: vote to end the match ({votes} of {needed}).")
        slow = later("{who}: slow. {key}: vote to end the match ({votes} of {needed}).")
    else:
        gone = later("{who}: away. {key}: vote to go on without ({votes} of {needed}).")
        slow = later("{who}: slow. {key}: vote to go on without ({votes} of {needed}).")
    return _(gone if away else slow).format(**facts)


def late_line(state: ScreenState) -> str:
    """Say the same where buttons stand beside it, which need no keys."""
    model, late = state.match, sorted(state.match.late)
    if model.may_put_aside or not may_vote(model):
        return _late(state, late)
    who = listed([str(model.names[seat]) for seat in late])
    facts = {
        "who": who,
        "votes": max(len(model.votes.get(seat, ())) for seat in late),
        "needed": model.votes_needed,
    }
    going = later("{who}: {votes} of {needed} votes to go on without.")
    ending = later("{who}: {votes} of {needed} votes to end the match.")
    return _(ending if model.ends_without(*late) else going).format(**facts)


def may_vote(model: Model) -> bool:
    """Whether a vote of our player can help to go on without a seat that is late."""
    if model.seat is None or model.seat in model.gone or not model.votes_needed:
        return False
    return not model.may_put_aside and any(
        model.can_be_decided(seat) and model.seat not in model.votes.get(seat, ())
        for seat in model.late
    )


def _undecided(*, away: bool) -> str:
    """Return the sentence for a vote that the players who are here cannot decide."""
    gone = later("{who}: away. Too few are here to vote; the match waits.")
    slow = later("{who}: slow. Too few are here to vote; the match waits.")
    return _(gone if away else slow)


def _absent(state: ScreenState, missed: list[Seat]) -> str:
    """Say which seats are away while the table waits, and when our player can act.

    The time is never 0, because the seats are late then.
    """
    model = state.match
    who = listed([str(model.names[seat]) for seat in missed])
    if model.seat is None:
        return _("{who}: away.").format(who=who)
    if model.may_put_aside:
        there = later("{who}: at another table. Wait, or put it aside (Esc).")
        away = later("{who}: away. Wait, or put it aside (Esc).")
        wait = there if model.elsewhere.issuperset(missed) else away
        return keys_in_brackets(_(wait)).format(who=who)
    if not any(model.can_be_decided(seat) for seat in missed):
        return _undecided(away=True).format(who=who)
    left = max(1, model.limit - int(max(state.waited[seat] for seat in missed)))
    going = later("{who}: away. In {seconds} s you may vote to go on without.")
    ending = later("{who}: away. In {seconds} s you may vote to end the match.")
    return _(ending if model.ends_without(*missed) else going).format(who=who, seconds=left)


def checked(state: ScreenState) -> str:
    """How much was verified, in a quiet word; in a lesson there is nothing to be verified."""
    if state.match.lesson:
        return ""
    good = state.match.checked
    total = good.shuffles + good.claims + good.moves
    return ngettext("✓ {count} proof checked", "✓ {count} proofs and moves checked", total).format(
        count=total
    )


def result(state: ScreenState) -> str:
    """Say who has won, or why nothing more comes of the match."""
    model = state.match
    if model.phase is MatchPhase.OVER:
        return won(model)
    if model.seat is not None and model.gone.get(model.seat) == "left":
        return model.names.say(model.seat, *GONE["left"])
    return (
        _("You are out of this match.")
        if model.seat in model.gone
        else _("The match cannot go on.")
    )


def _departure(state: ScreenState, seat: Seat) -> str:
    """Say how a seat has gone."""
    model = state.match
    if model.gone[seat] == "left":
        return model.names.say(seat, *GONE["left"])
    if seat not in model.voted_out:
        return model.names.say(seat, *CONVICTED)
    votes, electorate = model.voted_out[seat]
    you = later("You were voted out ({votes} of {electorate}).")
    other = later("{who} was voted out ({votes} of {electorate}).")
    return model.names.say(seat, you, other, votes=votes, electorate=electorate)


def ending(state: ScreenState, scene: Scene) -> list[Piece]:
    """Return the lines about the end of a match: the winner, the seats that went, the score.

    They also tell whether the log is sealed.
    """
    scores = scene.words.scores(
        scene.names, scene.game, state.match.score or tuple(scene.game.score)
    )
    others = nicks_unsigned(state.match)
    signed = (
        later("The log is signed by all but {who}.")
        if others
        else later("The log is signed by all.")
    )
    kept = _(signed).format(who=listed(others)) if state.match.sealed else ""
    facts = [{"who": state.match.names[seat], "key": letter(PLAY_AGAIN)} for seat in state.again]
    wish = later("{who} wants to play again: {key}.")
    if state.match.seat is None:
        wish = later("{who} wants to play again.")
    again = (("turn", _(wish).format(**each)) for each in facts)
    first = result(state)
    said = [_departure(state, seat) for seat in state.match.gone]
    left = (("dim", line) for line in said if line and line != first)
    return [
        item
        for item in (("moment", first), *left, ("strong", scores), ("good", kept), *again)
        if item[1]
    ]
