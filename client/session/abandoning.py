"""Leave an unfinished match for good, even if no other player is there."""

from __future__ import annotations

from client.session.context import Context
from client.session.seats import Beginning, LocalSeats
from client.storage.home import StoreError
from client.storage.match_files import MatchFiles
from client.storage.resume_record import ResumeRecord


def leave_for_good(context: Context, resume_record: ResumeRecord) -> None:
    """Sign that our seats leave, keep that for the others, and delete the resume record.

    The record is deleted too if the files are damaged or older than our signatures. Our computer
    players leave with our player: nobody else can play them. Blocks on the disk: call it in a
    worker thread. Raises StoreError.
    """
    requests = resume_record.seat_requests(context.home, context.entropy)
    identities = {seat: request.identity for seat, request in requests.items()}
    try:
        local_seats = LocalSeats(
            context, resume_record, identities, {}, Beginning(again=True, listening=True)
        )
    except StoreError as error:
        if isinstance(error.__cause__, OSError):
            raise  # the disk may be readable later, and then the leave can be signed
        # The files are an older copy, or damaged: nobody can resume from them.
    else:
        local_seats.leave_all()
        local_seats.close()
    MatchFiles(context.home, resume_record.terms.match, tuple(identities)).close(finished=True)
