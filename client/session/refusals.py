"""Refusals as the sentences that end a command: a table cannot be joined, or a player is rejected."""

from __future__ import annotations

from client.i18n.translation import Name, _, later
from client.session.status import RefusedError, Stop, VersionError
from p2p.net.text import clean
from p2p.table.lobby import TableRefused

_VERSIONS = {
    "other-protocol": later("they speak another version of the protocol; {update}"),
    "unknown-game": later("they play a game that this version does not know; {update}"),
    "other-rules": later("they play by another version of the rules; {update}"),
    "bad-option": later("they play with options that this version does not know; {update}"),
}


def refusal(error: TableRefused) -> Stop:
    """Return the sentence for why a table cannot be joined, and with it the exit status."""
    if error.why in _VERSIONS:
        return VersionError(_other_version(error))
    if error.why in ("changed-key", "blocked") and error.details:  # we refuse them; without details they refuse us
        return RefusedError(kept_out(error))
    sentences = {
        "full": _("the table is full"),
        "not-invited": _("the table is private: ask for an invite"),
        "already-seated": _("that key already sits at this table"),
        "not-as-shown": _("the host proposed other terms than it had shown; nothing was signed"),
        "changed-key": _(
            "they know somebody else by your nick: take another (--nick, or Settings), or let them compare fingerprints"
        ),
        "blocked": _("they do not want to play with that key"),
        "cannot-return": _("you sat at this table before and left; this version cannot go back into a match"),
        "not-signed": _("the table did not hear that you agree to its terms, and gave your seat to others"),
        "too-soon": _("the terms of that table were not signed from your address: try again in a while"),
        "playing": _("they play already; the table is closed"),
        "no-table": _("nobody has opened a table there"),
        "no-spectators": _("that match allows no spectators: its players have agreed on that"),
        "too-many": _("that match has no room for more spectators"),
        "other-match": _("they have gone on to another match"),
        "spoiled": _("the entries shown of that match were not signed by its players; you are no longer watching it"),
        "no-answer": _("the host did not answer"),
        "host-gone": _("the host has gone"),
        "never-begun": _("that match has never begun: not all had signed its terms"),
        "reopened": _("somebody went before the match began, and the table was opened again: join once more"),
    }
    return RefusedError(sentences.get(error.why, _("the table cannot be joined: {why}").format(why=clean(error.why, 40))))


def kept_out(error: TableRefused) -> str:
    """Return the sentence for why we will not sit at a table with somebody."""
    nick, letters, *present = error.details
    who = Name(nick)
    if error.why == "blocked":
        return _("{who} ({id}) sits there, and you have blocked that player").format(who=who, id=letters)
    sentence = _(
        "This is not the {who} whom you trust: the key is {present}, and theirs was {trusted}. Ask {who}, not this table, "
        "whether they have a new one. Only if so: sobremesa peers forget {trusted}"
    )
    return sentence.format(who=who, present=present[0], trusted=letters)


def _other_version(error: TableRefused) -> str:
    """Say which side must update. The details are (…, theirs, ours), where both are known."""
    here, there = _("update Sobremesa here"), _("ask them to update")
    numbers = [number for number in error.details if type(number) is int]
    which = here if len(numbers) < 2 or numbers[0] > numbers[1] else there
    return _(_VERSIONS[error.why]).format(update=which)
