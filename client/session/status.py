"""Exit statuses, and the errors that end a command with one sentence and no traceback."""

from __future__ import annotations

from enum import IntEnum

from client.i18n.translation import outside


class Status(IntEnum):
    """The exit status of a command."""

    OK = 0
    FAILED = 1
    USAGE = 2
    """Wrong arguments, or a file that cannot be read."""
    BAD_LOG = 3
    NETWORK = 4
    VERSION = 5
    REFUSED = 6
    """The other side refuses us, or we refuse a peer with a wrong key."""
    INCOMPLETE = 7
    """A log that is valid as far as it goes, but is incomplete or rests on votes."""
    INTERRUPTED = 130


class Stop(Exception):
    """Ends a command with a status; its message is the sentence that the player reads."""

    def __init__(self, sentence: str, status: Status = Status.FAILED) -> None:
        super().__init__(sentence)
        self.status = status


class UsageError(Stop):
    """Wrong arguments, or an unreadable file."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, Status.USAGE)


class NetworkError(Stop):
    """The network does not do what we need."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, Status.NETWORK)


def as_stop(error: BaseException) -> Stop | None:
    """Return the end of a command with this error; None for a bug or no ordinary error."""
    if isinstance(error, Stop):
        return error
    if isinstance(error, OSError):
        where = f"{outside(error.filename)}: " if error.filename else ""
        return Stop(f"{where}{error.strerror or error}")
    from client.storage.home import StoreError  # noqa: PLC0415 - looked at only when something has gone wrong

    return Stop(str(error)) if isinstance(error, StoreError) else _network_stop(error)


def ends(error: BaseException) -> Stop | None:
    """Return the end of a command with an error, or with the first error of a group.

    Return None if one of the errors is a bug.
    """
    stops = [as_stop(leaf) for leaf in leaves(error)]
    return stops[0] if all(stops) else None


def names_no_file(error: BaseException) -> bool:
    """Whether this is a system error about no file.

    It may be a bug, so its traceback is worth keeping.
    """
    return any(isinstance(leaf, OSError) and not leaf.filename for leaf in leaves(error))


def leaves(error: BaseException) -> list[BaseException]:
    """Return the errors in a group, such as a nursery raises."""
    if isinstance(error, BaseExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in leaves(inner)]
    return [error]


def _network_stop(error: BaseException) -> Stop | None:
    """Return the sentence for a network error, in the reader's language."""
    from client.i18n.sentences import said  # noqa: PLC0415 - only when something has gone wrong
    from p2p.net import errors  # noqa: PLC0415 - only when something has gone wrong

    if not isinstance(error, errors.NetError):
        return None
    status = Status.NETWORK
    if isinstance(error, errors.BadAddress | errors.NotAnInvite):
        status = Status.USAGE
    elif isinstance(error, errors.VersionMismatch):
        status = Status.VERSION
    elif isinstance(
        error, errors.WrongPeer | errors.PeerBlocked | errors.Unproven | errors.OwnIdentity
    ):
        status = Status.REFUSED
    return Stop(said(error), status)
