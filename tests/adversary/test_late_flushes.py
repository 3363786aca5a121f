"""Liars that answer each vote in the last moment, again and again, during one view change."""

from __future__ import annotations

from p2p.table.membership import Membership
from p2p.table.view_change import ChangeRound, Flush, Seat


def late(seats: int, liars: tuple[Seat, ...], votes: int) -> list[Membership]:
    """Let the last seat leave, and the liars be late with their flushes in turns; return the honest
    members."""
    honest = {
        seat: Membership(b"m", 0, range(seats), seat, lambda _head, _seat: False)
        for seat in range(seats - 1 - len(liars))
    }
    members = list(honest.values())
    for member in members:
        member.lose(seats - 1)
    for number in range(votes):
        liar, now = liars[number % len(liars)], members[0].round
        assert now is not None
        flush(members, [*honest, *(seat for seat in liars if seat != liar)], now)
        cast = [
            (seat, point)
            for seat, member in honest.items()
            if (point := member.point_for(liar)) is not None
        ]
        for seat, point in cast:
            for member in members:
                member.receive_vote(seat, liar, point)
        called = members[0].round
        assert called is not None
        if called.voted != (liar,):
            break
        flush(members, [*honest], called)
        flush(members, [liar], now)
        if members[0].round == called:
            break
    return members


def flush(members: list[Membership], seats: list[Seat], of: ChangeRound) -> None:
    for seat in seats:
        for member in members:
            member.receive_flush(Flush(seat, of, 0, bytes(32), entry=bytes([seat])))


def test_a_seat_that_is_late_again_and_again_goes_by_votes():
    members = late(4, (2,), 20)
    now = members[0].round
    assert now is not None
    assert all(member.round == now for member in members)
    assert now.voted == (2,)
    assert all(member.missing() == (0, 1) for member in members), "only confirms are missing"


def test_many_late_flushes_cost_no_more_than_a_few(monkeypatch):
    asked = [0]
    shown = Membership._is_shown

    def count(self, *arguments):
        asked[0] += 1
        return shown(self, *arguments)

    monkeypatch.setattr(Membership, "_is_shown", count)
    counts = []
    for votes in (4, 8, 12):
        asked[0] = 0
        late(7, (4, 5), votes)
        counts.append(asked[0])
    assert counts[2] < 4 * counts[1], counts
