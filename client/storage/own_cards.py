"""Own cards: for each match a small file by which a replay shows all cards that our player saw.

The log has only the cards that became public. The file has our player's shares of the slots that
were dealt to our seat and did not become public, each with its proof: with the log they open these
cards, and no others (decision 0027). It is in a folder of its own that only we may read. A share
counts only where its proof fits the log, so no file can show another card than the one that was
dealt.

Earlier versions kept the secret keys of the decks instead. Such a file is turned over when it is
first read: the shares take its place, whole and synced, and the keys are gone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from client.i18n.translation import _
from client.storage.home import StoreError, match_name, write_private
from client.storage.match_log import ENDING as LOG
from client.storage.regular import open_regular, read_regular
from client.storage.resume_record import ENDING as RESUMABLE
from crypto.masking import KEPT_SHARE
from engine.core.moves import Slot
from p2p.table.old_keys import turn_over
from p2p.table.replay import BadLog
from p2p.wire import Malformed, pack, shape, unpack

ENDING = ".cards"
SLOT_BYTES = 4
MOST_SHARES = 10_000
"""Shares in such a file, at most."""
LIMIT_BYTES = 1 << 20
"""Bytes of such a file, at most."""
KEY_BYTES = 32
LOG_LIMIT_BYTES = 64 * 1024 * 1024


def own_cards_file(home: Path, match: bytes) -> Path:
    """Return where the shares of our cards of a match lie, in the home at this path."""
    return home / "cards" / f"{match_name(match)}{ENDING}"


def spell_shares(shares: Mapping[Slot, bytes]) -> bytes:
    """Spell kept shares: for each slot in ascending order its number in 4 bytes, and the share."""
    return b"".join(slot.to_bytes(SLOT_BYTES, "big") + shares[slot] for slot in sorted(shares))


def read_shares(data: bytes) -> Mapping[Slot, bytes]:
    """Read what `spell_shares` has spelled. Malformed.

    Whether a share is true only the log can show.
    """
    size = SLOT_BYTES + KEPT_SHARE
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    found = {int.from_bytes(part[:SLOT_BYTES], "big"): part[SLOT_BYTES:] for part in parts}
    if len(parts) > MOST_SHARES or len(data) % size or spell_shares(found) != data:
        raise Malformed("these are no kept shares")
    return found


def write_own_cards(path: Path, match: bytes, shares: Mapping[Slot, bytes]) -> None:
    """Write the shares of a match, readable for us only, whole or not at all. StoreError."""
    kept = {slot: shares[slot] for slot in sorted(shares)[:MOST_SHARES]}
    write_private(path, pack({"sobremesa": 2, "match": match, "shares": spell_shares(kept)}))


def read_own_cards(
    home: Path, match: bytes, log: Callable[[], bytes] = bytes
) -> Mapping[Slot, bytes]:
    """Return the shares of our cards of a match, by slot; none if there is no such file.

    A file of an earlier version is turned over by the match's log in the home, or by the one that
    `log` gives if there is none. StoreError if the file is no such file, or that of another match.
    """
    path = own_cards_file(home, match)
    try:
        of, shares, keys = _parts_of(_read(path))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error
    except Malformed:
        # Nothing is chained to this: the message of the cause could repeat a secret.
        raise _unusable(path, _("it is damaged")) from None
    if of != match:
        raise _unusable(path, _("it belongs to another match"))
    return shares if keys is None else _turned_over(home, match, keys, log)


def _parts_of(data: bytes) -> tuple[bytes, Mapping[Slot, bytes], list[bytes] | None]:
    """Return the match, the shares, and in a file of an earlier version the keys. Malformed."""
    value = unpack(data, LIMIT_BYTES)
    match value.get("sobremesa") if type(value) is dict else None:
        case 2:
            fields = shape(value, sobremesa=int, match=bytes, shares=bytes)
            return fields["match"], read_shares(fields["shares"]), None
        case 1:
            fields = shape(value, sobremesa=int, match=bytes, keys=list)
            if all(type(key) is bytes and len(key) == KEY_BYTES for key in fields["keys"]):
                return fields["match"], {}, fields["keys"]
    raise Malformed("neither shares nor keys")


def _turned_over(
    home: Path, match: bytes, keys: list[bytes], log: Callable[[], bytes]
) -> Mapping[Slot, bytes]:
    """Return the shares that deck keys make of a log, and replace the keys on disk by them.

    The keys stay as long as anything could be lost: where the log does not verify, or has none of
    these keys, or can go on. A match that can go on has its keys in its journal too, and its file
    is written anew when it does.
    """
    name = match_name(match)
    ours = home / "logs" / f"{name}{LOG}"
    final = ours.exists() and not (home / "journals" / f"{name}{RESUMABLE}").exists()
    try:
        data = read_regular(ours, LOG_LIMIT_BYTES) if ours.exists() else log()
        found = turn_over(data, keys)
    except (OSError, BadLog):
        return {}  # the command that shows the log names the error
    if found.fits and (found.sealed or final):
        with suppress(StoreError):  # a disk that takes nothing now may do so at the next reading
            write_own_cards(own_cards_file(home, match), match, found.shares)
    return found.shares


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
