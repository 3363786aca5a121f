"""Sentences that belong to no game, by their ids: answers to typed lines, errors, help."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from client.i18n.translation import Name, _, later

FAULTS: Mapping[str, str] = {
    "BadForm": later("{who} sent an entry of the wrong form."),
    "OutOfTurn": later("{who} acted out of turn."),
    "BadProof": later("{who} sent a proof that does not hold."),
    "IllegalPlay": later("{who} made a move that the rules forbid."),
    "Equivocation": later("{who} signed two different entries for the same moment."),
    "FalseFlush": later("{who} concealed an entry that {who} had signed."),
}
"""The sentence for each kind of fault."""

NETWORK: Mapping[str, str] = {
    "FrameTooLong": later(
        "The other side announced a message of {length} bytes; at most {limit} are allowed."
    ),
    "NotSobremesa": later(
        "The program at {address} is not Sobremesa. Check the address and the port."
    ),
    "WrongPeer": later(
        "{got} answered instead of {expected}. Ask for a new invite, and compare fingerprints "
        "before you play."
    ),
    "PeerBlocked": later(
        "You have blocked {peer}. To play with them after all: sobremesa peers forget {peer}."
    ),
    "Unproven": later(
        "Somebody at {address} claimed to be {claimed} and could not prove it. The program sent "
        "them nothing."
    ),
    "OwnIdentity": later(
        "The program at {address} has your own key. It is this program, or a copy of its folder. "
        "Give each player a folder."
    ),
    "VersionMismatch": later(
        "{peer} speaks protocol {theirs} (program {their_program}), you speak {ours} (program "
        "{our_program})."
    ),
    "UpdateHere": later(
        "Update Sobremesa here: {peer} speaks protocol {theirs} ({their_program}), you speak "
        "{ours} (this is {our_program})."
    ),
    "UpdateThere": later(
        "Ask {peer} to update: they speak protocol {theirs} (program {their_program}), you speak "
        "{ours} (program {our_program})."
    ),
    "LinkLost": later("The link to {peer} was lost ({reason})."),
    "TooSlow": later(
        "{address} did not answer within {seconds} seconds; perhaps the table is not open any more."
    ),
    "Broken": later("This program made an error of its own with the connection to {address}."),
    "Unreachable": later("Nobody can be reached at {address}: {hint}."),
    "PortInUse": later(
        "Port {port} is already in use or not allowed here. Choose another with --port, or leave "
        "the option out."
    ),
    "NoSuchInterface": later("This machine has no interface with the address {address}."),
    "NoDiscovery": later(
        "The program cannot find tables on this network: {reason}. Join with an invite or an "
        "address instead."
    ),
    "NotAnInvite": later(
        "This invite does not work: {reason}. Compare it with the original, character by character."
    ),
    "BadAddress": later(
        "{text} is not an address. Write HOST or HOST:PORT, for example 192.168.1.23:47747."
    ),
    "KeyFileUnreadable": later("The file with your key cannot be used: {path}."),
}
"""The sentence for each error of the network; its facts fill the braces."""

CLAUSES: Mapping[str, Mapping[str, str]] = {
    "Unreachable": {
        "refused": later(
            "no program listens there; check the port, and that the table is still open"
        ),
        "silent": later(
            "no answer at all; look for a firewall, or for a network that keeps devices apart "
            "(guest Wi-Fi)"
        ),
        "no route": later(
            "there is no route to that machine; check that both machines are on the same network"
        ),
        "no network": later(
            "no network of this machine reaches that address; check Wi-Fi or cable"
        ),
        "unknown": later("this machine cannot resolve that name; use the address"),
        "blocked": later(
            "macOS may be in the way; switch on your terminal in System Settings, Privacy & "
            "Security, Local Network"
        ),
        "here": later(
            "that address leads to this machine itself; ask for a new invite, or for another "
            "address"
        ),
        "failed": later("the connection failed; check the address"),
    },
    "NoDiscovery": {
        "no network": later("this machine is on no network"),
        "port": later("another program keeps port 5353 for itself"),
        "forbidden": later("the system does not allow it"),
        "few files": later("this program has too many open files (see `ulimit -n`)"),
        "not installed": later("the package zeroconf is not installed, or does not load"),
        "failed": later("zeroconf does not work here"),
    },
    "NotAnInvite": {
        "start": later("it does not begin with SBM1"),
        "letter": later(
            "{letter} in group {group} after SBM1 must be a mistake, as no invite has that "
            "character"
        ),
        "part": later("group {group} after SBM1 has {length} characters instead of 4"),
        "length": later("it has {length} characters after SBM1 instead of {expected}"),
        "group": later("a character in group {group} after SBM1 is probably wrong"),
        "groups": later("a character in one of these groups after SBM1 is probably wrong: {group}"),
        "check": later("a character is wrong, or two have changed places"),
        "version": later("it is of another version of Sobremesa"),
    },
    "LinkLost": {"unproven": later("the other side")},
}
"""The clause for each hint or reason among the facts of an error of the network, and for a peer
without a proven identity."""

OPTIONS: Mapping[str, str] = {
    "not-in-range": later("{name} is a whole number from {low} to {high}, not {value!r}"),
    "not-a-value": later("{name} can be {allowed}, not {value}"),
    "unreadable-value": later("{name} cannot be {text!r}"),
    "no-such-option": later("{name} has no option {key!r}"),
    "wrong-players": later("{name} is for {allowed} players, not {players!r}"),
    "partners-of-4": later("partners are for 4 players, not {players}"),
    "partners-of-4-or-6": later("partners are for 4 or 6 players, not {players}"),
    "six-without-teams": later("six players always play in teams"),
    "contracts-out-of-order": later("the last contract is at least the first, {first}"),
    "stakes-out-of-order": later(
        "the least bet may not be above the highest stake, nor that above the chips"
    ),
}
"""The sentence for each `BadOption`."""

LOGS: Mapping[str, str] = {
    "log-of-other-protocol": later("a log of protocol {theirs}; this program speaks {ours}"),
    "log-of-other-game": later("a log of the game {game}, which this version does not know"),
    "malformed-log": "{error}",
    "no-replay-page": later(
        "this is neither a log nor a page that Sobremesa has made, or it is cut off"
    ),
    "named-as-page": later(
        "the name is that of a page, but no page of Sobremesa is inside: a browser may show "
        "anything"
    ),
    "damaged-page": later("the log in this page was damaged, or changed by somebody"),
    "unfit-share": later(
        "the proofs for the hidden cards in this page do not hold: somebody changed them"
    ),
    "page-too-long": later("the log in this page has more than {limit} bytes"),
    "unsigned-terms": later("the terms are not signed by all seats: {error}"),
    "bad-terms": later("the terms: {error}"),
    "bad-entry": later("record {number}, entry {place}: {error}"),
    "unsigned-entry": later("not signed by p{number}"),
    "after-verdict": later("record {number}: something follows a verdict"),
    "after-end": later("record {number}: something follows the end of the match"),
    "fault-in-record": later("record {number}: {fault} ({kind})"),
    "entries-out-of-order": later(
        "record {number}: its entries are not in the order of their stages and seats, or there are "
        "too many"
    ),
    "no-such-card": later("record {number}: the proofs are valid, but a card is not in the pack"),
    "entry-does-not-follow": later(
        "record {number}: an entry of p{seat} does not follow from the entries before it"
    ),
    "early-seals": later("record {number}: seals before the end of the match"),
    "convicts-nobody": later(
        "record {number}: it convicts nobody, or has more entries than that takes"
    ),
    "epoch-not-shown": later(
        "record {number}: it does not show that these seats may go, or has more entries than that "
        "takes"
    ),
    "step-not-whole": later(
        "record {number}: step {step} is incomplete: entries of {seats} are missing"
    ),
}
"""The sentence for each `BadLog`."""

DEPARTURES: Mapping[str, str] = {
    "unreadable-departure": later("it cannot be read ({error})"),
    "damaged-departure": later("it is damaged, or another kind of file"),
    "departure-of-other-match": later("it is of another match"),
    "unsigned-departure": later("a signature in it is wrong"),
}
"""The clause for each `BadDeparture`."""

VERSIONS: Mapping[str, str] = {
    "other-protocol": later("they speak another version of the protocol; {update}"),
    "unknown-game": later("they play a game that this version does not know; {update}"),
    "other-rules": later("they play by another version of the rules; {update}"),
    "bad-option": later("they play with options that this version does not know; {update}"),
}
"""The sentence for each `TableRefused` by another version; `UPDATE` says which side must update."""

UPDATE = (later("ask them to update"), later("update Sobremesa here"))

REFUSALS: Mapping[str, str] = {
    "full": later("the table is full"),
    "not-invited": later("the table is private: ask for an invite"),
    "old-invite": later(
        "this invite is not valid any more, or is for another table: ask for a new one"
    ),
    "other-table": later(
        "the invite is for an earlier table of this host: ask for a new one, or choose the present "
        "table"
    ),
    "already-seated": later("that key already sits at this table"),
    "not-as-shown": later("the host proposed other terms than it had shown; nothing was signed"),
    "other-terms": later(
        "the table there now has other terms than the match before; nothing was signed: join it "
        "again if you want to play by them"
    ),
    "changed-key": later(
        "they know somebody else by your nick: take another (--nick, or Settings), or let them "
        "compare fingerprints"
    ),
    "blocked": later("they do not want to play with that key"),
    "cannot-return": later(
        "you sat at this table before and left; this version cannot go back into a match"
    ),
    "not-signed": later(
        "the table did not hear that you agree to its terms, and gave your seat to others"
    ),
    "too-soon": later(
        "the terms of that table were not signed from your address: try again in a while"
    ),
    "playing": later("they play already; the table is closed"),
    "no-table": later("nobody has opened a table there"),
    "other-reason": later("the table cannot be joined: {why}"),
    "one-seat": later("at that table a guest takes one seat, and brings no computer players"),
    "no-spectators": later("that match allows no spectators: its players have agreed on that"),
    "too-many": later("that match has no room for more spectators"),
    "other-match": later("they have started another match"),
    "spoiled": later(
        "the entries shown of that match were not signed by its players; you are no longer "
        "watching it"
    ),
    "no-answer": later("the host did not answer"),
    "host-gone": later("the host has gone"),
    "host-lost": later(
        "the link to the host was lost, and there was no way back; join again when the network "
        "is better"
    ),
    "displaced": later("a copy of your folder has taken your place; play with only one of them"),
    "never-begun": later("that match never began: it was called off before all had signed"),
    "reopened": later(
        "a player left before the match began, and the host opened the table again: join again"
    ),
}
"""The sentence for each other `TableRefused`."""

KEPT_OUT: Mapping[str, str] = {
    "blocked": later("{who} ({id}) sits there, and you have blocked that player"),
    "changed-key": later(
        "This is not the {who} whom you trust: the key is {present}, and theirs was {trusted}. Ask "
        "{who}, not this table, whether they have a new one. Only if so: sobremesa peers forget "
        "{trusted}"
    ),
}
"""The sentence for a `TableRefused` of our own, which has facts: we reject somebody."""

ERRORS: Mapping[str, str] = {
    **NETWORK,
    **FAULTS,
    **OPTIONS,
    **LOGS,
    **DEPARTURES,
    **VERSIONS,
    **REFUSALS,
}
"""The sentence for each error with an id; its facts fill the braces."""

GONE: Mapping[str, tuple[str, str]] = {
    "left": (
        later("You have left the match, and lost it."),
        later("{who} has left the match."),
    ),
    "convicted": (
        later("You have been shut out of the match: an entry that you signed does not verify."),
        later("{who} is out of the match, convicted by an entry that {who} signed."),
    ),
    "voted": (
        later(
            "{voters} have voted ({votes} of {electorate}) to go on without you: you are out of "
            "this match."
        ),
        later("{voters} have voted ({votes} of {electorate}) to go on without {who}."),
    ),
    "voted-to-end": (
        later(
            "{voters} have voted ({votes} of {electorate}) to end the match without you: you are "
            "out of this match."
        ),
        later("{voters} have voted ({votes} of {electorate}) to end the match without {who}."),
    ),
}
"""How a seat has gone: to itself, and to the others. `voted-to-end`: if the rules end the match
then."""

REPLIES: Mapping[str, str] = {
    "too-long": later("That is too long; a line has at most {limit} characters."),
    "not-understood": later("`{text}` is neither a move nor a command. `help` shows both."),
    "not-whole": later("`{text}` is not a whole move. For example: {moves}"),
    "watching": later("You watch: only the players can do that."),
    "no-person": later("{who} is a computer player: only people are trusted, or muted."),
    "not-your-turn": later("It is not your turn."),
    "over": later("The match is over."),
    "may-not-leave": later("You cannot leave now."),
    "leaving": later("You leave."),
    "trust-whom": later(
        "Name another player at this table, by seat or by whole fingerprint: trust p2"
    ),
    "undo": later(
        "A move cannot be taken back: it is signed and sent when you press Enter, and the others "
        "may have acted on it. So read the line before you press it."
    ),
    "no-hints": later("The house rules of this table are that programs give no hints."),
    "no-seats-here": later("You arrange the seats of your own table only, and before the match."),
    "which-seats": later("Name two seats, for example `seats p2 p3`, or draw them: `seats lot`"),
    "no-invite-here": later("You have no table open that others can be invited to."),
    "mute-whom": later(
        "Name another player at this table, by seat or by whole fingerprint: mute p2"
    ),
    "muted": later("You no longer hear {who}. To hear this player again: mute p{number}"),
    "heard": later("You hear {who} again."),
    "nobody-hears": later("There is nobody here to hear you."),
    "talk-later": later("You can talk to each other as soon as the match begins."),
    "phrases": later("Say something with `talk` and your own words, or one of these phrases:"),
    "talk-too-long": later(
        "That is too long: say at most {limit} characters at once. Nothing was said."
    ),
    "nobody-late": later("The table has not waited long enough for any player."),
    "no-votes": later(
        "Two players cannot vote. If you do not want to wait, put the match aside: it continues "
        "when you are both back."
    ),
    "voted-already": later(
        "You have voted. The match continues as soon as enough others have voted."
    ),
    "voted-to-end": later("You have voted. The match ends as soon as enough others have voted."),
    "may-not-put-aside": later(
        "This match cannot be put aside: the others can vote out an absent player."
    ),
    "hint": later("Hint: {reason} Type {text}"),
    "quit-price": later(
        "You do not leave for good: the match waits until you come back with `sobremesa resume`. "
        "To end the program all the same: quit yes"
    ),
}

TYPED_COMMANDS: Mapping[str, str] = {
    "help": later("this help, and every move you may make now"),
    "hint": later("a computer player's move"),
    "table": later("the score, the table and your hand once more"),
    "rules": later("the rules in short"),
    "words": later(
        "three words for each player: compare them by voice; if they differ, somebody intercepts "
        "the link"
    ),
    "trust": later("trust a player after you have compared the words, for example: trust p2"),
    "undo": later("the reason why a move cannot be taken back"),
    "renew": later("make another invite to your table: the earlier one admits nobody else"),
    "seats": later(
        "change two seats of your table while it fills, for example: seats p2 p3; or let your "
        "program draw all of them: seats lot"
    ),
    "talk": later(
        "say something to the others, for example: talk Good luck! (`talk` alone lists phrases)"
    ),
    "mute": later("no longer hear a player, or hear that player again, for example: mute p2"),
    "without": later("vote out a player who keeps the table waiting too long; asks once more"),
    "aside": later("put the match aside: with two players, it goes on when both are back"),
    "leave": later("leave the match for good; asks once more"),
    "quit": later("end the program"),
}
"""The typed commands besides moves, with their descriptions."""
PLAYERS_ONLY = (
    "hint",
    "undo",
    "renew",
    "seats",
    "words",
    "trust",
    "talk",
    "without",
    "aside",
    "leave",
)
"""The commands that a spectator does not have."""

LESSON_COMMANDS: Mapping[str, str] = {
    **{name: TYPED_COMMANDS[name] for name in ("help", "hint", "table", "rules")},
    "lesson": later("the explanation of this turn once more"),
    "hands": later("the cards of the others: a lesson is played with open cards"),
    "quit": later("end the lesson"),
}
"""The typed commands in a lesson."""

DECODING = (
    later("not a value"),
    later("not in its canonical spelling"),
    later("an entry of another match"),
    later("an entry for a place that cannot be"),
    later("the signature does not fit"),
)
"""The errors of the codec and of signatures that a damaged log most often leads to, as they are
raised; `said` translates them."""

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


def said(error: Exception, translate: Callable[[str], str] = _) -> str:
    """Return the sentence of an error in the reader's language, with its facts.

    An error without an id gives its own text.
    """
    name, facts = getattr(error, "id", ""), getattr(error, "facts", {})
    sentence = (KEPT_OUT if facts and name in KEPT_OUT else ERRORS).get(name)
    if sentence is None:
        return translate(str(error))
    update = translate(UPDATE[facts.get("theirs", 1) > facts.get("ours", 0)])
    return translate(sentence).format(**{"update": update} | facts_of(error, translate))


def facts_of(error: Exception, translate: Callable[[str], str] = _) -> dict[str, object]:
    """Return the facts of an error as they stand in a sentence in the reader's language."""
    clauses, facts = CLAUSES.get(getattr(error, "id", ""), {}), getattr(error, "facts", {})
    return {
        key: Name(translate(clauses[str(fact)]).format(**facts))
        if str(fact) in clauses
        else _shown(fact, key, translate)
        for key, fact in facts.items()
    }


def english(error: Exception) -> str:
    """Return the sentence of an error in English, on one printable line, for other programs."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for letter in said(error, str)
    )


def _shown(fact: object, key: str, translate: Callable[[str], str]) -> object:
    if isinstance(fact, Exception):
        return said(fact, translate).removesuffix(".")
    if isinstance(fact, str):
        return Name(translate(fact) if key in ("hint", "peer", "reason") else fact)
    return fact
