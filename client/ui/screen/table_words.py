"""The words around a table that all games share: the turn, absent seats, the end of a match."""

from __future__ import annotations

from client.i18n.sentences import GONE
from client.i18n.translation import _, keyed, keys_in_brackets, later, letter, listed, ngettext
from client.ui.games import screen_of
from client.ui.games.screen import Line, Piece, Scene, called
from client.ui.games.words import Written
from client.ui.model import MatchPhase, Model
from client.ui.plain.ending import CONVICTED, nicks_unsigned, won
from client.ui.plain.lines import whose_turn
from client.ui.screen.state import Page, Remark, ScreenState
from engine.core.moves import Seat

VOTE, PLAY_AGAIN = keyed("W: vote to go on without a player"), keyed("a: play again")
TO_LOBBY = keyed("l: to the lobby")
"""The keys of every table that are letters. Enter never leaves a table: it puts the count away, and
is easily pressed once too often."""
NAME = 40
"""Columns of a name on a button."""
PART = 2
"""Columns of a seat in the bar of a shuffle."""


def scene_of(state: ScreenState) -> Scene:
    """Return the match as its game's screen draws it."""
    return Scene(
        state.match, state.picked, state.kept.settings.cards, state.proposed[1], presses_of(state)
    )


def presses_of(state: ScreenState) -> str:
    """Return how many presses make a move; a lesson teaches two."""
    return "two" if state.match.lesson else state.kept.settings.presses


def marks(state: ScreenState, seat: Seat) -> list[Piece]:
    """Return how a seat stands, where it does not play as it should."""
    model = state.match
    if model.accused is not None and seat == model.accused.fault.seat:
        return [("bad", _("accused"))]
    if seat in model.gone or seat in model.leaving:
        return [("bad", _("gone"))]
    if seat in model.away:
        there = seat in model.elsewhere
        return [("warn", _("at another table") if there else _("away"))]
    if asleep(state, seat):
        return [("warn", _("phone offline"))]
    if seat in model.late:
        return [("wait", _("slow"))]
    return []


def asleep(state: ScreenState, seat: Seat) -> bool:
    """Whether the phone of another player is away, whose program is here."""
    model, player = state.match, state.match.players[seat]
    return (
        player is not None
        and state.page is Page.PLAY
        and player.fingerprint in state.kept.phones.asleep
        and seat not in {model.seat, *model.away, *model.gone, *model.leaving}
    )


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


def turn_words(state: ScreenState) -> list[Piece]:
    """Return the seat in turn, or the reason why the table waits, and the time left for us.

    A spectator of a match that is played now reads first that it is one.
    """
    watching = state.page is Page.PLAY and state.match.seat is None and not state.done
    watch = [("dim", _("you watch"))] if watching else []
    return [*watch, *_turn_of(state), *_own_time(state)]


def turn_line(state: ScreenState, status: Line) -> list[Piece]:
    """Return these words with their signs, and our choice so far."""
    time, model = len(_own_time(state)), state.match
    words = turn_words(state)
    line = [
        (style, (" ▶ " if style == "turn" else " ") + text + " ")
        for style, text in words[: len(words) - time]
    ]
    if len(line) > 1:  # our player watches
        line[0] = ("dim", f" {words[0][1]} ·")
    line += _bar(model) if shuffling(state) else []
    line += [(style, f"· {text}") for style, text in words[len(words) - time :]]
    if model.asked and not state.done:
        return [*line, ("", " "), *status, ("", " ")] if status else line
    waits = not model.mixing and any(seat != model.names.me for seat in model.turn)
    return [*line, *status] if waits and words[-1][0] in ("turn", "wait") else line


def mixed(model: Model) -> tuple[int, int]:
    """Return how many seats have shuffled the deck that is being made, and how many must."""
    count = max(model.mixers, len(model.mixing))
    return count - len(model.mixing), count


def shuffling(state: ScreenState) -> bool:
    """Return whether the words of the turn say who shuffles."""
    model = state.match
    return bool(model.mixing) and ("wait", _shuffles(model)) in turn_words(state)


def _shuffles(model: Model) -> str:
    """Say whose turn it is to shuffle, the how manyth of how many."""
    you = later("You shuffle: {number} of {count}")
    other = later("{who} shuffles: {number} of {count}")
    number, count = mixed(model)
    return model.names.say(model.mixing[0], you, other, number=number + 1, count=count)


def _bar(model: Model) -> list[Piece]:
    """Return how far the shuffle is: a part for each seat, the present one half full."""
    number, count = mixed(model)
    return [("wait", PART * number * "▓" + PART * "▒" + PART * (count - number - 1) * "░" + " ")]


def our_turn(model: Model) -> str:
    """Say that our player is asked: in turn, or while another one is."""
    aside = screen_of(model.game).aside
    asked_aside = (
        aside and model.view is not None and getattr(model.view.game, "phase", "") == aside
    )
    return _("A question for you") if asked_aside else _("Your turn")


def _turn_of(state: ScreenState) -> list[Piece]:
    model = state.match
    away = [seat for seat in sorted(model.away) if seat not in model.gone]
    if state.done:
        return [("moment", result(state))]
    if model.asked:
        return [("turn", our_turn(model))]
    if model.accused is not None and model.accused.fault.seat not in model.gone:
        you = later("You are accused and must go.")
        other = later("{who} is accused and must go.")
        return [("bad", model.names.say(model.accused.fault.seat, you, other))]
    if model.late:
        return [("warn", _late(state, sorted(model.late)))]
    if missed := [
        seat for seat in away if seat in (state.waited if model.seat is not None else model.waiting)
    ]:
        return [("warn", _absent(state, missed))]
    if model.mixing:
        return [("wait", _shuffles(model))]
    if state.page is Page.REPLAY:  # nothing is computed, nobody is asked, and nobody waits
        return [("turn", whose_turn(model, model.turn))] if model.turn else []
    if others := [seat for seat in model.turn if seat != model.names.me]:
        return [_waits_for(state, others)]
    if away:
        who = listed([str(model.names[seat]) for seat in away])
        return [("warn", _("{who}: away.").format(who=who))]
    return [("dim", _("one moment …"))]


def _waits_for(state: ScreenState, others: list[Seat]) -> Piece:
    """Say whose turn it is, and why the table waits."""
    names = listed([str(state.match.names[seat]) for seat in others])
    if all(asleep(state, seat) for seat in others):
        follows = _prospect(state, others) or _("The table waits.")
        return ("warn", f"{_why(state, others, names)} {follows}")
    return ("wait", _("waiting for {who}").format(who=names))


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
        time = [(style, f"· {text}") for style, text in _own_time(state)]
        return [("turn", " ▶ " + _("Your turn comes next: press a key.") + " "), *time]
    return [("turn", " " + _("The table stays like this until you press a key.") + " ")]


def _own_time(state: ScreenState) -> list[Piece]:
    """Say how long we have until the others may vote on us, and how many have voted.

    Say the time only when half of it is over.
    """
    model = state.match
    if model.seat is None or model.seat not in state.waited or not model.votes_needed:
        return []
    if not model.asked or state.done:
        return []
    going = later("vote to go on without you: {votes} of {needed} ({who})")
    ending = later("vote to end the match without you: {votes} of {needed} ({who})")
    if voters := model.votes.get(model.seat, ()):
        who = listed([str(model.names[seat]) for seat in voters])
        votes = _(ending if model.ends_without(model.seat) else going)
        return [
            ("warn", votes.format(votes=len(voters), needed=model.votes_needed, who=who)),
        ]
    left = model.limit - int(state.waited[model.seat])
    if 2 * left > model.limit:
        return []
    rest = _("{seconds} s").format(seconds=left) if left > 0 else _("the others may vote now")
    return [("warn", rest)]


def _late(state: ScreenState, late: list[Seat]) -> str:
    """Say for which seats the table has waited too long, and the actions that our player has."""
    model = state.match
    who = listed([str(model.names[seat]) for seat in late])
    why = _why(state, late, who)
    if model.may_put_aside:
        return f"{why} " + keys_in_brackets(_("Put it aside (Esc), or wait."))
    if model.seat is None or not model.votes_needed:
        return why
    if not any(model.can_be_decided(seat) for seat in late):
        return f"{why} " + _("Too few are here to vote; the match waits.")
    facts = {"who": who, "key": letter(VOTE), **_votes(model, late)}
    ends = model.ends_without(*late)
    if all(model.seat in model.votes.get(seat, ()) for seat in late):
        going = later("{who}: {votes} of {needed} votes to go on without them.")
        ending = later("{who}: {votes} of {needed} votes to end the match.")
        return _(ending if ends else going).format(**facts)
    going = later("{key}: vote to go on without them ({votes} of {needed}).")
    ending = later("{key}: vote to end the match ({votes} of {needed}).")
    return f"{why} " + _(ending if ends else going).format(**facts)


def _why(state: ScreenState, seats: list[Seat], who: str) -> str:
    """Say why the table waits for these seats."""
    if state.match.away.issuperset(seats):
        said = later("{who}: away.")
    elif all(asleep(state, seat) for seat in seats):
        said = later("{who}: phone offline.")
    else:
        said = later("{who}: taking a long time.")
    return _(said).format(who=who)


def _votes(model: Model, late: list[Seat]) -> dict[str, object]:
    cast = max(len(model.votes.get(seat, ())) for seat in late)
    return {"votes": cast, "needed": model.votes_needed}


def late_lines(state: ScreenState) -> tuple[str, str]:
    """Say the same if a button stands beside it, and the effect of enough votes."""
    model, late = state.match, sorted(state.match.late)
    if model.may_put_aside or not may_vote(model):
        return _late(state, late), ""
    who = listed([str(model.names[seat]) for seat in late])
    going = later(
        "If {needed} of you vote for it, the match goes on without {who} for good. Votes so far: "
        "{votes}."
    )
    ending = later(
        "If {needed} of you vote for it, the match ends here for all. Votes so far: {votes}."
    )
    said = _(ending if model.ends_without(*late) else going)
    return _why(state, late, who), said.format(who=who, **_votes(model, late))


def vote_label(model: Model) -> str:
    """Return the words of the button for a vote."""
    late = sorted(model.late)
    if model.ends_without(*late):
        return _("vote to end the match")
    who = listed([model.names.short(seat, NAME) for seat in late])
    return _("vote to go on without {who}").format(who=who)


def may_vote(model: Model) -> bool:
    """Whether a vote of our player can help to go on without a seat that is late."""
    if model.seat is None or model.seat in model.gone or not model.votes_needed:
        return False
    return not model.may_put_aside and any(
        model.can_be_decided(seat) and model.seat not in model.votes.get(seat, ())
        for seat in model.late
    )


def _absent(state: ScreenState, missed: list[Seat]) -> str:
    """Say which seats are away while the table waits, and when our player can act."""
    model = state.match
    who = listed([str(model.names[seat]) for seat in missed])
    elsewhere = model.may_put_aside and model.elsewhere.issuperset(missed)
    why = _("{who}: at another table.") if elsewhere else _("{who}: away.")
    return f"{why.format(who=who)} {_prospect(state, missed)}".rstrip()


def _prospect(state: ScreenState, missed: list[Seat]) -> str:
    """Say when our player can act while the table waits for these seats; a spectator cannot.

    The time is never 0, because the seats are late then.
    """
    model = state.match
    if model.seat is None:
        return ""
    if model.may_put_aside:
        return keys_in_brackets(_("Wait, or put it aside (Esc)."))
    if not any(model.can_be_decided(seat) for seat in missed):
        return _("Too few are here to vote; the match waits.")
    left = max(1, model.limit - int(max(state.waited.get(seat, 0) for seat in missed)))
    going = later("In {seconds} s you may vote to go on without them.")
    ending = later("In {seconds} s you may vote to end the match.")
    return _(ending if model.ends_without(*missed) else going).format(seconds=left)


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


def _wish(state: ScreenState, seat: Seat) -> str:
    """Say that a seat wants another match; a window has a button for the same."""
    who = state.match.names[seat]
    wish = _("{who} wants to play again.").format(who=who)
    if state.match.seat is None:
        return wish
    keyed_wish = _("{who} wants to play again: {key}.")
    return Written(keyed_wish.format(who=who, key=letter(PLAY_AGAIN)), wish)


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
    again = (("turn", line) for line in wishes(state))
    left = (("dim", line) for line in departures(state))
    lines = (("moment", result(state)), *left, ("strong", scores), ("good", kept), *again)
    return [(style, line) for style, line in lines if line]


def departures(state: ScreenState) -> list[str]:
    """Return how seats left a match that is over, if its result does not say it."""
    said = [_departure(state, seat) for seat in state.match.gone]
    return [line for line in said if line and line != result(state)]


def wishes(state: ScreenState) -> list[str]:
    """Return who wants to play again, and who does not."""
    return [*(_wish(state, seat) for seat in state.again), *partings(state)]


def partings(state: ScreenState) -> list[str]:
    """Return who has left the table of a match that is over."""
    said = _("{who} has left the table.")
    return [said.format(who=state.match.names[seat]) for seat in state.parted]
