"""`sobremesa id`: print the fingerprint of our key.

Two people compare theirs to detect a relay between them.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from client.i18n.translation import _, outside
from client.storage.home import open_home
from client.ui.plain.printing import say
from crypto.identity import fingerprint, words

EXAMPLE = "sobremesa id"


def add_arguments(parser: ArgumentParser) -> None:
    """Add `--json` to a parser."""
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(args: Namespace) -> int:
    """Print the fingerprint, as letters and as words. The key is made if there is none yet."""
    home = open_home()
    identity = home.identity
    letters, spoken = fingerprint(identity.id), words(identity.id)
    if args.json:
        found = {
            "id": identity.id.hex(),
            "fingerprint": letters,
            "words": spoken.split(),
            "home": str(home.path),
        }
        say(json.dumps(found))
        return 0
    say(_("fingerprint: {letters}").format(letters=letters))
    say(_("in words:    {words}").format(words=spoken))
    say(_("kept in:     {path}").format(path=outside(home.path)))
    return 0
