"""Make the golden log anew: `python -m tests.table.make_golden`. Only for a new version of the
protocol or of the rules.

Three seats, two deals of Escoba, keys and randomness from seeds: the same code makes the same
bytes.
"""

from __future__ import annotations

from pathlib import Path

from crypto.group import Group
from tests.ring import Ring

GOLDEN = Path(__file__).parent.parent / "vectors" / "golden-escoba-v3.sobremesa"


def golden(group: Group | None = None) -> bytes:
    """Play the golden match in the real group, or with that backend of it, and return its log."""
    ring = Ring("escoba", 3, target=5, seed="golden", group=group)
    ring.play()
    assert all(table.sealed for table in ring.tables)
    return ring.logs[0]


if __name__ == "__main__":
    GOLDEN.write_bytes(golden())
