"""Own cards: for each match a small file by which a replay shows all cards that our player saw.

The log has only the cards that became public. The file has our player's shares of the slots that
were dealt to our seat and did not become public, each with its proof: with the log they open these
cards, and no others (decision 0027). Its folder is readable for us only. A share counts only if its
proof fits the log, so no file can show another card than the one dealt.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from client.i18n.translation import _
from client.storage.home import StoreError, match_name, write_private
from client.storage.regular import read_regular
from crypto.masking import KEPT_SHARE
from engine.core.moves import Slot
from p2p.wire import Malformed, pack, shape, unpack

ENDING = ".cards"
VERSION = 2
"""The version of such a file."""
SLOT_BYTES = 4
MOST_SHARES = 10_000
"""The most shares in such a file."""
LIMIT_BYTES = 1 << 20
"""The most bytes of such a file."""


def own_cards_file(home: Path, match: bytes) -> Path:
    """Return the path of the shares of our cards of a match, in the home at this path."""
    return home / "cards" / f"{match_name(match)}{ENDING}"


def spell_shares(shares: Mapping[Slot, bytes]) -> bytes:
    """Encode kept shares: for each slot, in order, its number in 4 bytes and the share."""
    return b"".join(slot.to_bytes(SLOT_BYTES, "big") + shares[slot] for slot in sorted(shares))


def read_shares(data: bytes) -> Mapping[Slot, bytes]:
    """Decode what `spell_shares` encoded. Raises Malformed.

    Only the log can show whether a share is true.
    """
    size = SLOT_BYTES + KEPT_SHARE
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    found = {int.from_bytes(part[:SLOT_BYTES], "big"): part[SLOT_BYTES:] for part in parts}
    if len(parts) > MOST_SHARES or len(data) % size or spell_shares(found) != data:
        raise Malformed("these are no kept shares")
    return found


def write_own_cards(path: Path, match: bytes, shares: Mapping[Slot, bytes]) -> None:
    """Write the shares of a match, readable for us only, whole or not at all. Raises StoreError."""
    kept = {slot: shares[slot] for slot in sorted(shares)[:MOST_SHARES]}
    write_private(path, pack({"sobremesa": VERSION, "match": match, "shares": spell_shares(kept)}))


def read_own_cards(home: Path, match: bytes) -> Mapping[Slot, bytes]:
    """Return the shares of our cards of a match, by slot; none without a file.

    StoreError if the file is invalid, or belongs to another match.
    """
    path = own_cards_file(home, match)
    try:
        of, shares = _parts_of(read_regular(path, LIMIT_BYTES))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error
    except Malformed:
        # Chain nothing: the cause's message could repeat a secret.
        raise _unusable(path, _("it is damaged")) from None
    if of != match:
        raise _unusable(path, _("it belongs to another match"))
    return shares


def _parts_of(data: bytes) -> tuple[bytes, Mapping[Slot, bytes]]:
    """Return the match and the shares. Raises Malformed."""
    fields = shape(unpack(data, LIMIT_BYTES), sobremesa=int, match=bytes, shares=bytes)
    if fields["sobremesa"] != VERSION:
        raise Malformed("another version has written it")
    return fields["match"], read_shares(fields["shares"])


def _unusable(path: Path, why: str) -> StoreError:
    line = _("your cards that never became public are not shown: {path} cannot be used ({why})")
    return StoreError(line.format(path=path, why=why))
