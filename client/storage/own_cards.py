"""Own cards: for each match a small file by which a replay shows all cards that our player saw.

The log has only the cards that became public. The file has our player's secret keys of the decks:
with the log they open the cards that our seat was dealt, and no others (decision 0022). It is in a
folder of its own that only we may read. Its keys count only where they fit the public keys in the
log, so no file can show another card than the one that was dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from client.i18n.translation import _
from client.storage.home import StoreError, match_name, write_private
from client.storage.regular import open_regular
from p2p.wire import Malformed, pack, shape, unpack

ENDING = ".cards"
KEY_BYTES = 32
MOST_KEYS = 1500
"""Keys in such a file, at most: one for each deck."""
LIMIT_BYTES = 1 << 16
"""Bytes of such a file, at most."""


def own_cards_file(home: Path, match: bytes) -> Path:
    """Return where the keys to our cards of a match lie, in the home at this path."""
    return home / "cards" / f"{match_name(match)}{ENDING}"


def write_own_cards(path: Path, match: bytes, keys: Sequence[bytes]) -> None:
    """Write the keys of a match, readable for us only, whole or not at all. StoreError."""
    write_private(path, pack({"sobremesa": 1, "match": match, "keys": list(keys[:MOST_KEYS])}))


def read_own_cards(home: Path, match: bytes) -> tuple[bytes, ...]:
    """Return the keys to our cards of a match; none if there is no such file.

    StoreError if the file is no such file, or that of another match.
    """
    path = own_cards_file(home, match)
    try:
        data = _read(path)
        fields = shape(unpack(data, LIMIT_BYTES), sobremesa=int, match=bytes, keys=list)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error
    except Malformed:
        # Nothing is chained to this: the message of the cause could repeat a key.
        raise _unusable(path, _("it is damaged")) from None
    if fields["match"] != match:
        raise _unusable(path, _("it belongs to another match"))
    keys = fields["keys"]
    if fields["sobremesa"] != 1 or any(
        type(key) is not bytes or len(key) != KEY_BYTES for key in keys
    ):
        raise _unusable(path, _("it is damaged"))
    return tuple(keys)


def _read(path: Path) -> bytes:
    """Return the bytes of a file. OSError, Malformed."""
    with open_regular(path) as file:
        data = file.read(LIMIT_BYTES + 1)
    if len(data) > LIMIT_BYTES:
        raise Malformed("too long")
    return data


def _unusable(path: Path, why: str) -> StoreError:
    line = _("your cards that never became public are not shown: {path} cannot be used ({why})")
    return StoreError(line.format(path=path, why=why))
