"""The program with liars that are late on purpose: `python -m tests.end_to_end.late LIE join …`.

keeps    it keeps the first entry of its seat that is a reveal, and gives it up when two have voted
tips     so does it; when it hears the reveal of the other one it votes about that one, and gives up
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from client.__main__ import main
from client.session import seats
from p2p.table.log import Entry, Place
from tests.lying import Lying

ENOUGH = 2
"""So many honest players vote."""


class Keeps(Lying):
    """It keeps its reveal back until two have voted about it."""

    tries = 1

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.cast: dict[Place, set[int]] = {}

    def keeps(self, entry: Entry) -> bool:
        """Return whether it keeps this entry of its own back."""
        return "nonce" in entry.body

    def says(self, entry: Entry) -> Iterable[Entry]:
        if self.keeps(entry) and self.tries:
            self.tries -= 1
            return self.keep_back(entry)
        return (entry,)

    def hears(self, entry: Entry) -> bool:
        if entry.place[0] == "vote":
            voters = self.cast.setdefault(entry.place, set())
            voters.add(entry.seat)
            if entry.place[3] == self.seat and len(voters) >= ENOUGH:
                self.speak_late()
        return True

    def speak_late(self) -> None:
        """Two have voted about it: give up what it has kept."""
        self.give_up()


class Tips(Keeps):
    """When the other liar has spoken it votes about it: the third vote of four."""

    def hears(self, entry: Entry) -> bool:
        accused = [place for place, voters in self.cast.items() if len(voters) >= ENOUGH]
        about = [place for place in accused if place[3] == entry.seat]
        if about and self.kept and entry.place[0] == "step" and "nonce" in entry.body:
            self.say(self.sign_any(about[0], self.trail[0]))
            self.give_up()
        return super().hears(entry)

    def speak_late(self) -> None:
        """Wait for the other one."""


LIES = {"keeps": Keeps, "tips": Tips}


def lie(kind: str) -> Any:
    """Run the program with such tables."""
    vars(seats)["Table"] = LIES[kind]
    return main()


if __name__ == "__main__":
    sys.exit(lie(sys.argv.pop(1)))
