"""The program with a liar at its table: `python -m tests.end_to_end.liar join …` spoils the proof of its second deal."""

from __future__ import annotations

import sys
from typing import Any

import client.sitting
from client.__main__ import main
from p2p.table.log import Body, Entry, Spot
from p2p.table.table import Table


class Liar(Table):
    """What it says is rightly signed; once a proof does not hold."""

    deals = 0

    def _say(self, spot: Spot, head: bytes, body: Body) -> Entry:
        if set(body) == {"shares"} and spot[0][0] == "step":
            self.deals += 1
            if self.deals == 2:
                body = {"shares": [[shares, bytes(len(proof))] for shares, proof in body["shares"]]}
        return super()._say(spot, head, body)


def lie() -> Any:
    """Run the program with that table."""
    client.sitting.Table = Liar  # type: ignore[misc] # the liar's own program is another one
    return main()


if __name__ == "__main__":
    sys.exit(lie())
