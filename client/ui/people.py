"""Typed lines about the people at the table: talk, trust, and the players that are not heard."""

from __future__ import annotations

from dataclasses import replace

from client.session.messages import Arrange, Compare, Renew, Speak, Vouch
from client.session.talk import TALK_CHARACTERS
from client.ui.model import TYPED_LIMIT, MatchPhase, Model, Reply, Result, reply
from client.ui.phrases import spoken
from client.ui.seats import changed
from p2p.net.text import bare, columns


def with_others(model: Model, command: str, said: str) -> Result:
    """Obey a command that is about the people at the table."""
    match command:
        case "words":
            return model, (Compare(),)
        case "renew" if model.lobby.hosting:
            return model, (Renew(),)
        case "renew":
            return reply(model, "no-invite-here")
        case "seats":
            return _arrange(model, said.casefold().split())
        case "talk":
            return _talk(model, said)
        case "trust":
            return _vouch(model, "".join(said.split()))
    return _mute(model, "".join(said.split()))


def _arrange(model: Model, said: list[str]) -> Result:
    """Let two seats of our table change places, or draw all of them."""
    if not model.lobby.hosting or model.phase is not MatchPhase.LOBBY:
        return reply(model, "no-seats-here")
    seats = {f"p{seat + 1}": seat for seat in range(len(model.players))}
    match said:
        case ["lot"]:
            return model, (Arrange(),)
        case [one, other] if one != other and one in seats and other in seats:
            return model, (Arrange(changed(len(seats), seats[one], seats[other])),)
    return reply(model, "which-seats")


def _vouch(model: Model, who: str) -> Result:
    """Trust a player; if another one sits there now than when the words were shown, show them."""
    found = _person(model, who)
    if found is None:
        return _whom(model, who, "trust-whom")
    seat = model.seat_of(found)
    moved = who.upper() != found and seat is not None and model.compared.get(seat, found) != found
    return model, (Compare() if moved else Vouch(found),)


def _mute(model: Model, who: str) -> Result:
    """No longer hear a player, or hear that player again."""
    found = _person(model, who)
    seat = None if found is None else model.seat_of(found)
    if found is None or seat is None:
        return _whom(model, who, "mute-whom")
    model = replace(model, muted=model.muted ^ {found})
    facts = {"who": model.names[seat], "number": seat + 1}
    return reply(model, "heard" if model.hears(seat) else "muted", **facts)


def _whom(model: Model, who: str, otherwise: str) -> Result:
    """Answer a command that names no person; say so if it names a computer player."""
    for seat, player in enumerate(model.players):
        if player and player.bot and who.upper() in (f"P{seat + 1}", player.fingerprint):
            return reply(model, "no-person", who=model.names[seat])
    return reply(model, otherwise)


def _person(model: Model, who: str) -> str | None:
    """Return the fingerprint of the other person at a seat, `p2`, or with that fingerprint.

    It must be whole, because its beginning can be another's whole nick.
    """
    people = {f"p{seat + 1}": player.fingerprint for seat, player in model.others.items()}
    letters = people.get(who.casefold(), who.upper())
    return letters if letters in people.values() else None


def _talk(model: Model, line: str) -> Result:
    """Say something to the others, all of it or nothing; without words list the phrases."""
    if model.phase is MatchPhase.LOBBY and model.others:
        return reply(model, "talk-later")
    if model.phase is MatchPhase.LOBBY or model.seat is None or model.lesson or not model.others:
        return reply(model, "nobody-hears")
    words = bare(line, 2 * TYPED_LIMIT)  # no wider than that: nothing is cut
    if not words:
        return reply(model, "phrases")
    text, phrase = spoken(words)
    if not phrase and max(len(words), columns(words)) > TALK_CHARACTERS:
        return reply(model, "talk-too-long", limit=TALK_CHARACTERS)
    said = Reply("said", {"text": text, "phrase": phrase})
    return replace(model, reply=(said,)), (Speak(text, phrase),)
