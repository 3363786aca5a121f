"""The full screen: find each other, sit down, play."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client import terminal
from client.desk import Desk, Settings
from client.meeting import nick_of
from client.parlour import Parlour
from client.store import open_home
from crypto.identity import fingerprint

EXAMPLE = "sobremesa"


def add_arguments(parser: ArgumentParser) -> None:
    """There are none of its own."""
    del parser


def run(args: Namespace) -> int:
    """Show the lobby until our player has had enough."""
    args.nick = None
    home = open_home()
    with home.locked():
        desk = Desk(settings=Settings(nick=nick_of(args)), fingerprint=fingerprint(home.identity().id))
        parlour = Parlour(home, desk)
        parlour.colours = args.color
        return terminal.run(parlour, parlour.main)
