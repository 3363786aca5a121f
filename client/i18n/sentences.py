"""Sentences that belong to no game, by their ids: notices, answers to typed lines, faults, help."""

from __future__ import annotations

from collections.abc import Mapping

from client.i18n.translation import Name, _, later
from p2p.table.faults import Fault

NOTICES: Mapping[str, str] = {
    "table-open": later("Table {table} is open on port {port}. Others join with: sobremesa\u00a0join\u00a0{invite}"),
    "table-found": later("Found table {table}, opened by {nick}. Joining…"),
    "table-known": later("{nick}, whom you know, has table {table} open where they were before. Joining…"),
    "no-discovery": later("Nobody can be found by name here: {error}. Addresses and invites work all the same."),
    "unfinished": later(
        "The match is not finished, and waits for you: come back with `sobremesa\u00a0resume`. Its log so far: {log}"
    ),
    "contacts-damaged": later(
        "The file of those you know was damaged, and is now called {path}. Until you mend it and put it back nobody is known, "
        "trusted or blocked."
    ),
    "signed": later("You have signed for a match, and it waits for you: come back with `sobremesa\u00a0resume`."),
    "resumed": later("Back in match {match}. Events since its last shuffle:"),
    "shuffles": later("  · {who} shuffles …"),
    "turned-away": later("Somebody was turned away: {error}"),
    "next-invite": later(
        "The invite has let one in, and lets in nobody else. The next one joins with: sobremesa\u00a0join\u00a0{invite}"
    ),
    "verdict": later("The evidence, for anybody to check: {path}"),
    "desync": later("How it stands here is written down, to be compared with how it stands there: {path}"),
    "branch": later("The last entries do not stand: the match goes on from before them. The log as it was is kept: {path}"),
    "looks-on": later("A spectator is watching, with the key {id}. Spectators see no hidden cards."),
    "look-for": later("Looking for table {table}…"),
    "look-for-any": later("Looking for a table…"),
    "watch-found": later("Found table {table}, opened by {nick}. Watching…"),
    "watch-waits": later("The match has not begun. You will see it as soon as it does."),
    "no-link": later("There is no link to {id} now, and so there is nothing to compare."),
    "blocked": later("{who} ({id}) is blocked. If that is over: sobremesa peers trust {id}"),
    "not-remembered": later("The players you meet cannot be remembered: {error}"),
}
"""The sentences of `Notice`; its params fill the braces."""

FAULTS: Mapping[str, str] = {
    "BadForm": later("{who} sent something that has not the form it must have."),
    "OutOfTurn": later("{who} acted out of turn."),
    "BadProof": later("{who} sent a proof that does not hold."),
    "IllegalPlay": later("{who} made a move that the rules forbid."),
    "Equivocation": later("{who} signed two different things for one moment."),
    "FalseFlush": later("{who} hid an entry that {who} had signed before."),
}
"""The sentence for each kind of fault."""

NETWORK: Mapping[str, str] = {
    "FrameTooLong": later("The other side announced a message of {length} bytes; at most {limit} are allowed."),
    "NotSobremesa": later("The program at {address} is not Sobremesa. Check the address and the port."),
    "WrongPeer": later(
        "{got} answered where {expected} was expected. Ask for a new invite, and compare fingerprints before you play."
    ),
    "PeerBlocked": later("You have blocked {peer}. To play with them after all: sobremesa peers forget {peer}."),
    "Unproven": later("Somebody at {address} claimed to be {claimed} and could not prove it. Nothing was said to them."),
    "OwnIdentity": later(
        "The program at {address} has your own key. It is this program, or a copy of its folder. Give each player a folder."
    ),
    "VersionMismatch": later(
        "{peer} speaks protocol {theirs} (program {their_program}), you speak {ours} (program {our_program})."
    ),
    "UpdateHere": later(
        "Update Sobremesa here: {peer} speaks protocol {theirs} ({their_program}), you speak {ours} (this is {our_program})."
    ),
    "UpdateThere": later(
        "Ask {peer} to update: they speak protocol {theirs} (program {their_program}), you speak {ours} (program {our_program})."
    ),
    "LinkLost": later("The link to {peer} was lost ({reason})."),
    "TooSlow": later("{address} did not answer within {seconds} seconds; perhaps the table is not open any more."),
    "Unreachable": later("Nobody can be reached at {address}: {hint}."),
    "PortInUse": later("Port {port} is already in use or not allowed here. Choose another with --port, or leave the option out."),
    "NoSuchInterface": later("This machine has no interface with the address {address}."),
    "NoDiscovery": later(
        "Tables on this network cannot be found by themselves: {reason}. Join with an invite or an address instead."
    ),
    "NotAnInvite": later("This is no whole invite: {reason}. Copy it again, from SBM1 to the last character."),
    "BadAddress": later("{text} is no address. Write HOST or HOST:PORT, for example 192.168.1.23:47747."),
    "KeyFileUnreadable": later("The file with your key cannot be used: {path}."),
}
"""The sentence for each error of the network; its facts fill the braces."""

GONE: Mapping[str, tuple[str, str]] = {
    "left": (later("You have left the match."), later("{who} has left the match.")),
    "convicted": (
        later("You have been shut out of the match: an entry that you signed does not verify."),
        later("{who} is out of the match, convicted by an entry that {who} signed."),
    ),
    "voted": (
        later("{voters} have voted ({votes} of {electorate}) to go on without you: you are out of this match."),
        later("{voters} have voted ({votes} of {electorate}) to go on without {who}."),
    ),
}
"""How a seat has gone: to itself, and to the others."""

REPLIES: Mapping[str, str] = {
    "too-long": later("That is too long; a line has at most {limit} characters."),
    "not-understood": later("`{text}` is neither a move nor a command. `help` shows both."),
    "not-your-turn": later("It is not your turn."),
    "over": later("The match is over."),
    "may-not-leave": later("You cannot leave now."),
    "leaving": later("You leave."),
    "trust-whom": later("Name another player at this table, by seat or by whole fingerprint: trust p2"),
    "nobody-late": later("The table has not waited for anybody for long."),
    "no-votes": later("Two players hold no vote. Put the match aside if you will not wait: it goes on when you are both back."),
    "voted-already": later("You have voted. The table goes on as soon as enough others have."),
    "may-not-put-aside": later("This match cannot be put aside: the others can vote to go on without an absent player."),
    "hint": later("A computer player would: {text}"),
    "hint-said": later("A computer player would: {text}  “{said}”"),
    "quit-price": later(
        "The match is not over: the others would wait for you, until you come back with `sobremesa resume`. To end the program "
        "all the same: quit yes"
    ),
}

COMMANDS: Mapping[str, str] = {
    "help": later("this help, and every move you may make now"),
    "hint": later("a computer player's move"),
    "table": later("the score, the table and your hand once more"),
    "rules": later("the rules in short"),
    "words": later("three words for each player, to be compared aloud: the same ones, or somebody sits between you"),
    "trust": later("trust a player whose words you have found the same, as in: trust p2"),
    "without": later("vote to go on without a player who keeps the table waiting too long; asks once more"),
    "aside": later("put the match aside: with two players, it goes on when both are back"),
    "leave": later("give up your seat; asks once more"),
    "quit": later("end the program"),
}
"""The typed commands besides moves, with their descriptions."""

LESSON_COMMANDS: Mapping[str, str] = {
    **{name: COMMANDS[name] for name in ("help", "hint", "table", "rules")},
    "lesson": later("the explanation of this turn once more"),
    "hands": later("the cards of the others: a lesson is played with open cards"),
    "quit": later("end the lesson"),
}
"""The typed commands in a lesson."""

ARGPARSE = (
    later("usage: "),
    later("positional arguments"),
    later("options"),
    later("show this help message and exit"),
    later("the following arguments are required: %s"),
    later("unrecognized arguments: %s"),
    later("argument %(argument_name)s: %(message)s"),
    later("invalid choice: %(value)r (choose from %(choices)s)"),
    later("expected one argument"),
    later("expected at least one argument"),
    later("ignored explicit argument %r"),
)
"""The sentences of Python's argparse; it looks them up by itself."""


def said(error: Exception) -> str:
    """Return the sentence of an error in the reader's language with its facts filled in; its own text if it has none."""
    if isinstance(error, Fault):
        return _(FAULTS[error.kind]).format(who=Name(f"p{error.seat + 1}")).removesuffix(".")
    sentence, facts = getattr(error, "sentence", ""), getattr(error, "facts", {})
    network = NETWORK.get(getattr(error, "id", ""))
    if network is not None:
        sentence, facts = network, {name: _(fact) for name, fact in facts.items()}
    if not sentence:
        return _(str(error))
    shown = {name: said(fact) if isinstance(fact, Exception) else fact for name, fact in facts.items()}
    return _(sentence).format(**shown) if shown else _(sentence)
