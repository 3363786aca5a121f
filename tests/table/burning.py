"""A seat that burns its deck keys without a reason."""

from __future__ import annotations

from p2p.table.log import Body, Entry, StageKey
from p2p.table.rounds import FRESH
from p2p.table.table import Table


def burner(burns: int, fresh: int = FRESH) -> type[Table]:
    """Return the kind of a table that burns so many keys for each deck before it keeps one, with so
    many bytes."""

    class Burner(Table):
        def sign(self, stage_key: StageKey, head: bytes, body: Body) -> Entry:
            size = 2 + len(self.run.game.seats)
            if stage_key[0][0] == "deck" and not body and stage_key[1] < burns * size:
                body = {"burn": bytes(fresh)}
            return super().sign(stage_key, head, body)

    return Burner
