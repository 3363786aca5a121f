"""Random walks of phones, thieves of codes and an owner: one phone is in at most, a code serves
once, and no phone loses its visitor to a connection that breaks off."""

from __future__ import annotations

from random import Random

import pytest

from client.storage.phone_secrets import Secrets
from client.ui.phone.access import Event
from client.ui.phone.messages import Asks, Close, CodeUsed, Entered, Frame
from tests.client.ui.phone.test_access import Phone, Visitor

STEPS = 40


class Walk:
    """A visitor, and connections to it that go on, break off, lie or fall silent at random."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.visitor = Visitor()
        self.code: bytes | None = None
        self.open: dict[int, Phone] = {}
        self.told: dict[int, list[object]] = {}
        self.seen: set[str] = set()
        """All that any phone was told."""
        self.inside: int | None = None
        self.entered_by: dict[bytes, int] = {}
        """How many phones have come in by each code: at most one."""
        self.holds: bytes | None = None
        """The secret of the phone that was in last."""

    def step(self) -> None:
        acts = [self.show, self.come, self.come, self.go_on, self.go_on, self.go_on, self.let_in]
        self.random.choice([*acts, self.break_off, self.lie, self.end_code, self.restart])()

    # The owner.

    def show(self) -> None:
        """Show a code, which is another one where there was one."""
        self.take(0, [*self.visitor.access.turn_away(), *self.visitor.access.turn_back()])
        self.code = self.visitor.code()

    def end_code(self) -> None:
        self.visitor.access.end_code()
        self.code = None

    def let_in(self) -> None:
        for number in self.open:
            self.take(number, self.visitor.access.let_in(number))

    def restart(self) -> None:
        self.visitor = self.visitor.restarted()
        self.open, self.told, self.inside, self.code = {}, {}, None, None

    # The phones.

    def come(self) -> None:
        """Open a connection by a code, or by a secret that some phone has or had."""
        secrets = [one for kept in self.visitor.disk for one in (kept.current, kept.coming) if one]
        roots = [root for root in (self.code, self.code, self.holds, *secrets[-3:]) if root]
        if not roots:
            return
        phone = self.visitor.phone(self.random.choice(roots))
        events = self.visitor.access.receive(phone.number, phone.page.first)
        if isinstance(events[0], Frame):
            phone.page.finish(events[0].data)
            self.open[phone.number], self.told[phone.number] = phone, []

    def go_on(self) -> None:
        """Say what an honest page says next."""
        if not self.open:
            return
        number = self.random.choice(list(self.open))
        told = self.told[number]
        if number == self.inside:
            self.take(number, self.open[number].says("{}"))
        elif not self.open[number].began:
            self.open[number].began = True
            self.take(number, self.open[number].says('{"lang":"eu"}'))
        elif told and isinstance(told[-1], dict) and "secret" in told[-1]:
            self.take(number, self.open[number].keeps())

    def break_off(self) -> None:
        if self.open:
            self.close(self.random.choice(list(self.open)), tell=True)

    def lie(self) -> None:
        if self.open:
            number = self.random.choice(list(self.open))
            self.take(number, self.visitor.access.receive(number, bytes(144)))

    # Everything that the visitor does.

    def take(self, number: int, events: list[Event]) -> None:
        for event in events:
            match event:
                case Frame(connection, _data):
                    self.told[connection].append(self.open[connection].reads(event))
                    self.seen |= set(self.told[connection][-1])
                case Close(connection):
                    self.close(connection, tell=False)
                case Entered(connection, _language, _by_code):
                    assert connection == number
                    assert self.inside is None
                    self.inside = connection
                    self.enters(self.open[connection])
                case Asks(connection, digits):
                    assert digits == self.open[connection].page.digits
                    assert self.visitor.disk[-1].current is not None
                case CodeUsed(_connection):
                    assert self.told.get(number) in (None, [{"used": True}])

    def enters(self, phone: Phone) -> None:
        kept = self.visitor.disk[-1]
        if len(phone.root) == 10:
            self.entered_by[phone.root] = self.entered_by.get(phone.root, 0) + 1
            secret = self.told[phone.number][-1]["secret"]
            assert kept == Secrets(bytes.fromhex(secret), None)
        else:
            assert phone.root == kept.current
        self.holds = kept.current

    def close(self, number: int, *, tell: bool) -> None:
        if tell:
            self.visitor.access.gone(number)
        self.open.pop(number, None)
        if self.inside == number:
            self.inside = None

    # After every step.

    def check(self) -> None:
        kept = self.visitor.disk[-1]
        assert all(count == 1 for count in self.entered_by.values())
        # the phone that was in last can always come back
        assert self.holds in (None, kept.current)
        assert len(self.visitor.access.claims) <= 3


@pytest.mark.parametrize("seed", range(40))
def test_one_phone_is_in_and_none_is_locked_out(seed):
    walk = Walk(seed)
    for _ in range(STEPS):
        walk.step()
        walk.check()
    if walk.holds is not None:
        back = walk.visitor.phone(walk.holds)
        assert Entered(back.number, "eu") in back.hello()
