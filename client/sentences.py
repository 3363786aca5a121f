"""Sentences that belong to no game, by their ids: notices, answers to what was typed, faults, help."""

from __future__ import annotations

from collections.abc import Mapping

from client.words import later

NOTICES: Mapping[str, str] = {
    "table-open": later("Table {table} is open on port {port}. Others join with: sobremesa join {invite}"),
    "table-found": later("Found table {table}, opened by {nick}. Joining…"),
    "no-discovery": later("Nobody can be found by name here: {error}. Addresses and invites work all the same."),
    "shuffles": later("  · {who} shuffles …"),
    "turned-away": later("Somebody was turned away: {error}"),
}
"""What `Notice` can say; its params stand in the braces."""

FAULTS: Mapping[str, str] = {
    "BadForm": later("{who} sent something that has not the form it must have."),
    "OutOfTurn": later("{who} spoke where the rules give nobody but others the word."),
    "BadProof": later("{who} sent a proof that does not hold."),
    "IllegalPlay": later("{who} made a move that the rules forbid."),
    "Equivocation": later("{who} signed two different things for one moment."),
}
"""What a seat did, by the kind of its fault."""

REPLIES: Mapping[str, str] = {
    "too-long": later("That is too long; a line has at most {limit} characters."),
    "not-understood": later("`{text}` is neither a move nor a command. `help` shows both."),
    "not-your-turn": later("It is not your turn."),
    "over": later("The match is over."),
    "may-not-leave": later("You cannot leave now."),
    "leaving": later("You leave."),
    "hint": later("A computer player would: {text}"),
    "quit-price": later("The match is not over: the others would wait for you. To end the program all the same: quit yes"),
}

COMMANDS: Mapping[str, str] = {
    "help": later("this help, and every move you may make now"),
    "hint": later("what a computer player would do"),
    "table": later("the table and your hand once more"),
    "rules": later("the rules in short"),
    "leave": later("give up your place; asks once more"),
    "quit": later("end the program"),
}
"""What can be typed besides moves, and what it does."""
