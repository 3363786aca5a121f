"""Sentences that belong to no game, by their ids: notices, answers to what was typed, faults, help."""

from __future__ import annotations

from collections.abc import Mapping

from client.words import later

NOTICES: Mapping[str, str] = {
    "open": later("The table is open. Waiting for players."),
    "invite": later("Others join with: sobremesa join {invite}"),
    "address": later("or with the address: sobremesa join {address}"),
    "searching": later("Looking for tables on this network…"),
    "found": later("Found a table: {table}"),
    "joining": later("Joining {table}…"),
    "starting": later("All seats are taken. The match begins."),
    "no-discovery": later("Nobody can be found by name here: {reason} Addresses and invites work all the same."),
    "bad-link": later("{who} sent what no player has signed ({reason}); that link was closed."),
    "auto": later("A computer player sits for you."),
    "error": later("{text}"),
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
