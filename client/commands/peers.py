"""`sobremesa peers`: list the players we have met; trust, block or forget one."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace

from client.i18n.translation import Name, _, later
from client.session.status import Status, UsageError
from client.storage.broken_off import broken_off
from client.storage.contacts import Contact, Contacts, Trust
from client.storage.home import open_home
from client.storage.past_match import DAY, when
from client.ui.plain.printing import say
from client.ui.seats import broken_off_line
from crypto.identity import fingerprint, words
from p2p.net.addresses import show_address
from p2p.net.text import bare

EXAMPLE = "sobremesa peers trust AB12-CD34-EF56-GH78"

_TRUST = {
    Trust.KNOWN: later("known"),
    Trust.TRUSTED: later("trusted"),
    Trust.BLOCKED: later("blocked"),
}
_DONE = {
    "trust": later("{who} is trusted. Another key under that name will not be accepted."),
    "block": later("{who} is blocked: the program accepts no link to that key."),
    "forget": later("{who} is forgotten."),
}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `peers`."""
    about = _(
        "list the players you have met (the default); trust one after comparing fingerprints or "
        "words; block or forget one"
    )
    parser.add_argument(
        "what",
        metavar="list|trust|block|forget",
        nargs="?",
        default="list",
        choices=("list", *_DONE),
        help=about,
    )
    parser.add_argument(
        "who", metavar=_("PLAYER"), nargs="?", help=_("a nick, or the beginning of a fingerprint")
    )
    parser.add_argument(
        "--json", action="store_true", help=_("print one JSON object for each player")
    )


def run(args: Namespace) -> int:
    """List the contacts, or change one and show it."""
    contacts = Contacts(open_home().path)
    if args.what == "list":
        known = (
            list(contacts.all().values())[::-1]
            if args.who is None
            else [_meant(contacts, args.who)]
        )
        _show(known, as_json=args.json)
        if not known and not args.json:
            say(_("Nobody yet. The program remembers players who sit at a table with you."))
        return Status.OK
    if args.who is None:
        raise UsageError(_("name a player: a nick, or the beginning of a fingerprint"))
    contact = _meant(contacts, args.who)
    if args.what == "forget":
        contacts.forget(contact.id)
    else:
        contacts.trust(contact.id, Trust.TRUSTED if args.what == "trust" else Trust.BLOCKED)
        contact = contacts.all()[contact.id]
    if args.json:
        _show([contact], as_json=True)
    else:
        say(_(_DONE[args.what]).format(who=Name(f"{contact.nick} ({fingerprint(contact.id)})")))
    return Status.OK


def _meant(contacts: Contacts, text: str) -> Contact:
    known, shown = contacts.find(text), bare(text, 40)
    if len(known) == 1:
        return known[0]
    if not known:
        raise UsageError(_("you have not played with anybody called {text!r}").format(text=shown))
    found = ", ".join(f"{contact.nick} {fingerprint(contact.id)}" for contact in known)
    raise UsageError(
        _("several players are called {text!r}: {found}").format(text=shown, found=found)
    )


def _show(known: list[Contact], *, as_json: bool) -> None:
    counts = broken_off(open_home(), int(time.time()))
    for contact in known:
        if as_json:
            say(json.dumps(_facts(contact) | {"broken_off": counts.get(contact.id, 0)}))
            continue
        where = ", ".join(map(show_address, contact.addresses))
        say(
            f"{fingerprint(contact.id)}  {contact.nick:16} {_(_TRUST[contact.trust]):8} "
            f"{when(contact.last, DAY)}  {where}".rstrip()
        )
        say(f"    {words(contact.id)}")
        if line := broken_off_line(contact.nick, counts.get(contact.id, 0)):
            say(f"    {line}")


def _facts(contact: Contact) -> dict[str, object]:
    who = {
        "id": contact.id.hex(),
        "fingerprint": fingerprint(contact.id),
        "words": words(contact.id).split(),
    }
    seen = {
        "first": contact.first,
        "last": contact.last,
        "addresses": [show_address(address) for address in contact.addresses],
    }
    return {**who, "nick": contact.nick, "trust": contact.trust.value, **seen}
