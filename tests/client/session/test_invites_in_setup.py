"""The invite of a table that fills: the guests and spectators that it lets in."""

from __future__ import annotations

from random import Random

from client.i18n.sentences import said
from client.session.messages import Notice
from crypto.identity import fingerprint
from p2p.table.lobby import TableRefused
from tests.client.session.processes import Lan, Process, agreed, comes, opened
from tests.table.lobbies import draft


def test_a_guest_without_the_secret_is_shown_nothing():
    lan, random = Lan(), Random(1)
    host = opened(lan, 3, secret=b"12345")
    guests = [comes(lan, host, 1), comes(lan, host, 2, b"12345")]
    lan.settle(random)
    assert guests[0].refused.id == "not-invited"
    assert guests[0].told == []
    assert guests[1].refused is None
    assert host.setup.members == {guests[1].id}


def test_a_renewed_invite_lets_only_those_in_that_have_come_with_it_before():
    lan, random = Lan(), Random(1)
    host = opened(lan, 3, secret=b"12345")
    guest = comes(lan, host, 1, b"12345")
    lan.settle(random)
    assert host.setup.members == {guest.id}
    assert Notice("invited", {"who": "nick1", "id": fingerprint(guest.id)}) in host.notices
    host.setup.renew_invite()
    late = comes(lan, host, 2, b"12345")
    lan.settle(random)
    assert late.refused.id == "old-invite"
    assert late.told == []
    lan.end(guest)
    lan.settle(random)
    assert host.setup.members == set()
    again = comes(lan, host, 1, b"12345")
    last = comes(lan, host, 3, host.secret)
    lan.settle(random)
    assert len(agreed(host, again, last)) == 1


def test_a_host_reads_who_watches_with_its_invite_once_and_again_when_it_sits_down():
    lan, random = Lan(), Random(1)
    host, spy = Process(lan, 0), Process(lan, 1, held=True)
    host.setup.open(draft(3, spectators=True), b"12345")
    spy.setup.seek(host.id, b"12345")
    lan.link(spy, host)
    lan.settle(random)
    for secret in (b"12345", b"12345", b""):
        assert host.setup.let_watch(spy.id, secret)
    assert not host.setup.let_watch(b"other", b"12344")
    assert host.notices == [Notice("watch-invited", {"id": fingerprint(spy.id)})]
    spy.setup.ready()
    lan.settle(random)
    assert host.notices[1:] == [Notice("invited", {"who": "nick1", "id": fingerprint(spy.id)})]


def test_a_guest_with_an_old_invite_is_told_to_ask_for_a_new_one_and_the_host_tells_no_more():
    answers = []
    for secret in (b"", b"older", b"12345"):
        lan, random = Lan(), Random(1)
        host = opened(lan, 3, secret=b"12345")
        guest = comes(lan, host, 1, secret)
        lan.settle(random)
        answers.append(guest.refused and guest.refused.id)
    assert answers == ["not-invited", "old-invite", None]
    assert "ask for a new one" in said(TableRefused("old-invite"))
