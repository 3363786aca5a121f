"""Our frozen dataclasses do what those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import threading
from dataclasses import FrozenInstanceError, field
from types import SimpleNamespace
from typing import Any

import pytest

from engine.core.dataclass import dataclass


def made_by(decorator: Any) -> Any:
    @decorator(frozen=True)
    class Base:
        """No field."""

    @decorator(frozen=True)
    class Point(Base):
        """Fields of every kind."""

        x: int
        y: int = 2
        tags: list[str] = field(default_factory=list)
        secret: int = field(default=0, repr=False)
        note: str = field(default="", compare=False)

        @property
        def total(self) -> int:
            return self.x + self.y

    @decorator(frozen=True)
    class Place(Point):
        """A field more, and its own text."""

        name: str = ""

        def __repr__(self) -> str:
            return f"at {self.name}"

    @decorator(frozen=True)
    class Other:
        """The field of another class."""

        x: int

    return SimpleNamespace(Base=Base, Point=Point, Place=Place, Other=Other)


@pytest.fixture(params=[dataclasses.dataclass, dataclass], ids=["standard", "ours"])
def kinds(request: pytest.FixtureRequest) -> Any:
    return made_by(request.param)


def test_values_come_by_place_and_by_name(kinds):
    point = kinds.Point(1, note="here")
    assert (point.x, point.y, point.tags, point.secret, point.note) == (1, 2, [], 0, "here")
    assert point.total == 3
    assert kinds.Place(1, 5, name="home").y == 5


@pytest.mark.parametrize(
    ("values", "named"), [((), {}), ((1, 2, [], 0, "", 6), {}), ((1,), {"x": 1}), ((1,), {"z": 1})]
)
def test_values_that_do_not_fit_are_refused(kinds, values, named):
    for _again in range(2):
        with pytest.raises(TypeError):
            kinds.Point(*values, **named)


def test_each_instance_has_its_own_list(kinds):
    assert kinds.Point(1).tags is not kinds.Point(1).tags


def test_instances_with_the_same_values_are_equal(kinds):
    assert kinds.Point(1) == kinds.Point(1, note="of no account")
    assert kinds.Point(1) != kinds.Point(1, secret=1)
    assert kinds.Base() == kinds.Base()
    assert kinds.Other(1) != kinds.Point(1)
    assert kinds.Point(1) != kinds.Place(1)
    assert kinds.Other(1) != 1


def test_equal_instances_have_one_hash(kinds):
    assert {kinds.Other(1), kinds.Other(1), kinds.Other(2)} == {kinds.Other(1), kinds.Other(2)}
    assert hash(kinds.Base()) == hash(kinds.Base())
    with pytest.raises(TypeError):
        hash(kinds.Point(1))  # it has a list


def test_text_shows_no_secret(kinds):
    assert repr(kinds.Point(1, secret=7)).endswith("Point(x=1, y=2, tags=[], note='')")
    assert repr(kinds.Base()).endswith("Base()")
    assert repr(kinds.Place(1, name="home")) == "at home"


def test_nothing_can_be_changed(kinds):
    point = kinds.Point(1)
    with pytest.raises(FrozenInstanceError, match="'x'"):
        point.x = 2
    with pytest.raises(FrozenInstanceError, match="'x'"):
        del point.x
    assert dataclasses.replace(point, x=2) == kinds.Point(2)
    assert point == kinds.Point(1)


def test_a_pattern_takes_values_by_place(kinds):
    match kinds.Place(1, 5):
        case kinds.Point(x, y):
            assert (x, y) == (1, 5)
        case _:
            pytest.fail("no point")


def test_fields_are_known_before_the_first_instance(kinds):
    names = [found.name for found in dataclasses.fields(kinds.Place)]
    assert names == ["x", "y", "tags", "secret", "note", "name"]
    assert dataclasses.asdict(kinds.Other(1)) == {"x": 1}
    assert dataclasses.is_dataclass(kinds.Base)


@dataclass(frozen=True)
class Sent:
    """A class that another process can find by its name."""

    x: int


def test_copies_are_equal():
    unmade = pickle.dumps(Sent(1))
    assert pickle.loads(unmade) == copy.copy(Sent(1)) == copy.deepcopy(Sent(1)) == Sent(1)


def test_threads_may_make_the_first_instances_together():
    for _again in range(50):
        kinds, together, made = made_by(dataclass), threading.Barrier(4), []

        def make(kinds=kinds, together=together, made=made) -> None:
            together.wait()
            made.append(kinds.Place(1, name="here"))

        threads = [threading.Thread(target=make) for _thread in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [(place.x, place.y, place.name) for place in made] == [(1, 2, "here")] * 4


def test_the_values_of_an_instance_can_be_checked():
    @dataclass(frozen=True)
    class Checked:
        value: int

        def __post_init__(self) -> None:
            if self.value < 0:
                raise ValueError("less than nothing")

    for _time in range(2):
        assert Checked(1).value == 1
        with pytest.raises(ValueError, match="less"):
            Checked(-1)
