"""The sentences of notices, by their ids: things at a table that are worth a line."""

from __future__ import annotations

from collections.abc import Mapping

from client.i18n.translation import later

NOTICES: Mapping[str, str] = {
    "table-open": later("Table {table} is open on port {port}."),
    "invite": later("Others join with: sobremesa\u00a0join\u00a0{invite}"),
    "moved": later("This machine has another address now, and its table another invite."),
    "no-invite": later(
        "No other machine can reach this table now, because this machine is on no network. The "
        "program shows the invite as soon as it is on one."
    ),
    "table-found": later("Found table {table}, opened by {nick}. Joining…"),
    "table-known": later(
        "Your contact {nick} has opened table {table} at an earlier address. Joining…"
    ),
    "no-discovery": later(
        "The program cannot find tables on this network: {error}. Addresses and invites still work."
    ),
    "unfinished": later(
        "The match is not finished, and waits for you: come back with `sobremesa\u00a0resume`. Its "
        "log so far: {log}"
    ),
    "contacts-damaged": later(
        "The file of your contacts was damaged, and is now called {path}. Until you repair it and "
        "put it back, the program knows, trusts and blocks nobody."
    ),
    "signed": later(
        "You have signed the terms of a match, and it waits for you: come back with "
        "`sobremesa\u00a0resume`."
    ),
    "resumed": later("Back in match {match}. Events since its last shuffle:"),
    "shuffles": later("  · {who} shuffles …"),
    "turned-away": later("A player was rejected: {error}"),
    "invited": later("{who} ({id}) has come with your invite."),
    "watch-invited": later("Somebody with the key {id} has come with your invite, to watch."),
    "only-here": later(
        "No other machine can reach this table, because it is open at {address} alone: the invite "
        "is for programs on this machine."
    ),
    "seats-drawn": later(
        "Your program has drawn the seats. The others cannot check that it was by chance."
    ),
    "seats-stay": later("All seats are taken, and the players sign: the seats stay as they are."),
    "renewed": later("There is another invite. The earlier one admits nobody else."),
    "watch-invite": later(
        "All seats are taken. Spectators watch with: sobremesa\u00a0watch\u00a0{invite}"
    ),
    "verdict": later("The evidence, for anybody to check: {path}"),
    "desync": later(
        "This file has the state of the match here. Compare it with the other player's: {path}"
    ),
    "branch": later(
        "The last entries were withdrawn, and the match continues from before them. The earlier "
        "log is kept: {path}"
    ),
    "last-words": later(
        "Somebody is away: the program waits up to {seconds} seconds, to tell them too."
    ),
    "departure-kept": later(
        "Those who are away learn it later over the network, while you are in the lobby or sit at "
        "a table."
    ),
    "looks-on": later(
        "A spectator is watching, with the key {id}. Spectators see no hidden cards."
    ),
    "look-for": later("Looking for table {table}…"),
    "look-for-any": later("Looking for a table…"),
    "look-to-watch": later("Looking for a table to watch…"),
    "try-again": later("No answer yet. Trying again…"),
    "parted": later("{who} has left the table."),
    "host-lost": later("The link to the host is lost. Trying again for {seconds} seconds…"),
    "host-back": later("The link to the host is back."),
    "watch-found": later("Found table {table}, opened by {nick}. Watching…"),
    "watch-waits": later("The match has not begun. You will see it as soon as it does."),
    "no-link": later("There is no link to {id} now, so there are no words to compare."),
    "blocked": later(
        "{who} ({id}) is blocked. To trust that player instead: sobremesa peers trust {id}"
    ),
    "copied-home": later(
        "{who} reports another program with your key. If there is a copy of your folder, play with "
        "only one of them."
    ),
    "no-network": later("This machine is on no network, and no table is open on it."),
    "no-contacts": later(
        "The program shows no tables, because it cannot read which players you have blocked: "
        "{error}"
    ),
    "not-said": later(
        "Your last remark was not sent: the others are shown at most {count} in {seconds} seconds."
    ),
    "contained": later(
        "Sobremesa made an error with something that another program had sent. It closed that "
        "connection, and goes on. This file has the details for a report: {path}"
    ),
    "not-shown": later("More messages like the last one come too fast, and are not all shown."),
    "thinks-here": later(
        "The computer thinks inside this program: from its speed, others may guess how much there "
        "is to think about."
    ),
    "not-remembered": later("The program cannot save the players that you meet: {error}"),
}
"""The sentences of `Notice`; its params fill the braces."""
