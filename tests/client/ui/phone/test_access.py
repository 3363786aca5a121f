"""A phone comes by a code, then by a secret of its own; nobody is locked out on the way, and nobody
else comes in."""

from __future__ import annotations

import json
import traceback

import pytest

from client.storage.phone_secrets import Secrets
from client.ui.phone.access import Access, Event, Said
from client.ui.phone.messages import Asks, Close, CodeUsed, Entered, Frame
from crypto.channel import Key, Kind, read_code
from tests.second_noise import SecondPage
from tests.standin import seeded

HOST = "192.168.1.23:47757"
FILES = bytes(range(32))
OLD = b"o" * 32


class Visitor:
    """A visitor's access, the secrets on its disk, and the phones that come to it."""

    def __init__(self, secrets: Secrets | None = None) -> None:
        self.disk = [secrets or Secrets()]
        self.access = Access(HOST, FILES, seeded("visitor"), self.keep, self.disk[0])
        self.connections = 0
        self.fails = False

    def keep(self, secrets: Secrets) -> None:
        if self.fails:
            raise OSError("disk full")
        self.disk.append(secrets)

    def restarted(self) -> Visitor:
        return Visitor(self.disk[-1])

    def code(self) -> bytes:
        return read_code(self.access.new_code())

    def phone(self, root: bytes) -> Phone:
        self.connections += 1
        return Phone(self, self.connections, root)


class Phone:
    """One connection of a page, by a code or a secret."""

    def __init__(self, visitor: Visitor, number: int, root: bytes) -> None:
        self.visitor, self.number, self.root = visitor, number, root
        self.began = False
        kind = Kind.CODE if len(root) == 10 else Kind.SECRET
        self.page = SecondPage(kind, root, HOST, seeded(f"phone {number}")(32))

    def begins(self) -> Phone:
        (answer,) = self.visitor.access.receive(self.number, self.page.first)
        assert isinstance(answer, Frame)
        assert self.page.finish(answer.data) == FILES
        return self

    def says(self, text: str) -> list[Event]:
        return self.visitor.access.receive(self.number, self.page.seal(text))

    def hello(self) -> list[Event]:
        return self.begins().says('{"lang":"eu"}')

    def reads(self, event: Event) -> object:
        assert isinstance(event, Frame)
        assert event.connection == self.number
        return json.loads(self.page.unseal(event.data))

    def secret(self, events: list[Event]) -> bytes:
        (event,) = events
        read = self.reads(event)
        assert isinstance(read, dict)
        return bytes.fromhex(read["secret"])

    def waits(self) -> Phone:
        """Begin, and wait for the owner."""
        told, asks = self.hello()
        assert self.reads(told) == {"wait": True}
        assert asks == Asks(self.number, self.page.digits)
        return self

    def let_in(self) -> bytes:
        """Be let in by the owner; return the new secret."""
        return self.secret(self.visitor.access.let_in(self.number))

    def keeps(self) -> list[Event]:
        return self.says('{"kept":true}')

    def is_closed_silently(self, events: list[Event]) -> bool:
        return events == [Close(self.number)]


def paired(visitor: Visitor) -> tuple[Phone, bytes]:
    """A phone that is in by a code, and its secret."""
    phone = visitor.phone(visitor.code())
    secret = phone.secret(phone.hello())
    assert phone.keeps() == [Entered(phone.number, "eu", by_code=True)]
    return phone, secret


def test_a_phone_comes_by_a_code_and_from_then_on_by_its_secret():
    visitor = Visitor()
    assert visitor.access.claims == frozenset()
    phone, secret = paired(visitor)
    assert visitor.disk == [Secrets(), Secrets(None, secret), Secrets(secret, None)]
    assert phone.says('{"click":"a","seen":1}') == [Said(phone.number, '{"click":"a","seen":1}')]
    (sent,) = visitor.access.tell(phone.number, '{"number":1}')
    assert phone.reads(sent) == {"number": 1}
    again = visitor.restarted().phone(secret)
    assert again.hello() == [Entered(again.number, "eu")]


@pytest.mark.parametrize("secrets", [Secrets(), Secrets(OLD)])
def test_a_full_disk_sends_no_secret_and_keeps_the_old_one(secrets):
    visitor = Visitor(secrets)
    phone = visitor.phone(visitor.code()).begins()
    visitor.fails = True
    if secrets.current is None:
        with pytest.raises(OSError, match="disk full"):
            phone.says('{"lang":"eu"}')
    else:
        phone.says('{"lang":"eu"}')
        with pytest.raises(OSError, match="disk full"):
            visitor.access.let_in(phone.number)
    visitor.fails = False
    assert visitor.disk == [secrets]
    assert {claim.kind for claim in visitor.access.claims} <= {Kind.CODE, Kind.SECRET}
    assert len(visitor.access.claims) == 1 + (secrets.current is not None)


# Each step, cut.


def test_until_kept_the_code_the_old_secret_and_the_new_one_work():
    visitor = Visitor(Secrets(OLD))
    code = visitor.code()
    phone = visitor.phone(code)
    fresh = phone.waits().let_in()
    assert visitor.disk[-1] == Secrets(OLD, fresh)
    visitor.access.gone(phone.number)  # it never says that it keeps it

    named = {Key.of(Kind.SECRET, root).id for root in (OLD, fresh)}
    named |= {Key.of(Kind.CODE, code).id}
    assert {claim.id for claim in visitor.access.claims} == named
    old = visitor.restarted().phone(OLD)
    assert old.hello() == [Entered(old.number, "eu")]
    new = visitor.restarted().phone(fresh)
    assert new.hello() == [Entered(new.number, "eu")]
    assert isinstance(visitor.phone(code).hello()[0], Frame)


def test_the_old_secret_and_its_connection_end_when_the_new_one_is_kept():
    visitor = Visitor()
    old, secret = paired(visitor)
    phone, waiting = visitor.phone(visitor.code()), visitor.phone(secret).begins()
    fresh = phone.waits().let_in()
    assert old.says("{}") == [Said(old.number, "{}")]
    told, *rest = phone.keeps()
    assert old.reads(told) == {"moved": True, "void": True}
    assert rest == [Close(old.number), Entered(phone.number, "eu", by_code=True)]
    assert visitor.disk[-1] == Secrets(fresh, None)
    assert visitor.access.tell(old.number, "{}") == []
    # one that had begun with the old secret proves itself too late
    assert waiting.is_closed_silently(waiting.says('{"lang":"eu"}'))
    assert visitor.access.receive(99, visitor.phone(secret).page.first) == [Close(99)]


# Two phones, two tabs.


def test_of_two_pages_with_one_secret_the_older_one_may_take_back():
    visitor = Visitor()
    old, secret = paired(visitor)
    other = visitor.phone(secret)
    told, *_rest = other.hello()
    assert old.reads(told) == {"moved": True}


def test_a_second_phone_with_a_code_reads_used_and_the_first_one_stays():
    visitor = Visitor()
    code = visitor.code()
    first = visitor.phone(code)
    secret = first.secret(first.hello())
    for _ in range(2):  # while the first one is at it, and when it is in
        second = visitor.phone(code)
        told, *rest = second.hello()
        assert second.reads(told) == {"used": True}
        assert rest == [Close(second.number), CodeUsed(second.number)]
        first.keeps()
    assert visitor.disk[-1] == Secrets(secret, None)
    assert first.says("{}") == [Said(first.number, "{}")]


def test_a_phone_that_waits_with_a_code_is_told_when_another_one_has_used_it():
    visitor = Visitor(Secrets(OLD))
    code = visitor.code()
    first = visitor.phone(code).waits()
    secret = first.let_in()
    visitor.access.gone(first.number)
    second = visitor.phone(code).waits()
    back = visitor.phone(secret)  # the first one had kept it, and says so by coming with it
    told, *rest = back.hello()
    assert second.reads(told) == {"moved": True, "void": True}
    assert rest == [Close(second.number), Entered(back.number, "eu")]
    assert visitor.access.let_in(second.number) == []


def test_nothing_of_the_match_is_told_to_a_phone_that_is_not_in():
    visitor = Visitor(Secrets(OLD))
    begun, waiting = visitor.phone(OLD).begins(), visitor.phone(visitor.code()).waits()
    for number in (begun.number, waiting.number, 99):
        assert visitor.access.tell(number, "{}") == []
    waiting.let_in()
    assert visitor.access.tell(waiting.number, "{}") == []


def test_a_phone_that_has_not_proven_itself_holds_no_code():
    visitor = Visitor()
    code = visitor.code()
    visitor.phone(code).begins()  # somebody who repeats a first frame comes as far as this
    phone = visitor.phone(code)
    phone.secret(phone.hello())


def test_a_new_code_ends_the_earlier_one():
    visitor = Visitor()
    earlier = visitor.code()
    slow, late = visitor.phone(earlier), visitor.phone(earlier).begins()
    slow.secret(slow.hello())
    code = visitor.code()
    assert visitor.access.receive(99, visitor.phone(earlier).page.first) == [Close(99)]
    assert late.reads(late.says('{"lang":"es"}')[0]) == {"used": True}
    phone = visitor.phone(code)
    secret = phone.secret(phone.hello())
    # the secret of the slow one was replaced: it comes no further
    assert slow.is_closed_silently(slow.keeps())
    assert phone.keeps() == [Entered(phone.number, "eu", by_code=True)]
    assert visitor.disk[-1] == Secrets(secret, None)


def test_a_code_for_the_next_phone_is_not_used_by_a_phone_that_comes_back():
    visitor = Visitor()
    phone = visitor.phone(visitor.code())
    coming = phone.secret(phone.hello())
    visitor.access.gone(phone.number)
    code = visitor.code()
    back = visitor.phone(coming)
    assert back.hello() == [Entered(back.number, "eu")]
    other = visitor.phone(code)
    other.waits()


# A code for a visitor that has a phone.


def test_a_phone_that_has_gone_is_not_let_in():
    visitor = Visitor(Secrets(OLD))
    phone = visitor.phone(visitor.code()).waits()
    visitor.access.gone(phone.number)
    assert visitor.access.let_in(phone.number) == []
    assert visitor.access.let_in(1234) == []


# Other texts and frames.


HELLOS = [
    '{"ping":true}',
    "",
    "[]",
    "{}",
    "null",
    '{"lang":1}',
    '{"lang":""}',
    '{"lang":"eu","more":1}',
    '{"lang":"e"}',
    '{"lang":"../eu"}',
    '{"lang":"eu\\n"}',
    '{"kept":true}',
    "[" * 2000,
]


@pytest.mark.parametrize("text", HELLOS)
def test_another_first_text_closes_and_uses_no_code(text):
    visitor = Visitor()
    code = visitor.code()
    phone = visitor.phone(code).begins()
    assert phone.is_closed_silently(phone.says(text))
    other = visitor.phone(code)
    other.secret(other.hello())


@pytest.mark.parametrize("text", ["{}", '{"kept":false}', '{"lang":"eu"}', "[" * 2000])
def test_another_text_than_kept_closes_and_ends_no_secret(text):
    visitor = Visitor(Secrets(OLD))
    phone = visitor.phone(visitor.code())
    fresh = phone.waits().let_in()
    assert phone.is_closed_silently(phone.says(text))
    assert visitor.disk[-1] == Secrets(OLD, fresh)


STEPS = {
    "new": lambda phone: phone,
    "begun": lambda phone: phone.begins(),
    "waiting for the owner": lambda phone: phone.waits(),
    "let in": lambda phone: phone.waits().let_in(),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_wrong_frame_closes_its_connection_at_every_step_and_no_other(step):
    visitor = Visitor()
    inside, secret = paired(visitor)
    phone = visitor.phone(visitor.code())
    STEPS[step](phone)
    assert phone.is_closed_silently(visitor.access.receive(phone.number, b"\1" * 144))
    assert inside.says("{}") == [Said(inside.number, "{}")]
    assert visitor.disk[-1].current == secret
    visitor.phone(secret).hello()


def test_a_recorded_connection_that_comes_again_gets_nothing():
    visitor = Visitor()
    _phone, secret = paired(visitor)
    back = visitor.phone(secret)
    frames = [back.page.first]
    answer = visitor.access.receive(back.number, frames[0])[0]
    back.page.finish(answer.data)
    frames += [back.page.seal('{"lang":"eu"}'), back.page.seal('{"click":"a","seen":1}')]
    for frame in frames[1:]:
        visitor.access.receive(back.number, frame)
    again = visitor.access.receive(77, frames[0])
    assert [type(event) for event in again] == [Frame]
    assert visitor.access.receive(77, frames[1]) == [Close(77)]
    assert back.says("{}") == [Said(back.number, "{}")]


def test_no_secret_is_in_a_repr_or_in_the_trace_of_an_error():
    visitor = Visitor()
    phone = visitor.phone(visitor.code())
    events = phone.hello()
    secret = phone.secret(events)
    shown = [repr(visitor.access), repr(visitor.disk), *map(repr, events)]
    shown.append(repr(vars(visitor.access)))
    visitor.fails = True
    with pytest.raises(OSError, match="disk full") as error:
        phone.keeps()
    shown += traceback.format_exception(error.value)
    visitor.fails = False
    shown += map(repr, phone.says('{"kept":true}'))
    assert not [text for text in shown if secret.hex() in text or repr(secret)[2:-1] in text]


@pytest.mark.parametrize("text", ['{"ping":false}', '{"kept":true}', '{"click":"a","seen":1}', ""])
def test_a_phone_that_waits_says_nothing_else(text):
    visitor = Visitor(Secrets(OLD))
    phone = visitor.phone(visitor.code()).waits()
    assert phone.is_closed_silently(phone.says(text))
    assert visitor.access.let_in(phone.number) == []


def test_all_that_wait_are_turned_away_together_and_nobody_else():
    visitor = Visitor(Secrets(OLD))
    inside = visitor.phone(OLD)
    inside.hello()
    phone = visitor.phone(visitor.code()).waits()
    assert visitor.access.turn_away() == [Close(phone.number)]
    assert visitor.access.let_in(phone.number) == []
    assert visitor.access.tell(inside.number, "{}") != []


def test_a_void_secret_lets_nobody_in_and_a_code_needs_the_owner_still():
    visitor = Visitor()
    _phone, secret = paired(visitor)
    waiting = visitor.phone(secret).begins()
    assert visitor.access.void() == [Close(waiting.number)]
    assert visitor.access.receive(98, visitor.phone(secret).page.first) == [Close(98)]
    for again in (visitor, visitor.restarted()):
        assert again.access.receive(99, again.phone(secret).page.first) == [Close(99)]
        again.phone(again.code()).waits()


def test_a_phone_that_takes_a_visitor_over_waits_for_the_owner():
    visitor = Visitor(Secrets(OLD))
    phone = visitor.phone(visitor.code()).waits()
    assert visitor.disk == [Secrets(OLD)]
    phone.let_in()
    assert visitor.access.let_in(phone.number) == []
